"""Layers come from estimators and go back into them."""

import numpy as np
import pytest
import torch

from shared import QUICK
from snelfs import SNeLClassifier, SNeLRegressor, fit_with_layers
from snelfs.engine.saliency import max_weight
from snelfs.layer import BestSelection
from snelfs.torch import FSLayer


@pytest.fixture(scope="module")
def fitted(table):
    X, y = table
    return SNeLRegressor(**QUICK).fit(X, y)


def test_a_layer_of_an_estimator_has_its_weights(fitted):
    """Those of the restart with the best validation score, or of the one asked for."""
    best = fitted.history_.score[np.arange(len(fitted.best_epoch_)), fitted.best_epoch_].argmax()
    np.testing.assert_array_equal(FSLayer.from_estimator(fitted).weight.detach(), fitted.layer_weights_[best])
    first = FSLayer.from_estimator(fitted, restart=0, dtype=torch.float64)
    np.testing.assert_array_equal(first.weight.detach(), fitted.layer_weights_[0])
    np.testing.assert_allclose(first.saliency(), max_weight(fitted.layer_weights_[:1])[0], rtol=1e-6)
    with pytest.raises(ValueError, match=r"^restart must be from 0 to 7, got 99\.$"):
        FSLayer.from_estimator(fitted, restart=99)


def test_a_layer_becomes_an_estimator(table):
    """Which selects what it copies, predicts, and is measured on the rows."""
    X, y = table
    fs = FSLayer(20, 3)
    with torch.no_grad():
        fs.weight.copy_(torch.eye(20)[[4, 11, 17]])
    back = fs.to_estimator(SNeLRegressor(3), X, y)
    assert back.get_support(indices=True).tolist() == [4, 11, 17]
    assert back.score(X, y) > 0.9
    assert back.history_.admitted.tolist() == [[True]]
    np.testing.assert_array_equal(FSLayer.from_estimator(back).weight.detach(), fs.weight.detach())


def taught(column, n_epochs=4):
    """Return a course of epochs whose last copies columns 4 and another."""
    best = BestSelection()
    for epoch in range(n_epochs):
        share = (epoch + 1) / n_epochs
        lacks = 2 * (1 - share)
        best.update(np.eye(20)[[4, column]] * share, (0.0, lacks), share, penalty_weights=(0.1, 0.2 * epoch))
    return best


def test_several_layers_vote_and_their_course_is_kept(table):
    """Two of three layers copy column 11, and it comes before the third's."""
    X, y = table
    labels = np.where(y > 0, "high", "low")
    voted = fit_with_layers(SNeLClassifier(2), X, labels, [taught(11), taught(11), taught(7)])
    assert voted.get_support(indices=True).tolist() == [4, 11]
    assert voted.ranking_[[4, 11, 7]].tolist() == [1, 2, 3]
    np.testing.assert_allclose(voted.selection_frequency_[[4, 11, 7]], [1, 2 / 3, 1 / 3])
    assert voted.best_epoch_.tolist() == [3, 3, 3]
    assert voted.history_.admitted.tolist() == [[False, False, True, True]] * 3
    np.testing.assert_allclose(voted.history_.lambda_a, [0, 0.2, 0.4, 0.6], rtol=1e-6)
    mixed = fit_with_layers(SNeLClassifier(2), X, labels, [taught(11), np.eye(20)[[4, 7]]])
    assert mixed.history_.n_epochs == 1


def test_plots_and_reports_work_on_a_layer_trained_elsewhere(table, tmp_path):
    """They take the estimator around it as any other."""
    from snelfs.plots import LayerDisplay, RankingDisplay, TrainingDisplay
    from snelfs.selection import select, write_folder
    from snelfs.tables.reading import Table

    X, y = table
    labels = np.where(y > 0, "high", "low")
    names = tuple(f"gene {i}" for i in range(20))
    voted = fit_with_layers(SNeLClassifier(2), X, labels, [taught(11), taught(17)])
    for display in (LayerDisplay, RankingDisplay, TrainingDisplay):
        assert display.from_estimator(voted).plot().figure.axes
    given = Table(X, names, tuple(map(str, range(60))), labels, "level", "csv", None, ())
    found = select(given, estimator=voted)
    assert [feature.name for feature in found.features if feature.selected] == ["gene 4", "gene 11"]
    write_folder(found, tmp_path / "found")
    assert "gene 11" in (tmp_path / "found" / "report.html").read_text(encoding="utf-8")
    with pytest.raises(ValueError, match=r"^estimator must be fitted to the 20 columns, got one that is not"):
        select(given, estimator=SNeLClassifier(2))
    with pytest.raises(ValueError, match=r"^settings must be None where the estimator is given"):
        select(given, estimator=voted, settings={"steps": 3})


@pytest.mark.parametrize(
    ("layers", "sentence"),
    [
        ([], "layers must be of one shape (n_neurons, 20) with the data's columns, got []."),
        (
            [np.eye(20), np.ones((2, 5))],
            "layers must be of one shape (n_neurons, 20) with the data's columns, got [(2, 5), (20, 20)].",
        ),
        (
            [np.full((2, 20), np.nan)],
            "layers must have finite weights, got some that are missing or infinite.",
        ),
    ],
)
def test_layers_that_do_not_fit_are_named(table, layers, sentence):
    with pytest.raises(ValueError) as raised:  # noqa: PT011, the whole sentence is compared
        fit_with_layers(SNeLRegressor(2), *table, layers)
    assert str(raised.value) == sentence


def test_what_asks_for_searches_is_refused(table):
    for asked in ({"n_features_to_select": "auto"}, {"n_shuffles": 3}):
        with pytest.raises(ValueError, match=r"^estimator must select a number of features"):
            fit_with_layers(SNeLRegressor(**asked), *table, [np.eye(20)])
