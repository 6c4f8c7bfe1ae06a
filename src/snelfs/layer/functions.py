"""The layer in JAX, as pure functions of its weights: what the estimators train, for one layer.

===========  ==============================  ===============================================
symbol       shape                           meaning
===========  ==============================  ===============================================
``X``        ``(rows, columns)``             standardised data
``W``        ``(n_neurons, columns)``        weights
``A``        ``(rows, n_neurons)``           outputs
===========  ==============================  ===============================================
"""

from typing import Any

import jax.numpy as jnp
import numpy as np

from snelfs.engine import layer as engine_layer
from snelfs.engine import penalties as engine_penalties
from snelfs.engine import saliency as engine_saliency
from snelfs.foundation import checks
from snelfs.foundation.types import Array, Flags, Floats, Ints, Reals


def start_weights(n_neurons: int, n_columns: int) -> Array:
    """Return the paper's start, ``1 / (2 · n_columns)`` everywhere (section III-B).

    All neurons start alike; only the random weights of the next layer tell them apart.

    Examples
    --------
    >>> start_weights(2, 4).tolist()
    [[0.125, 0.125, 0.125, 0.125], [0.125, 0.125, 0.125, 0.125]]
    """
    n_neurons = checks.count("n_neurons", n_neurons, 1)
    return jnp.full((n_neurons, checks.count("n_columns", n_columns, 1)), 0.5 / n_columns)


def forward(X: Array, W: Array) -> Array:
    """Return the outputs ``A`` of the neurons, without bias and activation (Eq. 15).

    Examples
    --------
    >>> forward(jnp.array([[1.0, 2.0, 3.0]]), jnp.array([[0.0, 1.0, 0.0], [0.5, 0.0, -0.5]])).tolist()
    [[2.0, -1.0]]
    """
    return engine_layer.forward(X, W[None])[0].T


def sum_penalty(W: Array) -> Array:
    """Return Ω_S: by how much the neurons' absolute weights sum to more than 1 (Eq. 13).

    Its gradient is that of Eq. 14: zero at a weight of zero and at a sum of exactly 1.

    Examples
    --------
    >>> float(sum_penalty(jnp.array([[0.75, -1.0], [0.5, 0.25]])))
    0.75
    """
    return engine_penalties.sum_penalty(W).sum()


def variances(A: Array, row_weights: Array | None = None) -> Array:
    """Return the variance of every neuron's output, its mean square (Eq. 16).

    Parameters
    ----------
    row_weights : array of shape (rows,), optional
        Non-negative, on any scale; by default all rows count alike.

    Examples
    --------
    >>> variances(jnp.array([[1.0, 0.0], [-1.0, 4.0]])).tolist()
    [1.0, 8.0]
    """
    weights = jnp.ones_like(A[:, 0]) if row_weights is None else jnp.asarray(row_weights)
    return engine_penalties.variance(A.T[None], (weights / weights.sum())[None])[0]


def variance_penalty(A: Array, row_weights: Array | None = None) -> Array:
    """Return Ω_A: what the variances of the neurons' outputs lack to 1 (Eq. 13).

    Its gradient is that of Eq. 18, zero at a variance of exactly 1.

    Examples
    --------
    >>> float(variance_penalty(jnp.array([[0.5, 0.0], [-0.5, 4.0]])))
    0.75
    """
    return engine_penalties.variance_penalty(variances(A, row_weights)).sum()


def penalties(W: Array, A: Array, row_weights: Array | None = None) -> tuple[Array, Array]:
    """Return Ω_S and Ω_A of a layer with weights `W` and outputs `A`."""
    return sum_penalty(W), variance_penalty(A, row_weights)


def is_admissible(W: Array, A: Array, limit: float = 0.3) -> bool:
    """Tell whether the layer is close enough to a selection: both penalties a neuron are within `limit`.

    Examples
    --------
    >>> X = jnp.array([[1.0, 1.0], [-1.0, 1.0]])
    >>> [is_admissible(W, forward(X, W)) for W in jnp.array([[[1.0, 0.0]], [[0.5, 0.0]]])]
    [True, False]
    """
    return within(penalties(W, A), limit, len(W))


def within(omegas: tuple[Array, Array], limit: float, n_neurons: int) -> bool:
    """Tell whether both penalties are within `limit` a neuron."""
    most = checks.positive("limit", limit) * n_neurons
    return all(float(omega) <= most for omega in omegas)


def saliency(
    W: Array, kind: str = "max", outputs: Array | None = None, *, deviations: Array | None = None
) -> Reals:
    """Return one score for every column (section II-C).

    Parameters
    ----------
    kind : {"max", "sum"}, default="max"
        "max" asks whether some neuron copies the column, ``max_k |w_jk| / Σ_i |w_ik|`` (Eq. 22); "sum" how
        much of all neurons' output it makes up, ``mean_k |w_jk| / std(A_k)`` (Eq. 21).
    outputs : array of shape (rows, n_neurons), optional
        The outputs `A`, needed for "sum".
    deviations : array of shape (n_neurons,), optional
        Their standard deviations, if these are known already.

    Examples
    --------
    >>> saliency(np.array([[0.5, 0.0], [0.25, -0.75]])).tolist()
    [1.0, 0.75]
    """
    if checks.choice("kind", kind, ["max", "sum"]) == "max":
        return np.asarray(engine_saliency.max_weight(np.asarray(W)[None])[0])
    if outputs is None and deviations is None:
        raise checks.ArgumentError("outputs", "must be given for the saliency 'sum', got None.")
    if deviations is None:
        deviations = jnp.sqrt(variances(jnp.asarray(outputs)))
    return np.asarray(engine_saliency.sum_weight(np.asarray(W)[None], np.asarray(deviations)[None])[0])


def selected(W: Array, k: int, kind: str = "max", outputs: Array | None = None) -> Ints:
    """Return the `k` columns of the largest saliency, best first; the first of equals comes first.

    Examples
    --------
    >>> selected(np.array([[0.5, 0.1], [0.25, -0.75]]), 1).tolist()
    [0]
    """
    return first_of(saliency(W, kind, outputs), k)


def first_of(scores: Reals, k: int) -> Ints:
    """Return the columns of the `k` largest scores, best first."""
    if checks.count("k", k, 1) > len(scores):
        raise checks.ArgumentError("k", f"must be at most {len(scores)}, the number of columns, got {k}.")
    return np.argsort(-scores, kind="stable")[:k]


def standardisation(X: Any) -> tuple[Floats, Floats, Flags]:
    """Return mean, deviation and whether it varies of every column; the deviation of a constant one is 1.

    Examples
    --------
    >>> [part.tolist() for part in standardisation(np.array([[1.0, 5.0], [3.0, 5.0]]))]
    [[2.0, 5.0], [1.0, 1.0], [True, False]]
    """
    values = np.asarray(X, dtype=np.float64)
    if values.ndim != 2 or not np.isfinite(values).all():
        raise checks.ArgumentError(
            "X", f"must be a table of finite numbers, got one of shape {values.shape} or with gaps in it."
        )
    varies = np.ptp(values, axis=0) > 0
    return values.mean(axis=0), np.where(varies, values.std(axis=0), 1.0), varies
