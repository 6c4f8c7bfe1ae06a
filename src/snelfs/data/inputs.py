"""What predictions rest on: the selected columns, and behind them those to adjust for."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from snelfs.data.beside import Beside, design
from snelfs.data.feature_groups import FeatureUnits
from snelfs.foundation.types import Flags, Ints

# What is said of marks of gaps where there is no room for them.
NEEDS_DENSE = "needs a dense table in memory: gaps of others are not marked."


def network_inputs(
    X: Any, support: Flags, beside: Beside, units: FeatureUnits | None
) -> NDArray[np.floating]:
    """Return selected columns as `feature_inputs`, and behind them the covariates."""
    selected = np.asarray(X[:, support])
    if units is not None:
        selected = feature_inputs(selected, units.levels[support], units.marked[support])
    if not len(beside.covariates):
        return selected
    return np.concatenate([selected, design(X[:, beside.covariates], beside.levels)], axis=1)


def feature_inputs(columns: NDArray[np.floating], levels: Ints, marked: Flags) -> NDArray[np.floating]:
    """Return columns with categories among them as indicators, and behind them marks of gaps.

    Examples
    --------
    >>> columns = np.array([[0.5, 0.0], [np.nan, 1.0]])
    >>> feature_inputs(columns, np.array([0, 2]), np.array([True, False])).tolist()
    [[0.5, 0.0, 0.0], [nan, 1.0, 1.0]]
    """
    marks = np.isnan(columns[:, marked])
    if levels.any():
        columns = design(columns, levels.tolist())
    return np.concatenate([columns, marks], axis=1) if marked.any() else columns


def input_columns(levels: Ints, marked: Flags) -> Ints:
    """Return of which column each of `feature_inputs` is made.

    Examples
    --------
    >>> input_columns(np.array([0, 3]), np.array([True, False]))
    array([0, 1, 1, 0])
    """
    widths = np.where(levels > 0, np.maximum(levels, 2) - 1, 1)
    return np.concatenate([np.repeat(np.arange(len(levels)), widths), np.flatnonzero(marked)])
