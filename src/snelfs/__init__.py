"""Feature selection with a sparse neural network layer (SNeL-FS)."""

from typing import TYPE_CHECKING

from snelfs.foundation.lazy import loaded_on_use

if TYPE_CHECKING:
    from snelfs.data.censored import survival_target
    from snelfs.data.loss import Loss
    from snelfs.engine.history import History
    from snelfs.estimators.layers import fit_with_layers
    from snelfs.estimators.paper import paper_settings
    from snelfs.estimators.snel import SNeLClassifier, SNeLRegressor
    from snelfs.estimators.survival import SNeLSurvival
    from snelfs.estimators.tuning import Tuning, tune
    from snelfs.search.association import interaction_strength
    from snelfs.search.feature_count import Curve
    from snelfs.search.stability import Stability, stability

__all__ = [
    "Curve",
    "History",
    "Loss",
    "SNeLClassifier",
    "SNeLRegressor",
    "SNeLSurvival",
    "Stability",
    "Tuning",
    "fit_with_layers",
    "interaction_strength",
    "paper_settings",
    "stability",
    "survival_target",
    "tune",
]
__version__ = "0.2.0"

# Loaded on first use: scikit-learn imports pandas where it is installed, and jax an HTTP server.
_ROOMS = {
    "CoxNetwork": "search.cox_network",  # it and those marked so are parts of models on disk
    "Curve": "search.feature_count",
    "DenseNetwork": "search.dense_network",  # so
    "History": "engine.history",
    "Loss": "data.loss",
    "Predictor": "search.predictor",  # so
    "SNeLClassifier": "estimators.snel",
    "SNeLRegressor": "estimators.snel",
    "SNeLSurvival": "estimators.survival",
    "Stability": "search.stability",
    "Standardisation": "data.standardisation",  # so
    "Tuning": "estimators.tuning",
    "fit_with_layers": "estimators.layers",
    "interaction_strength": "search.association",
    "paper_settings": "estimators.paper",
    "stability": "search.stability",
    "survival_target": "data.censored",
    "tune": "estimators.tuning",
}


__getattr__ = loaded_on_use(__name__, _ROOMS)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
