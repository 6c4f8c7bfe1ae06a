"""The index of success, the speed table and the records."""

import csv

import numpy as np
import pytest

from snelfs import benchmark
from snelfs.benchmark import Shape, index_of_success, measure_speed, write_results


def ranking_with(ranks, n_columns=500):
    """Return a ranking in which the first columns have the given ranks."""
    others = [rank for rank in range(1, n_columns + 1) if rank not in ranks]
    return np.array([*ranks, *others])


@pytest.mark.parametrize(
    ("ranks", "expected"),
    [
        ([1, 2, 3, 4, 5], 1.0),
        ([1, 2, 3, 4, 15], 1 - 5 / 495 * 10 / 495),
        ([1, 2, 3, 4, 16], 0.8 - 5 / 495 * 11 / 495),
        ([496, 497, 498, 499, 500], -5 / 495 * 15 / 495),
    ],
)
def test_index_of_success_by_hand(ranks, expected):
    """Fifteen of 500 with five relevant: 1, 0.9998, 0.7998 and just below 0."""
    assert index_of_success(ranking_with(ranks), range(5), 15) == pytest.approx(expected)


@pytest.mark.filterwarnings("ignore:.*penalty_limit")
def test_the_speed_table_has_a_floor_and_ratios():
    """Every candidate is timed, and the faster of the floors has a ratio of at most 1 to itself."""
    rows = measure_speed(Shape(20, 10, 2, steps=2), restarts=(1, 2), repetitions=2)
    assert [row["what"] for row in rows] == [
        "two products, numpy",
        "two products, jax",
        "training, 1 restart(s)",
        "training, 2 restart(s)",
    ]
    assert rows[2]["of one restart"] == "1.00 (1.00 to 1.00)"
    assert all(float(row["seconds"]) >= 0 for row in rows)


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

    monkeypatch.setattr(benchmark.tempfile, "NamedTemporaryFile", full_disk)
    with pytest.raises(OSError, match="No space left"):
        write_results(tmp_path, "speed", "Speed", [{"what": "b"}])
    assert table.read_text() == before


def test_the_environment_names_commit_versions_and_machine():
    """A figure can be traced to what made it."""
    found = benchmark.environment()
    assert {"commit", "python", "jax", "numpy", "scikit-learn", "cpu", "cores"} <= found.keys()
    assert all(found.values())
