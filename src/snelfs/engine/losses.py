"""Losses that are not of the usual tasks: quantiles, counts, outliers, ordered classes, and the caller's own.

A loss takes the outputs of one network, (rows,) or (rows, outputs), the target and the weights of the rows,
(rows,) each, and returns (rows,). It is an object that equals others of the same numbers, so that a program
compiled for one serves for all.
"""

from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from scipy.special import expit

from snelfs.data.loss import Loss
from snelfs.foundation.types import Array, Floats

# Logarithms of means above it stand for it: its exponential is still a number of single precision.
_LARGEST_LOGARITHM = 50.0


@dataclass(frozen=True)
class Pinball:
    """Koenker and Bassett's loss, least in the mean where a share `level` of the rows is below."""

    level: float

    def __call__(self, outputs: Array, y: Array, weights: Array) -> Array:
        """Return ``level · (y - f)`` above the output, ``(1 - level) · (f - y)`` below it."""
        del weights
        return jnp.maximum(self.level * (y - outputs), (self.level - 1) * (y - outputs))


@dataclass(frozen=True)
class Huber:
    """Huber's loss: half the squared error up to `delta`, and linear from there."""

    delta: float

    def __call__(self, outputs: Array, y: Array, weights: Array) -> Array:
        """Return ``e² / 2``, or ``delta · (|e| - delta / 2)`` for larger errors."""
        del weights
        error = jnp.abs(y - outputs)
        near = jnp.minimum(error, self.delta)
        return near * (error - near / 2)


@dataclass(frozen=True)
class Poisson:
    """Half the deviance of counts whose mean is the exponential of the output."""

    def __call__(self, outputs: Array, y: Array, weights: Array) -> Array:
        """Return ``y log(y / μ) - y + μ``, which is 0 where the mean is the count."""
        del weights
        logarithm = jnp.minimum(outputs, _LARGEST_LOGARITHM)
        return jnp.exp(logarithm) - y * logarithm + jax.scipy.special.xlogy(y, y) - y


@dataclass(frozen=True)
class Ordinal:
    """Minus the log likelihood of ordered classes by proportional odds (McCullagh 1980).

    ``P(y ≤ k) = σ(θ_k - f)``: the first output is f, the others are shared by all rows and are the first
    threshold θ and, by their softplus, the steps from each threshold to the next.
    """

    def __call__(self, outputs: Array, y: Array, weights: Array) -> Array:
        """Return the losses of class codes, exact where probabilities are too small for single precision."""
        del weights
        steps = jax.nn.softplus(outputs[:, 2:])
        thresholds = jnp.cumsum(jnp.concatenate([outputs[:, 1:2], steps], axis=1), axis=1)
        above = thresholds - outputs[:, :1]  # (rows, classes - 1)
        nothing = jnp.zeros_like(above[:, :1])
        # With a > b, σ(a) - σ(b) = σ(a) σ(-b) (1 - exp(b - a)); the last is σ of a step before its softplus.
        upper = jnp.concatenate([jax.nn.softplus(-above), nothing], axis=1)
        lower = jnp.concatenate([nothing, jax.nn.softplus(above)], axis=1)
        apart = jnp.concatenate([nothing, jax.nn.softplus(-outputs[:, 2:]), nothing], axis=1)
        return jnp.take_along_axis(upper + lower + apart, y.astype(jnp.int32)[:, None], axis=1)[:, 0]


def means_of_counts(outputs: Array) -> Floats:
    """Return what the outputs of `Poisson` mean."""
    return np.exp(np.minimum(np.asarray(outputs, np.float64), _LARGEST_LOGARITHM))


def ordinal_probabilities(outputs: Array) -> Floats:
    """Return the probability of every class by the outputs of `Ordinal`."""
    values = np.asarray(outputs, np.float64)
    steps = np.concatenate([values[:, 1:2], np.logaddexp(0.0, values[:, 2:])], axis=1)
    upto = expit(np.cumsum(steps, axis=1) - values[:, :1])
    return np.diff(upto, axis=1, prepend=0.0, append=1.0)


class Units(NamedTuple):
    """What a network's numbers mean to a loss: outputs are ``centre + scale · number``."""

    centre: Array  # (outputs,)
    scale: Array  # (outputs,)
    factor: Array  # of the losses


def in_units(outputs: Array, units: Units) -> Array:
    """Return outputs, of shape (restarts, outputs, rows), as a loss takes them."""
    return units.centre[:, None] + units.scale[:, None] * outputs


def row_losses(loss: Loss, outputs: Array, y: Array, weights: Array, units: Units) -> Array:
    """Return the losses of all restarts, (restarts, rows), given outputs in the units of the loss."""

    def of_restart(own: Array, shares: Array) -> Array:
        return called(loss, own.T, y, shares)

    return units.factor * jax.vmap(of_restart)(outputs, weights)


def called(loss: Loss, outputs: Array, y: Array, weights: Array) -> Array:
    """Return the losses of rows whose outputs have the shape (rows, outputs)."""
    return loss.function(as_taken(loss, outputs), y, weights)


def as_taken(loss: Loss, outputs: Array) -> Array:
    """Return outputs of shape (rows, outputs) as the functions of a loss take them."""
    return outputs[:, 0] if loss.n_outputs == 1 else outputs


@partial(jax.jit, static_argnames="loss")
def losses_and_slopes(loss: Loss, outputs: Array, y: Array, weights: Array) -> tuple[Array, Array]:
    """Return the losses of rows, and the slope of their weighted sum in every output, (rows, outputs)."""

    def total(outputs: Array) -> tuple[Array, Array]:
        losses = called(loss, outputs, y, weights)
        # What a row of no weight loses may be infinite, and is nothing.
        return jnp.where(weights > 0, weights * losses, 0.0).sum(), losses

    slopes, losses = jax.grad(total, has_aux=True)(outputs)
    return losses, slopes
