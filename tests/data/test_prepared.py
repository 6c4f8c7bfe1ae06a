"""Merging, standardising and encoding the rows."""

import numpy as np
import pytest

from snelfs.data.rows import merge_rows
from snelfs.data.standardisation import Standardisation
from snelfs.data.target import class_factors, encode_classes, standardise_target

GENERATOR = np.random.default_rng(0)
X = GENERATOR.standard_normal((12, 5)) * [1, 10, 0.1, 3, 1000] + [0, 5, 0, -3, 1e4]
Y = np.arange(12) % 3


# -- standardising ----------------------------------------------------------------------------------


def test_columns_get_mean_zero_and_variance_one_under_the_weights():
    """The weighted moments are those of a standardised data set."""
    weights = GENERATOR.integers(1, 5, 12).astype(float)
    Z = Standardisation.of(X, weights).apply(X)
    np.testing.assert_allclose(np.average(Z, axis=0, weights=weights), 0, atol=1e-12)
    np.testing.assert_allclose(np.average(Z**2, axis=0, weights=weights), 1)


def test_undo_returns_to_the_scale_of_the_data():
    """Standardising and undoing it changes nothing."""
    scale = Standardisation.of(X, np.ones(12))
    np.testing.assert_allclose(scale.undo(scale.apply(X)), X)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("value", [0.0, 0.1, -1e12])
def test_constant_columns_are_seen_in_spite_of_rounding(value, dtype):
    """A constant has no spread, whatever its mean rounds to; a tiny real spread is one."""
    columns = np.column_stack([np.full(12, value), np.arange(12) * 1e-9]).astype(dtype)
    scale = Standardisation.of(columns, GENERATOR.random(12))
    assert scale.varies.tolist() == [False, True]
    assert np.isfinite(scale.apply(columns)).all()


# -- merging ----------------------------------------------------------------------------------------


def test_a_row_given_twice_is_a_row_of_weight_two():
    """Repetition and weight lead to the same rows, bit for bit."""
    counts = np.array([1, 2, 3, 0, 1, 1, 2, 1, 0, 1, 1, 4])
    weighted = merge_rows(X, Y, counts.astype(float))
    repeated = merge_rows(X.repeat(counts, axis=0), Y.repeat(counts), np.ones(counts.sum()))
    np.testing.assert_array_equal(weighted.X, repeated.X)
    np.testing.assert_array_equal(weighted.y, repeated.y)
    np.testing.assert_array_equal(weighted.weights, repeated.weights)


def test_the_order_of_the_rows_means_nothing():
    """Shuffled rows come out in the same order."""
    order = GENERATOR.permutation(12)
    original, shuffled = merge_rows(X, Y, np.ones(12)), merge_rows(X[order], Y[order], np.ones(12))
    np.testing.assert_array_equal(original.X, shuffled.X)
    np.testing.assert_array_equal(original.y, shuffled.y)


def test_the_order_and_units_of_the_columns_do_not_reorder_the_rows():
    """Permuted or rescaled columns leave every row in its place."""
    columns = GENERATOR.permutation(5)
    original = merge_rows(X, Y, np.ones(12))
    permuted = merge_rows(X[:, columns], Y, np.ones(12))
    np.testing.assert_array_equal(permuted.X, original.X[:, columns])
    rescaled = merge_rows(X * 7.3 + 2, Y, np.ones(12))
    np.testing.assert_allclose(rescaled.X, original.X * 7.3 + 2)


def test_equal_rows_of_different_classes_stay_apart():
    """A contradiction in the data is kept, not merged away."""
    rows = merge_rows(np.ones((2, 3)), np.array(["a", "b"], dtype=object), np.ones(2))
    assert sorted(rows.y) == ["a", "b"]


# -- encoding ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("labels", [["b", "a", "c"], [3, 1, 2], [True, False, True]])
def test_any_labels_become_codes(labels):
    """Strings, integers and booleans are coded in sorted order."""
    classes, target = encode_classes(np.array(labels), np.ones(3), None)
    assert classes[target.values].tolist() == labels
    assert target.task == ("binary" if len(set(labels)) == 2 else "multiclass")
    assert target.n_outputs == (1 if len(set(labels)) == 2 else 3)


def test_balanced_weights_are_those_of_scikit_learn():
    """Each class counts alike: n / (k · count)."""
    codes = np.array([0, 0, 0, 1])
    factors = class_factors(codes, np.ones(4), "balanced", np.array(["a", "b"]))
    np.testing.assert_allclose(factors, [2 / 3, 2 / 3, 2 / 3, 2])


@pytest.mark.parametrize(
    ("class_weight", "message"),
    [
        ("even", "'balanced' or a dict.*'even'"),
        ({"z": 2}, "'z'.*'a', 'b'"),
        ({"a": -1}, r"class_weight\['a'\].*-1"),
    ],
)
def test_bad_class_weights_are_named(class_weight, message):
    """A word, a class or a factor that is not known is refused by name."""
    with pytest.raises(ValueError, match=message):
        class_factors(np.array([0, 1]), np.ones(2), class_weight, np.array(["a", "b"]))


def test_targets_are_standardised_and_mapped_back():
    """One or several targets get variance 1, and their scale is kept."""
    for y in (X[:, 4], X[:, [0, 4]]):
        scale, target = standardise_target(y, np.ones(12))
        np.testing.assert_allclose(target.values.std(axis=0), 1, rtol=1e-5)
        np.testing.assert_allclose(scale.undo(target.values), y.reshape(12, -1), rtol=1e-4, atol=1e-3)
