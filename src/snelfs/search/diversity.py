"""Columns that are tied to the target and unlike each other.

On few rows the strongest ties belong to columns that say the same thing. A list of them wastes its places.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from snelfs.foundation.types import Singles
from snelfs.search.rank_statistics import normal_scores, standardised

# What likeness to the columns already listed takes off a tie, both as correlations.
LIKENESS = 0.6


def unlike_columns(
    Z: NDArray[np.floating],
    targets: NDArray[np.floating],
    weights: NDArray[np.float64],
    listed: Iterable[int],
    length: int,
) -> list[int]:
    """Return a list of columns that starts with the given ones, filled up with others that are worth most.

    A column is worth its correlation with a target less six tenths of its mean correlation with those listed
    before it, both on normal scores and without their signs; the targets take turns.

    Examples
    --------
    >>> Z = np.random.default_rng(0).standard_normal((200, 4))
    >>> y = Z[:, 0] + 0.9 * Z[:, 3]
    >>> Z[:, 1] = Z[:, 0] + 0.1 * Z[:, 1]
    >>> unlike_columns(Z, y[:, None], np.ones(200), [], 3)
    [0, 3, 1]
    """
    shares = weights / weights.sum()
    S = normal_scores(Z, shares)
    own = (S * shares[:, None]).astype(np.float32)
    ties = np.abs(standardised(targets, shares).T @ own)
    found = [int(column) for column in listed][:length]
    likeness = sum((_likeness(own, S, column) for column in found), np.zeros(S.shape[1]))
    turn = 0
    while len(found) < min(length, S.shape[1]):
        worth = ties[turn % len(ties)] - LIKENESS * likeness / max(1, len(found))
        worth[found] = -np.inf
        found.append(int(worth.argmax()))
        likeness = likeness + _likeness(own, S, found[-1])
        turn += 1
    return found


def _likeness(own: Singles, S: Singles, column: int) -> NDArray[np.float64]:
    return np.asarray(np.abs(own.T @ S[:, column]), dtype=np.float64)
