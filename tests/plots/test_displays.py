"""What all plots promise: they draw in the Axes given and nowhere else, or refuse in a sentence."""

import os
import subprocess
import sys

import numpy as np
import pytest
from matplotlib import rc_context, rcParams
from matplotlib.figure import Figure
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression

from plotted import ROWS, interaction
from snelfs import SNeLClassifier, plots
from snelfs.search.feature_count import Curve


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
        plots.SurvivalDisplay.from_risks(([1, 0, 1, 1], [4.0, 3, 2, 1]), [1, 2, 3, 4]),
        plots.HazardDisplay(np.array(["$a"]), np.array([2.0]), np.array([1.0]), np.array([4.0])),
    ]


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
    with pytest.raises(
        ImportError, match=r"^Drawing a figure needs the extra 'plots': pip install 'snelfs\[plots\]'\.$"
    ):
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
        TypeError,
        match="must be a fitted SNeLClassifier, SNeLRegressor or SNeLSurvival, got LogisticRegression",
    ):
        display.from_estimator(LogisticRegression())


def test_other_things_than_axes_are_refused(classifier, ax):
    with pytest.raises(TypeError, match=r"^ax must be matplotlib Axes or None, got list\.$"):
        plots.TrainingDisplay.from_estimator(classifier).plot([ax])
