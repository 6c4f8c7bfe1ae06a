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
from snelfs.foundation.types import Floats

_LIGHTEST, _HEAVIEST = 2.0**-400, 2.0**400  # between them weights keep the scale that they were given on


@dataclass(frozen=True)
class Rows:
    """Distinct rows in an order that depends on nothing but the rows."""

    X: NDArray[np.floating] | Source
    y: NDArray[np.generic]
    weights: Floats


def merge_rows(X: NDArray[np.floating] | Source, y: NDArray[np.generic], weights: Floats) -> Rows:
    """Drop rows of weight zero, merge equal ones adding their weights, and order the rest.

    Rows are ordered by their distance from the centre of the standardised data, which neither the
    order of the columns nor their units change; what they were given as breaks ties.
    """
    weights = _addable(weights)
    present = weights > 0
    X, y, weights = X[present], y[present], weights[present]
    marks = _digests(X, y)
    _, first, group = np.unique(marks, return_index=True, return_inverse=True)
    totals = np.bincount(group, weights).astype(np.float64)
    distances = _distances(X[first], Standardisation.of(X[first], totals))
    order = np.lexsort((marks[first], distances))
    return Rows(X[first[order]], y[first[order]], totals[order])


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


def _digests(X: NDArray[np.floating] | Source, y: NDArray[np.generic]) -> NDArray[np.str_]:
    """Return a digest of every row with its target: equal just where all values are equal."""
    _, codes = np.unique(y, return_inverse=True, axis=None if y.ndim == 1 else 0)
    return (X if isinstance(X, Source) else Source(X)).digests(codes)
