"""What the plots draw: heights, names, colours and marks, in the Axes given and nowhere else."""

import copy
import csv
import dataclasses
import os
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from matplotlib import rc_context, rcParams
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression

from snelfs import SNeLClassifier, SNeLRegressor, plots
from snelfs.plots.style import BLUE, VERMILION, name_length, panels, shown, text_size
from snelfs.search.feature_count import Curve
from snelfs.search.stability import Stability

ODD_NAMES = ["$alpha$", "a_b^c", "<script>alert(1)</script>", "cost in $", "_hidden", "a\nb"]
NAMES = ODD_NAMES + [f"gene_{i:02d}" for i in range(len(ODD_NAMES), 20)]


@pytest.fixture(scope="module")
def frame(table):
    X, y = table
    return pd.DataFrame(X, columns=NAMES), np.where(y > 0, "$high$", "_low")


@pytest.fixture(scope="module")
def classifier(quick, frame):
    return SNeLClassifier(**quick, refine=False).fit(*frame)


@pytest.fixture(scope="module")
def regressor(quick, table):
    return SNeLRegressor(**quick, refine=False).fit(*table)


@pytest.fixture
def ax():
    return Figure(figsize=(3.3, 3), layout="constrained").add_subplot()


def tick_names(axis):
    return [label.get_text() for label in axis.get_ticklabels()]


def all_displays(classifier, frame):
    curve = Curve(np.array([1, 2, 5]), np.array([0.6, 0.8, 0.82]), np.array([0.05, 0.03, 0.04]), 2)
    return [
        plots.RankingDisplay.from_estimator(classifier),
        plots.FrequencyDisplay.from_estimator(classifier),
        plots.LayerDisplay.from_estimator(classifier),
        plots.TrainingDisplay.from_estimator(classifier),
        plots.SizeDisplay(curve),
        plots.DistributionDisplay.from_estimator(classifier, *frame),
        interaction(),
        plots.AgreementDisplay.from_estimator(classifier),
        plots.StabilityDisplay.from_estimators({"$a$": classifier}),
        plots.BenchmarkDisplay.from_rows(ROWS),
    ]


def interaction(n_columns=6):
    X = np.random.default_rng(1).standard_normal((200, n_columns))
    return plots.InteractionDisplay.from_data(X, X[:, 1] * X[:, 4] > 0, n_pairs=1)


ROWS = [
    {"data": data, "method": method, "draws": "4", "mean": mean, "sd": sd, "note": note}
    for data, method, mean, sd, note in [
        ("Mad", "f_score", "0.5", "0.2", ""),
        ("Mad", "snel", "0.9", "0.1", ""),
        ("XOR", "f_score", "0.0", "0.0", ""),
        ("XOR", "snel", "", "", "over 60 s"),
    ]
]


# -- what all displays promise ----------------------------------------------------------------------


def test_the_axes_given_are_returned_and_can_be_drawn(classifier, frame):
    """Every display draws into the Axes it is given, labels them, and fits a narrow column of a dark page."""
    for display in all_displays(classifier, frame):
        with rc_context({"text.color": "white", "axes.facecolor": "black"}):
            figure = Figure(figsize=(3.3, 3), layout="constrained")
            ax = figure.add_subplot()
            assert display.plot(ax) is ax
            figure.draw_without_rendering()
        drawn = [ax, *ax.child_axes]
        assert any(axes.get_xlabel() or axes.get_title("left") for axes in drawn), display
        assert all(panel.figure is figure for panel in ax.child_axes)


def test_text_grows_with_the_width_up_to_the_usual_size():
    """7 points in a column of a paper, 9 across a page, and smaller where rows are narrow."""
    narrow, wide = (Figure(figsize=(width, 3)).add_subplot() for width in (3.3, 7))
    assert 6.5 <= text_size(narrow) <= 7.2
    assert 8.8 <= text_size(wide) <= 9.2
    assert text_size(wide, rows=50) < 4
    with rc_context({"font.size": 5}):
        assert text_size(wide) == 5


def test_panels_fill_their_axes_with_gaps_between():
    """Wherever the Axes are, the panels of a grid lie within, and those of a row side by side."""
    figure = Figure(figsize=(5, 4))
    ax = figure.add_axes((0.3, 0.2, 0.5, 0.6))
    first, second, third = panels(ax, 3, 2, (36, 18))
    figure.draw_without_rendering()
    box, right, below = (panel.get_position() for panel in (first, second, third))
    np.testing.assert_allclose([box.x0, box.y1, right.x1, below.y0], [0.3, 0.8, 0.8, 0.2])
    assert right.x0 - box.x1 == pytest.approx(18 / 72 / 5)
    assert box.y0 - below.y1 == pytest.approx(36 / 72 / 4)


