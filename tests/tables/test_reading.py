"""Tables that users bring: every format gives the same table, and what was made of it is said."""

import gzip

import anndata
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from snelfs.tables import Table, read_table
from snelfs.tables.writing import write_like

X = np.array([[1.5, 7.0, -2.0], [2.25, 9.0, 0.0], [3.0, 8.0, 1e-3], [0.1, 7.5, 4.0]])
Y = np.array(["case", "control", "control", "case"])
NAMES = ("TP53", "odd name", "it's")
ROWS = ("S1", "S2", "S3", "S4")
FORMATS = ["csv", "tsv", "txt", "csv.gz", "parquet", "feather", "arrow", "xlsx", "npz", "arff", "h5ad"]

every_format = pytest.mark.parametrize("suffix", FORMATS)


def whole_table(y=Y, source="csv"):
    return Table(X, NAMES, ROWS, y, "group", source, "sample", ())


def file(folder, text, name="table.csv"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


# One table in every format


@every_format
def test_what_is_written_is_read_back(tmp_path, suffix):
    """Rows' names, features, values and target survive in every format."""
    path = write_like(whole_table(), tmp_path / f"table.{suffix}")
    table = read_table(path, target="y" if suffix == "npz" else "group")
    np.testing.assert_allclose(table.X, X, rtol=1e-12)
    assert table.X.dtype == np.float64
    assert (table.feature_names, table.row_names) == (NAMES, ROWS)
    assert table.y.tolist() == Y.tolist()
    assert [found.name for found in tmp_path.iterdir()] == [path.name]


@every_format
def test_selected_columns_come_in_the_order_asked_for(tmp_path, suffix):
    """Places and names mean the same; a number as the target stays one."""
    y = np.array([0.5, 1.5, 2.5, 4.0])
    path = write_like(whole_table(y), tmp_path / f"table.{suffix}", ["it's", "TP53"])
    table = read_table(path, target="y" if suffix == "npz" else "group")
    assert table.feature_names == ("it's", "TP53")
    np.testing.assert_allclose(table.X, X[:, [2, 0]], rtol=1e-12)
    np.testing.assert_allclose(table.y, y)
    again = write_like(whole_table(y), tmp_path / f"again.{suffix}", [2, 0])
    np.testing.assert_array_equal(read_table(again, target=table.target_name).X, table.X)


@pytest.mark.parametrize(
    ("source", "suffix"), [("csv", ".csv"), ("geo", ".tsv"), ("h5ad", ".h5ad"), ("xlsx", ".xlsx")]
)
def test_a_path_without_suffix_gets_that_of_the_source(tmp_path, source, suffix):
    """The output is in the format of the input; a series matrix becomes tab-separated text."""
    path = write_like(whole_table(source=source), tmp_path / "new" / "selected", ["TP53"])
    assert path == tmp_path / "new" / f"selected{suffix}"
    assert read_table(path, target="group").feature_names == ("TP53",)


def test_single_precision_stays_single(tmp_path):
    """What is stored as float32 or a small integer is not doubled; other integers are."""
    frame = pd.DataFrame(
        {"a": np.array([1, 2], np.float32), "b": np.array([3, 4], np.int16), "c": [True, False]}
    )
    frame.to_parquet(tmp_path / "a.parquet")
    assert read_table(tmp_path / "a.parquet").X.dtype == np.float32
    frame["d"] = [2**40, 1]
    frame.to_parquet(tmp_path / "b.parquet")
    table = read_table(tmp_path / "b.parquet")
    assert table.X.dtype == np.float64
    assert table.X.tolist() == [[1, 3, 1, 2**40], [2, 4, 0, 1]]


@settings(max_examples=30)
@given(st.data())
def test_any_finite_numbers_survive_a_csv(tmp_path_factory, data):
    """Names with commas, quotation marks and line breaks do, too."""
    n_rows, n_columns = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 4))
    texts = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=5)
    names = data.draw(
        st.lists(texts | st.just('a,"b\n'), min_size=n_columns, max_size=n_columns, unique=True)
    )
    numbers = st.floats(allow_nan=False, allow_infinity=False)
    values = data.draw(
        st.lists(st.lists(numbers, min_size=n_columns, max_size=n_columns), min_size=n_rows, max_size=n_rows)
    )
    table = Table(np.array(values), tuple(names), tuple("1234"[:n_rows]), None, None, "csv", None, ())
    read = read_table(write_like(table, tmp_path_factory.mktemp("csv") / "t.csv"))
    assert list(read.feature_names) == [name.strip() for name in names]
    np.testing.assert_allclose(read.X, values, rtol=1e-14)


