"""Rows that belong together: checked, kept on one side of every split, shuffled as wholes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snelfs.data.groups import checked_groups, lonely_strata, missing_names, shuffled_rows, units_of
from snelfs.data.rows import merge_rows
from snelfs.data.splits import draw_folds, split_rows, split_weights


@pytest.mark.parametrize(
    ("groups", "said"),
    [
        (["a", "b"], r"one value for each of the 3 rows, got the shape \(2,\)"),
        ([[1], [2], [3]], r"got the shape \(3, 1\)"),
        (["a", None, None], "2 rows have none, the first row 1"),
        ([1.0, np.nan, 2.0], "1 row has none, row 1"),
        (["p7", "p7", "p7"], "at least two groups, got p7 alone for all 3 rows"),
    ],
)
def test_what_is_wrong_with_groups_is_one_sentence(groups, said):
    """It names the argument, the value and what is accepted."""
    with pytest.raises(ValueError, match=rf"^groups must .*{said}"):
        checked_groups(groups, 3)


def test_groups_may_be_names_numbers_or_both():
    """Only which rows share one counts."""
    expected = [0, 1, 0, 2]
    for groups in (["a", "b", "a", "c"], [1, 5, 1, 9], np.array([1, "b", 1, "c"], dtype=object)):
        assert checked_groups(groups, 4).tolist() == expected
    assert checked_groups(None, 4) is None


def test_pandas_says_missing_in_its_own_words():
    """Its NA and NaT are missing, text that reads alike is not."""
    pandas = pytest.importorskip("pandas")
    names = np.array(["NA", pandas.NA, pandas.NaT, "x"], dtype=object)
    assert missing_names(names).tolist() == [False, True, True, False]


@settings(deadline=None)
@given(st.integers(0, 2**31), st.integers(2, 4), st.floats(0.05, 0.6))
def test_no_split_parts_a_group_and_training_has_every_class(seed, n_classes, fraction):
    """Whatever the groups hold, of one class or of several."""
    generator = np.random.default_rng(seed)
    groups, strata = generator.integers(0, 12, 40), generator.integers(0, n_classes, 40)
    validation = split_rows(strata, np.ones(40), fraction, generator, groups)
    assert not set(groups[validation]) & set(groups[~validation])
    assert set(strata[~validation]) == set(strata)
    fold_of = draw_folds(strata, 3, seed, groups)
    assert all(len(set(fold_of[groups == group])) == 1 for group in groups)
    assert len(set(fold_of) - {-1}) >= 2


def test_splits_of_groups_are_stratified():
    """Of 20 patients, half of them ill, each split validates on two of either kind."""
    groups = np.repeat(np.arange(20), 3)
    strata = groups % 2
    train, validation = split_weights(strata, np.ones(60), 0.2, 4, seed=0, groups=groups)
    assert not (train * validation).any()
    for row in validation:
        assert [len(np.unique(groups[(row > 0) & (strata == code)])) for code in (0, 1)] == [2, 2]
    fold_of = draw_folds(strata, 5, 0, groups)
    assert all(np.bincount(strata[fold_of == fold]).tolist() == [6, 6] for fold in range(5))


def test_a_class_of_one_group_is_trained_on():
    """It is found by name, and its group is never drawn, though it has rows of another class, too."""
    strata = np.array([0, 0, 0, 1, 1, 0, 0, 0])
    groups = np.array([0, 0, 1, 1, 1, 2, 3, 4])
    assert lonely_strata(strata, groups).tolist() == [1]
    assert lonely_strata(strata, None).tolist() == []
    assert units_of(strata, np.ones(8), groups).strata.tolist() == [0, 1, 0, 0, 0]
    for seed in range(10):
        assert not split_rows(strata, np.ones(8), 0.4, np.random.default_rng(seed), groups)[2:5].any()
        assert set(draw_folds(strata, 2, seed, groups)[2:5]) == {-1}


def test_equal_rows_of_different_groups_stay_apart():
    """Within a group they are merged, as without groups."""
    X, y = np.tile([[1.0, 2.0], [3.0, 4.0]], (3, 1)), np.tile([0.0, 1.0], 3)
    rows = merge_rows(X, y, np.ones(6), np.array([0, 0, 0, 0, 1, 1]))
    assert sorted(rows.weights) == [1, 1, 2, 2]
    assert len(merge_rows(X, y, np.ones(6)).weights) == 2
    part = rows.where(rows.weights == 2)
    assert len(set(part.groups)) == 1
    assert part.y.tolist() == rows.y[rows.weights == 2].tolist()


def test_what_groups_are_called_does_not_matter():
    """They are numbered as the ordered rows bring them up."""
    generator = np.random.default_rng(0)
    X, y, groups = generator.standard_normal((12, 3)), np.arange(12.0), np.arange(12) % 4
    renamed = np.array([3, 0, 2, 1])[groups]
    np.testing.assert_array_equal(
        merge_rows(X, y, np.ones(12), groups).groups, merge_rows(X, y, np.ones(12), renamed).groups
    )


def test_groups_of_one_target_exchange_it_as_wholes_and_others_shuffle_inside():
    """Constant groups never take values from a mixed one, nor the other way round."""
    groups = np.repeat([0, 1, 2, 3], [3, 2, 2, 3])
    values = np.array([5, 5, 5, 6, 6, 7, 7, 1, 2, 3])
    seen = set()
    for seed in range(30):
        shuffled = values[shuffled_rows(values, groups, np.random.default_rng(seed))]
        assert all(len(set(shuffled[groups == group])) == 1 for group in range(3))
        assert {shuffled[0], shuffled[3], shuffled[5]} == {5, 6, 7}
        assert sorted(shuffled[7:]) == [1, 2, 3]
        seen.add(tuple(shuffled))
    assert len(seen) > 15


def test_several_targets_are_one_value_of_a_group():
    """A group is mixed if any of its targets differs within it."""
    values = np.array([[0, 1], [0, 1], [2, 3], [2, 4]])
    order = shuffled_rows(values, np.array([0, 0, 1, 1]), np.random.default_rng(1))
    assert order[:2].tolist() == [0, 0]
    assert sorted(order[2:]) == [2, 3]


def test_patients_of_several_batches_stay_whole_in_a_shuffle():
    """Each has a sample in both batches: targets go from patient to patient, and no patient has two."""
    y, groups, batches = np.repeat([1, 0, 1, 1, 0, 0], 2), np.repeat(np.arange(6), 2), np.tile([0, 1], 6)
    for seed in range(5):
        shuffled = y[shuffled_rows(y, groups, np.random.default_rng(seed), batches)].reshape(6, 2)
        assert (shuffled[:, 0] == shuffled[:, 1]).all()
        assert shuffled.sum() == y.sum()


def test_a_patient_of_several_batches_and_targets_exchanges_within_each():
    """Nothing leaves the patient nor the batch."""
    y, groups, batches = np.arange(8), np.repeat([0, 1], 4), np.tile([0, 0, 1, 1], 2)
    order = shuffled_rows(y, groups, np.random.default_rng(1), batches)
    np.testing.assert_array_equal(groups[order], groups)
    np.testing.assert_array_equal(batches[order], batches)
