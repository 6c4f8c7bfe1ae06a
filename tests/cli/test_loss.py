"""A loss by its name on the command line, from the file to what its model predicts."""

import csv
import json
from dataclasses import replace

import numpy as np
import pytest

from command import run
from snelfs.tables import Table, read_table
from snelfs.tables.writing import write_like

SHORT = ["-k", "5", "--n-restarts", "4", "--steps", "6", "--refine", "false"]
pytestmark = pytest.mark.filterwarnings("default::sklearn.exceptions.ConvergenceWarning")


@pytest.fixture(scope="module")
def numbers(table, tmp_path_factory):
    """A file whose target is a sum of three columns with noise."""
    X, total = table
    y = 40 + 3 * (total + np.random.default_rng(1).standard_normal(len(total)))
    rows = tuple(f"S{i}" for i in range(60))
    made = Table(X, tuple(f"g{i}" for i in range(20)), rows, y, "dose", "csv", "sample", ())
    return write_like(made, tmp_path_factory.mktemp("data") / "doses.csv")


def test_the_model_of_a_quantile_predicts_it_from_files(numbers, tmp_path):
    """Most rows lie below what is predicted; the report and the record name the loss."""
    folder, answers = tmp_path / "out", tmp_path / "answers.csv"
    shown = run("select", numbers, "--target", "dose", *SHORT, "--loss", "quantile:0.9", "--output", folder)
    assert shown.exit_code == 0, shown.output
    assert "quantile:0.9" in (folder / "report.html").read_text()
    assert json.loads((folder / "selection.json").read_text())["settings"]["loss"] == "quantile:0.9"
    shown = run("apply", folder, numbers, "--output", answers)
    assert shown.exit_code == 0, shown.output
    truth = read_table(numbers, target="dose").y
    predicted = np.array(
        [float(row["predicted"]) for row in csv.DictReader(answers.read_text().splitlines())]
    )
    assert 0.8 <= (truth <= predicted).mean() <= 1


@pytest.mark.parametrize(
    ("loss", "said"),
    [
        ("quantile:1.5", "quantile"),
        ("pinball", "huber"),
        ("ordinal", "loss"),
    ],
)
def test_another_loss_is_refused_in_a_sentence(numbers, tmp_path, loss, said):
    """And nothing is written."""
    shown = run("select", numbers, "--target", "dose", *SHORT, "--loss", loss, "--output", tmp_path / "out")
    assert shown.exit_code == 2
    assert loss in shown.output
    assert said in shown.output
    assert not (tmp_path / "out").exists()


def test_negative_counts_are_refused(numbers, tmp_path):
    """Poisson's loss is of counts."""
    table = read_table(numbers, target="dose")
    below = write_like(replace(table, y=table.y - 45), tmp_path / "below.csv")
    shown = run(
        "select", below, "--target", "dose", *SHORT, "--loss", "poisson", "--output", tmp_path / "out"
    )
    assert shown.exit_code == 2
    assert "takes y of at least 0, got -" in shown.output
