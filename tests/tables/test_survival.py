"""Censored times in files: two columns, or two of a second file, and a sentence for what is none."""

import numpy as np
import pytest

from snelfs.tables import read_table
from snelfs.tables.writing import write_like

TEXT = "id,a,months,b,dead\nS1,1,5,7,1\nS2,2,3.5,6,0\nS3,4,8,5,1\n"


def written(folder, text, name="genes.csv"):
    path = folder / name
    path.write_text(text)
    return path


def test_two_columns_become_events_and_times(tmp_path):
    """They leave the features, and the names of the fields are those of the file."""
    table = read_table(written(tmp_path, TEXT), time="months", event="dead")
    assert table.feature_names == ("a", "b")
    assert table.y["dead"].tolist() == [True, False, True]
    assert table.y["months"].tolist() == [5, 3.5, 8]
    assert table.target_name == "months"


@pytest.mark.parametrize("suffix", ["csv", "parquet", "xlsx", "h5ad"])
def test_selected_columns_are_written_with_both(tmp_path, suffix):
    """And can be read again."""
    table = read_table(written(tmp_path, TEXT), time="months", event="dead")
    path = write_like(table, tmp_path / f"selected.{suffix}", ["b"])
    again = read_table(path, time="months", event="dead")
    assert again.feature_names == ("b",)
    assert again.y.tolist() == table.y.tolist()


def test_a_second_file_may_hold_both(tmp_path):
    """Rows are matched by their ids, once for both columns."""
    genes = written(tmp_path, "id,a,b\nS1,1,7\nS2,2,6\nS3,4,5\nS4,4,4\n")
    clinic = written(tmp_path, "id,age,months,dead\nS3,70,8,true\nS1,60,5,TRUE\nS2,50,3.5,false\n", "c.csv")
    table = read_table(genes, labels=clinic, time="months", event="dead")
    assert table.row_names == ("S1", "S2", "S3")
    assert table.y["dead"].tolist() == [True, False, True]
    assert table.y["months"].tolist() == [5, 3.5, 8]
    assert sum("without a label" in note for note in table.notes) == 1


@pytest.mark.parametrize(
    ("changed", "given", "said"),
    [
        (("", ""), {"time": "months"}, "event must name a column, too"),
        (("", ""), {"event": "dead"}, "time must name a column, too"),
        (("", ""), {"time": "months", "event": "months"}, "must be two columns, got 'months' for both"),
        (
            ("", ""),
            {"time": "months", "event": "dead", "target": "a"},
            "target is either a column, or the two",
        ),
        (("", ""), {"time": "weeks", "event": "dead"}, "has no column 'weeks'"),
        (("S1,1,5,7,1", "S1,1,5,7,yes"), {}, "event must be True where the event was observed .* got 'yes'"),
        (("S1,1,5,7,1", "S1,1,5,7,2"), {}, "event must be 0 or 1, True or False, got 2"),
        (("S1,1,5,7,1", "S1,1,-5,7,1"), {}, "time must be at least 0, got -5"),
        (("S1,1,5,7,1", "S1,1,,7,1"), {}, "The column 'months' is missing in 1 row of 3, which is 'S1'"),
        (("S1,1,5,7,1", "S1,1,2020-05-01,7,1"), {}, "time must be"),
    ],
)
def test_what_cannot_be_read_is_said_in_a_sentence(tmp_path, changed, given, said):
    """Names, missing cells, words, signs and dates."""
    path = written(tmp_path, TEXT.replace(*changed) if changed[0] else TEXT)
    with pytest.raises(ValueError, match=said):
        read_table(path, **(given or {"time": "months", "event": "dead"}))


def test_other_targets_are_read_as_before(tmp_path):
    """A time or an event can be a target or a feature like any other."""
    table = read_table(written(tmp_path, TEXT), target="months")
    assert table.feature_names == ("a", "b", "dead")
    assert np.issubdtype(table.y.dtype, np.floating)


WITH_CENTRES = "id,a,months,centre,b,dead\nS1,1,5,x,7,1\nS2,2,3.5,y,6,0\nS3,4,8,x,5,1\n"


def test_a_column_of_strata_is_one_more_field(tmp_path):
    """It leaves the features, is text whatever it looks like, and is written with the selected columns."""
    given = {"time": "months", "event": "dead", "strata": "centre"}
    table = read_table(written(tmp_path, WITH_CENTRES), **given)
    assert table.feature_names == ("a", "b")
    assert table.y.dtype.names == ("dead", "months", "centre")
    assert table.y["centre"].tolist() == ["x", "y", "x"]
    again = read_table(write_like(table, tmp_path / "selected.csv", ["b"]), **given)
    assert again.y.tolist() == table.y.tolist()
    numbered = WITH_CENTRES.replace("x,", "1,").replace("y,", "2,")
    assert read_table(written(tmp_path, numbered), **given).y["centre"].tolist() == ["1", "2", "1"]


def test_strata_may_be_in_a_second_file(tmp_path):
    """Beside times and events, or left in the first."""
    genes = written(tmp_path, "id,a,centre,b\nS1,1,x,7\nS2,2,y,6\nS3,4,x,5\n")
    clinic = written(tmp_path, "id,ward,months,dead\nS3,p,8,1\nS1,q,5,1\nS2,q,3.5,0\n", "c.csv")
    for column, names in (("centre", ["x", "y", "x"]), ("ward", ["q", "q", "p"])):
        table = read_table(genes, labels=clinic, time="months", event="dead", strata=column)
        assert table.y[column].tolist() == names


@pytest.mark.parametrize(
    ("text", "given", "said"),
    [
        (WITH_CENTRES, {"target": "b", "strata": "centre"}, "strata are of censored times"),
        (WITH_CENTRES, {"time": "months", "event": "dead", "strata": "dead"}, "'dead' is the target"),
        (WITH_CENTRES, {"time": "months", "event": "dead", "strata": "center"}, "has no column 'center'"),
        (
            WITH_CENTRES.replace("3.5,y", "3.5,"),
            {"time": "months", "event": "dead", "strata": "centre"},
            "The column 'centre' is missing in 1 row of 3, which is 'S2'",
        ),
    ],
)
def test_strata_that_cannot_be_read_are_said_in_a_sentence(tmp_path, text, given, said):
    """Without times, of the target itself, of a wrong name, or with a gap."""
    with pytest.raises(ValueError, match=said):
        read_table(written(tmp_path, text), **given)
