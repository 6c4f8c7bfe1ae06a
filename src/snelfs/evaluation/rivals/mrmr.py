"""Choose columns by mutual information: much with the target, little with one another (mRMR)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from snelfs.foundation.blocks import column_blocks

States = NDArray[np.integer]


def deviation_states(X: NDArray[np.floating], width: float = 0.5) -> States:
    """Return each column cut into three states at its mean ± `width` standard deviations.

    Examples
    --------
    >>> deviation_states(np.array([[0.0], [5.0], [10.0]])).ravel()
    array([0, 1, 2], dtype=int8)
    """
    mean, margin = X.mean(axis=0), width * X.std(axis=0)
    # One byte a value: a table of 5,000 x 20,000 takes 100 MB.
    return np.asarray((mean - margin <= X).astype(np.int8) + (mean + margin < X))


def quantile_states(y: NDArray[np.floating], n_states: int = 5) -> States:
    """Return the values cut into states of about equal frequency; equal values share a state.

    Examples
    --------
    >>> quantile_states(np.array([3.0, 1.0, 2.0, 4.0]), n_states=2)
    array([1, 0, 0, 1])
    """
    edges = np.quantile(y, np.arange(1, n_states) / n_states)
    return np.searchsorted(edges, y, side="right")


def mutual_informations(states: States, target: States) -> NDArray[np.float64]:
    """Return the mutual information, in nats, of each column of states with one vector of states.

    Parameters
    ----------
    states : array of shape (rows, columns)
        Small integers from 0.
    target : array of shape (rows,)
        Small integers from 0.

    Examples
    --------
    >>> mutual_informations(np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 0, 1, 1])).round(3)
    array([0.693, 0.   ])
    """
    codes = np.arange(target.max() + 1)
    # float32 counts exactly up to 2**24 rows, and its products are the fastest.
    one_hot = (target[:, None] == codes).astype(np.float32)  # (rows, classes)
    blocks = column_blocks(*states.shape)
    return np.concatenate([_information(states[:, block], one_hot) for block in blocks])


def _information(states: States, one_hot: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return Σ c log c - Σ r log r - Σ t log t + n log n over the table of counts, divided by n."""
    counts = np.stack(
        [(states == state).astype(np.float32).T @ one_hot for state in range(int(states.max()) + 1)], axis=1
    ).astype(np.float64)  # (columns, states, classes)
    n = len(states)
    joint = _c_log_c(counts).sum(axis=(1, 2))
    margins = _c_log_c(counts.sum(axis=2)).sum(axis=1) + _c_log_c(counts.sum(axis=1)).sum(axis=1)
    return np.asarray((joint - margins + n * np.log(n)) / n)


def _c_log_c(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(counts * np.log(np.maximum(counts, 1)))


def mrmr(states: States, target: States, n_features: int) -> NDArray[np.intp]:
    """Return the columns that Peng, Long & Ding (2005) choose, best first; of equals, the first.

    Each step takes the column of greatest ``MI(x; y) - mean of MI(x; s) over the chosen s``, their
    difference criterion.

    Parameters
    ----------
    states : array of shape (rows, columns)
        Columns in states, as of `deviation_states`.
    target : array of shape (rows,)
        Encoded classes, or a target in states as of `quantile_states`.
    n_features : int
        How many to choose; at most the number of columns.

    Examples
    --------
    The second column repeats the first; the third is weaker, and new:

    >>> best, other = [0, 0, 0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 1, 0, 1]
    >>> mrmr(np.array([best, best, other]).T, np.array([0, 0, 0, 0, 1, 1, 1, 1]), 2)
    array([0, 2])
    """
    relevance = mutual_informations(states, target)
    redundancy = np.zeros_like(relevance)
    chosen: list[int] = []
    while len(chosen) < min(n_features, len(relevance)):
        score = relevance - redundancy / max(1, len(chosen))
        score[chosen] = -np.inf
        # Rounded, since equal columns may differ in the last bits.
        chosen.append(int(np.argmax(score.round(10))))
        redundancy += mutual_informations(states, states[:, chosen[-1]])
    return np.array(chosen, dtype=np.intp)
