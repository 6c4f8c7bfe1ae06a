"""The plots of features: the ranking, how often they are picked, and the layer."""

import numpy as np
import pytest
from matplotlib.colors import to_rgba

from plotted import tick_names
from snelfs import plots
from snelfs.plots.style import BLUE, name_length, shown, text_size
from snelfs.search.stability import Stability


def test_the_ranking_shows_scores_in_order_and_marks_the_selected(classifier, ax):
    """Dots lie at the importances, best on top, and the selected ones are blue."""
    length = name_length(ax, text_size(ax))
    display = plots.RankingDisplay.from_estimator(classifier, n_features=8)
    display.plot(ax)
    table = classifier.ranked_features()[:8]
    dots, ticks = ax.collections[1:3]
    np.testing.assert_allclose(dots.get_offsets()[:, 0], table["score"])
    np.testing.assert_allclose(ticks.get_offsets()[:, 0], display.saliencies)
    assert [tuple(colour) == to_rgba(BLUE) for colour in dots.get_edgecolors()] == table["selected"].tolist()
    assert tick_names(ax.yaxis) == [shown(name, length) for name in table["name"]]
    assert ax.get_ylim()[0] > ax.get_ylim()[1]
    picked = [text.get_text() for text in ax.texts]
    restarts = len(classifier.saliencies_)
    assert picked == [f"{round(share * restarts)}/{restarts}" for share in display.frequencies]
    assert ax.get_title("left") == "5 of 20 columns selected"


def test_more_columns_than_there_are_is_all_of_them(classifier, ax):
    """The list ends with the columns."""
    plots.RankingDisplay.from_estimator(classifier, n_features=99).plot(ax)
    assert len(ax.get_yticks()) == 20


def test_keywords_go_to_the_dots(classifier, ax):
    """What matplotlib calls a size or a marker is taken as such."""
    plots.RankingDisplay.from_estimator(classifier).plot(ax, s=55)
    assert ax.collections[1].get_sizes().tolist() == [55]


def test_frequencies_fall_and_their_agreement_is_said(classifier, ax):
    """Bars are as long as the shares, and the title has the index with its interval."""
    plots.FrequencyDisplay.from_estimator(classifier).plot(ax)
    lengths = [bar.get_width() for bar in ax.patches]
    picked = classifier.selection_frequency_[(classifier.selection_frequency_ > 0) | classifier.support_]
    np.testing.assert_allclose(lengths, np.sort(picked)[::-1])
    value, low, high = classifier.stability_
    assert f"{value:.2f}" in ax.get_title("left")
    assert f"95 % interval {low:.2f} to {high:.2f}" in ax.get_title("left")
    alone = plots.FrequencyDisplay(np.array(["a"]), np.ones(1), np.ones(1, bool), 1, Stability(*[np.nan] * 3))
    assert alone.words == "stability of the restarts: not defined"


def test_the_layer_is_the_best_restarts_or_the_one_asked_for(classifier, ax):
    """Every weight is shown, symmetric about the colour of zero, and neurons follow the columns they copy."""
    best = plots.LayerDisplay.from_estimator(classifier, n_features=20)
    scores = classifier.history_.score[np.arange(4), classifier.best_epoch_]
    assert best.restart == scores.argmax()
    display = plots.LayerDisplay.from_estimator(classifier, restart=2, n_features=20)
    columns = np.argsort(classifier.ranking_)
    np.testing.assert_allclose(
        np.sort(display.weights, axis=0), np.sort(classifier.layer_weights_[2][:, columns], axis=0)
    )
    copied = np.abs(display.weights).argmax(axis=1)
    assert (np.diff(copied) >= 0).all()
    assert display.share == pytest.approx(1)
    display.plot(ax)
    low, high = ax.images[0].get_clim()
    assert low == -high
    assert len(tick_names(ax.xaxis)) == 20
    assert ax.get_title("left") == "layer of restart 2"


@pytest.mark.parametrize(
    ("message", "display", "arguments"),
    [
        ("n_features must be an integer of at least 1, got 0", plots.RankingDisplay, {"n_features": 0}),
        ("restart must be from 0 to 3, got 9", plots.LayerDisplay, {"restart": 9}),
    ],
)
def test_bad_values_are_named(classifier, message, display, arguments):
    """Each error is one sentence with the value and what is accepted."""
    with pytest.raises(ValueError, match=message):
        display.from_estimator(classifier, **arguments)


def test_fields_of_different_lengths_are_refused():
    with pytest.raises(
        ValueError, match="RankingDisplay takes fields of one length, got names 1, importances 2"
    ):
        plots.RankingDisplay(np.array(["a"]), np.ones(2), np.ones(1), np.ones(1), np.ones(1, bool), 1, 1, 1)
