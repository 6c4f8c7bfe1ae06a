"""The training in eager PyTorch, as a user would write it: what the engine's speed is compared with."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from snelfs.bench.speed.jobs import ALPHA, PENALTY_LIMIT, Job


def products(job: Job) -> None:
    """Compute the two products of every epoch and nothing else."""
    import torch

    X, W = torch.tensor(job.X), torch.tensor(job.start.W[0])
    for _ in range(job.n_epochs):
        _ = (W @ X.T) @ X


def train(job: Job) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Train one model, one step an epoch; return the layers of the best admitted epoch and of the last.

    Every epoch is a pass over the training rows with its gradient, one over the validation rows without,
    and a step of Adam; the layer is copied when it beats the best one.
    """
    import torch

    X, y = torch.tensor(job.X), torch.tensor(job.y, dtype=torch.float32)
    held_out = torch.tensor(job.validation)
    X_train, y_train, X_held, y_held = X[~held_out], y[~held_out], X[held_out], y[held_out]
    network = _network(job)
    optimizer = torch.optim.Adam(network.parameters(), eps=1e-7)
    best_loss, best_W = np.inf, network[0].weight.detach().clone()
    for lambda_s, lambda_a, rate in zip(*job.epochs, strict=True):
        loss, omega_s, omega_a = _measured(network, X_train, y_train)
        admitted = torch.maximum(omega_s, omega_a) <= PENALTY_LIMIT * len(best_W)
        with torch.no_grad():
            held_loss = _measured(network, X_held, y_held)[0]
            if admitted and held_loss < best_loss:
                best_loss, best_W = float(held_loss), network[0].weight.detach().clone()
        objective = loss + _decay(network) + float(lambda_s) * omega_s + float(lambda_a) * omega_a
        optimizer.param_groups[0]["lr"] = float(rate)
        optimizer.zero_grad()
        objective.backward()
        optimizer.step()
    return np.asarray(best_W), np.asarray(network[0].weight.detach())


def _network(job: Job) -> Any:
    """Return the layer and the dense network behind it, with the start values of the job."""
    import torch

    def filled(module: Any, weight: Any, bias: Any = None) -> Any:
        with torch.no_grad():
            module.weight.copy_(torch.tensor(np.asarray(weight)))
            if bias is not None:
                module.bias.copy_(torch.tensor(np.asarray(bias)))
        return module

    dim, columns = job.start.W[0].shape
    modules = [filled(torch.nn.Linear(columns, dim, bias=False), job.start.W[0])]
    for kernel, bias in ((layer.kernel[0], layer.bias[0]) for layer in job.start.layers):
        modules += [filled(torch.nn.Linear(*kernel.shape), kernel.T, bias), torch.nn.ReLU()]
    return torch.nn.Sequential(*modules[:-1])  # no ReLU after the output


def _measured(network: Any, X: Any, y: Any) -> tuple[Any, Any, Any]:
    """Return the mean loss of the rows, Ω_S and Ω_A (Eq. 13)."""
    import torch

    A = network[0](X)
    logits = network[1:](A)[:, 0]
    loss = torch.nn.functional.binary_cross_entropy_with_logits(logits, y)
    omega_s = torch.relu(network[0].weight.abs().sum(dim=1) - 1).sum()
    omega_a = torch.relu(1 - A.square().mean(dim=0)).sum()
    return loss, omega_s, omega_a


def _decay(network: Any) -> Any:
    kernels = [module.weight for module in network[1:] if hasattr(module, "weight")]
    return ALPHA * sum(kernel.abs().sum() + kernel.square().sum() for kernel in kernels)
