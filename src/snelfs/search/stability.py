"""How much selections from similar data agree, corrected for chance (Nogueira, Sechidis and Brown 2018)."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri

from snelfs.foundation.checks import ArgumentError, fraction
from snelfs.foundation.naming import named_in_root


@named_in_root
class Stability(NamedTuple):
    """Hold an index of stability with its confidence interval.

    Attributes
    ----------
    value : float
        1 if all selections agree, 0 on average if they are drawn at random; NaN where it is not defined.
    low, high : float
        Ends of the interval.
    """

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.2f} ({self.low:.2f} to {self.high:.2f})"


def stability(selections: ArrayLike, level: float = 0.95) -> Stability:
    """Return how much selections agree, corrected for chance.

    With p_f the share of selections that hold column f, k̄ their mean size, M their number and m columns,
    the index is ``1 - mean_f(M/(M-1) p_f (1-p_f)) / (k̄/m (1 - k̄/m))``. The interval is the asymptotic one of
    the same paper.

    Parameters
    ----------
    selections : array-like of bool, shape (selections, columns)
        At least two selections. They may differ in size.
    level : float, default=0.95
        Confidence of the interval.

    Returns
    -------
    Stability
        Not a number where every selection holds all columns, or none.

    Examples
    --------
    >>> stability([[1, 1, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0]]).value.round(3)
    np.float64(0.333)
    """
    Z = np.asarray(selections, dtype=bool).astype(np.float64)
    if Z.ndim != 2 or len(Z) < 2:
        raise ArgumentError("selections", f"must be at least two rows of a table, got the shape {Z.shape}.")
    fraction("level", level)
    share, sizes = Z.mean(axis=0), Z.mean(axis=1)  # p_f, and k_i/m
    mean_size = sizes.mean()
    by_chance = mean_size * (1 - mean_size)
    if by_chance == 0:
        return Stability(np.nan, np.nan, np.nan)
    n = len(Z)
    index = 1 - np.mean(n / (n - 1) * share * (1 - share)) / by_chance
    error = np.sqrt(_variance(Z @ share / Z.shape[1], sizes, mean_size, index))
    reach = ndtri((1 + level) / 2) * error
    return Stability(index, index - reach, index + reach)


def _variance(
    overlap: NDArray[np.float64], sizes: NDArray[np.float64], mean_size: float, index: float
) -> float:
    """Return the variance of the index from what each selection adds to it."""
    correction = index / 2 * (2 * sizes * mean_size - sizes - mean_size + 1)
    parts = (overlap - sizes * mean_size + correction) / (mean_size * (1 - mean_size))
    return float(4 / len(parts) ** 2 * np.sum((parts - parts.mean()) ** 2))


def selection_matrix(chosen: Sequence[Collection[int]], n_columns: int) -> NDArray[np.bool_]:
    """Return lists of chosen columns as rows of a table that `stability` takes.

    Examples
    --------
    >>> selection_matrix([[0, 2], [1]], 3)
    array([[ True, False,  True],
           [False,  True, False]])
    """
    table = np.zeros((len(chosen), n_columns), dtype=bool)
    for row, columns in zip(table, chosen, strict=True):
        row[list(columns)] = True
    return table


def agreement(saliencies: NDArray[np.floating], n_picked: int) -> Stability:
    """Return how much the restarts' own picks agree; there is no such thing for one restart.

    Parameters
    ----------
    saliencies : array of shape (restarts, columns)

    Examples
    --------
    >>> agreement(np.array([[0.5, 0.3, 0.2], [0.6, 0.1, 0.3]]), 1).value
    np.float64(1.0)
    """
    if len(saliencies) < 2:
        return Stability(np.nan, np.nan, np.nan)
    best = np.argsort(-saliencies, axis=1, kind="stable")[:, :n_picked]
    return stability(selection_matrix(best.tolist(), saliencies.shape[1]))
