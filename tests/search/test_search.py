"""The search: ties, the first round's start, and the second round."""

from dataclasses import replace

import numpy as np
import pytest

from snelfs import SNeLClassifier, SNeLRegressor
from snelfs.data.prepared import prepare
from snelfs.data.rows import merge_rows
from snelfs.data.target import standardise_target
from snelfs.engine import saliency, scores
from snelfs.search.association import interaction_strength
from snelfs.search.constants import CANDIDATES, FUNCTIONS, REFINED_RESTARTS
from snelfs.search.options import check_options
from snelfs.search.ranking import ranked_units
from snelfs.search.search import filters_alone, search
from snelfs.search.training_round import _plan
from snelfs.search.turns import in_turns


@pytest.fixture(scope="module")
def refined(table, quick):
    """Return the regressor with everything on."""
    X, y = table
    return SNeLRegressor(**quick, combine="vote", init="moments", refine=True).fit(X, y)


def test_the_second_round_decides(refined, quick):
    """Its restarts vote, more than in the first; here all columns are candidates."""
    assert refined.saliencies_.shape == (REFINED_RESTARTS * quick["n_restarts"], 20)
    assert sorted(refined.ranking_) == list(range(1, 21))
    by_score = np.argsort(-refined.feature_importances_, kind="stable")
    assert (np.diff(refined.selection_frequency_[by_score]) <= 0).all()


def test_columns_that_took_no_part_follow_those_that_did(quick):
    """They have no importance, but a rank behind all candidates."""
    X = np.random.default_rng(2).standard_normal((60, 80))
    selector = SNeLRegressor(**quick | {"n_features_to_select": 3}).fit(X, X[:, 1] + X[:, 2])
    took_part = selector.saliencies_.any(axis=0)
    assert 3 <= took_part.sum() <= CANDIDATES
    assert not selector.feature_importances_[~took_part].any()
    assert selector.ranking_[~took_part].min() > selector.ranking_[took_part].max()


def test_the_relevant_columns_come_out_first(refined):
    """Columns 4, 11 and 17 sum up to the target: three of four restarts pick each."""
    assert set(np.argsort(refined.ranking_)[:3]) == {4, 11, 17}
    assert refined.selection_frequency_[[4, 11, 17]].min() >= 3 / 4


def test_the_stability_of_the_restarts_is_told(refined, table, quick):
    """Between chance and full agreement, with an interval; a single restart has nobody to agree with."""
    assert 0 < refined.stability_.value <= 1
    assert refined.stability_.low <= refined.stability_.value <= refined.stability_.high
    alone = SNeLRegressor(**quick | {"n_restarts": 1}, refine=False).fit(*table)
    assert np.isnan(alone.stability_.value)
    assert set(alone.selection_frequency_) == {0.0, 1.0}


def test_an_informed_start_finds_what_a_constant_one_must_search(quick):
    """The classes of XOR among 20 columns of 60 rows: the start by pairs points at the two."""
    generator = np.random.default_rng(3)
    X = generator.integers(0, 2, (60, 20)).astype(float)
    y = np.where(X[:, 4] != X[:, 11], "differ", "same")
    selector = SNeLClassifier(**quick, init="moments", combine="vote", refine=True).fit(X, y)
    assert set(np.argsort(selector.ranking_)[:2]) == {4, 11}


def test_a_row_of_weight_two_is_the_row_twice(table, quick):
    """With ties, votes and two rounds, too, to the bit."""
    X, y = table
    settings = {**quick, "combine": "vote", "init": "moments", "refine": True}
    weights = np.ones(60)
    weights[:7] = 2
    weighted = SNeLRegressor(**settings).fit(X, y, sample_weight=weights)
    twice = SNeLRegressor(**settings).fit(np.r_[X, X[:7]], np.r_[y, y[:7]])
    assert np.array_equal(weighted.feature_importances_, twice.feature_importances_)


