"""What is left when known columns are accounted for: found if it is there, and not found if it is not."""

import tracemalloc

import numpy as np
import pytest

from snelfs.search import residual_association
from snelfs.search.residual_association import indispensable, unexplained


@pytest.fixture(name="Z")
def independent_columns():
    """Return 120 rows of 40 independent standardised columns."""
    return np.random.default_rng(5).standard_normal((120, 40))


def test_a_column_seen_only_by_its_square_is_found(Z):
    """It has no correlation with the target, and the linear part drowns its square until it is known."""
    y = 5 * Z[:, 3] + Z[:, 8] ** 2
    assert unexplained(Z, y[:, None], np.ones(120), np.array([3]), most=5).tolist() == [8]


@pytest.mark.parametrize("seed", range(10))
def test_noise_leaves_nothing_to_find(Z, seed):
    """The known column is all there is; chance may show one more in one table of ten."""
    noise = np.random.default_rng(100 + seed).standard_normal(120)
    y = Z[:, 3] + noise
    assert len(unexplained(Z, y[:, None], np.ones(120), np.array([3]), most=5)) <= 1


def test_no_more_than_wanted_are_returned(Z):
    """The strongest of what is left come first."""
    y = 100 * Z[:, 0] + Z[:, [1, 2, 3]] @ [4.0, 2.0, 1.0]
    assert unexplained(Z, y[:, None], np.ones(120), np.array([0]), most=2).tolist() == [1, 2]


def test_a_column_with_a_stand_in_is_dispensable(Z):
    """Of two look-alikes neither is certain; nor is a column that only seemed to matter."""
    Z[:, 4] = Z[:, 3] + 0.01 * Z[:, 4]
    y = Z[:, 3] + Z[:, 7] + Z[:, 7] * Z[:, 9] + 0.1 * Z[:, 30]
    known = np.array([3, 4, 7, 9, 20])
    assert known[indispensable(Z[:, known], y[:, None], np.ones(120), tried=40)].tolist() == [7, 9]


def test_nothing_known_is_nothing_needed(Z):
    """Neither function minds."""
    y, nothing = Z[:, [3]], np.empty(0, dtype=np.int64)
    assert indispensable(Z[:, nothing], y, np.ones(120), tried=40).tolist() == []
    assert unexplained(Z, y, np.ones(120), nothing, most=3).tolist() == [3]


def test_many_rows_take_the_memory_of_their_terms_once(monkeypatch):
    """The table of columns, squares and products is the largest; beside it there is room for parts of it."""
    monkeypatch.setattr(residual_association, "_PRODUCT", 2**21)
    Z = np.random.default_rng(6).standard_normal((30_000, 80), dtype=np.float32)
    known = np.arange(3)
    y = Z[:, known].sum(axis=1) + Z[:, 9] ** 2
    tracemalloc.start()
    try:
        found = unexplained(Z, y[:, None], np.ones(len(Z)), known, most=2)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found.tolist() == [9]
    terms = (2 + len(known)) * Z.nbytes
    assert peak < 2.5 * terms
