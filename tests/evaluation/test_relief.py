import os
import warnings

import numpy as np
import pytest

from snelfs.evaluation.rivals.relief import _range_scaled, relieff, rrelieff
from snelfs.foundation import blocks


def required(package):
    """Return a package, or skip where there is none (fail if all are required)."""
    if os.environ.get("SNELFS_REQUIRE_ALL"):
        return __import__(package)
    return pytest.importorskip(package)


def classes(n_classes, n_rows=60, n_columns=8):
    X = np.random.default_rng(n_classes).standard_normal((n_rows, n_columns)) * 3 + 1
    cuts = np.quantile(X[:, 0] + X[:, 1], np.arange(1, n_classes) / n_classes + 0.1)
    return X, np.digitize(X[:, 0] + X[:, 1], cuts)


def scaled_differences(X):
    scaled = (X - X.min(axis=0)) / np.ptp(X, axis=0)
    return np.abs(scaled[:, None] - scaled[None])  # (rows, rows, columns)


def plain_relieff(X, y, k):
    """Follow the pseudocode row by row."""
    differences, score = scaled_differences(X), np.zeros(X.shape[1])
    for row in range(len(X)):
        for label in np.unique(y):
            others = [j for j in np.flatnonzero(y == label) if j != row]
            nearest = sorted(others, key=lambda j: differences[row, j].sum())[:k]
            prior, own = np.mean(y == label), np.mean(y == y[row])
            factor = -1 if label == y[row] else prior / (1 - own)
            if nearest:
                score += factor * differences[row, nearest].mean(axis=0) / len(X)
    return score


def plain_rrelieff(X, y, k):
    """Follow the pseudocode with its three sums."""
    differences, target = scaled_differences(X), scaled_differences(y[:, None])[:, :, 0]
    n_dc, n_da, n_dcda = 0.0, np.zeros(X.shape[1]), np.zeros(X.shape[1])
    for row in range(len(X)):
        others = [j for j in range(len(X)) if j != row]
        for j in sorted(others, key=lambda j: differences[row, j].sum())[:k]:
            n_dc += target[row, j] / k
            n_da += differences[row, j] / k
            n_dcda += target[row, j] * differences[row, j] / k
    return n_dcda / n_dc - (n_da - n_dcda) / (len(X) - n_dc)


@pytest.mark.parametrize("n_classes", [2, 3, 4])
@pytest.mark.parametrize("n_rows", [16, 60])
def test_relieff_follows_the_pseudocode(n_classes, n_rows):
    """Also where a class has fewer rows than neighbours are asked for."""
    X, y = classes(n_classes, n_rows)
    np.testing.assert_allclose(relieff(X, y), plain_relieff(X, y, 10), atol=1e-12)


@pytest.mark.parametrize("k", [3, 10])
def test_rrelieff_follows_the_pseudocode(k):
    X, _ = classes(2)
    y = X[:, 0] - 2 * X[:, 3]
    np.testing.assert_allclose(rrelieff(X, y, k), plain_rrelieff(X, y, k), atol=1e-12)


def test_four_rows_by_hand():
    """Hits differ by 1/4 and 1/2 in the columns' ranges of 4 and 2, misses by 3/4 or 1, and 1/2."""
    X = np.array([[0.0, 0.0], [1.0, 1.0], [4.0, 2.0], [3.0, 1.0]])
    y = np.array([0, 0, 1, 1])
    # Nearest misses: row 0 takes row 3 (3/4 + 1/2), 1 takes 3 (1/2 + 0), 2 takes 1 (3/4 + 1/2), 3 takes 1.
    hits = np.array([1 / 4, 1 / 2])
    misses = np.array([3 / 4 + 1 / 2 + 3 / 4 + 1 / 2, 1 / 2 + 0 + 1 / 2 + 0]) / 4
    np.testing.assert_allclose(relieff(X, y, 1), misses - hits)


def test_one_class_has_hits_alone():
    """Nothing counts for a column, and nothing is divided by nothing."""
    X = np.array([[0.0, 0.0], [1.0, 4.0], [4.0, 1.0]])
    # Nearest: row 0 takes row 1 or 2 (1/4 + 1, the first), 1 takes 0, 2 takes 0 (1 + 1/4).
    np.testing.assert_allclose(
        relieff(X, np.zeros(3, int), 1), [-(1 / 4 + 1 / 4 + 1) / 3, -(1 + 1 + 1 / 4) / 3]
    )


def test_a_class_without_rows_changes_nothing():
    """Nor does a class of one row have hits."""
    X, y = classes(2, 16)
    np.testing.assert_array_equal(relieff(X, 2 * y), relieff(X, y))
    y = np.array([0, 1, 1])
    X = np.array([[0.0, 1.0], [2.0, 0.0], [4.0, 1.0]])
    np.testing.assert_allclose(relieff(X, y, 1), plain_relieff(X, y, 1))


