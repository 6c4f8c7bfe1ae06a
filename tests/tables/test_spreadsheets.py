"""No name and no class is a formula to a spreadsheet, and all are read back as they were."""

import csv
import zipfile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from snelfs.cli.app import app
from snelfs.foundation.spreadsheets import guarded, unguarded
from snelfs.tables import Table, read_table, write_like

NAMES = ("=1+1", "=cmd|' /C calc'!A0", "+x", "-y", "@sum", "'=quoted", "''-twice", "#N/A", "plain", "-7")
CLASSES = np.array(["=AML", "-ALL"])


def hostile(table, source="csv"):
    """A table whose names, rows and classes are all formulas."""
    X, y = table
    rows = tuple(f"=S{i}" for i in range(60))
    columns = X[:, [4, 11, 17, 0, 1, 2, 3, 5, 6, 7]]
    return Table(columns, NAMES, rows, CLASSES[(y > 0).astype(int)], "@class", source, "+id", ())


@given(st.text())
def test_every_text_comes_back(text):
    assert unguarded(guarded(text)) == text


@given(st.text(alphabet="'=+-@\t\r1."))
def test_no_guarded_text_is_a_formula(text):
    """It begins with none of the signs, or is a number."""
    safe = guarded(text)
    assert not safe or safe[0] not in "=+-@\t\r" or float(safe) is not None


@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.csv.gz", "a.xlsx"])
def test_a_hostile_table_is_the_same_after_writing_and_reading(table, tmp_path, name):
    """Names, rows, classes and negative numbers."""
    made = hostile(table)
    again = read_table(write_like(made, tmp_path / name), target="@class")
    assert again.feature_names == NAMES
    assert again.row_names == made.row_names
    assert again.y.tolist() == made.y.tolist()
    assert again.id_name == "+id"
    np.testing.assert_allclose(again.X, made.X)


@pytest.mark.parametrize("source", ["csv", "xlsx"])
def test_the_command_writes_no_formula(table, tmp_path, source):
    """Neither in the lists of `select` nor in the predictions of `apply`."""
    path, out = write_like(hostile(table), tmp_path / f"genes.{source}"), tmp_path / "out"
    fast = ["-k", "5", "--n-restarts", "4", "--steps", "10", "--refine", "false"]
    shown = CliRunner().invoke(app, ["select", str(path), "--target", "@class", *fast, "--output", str(out)])
    assert shown.exit_code == 0, shown.output
    predicted = tmp_path / f"predicted.{source}"
    shown = CliRunner().invoke(app, ["apply", str(out), str(path), "--output", str(predicted)])
    assert shown.exit_code == 0, shown.output
    for file in (out / "features.csv", out / f"selected.{source}", predicted):
        if file.suffix == ".xlsx":
            sheet = zipfile.ZipFile(file).read("xl/worksheets/sheet1.xml")
            assert b"<f>" not in sheet
            continue
        with file.open(newline="") as lines:
            for cell in (cell for row in csv.reader(lines) for cell in row):
                assert cell[:1] not in ("=", "+", "-", "@") or float(cell) is not None
    assert set(read_table(predicted, target="predicted").y) <= set(CLASSES)


def test_text_in_excel_stays_text_when_its_cell_is_edited(table, tmp_path):
    """The cell is marked as text, as a leading apostrophe typed there would do."""
    from openpyxl import load_workbook

    sheet = load_workbook(write_like(hostile(table), tmp_path / "a.xlsx")).active
    assert [cell.data_type for cell in sheet[1]] == ["s"] * 12
    assert sheet["B1"].value == "=1+1"
    assert sheet["B1"].quotePrefix
    assert sheet["B2"].data_type == "n"
