"""Journals and tables."""

import csv

import pytest

from snelfs import records
from snelfs.records import write_results


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

    monkeypatch.setattr(records.tempfile, "NamedTemporaryFile", full_disk)
    with pytest.raises(OSError, match="No space left"):
        write_results(tmp_path, "speed", "Speed", [{"what": "b"}])
    assert table.read_text() == before


def test_the_environment_names_commit_versions_and_machine():
    """A figure can be traced to what made it."""
    found = records.environment()
    assert {"commit", "python", "jax", "numpy", "scikit-learn", "cpu", "cores"} <= found.keys()
    assert all(found.values())
