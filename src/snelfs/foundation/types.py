"""The array type of functions that run on the device: what `jax` traces, or NumPy's arrays as input."""

from typing import Any, TypeAlias

Array: TypeAlias = Any
