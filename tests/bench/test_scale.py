"""How time and memory of a fit grow."""

import sys

import numpy as np
import pytest

from snelfs.bench import scale
from snelfs.evaluation.trials import Trial


@pytest.mark.skipif(sys.platform != "linux", reason="the peak of memory is read from Linux's /proc")
def test_a_fit_is_measured():
    """Seconds and a growth of memory come back."""
    seconds, peak = scale._fit(scale.Size(60, 40, 3, 2), seed=0)
    assert seconds > 0
    assert 0 <= peak < 1000


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the peak of memory is read from Linux's /proc")
def test_every_size_has_a_process_of_its_own(monkeypatch):
    """What one fit leaves in memory does not help the next."""
    monkeypatch.setitem(scale.AXES, "dim", [scale.Size(60, 40, 3, 2)])
    values = scale.measure_fit(Trial("dim", "0", 0))
    assert values["seconds"] > 0


def record(place, seconds, peak):
    about = {"data": "columns", "method": str(place), "seed": 0, "fold": 0, "status": "done"}
    return about | {"seconds": seconds, "peak_mib": peak}


def test_exponents_are_those_of_powers():
    """Time that doubles with the columns has exponent 1, memory that stays has 0."""
    records = [record(place, 3 * 2.0**place, 100) for place in range(4)]
    assert scale.exponents(records) == [
        {"axis": "columns", "exponent of time": "1.00", "exponent of memory": "0.00"}
    ]


def test_rows_name_sizes_and_bytes():
    """The table says what was fitted and what its arrays take."""
    (row,) = scale.growth_rows([record(3, 40.0, 700)])
    assert row["size"] == "200 × 100,000, 30 columns selected, 8 restarts"
    assert row["X, MiB"] == "76.3"
    assert row["W of a restart, MiB"] == "11.4"
    assert (row["seconds"], row["peak, MiB"]) == ("40.0", "700")


def test_sparse_counts_have_their_density():
    """About a twentieth of the table is not zero, and ten columns tell the classes apart."""
    X, y = scale._table(scale.Size(300, 400, sparse=True), seed=0)
    assert X.nnz / (300 * 400) == pytest.approx(0.05, rel=0.05)
    filled = X.astype(bool)
    difference = np.abs(filled[y == 1].mean(axis=0) - filled[y == 0].mean(axis=0))
    assert (difference > 0.3).sum() == 10