def prepared(X, y):
    """Return rows and numeric target as the search takes them."""
    rows = merge_rows(X, y, np.ones(len(y)))
    return prepare(rows, standardise_target(rows.y, rows.weights)[1])


def options_of(quick, n_features, **settings):
    given = SNeLRegressor(**quick | settings).get_params()
    return check_options(given, n_features, scores.REGRESSION, "mse")


@pytest.fixture(scope="module")
def wide():
    """Return 60 rows of 80 columns, of which two sum up to the target."""
    X = np.random.default_rng(2).standard_normal((60, 80))
    return prepared(X, X[:, 1] + X[:, 2])


def test_the_layer_and_associations_name_the_candidates(wide, quick):
    """Each list names features, best first, and the candidates are what they name in turns."""
    options = options_of(quick, 80)
    found = search(wide, options, seed=0)
    assert len(found.last.units) == CANDIDATES
    assert set(found.last.units) == set(in_turns(found.named, CANDIDATES))
    assert all(len(set(named)) == len(named) <= CANDIDATES for named in found.named)
    assert {1, 2} <= set(found.named.association[:3])


def test_the_vote_of_the_last_round_is_the_score(wide, quick):
    """Nothing else counts, however few the rows."""
    options = options_of(quick, 80)
    found = search(wide, options, seed=0)
    training = found.last.training
    taken_up = np.concatenate([training.layers[0].kernel, training.direct], axis=2)
    used = saliency.used_weight(training.W, taken_up)
    np.testing.assert_allclose(used.sum(axis=1), 1, rtol=1e-5)
    np.testing.assert_allclose(
        found.last.scores, saliency.soft_votes(used, options.dim).mean(axis=0), rtol=1e-5
    )


def test_filters_alone_are_the_associations(wide, quick):
    """The search with all votes left out: nothing is trained, and the layer names nothing."""
    options = options_of(quick, 80)
    named = search(wide, options, seed=0).named.association.tolist()
    assert len(named) >= CANDIDATES // 2
    assert filters_alone(wide, options).tolist()[: len(named)] == named


def test_half_of_the_last_restarts_bend_columns(wide, quick):
    """The others have the column alone: the weights of its other functions stay at zero."""
    W = search(wide, options_of(quick, 80), seed=0).last.training.W
    assert W.shape == (REFINED_RESTARTS * 4, 5, FUNCTIONS, CANDIDATES)
    half = len(W) // 2
    assert not W[:half, :, 1:].any()
    assert W[half:, :, 1:].any(axis=(1, 2, 3)).all()


@pytest.mark.parametrize("task", ["regression", "binary", "multiclass", "multilabel", "survival", "own"])
def test_least_squares_alone_have_a_path_past_the_hidden_units(wide, quick, task):
    """Logits of what can be told apart would grow without end; of a loss of one's own nobody knows."""
    data = replace(wide, target=replace(wide.target, task=task))
    assert _plan(data, [options_of(quick, 80)]).direct == (task == "regression")
    assert not _plan(data, [options_of(quick, 80, refine=False)]).direct, "a single round is the paper's"
    assert not _plan(data, [options_of(quick, 80, hidden_layer_sizes=())]).direct, "it is that path already"


def test_the_path_past_the_hidden_units_is_trained_and_can_be_left_out(wide, quick):
    """It starts at zero, and both rounds have it."""
    found = search(wide, options_of(quick, 80), seed=0)
    assert all(trained.training.direct.any(axis=(1, 2)).all() for trained in (found.first, found.last))
    assert search(wide, options_of(quick, 80), seed=0, without=["direct"]).last.training.direct is None


def test_a_sum_is_found_to_a_smaller_part(quick):
    """A column of a thousandth of the variance of a sum is found past the hidden units, and not without."""
    X = np.random.default_rng(1).standard_normal((100, 120))
    data = prepared(X, X[:, :4] @ np.array([3.0, -2.0, 1.0, 0.05]))
    options = options_of(quick, 120, n_features_to_select=8, steps=9)
    ranks = [
        np.flatnonzero(ranked_units(search(data, options, 0, without=left_out), data) == 3)[0]
        for left_out in ([], ["direct"])
    ]
    assert ranks[0] < 15 < 30 < ranks[1]


