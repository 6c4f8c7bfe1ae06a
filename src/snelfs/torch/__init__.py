"""The layer for networks of PyTorch, and for trainings by Lightning and skorch.

PyTorch is the extra ``torch``, the other two are ``lightning`` and ``skorch``; each is imported when a name
that needs it is asked for.
"""

from typing import TYPE_CHECKING, Any

from snelfs.foundation.extras import require
from snelfs.foundation.lazy import loaded_on_use

if TYPE_CHECKING:
    from snelfs.torch.image_layer import FSImageLayer
    from snelfs.torch.layer import FSLayer
    from snelfs.torch.lightning import FSCallback
    from snelfs.torch.parameters import parameter_groups
    from snelfs.torch.selected_columns import SelectedColumns
    from snelfs.torch.skorch import FSNetClassifier, FSNetRegressor

__all__ = [
    "FSCallback",
    "FSImageLayer",
    "FSLayer",
    "FSNetClassifier",
    "FSNetRegressor",
    "SelectedColumns",
    "parameter_groups",
]

_MODULES = {
    "FSCallback": "lightning",
    "FSImageLayer": "image_layer",
    "FSLayer": "layer",
    "FSNetClassifier": "skorch",
    "FSNetRegressor": "skorch",
    "SelectedColumns": "selected_columns",
    "parameter_groups": "parameters",
}
_load = loaded_on_use(__name__, _MODULES)


def __getattr__(name: str) -> Any:
    if name in __all__:
        require("torch", "torch", "The layer in PyTorch")
    if _MODULES.get(name) == "lightning":
        require("lightning", "lightning", "The layer in lightning")
    if _MODULES.get(name) == "skorch":
        require("skorch", "skorch", "The layer in skorch")
    return _load(name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
