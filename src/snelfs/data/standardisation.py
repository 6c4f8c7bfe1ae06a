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
    """Weighted mean and standard deviation of every column, and which columns vary at all."""

    mean: Floats
    scale: Floats  # 1 for constant columns
    varies: NDArray[np.bool_]

    @classmethod
    def of(cls, X: NDArray[np.floating] | Source, weights: Floats) -> "Standardisation":
        """Measure the columns of `X`, whose rows have `weights`."""
        if isinstance(X, Source):
            mean, scale, varies = X.moments(weights)
            return cls(mean, np.where(varies, scale, 1.0), varies)
        shares = weights / weights.sum()
        parts = [_column_moments(X[:, block], shares) for block in column_blocks(*X.shape)]
        mean, scale, varies = (np.concatenate(values) for values in zip(*parts, strict=True))
        return cls(mean, np.where(varies, scale, 1.0), varies)

    def of_columns(self, columns: Ints | slice) -> "Standardisation":
        """Return that of some of the columns."""
        return Standardisation(self.mean[columns], self.scale[columns], self.varies[columns])

    def apply(self, X: NDArray[np.floating]) -> Floats:
        """Return the columns with mean 0 and variance 1."""
        factor = unit_factors(self.scale)
        return np.asarray((X * factor - self.mean * factor) / (self.scale * factor))

    def undo(self, Z: NDArray[np.floating]) -> Floats:
        """Return standardised values to the scale of the data."""
        return np.asarray(Z * self.scale + self.mean)


def _column_moments(X: NDArray[np.floating], shares: Floats) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Return mean and deviation of every column, and whether it varies at all."""
    mean = shares @ X
    largest = np.abs(X).max(axis=0)
    factor = unit_factors(largest)
    near_one = X * factor
    # A constant such as 0.1 has a spread of rounding errors around its computed mean.
    varies = np.ptp(near_one, axis=0) > 10 * np.finfo(X.dtype).eps * (largest * factor)
    return mean, np.sqrt(shares @ np.square(near_one - mean * factor)) / factor, varies
