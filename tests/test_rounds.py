"""The first round's start, and the second round."""

import numpy as np
import pytest

from snelfs import SNeLClassifier, SNeLRegressor
from snelfs.rounds import REFINED_RESTARTS, candidates


@pytest.fixture(scope="module")
def refined(table, quick):
    """Return the regressor with everything on."""
    X, y = table
    return SNeLRegressor(**quick, combine="vote", init="moments", refine=True).fit(X, y)


def test_the_second_round_decides(refined):
    """Its restarts vote; columns that took no part have no importance, but a rank behind all that did."""
    assert refined.saliencies_.shape == (REFINED_RESTARTS, 20)
    took_part = refined.saliencies_.any(axis=0)
    assert 5 <= took_part.sum() <= 10
    assert not refined.feature_importances_[~took_part].any()
    assert sorted(refined.ranking_) == list(range(1, 21))
    assert refined.ranking_[~took_part].min() > refined.ranking_[took_part].max()


def test_the_relevant_columns_come_out_first(refined):
    """Columns 4, 11 and 17 sum up to the target: nearly every restart of the second round picks them."""
    assert set(np.argsort(refined.ranking_)[:3]) == {4, 11, 17}
    assert refined.selection_frequency_[[4, 11, 17]].min() > 0.9


def test_the_stability_of_the_restarts_is_told(refined, table, quick):
    """Between chance and full agreement, with an interval; a single restart has nobody to agree with."""
    assert 0 < refined.stability_.value <= 1
    assert refined.stability_.low <= refined.stability_.value <= refined.stability_.high
    alone = SNeLRegressor(**quick | {"n_restarts": 1}).fit(*table)
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


def test_candidates_are_the_best_of_both_lists():
    """Always twice the number wanted, as far as there are columns, so that shapes stay alike."""
    importances, strength = np.linspace(1, 0, 10), np.linspace(0, 1, 10)
    assert candidates(importances, strength, 2).tolist() == [0, 1, 8, 9]
    assert candidates(importances, importances, 2).tolist() == [0, 1, 2, 3]
    assert candidates(importances, strength, 7).tolist() == list(range(10))


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ({"combine": "median"}, "combine must be 'mean' or 'vote', got 'median'"),
        ({"refine": 1}, "refine must be True or False, got 1"),
        ({"init": "random"}, "init must be 'constant' or 'moments', got 'random'"),
    ],
)
def test_a_bad_setting_is_named(table, quick, setting, said):
    """One sentence, before anything is trained."""
    with pytest.raises(ValueError, match=said):
        SNeLRegressor(**quick | setting).fit(*table)
