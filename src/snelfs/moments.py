"""Ties between columns and the target: alone, by their square, and by their product with another column.

A column that matters only together with another one, as in XOR, has no correlation with the target; the
product of the two has. Looking at all pairs is three matrix products a block, not a loop over pairs.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betainc, betaln, ndtri
from sklearn.utils import check_array
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import _check_sample_weight

from snelfs.sources import Source, column_blocks

Floats = NDArray[np.float32]

KINDS = ("linear", "square", "product")

# Of so many columns all pairs are looked at; of more, those with a column that shows something alone.
ALL_PAIRS = 40_000

# Numbers of a block of pairs held at once: 8 MB an array, whatever the number of columns.
_BLOCK = 2**21

# Evidence, after all that were tried are counted, of a chance of one in ten.
BEYOND_DOUBT = 1.0


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
    target : ndarray of int
        The class, or the target of several, that the column is most strongly tied to; with two classes it is
        0 for all.
    share : ndarray of float
        The strongest tie as a share of that of the best column for the same class, between 0 and 1.
    order : ndarray of int
        All columns, best first, the classes taking turns: otherwise the class that is easiest to tell would
        have all the first places.
    """

    score: NDArray[np.float64]
    kind: NDArray[np.str_]
    linear: NDArray[np.float64]
    square: NDArray[np.float64]
    product: NDArray[np.float64]
    partner: NDArray[np.intp]
    target: NDArray[np.intp]
    share: NDArray[np.float64]
    order: NDArray[np.intp]


def interaction_strength(
    X: ArrayLike, y: ArrayLike, *, task: str = "auto", sample_weight: ArrayLike | None = None
) -> Strength:
    """Return how strongly every column is tied to the target, alone or together with another column.

    Unlike a univariate filter it finds columns that matter only in pairs, and says with which partner. The
    columns are turned into normal scores of their ranks first: the products of skewed columns have heavy
    tails that would swamp everything else. Up to 40,000 columns all pairs are looked at; of m columns more
    than that, all pairs with one of the 40,000² / m that are tied most strongly alone.

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
    first, totals = _distinct_rows(columns, targets, weights)
    return measure_strength(columns[first], targets[first], totals)


def _distinct_rows(
    columns: NDArray[np.float64], targets: NDArray[np.float64], weights: NDArray[np.float64]
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Return one of each row of positive weight, and the weights of all that equal it."""
    present = np.flatnonzero(weights > 0)
    marks = Source(columns[present]).digests(targets[present])
    _, first, group = np.unique(marks, return_index=True, return_inverse=True)
    totals = np.bincount(group, weights[present]).astype(np.float64)
    in_order = np.argsort(first)
    return present[first[in_order]], totals[in_order]


def measure_strength(
    X: NDArray[np.floating], targets: NDArray[np.floating], weights: NDArray[np.float64]
) -> Strength:
    """Return the ties of columns to one or several targets of shape (rows, targets), without checks."""
    shares = weights / weights.sum()
    Z = normal_scores(X, shares)
    T = standardised(targets, shares).T * shares.astype(np.float32)  # (targets, rows), weighted
    tests = len(T)
    degrees = effective_rows(weights) - 2
    linear = evidence(np.abs(T @ Z), degrees, tests)
    square = evidence(_square_ties(Z, T, shares), degrees, tests)
    leaders = _leaders(np.maximum(linear, square).max(axis=0))
    correlation, partner = _best_products(Z, T, shares.astype(np.float32), leaders)
    product = evidence(correlation, degrees, tests * max(1, Z.shape[1] - 1))
    return _summary(np.stack([linear, square, product]), partner)


def _square_ties(Z: Floats, T: Floats, shares: NDArray[np.float64]) -> Floats:
    """Return the correlations of the columns' squares with the targets, without their signs."""
    blocks = column_blocks(*Z.shape)
    return np.concatenate([np.abs(T @ standardised(Z[:, block] ** 2, shares)) for block in blocks], axis=1)


