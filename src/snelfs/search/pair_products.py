"""The best product of every column with another: all pairs, by three matrix products a block."""

import numpy as np
from numpy.typing import NDArray

from snelfs.foundation.blocks import slices
from snelfs.foundation.types import Flags, Singles

# Of so many columns all pairs are looked at; of more, those with a column that shows something alone.
ALL_PAIRS = 40_000


# A product of less variance has none but that of rounding.
LEAST_VARIANCE = 1e-6


def leading_columns(alone: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return the columns of which one must be in a pair: all of them, up to `ALL_PAIRS`.

    Of more columns, those that are associated most strongly alone, fewer the more columns there are, so that
    the work grows no faster than their number.
    """
    n_columns = len(alone)
    if n_columns <= ALL_PAIRS:
        return np.arange(n_columns)
    return np.sort(np.argsort(-alone, kind="stable")[: ALL_PAIRS**2 // n_columns])


def best_products(
    Z: Singles, T: Singles, shares: Singles, leaders: NDArray[np.intp], left_out: Flags
) -> tuple[NDArray[np.float32], NDArray[np.intp]]:
    """Return for every target and column the largest correlation of a product, and its partner.

    Pairs of which neither is among the `leaders` are left out, and so are those with a column that is
    `left_out` for the target, of shape (targets, columns).
    """
    order = np.concatenate([leaders, np.setdiff1d(np.arange(Z.shape[1]), leaders)])
    Z, left_out = Z[:, order], left_out[:, order]
    squares = Z**2
    best = _Best(len(T), len(order))
    for block in slices(len(leaders), len(order)):
        # A pair shows up once: in the block of the one that comes first.
        start, others = block.start, slice(block.start, len(order))
        precision = _pair_precision(Z, squares, shares, block, others)
        for place, target in enumerate(T):
            found = (Z[:, block] * target[:, None]).T @ Z[:, others]  # cov(z_i z_j, y), as y is standardised
            np.abs(found, out=found)
            found *= precision
            found[left_out[place, block]] = 0
            found[:, left_out[place, others]] = 0
            best.rows_of(found, place, start)
            best.columns_of(found, place, start)
    return best.in_order(order)


class _Best:
    """The best product of every column so far, for every target."""

    def __init__(self, n_targets: int, n_columns: int) -> None:
        self.value = np.zeros((n_targets, n_columns), np.float32)
        self.partner = np.full((n_targets, n_columns), -1, np.intp)

    def rows_of(self, found: Singles, target: int, start: int) -> None:
        """Take in the best of every row of a block, whose corner is at `start`."""
        at = found.argmax(axis=1)
        places = start + np.arange(len(found))
        self._take(target, places, found[np.arange(len(found)), at], start + at)

    def columns_of(self, found: Singles, target: int, start: int) -> None:
        """Take in the best of every column of a block; most have a better one, and are not looked through."""
        better = np.flatnonzero(found.max(axis=0) > self.value[target, start:])
        at = found[:, better].argmax(axis=0)
        self._take(target, start + better, found[at, better], start + at)

    def _take(
        self, target: int, places: NDArray[np.intp], values: Singles, partners: NDArray[np.intp]
    ) -> None:
        better = values > self.value[target, places]
        self.value[target, places[better]] = np.minimum(values[better], 1)
        self.partner[target, places[better]] = partners[better]

    def in_order(self, order: NDArray[np.intp]) -> tuple[Singles, NDArray[np.intp]]:
        """Return values and partners, given which column each place was."""
        value, partner = np.empty_like(self.value), np.empty_like(self.partner)
        value[:, order] = self.value
        partner[:, order] = np.where(self.partner >= 0, order[self.partner], -1)
        return value, partner


def _pair_precision(Z: Singles, squares: Singles, shares: Singles, block: slice, others: slice) -> Singles:
    """Return ``1 / std(z_i z_j)`` for i in a block and j in another that starts with it.

    It is 0 for j = i and for products without spread. ``var(z_i z_j) = E[z_i² z_j²] - E[z_i z_j]²``: both
    parts are matrix products.
    """
    own = shares[:, None]
    variance = (squares[:, block] * own).T @ squares[:, others]
    mean = (Z[:, block] * own).T @ Z[:, others]
    variance -= np.square(mean, out=mean)
    # A product without spread, as of two equal coins, has no association.
    variance[variance < LEAST_VARIANCE] = np.inf
    np.fill_diagonal(variance, np.inf)
    return np.asarray(1 / np.sqrt(variance, out=variance))
