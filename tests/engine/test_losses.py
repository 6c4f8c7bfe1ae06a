"""Losses beside those of the tasks: their values, slopes and meanings, and what the engine makes of them."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.special import expit
from sklearn.metrics import mean_pinball_loss, mean_poisson_deviance

from snelfs.data.loss import Loss
from snelfs.engine.losses import (
    Huber,
    Ordinal,
    Pinball,
    Poisson,
    Units,
    in_units,
    losses_and_slopes,
    means_of_counts,
    ordinal_probabilities,
    row_losses,
)
from snelfs.engine.network import Dense, forward, with_shared_outputs

RNG = np.random.default_rng(0)
Y, F = RNG.standard_normal(40), RNG.standard_normal(40)
COUNTS = RNG.poisson(2.0, 40)
SHARES = np.full(40, 1 / 40)
FOUR = np.column_stack([F, np.full(40, -1.0), np.full(40, 0.3), np.full(40, -0.5)])  # θ: -1, -1 + …
CLASSES = RNG.integers(0, 4, 40)


@pytest.mark.parametrize("level", [0.1, 0.5, 0.9])
def test_the_pinball_loss_is_scikit_learns(level):
    """In the mean over the rows."""
    losses = Pinball(level)(F, Y, SHARES)
    assert float(losses.mean()) == pytest.approx(mean_pinball_loss(Y, F, alpha=level), rel=1e-6)


def test_the_poisson_loss_is_half_the_deviance_of_the_mean():
    """And so nothing where the mean is the count, a count of 0 included."""
    losses = Poisson()(F, COUNTS.astype(np.float32), SHARES)
    deviance = mean_poisson_deviance(COUNTS, means_of_counts(F))
    assert float(losses.mean()) == pytest.approx(deviance / 2, rel=1e-5)
    assert float(Poisson()(jnp.log(3.0), jnp.array(3.0), 1.0)) == pytest.approx(0, abs=1e-6)
    assert float(Poisson()(-80.0, jnp.array(0.0), 1.0)) == pytest.approx(0, abs=1e-6)
    assert np.isfinite(Poisson()(1e30, jnp.array(1.0), 1.0))


def test_the_huber_loss_is_half_a_square_and_then_a_line():
    """Both meet at delta with the same slope."""
    huber = Huber(1.5)
    assert huber(0.0, jnp.array([1.0, -1.5, 4.0]), None).tolist() == [0.5, 1.125, 1.5 * (4 - 0.75)]
    assert jax.grad(lambda f: huber(f, 4.0, None))(0.0) == -1.5


def test_ordinal_losses_are_minus_logarithms_of_differences_of_logistic_functions():
    """Its probabilities are those of cumulative logits, and sum to 1."""
    thresholds = np.cumsum([-1.0, np.logaddexp(0, 0.3), np.logaddexp(0, -0.5)])
    upto = np.column_stack([np.zeros(40), expit(thresholds - F[:, None]), np.ones(40)])
    likely = np.diff(upto, axis=1)
    np.testing.assert_allclose(ordinal_probabilities(FOUR), likely, rtol=1e-12)
    losses = Ordinal()(FOUR.astype(np.float32), CLASSES, SHARES)
    np.testing.assert_allclose(losses, -np.log(likely[np.arange(40), CLASSES]), rtol=1e-4)
    far = np.array([[200.0, 0.0, 1.0]], np.float32)
    assert float(Ordinal()(far, np.array([0]), None)[0]) == pytest.approx(200.0)


@pytest.mark.parametrize(
    ("loss", "outputs", "y"),
    [
        (Loss(Pinball(0.9)), F[:, None], Y),
        (Loss(Huber(1.0)), F[:, None], Y),
        (Loss(Poisson()), F[:, None], COUNTS.astype(float)),
        (Loss(Ordinal(), 4, 3), FOUR, CLASSES),
    ],
)
def test_slopes_are_those_of_central_differences(loss, outputs, y):
    """Of the weighted sum, in every output of every row."""
    slopes = losses_and_slopes(loss, outputs.astype(np.float32), y, SHARES.astype(np.float32))[1]
    step = 1e-2
    for place in range(loss.n_outputs):
        moved = np.zeros_like(outputs)
        moved[:, place] = step
        above, below = (
            losses_and_slopes(loss, (outputs + by).astype(np.float32), y, SHARES.astype(np.float32))[0]
            for by in (moved, -moved)
        )
        smooth = np.abs(y - outputs[:, 0]) > step if loss.n_outputs == 1 else np.ones(40, bool)
        differences = (np.asarray(above) - np.asarray(below)) / (2 * step) / 40
        np.testing.assert_allclose(np.asarray(slopes)[smooth, place], differences[smooth], atol=2e-4)


def test_a_row_of_no_weight_has_no_slope_whatever_it_loses():
    """An infinite loss of a row that is left out is none."""
    loss = Loss(lambda outputs, y, _: jnp.where(y > 0, outputs**2, jnp.inf))
    weights = np.array([1.0, 0.0], np.float32)
    slopes = losses_and_slopes(loss, np.ones((2, 1), np.float32), np.array([1.0, -1.0]), weights)[1]
    assert np.asarray(slopes)[0, 0] == 2.0
    assert np.isfinite(np.asarray(slopes)[0]).all()


def test_every_restart_is_given_its_own_outputs_and_weights():
    """A loss may look at the weights; one output comes without an axis of its own."""
    seen = []

    def by_weight(outputs, y, weights):
        seen.append((outputs.shape, y.shape, weights.shape))
        return weights * (outputs - y) ** 2

    outputs = jnp.arange(6.0).reshape(2, 1, 3)
    weights = jnp.array([[1.0, 0.0, 0.0], [0.0, 0.5, 0.5]])
    units = Units(jnp.array([1.0]), jnp.array([2.0]), jnp.array(10.0))
    given = in_units(outputs, units)
    losses = row_losses(Loss(by_weight), given, jnp.zeros(3), weights, units)
    np.testing.assert_allclose(losses, 10 * weights * (1 + 2 * outputs[:, 0]) ** 2)
    assert seen == [((3,), (3,), (3,))]


def test_shared_outputs_are_the_same_for_all_rows():
    """They are the biases alone, in every restart."""
    layers = [Dense(jnp.ones((2, 3, 4)), jnp.full((2, 4), 0.5))]
    outputs = forward(with_shared_outputs(layers, 3), jnp.array(RNG.standard_normal((2, 3, 5))))
    assert np.ptp(np.asarray(outputs)[:, 0], axis=1).min() > 0
    assert (np.asarray(outputs)[:, 1:] == 0.5).all()


def test_losses_of_the_same_numbers_are_the_same():
    """So that a program compiled for one serves for the other."""
    assert Loss(Pinball(0.9)) == Loss(Pinball(0.9)) != Loss(Pinball(0.8))
    assert hash(Loss(Ordinal(), 4, 3)) == hash(Loss(Ordinal(), 4, 3))
