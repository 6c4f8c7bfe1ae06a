"""The command `snelfs evaluate`."""

import csv
import json
import subprocess
import sys
from functools import partial

import numpy as np
import pytest
from typer.testing import CliRunner

from snelfs.cli.app import app
from snelfs.evaluation import cross_validation, judges

RUNNER = CliRunner()
SETTINGS = {"n_restarts": 2, "steps": 5, "refine": False}


@pytest.fixture(scope="module", autouse=True)
def quick():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(judges, "TREES", 10)
        patch.setattr(judges, "REGRESSION_TREES", 10)
        patch.setattr(cross_validation, "evaluate", partial(cross_validation.evaluate, settings=SETTINGS))
        yield


@pytest.fixture(scope="module")
def file(table, tmp_path_factory):
    """Write a table of 20 features, with a class, a number, a class of 3 rows and a column of one value."""
    X, y = table
    path = tmp_path_factory.mktemp("tables") / "genes.csv"
    with path.open("w", newline="") as opened:
        writer = csv.writer(opened)
        writer.writerow(["sample", *(f"gene {i}" for i in range(20)), "status", "dose", "rare", "same"])
        for row, (values, number) in enumerate(zip(X, y, strict=True)):
            status = "ill" if number > 0 else "well"
            rare = "odd" if row < 3 else "usual"
            writer.writerow([f"S{row}", *values.round(4), status, round(number, 4), rare, "A"])
    return path


def run(*arguments):
    return RUNNER.invoke(app, ["evaluate", *map(str, arguments)])


def said(shown):
    return " ".join(shown.output.replace("│", " ").split())


@pytest.fixture(scope="module")
def written(file, tmp_path_factory):
    """Return what a run shows, and its folder."""
    folder = tmp_path_factory.mktemp("results") / "new" / "evaluation"
    return run(file, "--target", "status", "-k", 3, "--folds", 3, "--output", folder), folder


def test_the_last_line_is_the_verdict(written):
    shown, folder = written
    assert shown.exit_code == 0, shown.output
    stored = json.loads((folder / "evaluation.json").read_text())
    assert shown.stdout.splitlines()[-1] == stored["verdict"]
    for title in ("SNeL-FS, default", "no selection", "F score", "mRMR", "ReliefF"):
        assert f"│ {title}" in shown.stdout
    assert "AUC" in shown.stdout
    assert "stability" in shown.stdout


def test_progress_and_notes_go_to_standard_error(written):
    shown, folder = written
    assert "evaluate: 18 of 18" in shown.stderr
    assert "The first column, 'sample', holds the rows' names." in shown.stderr
    assert f"written: {folder / 'evaluation.csv'}" in shown.stderr
    assert "written" not in shown.stdout


def test_the_folder_holds_a_table_everything_as_json_and_a_plot(written):
    _, folder = written
    assert sorted(path.name for path in folder.iterdir()) == [
        "evaluation.csv",
        "evaluation.json",
        "evaluation.png",
    ]
    assert [path.name for path in folder.parent.iterdir()] == ["evaluation"]
    with (folder / "evaluation.csv").open() as opened:
        rows = list(csv.DictReader(opened))
    assert len(rows) == 6 * 5 * 3  # methods, models with their average, metrics
    assert (folder / "evaluation.png").read_bytes().startswith(b"\x89PNG")


def test_the_json_holds_what_was_asked_and_what_was_found(written):
    _, folder = written
    stored = json.loads((folder / "evaluation.json").read_text())
    assert (stored["rows"], stored["columns"], stored["folds"], stored["n_features"]) == (60, 22, 3, 3)
    assert stored["data"] == "genes.csv"
    assert len(stored["scores"]["mrmr"]["kNN"]["auc"]) == 3
    assert {len(columns) for columns in stored["selected"]["mrmr"]} == {3}
    assert set(np.ravel(stored["selected"]["mrmr"])) <= {*(f"gene {i}" for i in range(20)), "dose"}
    assert "no_fs" not in stored["selected"]
    assert "jax" in stored["measured with"]


