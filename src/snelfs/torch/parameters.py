"""The layer within a network: where it is, and how its weights are stepped."""

from typing import Any

from torch import nn
from torch.optim import Optimizer

from snelfs.foundation.checks import ArgumentError
from snelfs.torch.layer import FSLayer


def layer_in(network: nn.Module) -> FSLayer:
    """Return the one `FSLayer` of a network, or raise if it has none or several."""
    found = [module for module in network.modules() if isinstance(module, FSLayer)]
    if len(found) != 1:
        kind = type(network).__name__
        raise ArgumentError("network", f"must have one FSLayer in it, got a {kind} with {len(found)}.")
    return found[0]


def parameter_groups(network: nn.Module, lr: float) -> list[dict[str, Any]]:
    """Return two groups for an optimiser: the layer's weight, and all others with the rate `lr`.

    The layer's own rate is that of a `snelfs.layer.RateSchedule`, here its mean of ``0.5 / in_features``: it
    must fall with the number of columns, and other weights need not.

    Examples
    --------
    >>> network = nn.Sequential(FSLayer(500, 15), nn.Linear(15, 1))
    >>> [(len(group["params"]), group["lr"]) for group in parameter_groups(network, lr=0.01)]
    [(1, 0.001), (2, 0.01)]
    """
    layer = layer_in(network)
    others = [parameter for parameter in network.parameters() if parameter is not layer.weight]
    return [{"params": [layer.weight], "lr": 0.5 / layer.in_features}, {"params": others, "lr": lr}]


def set_rate(optimizer: Optimizer, layer: FSLayer, rate: float) -> None:
    """Set the learning rate of the group that the layer's weight is in."""
    for group in optimizer.param_groups:
        if any(parameter is layer.weight for parameter in group["params"]):
            group["lr"] = rate
