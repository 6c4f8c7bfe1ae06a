"""The penalties as pure functions of tensors, e.g. for `torch.compile` and `torch.func`.

``weight`` has shape ``(n_neurons, in_features)``, ``outputs`` has ``(..., n_neurons)``. Sums are of single
precision at least, whatever mixed precision the outputs come in.
"""

import torch
from torch import Tensor


def sum_penalty(weight: Tensor) -> Tensor:
    """Return Ω_S: by how much the neurons' absolute weights sum to more than 1 (Eq. 13).

    Its gradient is that of Eq. 14: zero at a weight of zero, and at a sum of exactly 1, where
    `torch.clamp` would have one.

    Examples
    --------
    >>> float(sum_penalty(torch.tensor([[0.75, -1.0], [0.5, 0.25]])))
    0.75
    """
    return torch.relu(_wide(weight).abs().sum(dim=-1) - 1.0).sum()


def variances(outputs: Tensor, row_weights: Tensor | None = None) -> Tensor:
    """Return the variance of every neuron's output, its mean square over all rows (Eq. 16).

    Parameters
    ----------
    row_weights : tensor, optional
        One for each row, non-negative and on any scale; by default all rows count alike.

    Examples
    --------
    >>> variances(torch.tensor([[1.0, 0.0], [-1.0, 4.0]])).tolist()
    [1.0, 8.0]
    """
    squares = _wide(outputs).square().reshape(-1, outputs.shape[-1])
    if row_weights is None:
        return squares.mean(dim=0)
    weights = row_weights.reshape(-1).to(squares)
    return (weights / weights.sum()) @ squares


def variance_penalty(outputs: Tensor, row_weights: Tensor | None = None) -> Tensor:
    """Return Ω_A: what the variances of the neurons' outputs lack to 1 (Eq. 13), with Eq. 18 as gradient.

    Examples
    --------
    >>> float(variance_penalty(torch.tensor([[0.5, 0.0], [-0.5, 4.0]])))
    0.75
    """
    return lacking(variances(outputs, row_weights))


def lacking(of_neurons: Tensor) -> Tensor:
    """Return Ω_A of variances that are known already."""
    return torch.relu(1.0 - of_neurons).sum()


def penalties(weight: Tensor, outputs: Tensor, row_weights: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """Return Ω_S and Ω_A of a layer with this weight and these outputs."""
    return sum_penalty(weight), variance_penalty(outputs, row_weights)


def max_weight(weight: Tensor) -> Tensor:
    """Return the max-weight saliency of every column, ``max_k |w_jk| / Σ_i |w_ik|`` (Eq. 22)."""
    magnitude = _wide(weight).abs()
    return _share_of(magnitude.sum(dim=1, keepdim=True), magnitude).amax(dim=0)


def sum_weight(weight: Tensor, of_neurons: Tensor) -> Tensor:
    """Return the sum-weight saliency of every column, ``mean_k |w_jk| / std(A_k)`` (Eq. 21).

    Parameters
    ----------
    of_neurons : tensor of shape (n_neurons,)
        The variances of their outputs. A neuron without spread adds nothing.
    """
    return _share_of(of_neurons.sqrt()[:, None], _wide(weight).abs()).mean(dim=0)


def _share_of(whole: Tensor, part: Tensor) -> Tensor:
    """Return ``part / whole``, and zero where the whole is nothing."""
    return torch.where(whole > 0, part / torch.where(whole > 0, whole, 1.0), 0.0)


def _wide(values: Tensor) -> Tensor:
    """Return the values in single precision, or in double if they are of it."""
    return values.to(torch.promote_types(values.dtype, torch.float32))
