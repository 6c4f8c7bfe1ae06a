"""The layer for networks of equinox, the extra of that name, imported when the layer is asked for."""

from typing import TYPE_CHECKING, Any

from snelfs.foundation.extras import require
from snelfs.foundation.lazy import loaded_on_use

if TYPE_CHECKING:
    from snelfs.layer.equinox.layer import FSLayer

__all__ = ["FSLayer"]

_load = loaded_on_use(__name__, {"FSLayer": "layer"})


def __getattr__(name: str) -> Any:
    if name in __all__:
        require("equinox", "equinox", "The layer in equinox")
    return _load(name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