def test_numbers_are_judged_by_r2_and_quiet_says_nothing_else(file):
    shown = run(file, "--target", "dose", "--methods", "f_score", "--folds", 2, "--quiet", "-k", 3)
    assert shown.exit_code == 0, shown.output
    assert "R²" in shown.stdout
    assert "SNeL-FS" in shown.stdout.splitlines()[-1]
    assert shown.stderr == ""


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--target", "state"], "has no column 'state'; the nearest names are 'status', 'same'."),
        ([], "There is no target: name the column to predict by --target, or a file by --labels."),
        (["--target", "same"], "The target 'same' is 'A' in every row: nothing to learn."),
        (["--target", "rare"], "The class odd has 3 rows, fewer than the 5 folds: ask for fewer folds"),
        (["--target", "dose", "--folds", "70"], "--folds must be at most the number of rows, 60, got 70."),
        (["--target", "status", "--folds", "1"], "--folds"),
        (["--target", "status", "-k", "many"], "-k must be a number of columns of at least 1, or auto; got"),
        (["--target", "status", "-k", "40"], "-k=40 is more than X has: 22 feature(s)."),
        (["--target", "status", "--methods", "magic"], "--methods must be of snel, filters_alone, no_fs"),
        (["--target", "status", "--methods", "snel"], "--methods must name one beside 'snel'"),
        (
            ["--target", "status", "--task", "guess"],
            "--task must be 'auto', 'classification', 'regression' or 'survival'",
        ),
        (["--target", "status", "--task", "regression"], "needs numbers, and the target 'status' is text."),
        (["--target", "status", "--impute", "mean"], "--impute must be 'median', got 'mean'."),
        (["--target", "S3"], "is a row of"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence_and_nothing_is_written(file, arguments, sentence, tmp_path):
    shown = run(file, *arguments, "--output", tmp_path / "out")
    assert shown.exit_code == 2
    assert sentence in said(shown)
    assert "Traceback" not in shown.output
    assert not (tmp_path / "out").exists()


def test_a_missing_file_is_named(tmp_path):
    shown = run(tmp_path / "none.csv", "--target", "class")
    assert shown.exit_code == 2
    assert "does not exist." in said(shown)


def test_sentences_call_options_as_the_command_line_does(file):
    shown = run(file, "--target", "S3")
    assert "pass --transpose." in said(shown)


def test_results_are_not_replaced_unless_forced(file, tmp_path, monkeypatch):
    """It is refused before anything is computed; other files stay when forced."""
    (tmp_path / "mine.txt").write_text("mine")
    command = ["--target", "dose", "--methods", "no_fs", "--folds", 2, "--output", tmp_path]
    with monkeypatch.context() as patch:
        patch.setattr(cross_validation, "evaluate", None)
        refused = run(file, *command)
    assert refused.exit_code == 2
    assert "holds files already" in said(refused)
    forced = run(file, *command, "--force")
    assert forced.exit_code == 0, forced.output
    assert len(list(tmp_path.iterdir())) == 4
    assert (tmp_path / "mine.txt").read_text() == "mine"


def test_control_c_ends_with_130_and_nothing_written(file, tmp_path, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(cross_validation, "choose_columns", interrupted)
    shown = run(file, "--target", "status", "--output", tmp_path / "out")
    assert shown.exit_code == 130
    assert "Stopped; nothing was written." in shown.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_the_way_of_the_folder_is_named(file, tmp_path):
    (tmp_path / "out").write_text("")
    shown = run(file, "--target", "status", "--output", tmp_path / "out", "--force")
    assert shown.exit_code == 2
    assert "is a file, and a folder is to be written" in said(shown)


def test_help_ends_with_an_example():
    shown = run("--help")
    assert "Example: snelfs evaluate genes.csv --target class" in said(shown)


def test_help_waits_for_no_engine():
    """The command line is loaded without what its commands compute with."""
    heavy = ["jax", "sklearn", "pandas", "matplotlib", "scipy"]
    code = f"import sys, snelfs.cli; print([name for name in {heavy} if name in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"


def test_censored_times_are_evaluated_by_the_c_index(table, tmp_path):
    """Named by two columns; the verdict speaks of the c-index."""
    X, y = table
    path = tmp_path / "times.csv"
    with path.open("w", newline="") as opened:
        writer = csv.writer(opened)
        writer.writerow([*(f"gene {i}" for i in range(20)), "months", "died"])
        for row, (values, number) in enumerate(zip(X, y, strict=True)):
            writer.writerow([*values.round(4), round(float(np.exp(-number)), 5), int(row % 3 > 0)])
    words = ["--time", "months", "--event", "died", "-k", 3, "--folds", 2, "--methods", "univariate_cox"]
    shown = run(path, *words, "--quiet")
    assert shown.exit_code == 0, shown.output
    assert "Brier skill" in shown.output
    assert "c-index" in said(shown).splitlines()[-1]