def test_plots_leave_no_trace(classifier, ax):
    """Settings of matplotlib stay as they were, and the display keeps its data."""
    before = dict(rcParams)
    display = plots.RankingDisplay.from_estimator(classifier)
    kept = display.importances.copy()
    display.plot(ax)
    assert dict(rcParams) == before
    np.testing.assert_array_equal(display.importances, kept)


def test_matplotlib_waits_for_the_first_plot():
    """Importing the plots loads no matplotlib; without Axes a new figure of pyplot's is drawn into."""
    code = (
        "import sys, numpy as np\nfrom snelfs import plots\nfrom snelfs.search.feature_count import Curve\n"
        "assert 'matplotlib' not in sys.modules\n"
        "one = np.array([1])\nax = plots.SizeDisplay(Curve(one, one, one, 1)).plot()\n"
        "from matplotlib import pyplot\nassert pyplot.get_fignums() == [1] and pyplot.gcf() is ax.figure"
    )
    headless = os.environ | {"MPLBACKEND": "Agg"}
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=headless)
    assert run.returncode == 0, run.stderr


def test_without_matplotlib_the_extra_is_named(classifier, monkeypatch):
    """One sentence says what to install."""
    display = plots.RankingDisplay.from_estimator(classifier)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"^Figures need the extra 'plots': pip install 'snelfs\[plots\]'$"):
        display.plot()


@pytest.mark.parametrize(
    "display", [plots.RankingDisplay, plots.FrequencyDisplay, plots.LayerDisplay, plots.TrainingDisplay,
                plots.SizeDisplay, plots.AgreementDisplay]
)  # fmt: skip
def test_what_cannot_be_plotted_is_refused_in_a_sentence(display):
    """An estimator without a fit, and one of another kind."""
    with pytest.raises(
        NotFittedError, match=r"^This SNeLClassifier is not fitted; call fit before plotting it\.$"
    ):
        display.from_estimator(SNeLClassifier())
    with pytest.raises(
        TypeError, match="must be a fitted SNeLClassifier or SNeLRegressor, got LogisticRegression"
    ):
        display.from_estimator(LogisticRegression())


def test_bad_values_are_named(classifier, frame, ax):
    """Each error is one sentence with the value and what is accepted."""
    X, y = frame
    wrong = [
        ("n_features must be an integer of at least 1, got 0", plots.RankingDisplay, {"n_features": 0}),
        ("restart must be from 0 to 3, got 9", plots.LayerDisplay, {"restart": 9}),
        ("needs a fit with n_features_to_select='auto', got 5", plots.SizeDisplay, {}),
    ]
    for message, display, arguments in wrong:
        with pytest.raises(ValueError, match=message):
            display.from_estimator(classifier, **arguments)
    with pytest.raises(
        ValueError, match=r"y must have one value for each of the 60 rows, got the shape \(59,\)"
    ):
        plots.DistributionDisplay.from_estimator(classifier, X, y[1:])
    with pytest.raises(ValueError, match="kind must be 'box', 'strip' or 'violin', got 'pie'"):
        plots.DistributionDisplay.from_estimator(classifier, X, y).plot(ax, kind="pie")
    with pytest.raises(ValueError, match="no product of two of the 2 columns is tied to y beyond chance"):
        plots.InteractionDisplay.from_data(np.arange(20.0).reshape(10, 2), np.arange(10) > 4)
    training = plots.TrainingDisplay.from_estimator(classifier)
    for epochs in ((5, 5), (3,), 7, (10**6, 10**7)):
        with pytest.raises(ValueError, match=r"^epochs must .*got "):
            training.plot(ax, epochs=epochs)
    with pytest.raises(TypeError, match=r"^ax must be matplotlib Axes or None, got list\.$"):
        training.plot([ax])
    with pytest.raises(
        ValueError, match="RankingDisplay takes fields of one length, got names 1, importances 2"
    ):
        plots.RankingDisplay(np.array(["a"]), np.ones(2), np.ones(1), np.ones(1), np.ones(1, bool), 1, 1, 1)
    with pytest.raises(ValueError, match="but lack method, sd"):
        plots.BenchmarkDisplay.from_rows([{"data": "a", "mean": 1}])
    with pytest.raises(ValueError, match="rows must have a mean of one of snel at least, got none"):
        plots.BenchmarkDisplay.from_rows(ROWS[-1:])
    with pytest.raises(ValueError, match="estimators must name at least one fitted selector, got none"):
        plots.StabilityDisplay.from_estimators({})