def test_restarts_pick_as_many_as_are_selected(table, quick):
    """Of a layer with more neurons than features are wanted, a restart picks its best ones alone."""
    X, y = table
    few = SNeLRegressor(**{**quick, "n_features_to_select": "auto", "n_restarts": 2}).fit(X, y)
    n_selected = few.support_.sum()
    assert n_selected < few.layer_weights_.shape[1]
    assert few.selection_frequency_.sum() == pytest.approx(n_selected)


def test_lists_take_turns():
    """A column named twice counts once, and a list that ends leaves its turn to the others."""
    lists = [np.array([4, 1, 0]), np.array([1]), np.array([], dtype=int)]
    assert in_turns(lists, 9).tolist() == [4, 1, 0]
    assert in_turns(lists, 2).tolist() == [4, 1]


def test_a_search_for_few_has_room(quick):
    """The neurons are not fewer than 15 or 3 % of the columns; a single round has what was asked for."""
    assert options_of(quick, 500, n_features_to_select=2).dim == 15
    assert options_of(quick, 100, n_features_to_select=2).dim == 3
    assert options_of(quick, 500, n_features_to_select=2).n_selected == 2
    assert options_of(quick, 500, n_features_to_select=2, refine=False).dim == 2


def test_a_column_that_rises_and_falls_is_found(quick):
    """A parabola has no trend; the restarts that bend columns see it by themselves."""
    generator = np.random.default_rng(7)
    X = generator.uniform(-1, 1, (120, 20))
    y = 3 * X[:, 4] ** 2 + X[:, 11]
    selector = SNeLRegressor(**quick).fit(X, y)
    assert set(np.argsort(selector.ranking_)[:2]) == {4, 11}


def test_screened_columns_have_a_rank_by_their_ties(table, quick):
    """Only ten columns are ever trained; the others follow in the order of their ties."""
    X, y = table
    selector = SNeLRegressor(**quick | {"n_features_to_select": 2}, screen=10).fit(X, y)
    strength = interaction_strength(X, y)
    first, others = np.split(np.argsort(selector.ranking_), [10])
    assert set(first) == set(strength.order[:10])
    assert (np.diff(strength.score[others]) <= 1e-3).all()  # as far as single precision goes


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ({"combine": "median"}, "combine must be 'auto', 'mean', 'soft' or 'vote', got 'median'"),
        ({"screen": 0}, "screen must be an integer of at least 1, got 0"),
        ({"refine": 1}, "refine must be True or False, got 1"),
        ({"init": "random"}, "init must be 'constant' or 'moments', got 'random'"),
    ],
)
def test_a_bad_setting_is_named(table, quick, setting, said):
    """One sentence, before anything is trained."""
    with pytest.raises(ValueError, match=said):
        SNeLRegressor(**quick | setting).fit(*table)


@pytest.mark.filterwarnings("ignore:In the deciding round")  # so few epochs leave some restarts without one
def test_everything_at_once(table, quick):
    """The number of features by held-out rows, and q-values by shuffles: both are kept and agree."""
    X, y = table
    X = np.c_[X, np.ones(len(X))]
    short = {"n_features_to_select": "auto", "n_restarts": 2, "steps": 6}
    selector = SNeLRegressor(**quick | short, n_shuffles=3).fit(X, y)
    curve = selector.n_features_curve_
    assert curve.n_features.tolist() == [1, 2, 3, 5, 7, 10, 15, 20]
    assert selector.support_.sum() == curve.chosen
    assert selector.q_values_.shape == (21,)
    assert selector.q_values_[20] == 1
    assert selector.q_values_[[4, 11, 17]].max() <= np.median(selector.q_values_)
    assert selector.layer_weights_.shape == (2 * REFINED_RESTARTS, 20, 21)
