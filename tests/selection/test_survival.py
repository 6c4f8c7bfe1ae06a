"""A selection for censored times: held-out risks, hazard ratios, and what the report shows of them."""

import csv
import json

import numpy as np
import pytest
from typer.testing import CliRunner

from snelfs import survival_target
from snelfs.cli.app import app
from snelfs.data.partial_likelihood import PartialLikelihood
from snelfs.datasets import make_survival
from snelfs.foundation.files import csv_table
from snelfs.plots import HazardDisplay, SurvivalDisplay
from snelfs.selection.report import report_page
from snelfs.selection.selecting import select
from snelfs.selection.survival import hazard_ratios, held_out_display, held_out_rows, survival_picture
from snelfs.tables import Table, read_table
from snelfs.tables.writing import write_like

N_ROWS, N_COLUMNS = 150, 20
NAMES = tuple(f"<g{i}>" for i in range(N_COLUMNS))
HALVES = np.arange(N_ROWS) % 2
FAST = ["-k", "5", "--n-restarts", "2", "--steps", "4", "--refine", "false", "--quiet"]


@pytest.fixture(scope="module")
def sample():
    return make_survival(N_ROWS, N_COLUMNS, censored=0.3, random_state=96_000)


@pytest.fixture(scope="module")
def genes(sample, tmp_path_factory):
    X, y, _ = sample
    rows = tuple(f"S{i}" for i in range(N_ROWS))
    named = np.empty(N_ROWS, dtype=[("relapse", "?"), ("months", "f8"), ("centre", "U1")])
    named["relapse"], named["months"], named["centre"] = y["event"], y["time"], np.array(["x", "y"])[HALVES]
    table = Table(X, NAMES, rows, named, "months", "csv", "sample", ())
    return write_like(table, tmp_path_factory.mktemp("data") / "genes.csv")


@pytest.fixture(scope="module")
def folder(genes):
    path = genes.parent / "found"
    target = ["--time", "months", "--event", "relapse", "--strata", "centre"]
    words = ["select", genes, *target, *FAST, "--output", path]
    shown = CliRunner().invoke(app, [str(word) for word in words])
    assert shown.exit_code == 0, shown.output
    return path


def test_the_command_writes_a_folder_with_a_survival_section(folder):
    """Curves with numbers at risk and the test, hazard ratios and calibration; names are escaped."""
    page = (folder / "report.html").read_text(encoding="utf-8")
    section = page[page.index('id="survival"') : page.index('id="size"')]
    assert section.count("<svg") == 2
    for words in (
        "stratified log-rank p",
        "numbers at risk",
        "low risk",
        "high risk",
        "hazard ratio",
        "Calibration at months",
    ):
        assert words in section, words
    assert "&lt;g" in section
    assert "<g1>" not in page
    assert "c-index" in page[: page.index('id="features"')]
    record = json.loads((folder / "selection.json").read_text())
    assert record["task"] == "survival"
    assert 0.4 < record["c_index_held_out"] <= 1
    assert "--time months --event relapse --strata centre" in record["command"]
    assert (record["data"]["strata"], record["data"]["n_strata"]) == ("centre", 2)
    assert "of 2 strata (centre), within which they are compared" in page
    again = read_table(folder / "selected.csv", time="months", event="relapse", strata="centre")
    assert len(again.feature_names) == 5


def test_the_model_predicts_risks_of_new_rows(folder, genes, tmp_path):
    """Without needing times or events."""
    output = tmp_path / "risks.csv"
    shown = CliRunner().invoke(app, ["apply", str(folder), str(genes), "--output", str(output), "--quiet"])
    assert shown.exit_code == 0, shown.output
    with output.open() as file:
        risks = np.array([float(row["predicted"]) for row in csv.DictReader(file)])
    assert len(risks) == N_ROWS
    assert abs(risks.mean()) < 0.01


def test_the_command_draws_held_out_risks_or_those_of_other_data(folder, genes, tmp_path):
    """The folder keeps the former in a file of their own; a model alone says what it needs."""
    with (folder / "held_out.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["row", "event", "time", "stratum", "risk"]
    assert len(rows) == N_ROWS
    with_times = ["--time", "months", "--event", "relapse", "--strata", "centre"]
    (tmp_path / "model.skops").write_bytes((folder / "model.skops").read_bytes())
    for place, words in ((folder, []), (tmp_path, [str(genes), *with_times])):
        path = tmp_path / f"{len(words)}.png"
        shown = CliRunner().invoke(app, ["plot", str(place), "survival", *words, "--output", str(path)])
        assert shown.exit_code == 0, shown.output
        assert path.read_bytes().startswith(b"\x89PNG")
    refused = CliRunner().invoke(
        app, ["plot", str(tmp_path), "survival", "--output", str(tmp_path / "a.png")]
    )
    assert refused.exit_code == 2
    assert "needs the folder of a selection, or data with times" in " ".join(refused.output.split())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--time", "months"], "--event must name a column, too"),
        (["--target", "months", "--strata", "centre"], "--strata are of censored times"),
        (["--time", "months", "--event", "relapse", "--task", "regression"], "--time and --event"),
        (["--target", "months", "--task", "survival"], "--time and --event"),
    ],
)
def test_the_command_names_its_options(genes, words, said, tmp_path):
    """In a sentence of its own."""
    shown = CliRunner().invoke(app, ["select", str(genes), *words, "--output", str(tmp_path / "no")])
    assert shown.exit_code == 2
    assert said in " ".join(shown.output.split())


