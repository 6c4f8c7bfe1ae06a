"""The paper's whole training in PyTorch, beside that of the engine from the same start."""

import numpy as np
import pytest
import torch
from torch.nn.functional import binary_cross_entropy_with_logits, linear

from snelfs.datasets import make_madelon
from snelfs.engine.objective import Constants, Epoch, Plan, Problem
from snelfs.engine.saliency import max_weight
from snelfs.engine.training import start_parameters, train
from snelfs.layer import BestSelection, PenaltySchedule, RateSchedule
from snelfs.torch import FSLayer

ALPHA = 0.003
PLAN = Plan("binary", 1, dim=10, hidden_layer_sizes=(10,), scoring="loss")


class Draw:
    """A draw of Madelon, split and standardised, with the start that both trainings have."""

    def __init__(self, seed, n_rows, n_columns, n_epochs):
        X, y, self.relevant = make_madelon(n_rows, n_columns, random_state=seed)
        self.X = ((X - X.mean(axis=0)) / X.std(axis=0)).astype(np.float32)
        self.y = y.astype(np.float32)
        train_rows = np.arange(n_rows) % 5 != 0
        self.train = (train_rows / train_rows.sum()).astype(np.float32)
        self.validation = (~train_rows / (~train_rows).sum()).astype(np.float32)
        self.start = start_parameters(np.ones(n_columns), 1, PLAN, seed)
        schedule, rate = PenaltySchedule(PLAN.dim), RateSchedule(n_columns, schedule_length(n_epochs))
        self.epochs = [(*schedule(epoch), rate(epoch)) for epoch in range(n_epochs)]


def schedule_length(n_epochs):
    return max(n_epochs, PenaltySchedule(PLAN.dim).n_epochs)


def by_the_engine(draw):
    """Return the outcome of the compiled loop."""
    weights = (draw.train[None], draw.validation[None]) * 2
    constants = Constants(np.float32(ALPHA), np.float32(ALPHA), np.float32(0.3))
    epochs = Epoch(*np.array(draw.epochs, np.float32).T)
    return train(Problem(draw.X, draw.y, *weights), draw.start, epochs, constants, PLAN)


def by_pytorch(draw):
    """Return the layer after the last epoch, and the best selection, of a training written out."""
    X, y, train_rows, validation = map(torch.from_numpy, (draw.X, draw.y, draw.train, draw.validation))
    fs = FSLayer(draw.X.shape[1], PLAN.dim)
    kernels = [torch.tensor(layer.kernel[0].T, requires_grad=True) for layer in draw.start.layers]
    biases = [torch.tensor(layer.bias[0], requires_grad=True) for layer in draw.start.layers]
    optimizer = torch.optim.Adam([fs.weight, *kernels, *biases], eps=1e-7)
    best = BestSelection()
    measured = None
    for epoch in [*draw.epochs, None]:
        A = fs(X)
        hidden = torch.relu(linear(A, kernels[0], biases[0]))
        outputs = linear(hidden, kernels[1], biases[1])[:, 0]
        losses = binary_cross_entropy_with_logits(outputs, y, reduction="none")
        omega_s, omega_a = fs.penalties(A, train_rows)
        decay = sum(ALPHA * (kernel.abs().sum() + kernel.square().sum()) for kernel in kernels)
        if measured is not None:  # the model that the last epoch left
            score = -(validation * losses).sum()
            objective = -score + decay + measured[0] * omega_s + measured[1] * fs.penalties(A, validation)[1]
            best.update(fs.weight, (omega_s, omega_a), score, objective=objective)
        if epoch is None:
            return fs, best
        measured = epoch
        optimizer.param_groups[0]["lr"] = epoch[2]
        optimizer.zero_grad()
        ((train_rows * losses).sum() + decay + epoch[0] * omega_s + epoch[1] * omega_a).backward()
        optimizer.step()
    raise AssertionError


def test_the_first_epochs_are_those_of_the_engine():
    """Epoch by epoch the penalties and scores agree, and so do the weights after them."""
    draw = Draw(0, n_rows=60, n_columns=20, n_epochs=10)
    engine = by_the_engine(draw)
    fs, best = by_pytorch(draw)
    np.testing.assert_allclose(fs.weight.detach(), engine.last.W[0], atol=2e-5)
    looks = np.array(best.looks)[:, :4]
    history = engine.history
    for place, values in enumerate(
        (history.sum_penalty, history.variance_penalty, history.score, history.objective)
    ):
        np.testing.assert_allclose(looks[:, place], values[0], rtol=1e-3, atol=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_a_whole_training_reaches_the_columns_of_the_engine(seed):
    """On five draws of Madelon both select the same five columns, the relevant ones."""
    draw = Draw(seed, n_rows=2000, n_columns=200, n_epochs=schedule_length(0))
    engine = by_the_engine(draw)
    _, best = by_pytorch(draw)
    found = np.argsort(-max_weight(engine.W)[0], kind="stable")[:5]
    assert sorted(best.selected(5).tolist()) == sorted(found.tolist())
    assert best.is_admitted
    assert bool(engine.history.admitted[0, engine.best_epoch[0]])
