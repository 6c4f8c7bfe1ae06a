"""Tables on their side, labels in a second file, and what a table gives away of its answer."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from snelfs.foundation.task import guess_task
from snelfs.tables import read_table
from snelfs.tables.checks import perfect_separators, target_copies
from snelfs.tables.sheet import TableError


def file(folder, text, name="table.csv"):
    path = folder / name
    path.write_text(text)
    return path


@pytest.mark.parametrize("name", ["colon", "leukemia"])
def test_real_genes_in_rows_find_their_labels_by_id(microarray, tmp_path, name):
    """A matrix of genes x samples and a shuffled file of labels give the table they were made from."""
    X, y = microarray(name)
    samples = [f"P{place}" for place in range(len(X))]
    genes = [f"{place}_at" for place in range(X.shape[1])]
    pd.DataFrame(X.T, index=pd.Index(genes, name="probe"), columns=samples).to_csv(tmp_path / "genes.csv")
    labels = pd.DataFrame({"patient": samples, "diagnosis": y}).sample(frac=1, random_state=0)
    labels.to_csv(tmp_path / "labels.tsv", sep="\t", index=False)
    table = read_table(tmp_path / "genes.csv", labels=tmp_path / "labels.tsv", transpose=True)
    np.testing.assert_allclose(table.X, X, rtol=1e-6)
    assert table.y.tolist() == y.tolist()
    assert (table.feature_names, table.row_names) == (tuple(genes), tuple(samples))
    assert table.target_name == "diagnosis"


TURNED = "gene,about,S1,S2,S3\nclass,,case,control,case\nTP53,a tumour gene,1.5,2,3\nEGFR,a receptor,4,5,6\n"


def test_a_turned_table_may_hold_its_target_in_a_row(tmp_path):
    """The class of each sample is a row of text; the description of each gene is left out."""
    table = read_table(file(tmp_path, TURNED), target="class", transpose=True)
    assert table.X.tolist() == [[1.5, 4], [2, 5], [3, 6]]
    assert (table.feature_names, table.row_names) == (("TP53", "EGFR"), ("S1", "S2", "S3"))
    assert table.y.tolist() == ["case", "control", "case"]
    assert table.notes == ("1 column was left out for holding text: 'about'.",)
    unasked = read_table(file(tmp_path, TURNED), transpose=True)
    assert unasked.notes[-1] == "1 row was left out for holding text: 'class'."


def test_labels_without_a_match_are_named_in_one_sentence(tmp_path):
    """What only one of the files has is left out, counted, and the first three are named."""
    table = file(tmp_path, "id,a\nS1,1\nS2,2\nS3,3\nS4,4\n")
    labels = file(tmp_path, "group,id\nx,S3\ny,S1\ny,T1\ny,T2\ny,T3\ny,T4\n", "labels.csv")
    read = read_table(table, labels=labels)
    assert (read.X.ravel().tolist(), read.y.tolist(), read.row_names) == ([1, 3], ["y", "x"], ("S1", "S3"))
    assert read.notes[1] == (
        f"Left out were 2 rows of {table} without a label ('S2', 'S4') and 4 labels of {labels} without "
        "a row ('T1', 'T2', 'T3' and 1 more)."
    )


def test_ids_that_are_numbers_match_as_well(tmp_path):
    """An id column of numbers is named; 7 and 7.0 are one id."""
    table = file(tmp_path, "patient,a\n7,1\n8,2\n9,3\n")
    labels = file(tmp_path, "number,group\n9,x\n8,y\n7,y\n,z\n", "labels.csv")
    read = read_table(table, labels=labels, id_column="patient")
    assert (read.y.tolist(), read.feature_names, read.id_name) == (["y", "y", "x"], ("a",), "patient")


@pytest.mark.parametrize(
    ("table", "labels", "asked", "sentence"),
    [
        (
            "g,S1,S2\nu,1,2\nv,3,4\n",
            "id,k\nS1,a\nS2,b\n",
            {},
            "The ids in {labels} are names of columns of {table}, not of rows: pass transpose=True.",
        ),
        (
            "id,a\nS1,1\nS2,2\n",
            "id,k\nT1,a\nT2,b\n",
            {},
            "No id in {labels} ('T1', 'T2') is the name of a row of {table} ('S1', 'S2').",
        ),
        (
            "id,a\nS1,1\nS2,2\n",
            "id,k,l\nS1,a,b\nS2,b,a\n",
            {},
            "{labels} has several columns that may be the labels ('k', 'l'): name one by target.",
        ),
        (
            "id,a\nS1,1\nS2,2\n",
            "id,kind,l\nS1,a,b\nS2,b,a\n",
            {"target": "kin"},
            "{labels} has no column 'kin'; the nearest name is 'kind'.",
        ),
        (
            "id,a\nS1,1\nS2,2\n",
            "id,k\nS1,a\nS1,b\n",
            {},
            "'S1' comes more than once among the ids of {labels}.",
        ),
        (
            "a,b\n1,1\n2,2\n",
            "id,k\nS1,a\nS2,b\n",
            {},
            "The rows of {table} have no names to match labels by: name their column by id_column.",
        ),
    ],
)
def test_labels_that_do_not_fit_are_refused(tmp_path, table, labels, asked, sentence):
    """The sentence says which of the two files is meant, and what would help."""
    first, second = file(tmp_path, table), file(tmp_path, labels, "labels.csv")
    with pytest.raises(TableError) as caught:
        read_table(first, labels=second, **asked)
    assert str(caught.value) == sentence.format(table=first, labels=second)


def test_a_table_that_lies_on_its_side_is_suspected(tmp_path):
    """By the target among the rows, by the shape, and by rows named like genes."""
    path = file(tmp_path, TURNED)
    with pytest.raises(TableError, match=r"^'class' is a row of .*, not a column: pass transpose=True\.$"):
        read_table(path, target="class")
    tall = file(tmp_path, "gene,S1,S2\n" + "".join(f"u{i},{i},1\n" for i in range(300)))
    with pytest.raises(
        TableError, match=r"It has far more rows \(300\) than columns \(2\): if each row is a"
    ):
        read_table(tall, target="class")
    genes = file(tmp_path, "gene,S1,S2\n" + "".join(f"{i}_s_at,{i},1\n" for i in range(5)))
    assert read_table(genes).notes[-1] == (
        "Its rows are named like genes ('0_s_at', '1_s_at', '2_s_at' and 2 more): if each row is a "
        "feature, pass transpose=True."
    )


# What a table gives away


def test_columns_that_know_the_answer_are_reported_and_kept(tmp_path):
    """A copy of the target and a column that separates its classes are named apart."""
    text = "copy,marker,other,class\n5,0.1,3,a\n5,0.2,1,a\n9,0.7,2,b\n9,0.9,4,b\n"
    table = read_table(file(tmp_path, text), target="class")
    assert table.feature_names == ("copy", "marker", "other")
    assert table.notes == (
        "1 column says the same as the target and would be selected for it: 'copy'.",
        "1 column separates the classes perfectly alone: 'marker'; make sure that nothing of this was "
        "measured after the answer was known.",
    )


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix, sparse.csr_array])
def test_separators_are_those_of_a_search_by_hand(form):
    """Every class in an interval of its own, for two and three classes, dense and sparse."""
    rng = np.random.default_rng(0)
    X = rng.integers(-1, 3, (6, 3000)).astype(float)
    for y in (np.array([0, 0, 1, 1, 1, 1]), np.array(["b", "a", "c", "a", "b", "c"])):
        expected = [
            place
            for place, column in enumerate(X.T)
            if sum(
                np.diff(y[np.argsort(column, kind="stable")].view("u4" if y.dtype.kind == "U" else y.dtype))
                != 0
            )
            == len(set(y)) - 1
            and all(len(set(y[column == value])) == 1 for value in set(column))
        ]
        assert len(expected) > 3
        assert perfect_separators(form(X), y).tolist() == expected


def test_copies_of_numbers_are_found_on_any_scale():
    """Turned, stretched and shifted columns are copies; noise and constants are not."""
    rng = np.random.default_rng(0)
    y = rng.standard_normal(40)
    X = np.column_stack(
        [rng.standard_normal(40), 3 - 2 * y, np.full(40, 7.1), y + 0.01 * rng.standard_normal(40)]
    )
    assert target_copies(X, y).tolist() == [1]
    assert target_copies(sparse.csr_array(X.astype(np.float32)), y).tolist() == [1]
    assert target_copies(X, np.ones(40)).tolist() == []


@pytest.mark.parametrize(
    ("y", "task"),
    [
        (["a", "b"], "classification"),
        ([True, False], "classification"),
        ([0.0, 1.0], "classification"),
        ([1, 2, 3, 1, 2, 3], "classification"),
        ([1, 2, 3, 4], "regression"),
        (list(range(21)) * 4, "regression"),
        ([0.5, 1.0], "regression"),
    ],
)
def test_the_task_follows_from_the_target(y, task):
    """Text, truth values and few whole numbers are classes."""
    assert guess_task(y) == task