# The formats' own ways


def test_npz_of_the_microarray_folder_is_read_as_it_is(tmp_path):
    """y is the target unasked, and columns without names are numbered."""
    np.savez(tmp_path / "a.npz", X=X.astype(np.float32), y=Y)
    table = read_table(tmp_path / "a.npz")
    assert table.feature_names == ("1", "2", "3")
    assert (table.target_name, table.y.tolist(), table.X.dtype) == ("y", Y.tolist(), np.float32)


def test_h5ad_keeps_its_matrix_sparse(tmp_path):
    """A layer and a column of obs are found by name; the matrix stays a CSR of its own precision."""
    counts = sparse.random(6, 5, 0.5, format="csr", dtype=np.float32, random_state=0)
    obs = pd.DataFrame({"cell": list("aabbaa"), "age": range(6)}, index=[f"c{i}" for i in range(6)])
    obs.index = obs.index.astype(object)
    obs["cell"] = pd.Categorical(obs["cell"], categories=pd.Index(["a", "b"], dtype=object))
    var = pd.DataFrame(index=pd.Index(list("vwxyz"), dtype=object))
    anndata.AnnData(counts, obs, var, layers={"double": counts * 2}).write_h5ad(tmp_path / "a.h5ad")
    table = read_table(tmp_path / "a.h5ad", target="cell", layer="double")
    assert (table.X.format, table.X.dtype) == ("csr", np.float32)
    np.testing.assert_array_equal(table.X.toarray(), 2 * counts.toarray())
    assert table.y.tolist() == list("aabbaa")
    assert read_table(tmp_path / "a.h5ad", target="age").y.tolist() == list(range(6))
    again = read_table(write_like(table, tmp_path / "b", ["z", "v"]), target="cell")
    np.testing.assert_array_equal(again.X.toarray(), table.X[:, [4, 0]].toarray())
    turned = read_table(tmp_path / "a.h5ad", transpose=True)
    assert turned.X.shape == (5, 6)
    assert turned.row_names == tuple("vwxyz")


SERIES = """!Series_title\t"Two groups"
!Sample_title\t"one"\t"two"\t"three"
!Sample_geo_accession\t"GSM1"\t"GSM2"\t"GSM3"
!Sample_characteristics_ch1\t"tissue: colon"\t"tissue: colon"\t"age: 61"
!Sample_characteristics_ch1\t"age: 40"\t"age: 52"\t"tissue: liver"
!series_matrix_table_begin
"ID_REF"\t"GSM1"\t"GSM2"\t"GSM3"
"1007_s_at"\t1.5\t2.5\t3.5
"1053_at"\t7\t9\t8
!series_matrix_table_end
"""


@pytest.mark.parametrize("suffix", [".txt", ".txt.gz"])
def test_a_series_matrix_has_its_samples_in_rows(tmp_path, suffix):
    """Any key of the characteristics or field of the samples is the target, wherever its row has it."""
    path = tmp_path / f"GSE1_series_matrix{suffix}"
    path.write_bytes(gzip.compress(SERIES.encode()) if suffix.endswith("gz") else SERIES.encode())
    table = read_table(path, target="tissue")
    assert table.X.tolist() == [[1.5, 7], [2.5, 9], [3.5, 8]]
    assert (table.feature_names, table.row_names) == (("1007_s_at", "1053_at"), ("GSM1", "GSM2", "GSM3"))
    assert table.y.tolist() == ["colon", "colon", "liver"]
    assert read_table(path, target="age").y.tolist() == [40, 52, 61]
    assert read_table(path, target="!Sample_title").y.tolist() == ["one", "two", "three"]
    assert read_table(write_like(table, tmp_path / "out"), target="tissue").row_names == table.row_names


def test_sparse_arff_fills_in_what_rows_leave_out(tmp_path):
    """It is 0, or the first value of a nominal attribute; comments and quoted names are understood."""
    text = (
        "% made by hand\n@RELATION r\n@ATTRIBUTE 'first gene' NUMERIC\n@attribute b real\n"
        "@attribute class {'healthy one', ill}\n@attribute when date\n@DATA\n"
        "{0 1.5, 2 ill, 3 '2020-01-01'}\n{1 -2}\n% nothing\n{0 3,1 4, 2 'healthy one'}\n"
    )
    table = read_table(file(tmp_path, text, "a.arff"), target="class")
    assert table.feature_names[:2] == ("first gene", "b")
    assert table.X[:, :2].tolist() == [[1.5, 0], [0, -2], [3, 4]]
    assert table.y.tolist() == ["ill", "healthy one", "healthy one"]


