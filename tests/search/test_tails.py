"""Columns and targets that a few rows would dominate."""

import numpy as np
import pytest

from snelfs import SNeLClassifier, SNeLRegressor
from snelfs.data.prepared import prepare
from snelfs.data.rows import Rows
from snelfs.data.target import standardise_target
from snelfs.search.rank_statistics import normal_scores
from snelfs.search.tails import without_long_tails


@pytest.fixture
def rows(table):
    """The first column is of long tails, the second of two values, one of them rare."""
    X, y = table[0].copy(), np.exp(3 * table[0][:, 2])
    X[:, 0] = np.exp(3 * X[:, 0])
    X[:, 1] = np.arange(60) == 7
    return Rows(X, y, np.ones(60))


def prepared(rows):
    return prepare(rows, standardise_target(rows.y, rows.weights)[1])


def test_what_has_long_tails_enters_as_normal_scores(rows):
    """Columns as well as targets; the others stay the same bits, and so does what was given."""
    data = prepared(rows)
    before = data.Z.copy()
    cut = without_long_tails(data)
    np.testing.assert_array_equal(cut.Z[:, [0]], normal_scores(rows.X[:, [0]]))
    np.testing.assert_array_equal(cut.Z[:, 2:], before[:, 2:])
    np.testing.assert_array_equal(cut.target.values, normal_scores(rows.y[:, None]))
    np.testing.assert_array_equal(data.Z, before)


def test_a_column_of_two_values_stays_what_it_is(rows):
    """However rare one of them is: on the standard scale there is one such column."""
    data = prepared(rows)
    np.testing.assert_allclose(without_long_tails(data).Z[:, 1], data.Z[:, 1], rtol=1e-5)


def test_short_tails_cost_nothing(table):
    """Not even a copy."""
    X, y = table
    data = prepared(Rows(X, y, np.ones(60)))
    cut = without_long_tails(data)
    assert cut.Z is data.Z
    assert cut.target.values is data.target.values


def test_a_weight_is_worth_as_many_rows(rows):
    """Ranks and tails of a row of weight 2 are those of the row given twice."""
    weights = np.where(np.arange(60) < 5, 2.0, 1.0)
    twice = np.repeat(np.arange(60), weights.astype(int))
    whole = prepared(Rows(rows.X[twice], rows.y[twice], np.ones(65)))
    light = prepared(Rows(rows.X, rows.y, weights))
    np.testing.assert_allclose(without_long_tails(whole).Z, without_long_tails(light).Z[twice], atol=1e-5)


def test_who_forgets_the_logarithm_finds_the_same(table, quick):
    """The columns of a sum, and to the last digit what any longer tails would have become."""
    X, y = table
    wide, wider = (prepared(Rows(np.exp(power * X), y, np.ones(60))) for power in (3, 9))
    np.testing.assert_array_equal(without_long_tails(wide).Z, without_long_tails(wider).Z)
    found = SNeLRegressor(**quick).fit(np.exp(3 * X), y)
    assert set(np.argsort(found.ranking_)[:3]) == {4, 11, 17}


def test_predictions_are_on_the_scale_that_was_given(table, quick):
    """Only the search takes ranks."""
    X, y = table
    selector = SNeLRegressor(**quick).fit(X, np.exp(y))
    assert np.corrcoef(selector.predict(X), np.exp(y))[0, 1] > 0.9


def test_a_single_round_takes_columns_as_they_are(table, quick):
    """As the paper does: with long tails another layer is learnt."""
    X, labels = table[0], table[1] > 0
    plain = SNeLClassifier(refine=False, **quick).fit(X, labels)
    tailed = SNeLClassifier(refine=False, **quick).fit(np.exp(3 * X), labels)
    assert not np.array_equal(plain.layer_weights_, tailed.layer_weights_)