@pytest.mark.parametrize(
    ("events", "times", "said"),
    [
        ([0] * 12, range(12), "y has no event: every row is censored"),
        ([1] + [0] * 11, range(12), "y has one event only"),
        ([1] * 12, [3] * 12, "y has one time only, 3 in every row"),
        ([1] * 12, [-1, *range(11)], "--time must be at least 0, got -1"),
        ([1] * 12, ["", *range(11)], "The column 'months' is missing in 1 row of 12"),
        (["yes", "no"] * 6, range(12), "--event must be True where the event was observed"),
        ([1] * 12, [f"2020-01-{day}" for day in range(10, 22)], "--time must be"),
    ],
    ids=["no event", "one event", "one time", "negative", "missing", "words", "dates"],
)
def test_the_command_refuses_what_teaches_nothing(tmp_path, events, times, said):
    """Each in a sentence, with exit code 2 and without a folder."""
    lines = ["id,a,b,months,relapse"]
    lines += [
        f"S{i},{i * 7 % 5},{i * 3 % 4},{time},{event}"
        for i, (time, event) in enumerate(zip(times, events, strict=True))
    ]
    (tmp_path / "genes.csv").write_text("\n".join(lines) + "\n")
    words = ["select", str(tmp_path / "genes.csv"), "--time", "months", "--event", "relapse", "-k", "1"]
    shown = CliRunner().invoke(app, [*words, "--output", str(tmp_path / "out")])
    assert shown.exit_code == 2, shown.output
    assert said in " ".join(shown.output.split())
    assert not (tmp_path / "out").exists()


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_of_very_few_events_no_row_is_held_out(sample, tmp_path):
    """There are hazard ratios, and no curves; the caveats say why."""
    X, y, _ = sample
    few = survival_target(y["event"] & (np.cumsum(y["event"]) <= 8), y["time"])
    table = Table(X, NAMES, tuple(map(str, range(N_ROWS))), few, "time", "csv", None, ())
    settings = {"n_features_to_select": 5, "n_restarts": 2, "steps": 4, "refine": False}
    found = select(table, settings=settings)
    assert found.task == "survival"
    assert np.isnan(found.survival.c_index)
    assert len(found.survival.ratios) == 5
    assert survival_picture(found.survival, few, "time") == ""
    assert any("only 8 had the event" in sentence for sentence in found.warnings)
    assert "too few events to hold rows out" in report_page(found, "select again")
    (tmp_path / "held_out.csv").write_text(csv_table(held_out_rows(found.survival, few, table.row_names)))
    with pytest.raises(ValueError, match="too few events to hold rows out"):
        held_out_display(tmp_path / "held_out.csv", "time")


def test_hazard_ratios_are_those_of_single_columns(sample):
    """With intervals that hold them, on the standard scale, and the sign of the strength."""
    X, y, relevant = sample
    ratios, low, high = hazard_ratios(1000 * X[:, relevant] + 5, y)
    assert (low < ratios).all()
    assert (ratios < high).all()
    z = (X[:, relevant[0]] - X[:, relevant[0]].mean()) / X[:, relevant[0]].std()
    slope = PartialLikelihood(y["event"], y["time"], ties="efron").loss_and_slope(z * np.log(ratios[0]))[1]
    assert z @ slope == pytest.approx(0, abs=1e-3)


def test_displays_draw_what_they_hold(sample):
    """Two curves that start at 1, and as many dots as columns."""
    from matplotlib.figure import Figure

    _, y, _ = sample
    ax = Figure(figsize=(3.3, 3), layout="constrained").add_subplot()
    display = SurvivalDisplay.from_risks(y, -y["time"], time_name="months")
    assert display.plot(ax) is ax
    assert display.p_value < 1e-6
    steps = [line for line in ax.lines if line.get_drawstyle() == "steps-post"]
    assert len(steps) == 2
    assert all(line.get_ydata()[0] == 1 for line in steps)
    assert ax.get_xticklabels()[0].get_text().split("\n")[1:] == [str(N_ROWS // 2)] * 2
    other = Figure(figsize=(3.3, 3), layout="constrained").add_subplot()
    HazardDisplay(
        np.array(["$a", "b"]), np.array([2.0, 0.5]), np.array([1.0, 0.2]), np.array([3.0, 0.9])
    ).plot(other)
    assert [label.get_text() for label in other.get_yticklabels()] == [r"\$a", "b"]
    with pytest.raises(ValueError, match="takes fields of one length"):
        HazardDisplay(np.array(["a"]), np.ones(2), np.ones(2), np.ones(2))


def test_held_out_risks_are_those_of_whole_patients(sample, monkeypatch):
    """No fold of the report parts the rows of a patient, and every search in it knows them."""
    from snelfs.selection import survival

    X, y, _ = sample
    patients, told = np.array([f"P{row // 3}" for row in range(N_ROWS)]), []

    def recorded(model, rows, target, listener, groups):
        told.append(groups)
        return fit_watched(model, rows, target, listener, groups)

    fit_watched = survival.fit_watched
    monkeypatch.setattr(survival, "fit_watched", recorded)
    rows = tuple(map(str, range(N_ROWS)))
    table = Table(X, NAMES, rows, y, "time", "csv", None, (), patients)
    short = {"n_features_to_select": 5, "n_restarts": 2, "steps": 4, "refine": False, "random_state": 0}
    select(table, task="survival", settings=short)
    assert len(told) == survival.FOLDS
    assert all(
        np.bincount(groups)[np.unique(groups)].tolist() == [3] * len(np.unique(groups)) for groups in told
    )
