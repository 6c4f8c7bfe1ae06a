"""Columns that say most about the target *together with* those already listed (JMI).

A list by associations alone is full of columns that say the same. Joint mutual information (Yang & Moody,
1999) asks of a column what the pair of it and a listed one says about the target, on average over the listed
ones.
"""

import numpy as np
from numpy.typing import NDArray

from snelfs.search.rank_statistics import middle_ranks

# Values of a column, and of a numeric target, are told apart by that many parts of their ranks.
PARTS = 3

States = NDArray[np.int64]


def joint_information(
    Z: NDArray[np.floating], targets: NDArray[np.floating], weights: NDArray[np.float64], length: int
) -> list[int]:
    """Return a list of columns, each of which says most about the target in pairs with those before it.

    Parameters
    ----------
    Z : array of shape (rows, columns)
    targets : array of shape (rows, targets)
        Indicators of classes, or numbers, which count by thirds of their ranks.
    weights : array of shape (rows,)
    length : int
        How many columns are wanted.

    Examples
    --------
    The second column repeats the first; the last has less to say, but something new:

    >>> Z = np.random.default_rng(0).standard_normal((300, 4))
    >>> y = 2 * Z[:, 0] + Z[:, 3]
    >>> Z[:, 1] = Z[:, 0]
    >>> joint_information(Z, y[:, None], np.ones(300), 2)
    [0, 3]
    """
    shares = weights / weights.sum()
    states = parts_of_ranks(Z, shares)
    target = _one_code(parts_of_ranks(targets, shares))
    pairs = _Pairs(states, target, shares)
    worth = pairs.alone()
    found = [int(worth.argmax())]
    total = np.zeros(len(worth))
    while len(found) < min(length, len(worth)):
        total += pairs.with_column(found[-1])
        left = total.copy()
        left[found] = -np.inf
        # Rounded, since equal columns may differ in the last bits.
        found.append(int(left.round(9).argmax()))
    return found


def parts_of_ranks(X: NDArray[np.floating], shares: NDArray[np.float64]) -> States:
    """Return in which third of its column each value is, by middle ranks; equal values share a third.

    Examples
    --------
    >>> parts_of_ranks(np.array([[1.0], [5.0], [9.0], [0.0], [7.0], [8.0]]), np.full(6, 1 / 6)).ravel()
    array([0, 1, 2, 0, 1, 2])
    """
    return np.minimum((PARTS * middle_ranks(X, shares)).astype(np.int64), PARTS - 1)


def _one_code(states: States) -> States:
    """Return one code for each combination of states in a row."""
    return np.unique(states, axis=0, return_inverse=True)[1].ravel()


class _Pairs:
    """What pairs of columns say about the target: one matrix product for all pairs with one column."""

    def __init__(self, states: States, target: States, shares: NDArray[np.float64]) -> None:
        self.states, self.target, self.shares = states, target, shares
        # (rows, parts · columns): in which part each row is.
        self.marks = np.concatenate([states == part for part in range(PARTS)], axis=1).astype(np.float32)

    def alone(self) -> NDArray[np.float64]:
        """Return the information of every column about the target."""
        return self._information(np.zeros(len(self.target), np.int64))

    def with_column(self, column: int) -> NDArray[np.float64]:
        """Return the information of all pairs with one column about the target."""
        return self._information(self.states[:, column])

    def _information(self, given: States) -> NDArray[np.float64]:
        """Return ``I(x, given; y) = H(x, given) + H(y) - H(x, given, y)``, H(y) left out, in nats."""
        n_given, n_classes = given.max() + 1, self.target.max() + 1
        cells = (given * n_classes + self.target)[:, None] == np.arange(n_given * n_classes)
        masses = (cells * self.shares[:, None]).astype(np.float32).T @ self.marks
        masses = masses.reshape(n_given, n_classes, PARTS, -1)
        both = _entropy(masses.reshape(-1, masses.shape[-1]))
        return _entropy(masses.sum(axis=1).reshape(-1, masses.shape[-1])) - both


def _entropy(masses: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return the entropy of each column of masses."""
    masses = masses.astype(np.float64)
    return np.asarray(-(masses * np.log(np.maximum(masses, 1e-12))).sum(axis=0))
