"""A table that cannot be used is refused in one sentence that says what is wrong and what is accepted."""

import gzip
import io
import pickle
import re
import zipfile
from pathlib import Path

import anndata
import numpy as np
import pandas as pd
import pytest
from numpy.lib import format as npy
from scipy import sparse

from snelfs.foundation.sentences import said_by
from snelfs.tables import Table, formats, read_table, writing
from snelfs.tables.gaps import with_medians, without_gaps
from snelfs.tables.sheet import TableError
from snelfs.tables.writing import write_like

SUFFIXES = ".csv, .tsv, .tab, .txt, .parquet, .feather, .arrow, .xlsx, .npz, .arff, .h5ad"
KNOWN = f"{SUFFIXES}, and .gz behind those of text"
GARBAGE = bytes(range(256)) * 20


def refusal(path, **asked):
    """Return the one sentence by which a file is refused."""
    with pytest.raises(TableError) as caught:
        read_table(path, **asked)
    assert caught.value.__cause__ is None
    return str(caught.value)


def file(folder, text, name="table.csv"):
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def some_table():
    X = np.random.default_rng(0).standard_normal((30, 20))
    names = tuple(f"g{place}" for place in range(20))
    return Table(X, names, tuple(map(str, range(30))), np.tile(["a", "b"], 15), "class", "csv", "id", ())


# Files


def test_what_is_no_file_of_a_known_kind_is_refused(tmp_path):
    """Missing, a folder, empty, without or with an unknown suffix."""
    path = tmp_path / "a.csv"
    assert refusal(path) == f"{path} does not exist."
    path.mkdir()
    assert refusal(path) == f"{path} is a folder, and a file is needed."
    assert refusal(file(tmp_path, "", "e.tsv")) == f"{tmp_path / 'e.tsv'} is empty."
    assert refusal(file(tmp_path, gzip.compress(b""), "e.csv.gz")) == f"{tmp_path / 'e.csv.gz'} is empty."
    assert (
        refusal(tmp_path / "a.sav")
        == f"{tmp_path / 'a.sav'} has the unknown suffix '.sav'; known are {KNOWN}."
    )
    assert refusal(tmp_path / "a") == f"{tmp_path / 'a'} has no suffix; known are {KNOWN}."
    assert "unknown suffix '.gz'" in refusal(tmp_path / "a.npz.gz")


def test_a_forbidden_file_is_refused(tmp_path, monkeypatch):
    """The sentence gives the system's reason."""
    path = file(tmp_path, "a\n1\n")

    def forbidden(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", forbidden)
    assert refusal(path) == f"{path} cannot be opened: Permission denied."


@pytest.mark.parametrize("suffix", ["parquet", "feather", "arrow", "xlsx", "npz", "h5ad"])
def test_a_damaged_binary_file_is_refused(tmp_path, suffix):
    """Garbage and a file cut short give the same sentence, never that of the library beneath."""
    path = file(tmp_path, GARBAGE, f"a.{suffix}")
    sentence = f"{path} is no readable .{suffix} file: it may be cut short or damaged."
    assert refusal(path) == sentence
    whole = write_like(some_table(), path).read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    assert refusal(path) == sentence


@pytest.mark.parametrize("name", ["a.csv", "a.txt", "a.arff", "a_series_matrix.txt"])
def test_garbage_is_no_text(tmp_path, name):
    """A binary file under a name of text is recognised."""
    path = file(tmp_path, GARBAGE, name)
    assert refusal(path) == f"{path} is no text file, whatever its name says."


def test_a_damaged_gzip_file_is_refused(tmp_path):
    """Cut short, or not compressed at all."""
    path = file(tmp_path, gzip.compress(b"a,b\n" + b"1,2\n" * 1000)[:-12], "a.csv.gz")
    assert refusal(path) == f"{path} is cut short or no gzip file: fetch it again."
    path.write_bytes(b"a,b\n1,2\n")
    assert refusal(path) == f"{path} is cut short or no gzip file: fetch it again."


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("a.csv", "a,b\n", "{} has a heading but no rows."),
        ("a.csv", "\n\n", "{} has nothing but blank lines."),
        ("a.csv", ",", "{} has a heading but no rows."),
        ("a.csv", "a,b\n1,2\n1,2,3\n", "{} cannot be read as rows of 2 cells: line 3 has 3."),
        (
            "a.csv",
            'a,b\n1,2\n3,"4\n',
            "{} cannot be read as rows of 2 cells: a quotation mark is never closed.",
        ),
        (
            "a.csv",
            "a,b,a\n1,2,3\n",
            "'a' is the name of more than one column of {}; each needs its own name.",
        ),
        (
            "a.csv",
            f"a,{'n' * 140_000}\n1,2\n3,4\n",
            "{} has a cell of more than 131,072 letters in its first rows: is it a table, and is each "
            "quotation mark closed?",
        ),
        ("a.csv", "a,b\nx,y\nx,z\n", "No column holds numbers, and 2 columns do not: 'a', 'b'."),
        ("a.arff", "@relation r\n@data\n1\n", "{} is no ARFF file: it has no @attribute."),
        ("a.arff", "@relation r\n@attribute a real\n", "{} is no ARFF file: it has no @data line."),
        ("a.arff", "@attribute a real\n@data\n", "{} has a header but no rows."),
        (
            "a.arff",
            "@attribute a real\n@data\n{7 1}\n",
            "Row 1 of {} has a value at place 7, and the last of its 1 attributes is at 0.",
        ),
        (
            "a.arff",
            "@attribute a real\n@data\n{0 1}\n{0 1_0}\n",
            "Row 2 of {} has no number for the attribute 'a': '1_0'.",
        ),
        (
            "a.arff",
            "@attribute a\n@data\n1\n",
            "{} has an attribute without a name or a type: '@attribute a'.",
        ),
        (
            "a_series_matrix.txt",
            "!Series_title\t1\n",
            "{} is no series matrix: it has no line !series_matrix_table_begin.",
        ),
        (
            "a_series_matrix.txt",
            "!series_matrix_table_begin\n",
            "{} is cut short: it has no line !series_matrix_table_end.",
        ),
        (
            "a_series_matrix.txt",
            '!series_matrix_table_begin\n"ID_REF"\t"GSM1"\n!series_matrix_table_end\n',
            "{} holds no values, only what is said of its samples: the values of this series are in its "
            "supplementary files.",
        ),
    ],
)
def test_text_that_is_no_table_is_refused(tmp_path, name, text, sentence):
    """Each fault of form has its sentence."""
    path = file(tmp_path, text, name)
    assert refusal(path) == sentence.format(path)


