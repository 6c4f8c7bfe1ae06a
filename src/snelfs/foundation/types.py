"""The array types, each named once."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

# On the device: what `jax` traces, or NumPy's arrays as input.
Array: TypeAlias = Any

Floats: TypeAlias = NDArray[np.float64]
Singles: TypeAlias = NDArray[np.float32]
Reals: TypeAlias = NDArray[np.floating]  # of either precision
Ints: TypeAlias = NDArray[np.int64]
Places: TypeAlias = NDArray[np.intp]  # indices
Flags: TypeAlias = NDArray[np.bool_]
Texts: TypeAlias = NDArray[np.str_]
