"""The feature-selection layer as a module of flax (nnx)."""

from typing import Any, Self

import jax.numpy as jnp
from flax import nnx

from snelfs.engine.penalties import variance_penalty
from snelfs.foundation.types import Array, Ints, Reals
from snelfs.layer import functions


class FSLayer(nnx.Module):
    """The layer ``A = X W`` in front of a network, with interface and values of `snelfs.torch.FSLayer`.

    Parameters
    ----------
    in_features : int
        Columns that enter.
    n_neurons : int
        Neurons, at least as many as columns are wanted.

    Attributes
    ----------
    weight : nnx.Param of shape (n_neurons, in_features)
    mean, scale : nnx.BatchStat of shape (in_features,)
        What the input is standardised by; 0 and 1 until `standardise` is called.
    variances : nnx.Intermediate of shape (n_neurons,)
        Those of the last pass; not numbers before the first.

    Examples
    --------
    >>> layer = FSLayer(500, 15)
    >>> layer(jnp.ones((64, 500))).shape, layer.is_admissible()
    ((64, 15), False)
    """

    def __init__(self, in_features: int, n_neurons: int) -> None:
        self.weight = nnx.Param(functions.start_weights(n_neurons, in_features))
        self.mean = nnx.BatchStat(jnp.zeros(in_features))
        self.scale = nnx.BatchStat(jnp.ones(in_features))
        self.variances = nnx.Intermediate(jnp.full(n_neurons, jnp.nan))

    def __call__(self, x: Array) -> Array:
        """Return the outputs of the neurons, of shape (rows, n_neurons), and keep their variances."""
        outputs = functions.forward((x - self.mean[...]) / self.scale[...], self.weight[...])
        self.variances[...] = functions.variances(outputs)
        return outputs

    def penalties(self) -> tuple[Array, Array]:
        """Return Ω_S, and Ω_A of the last pass (Eq. 13)."""
        return functions.sum_penalty(self.weight[...]), variance_penalty(self.variances[...]).sum()

    def penalty(self, lambda_s: Any, lambda_a: Any) -> Array:
        """Return ``λ_S Ω_S + λ_A Ω_A`` of the last pass, to be added to the loss."""
        omega_s, omega_a = self.penalties()
        return lambda_s * omega_s + lambda_a * omega_a

    def is_admissible(self, limit: float = 0.3) -> bool:
        """Tell whether both penalties a neuron are within `limit` in the last pass (section III-C)."""
        return functions.within(self.penalties(), limit, len(self.variances[...]))

    def saliency(self, kind: str = "max") -> Reals:
        """Return one score for every column: "max" (Eq. 22), or "sum" by the last pass (Eq. 21)."""
        return functions.saliency(self.weight[...], kind, deviations=jnp.sqrt(self.variances[...]))

    def selected(self, k: int, kind: str = "max") -> Ints:
        """Return the `k` columns of the largest saliency, best first."""
        return functions.first_of(self.saliency(kind), k)

    def standardise(self, X: Array) -> Self:
        """Standardise all input by the columns of `X` from now on; a constant column loses its weights."""
        mean, scale, varies = functions.standardisation(X)
        self.mean[...], self.scale[...] = jnp.asarray(mean, jnp.float32), jnp.asarray(scale, jnp.float32)
        self.weight[...] = self.weight[...] * varies
        return self
