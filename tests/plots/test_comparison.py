"""The plots that compare restarts, selectors and methods."""

import csv

import numpy as np
import pytest

from plotted import ROWS, tick_names
from snelfs import plots
from snelfs.plots.style import BLUE


def test_agreement_of_pairs(ax):
    """Equal choices agree wholly, and the odd one comes last."""
    chosen = [[1, 1, 0, 0], [0, 0, 1, 1], [1, 1, 0, 0]]
    display = plots.AgreementDisplay.from_selections(chosen)
    assert display.restarts.tolist() == [0, 2, 1]
    assert display.agreement[0, 1] == pytest.approx(1)
    assert display.agreement[0, 2] == pytest.approx(-1)
    display.plot(ax)
    assert np.ma.getmaskarray(ax.images[0].get_array()).diagonal().all()
    assert ax.get_title("left").startswith(f"stability {display.stability.value:.2f} (95 % interval")


def test_stability_of_several_selectors(classifier, regressor, ax):
    """One row for each, dot and interval where the fit says."""
    plots.StabilityDisplay.from_estimators({"$classes$": classifier, "numbers": regressor}).plot(ax)
    assert tick_names(ax.yaxis) == [r"\$classes\$", "numbers"]
    dots = [bars.lines[0].get_xdata()[0] for bars in ax.containers]
    assert dots == [classifier.stability_.value, regressor.stability_.value]


def test_selections_of_several_selectors_are_sorted(ax):
    """The steadiest comes first, ours in colour."""
    other, steady = [[1, 1, 0, 0], [0, 0, 1, 1]], [[1, 1, 0, 0], [1, 1, 0, 0]]
    display = plots.StabilityDisplay.from_selections(
        {"other": other, "steady": steady}, ours=["steady"], title="colon"
    )
    assert display.names == ["steady", "other"]
    assert display.ours == [True, False]
    assert display.stabilities[0].value == pytest.approx(1)
    assert display.plot(ax).get_title("left") == "colon"
    with pytest.raises(ValueError, match="selections must name at least one selector, got none"):
        plots.StabilityDisplay.from_selections({})


def test_the_benchmark_has_a_panel_a_data_set(ax):
    """Means with standard errors, ours in colour, a note where there is no result, titles are as told."""
    titles = {"f_score": "F score", "snel": "SNeL-FS"}
    display = plots.BenchmarkDisplay.from_rows(ROWS, titles=titles, ours=["snel"])
    assert (list(display.data), list(display.methods)) == (["Mad", "XOR"], ["F score", "SNeL-FS"])
    np.testing.assert_allclose(display.errors[0], [0.1, 0.05])
    np.testing.assert_allclose(plots.BenchmarkDisplay.from_rows(ROWS, spread="sd").errors[0], [0.2, 0.1])
    display.plot(ax)
    first, second = ax.child_axes
    assert [panel.get_title("left") for panel in ax.child_axes] == ["Mad", "XOR"]
    assert [bars.lines[0].get_color() == BLUE for bars in first.containers] == [False, True]
    assert [text.get_text() for text in second.texts] == ["over 60 s"]
    assert first.get_xlim() == second.get_xlim()


def test_a_file_reads_as_its_rows_do(tmp_path):
    """Without titles, methods are called as in the file."""
    display = plots.BenchmarkDisplay.from_rows(ROWS)
    path = tmp_path / "synthetic.csv"
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(ROWS[0]))
        writer.writeheader()
        writer.writerows(ROWS)
    read = plots.BenchmarkDisplay.from_csv(path)
    np.testing.assert_array_equal(read.means, display.means)
    assert read.methods == display.methods == ["f_score", "snel"]
    assert read.notes == {("XOR", "snel"): "over 60 s"}


def test_one_classifier_is_taken_from_the_table_of_real_data():
    """The average by default; a classifier that is not there is refused."""
    rows = [
        {"data": "colon", "method": "snel", "classifier": name, "folds": 4, "mean": mean, "sd": 0.2}
        for name, mean in (("kNN", 0.5), ("avg", 0.7))
    ]
    assert plots.BenchmarkDisplay.from_rows(rows).means.tolist() == [[0.7]]
    assert plots.BenchmarkDisplay.from_rows(rows, classifier="kNN").means.tolist() == [[0.5]]
    chosen = plots.BenchmarkDisplay.from_rows(ROWS, methods=["snel"], data=["XOR", "Mad"])
    assert (chosen.means[1].tolist(), chosen.methods) == ([0.9], ["snel"])
    with pytest.raises(ValueError, match="classifier must be 'avg' or 'kNN', got 'SVM'"):
        plots.BenchmarkDisplay.from_rows(rows, classifier="SVM")


def test_bad_values_are_named():
    """Each error is one sentence with the value and what is accepted."""
    with pytest.raises(ValueError, match="but lack method, sd"):
        plots.BenchmarkDisplay.from_rows([{"data": "a", "mean": 1}])
    with pytest.raises(ValueError, match="rows must have a mean of one of snel at least, got none"):
        plots.BenchmarkDisplay.from_rows(ROWS[-1:])
    with pytest.raises(ValueError, match="estimators must name at least one fitted selector, got none"):
        plots.StabilityDisplay.from_estimators({})


def test_no_bar_goes_beyond_what_a_score_can_be():
    """A wide interval of few folds ends at 0 and 1, and so does the axis but for its edge."""
    means, errors = np.array([[0.9, 0.3]]), np.array([[0.7, 0.5]])
    display = plots.BenchmarkDisplay(["a"], ["x", "y"], means, errors, {}, [True, False], "AUC", (0.0, 1.0))
    panel = display.plot().child_axes[0]
    ends = np.concatenate([bars.get_segments()[0][:, 0] for bars in panel.collections])
    np.testing.assert_allclose(ends, [0.2, 1.0, 0.0, 0.8])
    assert panel.get_xlim() == pytest.approx((-0.04, 1.04))
