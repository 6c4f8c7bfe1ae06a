"""Which rows train, and which validate or are held out."""

import numpy as np
import pytest

from snelfs.data.splits import _with_a_unit_of_each, draw_folds, share, split_rows, split_weights


def test_every_class_gives_its_share_to_validation():
    """A split of 20 % is stratified."""
    strata = np.repeat([0, 1, 2], [50, 30, 20])
    validation = split_rows(strata, np.ones(100), 0.2, np.random.default_rng(0))
    assert np.bincount(strata[validation]).tolist() == [10, 6, 4]


def test_shares_are_of_the_weight_not_of_the_rows():
    """Heavy rows count for as many as they weigh."""
    weights = np.where(np.arange(40) < 4, 9.0, 1.0)
    shares = [
        weights[split_rows(np.zeros(40, dtype=int), weights, 0.25, np.random.default_rng(seed))].sum()
        for seed in range(200)
    ]
    assert np.mean(shares) / weights.sum() == pytest.approx(0.25, abs=0.03)


def test_a_class_of_one_row_is_trained_on():
    """A rare class neither crashes the split nor is lost to validation."""
    strata = np.array([0] * 10 + [1])
    for seed in range(20):
        assert not split_rows(strata, np.ones(11), 0.5, np.random.default_rng(seed))[-1]


def test_tiny_data_still_validate_on_something():
    """A share too small for any row takes one; if no class can spare one, the training rows validate."""
    assert split_rows(np.zeros(3, dtype=int), np.ones(3), 0.01, np.random.default_rng(0)).sum() == 1
    train, validation = split_weights(np.array([0, 1]), np.ones(2), 0.2, n_restarts=2, seed=0)
    np.testing.assert_array_equal(train, validation)


def test_restarts_split_differently_and_each_alike_whatever_their_number():
    """Restart r has the same split among two as among eight, and no two need agree."""
    strata = np.repeat([0, 1], 20)
    few, many = (split_weights(strata, np.ones(40), 0.2, n, seed=3)[0] for n in (2, 8))
    np.testing.assert_array_equal(few, many[:2])
    assert len({tuple(row) for row in many}) > 1
    np.testing.assert_allclose(many.sum(axis=1), 1)


def test_the_share_of_a_stratum_is_by_hand():
    """Rows are taken in a drawn order while their middles lie before the share; one always stays."""
    strata, weights = np.zeros(4, dtype=int), np.array([1.0, 1.0, 1.0, 1.0])
    for fraction, taken in ((0.12, 1), (0.13, 1), (0.375, 1), (0.38, 2), (0.62, 2), (0.63, 3), (0.99, 3)):
        assert split_rows(strata, weights, fraction, np.random.default_rng(0)).sum() == taken


def test_a_stratum_too_small_for_its_share_is_passed_over_for_the_largest():
    """With no share of a row anywhere, one row of the largest stratum validates."""
    strata = np.array([0, 1, 1, 1, 2, 2])
    for seed in range(10):
        validation = split_rows(strata, np.ones(6), 0.01, np.random.default_rng(seed))
        assert strata[validation].tolist() == [1]


def test_rows_of_classes_as_small_as_each_other_validate_in_turns():
    """No class of two rows can spare one by its share: twenty restarts ask each of twenty rows once."""
    strata = np.repeat(np.arange(10), 2)
    _, validation = split_weights(strata, np.ones(20), 0.2, 20, seed=0)
    assert (validation > 0).sum(axis=0).tolist() == [1] * 20


def test_training_and_validation_are_shares_of_weight():
    """Each sums to 1, no row is in both, and a row's weight is its share of the part it is in."""
    strata, weights = np.repeat([0, 1], 10), np.arange(1.0, 21.0)
    train, validation = split_weights(strata, weights, 0.25, n_restarts=3, seed=0)
    assert train.shape == validation.shape == (3, 20)
    np.testing.assert_allclose([train.sum(axis=1), validation.sum(axis=1)], 1)
    assert not (train * validation).any()
    for part in (train, validation):
        for row in part:
            held = row > 0
            np.testing.assert_allclose(row[held], weights[held] / weights[held].sum())


def test_shares_of_nothing_are_nothing():
    """Weights that are all zero are not divided by their sum."""
    assert share(np.zeros(3)).tolist() == [0.0, 0.0, 0.0]
    assert share(np.array([1e-9, 3e-9])).tolist() == pytest.approx([0.25, 0.75])


@pytest.mark.parametrize("fraction", [0.1, 0.2, 0.5])
def test_all_rows_validate_about_equally_often(fraction):
    """Within a stratum rows differ by one split at most, and patients by one split of all their samples."""
    strata = np.repeat([0, 1], [30, 13])
    _, validation = split_weights(strata, np.ones(43), fraction, n_restarts=9, seed=1)
    often = (validation > 0).sum(axis=0)
    assert all(np.ptp(often[strata == stratum]) <= 1 for stratum in (0, 1))
    groups = np.arange(43) // 2
    _, validation = split_weights(np.zeros(43, int), np.ones(43), fraction, 9, seed=1, groups=groups)
    assert np.ptp((validation > 0).sum(axis=0)) <= 1


@pytest.mark.parametrize("n_strata", [1, 2])
def test_a_heavy_row_keeps_no_other_from_validating(n_strata):
    """One row of nearly half of all weight cannot validate, and the others go on in turns."""
    strata, weights = np.arange(100) % n_strata, np.r_[80.0, np.ones(99)]
    train, _ = split_weights(strata, weights, 0.2, n_restarts=24, seed=0)
    often = (train == 0).sum(axis=0)
    assert often[0] == 0
    assert all(np.ptp(often[1:][strata[1:] == stratum]) <= 1 for stratum in range(n_strata))
    assert ((train == 0) @ weights > 0.1 * weights.sum()).all()


