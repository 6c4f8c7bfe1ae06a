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


def test_what_never_changes_tells_nothing(states):
    """Neither a column nor a target of one state, nor both."""
    constant = np.zeros(len(states), dtype=int)
    target = states[:, 0]
    for columns, told in ((states, constant), (constant[:, None], target), (constant[:, None], constant)):
        np.testing.assert_allclose(mutual_informations(columns, told), 0, atol=1e-12)


def test_blocks_do_not_change_the_information(states, monkeypatch):
    whole = mutual_informations(states, states[:, 0])
    monkeypatch.setattr(blocks, "BLOCK_VALUES", 5 * len(states))
    np.testing.assert_array_equal(mutual_informations(states, states[:, 0]), whole)


@pytest.mark.parametrize("n_classes", [2, 4])
def test_choice_is_that_of_two_plain_loops(states, n_classes):
    target = np.random.default_rng(1).integers(0, n_classes, len(states))
    assert list(mrmr(states, target, 8)) == plain_mrmr(states, target, 8)


def test_choice_among_columns_that_repeat_one_another_is_that_of_two_plain_loops():
    """What the first one chosen tells of another counts in full."""
    generator = np.random.default_rng(9)
    target = generator.integers(0, 3, 80)
    states = np.where(generator.random((80, 12)) < 0.6, target[:, None], generator.integers(0, 3, (80, 12)))
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


def test_the_bounds_belong_to_the_middle_state():
    """Half of the deviation of 2 to either side of 0, or another width."""
    X = np.array([[-3.0, -3, -1, -1, 0, 0, 1, 1, 3, 3]]).T
    states = deviation_states(X)
    assert states.ravel().tolist() == [0, 0, 1, 1, 1, 1, 1, 1, 2, 2]
    assert states.dtype == np.int8
    assert deviation_states(X, 0.49).ravel().tolist() == [0, 0, 0, 0, 1, 1, 2, 2, 2, 2]


def test_states_do_not_depend_on_the_scale():
    X = np.random.default_rng(0).standard_normal((50, 3))
    np.testing.assert_array_equal(deviation_states(X), deviation_states(X * 4 + 8))


def test_target_states_are_about_equally_frequent_and_keep_equals_together():
    counts = np.bincount(quantile_states(np.random.default_rng(0).standard_normal(1000)))
    assert len(counts) == 5
    assert abs(counts - 200).max() <= 1
    assert len(set(quantile_states(np.array([1.0, 1.0, 1.0, 2.0])))) == 2
