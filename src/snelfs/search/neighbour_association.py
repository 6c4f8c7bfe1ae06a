"""How much a column helps neighbours to predict each other's target, given columns that are known to matter.

A column may matter only together with several others at once, so that neither its correlation nor any
product of two shows it. Once the others are known it does show: rows that lie close together in all of them
agree better on the target.
"""

import numpy as np
from numpy.typing import NDArray

# How far neighbours reach, in standard deviations of a column.
REACH = 0.85

# A neighbourhood halves with every column known, so their number is that of halvings that leave four rows.
FEWEST_NEIGHBOURS = 4

# More rows than that make the answer no clearer, only slower: the time grows with their square.
MOST_ROWS = 512


def neighbour_losses(
    Z: NDArray[np.floating],
    targets: NDArray[np.floating],
    weights: NDArray[np.float64],
    known: NDArray[np.integer],
) -> NDArray[np.float64]:
    """Return for every column the error of predicting each row from its neighbours.

    Neighbours are close in the known columns and in that one; closeness falls off as a Gaussian, and a row
    does not count for itself (the leave-one-out error of a kernel smoother).

    Parameters
    ----------
    Z : array of shape (rows, columns)
        Standardised columns.
    targets : array of shape (rows, targets)
    weights : array of shape (rows,)
    known : array of int
        Columns, the most certain first; as many are used as the rows allow.

    Returns
    -------
    losses : ndarray of shape (columns,)
        Mean squared error over rows and targets, as a share of the targets' variance: below 1 the neighbours
        know something.

    Examples
    --------
    >>> Z = np.random.default_rng(0).standard_normal((200, 20))
    >>> y = np.sign(Z[:, 3] * Z[:, 7] * Z[:, 11])
    >>> int(neighbour_losses(Z, y[:, None], np.ones(200), np.array([3, 11])).argmin())
    7
    """
    rows = np.unique(np.linspace(0, len(Z) - 1, min(len(Z), MOST_ROWS)).astype(int))
    shares = (weights[rows] / weights[rows].sum()).astype(np.float32)
    X, T = Z[rows].astype(np.float32), _centred(targets[rows], shares)
    close = np.outer(np.ones_like(shares), shares)
    np.fill_diagonal(close, 0)
    for column in known[: affordable(len(rows))]:
        close *= _closeness(X[:, column])
    left = [_error(close * _closeness(column), T, shares) for column in X.T]
    return np.array(left) / max(float((shares @ T**2).mean()), 1e-12)


def affordable(n_rows: int) -> int:
    """Return how many known columns leave a row enough neighbours.

    Examples
    --------
    >>> affordable(200), affordable(60), affordable(8)
    (5, 3, 1)
    """
    return max(1, int(np.log2(n_rows / FEWEST_NEIGHBOURS)))


def _centred(targets: NDArray[np.floating], shares: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(targets - shares @ targets, dtype=np.float32)


def _closeness(column: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(np.exp(-np.square(column[:, None] - column) / (2 * REACH**2)))


def _error(close: NDArray[np.float32], T: NDArray[np.float32], shares: NDArray[np.float32]) -> float:
    """Return the squared error of the neighbours' mean; a row far from all others is predicted by 0."""
    total = close.sum(axis=1, keepdims=True)
    predicted = close @ T / (total + 1e-3 * shares.mean())
    return float((shares @ (T - predicted) ** 2).mean())
