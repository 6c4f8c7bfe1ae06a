"""Learn which columns a network needs with stochastic gates (Yamada et al. 2020)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Settings:
    """What the authors' examples set for either task: full batches, plain gradient descent, tanh units."""

    hidden: tuple[int, ...]
    lam: float
    n_epochs: int
    sigma: float = 0.5
    learning_rate: float = 0.1
    weight_decay: float = 1e-3


CLASSIFICATION = Settings(hidden=(60, 20), lam=0.5, n_epochs=5000)
REGRESSION = Settings(hidden=(500, 50, 10), lam=0.1, n_epochs=3000)


def gate_means(
    X: NDArray[np.float32], y: NDArray[Any], n_classes: int, settings: Settings, seed: int = 0
) -> NDArray[np.float64]:
    """Return the mean μ of every column's gate after training; the open gates have the largest.

    A gate is ``z = clip(1/2 + μ + σε, 0, 1)`` with ε drawn anew at each step, and μ starts at 0. The loss
    is that of the network on the gated columns plus ``λ · mean of Φ((1/2 + μ)/σ)``, the share of open gates.

    Parameters
    ----------
    X : array of shape (rows, columns)
        Standardised columns.
    y : array of shape (rows,)
        Classes as integers from 0, or a standardised target.
    n_classes : int
        0 for a number as target.
    """
    import torch

    # A generator of its own leaves the global one alone.
    generator = torch.Generator().manual_seed(seed)
    inputs = torch.tensor(X, dtype=torch.float32)
    target = torch.tensor(y, dtype=torch.long if n_classes else torch.float32)
    layers = _start(X.shape[1], settings.hidden, n_classes or 1, generator)
    mu = torch.zeros(X.shape[1], requires_grad=True)
    parameters = [mu, *(tensor for layer in layers for tensor in layer)]
    optimizer = torch.optim.SGD(parameters, lr=settings.learning_rate, weight_decay=settings.weight_decay)
    for _ in range(settings.n_epochs):
        noise = settings.sigma * torch.randn(mu.shape, generator=generator)
        output = _forward(inputs * torch.clamp(0.5 + mu + noise, 0, 1), layers)
        loss = (
            torch.nn.functional.cross_entropy(output, target)
            if n_classes
            else torch.nn.functional.mse_loss(output[:, 0], target)
        )
        open_share = torch.special.ndtr((0.5 + mu) / settings.sigma).mean()
        optimizer.zero_grad()
        (loss + settings.lam * open_share).backward()
        optimizer.step()
    return np.asarray(mu.detach().numpy(), dtype=np.float64)


def _start(n_columns: int, hidden: tuple[int, ...], n_outputs: int, generator: Any) -> list[tuple[Any, Any]]:
    """Return weights and biases of every layer: normal of deviation 0.1 cut at 0.2, and zero."""
    import torch

    sizes = [n_columns, *hidden, n_outputs]
    layers = []
    for n_in, n_out in pairwise(sizes):
        weights = torch.empty(n_in, n_out)
        torch.nn.init.trunc_normal_(weights, std=0.1, a=-0.2, b=0.2, generator=generator)
        layers.append((weights.requires_grad_(), torch.zeros(n_out, requires_grad=True)))
    return layers


def _forward(values: Any, layers: list[tuple[Any, Any]]) -> Any:
    for weights, bias in layers[:-1]:
        values = (values @ weights + bias).tanh()
    weights, bias = layers[-1]
    return values @ weights + bias
