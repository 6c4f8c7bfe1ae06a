"""The dense network behind the FS layer: ReLU stack, heads and losses by task (section III-A).

All restarts go through together: every kernel has a leading restart axis.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from snelfs.engine.penalties import magnitude
from snelfs.foundation.task import Task
from snelfs.foundation.types import Array


class Dense(NamedTuple):
    """One dense layer of all restarts."""

    kernel: Array  # (restarts, inputs, units)
    bias: Array  # (restarts, units)


def start_network(generators: Sequence[np.random.Generator], sizes: Sequence[int]) -> list[Dense]:
    """Return Glorot-uniform kernels and zero biases for layers of the given sizes.

    Parameters
    ----------
    generators : sequence of numpy.random.Generator
        One for each restart.
    sizes : sequence of int
        Units from the FS layer to the output, e.g. ``(dim, 10, 1)``.
    """
    layers = []
    for inputs, units in pairwise(sizes):
        bound = np.sqrt(6.0 / (inputs + units))
        kernels = [g.uniform(-bound, bound, (inputs, units)) for g in generators]
        bias = np.zeros((len(generators), units), np.float32)
        layers.append(Dense(np.stack(kernels).astype(np.float32), bias))
    return layers


def with_inputs(A: Array, beside: Array | None) -> Array:
    """Return the layer's outputs, and behind them inputs that all restarts share, such as covariates.

    Parameters
    ----------
    A : array of shape (restarts, dim, rows)
    beside : array of shape (rows, inputs) or None
    """
    if beside is None:
        return A
    return jnp.concatenate([A, jnp.broadcast_to(beside.T, (A.shape[0], *beside.T.shape))], axis=1)


def forward(layers: Sequence[Dense], A: Array, direct: Array | None = None) -> Array:
    """Return the network's raw outputs (logits or predictions) for FS-layer outputs `A`.

    Parameters
    ----------
    direct : array of shape (restarts, inputs, outputs), optional
        Weights by which `A` reaches the outputs past the hidden units.
    """
    hidden = A
    for layer in layers[:-1]:
        hidden = jax.nn.relu(_affine(layer, hidden))
    outputs = _affine(layers[-1], hidden)
    return outputs if direct is None else outputs + jnp.einsum("rio,rin->ron", direct, A)


def with_shared_outputs(layers: Sequence[Dense], n_shared: int) -> list[Dense]:
    """Return a network whose last outputs, so many of them, are biases alone and the same for all rows."""
    if not n_shared:
        return list(layers)
    kernel, bias = layers[-1]
    varies = np.arange(kernel.shape[2]) < kernel.shape[2] - n_shared
    return [*layers[:-1], Dense(kernel * varies.astype(np.float32), bias)]


def _affine(layer: Dense, A: Array) -> Array:
    return jnp.einsum("riu,rin->run", layer.kernel, A) + layer.bias[:, :, None]


def row_losses(task: Task, outputs: Array, y: Array) -> Array:
    """Return the loss of every row: cross-entropy for classes, squared error for regression.

    Parameters
    ----------
    outputs : array of shape (restarts, units, rows)
        One logit per class (a single one for two classes) or label, or one prediction per target.
    y : array of shape (rows,) or (targets, rows)
        Class codes ``0 .. k-1``, zeros and ones of labels, or standardised targets.

    Returns
    -------
    array of shape (restarts, rows)
    """
    if task == "binary":
        logits = outputs[:, 0]
        return jax.nn.softplus(logits) - y * logits
    if task == "multilabel":
        return (jax.nn.softplus(outputs) - y * outputs).mean(axis=1)
    if task == "multiclass":
        chosen = jnp.take_along_axis(outputs, y[None, None, :], axis=1)[:, 0]
        return jax.nn.logsumexp(outputs, axis=1) - chosen
    return jnp.square(outputs - y).mean(axis=1)


def weight_decay(layers: Sequence[Dense], alpha_l1: Array, alpha_l2: Array, n_free: int = 0) -> Array:
    """Return ``Σ (l1·|w| + l2·w²)`` over the kernels of each restart; biases and the last inputs go free.

    The two factors may be one number for all restarts or one for each.

    Parameters
    ----------
    n_free : int, default=0
        How many of the network's inputs, the last ones, enter unpenalised.
    """
    kernels = [kernel for kernel, _ in layers]
    if n_free:
        kernels[0] = kernels[0][:, :-n_free]
    sizes = jnp.stack([magnitude(k).sum(axis=(1, 2)) for k in kernels]).sum(axis=0)
    squares = jnp.stack([jnp.square(k).sum(axis=(1, 2)) for k in kernels]).sum(axis=0)
    return alpha_l1 * sizes + alpha_l2 * squares


def pad_units(layers: Sequence[Dense], sizes: Sequence[int]) -> list[Dense]:
    """Return a network widened to `sizes` by units without weights: they neither act nor ever learn.

    Parameters
    ----------
    sizes : sequence of int
        Units from the FS layer to the output, as for `start_network`, none smaller than now.
    """
    padded = []
    for (kernel, bias), (inputs, units) in zip(layers, pairwise(sizes), strict=True):
        more_inputs, more_units = inputs - kernel.shape[1], units - kernel.shape[2]
        padded.append(
            Dense(
                np.pad(kernel, ((0, 0), (0, more_inputs), (0, more_units))),
                np.pad(bias, ((0, 0), (0, more_units))),
            )
        )
    return padded
