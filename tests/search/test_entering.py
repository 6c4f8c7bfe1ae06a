"""Groups of columns as they enter the layer: uncorrelated directions, bent ones, and none to spare."""

import numpy as np
import pytest

from snelfs.data.feature_groups import units_of
from snelfs.data.prepared import prepare
from snelfs.data.rows import merge_rows
from snelfs.data.target import standardise_target
from snelfs.search.curves import column_functions
from snelfs.search.directions import directions, most_directions
from snelfs.search.entering import entering

N_ROWS = 90


@pytest.fixture(scope="module")
def data():
    """Return two lone columns, a group of three of which one is a copy, and a group of four."""
    generator = np.random.default_rng(0)
    X = generator.standard_normal((N_ROWS, 9)) + generator.standard_normal((N_ROWS, 1))
    X[:, 4] = 2 * X[:, 3] - 1
    rows = merge_rows(X, X[:, 0], generator.integers(1, 4, N_ROWS).astype(float))
    units = units_of(
        np.array([-1, 1, 0, 0, 0, 1, 1, 1, -1]), np.zeros(9, int), np.zeros(9, bool), one_each=False
    )
    return prepare(rows, standardise_target(rows.y, rows.weights)[1], units=units)


@pytest.mark.parametrize("functions", [1, 4])
def test_what_enters_of_a_unit_is_uncorrelated_and_standardised(data, functions):
    """Under the weights of the rows, or zero where a group has fewer directions than another."""
    found = entering(data, functions)
    assert found.X.shape == (N_ROWS, 4 if functions == 1 else 8, 4)
    shares = data.rows.weights / data.rows.weights.sum()
    for product in np.einsum("n,nfu,ngu->ufg", shares, found.X, found.X):
        there = np.diag(product) > 0.5
        np.testing.assert_allclose(product, np.diag(there), atol=1e-4)
    n_directions = found.X[:, :4].any(axis=0).sum(axis=0)
    assert n_directions.tolist() == [1, 4, 2, 1]  # by the first columns of the units; a copy says nothing


def test_a_lone_column_enters_as_it_does_without_groups(data):
    """The column itself, and behind the places of directions the same curves."""
    found = entering(data, 4)
    alone = column_functions(data.Z[:, [0, 8]], data.rows.weights, 4)
    np.testing.assert_allclose(found.X[:, 0][:, [0, 3]], alone[:, 0], atol=1e-6)
    np.testing.assert_allclose(found.X[:, 4:7][..., [0, 3]], alone[:, 1:], atol=1e-5)
    assert found.straight(4) == (2, 4)
    assert found.straight(5) == (3, 4)
    assert entering(data, 1).straight(4) is None


def test_a_group_spans_what_its_columns_span(data):
    """Each column is a sum of the group's directions."""
    found = entering(data, 1).X[:, :, 1]
    columns = data.Z[:, data.members[1]]
    left = columns - found @ np.linalg.lstsq(found, columns, rcond=None)[0]
    assert np.abs(left).max() < 1e-4


def test_a_group_wider_than_the_rows_allow_has_its_leading_directions():
    """A quarter of the rows, and twenty at most."""
    Z = np.random.default_rng(1).standard_normal((24, 10)) * np.linspace(2, 0.5, 10)
    assert directions(Z, np.full(24, 1 / 24)).shape == (24, 6)
    assert most_directions(24) == 6
    assert most_directions(3) == 1
    assert most_directions(10_000) == 20


def test_neither_the_order_of_rows_nor_a_weight_of_two_changes_directions():
    """A row twice is a row of weight two, and signs are settled."""
    generator = np.random.default_rng(2)
    Z = generator.standard_normal((40, 3))
    order = generator.permutation(40)
    shares = np.full(40, 1 / 40)
    np.testing.assert_allclose(directions(Z[order], shares), directions(Z, shares)[order], atol=1e-9)
    twice = np.r_[Z, Z[:10]]
    weights = np.r_[np.full(10, 2.0), np.ones(30)] / 50
    np.testing.assert_allclose(directions(twice, np.full(50, 0.02))[:40], directions(Z, weights), atol=1e-9)
