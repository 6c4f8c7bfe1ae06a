"""Long tails cut: columns and targets that a few rows dominate enter as normal scores of their ranks.

Intensities, counts and times span orders of magnitude. On such a scale variance, slope and squared error are
those of the few largest rows. Ranks say as much of the others, and where tails are short nothing changes.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from snelfs.data.prepared import Prepared
from snelfs.data.splits import share
from snelfs.foundation.blocks import column_blocks
from snelfs.foundation.types import Flags, Floats, Places, Reals, Singles
from snelfs.search.rank_statistics import normal_scores

# Excess kurtosis from which tails are long: a normal column has 0, a Laplacian 3 and an exponential one 6.
LONG_TAILS = 5.0


def without_long_tails(data: Prepared) -> Prepared:
    """Return the data with normal scores in place of long-tailed columns and numeric targets.

    Columns that are not in memory stay as they are.
    """
    rows, target, Z = data.rows, data.target, data.Z
    shares = share(rows.weights)
    if target.task == "regression":
        given = rows.y.reshape(len(rows.y), -1).astype(np.float64)
        values = np.asarray(target.values, np.float32)
        target = replace(target, values=_cut(values, shares, lambda long: given[:, long]))
    elif target.own is not None and target.residuals is not None:
        # A loss has a meaning on its own scale: the evidence alone is cut.
        residuals = target.residuals
        target = replace(target, residuals=_cut(residuals, shares, lambda long: residuals[:, long]))
    if isinstance(Z, np.ndarray):
        standardised = Z
        Z = _cut(Z, shares, lambda long: _as_given(data, standardised, long))
    return replace(data, target=target, Z=Z)


def _as_given(data: Prepared, Z: Singles, places: Places) -> Reals:
    """Return columns before they were standardised, where these are in memory and say the same.

    On the standard scale of single precision the smallest values of a long-tailed column are all alike.
    """
    table = data.rows.X
    if not isinstance(table, np.ndarray) or data.C is not None:  # freed from covariates they are others
        return Z[:, places]
    given = table[:, data.kept[places]]
    other = np.isnan(given).any(axis=0)
    if data.units is not None:  # an indicator is not what was given
        other |= data.units.levels[data.kept[places]] > 0
    return np.where(other, Z[:, places], given)


def long_tailed(Z: Reals, shares: Floats) -> Flags:
    """Tell which standardised columns have long tails.

    Examples
    --------
    >>> Z = np.array([[-1.0, -0.3], [1.0, -0.3], [-1.0, -0.3], [1.0, -0.3], [0.0, 3.0]] * 2)
    >>> long_tailed(Z, np.r_[np.full(8, 0.12), 0.02, 0.02]).tolist()
    [False, True]
    """
    kurtosis = np.concatenate([shares @ np.square(np.square(Z[:, b])) for b in column_blocks(*Z.shape)])
    return np.asarray(kurtosis > 3 + LONG_TAILS)


def _cut(Z: Reals, shares: Floats, to_rank: Callable[[Places], Reals]) -> Reals:
    """Return standardised columns, those with long tails as normal scores of what is to be ranked."""
    long = np.flatnonzero(long_tailed(Z, shares))
    if not len(long):
        return Z
    cut = Z.copy()
    cut[:, long] = normal_scores(to_rank(long), shares)
    return cut
