"""Journals and tables."""

import csv

import pytest

from snelfs.bench.journal import Journal, write_results
from snelfs.foundation import files


def test_results_are_written_with_their_environment(tmp_path):
    """The CSV holds the rows, the Markdown also says what they were measured with."""
    rows = [{"what": "a", "seconds": 1}, {"what": "b", "seconds": 2}]
    table, text = write_results(tmp_path / "new", "speed", "Speed", rows)
    with table.open() as file:
        assert [row["what"] for row in csv.DictReader(file)] == ["a", "b"]
    for word in ("# Speed", "| b | 2 |", "commit: ", "jax: ", "cores: "):
        assert word in text.read_text()


def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    """Nothing is written half: what was there stays."""
    rows = [{"what": "a"}]
    table, _ = write_results(tmp_path, "speed", "Speed", rows)
    before = table.read_text()

    def full_disk(*_, **__):
        raise OSError("No space left on device")

    monkeypatch.setattr(files.tempfile, "NamedTemporaryFile", full_disk)
    with pytest.raises(OSError, match="No space left"):
        write_results(tmp_path, "speed", "Speed", [{"what": "b"}])
    assert table.read_text() == before


def test_a_journal_survives_a_torn_line(tmp_path):
    """A line half written when the process died is left out, and the next record stands on its own line."""
    path = tmp_path / "deep" / "run.jsonl"
    Journal(path, {"columns": 30}).append({"seed": 0})
    with path.open("a") as file:
        file.write('{"seed": 1, "sco')
    journal = Journal(path, {"columns": 30})
    assert journal.records() == [{"seed": 0}]
    journal.append({"seed": 2})
    assert journal.records() == [{"seed": 0}, {"seed": 2}]


def test_a_journal_of_another_experiment_is_refused(tmp_path):
    """Results made with other settings never mix; the message names file and both settings."""
    path = tmp_path / "run.jsonl"
    Journal(path, {"columns": 30}).append({"seed": 0})
    with pytest.raises(ValueError, match=r'run.jsonl was made with .*"columns": 30.*"columns": 15'):
        Journal(path, {"columns": 15})
    assert Journal(path, {"columns": 30}).records() == [{"seed": 0}]


def test_an_empty_journal_leaves_no_file(tmp_path):
    """Asking for records writes nothing."""
    journal = Journal(tmp_path / "run.jsonl", {})
    assert journal.records() == []
    assert not journal.path.exists()


def test_sections_take_the_place_of_the_rows(tmp_path):
    """Many rows go to the CSV alone; the Markdown shows what is meant to be read."""
    table, text = write_results(tmp_path, "x", "X", [{"a": 1}], {"Overview": "short", "Rest": "long"})
    assert table.read_text() == "a\n1\n"
    assert "## Overview\n\nshort\n\n## Rest\n\nlong\n" in text.read_text()
    assert "| a |" not in text.read_text()
