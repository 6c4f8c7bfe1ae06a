"""Columns that a sparse linear model needs side by side (lasso).

A weighted sum tells apart what the columns of a list by associations have in common: a column may count only
by its difference to another, and each alone then shows next to nothing.
"""

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import lars_path

from snelfs.foundation.types import Floats, Ints, Places
from snelfs.search.rank_statistics import standardised
from snelfs.search.turns import in_turns


def lasso_list(
    Z: NDArray[np.floating], targets: NDArray[np.floating], weights: NDArray[np.float64], length: int
) -> Ints:
    """Return the columns of the largest coefficients in a lasso of `length` columns; targets take turns.

    Parameters
    ----------
    Z : array of shape (rows, columns)
        Standardised columns.
    targets : array of shape (rows, targets)
        Indicators of classes, or numbers.
    weights : array of shape (rows,)
    length : int
        How many columns are wanted; fewer come out if the path ends before.

    Examples
    --------
    >>> Z = np.random.default_rng(0).standard_normal((100, 20))
    >>> lasso_list(Z, Z[:, [3]] - 0.5 * Z[:, [7]], np.ones(100), 2)
    array([3, 7])
    """
    shares = weights / weights.sum()
    own = np.sqrt(shares)[:, None]
    columns, goals = Z * own, standardised(targets, shares) * own
    lists = [_path(columns.astype(np.float64), goal.astype(np.float64), length) for goal in goals.T]
    return in_turns(lists, length)


def _path(columns: Floats, goal: Floats, length: int) -> Places:
    """Return the columns that have a coefficient after `length` steps of the path, the largest first."""
    coefficients = lars_path(columns, goal, max_iter=length, method="lasso", return_path=False)[2]
    order = np.argsort(-np.abs(coefficients), kind="stable")
    return order[: np.count_nonzero(coefficients)]