def test_names_are_shown_letter_by_letter(ax):
    """No name is read as mathematics or broken into lines, and a long one keeps both its ends."""
    for name in ODD_NAMES:
        text = ax.text(0, 0, shown(name, 30))
        drawn, is_mathematics = text._preprocess_math(text.get_text())
        assert (drawn, is_mathematics) == (" ".join(name.split()), False)
    assert shown("AFFX-HUMGAPDH/M33197_5_at", 11) == "AFFX-…_5_at"
    assert shown("a\x00b") == "a?b"


# -- features ---------------------------------------------------------------------------------------


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


# -- training ---------------------------------------------------------------------------------------


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
    assert ax.get_ylabel().startswith("accuracy")


# -- columns ----------------------------------------------------------------------------------------


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


# -- comparisons ------------------------------------------------------------------------------------


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


def test_stability_from_records_is_sorted(ax):
    """The steadiest method comes first; those with a single sample have no index."""
    records = [
        {"data": "colon", "method": method, "status": status, "selected": selected, "columns": 6}
        for method, status, selected in [
            ("f_score", "done", [0, 1]),
            ("f_score", "done", [2, 3]),
            ("snel", "done", [0, 1]),
            ("snel", "done", [0, 1]),
            ("lassonet", "too slow", []),
        ]
    ]
    display = plots.StabilityDisplay.from_records(records, "colon")
    assert display.names == ["SNeL-FS, default", "F score"]
    assert display.ours == [True, False]
    assert display.plot(ax).get_title("left") == "colon"
    with pytest.raises(ValueError, match="data must be 'colon', got 'lung'"):
        plots.StabilityDisplay.from_records(records, "lung")
    with pytest.raises(
        ValueError, match="no method has two finished samples of 'colon', which its stability"
    ):
        plots.StabilityDisplay.from_records(records[-1:], "colon")


def test_the_benchmark_has_a_panel_a_data_set(ax, tmp_path):
    """Means with standard errors, ours in colour, a note where there is no result; a file reads the same."""
    display = plots.BenchmarkDisplay.from_rows(ROWS)
    assert (list(display.data), list(display.methods)) == (["Mad", "XOR"], ["F score", "SNeL-FS, default"])
    np.testing.assert_allclose(display.errors[0], [0.1, 0.05])
    np.testing.assert_allclose(plots.BenchmarkDisplay.from_rows(ROWS, spread="sd").errors[0], [0.2, 0.1])
    display.plot(ax)
    first, second = ax.child_axes
    assert [panel.get_title("left") for panel in ax.child_axes] == ["Mad", "XOR"]
    assert [bars.lines[0].get_color() == BLUE for bars in first.containers] == [False, True]
    assert [text.get_text() for text in second.texts] == ["over 60 s"]
    assert first.get_xlim() == second.get_xlim()
    path = tmp_path / "synthetic.csv"
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(ROWS[0]))
        writer.writeheader()
        writer.writerows(ROWS)
    np.testing.assert_array_equal(plots.BenchmarkDisplay.from_csv(path).means, display.means)


def test_one_classifier_is_taken_from_the_table_of_real_data():
    """The average by default; a classifier that is not there is refused."""
    rows = [
        {"data": "colon", "method": "snel", "classifier": name, "folds": 4, "mean": mean, "sd": 0.2}
        for name, mean in (("kNN", 0.5), ("avg", 0.7))
    ]
    assert plots.BenchmarkDisplay.from_rows(rows).means.tolist() == [[0.7]]
    assert plots.BenchmarkDisplay.from_rows(rows, classifier="kNN").means.tolist() == [[0.5]]
    chosen = plots.BenchmarkDisplay.from_rows(ROWS, methods=["snel"], data=["XOR", "Mad"])
    assert (chosen.means[1].tolist(), chosen.methods) == ([0.9], ["SNeL-FS, default"])
    with pytest.raises(ValueError, match="classifier must be 'avg' or 'kNN', got 'SVM'"):
        plots.BenchmarkDisplay.from_rows(rows, classifier="SVM")
