"""Columns that leave the training halfway."""

import numpy as np
import pytest

from snelfs import SNeLRegressor
from snelfs.engine import pruning, training
from snelfs.engine.pruning import columns_left


@pytest.fixture(scope="module")
def wide():
    """100 rows of 48 columns, of which 4, 11 and 17 sum up to the target."""
    X = np.random.default_rng(1).standard_normal((100, 48))
    return X, X[:, [4, 11, 17]].sum(axis=1)


@pytest.fixture(scope="module")
def both(wide):
    """The same fit with and without pruning, and the columns that each epoch's program had."""
    settings = {"n_features_to_select": 3, "n_restarts": 4, "steps": 12, "random_state": 0, "refine": False}
    return {prune: SNeLRegressor(**settings, prune=prune).fit(*wide) for prune in (True, False)}


def test_what_is_selected_is_the_same(both):
    """Leaving the given-up columns out changes no selected column, and no rank among them."""
    pruned, full = both[True], both[False]
    np.testing.assert_array_equal(pruned.support_, full.support_)
    assert {4, 11, 17} <= set(np.flatnonzero(pruned.support_))


def test_the_first_half_is_the_same_to_the_bit(both):
    """Until the middle nothing is different."""
    pruned, full = (both[prune].history_.objective for prune in (True, False))
    middle = pruned.shape[1] // 2
    np.testing.assert_array_equal(pruned[:, : middle - 1], full[:, : middle - 1])
    assert pruned.shape == full.shape


def test_columns_did_leave(both):
    """A layer of the pruned half has no weight at all where that of a full training has a little."""
    later = both[True].best_epoch_ > both[True].history_.n_epochs // 2
    assert later.any()
    kept = {prune: (both[prune].layer_weights_[later] != 0).any(axis=(0, 1)).sum() for prune in both}
    assert 0 < kept[True] < kept[False]


def test_other_weights_of_the_layers_shape_stay_whole(wide):
    """As many hidden units, or targets, as columns: what leaves is told by its name, not by its shape."""
    settings = {"n_features_to_select": 3, "n_restarts": 2, "steps": 12, "random_state": 0}
    by_units = SNeLRegressor(**settings, hidden_layer_sizes=48, refine=False, prune=True).fit(*wide)
    assert {4, 11, 17} <= set(np.flatnonzero(by_units.support_))
    X, y = wide
    by_targets = SNeLRegressor(**settings, prune=True).fit(X, y[:, None] * np.ones(48))
    assert {4, 11, 17} <= set(np.flatnonzero(by_targets.support_))


def test_a_column_with_weight_or_votes_stays():
    """A weight in any neuron of any restart counts, and so does a pick of the best epoch so far."""
    W, best = np.zeros((2, 1, 16)), np.zeros((2, 1, 16))
    W[1, 0, 9] = -0.02
    best[0, 0, 5] = best[1, 0, 9] = 1.0
    np.testing.assert_array_equal(columns_left(W, best), [5, 9])


def test_sizes_are_eighths():
    """Few sizes mean few programs; the next largest weights fill one up."""
    W = np.full((1, 1, 80), 1e-3)
    W[0, 0, [7, 70]] = 0.5
    W[0, 0, 33] = 5e-3
    left = columns_left(W, W)
    assert len(left) == 10
    assert {7, 33, 70} <= set(left)


@pytest.mark.filterwarnings("ignore:.*penalty_limit")  # it is far too short a training
def test_automatic_pruning_asks_for_the_work(wide, monkeypatch):
    """Small trainings are left alone; from a number of products on, half of them prune."""
    asked = []

    def all_left(W, best_W):
        asked.append(W.shape)
        return np.arange(best_W.shape[2])

    monkeypatch.setattr(training, "columns_left", all_left)
    selector = SNeLRegressor(4, n_restarts=2, steps=4, refine=False, random_state=0)
    selector.fit(*wide)
    assert asked == []
    monkeypatch.setattr(pruning, "WORTHWHILE", 1.0)
    selector.fit(*wide)
    assert asked == [(2, 4, 48)]


def test_a_bad_value_is_named(wide):
    """One sentence, before anything is trained."""
    with pytest.raises(ValueError, match="prune must be 'auto', True or False, got 'yes'"):
        SNeLRegressor(4, prune="yes").fit(*wide)
