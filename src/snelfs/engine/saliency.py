"""From the layer's weights to a score per column (section II-C)."""

import numpy as np

from snelfs.engine.penalties import FUNCTIONS_NDIM
from snelfs.foundation.types import Reals


def column_weights(W: Reals) -> Reals:
    """Return how much weight each neuron gives to each column: ``|w|``, or the norm over its functions.

    Parameters
    ----------
    W : array of shape (restarts, dim, columns) or (restarts, dim, functions, columns)

    Returns
    -------
    array of shape (restarts, dim, columns)

    Examples
    --------
    >>> column_weights(np.array([[[[3.0, 0.0], [-4.0, 2.0]]]])).tolist()
    [[[5.0, 2.0]]]
    """
    return np.asarray(np.linalg.norm(W, axis=2) if W.ndim == FUNCTIONS_NDIM else np.abs(W))


def signed_weights(W: Reals) -> Reals:
    """Return the weight of each column with the sign of its first function, the column itself.

    A layer without functions stays as it is.
    """
    return W if W.ndim < FUNCTIONS_NDIM else np.copysign(column_weights(W), W[:, :, 0])


def sum_weight(W: Reals, deviations: Reals) -> Reals:
    """Return the sum-weight saliency, ``mean_k |w_jk| / std(A_k)`` (Eq. 21).

    When both conditions hold it sums to 1 over the columns (Lemma 3).

    Parameters
    ----------
    W : array of shape (restarts, dim, columns) or (restarts, dim, functions, columns)
    deviations : array of shape (restarts, dim)
        Standard deviations of the neurons' outputs. A neuron without spread adds nothing.

    Returns
    -------
    array of shape (restarts, columns)

    Examples
    --------
    >>> W = np.array([[[0.5, 0.0], [0.0, -1.0]]])
    >>> sum_weight(W, np.array([[0.5, 1.0]])).tolist()
    [[0.5, 0.5]]
    """
    return np.asarray(_share_of(deviations[:, :, None], column_weights(W)).mean(axis=1))


def max_weight(W: Reals) -> Reals:
    """Return the max-weight saliency, ``max_k |w_jk| / Σ_i |w_ik|`` (Eq. 22).

    It asks whether *some* neuron copies the column, not how many do.

    Examples
    --------
    >>> max_weight(np.array([[[0.5, 0.0], [0.25, -0.75]]])).tolist()
    [[1.0, 0.75]]
    """
    magnitude = column_weights(W)
    return np.asarray(_share_of(magnitude.sum(axis=2, keepdims=True), magnitude).max(axis=1))


def used_weight(W: Reals, kernel: Reals) -> Reals:
    """Return the used-weight saliency: the share of a column in what the network takes in.

    A neuron that nothing behind it listens to may copy any column. So every neuron counts by the norm of the
    weights with which the network takes it up, ``u_k = |v_k| / Σ_l |v_l|``, and gives it to the columns it
    copies: ``Σ_k u_k |w_jk| / Σ_i |w_ik|``. It sums to 1 over the columns.

    Parameters
    ----------
    W : array of shape (restarts, dim, columns) or (restarts, dim, functions, columns)
    kernel : array of shape (restarts, dim, units)
        Weights of all that takes the neurons up: the first hidden layer, and what goes past all hidden units.

    Returns
    -------
    array of shape (restarts, columns)
        Zero for a network that takes nothing in.

    Examples
    --------
    >>> W = np.array([[[0.5, 0.0], [0.25, -0.75]]])
    >>> used_weight(W, np.array([[[3.0, 0.0], [0.0, -1.0]]])).tolist()
    [[0.8125, 0.1875]]
    """
    magnitude = column_weights(W)
    copied = _share_of(magnitude.sum(axis=2, keepdims=True), magnitude)
    norms = np.linalg.norm(kernel, axis=2)[:, :, None]
    return np.asarray((copied * _share_of(norms.sum(axis=1, keepdims=True), norms)).sum(axis=1))


def pick_frequency(saliencies: Reals, n_picked: int) -> Reals:
    """Return the share of restarts that have a column among their best `n_picked`.

    Parameters
    ----------
    saliencies : array of shape (restarts, columns)
        A column without saliency is never picked.

    Examples
    --------
    >>> pick_frequency(np.array([[0.9, 0.5, 0.1], [0.8, 0.0, 0.0]]), 2).tolist()
    [1.0, 0.5, 0.0]
    """
    order = np.argsort(-saliencies, axis=1, kind="stable")[:, :n_picked]
    picked = np.zeros(saliencies.shape, dtype=bool)
    np.put_along_axis(picked, order, np.take_along_axis(saliencies, order, axis=1) > 0, axis=1)
    return np.asarray(picked.mean(axis=0))


def soft_votes(saliencies: Reals, n_picked: int) -> Reals:
    """Return how surely each restart picks each column, between 0 and 1.

    It is ``s / (s + t)``, where `t` is the saliency of the first column that the restart would not pick: one
    half just there, and the nearer to 1 the farther a column stands above it. So a restart that finds one
    strong column says no less of the weak ones. The threshold is a hundredth of an even share at least: what
    is used less is not used.

    Parameters
    ----------
    saliencies : array of shape (restarts, columns)

    Examples
    --------
    >>> soft_votes(np.array([[0.75, 0.15, 0.05, 0.05]]), 2).round(2).tolist()
    [[0.94, 0.75, 0.5, 0.5]]
    """
    n_columns = saliencies.shape[1]
    place = n_columns - 1 - min(n_picked, n_columns - 1)
    first_left_out = np.partition(saliencies, place, axis=1)[:, [place]]
    threshold = np.maximum(first_left_out, saliencies.mean(axis=1, keepdims=True) / 100)
    return _share_of(saliencies + threshold, saliencies)


def combine(saliencies: Reals, n_picked: int, how: str) -> Reals:
    """Return one score a column from those of all restarts.

    "mean" is their mean, and "soft" that of `soft_votes`. "vote" counts the restarts that pick the column;
    the mean decides only between columns of equally many votes: a restart's vote is worth more than any mean
    can be.

    Examples
    --------
    >>> combine(np.array([[0.9, 0.5, 0.4], [0.1, 0.5, 0.4]]), 2, "vote").round(2).tolist()
    [0.5, 0.83, 0.47]
    """
    if how == "soft":
        return np.asarray(soft_votes(saliencies, n_picked).mean(axis=0))
    mean = saliencies.mean(axis=0)
    if how == "mean":
        return np.asarray(mean)
    n_restarts = len(saliencies)
    return np.asarray((n_restarts * pick_frequency(saliencies, n_picked) + mean) / (n_restarts + 1))


def _share_of(whole: Reals, part: Reals) -> Reals:
    """Return ``part / whole``, and zero where the whole is nothing."""
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)
