"""Ties between columns and the target: alone, by their square, and by their product with another column.

A column that matters only together with another one, as in XOR, has no correlation with the target; the
product of the two has. Looking at all pairs is three matrix products a block, not a loop over pairs.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri
from scipy.stats import t as student
from sklearn.utils import check_array
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import _check_sample_weight

Floats = NDArray[np.float32]

KINDS = ("linear", "square", "product")

# Numbers of a block of pairs held at once: 128 MB an array, whatever the number of columns.
_BLOCK = 2**25


class Strength(NamedTuple):
    """Hold how strongly every column is tied to the target; each field has one value a column.

    Attributes
    ----------
    score : ndarray of float
        The largest of the three below.
    kind : ndarray of str
        Which one that is: "linear", "square" or "product".
    linear, square, product : ndarray of float
        ``-log10 p`` of the correlation of the column, of its square, and of its best product with another
        column, with the target. The last p is multiplied by the number of partners tried, and each by the
        number of classes if there are more than two; 0 is no evidence at all.
    partner : ndarray of int
        The other column of that best product; -1 if there is none.
    """

    score: NDArray[np.float64]
    kind: NDArray[np.str_]
    linear: NDArray[np.float64]
    square: NDArray[np.float64]
    product: NDArray[np.float64]
    partner: NDArray[np.intp]


def interaction_strength(
    X: ArrayLike, y: ArrayLike, *, task: str = "auto", sample_weight: ArrayLike | None = None
) -> Strength:
    """Return how strongly every column is tied to the target, alone or together with another column.

    Unlike a univariate filter it finds columns that matter only in pairs, and says with which partner. The
    columns are turned into normal scores of their ranks first: the products of skewed columns have heavy
    tails that would swamp everything else.

    Parameters
    ----------
    X : array-like of shape (rows, columns)
        Finite numbers on any scale. Constant columns have no tie.
    y : array-like of shape (rows,)
        Classes of any kind, each then taken against the rest, or numbers.
    task : {"auto", "classification", "regression"}, default="auto"
        "auto" takes numbers with a fractional part for a regression.
    sample_weight : array-like of shape (rows,), optional
        A weight of 2 equals the same row given twice.

    Examples
    --------
    >>> from snelfs.datasets import make_xor
    >>> X, y, relevant = make_xor(200, 100, random_state=0)
    >>> strength = interaction_strength(X, y)
    >>> bool(np.array_equal(np.sort(np.argsort(-strength.score)[:2]), relevant))
    True
    >>> bool(strength.partner[relevant[0]] == relevant[1])
    True
    """
    columns = check_array(X, dtype=np.float64, ensure_min_samples=3)
    weights = _check_sample_weight(sample_weight, columns, dtype=np.float64, ensure_non_negative=True)
    targets = class_targets(np.asarray(y), task, len(columns))
    present = weights > 0
    return measure_strength(columns[present], targets[present], weights[present])


def measure_strength(
    X: NDArray[np.floating], targets: NDArray[np.floating], weights: NDArray[np.float64]
) -> Strength:
    """Return the ties of columns to one or several targets of shape (rows, targets), without checks."""
    shares = weights / weights.sum()
    Z = normal_scores(X, shares)
    T = _standardised(targets, shares).T * shares.astype(np.float32)  # (targets, rows), weighted
    tests = len(T)
    # Weights count rows; on any smaller scale the rows themselves do.
    degrees = max(weights.sum(), len(Z)) - 2
    linear = _evidence(np.abs(T @ Z).max(axis=0), degrees, tests)
    square = _evidence(np.abs(T @ _standardised(Z**2, shares)).max(axis=0), degrees, tests)
    correlation, partner = _best_products(Z, T, shares.astype(np.float32))
    product = _evidence(correlation, degrees, tests * max(1, Z.shape[1] - 1))
    ties = np.stack([linear, square, product])
    kind = np.array(KINDS)[ties.argmax(axis=0)]
    return Strength(ties.max(axis=0), kind, linear, square, product, partner)


def normal_scores(X: NDArray[np.floating], shares: NDArray[np.float64] | None = None) -> Floats:
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
    if shares is None:
        shares = np.full(len(X), 1 / len(X))
    return _standardised(ndtri(_middle_ranks(X, shares)), shares)


def _middle_ranks(X: NDArray[np.floating], shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the share of rows below each value plus half of those equal to it."""
    order = np.argsort(X, axis=0, kind="stable")
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


