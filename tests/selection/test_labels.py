"""A selection for several labels a row, from the file to the predictions."""

import csv
import json
import re
from types import SimpleNamespace

import numpy as np
import pytest

from command import FAST, run, words_of
from snelfs.selection.effects import effects
from snelfs.selection.one_label import read_with_one_label
from snelfs.selection.report_data import page_data, rows_drawn
from snelfs.selection.report_labels import how_frequent
from snelfs.selection.report_text import title
from snelfs.selection.selecting import select
from snelfs.tables import Table, read_table
from snelfs.tables.writing import write_like

NAMES = tuple(f"g{column}" for column in range(20))


@pytest.fixture(scope="module")
def genes(table, tmp_path_factory):
    """Write 60 samples of 30 patients with a sex, a gap, 20 genes and two labels."""
    X, _ = table
    X = X.copy()
    labels = np.c_[X[:, 4] + X[:, 11] > 0, X[:, 17] - X[:, 2] > 0.8].astype(int)
    X[3, 7] = np.nan
    rows = tuple(f"S{row}" for row in range(60))
    named = Table(X, NAMES, rows, labels, None, "csv", "sample", (), labels=("relapse", "<b>tumour"))
    path = write_like(named, tmp_path_factory.mktemp("labels") / "genes.csv")
    lines = path.read_text(encoding="utf-8").splitlines()
    more = [f"{line},P{row // 2},{'fm'[row % 2]}" for row, line in enumerate(lines[1:])]
    path.write_text("\n".join([f"{lines[0]},patient,sex", *more]) + "\n", encoding="utf-8")
    return path


READING = [
    "--target",
    "relapse,<b>tumour",
    "--groups",
    "patient",
    "--covariates",
    "sex",
    "--impute",
    "median",
]


@pytest.fixture(scope="module")
def folder(genes):
    path = genes.parent / "found"
    shown = run("select", genes, *READING, *FAST, "--output", path)
    assert shown.exit_code == 0, shown.output
    return path


def test_the_folder_speaks_of_labels(folder):
    """Effects name one, the record counts them, the command repeats them, the columns keep them."""
    with (folder / "features.csv").open(encoding="utf-8") as file:
        effect_of = {row["name"]: row["effect"] for row in csv.DictReader(file)}
    assert effect_of["g4"] == "higher with relapse"
    assert effect_of["g17"] == "higher with <b>tumour"
    assert effect_of["g2"] == "lower with <b>tumour"
    record = json.loads((folder / "selection.json").read_text(encoding="utf-8"))
    assert record["data"]["target"] == "relapse,<b>tumour"
    assert set(record["data"]["labels"]) == {"relapse", "<b>tumour"}
    assert "--target 'relapse,<b>tumour'" in record["command"]
    again = read_table(folder / "selected.csv", target="relapse,<b>tumour")
    assert len(again.feature_names) == 5
    assert again.y.sum(axis=0).tolist() == list(record["data"]["labels"].values())


def test_the_report_splits_every_picture_by_the_label_it_tells(folder):
    """Shares are said, names are escaped, and marks are of all rows."""
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "<b>tumour" not in page
    assert "Features that tell of relapse and &lt;b&gt;tumour" in page
    assert re.search(r"Of the rows \d+ % have the label relapse and \d+ % &lt;b&gt;tumour\.", page)
    assert "guessing by the labels&#39; shares has 0." in page
    data = json.loads(re.search(r'id="data">(.*?)</script>', page, re.DOTALL)[1])
    labels, place_of = data["labels"], {name: n for n, name in enumerate(data["features"]["name"])}
    assert labels["names"] == ["relapse", "<b>tumour"]
    assert [len(marks) for marks in labels["marks"]] == [60, 60]
    assert [marks.count("1") for marks in labels["marks"]] == labels["sizes"]
    assert labels["of"][str(place_of["g11"])] == 0
    assert labels["of"][str(place_of["g17"])] == 1


