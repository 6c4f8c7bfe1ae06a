"""The plots of columns: their values by class or against the target, and pairs of them."""

import numpy as np
import pandas as pd
import pytest

from plotted import interaction, tick_names
from snelfs import plots


@pytest.mark.parametrize("kind", ["strip", "box", "violin"])
def test_classes_are_told_apart_in_every_panel(classifier, frame, ax, kind):
    """One panel a column in the order of the ranks, with the medians of both classes."""
    X, y = frame
    plots.DistributionDisplay.from_estimator(classifier, X, y, n_features=3).plot(ax, kind=kind, n_columns=3)
    best = np.argsort(classifier.ranking_)[:3]
    assert len(ax.child_axes) == 3
    for panel, column in zip(ax.child_axes, best, strict=True):
        values = X.to_numpy()[:, column]
        heights = [
            lines.get_segments()[0][0, 1] for lines in panel.collections if hasattr(lines, "get_segments")
        ]
        medians = [np.median(values[y == label]) for label in ("$high$", "_low")]
        np.testing.assert_allclose(heights, medians)
        assert panel.get_title("left")
        assert [name.replace("\\", "")[0] for name in tick_names(panel.xaxis)] == ["$", "_"]
    if kind == "strip":
        assert sum(len(dots.get_offsets()) for dots in ax.child_axes[0].collections[::2]) == len(y)


def test_dots_of_equal_values_are_spread(ax):
    """A column of zeros and ones shows its rows, each nearer to its own value."""
    values = np.repeat([0.0, 1.0], 20)[:, None]
    target = np.repeat(["a", "b", "a"], [10, 20, 10])
    plots.DistributionDisplay(np.array(["coin"]), values, target, np.unique(target)).plot(ax)
    for dots in ax.child_axes[0].collections[::2]:
        heights = dots.get_offsets()[:, 1]
        assert len(np.unique(heights)) == 20
        assert np.abs(heights - heights.round()).max() < 0.34


def test_numbers_are_drawn_against_the_target(regressor, table, ax):
    """For a regression a panel is a scatter of all rows."""
    X, y = table
    plots.DistributionDisplay.from_estimator(regressor, X, y, n_features=2).plot(ax)
    best = np.argsort(regressor.ranking_)[:2]
    for panel, column in zip(ax.child_axes, best, strict=True):
        np.testing.assert_allclose(panel.collections[0].get_offsets(), np.column_stack([X[:, column], y]))
        assert panel.get_title("left") == f"x{column}"
    assert ax.child_axes[0].get_ylabel() == "target"


def test_pairs_are_found_and_coloured_by_class(ax):
    """The two columns whose product is the class, as the axes of one panel, with a key of the classes."""
    display = interaction()
    assert display.names.tolist() == [["x1", "x4"]]
    assert display.evidence[0] > 3
    display.plot(ax)
    (panel,) = ax.child_axes
    assert (panel.get_xlabel(), panel.get_ylabel()) == ("x1", "x4")
    assert panel.get_title("left").startswith("p ≈ $10^{-")
    assert [len(dots.get_offsets()) for dots in panel.collections] == np.bincount(display.target).tolist()
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["False", "True"]


def test_each_pair_has_its_own_evidence():
    """A column whose partner has a better one elsewhere does not borrow that one's evidence."""
    X = np.random.default_rng(3).standard_normal((300, 6))
    y = X[:, 0] * X[:, 1] + 0.6 * X[:, 0] * X[:, 2]
    display = plots.InteractionDisplay.from_data(X, y)
    assert display.names[:2].tolist() == [["x0", "x1"], ["x0", "x2"]]
    assert (np.diff(display.evidence) < 0).all()
    assert (display.evidence > 0).all()


def test_pairs_of_a_regression_have_a_bar_of_colours(ax):
    """The colour is the target, and names come from a frame; equal values are spread a little."""
    X = np.random.default_rng(2).standard_normal((150, 4))
    X[:, 2] = X[:, 2] > 0
    data = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    display = plots.InteractionDisplay.from_data(data, X[:, 0] * (X[:, 2] - 0.5), n_pairs=1)
    assert display.names.tolist() == [["a", "c"]]
    assert display.classes is None
    display.plot(ax)
    assert "target" in [axes.get_ylabel() for axes in ax.figure.axes]
    (dots,) = ax.child_axes[0].collections
    np.testing.assert_allclose(dots.get_array(), display.target)
    moved = np.abs(dots.get_offsets()[:, 1] - X[:, 2])
    assert 0 < moved.max() < 0.34
    with pytest.raises(ValueError, match=r"feature_names must be 4 names, got the shape \(1,\)"):
        plots.InteractionDisplay.from_data(X, X[:, 0], feature_names=["a"])


def test_bad_values_are_named(classifier, frame, ax):
    """Each error is one sentence with the value and what is accepted."""
    X, y = frame
    with pytest.raises(
        ValueError, match=r"y must have one value for each of the 60 rows, got the shape \(59,\)"
    ):
        plots.DistributionDisplay.from_estimator(classifier, X, y[1:])
    with pytest.raises(ValueError, match="kind must be 'box', 'strip' or 'violin', got 'pie'"):
        plots.DistributionDisplay.from_estimator(classifier, X, y).plot(ax, kind="pie")
    with pytest.raises(ValueError, match="no product of two of the 2 columns is tied to y beyond chance"):
        plots.InteractionDisplay.from_data(np.arange(20.0).reshape(10, 2), np.arange(10) > 4)
