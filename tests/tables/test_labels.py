"""Several labels a row in files: columns of zeros and ones, in the table or in a second file."""

import numpy as np
import pytest

from snelfs.tables import read_table
from snelfs.tables.writing import write_like

TEXT = """id,a,relapse,b,tumour,centre
S1,1,0,7,true,x
S2,2,1,6,false,x
S3,4,1,5,TRUE,y
S4,3,0,9,false,y
"""


def written(folder, text, name="genes.csv"):
    path = folder / name
    path.write_text(text)
    return path


def test_several_columns_become_labels(tmp_path):
    """In the order named; they leave the features, and the table knows what they are called."""
    table = read_table(written(tmp_path, TEXT), target="tumour, relapse")
    assert table.feature_names == ("a", "b")
    assert table.y.tolist() == [[1, 0], [0, 1], [1, 1], [0, 0]]
    assert table.y.dtype == np.int64
    assert table.labels == ("tumour", "relapse")
    assert table.target_name == "tumour,relapse"


def test_a_column_that_bears_the_whole_text_is_one_target(tmp_path):
    """A name may hold a comma."""
    table = read_table(written(tmp_path, 'a,b,"a,b"\n1,0,u\n2,1,v\n3,1,u\n'), target="a,b")
    assert table.y.tolist() == ["u", "v", "u"]
    assert table.labels == ()


@pytest.mark.parametrize("suffix", ["csv", "parquet", "xlsx", "h5ad", "npz", "arff"])
def test_selected_columns_are_written_with_all_labels(tmp_path, suffix):
    """And can be read again."""
    table = read_table(written(tmp_path, TEXT), target="tumour,relapse")
    path = write_like(table, tmp_path / f"selected.{suffix}", ["b"])
    again = read_table(path, target="tumour,relapse")
    assert again.feature_names == ("b",)
    assert again.y.tolist() == table.y.tolist()


def test_a_matrix_in_an_npz_file_needs_no_names(tmp_path):
    """Its columns are numbered, and are the target unless another is asked for."""
    path = tmp_path / "genes.npz"
    np.savez(path, X=np.arange(8.0).reshape(4, 2), y=np.array([[0, 1], [1, 1], [1, 0], [0, 0]]))
    table = read_table(path)
    assert table.labels == ("label 1", "label 2")
    assert table.y.sum(axis=0).tolist() == [2, 2]


def test_a_second_file_may_hold_the_labels(tmp_path):
    """Rows are matched by their ids, once for all columns; groups and covariates are of the same file."""
    genes = written(tmp_path, "id,a,b\nS1,1,7\nS2,2,6\nS3,4,5\nS4,4,4\nS5,3,3\n")
    clinic = written(tmp_path, "id,u,v,p,age\nS3,1,0,A,50\nS1,0,1,A,60\nS2,1,1,B,40\nS4,0,0,B,30\n", "c.csv")
    table = read_table(genes, labels=clinic, target="u,v", groups="p", covariates="age")
    assert table.row_names == ("S1", "S2", "S3", "S4")
    assert table.y.tolist() == [[0, 1], [1, 1], [1, 0], [0, 0]]
    assert table.groups.tolist() == ["A", "B", "A", "B"]
    assert table.feature_names == ("a", "b", "age")
    assert sum("without a label" in note for note in table.notes) == 1


def test_rows_of_a_turned_table_may_be_labels(tmp_path):
    """They are then not said to be left out, though they hold text."""
    text = "name,S1,S2,S3,S4\na,1,2,3,4\nb,5,4,2,9\nc,5,3,2,9\nu,true,false,false,true\nv,0,1,1,0\n"
    table = read_table(written(tmp_path, text), target="u,v", transpose=True)
    assert table.y.tolist() == [[1, 0], [0, 1], [0, 1], [1, 0]]
    assert table.feature_names == ("a", "b", "c")
    assert not any("left out" in note for note in table.notes)


def test_columns_that_know_a_label_are_told_by_its_name(tmp_path):
    """A copy, and one that tells it perfectly."""
    text = "a,b,u,v\n5,1,0,0\n5,2,0,1\n3,8,1,0\n3,9,1,1\n"
    notes = read_table(written(tmp_path, text), target="u,v").notes
    assert any("1 column says the same as the label 'u'" in note for note in notes)
    assert any("1 column separates rows with 'u' from those without" in note for note in notes)
    assert not any("'v'" in note for note in notes)


@pytest.mark.parametrize(
    ("target", "more", "said"),
    [
        ("relapse,a", {}, "The target 'a' must hold 0 and 1, or true and false.* row 'S2' has '2'"),
        ("relapse,centre", {}, "The target 'centre' must hold 0 and 1.* row 'S1' has 'x'"),
        ("relapse,tumor", {}, "has no column 'tumor'; the nearest name is 'tumour'"),
        ("relapse,relapse", {}, "target names 'relapse' more than once"),
        ("relaps,tumor", {}, "has no column 'relaps,tumor'"),
        ("relapse,tumour", {"groups": "tumour"}, "'tumour' is the target and cannot be the groups"),
        ("relapse,tumour", {"covariates": "relapse"}, "'relapse' is the target and cannot be one"),
        ("relapse,tumour", {"time": "a", "event": "b"}, "target is either a column, or the two"),
    ],
)
def test_what_is_no_label_is_said_in_a_sentence(tmp_path, target, more, said):
    """With the column, the value and the row, or the name that was meant."""
    with pytest.raises(ValueError, match=said):
        read_table(written(tmp_path, TEXT), target=target, **more)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (("S2,2,1", "S2,2,"), "The target 'relapse' is missing in 1 row of 4, which is 'S2'"),
        (("S3,4,1,5,TRUE", "S3,4,1,5,yes"), "The target 'tumour' must hold .* row 'S3' has 'yes'"),
    ],
)
def test_a_bad_cell_is_said_with_its_row(tmp_path, changed, said):
    """So that it can be mended."""
    with pytest.raises(ValueError, match=said):
        read_table(written(tmp_path, TEXT.replace(*changed)), target="relapse,tumour")


def test_a_constant_label_is_refused_by_name(tmp_path):
    """There is nothing to be told."""
    with pytest.raises(ValueError, match="The target 'v' is '1' in every row: nothing to learn"):
        read_table(written(tmp_path, "a,u,v\n1,0,1\n2,1,1\n3,0,1\n"), target="u,v")
