"""Powers of two that bring numbers of any size near 1: exact, so that what is worked out keeps its bits."""

import numpy as np
from numpy.typing import ArrayLike

from snelfs.foundation.types import Floats

# Beyond these a power of two, or its inverse, is no normal number of double precision.
_LEAST, _MOST = -1022, 1022


def unit_factors(magnitudes: ArrayLike) -> Floats:
    """Return the powers of two by which magnitudes are multiplied to lie near 1; zeros get the largest.

    Squares of numbers beyond 1e154 overflow, and those of numbers below 1e-154 vanish: first they are
    multiplied by such a factor, and what comes out is divided by it. No bit is lost by that.

    Examples
    --------
    >>> (np.array([3e200, 0.5]) * unit_factors([3e200, 0.5])).round(3).tolist()
    [0.98, 0.5]
    """
    largest = np.abs(np.asarray(magnitudes, dtype=np.float64))
    powers = np.where(largest > 0, np.frexp(largest)[1], _LEAST)
    return np.asarray(np.ldexp(1.0, -np.clip(powers, _LEAST, _MOST)))