@pytest.mark.parametrize(
    "row",
    ["{garbage}", "{garbage, 1 2}", "{0 1 1 2}", "{0 1, 0 2}", "{0 1, 1 2", "{0 1}, {5}", "{0 'x}", "0,1"],
)
def test_a_sparse_row_is_understood_to_its_last_sign(tmp_path, row):
    """What is no place with a value is not a row of zeros."""
    path = file(tmp_path, f"@attribute a real\n@attribute c {{x,y}}\n@data\n{{1 y}}\n{row}\n", "a.arff")
    assert refusal(path) == f"Row 2 of {path} is no sparse row of places, each once, and values: {row!r}."


def test_names_that_come_twice_are_named_in_every_format(tmp_path):
    """Nothing is renamed behind the user's back."""
    rows = pd.DataFrame([["a", "a", "b"], [1, 2, 3]])
    rows.to_excel(tmp_path / "a.xlsx", header=False, index=False)
    np.savez(tmp_path / "a.npz", X=np.eye(2), feature_names=["a", "a"])
    var = pd.DataFrame(index=pd.Index(["a", "a"], dtype=object))
    obs = pd.DataFrame(index=pd.Index(["r", "s"], dtype=object))
    with pytest.warns(UserWarning, match="not unique"):
        anndata.AnnData(np.eye(2), obs, var).write_h5ad(tmp_path / "a.h5ad")
    for path in (tmp_path / "a.xlsx", tmp_path / "a.npz", tmp_path / "a.h5ad"):
        assert refusal(path) == f"'a' is the name of more than one column of {path}; each needs its own name."
    path = file(tmp_path, "g,S1\nu,1\nu,2\n")
    assert (
        refusal(path, transpose=True)
        == f"'u' is the name of more than one row of {path}; each needs its own name."
    )


def test_arrays_that_do_not_fit_are_refused(tmp_path):
    """An npz needs X, and one y a row."""
    path = tmp_path / "a.npz"
    np.savez(path, y=[1, 2])
    assert refusal(path) == f"{path} must hold numbers in an array X of rows and columns."
    np.savez(path, X=np.eye(3), y=[1, 2])
    assert refusal(path) == f"y in {path} has the shape (2,), not (3,)."


def test_an_array_of_objects_is_never_loaded(tmp_path):
    """It may do anything when read; the sentence names the array."""
    path = tmp_path / "a.npz"
    np.savez(path, X=np.eye(2), y=np.array([1, "a"], dtype=object))
    assert refusal(path) == (
        f"y in {path} is an array of Python objects, which may do anything when read and are not: save "
        "numbers or text."
    )


def test_an_array_that_claims_more_than_the_file_holds_is_refused(tmp_path):
    """A header of 8 TB allocates nothing."""
    path = tmp_path / "a.npz"
    header = io.BytesIO()
    npy.write_array_header_1_0(header, {"descr": "<f8", "fortran_order": False, "shape": (10**6, 10**6)})
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("X.npy", header.getvalue())
    assert refusal(path) == (
        f"X in {path} is said to be an array of 1,000,000 x 1,000,000, 8,000,000,000,000 bytes, and the file "
        "holds fewer: it may be cut short or damaged."
    )


