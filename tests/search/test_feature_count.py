"""How many columns are enough: the rule, the folds and the curve."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.neural_network import MLPClassifier, MLPRegressor

from snelfs import SNeLRegressor
from snelfs.data.prepared import prepare
from snelfs.data.rows import merge_rows
from snelfs.data.splits import draw_folds
from snelfs.data.target import encode_classes, standardise_target
from snelfs.engine import scores
from snelfs.search import feature_count
from snelfs.search.feature_count import one_standard_error, score_curve, sizes
from snelfs.search.options import LARGEST, check_options
from snelfs.search.ranking import ranked_units
from snelfs.search.search import search

DIM = 7


@pytest.fixture(scope="module")
def options(quick):
    """Return quick options of a fit that tries at most 7 of 20 columns."""
    asked = SNeLRegressor(**quick | {"n_features_to_select": DIM}).get_params()
    return check_options(asked, 20, scores.REGRESSION, "mse")


def prepared(X, y, weights=None):
    rows = merge_rows(X, y, np.ones(len(X)) if weights is None else weights)
    return prepare(rows, standardise_target(rows.y, rows.weights)[1])


@pytest.fixture(scope="module")
def curve(table, options):
    """Return the curve of a table whose columns 4, 11 and 17 sum up to the target."""
    return score_curve(prepared(*table), options, MLPRegressor, seed=0)


# -- the rule ---------------------------------------------------------------------------------------


def test_the_smallest_within_one_standard_error_is_chosen():
    """Means 0, 4, 6 and 5, and an error of 2 at the best: 4 is just enough, 3.5 is not."""
    curve = one_standard_error([1, 2, 3, 5], [[0, 3, 8, 5], [0, 5, 4, 5]])
    assert curve.mean.tolist() == [0, 4, 6, 5]
    np.testing.assert_allclose(curve.error, [0, 1, 2, 0])
    assert curve.chosen == 2
    assert one_standard_error([1, 2, 3, 5], [[0, 2, 8, 5], [0, 5, 4, 5]]).chosen == 3


def test_a_certain_best_is_chosen_itself():
    """Without any spread at the best no lower mean will do."""
    assert one_standard_error([1, 2, 3], [[0, 4, 1], [3, 4, 7]]).chosen == 2
    assert one_standard_error([1, 2, 3], [[0, 4, 5], [3, 5, 5]]).chosen == 3


def test_of_equal_bests_the_smallest_sets_the_bar():
    """Two and three have the same mean; it is the error of two that lets one in or not."""
    assert one_standard_error([1, 2, 3], [[3, 4, 0], [3, 4, 8]]).chosen == 2
    assert one_standard_error([1, 2, 3], [[3, 0, 4], [3, 8, 4]]).chosen == 1


def test_a_flat_curve_needs_one_column():
    """More columns that add nothing are not taken."""
    curve = one_standard_error([1, 2, 3], np.full((5, 3), 0.25))
    assert curve.chosen == 1
    assert not curve.error.any()


def test_sizes_end_with_the_largest():
    """Every number once, rising, whether the largest is on the grid or not."""
    assert sizes(1).tolist() == [1]
    assert sizes(4).tolist() == [1, 2, 3, 4]
    assert sizes(7).tolist() == [1, 2, 3, 5, 7]
    assert sizes(LARGEST).tolist() == [1, 2, 3, 5, 7, 10, 15, 20, 30, 50]
    assert sizes(60).tolist() == [*sizes(LARGEST), 60]


# -- folds ------------------------------------------------------------------------------------------


def test_folds_keep_the_groups_in_proportion():
    """Every row is held out once, and folds differ by a row at most, in all and in every group."""
    strata = np.repeat([0, 1, 2], [23, 11, 6])
    fold_of = draw_folds(strata, 5, seed=0)
    assert set(fold_of) == set(range(5))
    assert np.ptp(np.bincount(fold_of)) <= 1
    assert all(np.ptp(np.bincount(fold_of[strata == group], minlength=5)) <= 1 for group in range(3))
    assert not np.array_equal(fold_of, draw_folds(strata, 5, seed=1))


def test_a_rare_class_lowers_the_number_of_folds():
    """Three rows make three folds; a single row is never held out and does not count."""
    assert set(draw_folds(np.repeat([0, 1], [9, 3]), 5, seed=0)) == {0, 1, 2}
    fold_of = draw_folds(np.repeat([0, 1, 2], [9, 1, 8]), 5, seed=0)
    assert set(fold_of) == {-1, 0, 1, 2, 3, 4}
    assert np.flatnonzero(fold_of == -1).tolist() == [9]


@pytest.mark.parametrize("strata", [[0, 1, 2, 3], [0, 0], [0, 0, 0], [0, 0, 1, 1]])
def test_too_few_rows_are_said_so(strata):
    """Not by an error about columns that a training on one or two rows would raise."""
    with pytest.raises(ValueError, match=f"of {len(strata)} distinct row"):
        draw_folds(np.array(strata), 5, seed=0)


def test_a_subset_is_standardised_on_its_own_rows():
    """Nothing of the rows left out remains, and a column that they alone made vary is dropped."""
    X = np.random.default_rng(0).standard_normal((12, 4))
    X[:, 2] = 0
    data = prepared(X, X[:, 0], np.arange(1.0, 13.0))
    data.rows.X[0, 2] = 1
    data = prepare(data.rows, data.target)
    chosen = np.arange(12) > 2
    part = data.rows_where(chosen)
    assert data.kept.tolist() == [0, 1, 2, 3]
    assert part.kept.tolist() == [0, 1, 3]
    np.testing.assert_allclose(np.average(part.Z, axis=0, weights=part.rows.weights), 0, atol=1e-6)
    assert np.array_equal(part.rows.weights, data.rows.weights[chosen])
    assert np.array_equal(part.target.values, data.target.values[chosen])
    assert len(part.target.strata) == len(part.target.factors) == 9


# -- the curve --------------------------------------------------------------------------------------


def test_columns_are_ranked_as_the_estimator_ranks_them(table, quick):
    """There is one rule for both."""
    selector = SNeLRegressor(**quick).fit(*table)
    asked = check_options(selector.get_params(), 20, scores.REGRESSION, "mse")
    seed = int(np.random.RandomState(0).randint(2**31))
    data = prepared(*table)
    ranked = ranked_units(search(data, asked, seed), data, asked)
    assert ranked.tolist() == np.argsort(selector.ranking_).tolist()


def test_the_number_of_relevant_columns_is_found(curve):
    """Three columns sum up to the target: two are not enough, and no column hurts much once they are in."""
    assert curve.n_features.tolist() == [1, 2, 3, 5, 7]
    assert 3 <= curve.chosen <= 7
    assert curve.mean.max() > 0.8
    assert curve.mean[2:].min() > curve.mean[0] + 0.3
    assert (curve.error >= 0).all()


def test_noise_does_not_look_useful(table, options):
    """The best of 20 columns for a random target do not predict held-out rows."""
    noise = np.random.default_rng(1).standard_normal(60)
    once = replace(options, refine=False)
    assert score_curve(prepared(table[0], noise), once, MLPRegressor, seed=0).mean.max() <= 0.3


def test_a_class_of_one_row_is_only_trained_on(table, options):
    """It takes nothing from the others, which are still told apart."""
    X, y = table[0][:59], table[1][:59]  # one row and two folds of 29, so one shape to compile
    classes = np.where(y > 0, "high", "low")
    classes[0] = "alone"
    rows = merge_rows(X, classes, np.ones(59))
    data = prepare(rows, encode_classes(rows.y, rows.weights, None)[1])
    once = replace(options, scoring="loss", refine=False)
    curve = score_curve(data, once, MLPClassifier, seed=0, folds=2)
    assert 1 <= curve.chosen <= DIM
    assert 0.7 < curve.mean.max() <= 1


def test_a_rare_class_counts_as_much_as_a_common_one():
    """To predict the common class everywhere is right for 95 of 100 rows, and worth no more than a guess."""

    class Guess:
        def predict(self, X):
            return np.zeros(len(X), dtype=int)

    X = np.random.default_rng(0).standard_normal((100, 3))
    rows = merge_rows(X, (np.arange(100) < 5).astype(int), np.ones(100))
    data = prepare(rows, encode_classes(rows.y, rows.weights, None)[1])
    everything = np.ones(100, dtype=bool)
    assert feature_count._held_out_score(Guess(), data, everything, np.ones(3, dtype=bool)) == 0.5
