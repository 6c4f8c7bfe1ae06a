"""Columns that show only together with several others."""

import numpy as np
import pytest

from snelfs.search.neighbour_association import MOST_ROWS, affordable, neighbour_losses


@pytest.fixture(name="Z")
def independent_columns():
    """Return 200 rows of 30 independent standardised columns."""
    return np.random.default_rng(2).standard_normal((200, 30))


def test_the_third_of_three_is_found(Z):
    """No pair of the three says anything of their joint sign; two known ones give the third away."""
    y = np.sign(Z[:, 3] * Z[:, 7] * Z[:, 11])[:, None]
    for third, known in ((3, [7, 11]), (7, [3, 11]), (11, [3, 7])):
        losses = neighbour_losses(Z, y, np.ones(200), np.array(known))
        assert losses.argmin() == third
        assert losses[third] < 0.9 < np.median(losses)


def test_a_loss_is_a_share_of_the_variance(Z):
    """Whatever the target's scale; noise is predicted no better than by its mean."""
    noise = np.random.default_rng(9).standard_normal((200, 1))
    losses = neighbour_losses(Z, noise, np.ones(200), np.empty(0, dtype=int))
    np.testing.assert_allclose(losses, 1, atol=0.1)
    np.testing.assert_allclose(
        losses, neighbour_losses(Z, 5 + 1e4 * noise, np.ones(200), np.empty(0, dtype=int)), rtol=1e-3
    )


def test_a_row_of_weight_zero_is_no_neighbour(Z):
    """Heavier rows count for more, in the prediction and in its error."""
    y = np.sign(Z[:, [3]] * Z[:, [7]])
    weights = np.r_[np.ones(150), np.zeros(50)]
    without = neighbour_losses(Z[:150], y[:150], np.ones(150), np.array([3]))
    assert np.abs(neighbour_losses(Z, y, weights, np.array([3])) - without).max() < 0.01


def test_the_cost_of_many_rows_is_bounded():
    """Of very many rows, evenly spaced ones are looked at."""
    Z = np.random.default_rng(4).standard_normal((4 * MOST_ROWS, 4))
    y = (Z[:, 0] * Z[:, 1])[:, None]
    assert neighbour_losses(Z, y, np.ones(len(Z)), np.array([0])).argmin() == 1
    assert affordable(MOST_ROWS) == 7
