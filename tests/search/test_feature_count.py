"""How many columns are enough: the rule, the folds and the curve."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.neural_network import MLPClassifier, MLPRegressor

from snelfs import Curve, SNeLRegressor
from snelfs.data.beside import NOTHING
from snelfs.data.feature_groups import FeatureUnits
from snelfs.data.loss import Loss, NullModel, OwnLoss
from snelfs.data.prepared import Prepared, prepare
from snelfs.data.rows import Rows, merge_rows
from snelfs.data.splits import draw_folds
from snelfs.data.target import Target, encode_classes, standardise_target
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


def test_a_curve_is_known_by_the_root():
    """Files of models name its class, and outlive a move of the module."""
    assert type(one_standard_error([1, 2], np.eye(2))) is Curve
    assert Curve.__module__ == "snelfs"


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


# -- which numbers are tried, and how many folds count ----------------------------------------------


@pytest.fixture
def asked_for(monkeypatch):
    """Return the calls for scores of a fold, each of which is answered by 1, 2, ... for fold 0, 1, ..."""
    calls = []

    def scores(_data, held_out, n_features, *_others):
        calls.append((held_out, n_features))
        return [float(len(calls))] * len(n_features)

    monkeypatch.setattr(feature_count, "_fold_scores", scores)
    return calls


def test_every_row_is_held_out_by_one_fold(table, options, asked_for):
    """There are five folds unless another number is asked for."""
    data = prepared(*table)
    score_curve(data, options, MLPRegressor, seed=3)
    masks = np.array([held_out for held_out, _ in asked_for])
    assert masks.sum(axis=1).tolist() == [12] * 5
    assert (masks.sum(axis=0) == 1).all()
    assert np.array_equal(masks.argmax(axis=0), draw_folds(data.target.strata, 5, 3))
    asked_for.clear()
    score_curve(data, options, MLPRegressor, seed=3, folds=4)
    assert [held_out.sum() for held_out, _ in asked_for] == [15] * 4


@pytest.mark.usefixtures("asked_for")
def test_no_fewer_columns_are_tried_than_are_kept(table, options):
    """Two are kept, so that one is not tried; groups that both belong to count once."""
    data = prepared(*table)
    keep = NOTHING._replace(keep=np.array([0, 1]))
    kept = prepare(data.rows, data.target, keep)
    assert score_curve(kept, options, MLPRegressor, seed=0).n_features.tolist() == [2, 3, 5, 7]
    pairs = FeatureUnits(np.arange(20) // 2, np.zeros(20, int), np.zeros(20, bool))
    grouped = prepare(data.rows, data.target, keep, pairs)
    assert score_curve(grouped, options, MLPRegressor, seed=0).n_features.tolist() == [1, 2, 3, 5, 7]


@pytest.mark.usefixtures("asked_for")
def test_no_more_columns_are_tried_than_can_be_selected(table, options):
    """Four vary, be one of them kept or not; of columns that compete one each can be selected."""
    X = np.where(np.arange(20) < 4, table[0], 0)
    data = prepared(X, table[1])
    keep = NOTHING._replace(keep=np.array([0]))
    kept = prepare(data.rows, data.target, keep)
    assert score_curve(kept, options, MLPRegressor, seed=0).n_features.tolist() == [1, 2, 3, 4]
    rivals = FeatureUnits(np.arange(20), np.zeros(20, int), np.zeros(20, bool), np.arange(20) // 2)
    rivalling = prepare(data.rows, data.target, units=rivals)
    assert score_curve(rivalling, options, MLPRegressor, seed=0).n_features.tolist() == [1, 2]
    groups = prepare(data.rows, data.target, units=rivals._replace(rivals=None))
    assert score_curve(groups, options, MLPRegressor, seed=0).n_features.tolist() == [1, 2, 3, 4]


@pytest.mark.parametrize(("end", "n_done"), [(1.0, 0), (1.5, 1), (2.5, 2), (5.0, 4), (9.0, 5)])
def test_folds_that_were_done_have_to_do(table, options, asked_for, end, n_done):
    """If two at least were; the one that was cut short does not count."""
    curve = score_curve(
        prepared(*table), options, MLPRegressor, seed=0, on_progress=lambda done, _: done >= end
    )
    assert len(asked_for) == min(n_done + 1, 5)
    if n_done < 2:
        assert curve is None
    else:
        assert curve.mean.tolist() == [(n_done + 1) / 2] * 5


@pytest.mark.parametrize("together", [False, True])
def test_a_fold_ranks_and_trains_on_the_other_rows(table, options, monkeypatch, together):
    """The best units of its ranking, columns or pairs of them, are supported for every number tried."""
    pairs = FeatureUnits(np.arange(20) // 2, np.zeros(20, int), np.zeros(20, bool)) if together else None
    data = prepared(*table)
    data = prepare(data.rows, data.target, units=pairs)
    held_out, trained = np.arange(60) % 5 == 0, []

    def refit(_network, training, support, *_others):
        trained.append(np.flatnonzero(support).tolist())
        return training

    def score(training, whole, chosen, support):
        assert whole is data
        np.testing.assert_array_equal(training.rows.X, data.rows.X[~chosen])
        return chosen.sum() + support.sum() / 100

    monkeypatch.setattr(feature_count, "search", lambda *_: None)
    monkeypatch.setattr(feature_count, "ranked_units", lambda *_: np.array([7, 3, 5, 0]))
    monkeypatch.setattr(feature_count, "refit", refit)
    monkeypatch.setattr(feature_count, "_held_out_score", score)
    scores = feature_count._fold_scores(data, held_out, np.array([1, 3]), options, MLPRegressor, 0, None)
    assert trained == ([[14, 15], [6, 7, 10, 11, 14, 15]] if together else [[7], [3, 5, 7]])
    assert scores == [12 + len(support) / 100 for support in trained]


# -- the score of held-out rows ---------------------------------------------------------------------


class Guess:
    """Predict what it was told to, one answer for each row it is asked about."""

    def __init__(self, answers):
        self.answers = np.asarray(answers)

    def predict(self, X):
        assert X.shape == (len(self.answers), 1), "the held-out rows of the supported column"
        return self.answers


def held_out_score(task, values, answers, weights=(1, 1, 1, 1), factors=(1, 1, 1, 1), **more):
    """Return the score of answers for four held-out rows of six, of which the others are far off."""
    values = np.asarray(values)
    values = np.concatenate([values[:1] + 90, values, values[:1] + 90])
    weights, factors = (np.array([70.0, *given, 70.0]) for given in (weights, factors))
    X = np.arange(12.0).reshape(6, 2)
    target = Target(task, 1, values, np.zeros(6, int), factors, **more)
    data = Prepared(Rows(X, values, weights), target, np.arange(2), X)
    held_out, support = np.array([False, True, True, True, True, False]), np.array([False, True])
    return feature_count._held_out_score(Guess(answers), data, held_out, support)


def test_numbers_score_one_less_their_mean_squared_error():
    """The variance of all rows is 1; rows count by weight, and targets alike."""
    one = [[0.0], [1.0], [2.0], [-1.0]]
    assert held_out_score("regression", one, [0.0, 1.0, 2.0, -1.0]) == 1
    assert held_out_score("regression", one, [0.0, 0.0, 2.0, -3.0], (1, 2, 3, 4)) == pytest.approx(1 - 1.8)
    two = np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 0.0], [0.0, 4.0]])
    errors = np.array([[0, 1], [1, 1], [0, 0], [2, 0]])
    score = held_out_score("regression", two, two + errors, (4, 3, 2, 1))
    assert score == pytest.approx(1 - (4 * 0.5 + 3 * 1 + 1 * 2) / 10)


def test_classes_score_the_mean_share_of_each_that_is_right():
    """By weight within a class, and whatever the classes weigh."""
    score = held_out_score("multiclass", [0, 1, 1, 2], [0, 1, 0, 0], (1, 1, 3, 1))
    assert score == pytest.approx((1 + 1 / 4 + 0) / 3)


def test_labels_score_both_answers_of_each_alike():
    """The first label is right in 1/4 and 3/4 of the weight of its zeros and ones, the second in all."""
    truth = np.array([[0.0, 1], [0, 1], [1, 0], [1, 0]])
    answers = np.array([[0, 1], [1, 1], [1, 0], [0, 0]])
    assert held_out_score("multilabel", truth, answers, (1, 3, 3, 1)) == pytest.approx(
        (1 / 4 + 3 / 4 + 2) / 4
    )


def test_censored_times_score_their_concordance():
    """By weight and within strata; a half where no two rows can be compared."""
    # Three rows of events at 1, 2 and 3, and one censored at 4; the answers have the last two the wrong way.
    truth, answers = np.array([[1.0, 1], [2, 1], [3, 1], [4, 0]]), [4.0, 3.0, 1.0, 2.0]
    assert held_out_score("survival", truth, answers) == pytest.approx(5 / 6)
    assert held_out_score("survival", truth, answers, (1, 1, 2, 3)) == pytest.approx(11 / 17)
    strata = np.column_stack([truth, [0, 0, 1, 1]])
    assert held_out_score("survival", strata, answers) == pytest.approx(1 / 2)
    assert held_out_score("survival", strata, [4.0, 3.0, 2.0, 1.0]) == 1
    assert held_out_score("survival", truth * [1, 0], answers) == 0.5


def test_a_loss_of_ones_own_scores_what_it_saves_of_the_null_model():
    """By weights and factors: squares of 1 and 3 at shares of 1/2 and 1/4 save 5.25 of 8."""
    loss = Loss(lambda outputs, y, _: (outputs - y) ** 2)
    null = NullModel(np.zeros(1), np.ones(1), 1.0, 8.0)
    truth, answers = np.zeros(4, np.float32), [[1.0], [3.0], [0.0], [0.0]]
    score = held_out_score("regression", truth, answers, (1, 1, 1, 1), (4, 2, 1, 1), own=OwnLoss(loss, null))
    assert score == pytest.approx((8 - 1 / 2 - 9 / 4) / 8)


def test_a_rare_class_counts_as_much_as_a_common_one():
    """To predict the common class everywhere is right for 95 of 100 rows, and worth no more than a guess."""
    X = np.random.default_rng(0).standard_normal((100, 3))
    rows = merge_rows(X, (np.arange(100) < 5).astype(int), np.ones(100))
    data = prepare(rows, encode_classes(rows.y, rows.weights, None)[1])
    everything = np.ones(100, dtype=bool)
    assert feature_count._held_out_score(Guess(np.zeros(100)), data, everything, np.arange(3) == 1) == 0.5


# -- the curve --------------------------------------------------------------------------------------


def test_columns_are_ranked_as_the_estimator_ranks_them(table, quick):
    """There is one rule for both."""
    selector = SNeLRegressor(**quick).fit(*table)
    asked = check_options(selector.get_params(), 20, scores.REGRESSION, "mse")
    seed = int(np.random.RandomState(0).randint(2**31))
    data = prepared(*table)
    ranked = ranked_units(search(data, asked, seed), data)
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