def test_splits_have_streams_of_their_own():
    """A seed and a restart draw the same rows in every version; folds draw from another stream."""
    strata = np.zeros(8, dtype=int)
    first = split_rows(strata, np.ones(8), 0.25, np.random.default_rng([7, 0]))
    second = split_rows(strata, np.ones(8), 0.25, np.random.default_rng([7, 1]), before=first.astype(int))
    expected = [first, second]
    train, _ = split_weights(strata, np.ones(8), 0.25, n_restarts=2, seed=7)
    np.testing.assert_array_equal(train == 0, expected)
    dealt = np.random.default_rng([7, 0, 1]).permutation(8)
    assert draw_folds(strata, 4, seed=7)[dealt].tolist() == [0, 1, 2, 3, 0, 1, 2, 3]


def test_folds_are_dealt_out_stratum_by_stratum():
    """A stratum goes on with the fold where the last one ended; a stratum of one row is never held out."""
    strata = np.repeat([0, 1, 2], [5, 3, 1])
    fold_of = draw_folds(strata, 3, seed=0)
    assert np.bincount(fold_of[:5]).tolist() == [2, 2, 1]
    assert np.bincount(fold_of[5:8]).tolist() == [1, 1, 1]
    assert np.bincount(fold_of[:8]).tolist() == [3, 3, 2]
    assert fold_of[8] == -1


@pytest.mark.parametrize(
    ("sizes", "folds", "n_folds"),
    [([9, 3], 5, 3), ([9, 2], 5, 2), ([9, 1], 5, 5), ([9, 9], 4, 4), ([6], 1, 2)],
)
def test_there_are_as_many_folds_as_the_rarest_stratum_has_rows(sizes, folds, n_folds):
    """At least two, at most those asked for; a single row does not count."""
    fold_of = draw_folds(np.repeat(range(len(sizes)), sizes), folds, seed=0)
    assert set(fold_of) - {-1} == set(range(n_folds))


@pytest.mark.parametrize(
    ("n_rows", "folds", "enough"), [(3, 3, False), (4, 4, True), (5, 2, False), (6, 2, True)]
)
def test_three_rows_at_least_are_left_to_train_on(n_rows, folds, enough):
    """Two rows lie on a line whatever the columns."""
    strata = np.zeros(n_rows, dtype=int)
    if enough:
        assert len(draw_folds(strata, folds, seed=0)) == n_rows
    else:
        with pytest.raises(ValueError, match=rf"^n_features_to_select='auto' .* of {n_rows} distinct row"):
            draw_folds(strata, folds, seed=0)


def test_two_rows_of_a_class_are_enough_to_validate_on_one():
    """However small the share."""
    assert split_rows(np.zeros(2, int), np.ones(2), 0.1, np.random.default_rng(0)).sum() == 1


def test_a_group_is_given_back_to_training_only_if_a_stratum_needs_it():
    """Rows of stratum 1 are in the first two groups alone: one of them trains whatever was drawn."""
    strata, of_row = np.array([0, 1, 0, 1, 0, 2]), np.array([0, 0, 1, 1, 2, 3])
    drawn = np.array([True, True, False, False])
    assert _with_a_unit_of_each(strata, of_row, drawn).tolist() == [False, True, False, False]
    drawn = np.array([False, True, True, False])
    assert _with_a_unit_of_each(strata, of_row, drawn).tolist() == drawn.tolist()
    # The only group of stratum 2 trains, and those before it stay where they are.
    drawn = np.array([True, False, False, True])
    assert _with_a_unit_of_each(strata, of_row, drawn).tolist() == [True, False, False, False]


def test_a_class_whose_groups_count_for_rarer_ones_is_never_drawn_whole():
    """Class 0 is in a group of each other class, and of these one group of two validates."""
    groups = np.array([0, 0, 1, 2, 2, 3, 4, 4, 5])
    strata = np.array([0, 1, 1, 0, 2, 2, 0, 3, 3])
    drawn = [split_rows(strata, np.ones(9), 0.5, np.random.default_rng(seed), groups) for seed in range(40)]
    assert all(set(strata[~validation]) == {0, 1, 2, 3} for validation in drawn)
    # Without a class to save, three groups are drawn; of the first class all would have been, some time.
    assert {len(np.unique(groups[validation])) for validation in drawn} == {2, 3}


def test_folds_take_the_largest_groups_of_a_stratum_first():
    """Groups of 1, 2, 3 and 4 rows: the largest are in different folds."""
    groups = np.repeat(np.arange(4), [1, 2, 3, 4])
    for seed in range(5):
        fold_of = draw_folds(np.zeros(10, dtype=int), 2, seed, groups)
        assert fold_of.tolist() == np.repeat([1, 0, 1, 0], [1, 2, 3, 4]).tolist()


def test_a_stratum_without_rows_does_not_lower_the_number_of_folds():
    """As where a part of the rows has none of a class."""
    assert set(draw_folds(np.repeat([0, 2], 6), 5, seed=0)) == set(range(5))


def test_a_class_of_two_rows_is_held_out_row_by_row():
    """In two folds."""
    fold_of = draw_folds(np.array([0] * 6 + [1] * 2), 5, seed=0)
    assert sorted(fold_of[6:].tolist()) == [0, 1]


@pytest.mark.parametrize(
    ("groups", "said"), [(None, r"distinct row\(s\) none"), (np.arange(4), r"row\(s\) in 4 group\(s\) none")]
)
def test_rows_that_cannot_be_spared_are_counted(groups, said):
    """In groups if there are any."""
    with pytest.raises(ValueError, match=said):
        draw_folds(np.arange(4), 2, seed=0, groups=groups)
