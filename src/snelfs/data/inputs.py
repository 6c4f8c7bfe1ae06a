"""What predictions rest on: the selected columns, and behind them those to adjust for."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from snelfs.data.beside import Beside, design
from snelfs.data.feature_groups import FeatureUnits
from snelfs.foundation.types import Flags


def network_inputs(
    X: Any, support: Flags, beside: Beside, units: FeatureUnits | None
) -> NDArray[np.floating]:
    """Return selected columns, categories among them as indicators, and behind them the covariates."""
    selected = np.asarray(X[:, support])
    if units is not None and units.levels[support].any():
        selected = design(selected, units.levels[support].tolist())
    if not len(beside.covariates):
        return selected
    return np.concatenate([selected, design(X[:, beside.covariates], beside.levels)], axis=1)
