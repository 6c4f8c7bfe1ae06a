"""Ranks of columns, in which equal values share the middle of their places."""

import numpy as np
import pytest
from scipy.stats import rankdata

from snelfs.search import rank_statistics
from snelfs.search.rank_statistics import middle_ranks, normal_scores


@pytest.fixture(params=[0, 1000], ids=["others alone", "whole columns"])
def ways(request, monkeypatch):
    """Sort the few others alone, as of many rows, or whole columns."""
    monkeypatch.setattr(rank_statistics, "MANY", request.param)


def columns():
    """Return columns without ties, mostly one value at either end and in the middle, and of one value."""
    generator = np.random.default_rng(4)
    values = generator.standard_normal((200, 6))
    rare = generator.random((200, 6)) < 0.1
    values[:, 1] = np.where(rare[:, 1], np.abs(values[:, 1]), 0)
    values[:, 2] = np.where(rare[:, 2], -np.abs(values[:, 2]), 0)
    values[:, 3] = np.where(rare[:, 3], values[:, 3].round(), 0)
    values[:, 4] = 7
    values[:, 5] = values[:, 5].round()
    return values


@pytest.mark.usefixtures("ways")
def test_ranks_are_those_of_the_average_of_ties():
    """An outside ranking says the same, of columns that are mostly one value, too."""
    X = columns()
    expected = (rankdata(X, axis=0) - 0.5) / len(X)
    np.testing.assert_allclose(middle_ranks(X, np.full(200, 1 / 200)), expected, atol=1e-12)


@pytest.mark.usefixtures("ways")
@pytest.mark.parametrize("column", range(6))
def test_a_row_of_weight_two_is_ranked_as_the_row_twice(column):
    """Whether or not the column is sorted as a whole."""
    x = columns()[:, [column]]
    weights = np.ones(200)
    weights[::3] = 2
    twice = np.repeat(x, weights.astype(int), axis=0)
    ranks = middle_ranks(x, weights / weights.sum())
    expected = middle_ranks(twice, np.full(len(twice), 1 / len(twice)))
    np.testing.assert_allclose(np.repeat(ranks, weights.astype(int), axis=0), expected, atol=1e-12)


def test_a_column_of_one_value_has_no_scores():
    """All ranks are one half, and nothing is told apart."""
    assert not normal_scores(columns()[:, [4]]).any()
