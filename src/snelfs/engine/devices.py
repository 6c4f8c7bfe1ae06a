"""Columns shared out over several devices, of this process or of several that JAX has joined.

Every device holds its part of the columns of ``X`` and of all arrays of the layer's shape; the rest, which is
small, every device has whole. An epoch then exchanges the layer's outputs, not its weights.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec
from numpy.typing import NDArray

from snelfs.foundation.checks import ArgumentError, count
from snelfs.foundation.types import Array

Device: TypeAlias = jax.Device


def chosen_devices(asked: object) -> tuple[Device, ...] | None:
    """Return the devices meant by a number, by "all", or by None: JAX's default one.

    Examples
    --------
    >>> len(chosen_devices(1)), chosen_devices(None)
    (1, None)
    >>> chosen_devices("both")
    Traceback (most recent call last):
    snelfs.foundation.checks.ArgumentError: devices must be None, 'all' or an integer of at least 1,
    got 'both'.
    """
    if asked is None:
        return None
    if isinstance(asked, str):
        if asked != "all":
            raise ArgumentError("devices", f"must be None, 'all' or an integer of at least 1, got {asked!r}.")
        return tuple(jax.devices())
    wanted, there = count("devices", asked, 1), jax.devices()
    if wanted > len(there):
        raise ArgumentError(f"devices={wanted}", f"is more than JAX has: {len(there)} device(s).")
    return tuple(there[:wanted])


@dataclass(frozen=True)
class Placement:
    """Where arrays go: columns shared out over devices, or everything on JAX's default device."""

    mesh: Mesh | None = None

    @classmethod
    def over(cls, devices: Sequence[Device] | None) -> "Placement":
        """Share columns out over these devices."""
        return cls() if devices is None else cls(Mesh(np.array(devices), ("columns",)))

    @property
    def of_several_processes(self) -> bool:
        """Tell whether other processes run the same programs."""
        return self.mesh is not None and self.mesh.is_multi_process

    def share_columns(self, array: Array) -> Array:
        """Return an array whose last axis, the columns, is shared out.

        Columns of zeros fill it up to a multiple of the devices: they have no gradient, and stay zero.
        """
        if self.mesh is None:
            return jax.numpy.asarray(array)
        missing = -array.shape[-1] % self.mesh.size
        padded = np.pad(array, [(0, 0)] * (array.ndim - 1) + [(0, missing)])
        return _from_parts(padded, self._by_columns(padded.ndim))

    def copy_everywhere(self, tree: Any) -> Any:
        """Return arrays that every device has whole."""
        if self.mesh is None:
            return jax.tree.map(jax.numpy.asarray, tree)
        return jax.tree.map(lambda array: _from_parts(np.asarray(array), self._whole()), tree)

    def shardings(self, tree: Any, layer_shape: tuple[int, ...]) -> Any:
        """Return where each array of a tree belongs; those of the layer's shape are shared out."""

        def belongs(array: Array) -> NamedSharding:
            return self._by_columns(array.ndim) if array.shape == layer_shape else self._whole()

        return jax.tree.map(belongs, tree)

    def fetch(self, array: Array, n_columns: int | None = None) -> NDArray[Any]:
        """Return a whole array, the first `n_columns` of it if given."""
        if not array.is_fully_addressable:
            gather = jax.jit(lambda whole: whole, out_shardings=self._whole())
            array = gather(array).addressable_data(0)
        return np.asarray(array)[..., :n_columns]

    def _by_columns(self, ndim: int) -> NamedSharding:
        assert self.mesh is not None
        return NamedSharding(self.mesh, PartitionSpec(*[None] * (ndim - 1), "columns"))  # type: ignore[no-untyped-call]

    def _whole(self) -> NamedSharding:
        assert self.mesh is not None
        return NamedSharding(self.mesh, PartitionSpec())  # type: ignore[no-untyped-call]


def _from_parts(array: NDArray[Any], sharding: NamedSharding) -> Array:
    """Return a device array of which each device, wherever it is, takes its own part."""
    return jax.make_array_from_callback(array.shape, sharding, lambda part: array[part])
