"""The stability of selections."""

from itertools import combinations

import numpy as np
import pytest

from snelfs.search.stability import selection_matrix, stability


def random_selections(n_selections, n_columns, size, seed=0):
    generator = np.random.default_rng(seed)
    return selection_matrix(
        [generator.choice(n_columns, size, replace=False) for _ in range(n_selections)], n_columns
    )


def test_equal_sizes_give_kunchevas_index():
    """For selections of one size the index is Kuncheva's: the mean corrected overlap of all pairs."""
    Z = random_selections(7, 20, 6)
    size, n_columns = 6, 20
    pairs = [
        ((a & b).sum() * n_columns - size**2) / (size * (n_columns - size)) for a, b in combinations(Z, 2)
    ]
    assert stability(Z).value == pytest.approx(np.mean(pairs))


def test_agreement_is_one_and_chance_is_nought():
    """Equal selections have index 1 without doubt; random ones are near 0."""
    same = stability(np.tile([True, False, False], (5, 1)))
    assert tuple(same) == pytest.approx((1.0, 1.0, 1.0))
    assert abs(stability(random_selections(50, 200, 30)).value) < 0.03


def test_the_interval_covers_the_truth_as_often_as_it_says():
    """Selections of independent coins with known chances: 95 % intervals hold the true index."""
    chances = np.linspace(0.05, 0.95, 40)
    mean = chances.mean()
    truth = 1 - np.mean(chances * (1 - chances)) / (mean * (1 - mean))
    generator = np.random.default_rng(0)
    held = [
        found.low <= truth <= found.high
        for found in (stability(generator.random((60, 40)) < chances) for _ in range(400))
    ]
    assert 0.90 < np.mean(held) < 0.99


def test_selections_of_all_or_nothing_have_no_index():
    """There is nothing to agree on."""
    assert np.isnan(stability(np.ones((3, 4))).value)
    assert np.isnan(stability(np.zeros((3, 4))).value)


@pytest.mark.parametrize("selections", [[[1, 0]], [1, 0]])
def test_one_selection_cannot_agree(selections):
    """One sentence names the shape."""
    with pytest.raises(ValueError, match="at least two rows of a table, got the shape"):
        stability(selections)
