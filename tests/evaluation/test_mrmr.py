import numpy as np
import pytest
from sklearn.metrics import mutual_info_score

from snelfs.evaluation.rivals.mrmr import deviation_states, mrmr, mutual_informations, quantile_states
from snelfs.foundation import blocks


@pytest.fixture(scope="module")
def states():
    return np.random.default_rng(0).integers(0, 3, (80, 12))


def plain_mrmr(states, target, n_features):
    """Return the choice by two loops over scikit-learn's mutual information."""
    chosen = []
    for _ in range(n_features):
        scores = {}
        for column in set(range(states.shape[1])) - set(chosen):
            redundancy = [mutual_info_score(states[:, column], states[:, other]) for other in chosen]
            relevance = mutual_info_score(states[:, column], target)
            scores[column] = relevance - (np.mean(redundancy) if chosen else 0)
        chosen.append(max(scores, key=scores.get))
    return chosen


def test_information_is_that_of_scikit_learn_for_every_pair(states):
    for target in states.T:
        expected = [mutual_info_score(column, target) for column in states.T]
        np.testing.assert_allclose(mutual_informations(states, target), expected, atol=1e-12)


def test_blocks_do_not_change_the_information(states, monkeypatch):
    whole = mutual_informations(states, states[:, 0])
    monkeypatch.setattr(blocks, "BLOCK_VALUES", 5 * len(states))
    np.testing.assert_array_equal(mutual_informations(states, states[:, 0]), whole)


@pytest.mark.parametrize("n_classes", [2, 4])
def test_choice_is_that_of_two_plain_loops(states, n_classes):
    target = np.random.default_rng(1).integers(0, n_classes, len(states))
    assert list(mrmr(states, target, 8)) == plain_mrmr(states, target, 8)


def test_a_repeated_column_waits_for_a_weaker_new_one():
    """By hand, in nats: the copy scores 0.380 - 0.662 < 0, the other 0.131 - 0.034 > 0."""
    y = np.array([0, 0, 0, 0, 1, 1, 1, 1])
    best = np.array([0, 0, 0, 0, 0, 1, 1, 1])
    other = np.array([0, 0, 0, 1, 1, 1, 0, 1])
    states = np.stack([best, best, other], axis=1)
    relevance = mutual_informations(states, y)
    redundancy = mutual_informations(states, best)
    np.testing.assert_allclose(relevance, [0.380, 0.380, 0.131], atol=5e-4)
    np.testing.assert_allclose(redundancy, [0.662, 0.662, 0.034], atol=5e-4)
    assert list(mrmr(states, y, 3)) == [0, 2, 1]


def test_all_columns_can_be_chosen_and_no_more(states):
    assert sorted(mrmr(states, states[:, 0], 99)) == list(range(12))


def test_width_sets_how_wide_the_middle_state_is():
    X = np.random.default_rng(0).standard_normal((4000, 1))
    for width, share in ((0.5, 0.383), (1.0, 0.683)):
        assert np.mean(deviation_states(X, width) == 1) == pytest.approx(share, abs=0.03)


def test_states_do_not_depend_on_the_scale():
    X = np.random.default_rng(0).standard_normal((50, 3))
    np.testing.assert_array_equal(deviation_states(X), deviation_states(X * 4 + 8))


def test_target_states_are_about_equally_frequent_and_keep_equals_together():
    counts = np.bincount(quantile_states(np.random.default_rng(0).standard_normal(1000)))
    assert len(counts) == 5
    assert abs(counts - 200).max() <= 1
    assert len(set(quantile_states(np.array([1.0, 1.0, 1.0, 2.0])))) == 2
