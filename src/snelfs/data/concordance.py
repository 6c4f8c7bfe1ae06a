"""Harrell's c-index: how often the row of the higher risk has its event sooner."""

import numpy as np

from snelfs.foundation.blocks import slices
from snelfs.foundation.types import Flags, Floats, Ints


def concordance(
    event: Flags,
    time: Floats,
    risks: Floats,
    weights: Floats | None = None,
    strata: Ints | None = None,
) -> float:
    """Return the share of comparable pairs in which the higher risk comes first; NaN if there is no pair.

    A pair is comparable if one of the two had its event while the other was still under observation: at a
    later time, or censored at the same. Equal risks count half.

    Parameters
    ----------
    weights : array of float, optional
        A weight of 2 equals the same row given twice.
    strata : array of int, optional
        Rows of different ones are not compared.

    Examples
    --------
    >>> event, time = np.array([True, True, False]), np.array([1.0, 2.0, 3.0])
    >>> concordance(event, time, np.array([3.0, 2.0, 1.0]))
    1.0
    >>> concordance(event, time, np.array([1.0, 2.0, 1.0]))
    0.5
    """
    own = np.ones(len(time)) if weights is None else weights
    right, pairs = 0.0, 0.0
    happened = np.flatnonzero(event)
    for block in slices(len(happened), max(1, len(time))):
        first = happened[block]
        later = (time > time[first, None]) | ((time == time[first, None]) & ~event)
        if strata is not None:
            later &= strata == strata[first, None]
        products = later * own * own[first, None]
        right += (products * (risks < risks[first, None])).sum()
        right += (products * (risks == risks[first, None])).sum() / 2
        pairs += products.sum()
    return float(right / pairs) if pairs > 0 else float("nan")
