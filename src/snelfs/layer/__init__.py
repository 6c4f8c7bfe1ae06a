"""The layer as a part of your own network: its functions in JAX, and the rules of its training.

Nothing here knows of the network behind the layer. `PenaltySchedule`, `RateSchedule` and `BestSelection` are
plain Python and serve any framework; the functions are those that the estimators train with, on the weights
of one layer, of shape ``(n_neurons, n_columns)``. Layers that are modules of a framework are
`snelfs.torch.FSLayer`, `snelfs.layer.flax.FSLayer` and `snelfs.layer.equinox.FSLayer`.
"""

from snelfs.layer.best_selection import BestSelection
from snelfs.layer.functions import (
    forward,
    is_admissible,
    penalties,
    saliency,
    selected,
    standardisation,
    start_weights,
    sum_penalty,
    variance_penalty,
    variances,
)
from snelfs.layer.schedules import PenaltySchedule, RateSchedule

__all__ = [
    "BestSelection",
    "PenaltySchedule",
    "RateSchedule",
    "forward",
    "is_admissible",
    "penalties",
    "saliency",
    "selected",
    "standardisation",
    "start_weights",
    "sum_penalty",
    "variance_penalty",
    "variances",
]
