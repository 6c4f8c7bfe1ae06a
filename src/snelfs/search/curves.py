"""Columns as several functions of themselves, so that a neuron copies one *under a transform it learns*.

The first function is the standardised column, the others are cosines of its ranks, each freed from those
before it and standardised. The functions of a column are then uncorrelated and of variance 1, like columns
of the plain layer, and its lemmas carry over with the norm of a column's weights in place of the absolute
weight: the variance of a neuron is at most the square of the sum of its norms, with equality for a single
column. So both conditions together again leave a neuron one column alone.
"""

import numpy as np
from numpy.typing import NDArray

from snelfs.foundation.types import Singles
from snelfs.search.rank_statistics import middle_ranks

# A function of which less than this deviation is left beside the others says nothing new: of two values
# everything is a straight line, of three everything a parabola.
LEAST_LEFT = 0.1


def column_functions(
    Z: NDArray[np.floating], weights: NDArray[np.float64], n_functions: int
) -> NDArray[np.float32]:
    """Return every column as functions of itself, uncorrelated and standardised over weighted rows.

    A column of few values has fewer functions; the places of the others hold zeros.

    Parameters
    ----------
    Z : array of shape (rows, columns)
        Standardised columns.
    weights : array of shape (rows,)
    n_functions : int
        At least 1, the column itself; then cosines of one, one and a half, two, ... periods.

    Returns
    -------
    array of shape (rows, functions, columns)

    Examples
    --------
    >>> Z = np.array([[-1.0, -1.5], [-1.0, -0.5], [1.0, 0.5], [1.0, 1.5]]) / [1.0, np.sqrt(1.25)]
    >>> column_functions(Z, np.ones(4), 2)[:, 1].round(2).T.tolist()
    [[0.0, 0.0, 0.0, 0.0], [1.0, -1.0, -1.0, 1.0]]
    """
    shares = weights / weights.sum()
    return functions_of(Z, middle_ranks(Z, shares), shares, n_functions)


def functions_of(
    Z: NDArray[np.floating], ranks: NDArray[np.floating], shares: NDArray[np.float64], n_functions: int
) -> Singles:
    """Return what `column_functions` does, given the ranks of the columns between 0 and 1."""
    found = [np.asarray(Z, dtype=np.float64)]
    for wave in rank_waves(ranks, n_functions - 1):
        found.append(freed_functions(wave, found, shares))
    return np.stack(found, axis=1).astype(np.float32)


def rank_waves(ranks: NDArray[np.floating], n_waves: int) -> list[NDArray[np.floating]]:
    """Return cosines of ranks between 0 and 1, of one, one and a half, two, ... periods.

    They follow from half a period by Chebyshev's recurrence.

    Examples
    --------
    >>> [wave.round(1).tolist() for wave in rank_waves(np.array([0.0, 0.25, 1.0]), 3)]
    [[1.0, 0.0, 1.0], [1.0, -0.7, -1.0], [1.0, -1.0, 1.0]]
    """
    half = np.cos(np.pi * ranks)
    waves = [np.ones_like(half), half]
    while len(waves) < n_waves + 2:
        waves.append(2 * half * waves[-1] - waves[-2])
    return waves[2 : n_waves + 2]


def freed_functions(
    values: NDArray[np.floating], others: list[NDArray[np.float64]], shares: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return what the other functions of each column leave of its values, standardised; zeros if little."""
    left = values - shares @ values
    for _ in range(2):  # once more for what rounding has left
        for other in others:
            left = left - other * (shares @ (left * other))
    deviation = np.sqrt(shares @ left**2)
    spent = deviation < LEAST_LEFT
    return np.where(spent, 0.0, left / np.where(spent, 1.0, deviation))
