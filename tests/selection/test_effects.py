"""What a column does alone, and with which other one it acts."""

import numpy as np
import pytest
from scipy import sparse

from snelfs.search.stability import Stability
from snelfs.selection.effects import NO_TREND, effects, partners

STEADY = Stability(0.9, 0.8, 1.0)


def noise(rows=100, columns=6, seed=0):
    return np.random.default_rng(seed).standard_normal((rows, columns))


def test_two_classes_are_told_by_which_is_higher():
    """The direction is that of the means, whatever the scale, and a column of noise has no trend."""
    X = noise()
    y = np.where(X[:, 0] > 0, "AML", "ALL")
    X[:, 1] = -1000 * X[:, 0]
    found = effects(X, y, "classification")
    assert found.words[:2] == ["higher in AML", "higher in ALL"]
    assert found.words[4] == NO_TREND
    assert found.strength[0] == pytest.approx(found.strength[1])
    assert found.strength[0] > 0.7 > 0.3 > found.strength[4]


def test_several_classes_are_told_by_the_one_that_stands_out():
    """Highest or lowest, in the class that is tied most strongly; numbers are called classes."""
    X = noise(150, 2)
    y = np.repeat([1, 2, 3], 50)
    X[y == 2, 0] += 3
    X[y == 3, 1] -= 3
    assert effects(X, y, "classification").words == ["highest in class 2", "lowest in class 3"]


def test_a_regression_rises_or_falls():
    """Ranks decide: one outlier changes nothing."""
    X = noise()
    y = X[:, 0] - X[:, 1]
    X[0, 0] = 1e6 * np.sign(X[0, 0])
    assert effects(X, y, "regression", "age").words[:2] == ["rises with age", "falls with age"]


def test_sparse_columns_say_the_same_as_dense_ones():
    X = np.where(noise(80, 5) > 0.5, 1.0, 0.0)
    y = np.where(X[:, 2] + noise(80, 1, 1)[:, 0] > 0.5, "a", "b")
    dense, thin = (effects(table, y, "classification") for table in (X, sparse.csr_array(X)))
    assert dense.words == thin.words
    assert np.array_equal(dense.strength, thin.strength)


def test_samples_of_a_patient_are_no_witnesses_of_their_own():
    """Of noise that patients differ in, one column of twenty has a trend; numbers and categories alike."""
    generator = np.random.default_rng(0)
    patients = np.repeat(np.arange(12), 5)
    X = (generator.standard_normal((12, 400)) + 0.3 * generator.standard_normal((5, 12, 400))).swapaxes(0, 1)
    X = X.reshape(60, 400)
    X[:, 300:] = X[:, 300:] > 0
    y, coded = (patients % 2), dict.fromkeys(range(300, 400), ("no", "yes"))
    alone, told = (
        effects(X, y, "classification", categories=coded, groups=groups).words for groups in (None, patients)
    )
    for part in (slice(300), slice(300, 400)):
        assert np.mean([word != NO_TREND for word in alone[part]]) > 0.25
        assert np.mean([word != NO_TREND for word in told[part]]) < 0.1


def test_trends_between_patients_and_within_them_are_found():
    """Within a patient whose samples differ in the target, each target is told of once."""
    patients, y = np.repeat(np.arange(20), 6), np.tile([0, 0, 0, 1, 1, 1], 20)
    X = noise(120, 2)
    X[:, 0] += y + 0.05 * patients
    found = effects(X, y, "classification", groups=patients)
    assert found.words == ["higher in class 1", NO_TREND]
    alone = effects(X, y, "classification", groups=np.arange(120))
    assert alone.strength.tolist() == effects(X, y, "classification").strength.tolist()


def test_categories_that_every_patient_has_alike_show_no_trend():
    """One sample of each in every patient: their means are the same."""
    codes, patients = np.tile([0.0, 1.0], 10)[:, None], np.repeat(np.arange(10), 2)
    found = effects(codes, patients % 2, "classification", categories={0: ("a", "b")}, groups=patients)
    assert (found.words, found.strength.tolist()) == ([NO_TREND], [0.0])


def test_two_rows_show_no_trend():
    """Two points lie on a line whatever they mean."""
    assert effects(np.array([[1.0], [2.0]]), np.array(["a", "b"]), "classification").words == [NO_TREND]


def test_partners_are_found_among_all_columns_and_only_beyond_chance():
    """Of a pair that matters by its product both are told, though only one was asked for; noise has none."""
    X = noise(200, 300, 3)
    y = X[:, 5] * X[:, 250] > 0
    assert partners(X, y, "classification", np.array([5, 6, 7])) == {5: 250}
    assert partners(X, y, "classification", np.array([250])) == {250: 5}
    shuffled = np.random.default_rng(1).permutation(y)
    assert partners(X, shuffled, "classification", np.arange(50)) == {}
