"""A small convolutional network: with the layer before it to choose pixels, or a mask to judge them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from sklearn.model_selection import train_test_split
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from snelfs.foundation.types import Floats, Ints
from snelfs.layer import BestSelection, PenaltySchedule, RateSchedule
from snelfs.torch import FSImageLayer, parameter_groups

BATCH = 128
LEARNING_RATE = 3e-3


@dataclass(frozen=True)
class Labelled:
    """Images of shape ``(n, 1, height, width)`` with their classes, numbered from 0."""

    images: Tensor
    classes: Tensor

    @classmethod
    def from_rows(cls, X: Floats, classes: Ints, shape: tuple[int, int], brightest: float) -> Labelled:
        """Return rows of pixels as images whose values are shares of the brightest."""
        images = torch.tensor(X / brightest, dtype=torch.float32).reshape(-1, 1, *shape)
        return cls(images, torch.as_tensor(classes, dtype=torch.int64))

    def part(self, rows: Ints | Tensor) -> Labelled:
        """Return some of them."""
        rows = torch.as_tensor(rows)
        return Labelled(self.images[rows], self.classes[rows])

    def behind(self, mask: Tensor) -> Labelled:
        """Return the same images with zero wherever the mask is false."""
        return Labelled(self.images * mask, self.classes)

    def batches(self, size: int) -> list[Labelled]:
        """Return them in a new random order, in batches of equal size; what remains is left out."""
        size = min(size, len(self.classes))
        order = torch.randperm(len(self.classes))[: len(self.classes) // size * size]
        return [self.part(order[first : first + size]) for first in range(0, len(order), size)]


def convolutional_network(shape: tuple[int, int], n_classes: int) -> nn.Sequential:
    """Return two convolutions, each with pooling, and two dense layers."""
    height, width = shape
    return nn.Sequential(
        nn.Conv2d(1, 8, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(8, 16, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(16 * (height // 4) * (width // 4), 32),
        nn.ReLU(),
        nn.Linear(32, n_classes),
    )


def train_layer(data: Labelled, n_pixels: int, seed: int, *, n_steps: int) -> BestSelection:
    """Train the layer and the network behind it once, and return the best layer.

    A fifth of the images are kept from training. An epoch's score is what the network loses on them if it is
    shown the selected pixels alone.
    """
    rows, held_out = train_test_split(
        np.arange(len(data.classes)), test_size=0.2, stratify=data.classes, random_state=seed
    )
    training, validation = data.part(rows), data.part(held_out)
    with torch.random.fork_rng(devices=[]):  # the global generator is given back as it was
        torch.manual_seed(seed)
        height, width = data.images.shape[-2:]
        first = FSImageLayer(height, width, n_pixels).standardise(training.images)
        behind = convolutional_network((height, width), int(data.classes.max()) + 1)
        return _trained(first, behind, training, validation, n_steps)


def _trained(
    first: FSImageLayer, behind: nn.Module, training: Labelled, validation: Labelled, n_steps: int
) -> BestSelection:
    layer, network, best = first.layer, nn.Sequential(first, behind), BestSelection()
    optimizer = torch.optim.Adam(parameter_groups(network, LEARNING_RATE))
    schedule, rate = PenaltySchedule(layer.n_neurons), RateSchedule(layer.in_features, n_steps)
    step = 0
    while step < n_steps:
        for batch in training.batches(BATCH)[: n_steps - step]:
            optimizer.param_groups[0]["lr"] = rate(step)
            optimizer.zero_grad()
            loss = cross_entropy(network(batch.images), batch.classes)
            torch.autograd.backward(loss + layer.penalty(*schedule.within(step, n_steps)))
            optimizer.step()
            step += 1
        with torch.no_grad():
            first(training.images)  # the variances of all of them
            shown = behind(first.masked(validation.images, layer.n_neurons))
            best.update(layer.weight, layer.penalties(), -cross_entropy(shown, validation.classes))
    return best


def judge(training: Labelled, test: Labelled, chosen: Ints, seed: int, *, n_epochs: int) -> float:
    """Return the accuracy on the test images of a network trained, and tested, on the chosen pixels alone."""
    height, width = training.images.shape[-2:]
    mask = torch.zeros(height * width)
    mask[torch.as_tensor(chosen.copy())] = 1.0
    seen, shown = (part.behind(mask.reshape(height, width)) for part in (training, test))
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        network = convolutional_network((height, width), int(training.classes.max()) + 1)
        optimizer = torch.optim.Adam(network.parameters(), LEARNING_RATE)
        for epoch in range(n_epochs):
            # The rate falls to nothing, so that the last epoch is as good as any.
            optimizer.param_groups[0]["lr"] = LEARNING_RATE * 2 * (1 - epoch / n_epochs)
            for batch in seen.batches(BATCH // 2):
                optimizer.zero_grad()
                torch.autograd.backward(cross_entropy(network(batch.images), batch.classes))
                optimizer.step()
        with torch.no_grad():
            right = network(shown.images).argmax(dim=1) == shown.classes
    return float(right.double().mean())
