"""Distinct rows in an order of their own.

A row given twice is the same as a row of weight two, and the order of the rows means nothing: equal
rows are merged and all rows put in an order of their own before anything random happens. So a
repeated row cannot sit on both sides of a split either.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from snelfs.data.sources import Source
from snelfs.data.standardisation import Standardisation
from snelfs.foundation.blocks import column_blocks
from snelfs.foundation.powers import unit_factors
from snelfs.foundation.types import Flags, Floats, Ints

_LIGHTEST, _HEAVIEST = 2.0**-400, 2.0**400  # between them weights keep the scale that they were given on


@dataclass(frozen=True)
class Rows:
    """Distinct rows in an order that depends on nothing but the rows."""

    X: NDArray[np.floating] | Source
    y: NDArray[np.generic]
    weights: Floats
    groups: Ints | None = None  # which rows belong together; None: each is alone

    def where(self, chosen: Flags) -> "Rows":
        """Return some of the rows."""
        groups = None if self.groups is None else self.groups[chosen]
        return Rows(self.X[chosen], self.y[chosen], self.weights[chosen], groups)


def merge_rows(
    X: NDArray[np.floating] | Source,
    y: NDArray[np.generic],
    weights: Floats,
    groups: Ints | None = None,
) -> Rows:
    """Drop rows of weight zero, merge equal ones of a group adding their weights, and order the rest.

    Rows are ordered by their distance from the centre of the standardised data, which neither the
    order of the columns nor their units change; what they were given as breaks ties.
    """
    weights = _addable(weights)
    present = weights > 0
    X, y, weights = X[present], y[present], weights[present]
    groups = None if groups is None else groups[present]
    marks = _digests(X, y, groups)
    _, first, group = np.unique(marks, return_index=True, return_inverse=True)
    totals = np.bincount(group, weights).astype(np.float64)
    distances = _distances(X[first], Standardisation.of(X[first], totals))
    order = np.lexsort((marks[first], distances))
    chosen = first[order]
    return Rows(X[chosen], y[chosen], totals[order], None if groups is None else _numbered(groups[chosen]))


def _numbered(groups: Ints) -> Ints:
    """Return the groups numbered as they come, so that what they are called does not matter."""
    _, first, codes = np.unique(groups, return_index=True, return_inverse=True)
    return np.asarray(np.argsort(np.argsort(first))[codes], dtype=np.int64)


def _addable(weights: Floats) -> Floats:
    """Return the weights, on another scale if their sum would overflow or their squares vanish."""
    largest = weights.max(initial=0.0)
    return weights if _LIGHTEST < largest < _HEAVIEST else weights * unit_factors(largest)


def _distances(X: NDArray[np.floating] | Source, columns: Standardisation) -> Floats:
    """Return the squared distance of every row from the centre, on the standard scale."""
    # No row is apart from the others in a constant column, whatever its mean rounds to.
    columns = replace(columns, scale=np.where(columns.varies, columns.scale, np.inf))
    if isinstance(X, Source):
        return X.distances(columns.mean, columns.scale)
    distances = np.zeros(len(X))
    for block in column_blocks(*X.shape):
        distances += np.square(columns.of_columns(block).apply(X[:, block])).sum(axis=1)
    return distances


def _digests(
    X: NDArray[np.floating] | Source, y: NDArray[np.generic], groups: Ints | None
) -> NDArray[np.str_]:
    """Return a digest of every row with its target and group: equal just where all values are equal."""
    _, codes = np.unique(y, return_inverse=True, axis=None if y.ndim == 1 else 0)
    if groups is not None:
        codes = codes + (codes.max() + 1) * groups
    return X.digests(codes) if isinstance(X, Source) else Source(X).digests(codes, gaps=True)
