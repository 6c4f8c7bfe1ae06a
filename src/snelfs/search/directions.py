"""A group of columns as directions in the space that they span, uncorrelated and of variance 1."""

import numpy as np

from snelfs.foundation.types import Floats, Reals

# Directions of a group of columns at most, and as a share of the rows: along more of them a group fits any
# target, and every unit of the table is filled up to as many places.
WIDEST = 20
WIDEST_SHARE = 0.25

# A direction along which standardised columns have less than this deviation says what others say.
LEAST_LEFT = 0.1


def most_directions(n_rows: int) -> int:
    """Return as how many directions a group enters at most: no more than rows can tell apart.

    Examples
    --------
    >>> most_directions(1000), most_directions(40)
    (20, 10)
    """
    return max(1, min(WIDEST, int(WIDEST_SHARE * n_rows)))


def directions(Z: Reals, shares: Floats) -> Floats:
    """Return the directions of columns: uncorrelated, of variance 1, and those of most variance first.

    Parameters
    ----------
    Z : array of shape (rows, columns)
        Standardised columns.
    shares : array of shape (rows,)
        Share of each row in the whole.

    Returns
    -------
    array of shape (rows, directions)
        One column is its own direction. Of more columns than `most_directions` allows, the leading principal
        directions.

    Examples
    --------
    >>> Z = np.tile([[1.0, 1, 1], [1, 1, -1], [-1, -1, 1], [-1, -1, -1]], (2, 1))
    >>> directions(Z, np.full(8, 0.125))[:4].round(3).tolist()
    [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]]
    """
    values = np.asarray(Z, dtype=np.float64)
    if values.shape[1] == 1:
        return values
    deviations, axes = np.linalg.svd(np.sqrt(shares)[:, None] * values, full_matrices=False)[1:]
    axes = axes[: np.count_nonzero(deviations >= LEAST_LEFT)][: most_directions(len(values))]
    # A singular vector has no sign of its own; one that the rows' order cannot change is given to it.
    axes = axes * np.sign(np.take_along_axis(axes, np.abs(axes).round(6).argmax(axis=1)[:, None], axis=1))
    return np.asarray(values @ axes.T / deviations[: len(axes)])
