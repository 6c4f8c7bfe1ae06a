"""Groups of columns and categories on the command line, from file to file."""

import csv
import json
from functools import partial

import numpy as np
import pytest

from command import run
from snelfs import SNeLClassifier
from snelfs.evaluation import judges, methods
from snelfs.tables.reading import read_table

FAST = ["--target", "state", "--n-restarts", "4", "--steps", "4", "--refine", "false"]


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """Write 60 rows of 9 genes, a stage of three values that tells the state, with gaps, and ids."""
    generator = np.random.default_rng(0)
    X, stage = generator.standard_normal((60, 9)).round(4), generator.integers(0, 3, 60)
    lines = [",".join([*(f"g{place}" for place in range(9)), "stage", "patient", "state"])]
    for row in range(60):
        name = "" if row < 3 else ["I", "II", "III"][stage[row]]
        state = "ill" if 3 * (stage[row] == 1) + X[row, 2] > 1 else "well"
        lines.append(",".join([*map(str, X[row]), name, f"P{row % 10}", state]))
    folder = tmp_path_factory.mktemp("grouped")
    (folder / "study.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "groups.csv").write_text("column,group\ng1,pair\ng2,pair\ng5,other\ng6,other\n")
    return folder


def test_categories_and_groups_go_from_file_to_folder_and_back(study, tmp_path):
    """The stage is named by its own name and written as text; groups stand in the lists."""
    folder, file = tmp_path / "out", study / "study.csv"
    asked = ["-k", "2", "--feature-groups", study / "groups.csv", "--output", folder]
    shown = run("select", file, *FAST, *asked)
    assert shown.exit_code == 0, shown.output
    record = json.loads((folder / "selection.json").read_text(encoding="utf-8"))
    assert "--feature-groups" in record["command"]
    assert "stage" in record["selected"]
    rows = list(csv.DictReader((folder / "features.csv").read_text(encoding="utf-8").splitlines()))
    ranks = {row["name"]: row["rank"] for row in rows}
    assert {row["name"]: row["group"] for row in rows}["g2"] == "pair"
    assert ranks["g1"] == ranks["g2"]
    assert next(row for row in rows if row["name"] == "stage")["effect"] == "differs between its 4 categories"
    assert "III" in (folder / "selected.csv").read_text(encoding="utf-8")
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "(pair)" in page
    assert '["I","II","III","(missing)"]' in page  # what the picture of the stage calls its values
    new = tmp_path / "new.csv"
    new.write_text(file.read_text(encoding="utf-8").replace(",III,", ",V,"), encoding="utf-8")
    applied = run("apply", folder, new, "--output", tmp_path / "predicted.csv")
    assert applied.exit_code == 0, applied.output
    assert "none of the categories that the model knows, such as 'V'" in applied.output


def test_one_of_each_group_is_a_flag(study, tmp_path):
    """It needs no value, and is in the command that repeats the selection."""
    asked = ["-k", "6", "--feature-groups", study / "groups.csv", "--one-per-group", "--categorical", "none"]
    shown = run("select", study / "study.csv", *FAST, *asked, "--output", tmp_path / "out")
    assert shown.exit_code == 0, shown.output
    record = json.loads((tmp_path / "out" / "selection.json").read_text(encoding="utf-8"))
    assert record["command"].endswith("--one-per-group") or "--one-per-group " in record["command"]
    assert len({"g1", "g2"} & set(record["selected"])) <= 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("column,group\ng1,pair\nh2,pair\n", "names 'h2', which is no column"),
        ("column\ng1\n", "must have two columns with a header"),
        ("column,group\ng1,a\ng1,b\n", "puts the column 'g1' into two groups, 'a' and 'b'"),
    ],
)
def test_a_wrong_file_of_groups_is_one_sentence(study, tmp_path, text, said):
    """With what is wrong in it."""
    (tmp_path / "groups.csv").write_text(text)
    asked = ["--feature-groups", tmp_path / "groups.csv", "--output", tmp_path / "out"]
    shown = run("select", study / "study.csv", *FAST, *asked)
    assert shown.exit_code == 2
    assert said in " ".join(shown.output.split())


def test_which_text_is_read_as_categories(study):
    """Few values, unless they are called ids; or what is named, whatever it holds; or none."""
    file = study / "study.csv"
    assert read_table(file, target="state").categories == {"stage": ("I", "II", "III", "")}
    assert "stage" not in read_table(file, target="state", categorical="none").feature_names
    named = read_table(file, target="state", categorical="patient")
    assert named.categories["patient"] == tuple(f"P{place}" for place in range(10))
    with pytest.raises(ValueError, match="names 'stag', which is no column; the nearest name is 'stage'"):
        read_table(file, target="state", categorical="stag")
    with pytest.raises(ValueError, match="'g1' has 59 categories in 60 rows, more than the 20"):
        read_table(file, target="state", categorical=["g1"])


def test_an_evaluation_knows_groups_categories_and_what_is_kept(study, tmp_path, monkeypatch):
    """The stage is chosen by name, a group as a whole, and the title counts what there was to choose."""
    monkeypatch.setattr(judges, "TREES", 10)
    quick = partial(SNeLClassifier, n_restarts=2, steps=4, refine=False)
    monkeypatch.setattr(methods, "SNeLClassifier", quick)
    out = tmp_path / "out"
    asked = ["-k", "3", "--feature-groups", study / "groups.csv", "--keep", "g1,g2", "--methods", "f_score"]
    words = ["--target", "state", "--folds", "2", "--output", out]
    shown = run("evaluate", study / "study.csv", *words, *asked)
    assert shown.exit_code == 0, shown.output
    assert "10 columns in 8 units" in " ".join(shown.output.split())
    assert "1 column was read as categories: 'stage'" in shown.output
    record = json.loads((out / "evaluation.json").read_text(encoding="utf-8"))
    assert record["units"] == 8
    for columns in (*record["selected"]["snel"], *record["selected"]["f_score"]):
        assert {"g1", "g2", "stage"} <= set(columns)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--keep", "g99"], "--keep names 'g99', which is no column"),
        (["--keep", "state"], "--keep names 'state', which is the target"),
        (["--one-per-group"], "--one-per-group needs --feature-groups"),
        (["--feature-groups", "nowhere.csv"], "nowhere.csv"),
    ],
)
def test_an_evaluation_says_what_is_wrong_with_columns(study, more, said):
    """In one sentence, before it computes."""
    shown = run("evaluate", study / "study.csv", "--target", "state", "-k", "3", "--folds", "2", *more)
    assert shown.exit_code == 2
    assert said in " ".join(shown.output.replace("│", " ").split())
