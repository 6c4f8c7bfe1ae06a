"""The search: ties, the first round's start, and the second round."""

from dataclasses import replace

import numpy as np
import pytest

from snelfs import SNeLClassifier, SNeLRegressor
from snelfs.data.prepared import prepare
from snelfs.data.rows import merge_rows
from snelfs.data.target import standardise_target
from snelfs.engine import scores
from snelfs.search.association import interaction_strength
from snelfs.search.options import check_options
from snelfs.search.search import REFINED_RESTARTS, Believed, Search, candidates, short_list
from snelfs.search.training_round import Round


@pytest.fixture(scope="module")
def refined(table, quick):
    """Return the regressor with everything on."""
    X, y = table
    return SNeLRegressor(**quick, combine="vote", init="moments", refine=True).fit(X, y)


def test_the_second_round_decides(refined, quick):
    """Its restarts vote; columns that took no part have no importance, but a rank behind all that did."""
    assert refined.saliencies_.shape == (REFINED_RESTARTS * quick["n_restarts"], 20)
    took_part = refined.saliencies_.any(axis=0)
    assert 5 <= took_part.sum() <= 10
    assert not refined.feature_importances_[~took_part].any()
    assert sorted(refined.ranking_) == list(range(1, 21))
    assert refined.ranking_[~took_part].min() > refined.ranking_[took_part].max()


def test_the_relevant_columns_come_out_first(refined):
    """Columns 4, 11 and 17 sum up to the target: all but one of eight restarts pick each."""
    assert set(np.argsort(refined.ranking_)[:3]) == {4, 11, 17}
    assert refined.selection_frequency_[[4, 11, 17]].min() >= 7 / 8


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


def believing(*places, known=()):
    """Return what a first round says: `places` are agreed on, `known` are known by a product."""
    nothing = np.empty(0, dtype=np.int64)
    paired = np.array(known, dtype=np.int64)
    return Believed(paired, nothing, paired, nothing, nothing, np.array(places, dtype=np.int64))


@pytest.fixture(scope="module")
def prepared():
    """Return 60 rows of 10 columns, of which the fourth is the target and the sixth nearly so."""
    X = np.random.default_rng(0).standard_normal((60, 10))
    X[:, 5] = X[:, 3] + 0.1 * X[:, 5]
    rows = merge_rows(X, X[:, 3], np.ones(60))
    return prepare(rows, standardise_target(rows.y, rows.weights)[1])


def test_the_short_list_is_filled_up_with_what_is_tied(prepared):
    """The believed come first, then the column that is the target."""
    listed = short_list(prepared, believing(6, known=[9]), np.arange(10), dim=4)
    assert listed[:3].tolist() == [9, 6, 3]
    assert len(set(listed)) == 4


def test_more_believed_than_wanted_are_cut(prepared):
    """The surest stay."""
    assert short_list(prepared, believing(4, 3, 1, known=[2]), np.arange(10), dim=2).tolist() == [2, 4]


def test_candidates_are_listed_or_tied():
    """Always twice the number wanted, as far as there are columns, so that shapes stay alike."""
    tied = np.arange(9, -1, -1)
    assert candidates(np.array([0, 1]), tied, 2).tolist() == [0, 1, 8, 9]
    assert candidates(np.array([9, 8]), tied, 2).tolist() == [6, 7, 8, 9]
    assert candidates(np.array([0]), tied, 7).tolist() == list(range(10))


@pytest.mark.parametrize(("doubt", "order"), [(0.0, [2, 0, 1]), (1.0, [0, 2, 1])])
def test_in_doubt_the_list_comes_before_the_vote(refined, doubt, order):
    """Column 0 has fewer votes than column 2, but is on the list."""
    options = check_options(refined.get_params(), 20, scores.REGRESSION, "mse")
    saliencies = np.array([[0.3, 0.1, 0.9], [0.8, 0.1, 0.9], [0.2, 0.4, 0.9]])
    last = Round(np.arange(3), None, saliencies)
    nothing = np.empty(0, dtype=np.int64)
    found = Search(None, last, last, nothing, np.array([0]), doubt)
    options = replace(options, dim=1, combine="vote")
    assert np.argsort(-found.scores(options)).tolist() == order
    assert found.scores(options).max() <= 1


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
        ({"combine": "median"}, "combine must be 'mean' or 'vote', got 'median'"),
        ({"screen": 0}, "screen must be an integer of at least 1, got 0"),
        ({"refine": 1}, "refine must be True or False, got 1"),
        ({"init": "random"}, "init must be 'constant' or 'moments', got 'random'"),
    ],
)
def test_a_bad_setting_is_named(table, quick, setting, said):
    """One sentence, before anything is trained."""
    with pytest.raises(ValueError, match=said):
        SNeLRegressor(**quick | setting).fit(*table)


def test_a_weak_part_of_a_sum_is_found_beside_strong_ones(quick):
    """It makes up a thousandth of the target's variance: no restart sees it before the others are known."""
    generator = np.random.default_rng(1)
    X = generator.standard_normal((60, 20))
    y = X[:, [4, 11]] @ [1.0, 1.0] + 0.045 * X[:, 17]
    selector = SNeLRegressor(**quick | {"n_features_to_select": 3}).fit(X, y)
    assert set(np.argsort(selector.ranking_)[:3]) == {4, 11, 17}
    assert selector.feature_importances_[17] >= 8 / 9


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
    assert selector.layer_weights_.shape == (4, 20, 21)
