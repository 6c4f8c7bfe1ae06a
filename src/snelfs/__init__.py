"""Feature selection with a sparse neural network layer (SNeL-FS)."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from snelfs.estimators.paper import paper_settings
    from snelfs.estimators.snel import SNeLClassifier, SNeLRegressor
    from snelfs.estimators.tuning import Tuning, tune

__all__ = ["SNeLClassifier", "SNeLRegressor", "Tuning", "paper_settings", "tune"]
__version__ = "0.1.0"

# Loaded on first use: scikit-learn imports pandas where it is installed, and jax an HTTP server.
_HOMES = {
    "SNeLClassifier": "estimators.snel",
    "SNeLRegressor": "estimators.snel",
    "Tuning": "estimators.tuning",
    "paper_settings": "estimators.paper",
    "tune": "estimators.tuning",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'snelfs' has no attribute {name!r}")
    return getattr(import_module(f"snelfs.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
