"""Columns as normal scores of their ranks, and how much a correlation says."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, betaln, ndtri

from snelfs.foundation.blocks import column_blocks
from snelfs.foundation.types import Singles
from snelfs.search.constants import MANY

# From which share of the rows on a column is mostly one value: the few others are quick to sort. No number of
# equal rows is just this share, so that rounding, and with it the order of the rows, decides nothing.
MOSTLY = np.sqrt(0.5)


def effective_rows(weights: NDArray[np.float64]) -> float:
    """Return how many rows of equal weight would say as much: Kish's effective number.

    A row given twice is no second witness: samples drawn with replacement would otherwise make columns look
    certain by the rows that happened to be drawn often.

    Examples
    --------
    >>> effective_rows(np.ones(10)), effective_rows(np.full(10, 3.0)), effective_rows(np.array([3.0, 1.0]))
    (10.0, 10.0, 1.6)
    """
    return float(weights.sum() ** 2 / np.square(weights).sum())


class Ranked(NamedTuple):
    """Hold columns as their ranks, between 0 and 1, and as the normal scores of these."""

    scores: Singles
    ranks: Singles


def normal_scores(X: NDArray[np.floating], shares: NDArray[np.float64] | None = None) -> Singles:
    """Return every column as normal scores of its ranks, standardised; a constant one is 0.

    Parameters
    ----------
    shares : array of shape (rows,), optional
        Share of each row in the whole; equal by default.

    Examples
    --------
    >>> normal_scores(np.array([[1.0], [100.0], [2.0]])).ravel().round(2)
    array([-1.22,  1.22,  0.  ], dtype=float32)
    """
    return ranked(X, shares).scores


def ranked(X: NDArray[np.floating], shares: NDArray[np.float64] | None = None) -> Ranked:
    """Return the ranks of every column as well as its `normal_scores`.

    The ranks cannot be read off the scores: these are standardised, which stretches those of equal values.
    """
    if shares is None:
        shares = np.full(len(X), 1 / len(X))
    found = Ranked(np.empty(X.shape, np.float32), np.empty(X.shape, np.float32))
    for block in column_blocks(*X.shape):
        ranks = middle_ranks(X[:, block], shares)
        found.ranks[:, block] = ranks
        found.scores[:, block] = standardised(ndtri(ranks), shares)
    return found


def middle_ranks(X: NDArray[np.floating], shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the share of rows below each value plus half of those equal to it.

    Where rows are many, of a column that is mostly one value, such as a count, the others alone are sorted.

    Examples
    --------
    >>> X = np.array([[0.0, 5.0], [0.0, 6.0], [0.0, 7.0], [0.0, 8.0], [-1.0, 9.0]])
    >>> middle_ranks(X, np.full(5, 0.2)).T.round(1).tolist()
    [[0.6, 0.6, 0.6, 0.6, 0.1], [0.1, 0.3, 0.5, 0.7, 0.9]]
    """
    if len(X) <= MANY:
        return _sorted_ranks(X, shares)
    usual = np.median(X, axis=0)
    mostly = shares @ (usual == X) > MOSTLY
    if not mostly.any():
        return _sorted_ranks(X, shares)
    ranks = np.empty(X.shape)
    ranks[:, ~mostly] = _sorted_ranks(X[:, ~mostly], shares)
    for column in np.flatnonzero(mostly):
        ranks[:, column] = _ranks_beside(X[:, column], usual[column], shares)
    return ranks


def _ranks_beside(
    x: NDArray[np.floating], usual: np.floating, shares: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the middle ranks of one column, most of whose values are the usual one."""
    others = np.flatnonzero(x != usual)
    above = x[others] > usual
    n_usual = shares.sum() - shares[others].sum()
    ranks = np.full(len(x), shares[others[~above]].sum() + n_usual / 2)
    if len(others):
        ranks[others] = _sorted_ranks(x[others, None], shares[others])[:, 0] + n_usual * above
    return ranks


def _sorted_ranks(X: NDArray[np.floating], shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return middle ranks by sorting every column."""
    order = np.argsort(X, axis=0)
    values = np.take_along_axis(X, order, axis=0)
    upto = np.cumsum(shares[order], axis=0)
    rises = values[1:] > values[:-1]
    # Of equal values the first knows what lies below, and the last how far they reach.
    below = np.zeros_like(upto)
    below[1:] = np.where(rises, upto[:-1], 0)
    below = np.maximum.accumulate(below, axis=0)
    reach = np.full_like(upto, np.inf)
    reach[:-1] = np.where(rises, upto[:-1], np.inf)
    reach[-1] = upto[-1]
    reach = np.minimum.accumulate(reach[::-1], axis=0)[::-1]
    ranks = np.empty_like(upto)
    np.put_along_axis(ranks, order, (below + reach) / 2, axis=0)
    return ranks


def standardised(X: NDArray[np.floating], shares: NDArray[np.float64]) -> Singles:
    """Return columns with mean 0 and variance 1; one without spread is 0."""
    centred = X - shares @ X
    deviation = np.sqrt(shares @ centred**2)
    # Relative to its size: rounding leaves a constant column with a little spread.
    flat = deviation <= 1e-6 * np.maximum(1, np.abs(X).max(axis=0))
    return np.where(flat, 0, centred / np.where(flat, 1, deviation)).astype(np.float32)


def evidence(correlation: Singles, degrees: float, tests: int, n_directions: int = 1) -> NDArray[np.float64]:
    """Return ``-log10 (tests · p)`` of correlations by Student's test, at least 0.

    The two-sided ``p`` is the incomplete beta function of ``1 - r²``. Where it is too small for a number,
    the first term of its series is its logarithm to all digits that matter.

    Parameters
    ----------
    n_directions : int, default=1
        Of a multiple correlation, in how many directions it was looked for; ``p`` is then that of the F-test.
        Rows that leave no degree of freedom say nothing.
    """
    if degrees <= n_directions - 1:
        return np.zeros(correlation.shape)
    r = np.minimum(correlation.astype(np.float64), 1 - 1e-7)  # single precision knows no more
    a, b, x = (degrees - (n_directions - 1)) / 2, n_directions / 2, 1 - r**2
    p = betainc(a, b, x)
    series = a * np.log(x) + b * np.log1p(-np.minimum(x, 0.5)) - np.log(a) - betaln(a, b)
    log_p = np.where(p > 1e-290, np.log(np.maximum(p, 1e-290)), series)
    return np.asarray(np.maximum(0, -(log_p + np.log(tests)) / np.log(10)))
