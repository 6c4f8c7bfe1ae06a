"""The plots of a training and of how many features are enough."""

import copy
import dataclasses

import numpy as np
import pytest

from plotted import tick_names
from snelfs import plots
from snelfs.plots.style import VERMILION
from snelfs.search.feature_count import Curve


def test_the_training_has_three_panels_over_the_same_epochs(classifier, ax):
    """Cycles, losses and penalties share the epochs; best epochs, the limit and admission are marked."""
    plots.TrainingDisplay.from_estimator(classifier).plot(ax)
    weights, losses, penalties = ax.child_axes
    history = classifier.history_
    assert weights.get_xlim() == losses.get_xlim() == penalties.get_xlim()
    assert weights.get_xlim()[0] <= 0
    assert weights.get_xlim()[1] >= history.n_epochs - 1
    np.testing.assert_allclose(weights.lines[0].get_ydata(), history.lambda_s)
    best = losses.collections[-1].get_offsets()
    np.testing.assert_array_equal(best[:, 0], classifier.best_epoch_)
    np.testing.assert_allclose(best[:, 1], history.validation_loss[np.arange(4), classifier.best_epoch_])
    assert penalties.lines[-1].get_ydata()[0] == classifier.penalty_limit
    assert len(losses.lines[0].get_xdata()) <= 300
    shade = losses.images[0].get_array()[0, :, 3]
    assert (shade.max() > 0) == history.admitted.any()
    assert [panel.get_ylabel() for panel in ax.child_axes] == ["weight", "loss", "penalty / neuron"]
    assert penalties.get_xlabel() == "epoch"


def test_many_cycles_become_a_band(classifier, ax):
    """A zigzag finer than the paper shows is drawn as the band it fills."""
    history, repeats = classifier.history_, 20
    long = {}
    for field in dataclasses.fields(history):
        values = getattr(history, field.name)
        long[field.name] = np.tile(values, (1, repeats) if values.ndim > 1 else repeats)
    display = plots.TrainingDisplay(type(history)(**long), classifier.best_epoch_, 0.3)
    display.plot(ax)
    assert len(ax.child_axes[0].lines) == 1
    assert len(ax.child_axes[0].collections) == 1


def test_a_part_of_the_epochs_can_be_shown(classifier, ax):
    """The first epochs alone, as they were."""
    plots.TrainingDisplay.from_estimator(classifier).plot(ax, epochs=(10, 60))
    line = ax.child_axes[0].lines[0]
    assert line.get_xdata().tolist() == list(range(10, 60))
    np.testing.assert_allclose(line.get_ydata(), classifier.history_.lambda_s[10:60])


def test_epochs_that_diverged_are_gaps(classifier, ax):
    """Numbers that are none neither warn nor stretch the axis."""
    history = copy.deepcopy(classifier.history_)
    history.train_loss.setflags(write=True)
    history.train_loss[:, 100:] = np.inf
    plots.TrainingDisplay(history, np.full(4, -1), 0.3).plot(ax)
    assert np.isfinite(ax.child_axes[1].get_ylim()).all()
    assert np.isnan(ax.child_axes[1].lines[0].get_ydata()[-1])


def test_the_chosen_size_is_marked(classifier, ax):
    """Means, standard errors, the bar to reach and the number chosen."""
    fitted = copy.copy(classifier)
    fitted.n_features_curve_ = Curve(
        np.array([1, 2, 5]), np.array([0.6, 0.8, 0.82]), np.array([0.05, 0.03, 0.04]), 2
    )
    plots.SizeDisplay.from_estimator(fitted).plot(ax)
    means, threshold, chosen = ax.lines[:3]
    np.testing.assert_allclose(means.get_ydata(), [0.6, 0.8, 0.82])
    assert threshold.get_ydata()[0] == pytest.approx(0.78)
    assert (chosen.get_xdata()[0], chosen.get_ydata()[0]) == (2, 0.8)
    assert chosen.get_color() == VERMILION
    assert "2 chosen" in [text.get_text() for text in ax.texts]
    assert tick_names(ax.xaxis) == ["1", "2", "5"]
    assert ax.get_ylabel().startswith("balanced accuracy")


@pytest.mark.parametrize("epochs", [(5, 5), (3,), 7, (10**6, 10**7)])
def test_epochs_that_are_not_there_are_refused(classifier, ax, epochs):
    with pytest.raises(ValueError, match=r"^epochs must .*got "):
        plots.TrainingDisplay.from_estimator(classifier).plot(ax, epochs=epochs)


def test_sizes_need_a_fit_that_tried_some(classifier):
    with pytest.raises(ValueError, match="needs a fit with n_features_to_select='auto', got 5"):
        plots.SizeDisplay.from_estimator(classifier)