def test_what_does_not_fit_into_memory_is_said(tmp_path, monkeypatch):
    """Whatever the format, it is one sentence."""
    path = write_like(some_table(), tmp_path / "a.npz")

    def too_large(_):
        raise MemoryError

    monkeypatch.setattr(formats, "read_npz", too_large)
    assert refusal(path) == f"{path} does not fit into the memory of this machine."


def test_an_unknown_layer_is_refused(tmp_path):
    """The sentence gives those that exist; other formats have no layers."""
    path = write_like(some_table(), tmp_path / "a.xlsx")
    assert refusal(path, layer="Shet1") == f"{path} has no sheet 'Shet1'; the nearest name is 'Sheet1'."
    path = write_like(some_table(), tmp_path / "a.h5ad")
    assert refusal(path, layer="counts") == f"{path} has no layer 'counts'; there is none."
    path = write_like(some_table(), tmp_path / "a.csv")
    assert (
        refusal(path, layer="x") == f"layer='x' is for .h5ad and .xlsx files, and {path} is of neither kind."
    )


# Columns and cells


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"target": "Clas"}, "{} has no column 'Clas'; the nearest name is 'class'."),
        ({"target": "zzz"}, "{} has no column 'zzz'; there are 'a', 'b', 'class' and 2 more."),
        (
            {"target": "gap"},
            "The target 'gap' is missing in 1 row of 3, which is 'S2': give each a value or leave the row "
            "out.",
        ),
        ({"target": "same"}, "The target 'same' is 'x' in every row: nothing to learn."),
        ({"id_column": "idd"}, "{} has no column 'idd' for the ids; the nearest name is 'id'."),
        ({"id_column": "gap"}, "The id column 'gap' of {} is blank in 1 row."),
    ],
)
def test_a_wrong_column_is_refused(tmp_path, asked, sentence):
    """The nearest names are given, or the first ones."""
    path = file(tmp_path, "id,a,b,class,gap,same\nS1,1,2,x,1,x\nS2,3,4,y,,x\nS3,5,6,y,2,x\n")
    assert refusal(path, **asked) == sentence.format(path)


def test_a_table_of_nothing_but_its_target_is_refused(tmp_path):
    """With and without rows' names beside it."""
    sentence = "The table has no column beside its target and the names of its rows."
    assert refusal(file(tmp_path, "y\nu\nv\n"), target="y") == sentence
    assert refusal(file(tmp_path, "id,y\ns,u\nt,v\n"), target="y") == sentence


def test_a_target_beyond_all_numbers_is_refused(tmp_path):
    """10**400 is no infinity, and not the least of the whole numbers either."""
    path = file(tmp_path, f"a,y\n1,1{'0' * 400}\n2,3\n3,4\n")
    assert refusal(path, target="y") == (
        "The target 'y' is 1000000000…000000000 in row '1', and numbers end at 1.8e+308: give it on another "
        "scale, or as text if it is a class."
    )
    path = file(tmp_path, "a,y\n1,inf\n2,3\n3,x4\n")
    assert read_table(path, target="y").y.tolist() == ["inf", "3", "x4"]
    assert (
        refusal(file(tmp_path, "a,y\n1,2\n2,inf\n"), target="y") == "The target 'y' is infinite in row '2'."
    )


def test_missing_labels_of_pandas_text_are_told(tmp_path):
    """Its own missing value is no class."""
    labels = pd.array(["x", "y", None], dtype="string")
    pd.DataFrame({"a": [1, 2, 3], "y": labels}).to_parquet(tmp_path / "a.parquet")
    assert refusal(tmp_path / "a.parquet", target="y") == (
        "The target 'y' is missing in 1 row of 3, which is '3': give each a value or leave the row out."
    )


def test_ambiguous_commas_are_refused(tmp_path):
    """1,234 alone may be one or a thousand."""
    assert refusal(file(tmp_path, 'a,b\n"1,234",1\n')) == (
        "The column 'a' holds numbers such as '1,234', of which the comma may be a decimal sign or separate "
        'thousands: pass decimal="," or decimal=".".'
    )


