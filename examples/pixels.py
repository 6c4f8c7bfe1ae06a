"""Put the layer before a convolutional network of your own, and let it choose 13 of 64 pixels.

The training is that of any network with the layer in it; see docs/network.md for its steps.
"""

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.nn.functional import cross_entropy

from snelfs.layer import BestSelection, PenaltySchedule, RateSchedule
from snelfs.torch import FSImageLayer, parameter_groups

N_PIXELS, N_STEPS, BATCH = 13, 700, 128

torch.manual_seed(0)
digits = load_digits()
images = torch.tensor(digits.images / 16, dtype=torch.float32)[:, None]  # (images, 1, 8, 8)
classes = torch.tensor(digits.target)
train, valid, test = torch.randperm(len(classes)).split([1000, 200, 597])


def small_network() -> nn.Sequential:
    """Return two convolutions and a dense layer."""
    first = nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2)
    second = nn.Conv2d(8, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2)
    return nn.Sequential(*first, *second, nn.Flatten(), nn.Linear(64, 10))


def accuracy_behind(mask: torch.Tensor) -> float:
    """Train a new network on images that are zero outside of the mask, and return its accuracy on others."""
    network, shown = small_network(), images * mask
    optimizer = torch.optim.Adam(network.parameters(), lr=0.01)
    for _ in range(N_STEPS):
        rows = train[torch.randint(len(train), [BATCH])]
        optimizer.zero_grad()
        cross_entropy(network(shown[rows]), classes[rows]).backward()
        optimizer.step()
    with torch.no_grad():
        return float((network(shown[test]).argmax(dim=1) == classes[test]).double().mean())


first, behind = FSImageLayer(8, 8, N_PIXELS).standardise(images[train]), small_network()
network, layer = nn.Sequential(first, behind), first.layer
optimizer = torch.optim.Adam(parameter_groups(network, lr=0.003))
schedule, rate, best = PenaltySchedule(N_PIXELS), RateSchedule(64, N_STEPS), BestSelection()
for step in range(N_STEPS):
    optimizer.param_groups[0]["lr"] = rate(step)
    rows = train[torch.randint(len(train), [BATCH])]
    optimizer.zero_grad()
    loss = cross_entropy(network(images[rows]), classes[rows])
    (loss + layer.penalty(*schedule.within(step, N_STEPS))).backward()
    optimizer.step()
    if step % 10 == 9:
        with torch.no_grad():
            first(images[train])  # the penalties of all images, not of a batch
            score = -cross_entropy(behind(first.masked(images[valid], N_PIXELS)), classes[valid])
            best.update(layer.weight, layer.penalties(), score)

mask = torch.zeros(64)
mask[torch.from_numpy(best.selected(N_PIXELS))] = 1
random_mask = torch.zeros(64)
random_mask[torch.randperm(64)[:N_PIXELS]] = 1
for row in mask.reshape(8, 8):
    print(" ".join("#" if chosen else "." for chosen in row))
print(f"accuracy with {N_PIXELS} of 64 pixels: {accuracy_behind(mask.reshape(8, 8)):.3f}")
print(f"with as many random ones: {accuracy_behind(random_mask.reshape(8, 8)):.3f}")
