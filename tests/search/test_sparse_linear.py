"""The lasso's list: differences of like columns, several targets, weighted rows."""

import numpy as np

from snelfs.search.sparse_linear import lasso_list

Z = np.random.default_rng(0).standard_normal((80, 30))
Z = (Z - Z.mean(axis=0)) / Z.std(axis=0)


def test_columns_that_count_by_their_difference_are_listed():
    """Each alone has a correlation of about a tenth."""
    X = Z.copy()
    X[:, 8] = 0.98 * X[:, 3] + 0.2 * X[:, 8]
    X[:, 8] = (X[:, 8] - X[:, 8].mean()) / X[:, 8].std()
    assert set(lasso_list(X, X[:, [3]] - X[:, [8]], np.ones(80), 20)[:2]) == {3, 8}


def test_targets_take_turns():
    """The best of each target come first."""
    targets = np.c_[Z[:, 4] + 0.5 * Z[:, 9], Z[:, 12] + 0.5 * Z[:, 20]]
    assert lasso_list(Z, targets, np.ones(80), 4).tolist() == [4, 12, 9, 20]


def test_a_row_of_weight_two_is_the_row_twice():
    """The path is of weighted rows; the columns are given on one scale."""
    weights = np.where(np.arange(80) < 20, 2.0, 1.0)
    twice = np.r_[np.arange(80), np.arange(20)]
    y = Z[:, [2]] - Z[:, [5]] + 0.3 * np.random.default_rng(1).standard_normal((80, 1))
    expected = lasso_list(Z[twice], y[twice], np.ones(100), 10)
    assert lasso_list(Z, y, weights, 10).tolist() == expected.tolist()