def test_dense_arff_reads_nominal_and_missing_values(tmp_path):
    """Nominal truth values become 0 and 1, other nominal columns are left out, and ? is missing."""
    text = (
        "@relation r\n@attribute a numeric\n@attribute smokes {False,True}\n@attribute sex {m,f}\n"
        "@attribute class {x,'y z'}\n@data\n1,True,m,x\n?,False,f,'y z'\n3,True,f,x\n"
    )
    table = read_table(file(tmp_path, text, "a.arff"), target="class", impute="median")
    np.testing.assert_array_equal(table.X, [[1, 1], [np.nan, 0], [3, 1]])
    assert table.y.tolist() == ["x", "y z", "x"]
    assert "1 column was left out for holding text: 'sex'." in table.notes


def test_an_excel_sheet_is_found_by_its_name(tmp_path):
    """The first sheet is read, and a note says that there are more; dates are left out."""
    with pd.ExcelWriter(tmp_path / "a.xlsx") as book:
        dates = pd.to_datetime(["2020-01-01", "2020-01-02", "2020-01-03"])
        pd.DataFrame({"day": dates, "a": [1, 2, 3], "b": [1.5, None, 2.5]}).to_excel(
            book, sheet_name="One", index=False
        )
        pd.DataFrame({"c": [True, False]}).to_excel(book, sheet_name="Two")
    table = read_table(tmp_path / "a.xlsx", impute="median")
    np.testing.assert_array_equal(table.X, [[1, 1.5], [2, np.nan], [3, 2.5]])
    assert table.notes == (
        "The first of 2 sheets was read, 'One'; layer= names another ('Two').",
        "1 column was left out for holding dates: 'day'.",
        "1 missing or infinite value was filled with the column's median among the rows that train.",
    )
    second = read_table(tmp_path / "a.xlsx", layer="Two")
    assert (second.X.tolist(), second.row_names) == ([[1], [0]], ("0", "1"))


# Delimited text


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("id,a,b\nS1,1,2\nS2,3,4\n", "t.csv"),
        ("id;a;b\nS1;1;2\nS2;3;4\n", "t.csv"),
        ("id\ta\tb\nS1\t1\t2\nS2\t3\t4\n", "t.csv"),
        ("id|a|b\nS1|1|2\nS2|3|4\n", "t.txt"),
        ('"a" "b"\n"S1" 1 2\n"S2" 3 4\n', "t.txt"),
        ("\ta\tb\nS1\t1\t2\nS2\t3\t4\n", "t.tsv"),
        ("\n\nid, a, b,\nS1, 1, 2,\nS2, 3, 4,\n\n", "t.csv"),
        ("\ufeffid,a,b\r\nS1,1,2\r\nS2,3,4\r\n", "t.csv"),
    ],
)
def test_every_common_separator_and_heading_is_understood(tmp_path, text, name):
    """Semicolons in a .csv, R's short heading, a blank corner, a trailing separator, a byte-order mark."""
    table = read_table(file(tmp_path, text, name))
    assert (table.X.tolist(), table.feature_names) == ([[1, 2], [3, 4]], ("a", "b"))
    assert table.row_names == ("S1", "S2")


@pytest.mark.parametrize(
    ("text", "decimal", "values"),
    [
        ("a;b\n1,234;0,5\n2,345;1,5\n", None, [[1.234, 0.5], [2.345, 1.5]]),
        ('a,b\n"1,234","1,234.5"\n"2,345",7\n', None, [[1234, 1234.5], [2345, 7]]),
        ("a;b\n1.234,5;x\n2.000;y\n", None, [[1234.5], [2000]]),
        ('a,b\n"1,234",1\n"2,345",2\n', ",", [[1.234, 1], [2.345, 2]]),
        ('a,b\n"1,234",1\n"2,345",2\n', ".", [[1234, 1], [2345, 2]]),
    ],
)
def test_commas_in_numbers_mean_what_the_file_gives_away(tmp_path, text, decimal, values):
    """One cell that can mean only one thing decides for all; `decimal` decides where there is none."""
    assert read_table(file(tmp_path, text), decimal=decimal).X.tolist() == values


def test_numbers_are_what_a_spreadsheet_takes_for_numbers(tmp_path):
    """Ids with an underscore and digits of other scripts are text, whatever Python's float says."""
    text = "id,a,b,class\n10_1,1,１２,1_1\n10_2,2,13,1_2\n10_3,3e0,14,1_1\n"
    table = read_table(file(tmp_path, text), target="class")
    assert table.row_names == ("10_1", "10_2", "10_3")
    assert (table.feature_names, table.X.ravel().tolist()) == (("a",), [1, 2, 3])
    assert table.y.tolist() == ["1_1", "1_2", "1_1"]