def class_targets(y: NDArray[np.generic], task: str, n_rows: int) -> NDArray[np.float64]:
    """Return numbers as one column, or a column for each class against the rest (one for two classes)."""
    if y.shape != (n_rows,):
        raise ValueError(f"y must have one value for each of the {n_rows} rows, got the shape {y.shape}.")
    if task not in ("auto", "classification", "regression"):
        raise ValueError(f"task must be 'auto', 'classification' or 'regression', got {task!r}.")
    if task == "regression" or (task == "auto" and type_of_target(y) == "continuous"):
        return y.astype(np.float64)[:, None]
    classes = np.unique(y)
    if len(classes) < 2:
        raise ValueError(f"y must have at least two classes, got {classes[0]!r} alone.")
    chosen = classes[1:] if len(classes) == 2 else classes
    return np.asarray(y[:, None] == chosen, dtype=np.float64)


def _standardised(X: NDArray[np.floating], shares: NDArray[np.float64]) -> Floats:
    """Return columns with mean 0 and variance 1; one without spread is 0."""
    centred = X - shares @ X
    deviation = np.sqrt(shares @ centred**2)
    # Relative to its size: rounding leaves a constant column with a little spread.
    flat = deviation <= 1e-6 * np.maximum(1, np.abs(X).max(axis=0))
    return np.where(flat, 0, centred / np.where(flat, 1, deviation)).astype(np.float32)


def _best_products(Z: Floats, T: Floats, shares: Floats) -> tuple[Floats, NDArray[np.intp]]:
    """Return for every column the largest correlation of a product with a target, and its partner."""
    n_columns = Z.shape[1]
    best = np.zeros(n_columns, np.float32)
    partner = np.full(n_columns, -1, np.intp)
    squares = Z**2
    size = max(1, _BLOCK // n_columns)
    for start in range(0, n_columns, size):
        block = slice(start, min(start + size, n_columns))
        found = _pair_correlations(Z, squares, T, shares, block)  # (block, columns)
        at = found.argmax(axis=1)
        best[block] = found[np.arange(len(at)), at]
        partner[block] = np.where(best[block] > 0, at, -1)
    return best, partner


def _pair_correlations(Z: Floats, squares: Floats, T: Floats, shares: Floats, block: slice) -> Floats:
    """Return ``max over targets of |corr(z_i z_j, y)|`` for i in a block and all j other than i.

    With y standardised, ``cov(z_i z_j, y) = E[z_i z_j y]`` and
    ``var(z_i z_j) = E[z_i² z_j²] - E[z_i z_j]²``: every part is a matrix product.
    """
    own = shares[:, None]
    variance = (squares[:, block] * own).T @ squares
    variance -= np.square((Z[:, block] * own).T @ Z)
    largest = np.zeros_like(variance)
    for target in T:
        covariance = (Z[:, block] * target[:, None]).T @ Z
        np.maximum(largest, np.abs(covariance, out=covariance), out=largest)
    # A product without spread, as of two equal coins, has no tie.
    flat = variance < 1e-6
    largest /= np.sqrt(np.where(flat, 1, variance))
    largest[flat] = 0
    itself = np.arange(largest.shape[0])
    largest[itself, block.start + itself] = 0
    return np.minimum(largest, 1)


def _evidence(correlation: Floats, degrees: float, tests: int) -> NDArray[np.float64]:
    """Return ``-log10 (tests · p)`` of correlations by Student's test, at least 0."""
    r = np.minimum(correlation.astype(np.float64), 1 - 1e-7)  # single precision knows no more
    t = r * np.sqrt(degrees / (1 - r**2))
    log_p = np.log(2) + student.logsf(t, degrees) + np.log(tests)
    return np.asarray(np.maximum(0, -log_p / np.log(10)))