def test_predictions_have_two_columns_a_label(folder, genes, tmp_path):
    """Zeros and ones, and their probability, each by its name."""
    shown = run("apply", folder, genes, "--impute", "median", "--output", tmp_path / "p.csv", "--quiet")
    assert shown.exit_code == 0, shown.output
    with (tmp_path / "p.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 60
    for label in ("relapse", "<b>tumour"):
        likely = np.array([float(row[f"probability of {label}"]) for row in rows])
        said = np.array([int(row[f"predicted {label}"]) for row in rows])
        np.testing.assert_array_equal(likely > 0.5, said == 1)


def test_a_picture_shows_the_label_asked_for(folder, tmp_path):
    """The other labels are no features of it; without a word it asks which."""
    drawn = run("plot", folder, "distribution", "--target", "relapse", "--output", tmp_path / "d.png")
    assert drawn.exit_code == 0, drawn.output
    assert (tmp_path / "d.png").stat().st_size > 10_000
    asked = run("plot", folder, "distribution", "--output", tmp_path / "e.png")
    assert asked.exit_code == 2
    assert "name one of the labels 'relapse', '<b>tumour' by --target" in words_of(asked)
    reading = {"target": "relapse", "impute": "median"}
    table = read_with_one_label(folder.parent / "genes.csv", None, reading, "relapse,<b>tumour")
    assert "<b>tumour" not in table.feature_names
    assert set(table.y) == {"with", "without"}
    assert table.target_name == "relapse"


@pytest.mark.parametrize(
    ("target", "more", "said"),
    [
        ("relapse,g1", [], "The target 'g1' must hold 0 and 1, or true and false"),
        ("relapse,tumor", [], "has no column 'tumor'; the nearest name is '<b>tumour'"),
        ("relapse,relapse", [], "--target names 'relapse' more than once"),
        ("relapse,<b>tumour", ["--task", "regression"], "--task regression needs one column"),
        ("relapse,<b>tumour", ["--task", "survival"], "--time and --event"),
        (
            "relapse,<b>tumour",
            ["--class-weight", "balanced"],
            "--class-weight must be None for several labels",
        ),
    ],
)
def test_bad_labels_are_one_sentence_and_nothing_is_written(genes, tmp_path, target, more, said):
    """With the option's name and the exit code of a wrong option."""
    words = ["--target", target, "--impute", "median", *more, "--output", tmp_path / "out", "--quiet"]
    shown = run("select", genes, *words)
    assert shown.exit_code == 2, shown.output
    assert said in words_of(shown)
    assert not (tmp_path / "out").exists()


def test_a_table_of_python_needs_no_names(table, quick):
    """Labels are then numbered; rare ones are spoken of, and so is a matrix of other numbers."""
    X, _ = table
    Y = np.c_[X[:, 4] > 0, X[:, 11] > 1.7].astype(int)
    named = Table(X, NAMES, tuple(map(str, range(60))), Y, None, "csv", None, ())
    found = select(named, settings=quick | {"refine": False})
    assert title(found) == "Features that tell of label 1 and label 2"
    assert found.estimator.classes_.tolist() == ["label 1", "label 2"]
    present = int(Y[:, 1].sum())
    assert any(f"'label 2' is in {present} of 60 rows" in sentence for sentence in found.warnings)
    assert page_data(found)["labels"]["names"] == ["label 1", "label 2"]
    other = Table(X, NAMES, named.row_names, Y + 0.5, "a,b", "csv", None, ())
    with pytest.raises(ValueError, match="which must be labels of zeros and ones"):
        select(other)


def test_many_labels_and_rows_are_summed_up():
    """Their shares by the rarest and the most frequent; a sample of the rows leaves no rare one out."""
    Y = (np.random.default_rng(0).random((5000, 8)) < 0.3).astype(int)
    Y[:, 2] = np.arange(5000) < 25
    names = tuple("abcdefgh")
    many = SimpleNamespace(table=SimpleNamespace(y=Y, labels=names, target_name=None), task="classification")
    assert title(many) == "Features that tell of 8 labels"
    assert re.match(r"The 8 labels are in 1 % \(c\) to \d\d % \([^c]\) of the rows", how_frequent(many))
    drawn = rows_drawn(many)
    assert 1900 < len(drawn) < 2100
    assert Y[drawn, 2].sum() >= 20


def test_effects_take_the_strongest_label():
    """A label at a time, signs included."""
    Y = np.repeat([[0, 0], [0, 1], [1, 0], [1, 1]], 10, axis=0)
    X = np.c_[Y[:, 0] + np.linspace(0, 0.1, 40), -3.0 * Y[:, 1], np.arange(40) % 5]
    found = effects(X, Y, "classification", labels=("ill", "old"))
    assert found.words == ["higher with ill", "lower with old", "no trend alone"]
    codes = {1: ("none", "some"), 2: tuple("abcde")}
    found = effects(np.abs(X) // 3, Y, "classification", labels=("ill", "old"), categories=codes)
    assert found.words[1] == "differs between its 2 categories, most with old"
