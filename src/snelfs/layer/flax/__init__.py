"""The layer for networks of flax (nnx), the extra of that name, imported when the layer is asked for."""

from typing import TYPE_CHECKING, Any

from snelfs.foundation.extras import require
from snelfs.foundation.lazy import loaded_on_use

if TYPE_CHECKING:
    from snelfs.layer.flax.layer import FSLayer

__all__ = ["FSLayer"]

_load = loaded_on_use(__name__, {"FSLayer": "layer"})


def __getattr__(name: str) -> Any:
    if name in __all__:
        require("flax", "flax", "The layer in flax")
    return _load(name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
