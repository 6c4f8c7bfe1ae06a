"""CAT and CAR scores: the same as with the whole correlation matrix."""

import numpy as np
import pytest
from scipy.linalg import fractional_matrix_power

from snelfs.evaluation.rivals.decorrelated import car_scores, cat_scores, shrinkage


@pytest.fixture(scope="module")
def table():
    generator = np.random.default_rng(0)
    X = generator.standard_normal((40, 6))
    X[:, 1] = 0.9 * X[:, 0] + 0.4 * X[:, 1]
    return X, (X[:, 0] - X[:, 1] + 0.3 * generator.standard_normal(40) > 0).astype(int)


def plain_shrinkage(Z):
    """Return the sum of the variances of all correlations over that of their squares, pair by pair."""
    n, m = Z.shape
    variance = squares = 0.0
    for i in range(m):
        for j in range(m):
            if i != j:
                w = Z[:, i] * Z[:, j]
                variance += n / (n - 1) ** 3 * np.square(w - w.mean()).sum()
                squares += (n / (n - 1) * w.mean()) ** 2
    return min(1.0, variance / squares)


def test_the_shrinkage_is_that_of_all_pairs(table):
    Z = (table[0] - table[0].mean(axis=0)) / table[0].std(axis=0)
    assert shrinkage(Z) == pytest.approx(plain_shrinkage(Z))


def test_scores_of_numbers_are_those_of_the_whole_matrix(table):
    X, _ = table
    y = X[:, 2] + X[:, 0]
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    kept = plain_shrinkage(Z)
    R = kept * np.eye(6) + (1 - kept) * Z.T @ Z / len(Z)
    correlation = Z.T @ (y - y.mean()) / y.std() / len(Z)
    expected = np.square(fractional_matrix_power(R, -0.5) @ correlation)
    np.testing.assert_allclose(car_scores(X, y), expected, rtol=1e-8)


def test_what_two_correlated_columns_differ_in_is_seen(table):
    """Alone each shows little; without what they share, both stand out."""
    X, y = table
    assert set(np.argsort(-cat_scores(X, y))[:2]) == {0, 1}


def test_classes_may_be_many_and_columns_more_than_rows():
    generator = np.random.default_rng(1)
    X, y = generator.standard_normal((30, 200)), np.arange(30) % 3
    X[y == 2, 17] += 4
    scores = cat_scores(X, y)
    assert np.isfinite(scores).all()
    assert scores.argmax() == 17
