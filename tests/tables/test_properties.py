"""Every reader and writer: what is written is read back, and any bytes are a table or one sentence."""

import gzip
import warnings

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from snelfs.tables import Table, TableError, read_table, write_like
from table_strategies import damaged, labels, tables, texts
from table_strategies import numbers as any_numbers

SUFFIXES = ["csv", "tsv", "txt", "csv.gz", "parquet", "feather", "arrow", "xlsx", "npz", "arff", "h5ad"]
SERIES = "_series_matrix.txt"

in_passing = settings(
    max_examples=20,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
few = settings(in_passing, max_examples=4)  # a workbook takes half a second
thoroughly = settings(in_passing, max_examples=2000, derandomize=False)
excel_numbers = st.floats(-9e307, 9e307)  # where Excel's own end
every_suffix = pytest.mark.parametrize("suffix", SUFFIXES)
every_reader = pytest.mark.parametrize("suffix", [*SUFFIXES, SERIES])


def same_after_a_file(table, folder, suffix):
    """Assert that a table is the same after it was written and read."""
    path = write_like(table, folder / f"table.{suffix}")
    target = "y" if suffix == "npz" else "the target"
    read = read_table(path, target=target, id_column=None if suffix in ("npz", "h5ad") else "the id")
    assert read.feature_names == table.feature_names
    assert read.row_names == table.row_names
    np.testing.assert_allclose(read.X, table.X, rtol=1e-14)
    if table.y.dtype.kind == "f":
        np.testing.assert_allclose(read.y, table.y, rtol=1e-14)
    else:
        assert read.y.tolist() == table.y.tolist()


def is_read_or_refused(path, asked):
    """Assert that a file gives a table, or one sentence; no warning reaches the user."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            answer = read_table(path, **asked)
        except TableError as error:
            answer = str(error)
    assert isinstance(answer, Table) or answer.endswith((".", "?"))


def contents(folder, suffix):
    """Return a strategy of bytes for a reader: a damaged file, text that is nearly a table, or anything."""
    table = Table(
        np.array([[1.5, -2.0], [3.25, 1e-7], [0.0, 7.0]]),
        ("a", "b"),
        ("S1", "S2", "S3"),
        np.array(["u", "v", "u"]),
        "y",
        "csv",
        "id",
        (),
    )
    if suffix == SERIES:
        head = '!Sample_title\t"one"\t"two"\n!Sample_characteristics_ch1\t"y: 1"\t"y: 2"\n'
        body = '"ID_REF"\t"GSM1"\t"GSM2"\n"g1"\t1.5\t2\n"g2"\t3\t4\n'
        whole = f"{head}!series_matrix_table_begin\n{body}!series_matrix_table_end\n".encode()
    else:
        whole = write_like(table, folder / f"whole.{suffix}").read_bytes()
    packed = gzip.compress if suffix.endswith(".gz") else bytes
    plain = gzip.decompress(whole) if suffix.endswith(".gz") else whole
    return st.one_of(
        damaged(whole),
        damaged(plain).map(packed),
        texts.map(lambda text: packed(text.encode())),
        st.binary(max_size=200).map(packed),
    )


def asking():
    """Return a strategy of arguments."""
    return st.fixed_dictionaries(
        {},
        optional={
            "target": st.sampled_from(["y", "b", "column 1", ""]),
            "id_column": st.sampled_from(["id", "a"]),
            "transpose": st.booleans(),
            "impute": st.just("median"),
            "decimal": st.sampled_from([",", "."]),
            "columns": st.just(["b", "a"]),
        },
    )


def check_round_trip(folder, suffix, how):
    numbers = excel_numbers if suffix == "xlsx" else any_numbers
    how(given(table=tables(numbers))(lambda table: same_after_a_file(table, folder, suffix)))()


def check_any_bytes(folder, suffix, how):
    path = folder / (f"a{suffix}" if suffix == SERIES else f"a.{suffix}")

    def read(content, asked):
        path.write_bytes(content)
        is_read_or_refused(path, asked)

    how(given(content=contents(folder, suffix), asked=asking())(read))()


@every_suffix
def test_what_is_written_is_read_back(tmp_path, suffix):
    """Names of any letters, any finite numbers, classes with commas, quotation marks and braces."""
    check_round_trip(tmp_path, suffix, few if suffix == "xlsx" else in_passing)


@every_reader
def test_any_bytes_are_a_table_or_a_sentence(tmp_path, suffix):
    """A damaged file, text that is nearly a table, anything else: never another error."""
    check_any_bytes(tmp_path, suffix, in_passing)


@pytest.mark.slow
@every_suffix
def test_what_is_written_is_read_back_thousands_of_times(tmp_path, suffix):
    check_round_trip(tmp_path, suffix, thoroughly)


@pytest.mark.slow
@every_reader
def test_thousands_of_files_are_a_table_or_a_sentence(tmp_path, suffix):
    check_any_bytes(tmp_path, suffix, thoroughly)


@in_passing
@given(
    samples=st.lists(labels, min_size=2, max_size=4, unique=True),
    values=st.lists(st.floats(-1e6, 1e6), min_size=4, max_size=4),
    groups=st.lists(labels, min_size=4, max_size=4, unique=True),
)
def test_a_series_matrix_is_read_as_it_stands(tmp_path, samples, values, groups):
    """Its samples are rows, and what is said of them may be the target."""

    def line(first, cells):
        return "\t".join([first, *('"' + str(cell).replace('"', '""') + '"' for cell in cells)])

    n = len(samples)
    rows = [f'"g{place}"\t' + "\t".join(repr(value) for value in values[:n]) for place in range(2)]
    text = [
        line("!Sample_characteristics_ch1", [f"group: {group}" for group in groups[:n]]),
        "!series_matrix_table_begin",
        line('"ID_REF"', samples),
        *rows,
        "!series_matrix_table_end",
    ]
    path = tmp_path / f"a{SERIES}"
    path.write_text("\n".join(text) + "\n", encoding="utf-8")
    table = read_table(path, target="group")
    assert (table.row_names, table.feature_names) == (tuple(samples), ("g0", "g1"))
    np.testing.assert_allclose(table.X, np.tile(np.array(values[:n])[:, None], 2), rtol=1e-14)
    assert table.y.tolist() == groups[:n]