def test_a_first_column_of_measurements_names_no_rows(tmp_path):
    """Without a name of its own it is one of the features; whole numbers name the rows, with a note."""
    path = file(tmp_path, ",b\n0.5,1\n0.7,2\n0.9,3\n")
    table = read_table(path)
    assert (table.feature_names, table.X[:, 0].tolist()) == (("column 1", "b"), [0.5, 0.7, 0.9])
    assert table.notes == (f"The first column of {path} has no name; it is 'column 1', not the rows' names.",)
    table = read_table(file(tmp_path, ",b\n5,1\n9,2\n7,3\n"))
    assert (table.feature_names, table.row_names) == (("b",), ("5", "9", "7"))
    assert table.notes == (
        f"The first column of {path} has no name: its whole numbers were read as the rows' names.",
    )
    for names in (("0", "1", "2"), ("S1", "S2", "3.5")):
        text = "".join(f"{name},{place % 2}\n" for place, name in enumerate(names))
        table = read_table(file(tmp_path, f",b\n{text}"))
        assert (table.row_names, table.notes) == (names, ())


def test_many_whole_numbers_as_the_target_are_told(tmp_path):
    """Fifty classes look like a regression: the note says so, and what to pass."""
    path = file(tmp_path, "a,site\n" + "".join(f"{place * 7 % 5},{place % 50}\n" for place in range(100)))
    notes = read_table(path, target="site").notes
    assert notes == (
        "The target 'site' has 50 different whole numbers in 100 rows and is taken for a number; if they are "
        'classes, pass task="classification".',
    )
    assert [argument.name for argument in notes[0].arguments] == ["task"]


def test_columns_that_are_no_numbers_are_named(tmp_path):
    """Ids, dates, text and numbers mixed with text are left out, each with its reason."""
    text = (
        "n,ok,code,when,city,crp\n1,True,u7,2020-01-31,Rome,1.5\n2,False,u8,2020-02-01,Rome,<0.1\n"
        "3,true,u9,2020-02-02,Oslo,3.5\n"
    )
    table = read_table(file(tmp_path, text))
    assert table.feature_names == ("n", "ok")
    assert table.X.tolist() == [[1, 1], [2, 0], [3, 1]]
    assert table.notes == (
        "1 column was left out for holding ids, no value twice: 'code'.",
        "1 column was left out for holding dates: 'when'.",
        "1 column was left out for holding text: 'city'.",
        "1 column was left out for holding numbers mixed with text such as '<0.1': 'crp'.",
    )


def test_latin_1_is_read_with_a_note(tmp_path):
    """Old files of Windows are not in UTF-8."""
    (tmp_path / "a.csv").write_bytes("größe,b\n1,2\n3,4\n".encode("latin-1"))
    table = read_table(tmp_path / "a.csv")
    assert table.feature_names == ("größe", "b")
    assert "read as Latin-1" in table.notes[0]
    (tmp_path / "b.csv").write_text("größe,b\n1,2\n3,4\n", encoding="utf-16")
    assert read_table(tmp_path / "b.csv").feature_names == ("größe", "b")


def test_oddities_of_a_file_are_noted(tmp_path):
    """Blank rows are left out, and a heading of numbers is suspected to be a row."""
    assert read_table(file(tmp_path, "a,b\n1,2\n,\n3,4\n")).notes == (
        f"1 blank row of {tmp_path / 'table.csv'} left out.",
    )
    table = read_table(file(tmp_path, "1.5,2\n1,2\n3,4\n"))
    assert table.notes[0].endswith("table.csv was read as the heading, but holds numbers: does it lack one?")


def test_a_target_of_truth_values_and_a_pandas_index_survive(tmp_path):
    """The index that pandas stores with a frame names the rows; True and False stay what they are."""
    frame = pd.DataFrame(
        {"a": [1, None, 3], "ill": [True, False, True]}, index=pd.Index(list("xyz"), name="who")
    )
    frame.astype({"a": "Int64"}).to_parquet(tmp_path / "a.parquet")
    table = read_table(tmp_path / "a.parquet", target="ill", impute="median")
    np.testing.assert_array_equal(table.X.ravel(), [1, np.nan, 3])
    assert table.y.tolist() == [True, False, True]
    assert (table.row_names, table.id_name) == (("x", "y", "z"), "who")
