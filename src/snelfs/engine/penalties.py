"""The two penalties that turn a dense layer into a selection (Eq. 13), per neuron.

Both are a *hinge* ``max(0, z)`` of how far a neuron is from its condition. Where the hinge or
``|w|`` has a kink the paper sets the derivative to zero (Eq. 14, 18); `jax.numpy.maximum` would
give one half there and `jax.numpy.abs` one.
"""

import jax
import jax.numpy as jnp

from snelfs.foundation.types import Array


def hinge(z: Array, smoothing: float = 0.0) -> Array:
    """Return ``max(0, z)``, or its smooth upper bound ``s·log(1 + exp(z/s))`` for `smoothing` s > 0.

    The smooth form is at most ``s·log 2`` above the hinge and has a gradient on both sides of the
    kink, so a neuron that just meets its condition is still pushed a little further inside.

    Examples
    --------
    >>> hinge(jnp.array([-1.0, 0.5])).tolist()
    [0.0, 0.5]
    >>> round(float(hinge(jnp.array(0.0), smoothing=0.1)), 4)
    0.0693
    """
    if smoothing == 0.0:
        return jax.nn.relu(z)
    return smoothing * jax.nn.softplus(z / smoothing)


@jax.custom_jvp
def magnitude(W: Array) -> Array:
    """Return ``|w|`` with the derivative ``sgn(w)``, which is zero at zero (Eq. 14).

    Examples
    --------
    >>> jax.grad(lambda w: magnitude(w).sum())(jnp.array([-2.0, 0.0, 3.0])).tolist()
    [-1.0, 0.0, 1.0]
    """
    return jnp.abs(W)


@magnitude.defjvp
def _magnitude_slope(primals: tuple[Array], tangents: tuple[Array]) -> tuple[Array, Array]:
    (W,), (dW,) = primals, tangents
    return jnp.abs(W), jnp.sign(W) * dW


def sum_penalty(W: Array, smoothing: float = 0.0) -> Array:
    """Return each neuron's part of Ω_S: by how much its absolute weights sum to more than 1.

    Parameters
    ----------
    W : array of shape (..., columns)
        Weights of the FS layer; every leading index is a neuron.

    Examples
    --------
    >>> sum_penalty(jnp.array([[0.75, -1.0], [0.5, 0.25]])).tolist()
    [0.75, 0.0]
    """
    return hinge(magnitude(W).sum(axis=-1) - 1.0, smoothing)


def variance(A: Array, row_weights: Array) -> Array:
    """Return the variance of every neuron's output over weighted rows (Eq. 16).

    The columns are standardised, so the outputs have mean zero and the variance is their mean
    square. Over a part of the rows (a training split, a mini-batch) the mean is only close to zero;
    the mean square stays an unbiased estimate of the variance over all rows there.

    Parameters
    ----------
    A : array of shape (restarts, neurons, rows)
        Outputs of the FS layer.
    row_weights : array of shape (restarts, rows)
        Non-negative, summing to 1 over the rows of a restart.
    """
    return (row_weights[:, None, :] * jnp.square(A)).sum(axis=-1)


def variance_penalty(variances: Array, smoothing: float = 0.0) -> Array:
    """Return each neuron's part of Ω_A: by how much the variance of its output falls short of 1.

    Examples
    --------
    >>> variance_penalty(jnp.array([0.25, 1.0, 4.0])).tolist()
    [0.75, 0.0, 0.0]
    """
    return hinge(1.0 - variances, smoothing)
