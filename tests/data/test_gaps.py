"""What stands for a missing value: the weighted median of the others."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from snelfs.data.rows import merge_rows
from snelfs.data.standardisation import Standardisation, filled, weighted_medians


@settings(deadline=None)
@given(st.integers(0, 2**31), st.integers(1, 9))
def test_a_weight_is_a_row_given_again(seed, n_rows):
    """The median of weighted rows is NumPy's of the rows repeated, gaps left out."""
    generator = np.random.default_rng(seed)
    X = generator.integers(0, 5, (n_rows, 3)).astype(float)
    X[generator.random(X.shape) < 0.4] = np.nan
    counts = generator.integers(1, 4, n_rows)
    repeated = X.repeat(counts, axis=0)
    expected = [np.nanmedian(column) if np.isfinite(column).any() else 0.0 for column in repeated.T]
    np.testing.assert_allclose(weighted_medians(X, counts.astype(float)), expected)


def test_gaps_are_filled_before_columns_are_measured():
    """A filled table measured is the same as a table with gaps; without gaps nothing is remembered."""
    X = np.random.default_rng(0).standard_normal((30, 4))
    assert Standardisation.of(X, np.ones(30)).fill is None
    X[::5, 1] = np.nan
    found = Standardisation.of(X, np.ones(30))
    whole = filled(X, weighted_medians(X, np.ones(30)))
    expected = Standardisation.of(whole, np.ones(30))
    np.testing.assert_array_equal(found.mean, expected.mean)
    np.testing.assert_array_equal(found.scale, expected.scale)
    np.testing.assert_array_equal(found.apply(X), expected.apply(whole))
    np.testing.assert_array_equal(
        found.of_columns(np.array([1])).apply(X[:, [1]])[:, 0], found.apply(X)[:, 1]
    )


def test_a_column_of_gaps_alone_does_not_vary():
    """It is filled with 0 and takes no part."""
    X = np.c_[np.arange(5.0), np.full(5, np.nan)]
    assert Standardisation.of(X, np.ones(5)).varies.tolist() == [True, False]


def test_equal_rows_are_merged_gaps_included():
    """Two rows with the same gap are one; another value in its place makes them two."""
    X = np.array([[1.0, np.nan], [1.0, np.nan], [1.0, 2.0], [3.0, 4.0]])
    assert sorted(merge_rows(X, np.zeros(4), np.ones(4)).weights) == [1, 1, 2]
