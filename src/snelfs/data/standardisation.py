"""The scale of columns: mean 0 and variance 1 inside, and back."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from snelfs.data.sources import Source
from snelfs.foundation.blocks import column_blocks
from snelfs.foundation.naming import named_in_root
from snelfs.foundation.powers import unit_factors
from snelfs.foundation.types import Floats, Ints


@named_in_root
@dataclass(frozen=True)
class Standardisation:
    """Weighted mean and standard deviation of every column, and which columns vary at all.

    Where values are missing they are filled first, with the weighted median of the others.
    """

    mean: Floats
    scale: Floats  # 1 for constant columns
    varies: NDArray[np.bool_]
    fill: Floats | None = None  # of every column; None where nothing was missing

    @classmethod
    def of(
        cls, X: NDArray[np.floating] | Source, weights: Floats, *, fill: bool = False
    ) -> "Standardisation":
        """Measure the columns of `X`, whose rows have `weights`.

        Parameters
        ----------
        fill : bool, default=False
            Whether to know what fills a gap even if there is none: other rows may have some.
        """
        if isinstance(X, Source):
            mean, scale, varies = X.moments(weights)
            return cls(mean, np.where(varies, scale, 1.0), varies)
        medians = weighted_medians(X, weights) if fill or np.isnan(X).any() else None
        shares = weights / weights.sum()
        parts = []
        for block in column_blocks(*X.shape):
            columns = X[:, block] if medians is None else filled(X[:, block], medians[block])
            parts.append(_column_moments(columns, shares))
        mean, scale, varies = (np.concatenate(values) for values in zip(*parts, strict=True))
        return cls(mean, np.where(varies, scale, 1.0), varies, medians)

    def of_columns(self, columns: Ints | slice) -> "Standardisation":
        """Return that of some of the columns."""
        fill = None if self.fill is None else self.fill[columns]
        return Standardisation(self.mean[columns], self.scale[columns], self.varies[columns], fill)

    def apply(self, X: NDArray[np.floating]) -> Floats:
        """Return the columns with mean 0 and variance 1, without gaps."""
        X = X if self.fill is None else filled(X, self.fill)
        factor = unit_factors(self.scale)
        return np.asarray((X * factor - self.mean * factor) / (self.scale * factor))

    def undo(self, Z: NDArray[np.floating]) -> Floats:
        """Return standardised values to the scale of the data."""
        return np.asarray(Z * self.scale + self.mean)


def filled(X: NDArray[np.floating], fill: Floats) -> NDArray[np.floating]:
    """Return columns with what fills each in place of its missing values.

    Examples
    --------
    >>> filled(np.array([[1.0, np.nan], [np.nan, 2.0]]), np.array([5.0, 6.0])).tolist()
    [[1.0, 6.0], [5.0, 2.0]]
    """
    missing = np.isnan(X)
    return np.where(missing, fill.astype(X.dtype), X) if missing.any() else X


def weighted_medians(X: NDArray[np.floating], weights: Floats) -> Floats:
    """Return the median of the values of every column that are not missing, or 0 where all are.

    A weight of 2 is the same as the row given twice.

    Examples
    --------
    >>> X = np.array([[1.0, np.nan], [2.0, np.nan], [9.0, np.nan], [np.nan, np.nan]])
    >>> weighted_medians(X, np.ones(4)).tolist(), weighted_medians(X, np.array([1.0, 1.0, 2.0, 7.0])).tolist()
    ([2.0, 0.0], [5.5, 0.0])
    """
    medians = np.zeros(X.shape[1])
    for block in column_blocks(*X.shape):
        order = np.argsort(X[:, block], axis=0, kind="stable")  # what is missing comes last
        values = np.take_along_axis(X[:, block], order, axis=0)
        upto = np.cumsum(np.where(np.isnan(values), 0.0, weights[order]), axis=0)
        half = upto[-1] / 2
        # Of an even number the two in the middle; halved first, since their sum may overflow.
        middle = [np.minimum(below.sum(axis=0), len(values) - 1) for below in (upto < half, upto <= half)]
        halves = np.stack([np.take_along_axis(values, place[None], axis=0)[0] / 2.0 for place in middle])
        medians[block] = np.where(half > 0, halves.sum(axis=0), 0.0)
    return medians


def _column_moments(X: NDArray[np.floating], shares: Floats) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Return mean and deviation of every column, and whether it varies at all."""
    mean = shares @ X
    largest = np.abs(X).max(axis=0)
    factor = unit_factors(largest)
    near_one = X * factor
    # A constant such as 0.1 has a spread of rounding errors around its computed mean.
    varies = np.ptp(near_one, axis=0) > 10 * np.finfo(X.dtype).eps * (largest * factor)
    return mean, np.sqrt(shares @ np.square(near_one - mean * factor)) / factor, varies