def _leaders(alone: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return the columns of which one must be in a pair: all of them, up to `ALL_PAIRS`.

    Of more columns, those that are tied most strongly alone, fewer the more columns there are, so that
    the work grows no faster than their number.
    """
    n_columns = len(alone)
    if n_columns <= ALL_PAIRS:
        return np.arange(n_columns)
    return np.sort(np.argsort(-alone, kind="stable")[: ALL_PAIRS**2 // n_columns])


def best_partners(Z: Floats, targets: NDArray[np.floating], columns: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return for some columns the other one whose product with it is tied to the target beyond chance.

    Unlike `interaction_strength` it looks at the pairs of these columns alone, which is cheap however many
    others there are. A product counts if it says more than the column alone or its square, and if chance
    would show so much in one of ten tables of so many columns.

    Parameters
    ----------
    Z : array of shape (rows, all columns)
        Normal scores of the columns.
    targets : array of shape (rows, targets)
        One or several targets as numbers.
    columns : array of int
        The columns to find partners of.

    Returns
    -------
    array of int
        One partner for each of `columns`; -1 where there is none.
    """
    n_rows, n_columns = Z.shape
    shares = np.full(n_rows, 1 / n_rows)
    T = standardised(targets, shares).T * shares.astype(np.float32)
    correlation, partner = _best_products(Z, T, shares.astype(np.float32), columns)
    partner = partner[:, columns]
    product = evidence(correlation[:, columns], n_rows - 2, len(T) * max(1, n_columns - 1))
    own = Z[:, columns]
    alone = np.maximum(
        evidence(np.abs(T @ own), n_rows - 2, len(T)),
        evidence(np.abs(T @ standardised(own**2, shares)), n_rows - 2, len(T)),
    ).max(axis=0)
    best = product.argmax(axis=0)
    strongest = product.max(axis=0)
    counts = (strongest > alone) & (strongest - np.log10(n_columns) >= BEYOND_DOUBT)
    return np.where(counts, np.take_along_axis(partner, best[None], axis=0)[0], -1)


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


def _summary(ties: NDArray[np.float64], partner: NDArray[np.intp]) -> Strength:
    """Return the strongest ties over kinds and targets, given ties of shape (kinds, targets, columns)."""
    by_target = ties.max(axis=0)
    best = by_target.max(axis=1, keepdims=True)
    product = ties[KINDS.index("product")]
    return Strength(
        score=by_target.max(axis=0),
        kind=np.array(KINDS)[ties.max(axis=1).argmax(axis=0)],
        linear=ties[0].max(axis=0),
        square=ties[1].max(axis=0),
        product=product.max(axis=0),
        partner=np.take_along_axis(partner, product.argmax(axis=0)[None], axis=0)[0],
        target=by_target.argmax(axis=0),
        share=np.asarray((by_target / np.where(best > 0, best, 1)).max(axis=0)),
        order=take_turns(by_target),
    )


def take_turns(scores: NDArray[np.floating]) -> NDArray[np.intp]:
    """Return all columns, best first, the rows of `scores` taking turns to name their next best.

    Examples
    --------
    >>> take_turns(np.array([[9.0, 8.0, 7.0, 0.0], [0.0, 0.1, 0.2, 0.3]]))
    array([0, 3, 1, 2])
    """
    lists = np.argsort(-scores, axis=1, kind="stable")
    _, first = np.unique(lists.T, return_index=True)  # where, reading turn by turn, a column first occurs
    return np.argsort(first)


def beyond_doubt(strength: Strength) -> list[int]:
    """Return the columns whose ties chance would show in one of ten tables of so many columns, in order."""
    n_columns = len(strength.score)
    certain = strength.score - np.log10(n_columns) >= BEYOND_DOUBT
    return [int(column) for column in strength.order if certain[column]]


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
    scores = np.empty(X.shape, np.float32)
    for block in column_blocks(*X.shape):
        scores[:, block] = standardised(ndtri(middle_ranks(X[:, block], shares)), shares)
    return scores


def middle_ranks(X: NDArray[np.floating], shares: NDArray[np.float64]) -> NDArray[np.float64]:
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


def standardised(X: NDArray[np.floating], shares: NDArray[np.float64]) -> Floats:
    """Return columns with mean 0 and variance 1; one without spread is 0."""
    centred = X - shares @ X
    deviation = np.sqrt(shares @ centred**2)
    # Relative to its size: rounding leaves a constant column with a little spread.
    flat = deviation <= 1e-6 * np.maximum(1, np.abs(X).max(axis=0))
    return np.where(flat, 0, centred / np.where(flat, 1, deviation)).astype(np.float32)


def _best_products(
    Z: Floats, T: Floats, shares: Floats, leaders: NDArray[np.intp]
) -> tuple[NDArray[np.float32], NDArray[np.intp]]:
    """Return for every target and column the largest correlation of a product, and its partner.

    Pairs of which neither is among the `leaders` are left out.
    """
    order = np.concatenate([leaders, np.setdiff1d(np.arange(Z.shape[1]), leaders)])
    Z = Z[:, order]
    squares = Z**2
    best = _Best(len(T), len(order))
    size = max(1, _BLOCK // len(order))
    for start in range(0, len(leaders), size):
        # A pair shows up once: in the block of the one that comes first.
        block, others = slice(start, min(start + size, len(leaders))), slice(start, len(order))
        precision = _pair_precision(Z, squares, shares, block, others)
        for place, target in enumerate(T):
            found = (Z[:, block] * target[:, None]).T @ Z[:, others]  # cov(z_i z_j, y), as y is standardised
            np.abs(found, out=found)
            found *= precision
            best.rows_of(found, place, start)
            best.columns_of(found, place, start)
    return best.in_order(order)


class _Best:
    """The best product of every column so far, for every target."""

    def __init__(self, n_targets: int, n_columns: int) -> None:
        self.value = np.zeros((n_targets, n_columns), np.float32)
        self.partner = np.full((n_targets, n_columns), -1, np.intp)

    def rows_of(self, found: Floats, target: int, start: int) -> None:
        """Take in the best of every row of a block, whose corner is at `start`."""
        at = found.argmax(axis=1)
        places = start + np.arange(len(found))
        self._take(target, places, found[np.arange(len(found)), at], start + at)

    def columns_of(self, found: Floats, target: int, start: int) -> None:
        """Take in the best of every column of a block; most have a better one, and are not looked through."""
        better = np.flatnonzero(found.max(axis=0) > self.value[target, start:])
        at = found[:, better].argmax(axis=0)
        self._take(target, start + better, found[at, better], start + at)

    def _take(
        self, target: int, places: NDArray[np.intp], values: Floats, partners: NDArray[np.intp]
    ) -> None:
        better = values > self.value[target, places]
        self.value[target, places[better]] = np.minimum(values[better], 1)
        self.partner[target, places[better]] = partners[better]

    def in_order(self, order: NDArray[np.intp]) -> tuple[Floats, NDArray[np.intp]]:
        """Return values and partners, given which column each place was."""
        value, partner = np.empty_like(self.value), np.empty_like(self.partner)
        value[:, order] = self.value
        partner[:, order] = np.where(self.partner >= 0, order[self.partner], -1)
        return value, partner


def _pair_precision(Z: Floats, squares: Floats, shares: Floats, block: slice, others: slice) -> Floats:
    """Return ``1 / std(z_i z_j)`` for i in a block and j in another that starts with it.

    It is 0 for j = i and for products without spread. ``var(z_i z_j) = E[z_i² z_j²] - E[z_i z_j]²``: both
    parts are matrix products.
    """
    own = shares[:, None]
    variance = (squares[:, block] * own).T @ squares[:, others]
    mean = (Z[:, block] * own).T @ Z[:, others]
    variance -= np.square(mean, out=mean)
    # A product without spread, as of two equal coins, has no tie.
    variance[variance < 1e-6] = np.inf
    np.fill_diagonal(variance, np.inf)
    return np.asarray(1 / np.sqrt(variance, out=variance))


def evidence(correlation: Floats, degrees: float, tests: int) -> NDArray[np.float64]:
    """Return ``-log10 (tests · p)`` of correlations by Student's test, at least 0.

    The two-sided ``p`` is the incomplete beta function of ``1 - r²``. Where it is too small for a number,
    the first term of its series is its logarithm to all digits that matter.
    """
    r = np.minimum(correlation.astype(np.float64), 1 - 1e-7)  # single precision knows no more
    a, b, x = degrees / 2, 0.5, 1 - r**2
    p = betainc(a, b, x)
    series = a * np.log(x) + b * np.log1p(-np.minimum(x, 0.5)) - np.log(a) - betaln(a, b)
    log_p = np.where(p > 1e-290, np.log(np.maximum(p, 1e-290)), series)
    return np.asarray(np.maximum(0, -(log_p + np.log(tests)) / np.log(10)))