def test_ten_neighbours_are_asked_unless_told_otherwise():
    """Or as many as there are; a row is never its own."""
    X, y = classes(2)
    np.testing.assert_array_equal(relieff(X, y), relieff(X, y, 10))
    np.testing.assert_array_equal(rrelieff(X, X[:, 0]), rrelieff(X, X[:, 0], 10))
    few = X[:5]
    for k in (4, 9):
        np.testing.assert_allclose(rrelieff(few, few[:, 0], k), plain_rrelieff(few, few[:, 0], 4), atol=1e-12)


def test_targets_that_never_or_always_differ_are_half_a_score():
    """Where the target is constant columns can only lose, and where all differ they can only win."""
    X = np.array([[0.0, 3.0], [1.0, 0.0]])
    np.testing.assert_allclose(rrelieff(X, np.array([5.0, 5.0])), [-1, -1])
    np.testing.assert_allclose(rrelieff(X, np.array([5.0, 7.0])), [1, 1])


@pytest.mark.parametrize(
    ("X", "y"), [([0.0, 1.0, -2.0], [0.0, 1.0, 0.9]), ([0.0, 1.0, 10.0, 13.0], [0.0, 0.1, 0.8, 1.0])]
)
def test_neighbours_that_nearly_all_agree_or_differ_follow_the_pseudocode(X, y):
    """Where they differ, or agree, by less than one in all."""
    X, y = np.array(X)[:, None], np.array(y)
    np.testing.assert_allclose(rrelieff(X, y, 1), plain_rrelieff(X, y, 1), atol=1e-12)


def test_two_classes_score_as_in_skrebate():
    X, y = classes(2)
    other = required("skrebate").ReliefF(n_neighbors=10).fit(X.copy(), y)
    np.testing.assert_allclose(relieff(X, y), other.feature_importances_, atol=1e-12)


@pytest.mark.slow  # it compiles for ten seconds and more
@pytest.mark.parametrize("n_classes", [2, 3, 4])
def test_classes_score_as_in_fast_select(n_classes):
    """Its priors weigh several classes as ours do; skrebate weighs them by their share of the neighbours."""
    X, y = classes(n_classes)
    package = required("fast_select")
    with warnings.catch_warnings():
        # It warns where a class has fewer rows than neighbours.
        warnings.simplefilter("ignore", UserWarning)
        other = package.ReliefF(n_neighbors=10, n_jobs=1, backend="cpu", discrete_limit=0).fit(X, y)
    np.testing.assert_allclose(relieff(X, y), other.feature_importances_, atol=1e-6)


@pytest.mark.parametrize("score", [relieff, rrelieff])
def test_blocks_and_scales_do_not_change_the_scores(score, monkeypatch):
    X, y = classes(3)
    target = y if score is relieff else X[:, 2]
    expected = score(X, target)
    np.testing.assert_allclose(score(X * [1, 2, 4, 8, 0.5, 1e-3, 1, 1] + 7, target), expected, atol=1e-9)
    monkeypatch.setattr(blocks, "BLOCK_VALUES", 100)
    np.testing.assert_allclose(score(X, target), expected, atol=1e-12)


def test_no_copy_holds_more_than_a_block(monkeypatch):
    """Of 400 values: those of ten neighbours in eight columns, for five rows at a time."""
    X, _ = classes(2)
    held, einsum = [], np.einsum
    monkeypatch.setattr(np, "einsum", lambda *given: held.append(given[-1].size) or einsum(*given))
    monkeypatch.setattr(blocks, "BLOCK_VALUES", 400)
    rrelieff(X, X[:, 0])
    assert held == [400] * 12


def test_columns_are_scaled_to_their_range():
    """From 0 to 1, however narrow they are; a constant one is 0."""
    X = np.array([[2.0, 0.1, 7.0], [4.0, 0.3, 7.0], [6.0, 0.2, 7.0]])
    np.testing.assert_allclose(_range_scaled(X), [[0, 0, 0], [0.5, 1, 0], [1, 0.5, 0]])


@pytest.mark.parametrize("score", [relieff, rrelieff])
def test_a_constant_column_scores_zero_and_changes_nothing(score):
    X, y = classes(2)
    target = y if score is relieff else X[:, 2]
    scores = score(np.column_stack([X, np.ones(len(X))]), target)
    np.testing.assert_allclose(scores, [*score(X, target), 0], atol=1e-12)


def test_an_interaction_without_main_effect_is_seen():
    """The reason to have Relief beside the F score."""
    X = np.random.default_rng(0).uniform(-1, 1, (300, 6))
    y = (X[:, 2] * X[:, 4] > 0).astype(np.intp)
    assert set(np.argsort(-relieff(X, y))[:2]) == {2, 4}
