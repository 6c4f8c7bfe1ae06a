"""Columns as functions of themselves: uncorrelated, standardised, and none where there is none."""

import numpy as np
import pytest

from snelfs.search.curves import column_functions

N_ROWS = 80
WEIGHTS = np.random.default_rng(4).integers(1, 4, N_ROWS).astype(float)


def standardised(X):
    mean = np.average(X, axis=0, weights=WEIGHTS)
    return (X - mean) / np.sqrt(np.average((X - mean) ** 2, axis=0, weights=WEIGHTS))


@pytest.fixture(scope="module")
def columns():
    """Return a normal, a lognormal, a 0/1 column and one of three values."""
    generator = np.random.default_rng(0)
    normal = generator.standard_normal((N_ROWS, 2))
    return standardised(
        np.c_[
            normal[:, 0],
            np.exp(normal[:, 1]),
            generator.integers(0, 2, N_ROWS),
            generator.integers(0, 3, N_ROWS),
        ]
    )


def test_functions_are_uncorrelated_and_standardised(columns):
    """Under the weights of the rows; the first is the column itself."""
    found = column_functions(columns, WEIGHTS, 4)
    assert found.shape == (N_ROWS, 4, 4)
    np.testing.assert_array_equal(found[:, 0], columns.astype(np.float32))
    products = np.einsum("n,nfc,ngc->cfg", WEIGHTS / WEIGHTS.sum(), found, found)
    for product in products:
        there = np.diag(product) > 0.5
        np.testing.assert_allclose(product, np.diag(there), atol=1e-5)
    np.testing.assert_allclose(np.average(found, axis=0, weights=WEIGHTS), 0, atol=1e-5)


def test_few_values_have_few_functions(columns):
    """Two values allow a line, three a parabola; the rest are zeros, not noise."""
    found = column_functions(columns, WEIGHTS, 4)
    assert found.any(axis=0).sum(axis=0).tolist() == [4, 4, 1, 2]


def test_a_row_of_weight_two_is_the_row_twice(columns):
    """So are the functions of it."""
    twice = np.repeat(columns, WEIGHTS.astype(int), axis=0)
    expected = np.repeat(column_functions(columns, WEIGHTS, 3), WEIGHTS.astype(int), axis=0)
    np.testing.assert_allclose(column_functions(twice, np.ones(len(twice)), 3), expected, atol=1e-5)


def test_one_function_is_the_column(columns):
    """Nothing is added, nothing changed."""
    np.testing.assert_array_equal(column_functions(columns, WEIGHTS, 1)[:, 0], columns.astype(np.float32))
