"""The two penalties that turn a dense layer into a selection (Eq. 13), per neuron.

Both are a *hinge* ``max(0, z)`` of how far a neuron is from its condition. Where the hinge or
``|w|`` has a kink the paper sets the derivative to zero (Eq. 14, 18); `jax.numpy.maximum` would
give one half there and `jax.numpy.abs` one.
"""

import jax
import jax.numpy as jnp

from snelfs.foundation.types import Array

# The axes of a layer whose columns enter as several functions each.
FUNCTIONS_NDIM = 4


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


@jax.custom_jvp
def norm(W: Array) -> Array:
    """Return the Euclidean norm over the last axis but one, with a derivative of zero where it is zero.

    Examples
    --------
    >>> W = jnp.array([[3.0, 0.0], [-4.0, 0.0]])
    >>> norm(W).tolist(), jax.grad(lambda W: norm(W).sum())(W).tolist()
    ([5.0, 0.0], [[0.6000000238418579, 0.0], [-0.800000011920929, 0.0]])
    """
    return jnp.sqrt(jnp.square(W).sum(axis=-2))


@norm.defjvp
def _norm_slope(primals: tuple[Array], tangents: tuple[Array]) -> tuple[Array, Array]:
    (W,), (dW,) = primals, tangents
    size = norm(W)
    return size, (W * dW).sum(axis=-2) / jnp.where(size > 0, size, 1.0)


def column_weights(W: Array) -> Array:
    """Return how much weight each neuron gives to each column: ``|w|``, or the norm over its functions.

    Parameters
    ----------
    W : array of shape (restarts, neurons, functions, columns) or (..., columns)
    """
    return norm(W) if W.ndim == FUNCTIONS_NDIM else magnitude(W)


def sum_penalty(W: Array, smoothing: float = 0.0) -> Array:
    """Return each neuron's part of Ω_S: by how much its weights on columns sum to more than 1.

    Parameters
    ----------
    W : array of shape (restarts, neurons, functions, columns) or (..., columns)
        Weights of the FS layer. Without functions every leading index is a neuron.

    Examples
    --------
    >>> sum_penalty(jnp.array([[0.75, -1.0], [0.5, 0.25]])).tolist()
    [0.75, 0.0]
    >>> sum_penalty(jnp.array([[[[3.0, 1.0], [-4.0, 0.0]]]])).tolist()
    [[5.0]]
    """
    return hinge(column_weights(W).sum(axis=-1) - 1.0, smoothing)


def variance(A: Array, row_weights: Array) -> Array:
    """Return the variance of every neuron's output over weighted rows (Eq. 16).

    The columns are standardised, so the outputs have mean zero and the variance is their mean
    square. Over a part of the rows (a training split, a mini-batch) the mean is only close to zero;
    the mean square stays an unbiased estimate of the variance over all rows there. The functions of a
    column are uncorrelated, so that the variance of a neuron on one column alone is its squared norm.

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