@pytest.mark.parametrize(
    ("argument", "sentence"),
    [
        ({"impute": "mean"}, "impute must be 'median', got 'mean'."),
        ({"decimal": ";"}, "decimal must be ',' or '.', got ';'."),
        ({"transpose": "yes"}, "transpose must be True or False, got 'yes'."),
    ],
)
def test_a_wrong_argument_is_refused(tmp_path, argument, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        read_table(file(tmp_path, "a\n1\n"), **argument)


def test_missing_values_are_counted_or_filled(tmp_path):
    """The error says how many, where the first is, and what can be done; on demand they are left to a fit."""
    path = file(tmp_path, "id,a,b,c,d\nS1,1,,,1\nS2,,4,,2\nS3,3,6,,3\nS4,8,NA,,4\n")
    assert refusal(path) == (
        "The table has 7 missing values in 3 columns, the first in row 'S1', column 'b': replace them, or "
        'pass impute="median" to fill each column with its median.'
    )
    table = read_table(path, impute="median")
    assert table.feature_names == ("a", "b", "d")
    np.testing.assert_array_equal(table.X, [[1, np.nan, 1], [np.nan, 4, 2], [3, 6, 3], [8, np.nan, 4]])
    assert table.notes[1:] == (
        "3 missing or infinite values were filled with the column's median among the rows that train.",
        "1 column was left out for holding no value: 'c'.",
    )


def test_infinite_values_are_counted_or_filled(tmp_path):
    """They are spoken of as missing ones are."""
    path = file(tmp_path, "id,a,b\nS1,1,2\nS2,inf,4\nS3,3,6\n")
    assert refusal(path) == (
        "The table has 1 infinite value in 1 column, in row 'S2', column 'a': replace it, or pass "
        'impute="median" to fill each column with its median.'
    )
    np.testing.assert_array_equal(read_table(path, impute="median").X, [[1, 2], [np.nan, 4], [3, 6]])
    only = file(tmp_path, "a,b\n,x\n,y\n")
    assert refusal(only, impute="median") == f"{only} has no feature with a value."


def test_gaps_of_a_sparse_matrix_are_those_of_a_dense_one():
    """Zeros that are not stored count for the median; a column of gaps alone is left out."""
    X = np.array([[0, np.nan, 1], [4, np.nan, 0], [np.nan, np.nan, 3], [6.0, np.inf, 2]])
    names, rows = list("abc"), list("wxyz")
    dense = without_gaps(X, names, rows, "median")
    thin = without_gaps(sparse.csr_array(X), names, rows, "median")
    assert thin[0].format == "csr"
    np.testing.assert_array_equal(thin[0].toarray(), with_medians(dense[0]))
    assert thin[0].toarray()[:, 0].tolist() == [0, 4, 4, 6]
    assert np.isnan(dense[0]).sum() == 1
    assert thin[1] == dense[1]
    assert [note.replace(" among the rows that train", "") for note in dense[2]] == thin[2]
    messages = []
    for form in (X, sparse.csr_array(X)):
        with pytest.raises(TableError) as caught:
            without_gaps(form, names, rows, None)
        messages.append(str(caught.value))
    assert messages[0] == messages[1]
    assert messages[0].startswith(
        "The table has 4 missing values in 2 columns, the first in row 'w', column 'b'"
    )


# Writing


def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    """Nothing is written half, and no temporary file stays."""
    path = write_like(some_table(), tmp_path / "a.csv", ["g3"])
    before = path.read_bytes()

    def full_disk(temporary, *_):
        temporary.write_text("g3,cl")
        raise OSError("No space left on device")

    monkeypatch.setattr(writing, "_write_frame", full_disk)
    with pytest.raises(OSError, match="No space left"):
        write_like(some_table(), path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("columns", "sentence"),
    [
        (["g33"], "The table has no column 'g33'; the nearest names are 'g3', 'g13'."),
        ([20], "The table has no column 20; there are 20."),
        ([1, 1], "columns must name at least one feature and none twice, got '1', '1'."),
        ([], "columns must name at least one feature and none twice, got nothing."),
    ],
)
def test_wrong_columns_are_not_written(tmp_path, columns, sentence):
    with pytest.raises(TableError) as caught:
        write_like(some_table(), tmp_path / "a.csv", columns)
    assert str(caught.value) == sentence
    assert not list(tmp_path.iterdir())


def test_a_sheet_of_excel_has_its_width(tmp_path):
    """More columns than it holds are refused before anything is written."""
    X = np.zeros((2, 16_385))
    wide = Table(X, tuple(map(str, range(16_385))), ("1", "2"), None, None, "xlsx", None, ())
    with pytest.raises(
        TableError, match=r"^An Excel sheet holds 16,384 columns, and 16,385 are to be written\.$"
    ):
        write_like(wide, tmp_path / "a")


def test_a_refusal_keeps_the_arguments_it_names_between_processes(tmp_path):
    """It can be pickled, and still tells its advice from what the file holds."""
    path = file(tmp_path, "id,a\ntarget,1\nS2,2\n")
    with pytest.raises(TableError) as caught:
        read_table(path, target="target")
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == f"'target' is a row of {path}, not a column: pass transpose=True."
    assert [argument.name for argument in said_by(again).arguments] == ["transpose"]
