"""The feature-selection layer as a module of equinox."""

from typing import Any, Self

import equinox as eqx
import jax.numpy as jnp
from jax.lax import stop_gradient

from snelfs.foundation.types import Array, Ints, Reals
from snelfs.layer import functions


class FSLayer(eqx.Module):
    """The layer ``A = X W`` in front of a network, with the values of `snelfs.torch.FSLayer`.

    Modules of equinox never change: what depends on a pass takes its `outputs`, and `standardise` returns a
    new layer.

    Parameters
    ----------
    in_features : int
        Columns that enter.
    n_neurons : int
        Neurons, at least as many as columns are wanted.

    Attributes
    ----------
    weight : array of shape (n_neurons, in_features)
    mean, scale : arrays of shape (in_features,)
        What the input is standardised by, 0 and 1 at first. They have no gradient.

    Examples
    --------
    >>> layer = FSLayer(500, 15)
    >>> A = layer(jnp.ones((64, 500)))
    >>> A.shape, layer.is_admissible(A)
    ((64, 15), False)
    """

    weight: Array
    mean: Array
    scale: Array

    def __init__(self, in_features: int, n_neurons: int) -> None:
        self.weight = functions.start_weights(n_neurons, in_features)
        self.mean, self.scale = jnp.zeros(in_features), jnp.ones(in_features)

    def __call__(self, x: Array) -> Array:
        """Return the outputs of the neurons for a row or for rows, of shape (..., n_neurons)."""
        return ((x - stop_gradient(self.mean)) / stop_gradient(self.scale)) @ self.weight.T

    def penalties(self, outputs: Array) -> tuple[Array, Array]:
        """Return Ω_S and Ω_A (Eq. 13) of a pass with these outputs."""
        return functions.penalties(self.weight, outputs)

    def penalty(self, lambda_s: Any, lambda_a: Any, outputs: Array) -> Array:
        """Return ``λ_S Ω_S + λ_A Ω_A``, to be added to the loss."""
        omega_s, omega_a = self.penalties(outputs)
        return lambda_s * omega_s + lambda_a * omega_a

    def is_admissible(self, outputs: Array, limit: float = 0.3) -> bool:
        """Tell whether both penalties a neuron are within `limit` (section III-C)."""
        return functions.is_admissible(self.weight, outputs, limit)

    def saliency(self, kind: str = "max", outputs: Array | None = None) -> Reals:
        """Return one score for every column: "max" (Eq. 22), or "sum" by the outputs (Eq. 21)."""
        return functions.saliency(self.weight, kind, outputs)

    def selected(self, k: int, kind: str = "max", outputs: Array | None = None) -> Ints:
        """Return the `k` columns of the largest saliency, best first."""
        return functions.first_of(self.saliency(kind, outputs), k)

    def standardise(self, X: Array) -> Self:
        """Return a layer that standardises by the columns of `X`; a constant one has no weights."""
        mean, scale, varies = functions.standardisation(X)
        changed = (self.weight * varies, jnp.asarray(mean, jnp.float32), jnp.asarray(scale, jnp.float32))
        layer: Self = eqx.tree_at(lambda old: (old.weight, old.mean, old.scale), self, changed)
        return layer
