"""Score columns by how they differ between neighbouring rows: ReliefF and RReliefF."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.spatial.distance import cdist

from snelfs.foundation.blocks import slices
from snelfs.foundation.types import Floats, Places


def relieff(X: Floats, y: Places, n_neighbors: int = 10) -> Floats:
    """Return the ReliefF score of every column for classes (Kononenko 1994).

    Every row is compared with its `n_neighbors` nearest of each class, in the Manhattan distance of
    columns scaled to their range. Differences to rows of its own class count against a column, those
    to class C count for it with weight ``P(C) / (1 - P(own class))``. A class with fewer neighbours is
    averaged over those it has. All columns are taken as numbers.

    Parameters
    ----------
    X : array of shape (rows, columns)
    y : array of shape (rows,)
        Classes as integers from 0.

    Examples
    --------
    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    >>> relieff(X, np.array([0, 0, 1, 1]), n_neighbors=1)
    array([ 1., -1.])
    """
    scaled = _range_scaled(X)
    prior = np.bincount(y) / len(y)
    score = np.zeros(X.shape[1])
    for rows, distances in _distances(scaled):
        others = np.maximum(1 - prior[y[rows]], 1e-12)
        for label, share in enumerate(prior):
            members = np.flatnonzero(y == label)
            nearest = _nearest(distances[:, members], n_neighbors)
            factor = np.where(y[rows] == label, -1, share / others)
            # A row is no neighbour of itself, which shows where its class has few others.
            neighbours = members[nearest] != rows[:, None]
            weights = neighbours * (factor / np.maximum(1, neighbours.sum(axis=1)))[:, None]
            score += _weighted_differences(scaled, rows, members[nearest], weights)
    return score / len(y)


def rrelieff(X: Floats, y: Floats, n_neighbors: int = 10) -> Floats:
    """Return the RReliefF score of every column for a number as target (Robnik-Šikonja & Kononenko 1997).

    Every row is compared with its `n_neighbors` nearest, all of the same influence. With differences
    scaled to the range of their column, the score is
    ``P(column differs | target differs) - P(column differs | target does not)``.

    Examples
    --------
    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    >>> rrelieff(X, np.array([0.0, 0.0, 1.0, 1.0]), n_neighbors=2)
    array([ 1., -1.])
    """
    scaled, target = _range_scaled(X), _range_scaled(y[:, None])[:, 0]
    k = min(n_neighbors, len(y) - 1)
    nearest = np.concatenate([_nearest(distances, k) for _, distances in _distances(scaled)])
    differs = np.abs(target[:, None] - target[nearest])  # (rows, k)
    agrees = 1 - differs
    weights = differs / max(differs.sum(), 1e-12) - agrees / max(agrees.sum(), 1e-12)
    return _weighted_differences(scaled, np.arange(len(y)), nearest, weights)


def _range_scaled(X: Floats) -> Floats:
    """Return the columns scaled to [0, 1]; a constant column becomes 0."""
    low, span = X.min(axis=0), np.ptp(X, axis=0)
    return np.asarray((X - low) / np.where(span > 0, span, 1))


def _distances(X: Floats) -> Iterator[tuple[Places, Floats]]:
    """Yield blocks of rows with their distances to all rows; infinite to themselves."""
    for block in slices(len(X), len(X)):
        rows = np.arange(len(X))[block]
        distances = cdist(X[rows], X, "cityblock")
        distances[np.arange(len(rows)), rows] = np.inf
        yield rows, distances


def _nearest(distances: Floats, k: int) -> Places:
    """Return the positions of the k least distances of every row; of equals, the first."""
    return np.argsort(distances, axis=1, kind="stable")[:, :k]


def _weighted_differences(X: Floats, rows: Places, others: Places, weights: Floats) -> Floats:
    """Return for every column the weighted sum of its differences between each row and its others."""
    total = np.zeros(X.shape[1])
    for part in slices(len(rows), X.shape[1] * others.shape[1]):
        differences = np.abs(X[rows[part], None, :] - X[others[part]])  # (part, k, columns)
        total += np.einsum("rk,rkc->c", weights[part], differences)
    return total
