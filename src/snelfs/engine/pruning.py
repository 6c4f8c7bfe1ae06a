"""Columns that every restart has given up: they leave the training halfway, where that saves seconds.

In the middle of the schedule the penalty on sums is at its peak, and most weights have fallen to nothing in
every neuron of every restart. Such columns cost as much as the others, and seldom come back: over the draws
and studies this was settled on, none of them was picked later by a quarter of the restarts. Relevant columns
stay; which ones fill up a selection may change.
"""

import math

import numpy as np
from numpy.typing import NDArray

from snelfs.engine.saliency import max_weight, pick_frequency

# A weight below this is nothing; the weights of a neuron sum to about 1.
NOTHING = 0.01

# Multiplications and additions from which it is worth a new program, of about a second: some seconds' work.
WORTHWHILE = 3e11

# So many sizes a layer can have after it, so that tables of one shape share programs.
SIZES = 8


def is_worthwhile(n_rows: int, layer: tuple[int, int, int], n_epochs: int) -> bool:
    """Tell whether half of the epochs are so much work that fewer columns save more than they cost.

    Parameters
    ----------
    layer : (restarts, dim, columns)

    Examples
    --------
    >>> is_worthwhile(200, (8, 15, 500), 2592), is_worthwhile(5000, (8, 15, 500), 2592)
    (False, True)
    """
    products = 2  # with X, forward and back
    return 2 * products * n_rows * math.prod(layer) * n_epochs / 2 >= WORTHWHILE


def columns_left(W: NDArray[np.floating], best_W: NDArray[np.floating]) -> NDArray[np.intp]:
    """Return the columns that go on, in rising order: with any weight, or picked by a restart so far.

    Their number is rounded up to an eighth of all, with those of the largest weights among the others.

    Parameters
    ----------
    W, best_W : arrays of shape (restarts, dim, columns)
        The layers as they are, and those of the best epochs so far.

    Examples
    --------
    >>> W = np.zeros((1, 2, 16))
    >>> W[0, :, 3] = W[0, 0, 9] = 0.5
    >>> columns_left(W, W)
    array([3, 9])
    """
    dim, n_columns = W.shape[1], W.shape[-1]
    largest = np.abs(W).max(axis=tuple(range(W.ndim - 1)))
    picked = pick_frequency(np.asarray(max_weight(best_W), np.float64), dim) > 0
    wanted = np.count_nonzero(picked | (largest >= NOTHING))
    n_left = -(-wanted * SIZES // n_columns) * n_columns // SIZES
    return np.sort(np.lexsort((-largest, ~(picked | (largest >= NOTHING))))[: max(n_left, wanted)])
