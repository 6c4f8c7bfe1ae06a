"""Tables of studies: groups of rows by a column of the table, of its labels, or of what it says of rows."""

import numpy as np
import pytest

from snelfs.tables import read_table
from snelfs.tables.sheet import TableError


@pytest.fixture
def samples(tmp_path):
    """Write 24 samples of 12 patients with two features and a class of the patient."""
    lines = ["sample,patient,age,a,b,class"]
    for row in range(24):
        person = row // 2
        lines.append(f"S{row},P{person},{40 + person % 5},{row % 7},{row * 0.1:.1f},{'xy'[person % 2]}")
    return write(tmp_path / "samples.csv", lines)


def write(path, lines):
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_a_column_says_which_rows_belong_together(samples):
    """It is no feature, and nothing is pointed out any more."""
    table = read_table(samples, target="class", groups="patient")
    assert table.feature_names == ("age", "a", "b")
    assert table.groups_name == "patient"
    assert table.groups.tolist() == [f"P{row // 2}" for row in range(24)]
    assert not any("looks like ids" in note for note in table.notes)


def test_a_column_of_the_labels_says_it_too(tmp_path, samples):
    """Rows follow the table, whatever the order of the second file."""
    lines = ["id,state,donor", *(f"S{row},{'uv'[row % 2]},{row // 3}" for row in reversed(range(24)))]
    labels = write(tmp_path / "labels.csv", lines)
    table = read_table(samples, labels=labels, target="state", groups="donor")
    assert table.groups.tolist() == [str(row // 3) for row in range(24)]
    assert table.y.tolist() == ["u", "v"] * 12


@pytest.mark.parametrize(
    ("heading", "cell", "said"),
    [
        ("patient", lambda row: f"P{row // 2}", True),  # by its name
        ("Subject", lambda row: row // 3, True),
        ("run", lambda row: f"R{row // 2}", True),  # by what it does: one class within each
        ("run", lambda row: row // 2, True),
        ("run", lambda row: f"R{row % 11}", False),
        ("tissue", lambda row: "uvw"[row % 3], False),
        ("sample_id", lambda row: f"T{row}", False),  # each once
        ("count", lambda row: row % 5, False),
    ],
)
def test_what_looks_like_ids_of_patients_is_pointed_out(tmp_path, heading, cell, said):
    """Text or whole numbers, each several times, that are called so or have one class each."""
    lines = [f"{heading},a,class"]
    lines += [f"{cell(row)},{np.sin(row):.3f},{'xy'[(row // 2) % 2]}" for row in range(24)]
    notes = read_table(write(tmp_path / "t.csv", lines), target="class").notes
    hints = [note for note in notes if "looks like ids" in note]
    assert bool(hints) == said
    if said:
        assert f"pass groups={heading!r}" in hints[0]


@pytest.mark.parametrize(
    ("change", "asked", "said"),
    [
        (str, "patent", r"has no column 'patent'; the nearest name is 'patient'"),
        (str, "class", r"'class' is the target and cannot be the groups as well"),
        (str, "sample", r"'sample' holds the rows' names, each once"),
        (lambda line: line.replace(",P1,", ",,"), "patient", r"missing in 2 rows of 24, the first 'S2'"),
    ],
)
def test_groups_that_cannot_be_are_said(tmp_path, samples, change, asked, said):
    """One sentence names the column and what is wrong."""
    lines = [change(line) for line in samples.read_text(encoding="utf-8").splitlines()]
    path = write(tmp_path / "changed.csv", lines)
    with pytest.raises(TableError, match=said):
        read_table(path, target="class", groups=asked)


def test_one_group_is_none(tmp_path):
    """A column of one value tells no rows apart."""
    lines = ["p,a,class", *(f"one,{row},{'xy'[row % 2]}" for row in range(6))]
    with pytest.raises(TableError, match="groups 'p' are 'one' in every row: at least two are needed"):
        read_table(write(tmp_path / "t.csv", lines), target="class", groups="p")


def test_covariates_are_the_last_columns(tmp_path, samples):
    """Numbers as they are, text as indicators of all categories but the first; of either file."""
    table = read_table(samples, target="class", groups="patient", covariates="age")
    assert table.feature_names == ("a", "b", "age")
    assert table.covariates == ("age",)
    lines = ["id,state,sex", *(f"S{row},{'uv'[row % 2]},{'mfx'[row % 3]}" for row in range(24))]
    labels = write(tmp_path / "labels.csv", lines)
    table = read_table(samples, labels=labels, target="state", covariates=["sex", "age"])
    assert table.covariates == ("sex=m", "sex=x", "age")
    assert table.X[:3, table.feature_names.index("sex=m")].tolist() == [1, 0, 0]
    wanted = ["b", "class=y"]
    assert read_table(samples, target="", columns=wanted).X[:4, 1].tolist() == [0, 0, 1, 1]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("agee", "has no column 'agee'; the nearest name is 'age'"),
        ("class", "'class' is the target and cannot be one of the covariates"),
        ("patient", "'patient' names the groups and cannot be one of the covariates"),
    ],
)
def test_covariates_that_cannot_be_are_said(samples, asked, said):
    """With the nearest name, or what the column is already."""
    with pytest.raises(TableError, match=said):
        read_table(samples, target="class", groups="patient", covariates=asked)


def test_a_covariate_of_one_category_is_none(tmp_path):
    """There is nothing to adjust for."""
    lines = ["p,a,class", *(f"one,{row},{'xy'[row % 2]}" for row in range(6))]
    with pytest.raises(TableError, match="covariate 'p' is 'one' in every row"):
        read_table(write(tmp_path / "t.csv", lines), target="class", covariates="p")


def test_covariates_are_numbers_by_the_rule_of_features(tmp_path):
    """Thousands may be separated; where a comma may mean either, it is asked for."""
    lines = [
        "id,a,class,cells,smoker",
        'S1,1,x,"1,234.5",true',
        'S2,2,y,"2,345",false',
        'S3,4,x,"12,345",true',
    ]
    path = write(tmp_path / "t.csv", lines)
    table = read_table(path, target="class", covariates="cells,smoker")
    assert table.covariates == ("cells", "smoker")
    assert table.X[:, 1:].tolist() == [[1234.5, 1], [2345, 0], [12345, 1]]
    again = read_table(path, target="", columns=["a", "cells", "smoker=True"])
    assert again.X[:, 1:].tolist() == table.X[:, 1:].tolist()
    unclear = write(tmp_path / "u.csv", [line.replace("1,234.5", "1,234") for line in lines])
    with pytest.raises(TableError, match="'cells' holds numbers such as '1,234', of which the comma"):
        read_table(unclear, target="class", covariates="cells")


@pytest.mark.parametrize("what", ["groups", "covariates"])
def test_an_event_is_no_column_of_its_own_study(tmp_path, what):
    """Neither the groups nor a covariate, in the table or beside it."""
    (tmp_path / "t.csv").write_text("sample,a,months,relapse\nS1,1,3,1\nS2,2,4,0\nS3,5,1,1\nS4,2,7,0\n")
    with pytest.raises(TableError, match="'relapse' is the target"):
        read_table(tmp_path / "t.csv", time="months", event="relapse", **{what: "relapse"})


def test_a_whole_number_is_the_same_category_in_every_file(tmp_path):
    """Spreadsheets write 2 as 2.0 where a cell is empty."""
    for name, batch in (("ints", "2"), ("floats", "2.0")):
        lines = ["sample,a,batch,y", f"S1,1,{batch},3", "S2,2,x,4", f"S3,4,{batch},5", "S4,0,x,1"]
        (tmp_path / f"{name}.csv").write_text("\n".join(lines) + "\n")
    found = read_table(tmp_path / "ints.csv", target="y", covariates="batch")
    again = read_table(tmp_path / "floats.csv", columns=found.feature_names)
    np.testing.assert_array_equal(again.X, found.X)


STRATIFIED = """sample,a,site,batch,months,dead
S1,1,x,p,3,1
S2,2,y,q,4,0
S3,5,x,q,1,1
S4,2,y,p,7,0
"""


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"groups": "site"}, "'site' names the strata and cannot be the groups as well"),
        ({"covariates": "site"}, "'site' names the strata and cannot be one of the covariates"),
        ({"categorical": "site"}, "categorical names 'site', which names the strata: leave it out"),
        ({"categorical": "dead"}, "categorical names 'dead', which is the target: leave it out"),
        (
            {"covariates": "batch", "categorical": "batch"},
            "categorical names 'batch', which is a covariate and never selected: leave it out",
        ),
    ],
)
def test_a_column_of_another_use_is_called_by_it(tmp_path, given, said):
    """Strata are no target, and a covariate is there, if not as a feature."""
    (tmp_path / "t.csv").write_text(STRATIFIED)
    with pytest.raises(ValueError, match=said):
        read_table(tmp_path / "t.csv", time="months", event="dead", strata="site", **given)
