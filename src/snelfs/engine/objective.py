"""The objective of a model, what it is made of, and how a model is measured (Eq. 13).

Training and validation rows of every restart go through one product ``[W_1 … W_R] @ X.T``; what a row
is for is decided by its weight in each restart.
"""

from dataclasses import dataclass
from typing import NamedTuple

import jax.numpy as jnp

from snelfs.data.loss import Loss
from snelfs.engine import cox, layer, losses, network, scores
from snelfs.engine.network import Dense
from snelfs.engine.penalties import sum_penalty, variance, variance_penalty
from snelfs.engine.scores import Outcome
from snelfs.foundation.task import Task
from snelfs.foundation.types import Array


@dataclass(frozen=True)
class Plan:
    """What the loop is compiled for; anything else may change without compiling again."""

    task: Task
    n_outputs: int
    dim: int
    hidden_layer_sizes: tuple[int, ...]
    scoring: str
    optimizer: str = "adam"
    smoothing: float = 0.0
    batch_rows: int | None = None  # None: all rows at once
    one_batch: bool = False  # an epoch is one batch, not as many as hold all rows
    ties: str = "breslow"  # of events at the same time
    n_beside: int = 0  # inputs of the network beside the layer's outputs
    loss: Loss | None = None  # in place of the task's
    straight: layer.Straight | None = None  # restarts that bend no columns
    direct: bool = False  # whether the layer's outputs also reach the network's past its hidden units

    @property
    def sizes(self) -> tuple[int, ...]:
        """Units from what enters the network to its output."""
        return (self.dim + self.n_beside, *self.hidden_layer_sizes, self.n_outputs)

    @property
    def score(self) -> scores.Score:
        """Return the validation score by its name."""
        if self.task in ("survival", "own"):
            return (scores.SURVIVAL if self.task == "survival" else scores.OWN)[self.scoring]
        return (scores.REGRESSION if self.task == "regression" else scores.CLASSIFICATION)[self.scoring]


class Problem(NamedTuple):
    """The data on the device. The four weights are (restarts, rows) and sum to 1 over the rows.

    The *costs* weight a row's loss and its part in the score (they hold the class weights); the others
    weight the row in variances.
    """

    X: Array  # (rows, columns), standardised
    y: Array  # (rows,) class codes, (targets, rows), or (3 or 4, rows) as `cox.Censored` has them
    train: Array
    validation: Array
    train_cost: Array
    validation_cost: Array
    beside: Array | None = None  # (rows, inputs) that enter the network beside the layer's outputs
    units: Array = None  # `losses.Units`, if the plan has a loss of its own


class Constants(NamedTuple):
    """Numbers of the objective that do not shape the program."""

    alpha_l1: Array  # for all restarts or one for each, as the next
    alpha_l2: Array
    penalty_limit: Array


class Parameters(NamedTuple):
    """Everything that is trained."""

    W: Array  # (restarts, dim, columns)
    layers: list[Dense]
    direct: Array | None = None  # (restarts, inputs, outputs) past the hidden units, if the plan has it


class Epoch(NamedTuple):
    """The penalty weights and the learning rate of one epoch (or arrays of them).

    The penalty weights may be one number for all restarts or one for each.
    """

    lambda_s: Array
    lambda_a: Array
    rate: Array


class Pass(NamedTuple):
    """What one pass over the rows leaves for judging a model; losses are (restarts, rows)."""

    outputs: Array
    losses: Array
    A: Array
    decay: Array  # (restarts,)
    train_variances: Array  # (restarts, dim)


class Measures(NamedTuple):
    """One model of every restart, measured; each of shape (restarts,)."""

    train_loss: Array
    validation_loss: Array
    sum_penalty: Array  # Ω_S / dim
    variance_penalty: Array  # Ω_A / dim on the training rows
    score: Array  # on the validation rows, higher is better
    objective: Array  # F on the validation rows, Eq. 13


def objective(
    parameters: Parameters, problem: Problem, constants: Constants, epoch: Epoch, plan: Plan
) -> tuple[Array, Pass]:
    """Return F of Eq. 13 on the training rows, added up over the independent restarts."""
    A = layer.forward(problem.X, parameters.W, plan.straight)
    outputs = _outputs(parameters, A, problem, plan)
    row_losses = _row_losses(outputs, problem, plan)
    decay = network.weight_decay(parameters.layers, constants.alpha_l1, constants.alpha_l2, plan.n_beside)
    variances = variance(A, problem.train)
    F = (
        (problem.train_cost * row_losses).sum()
        + decay.sum()
        + (epoch.lambda_s * sum_penalty(parameters.W, plan.smoothing).sum(axis=1)).sum()
        + (epoch.lambda_a * variance_penalty(variances, plan.smoothing).sum(axis=1)).sum()
    )
    return F, Pass(outputs, row_losses, A, decay, variances)


def _outputs(parameters: Parameters, A: Array, problem: Problem, plan: Plan) -> Array:
    """Return what the network makes of the layer's outputs, in the units of the loss."""
    entering = network.with_inputs(A, problem.beside)
    if plan.loss is None:
        return network.forward(parameters.layers, entering, parameters.direct)
    layers = network.with_shared_outputs(parameters.layers, plan.loss.n_shared)
    return losses.in_units(network.forward(layers, entering), problem.units)


def _row_losses(outputs: Array, problem: Problem, plan: Plan) -> Array:
    """Return losses of rows whose mean by `train_cost` is the training loss."""
    if plan.loss is not None:
        return losses.row_losses(plan.loss, outputs, problem.y, problem.train_cost, problem.units)
    if plan.task == "survival":
        return cox.training_losses(outputs[:, 0], cox.Censored(*problem.y), problem.train, plan.ties)
    return network.row_losses(plan.task, outputs, problem.y)


def _validated(seen: Pass, problem: Problem, plan: Plan) -> tuple[Array, Array]:
    """Return weights and losses of rows whose products sum up to the validation loss."""
    if plan.task == "survival":
        y, rows = cox.Censored(*problem.y), (problem.train, problem.validation)
        held_out = cox.held_out_losses(seen.outputs[:, 0], y, *rows, plan.ties)
        return jnp.ones_like(held_out), held_out
    if plan.loss is not None:  # it may look at the weights
        weights = problem.validation_cost
        return weights, losses.row_losses(plan.loss, seen.outputs, problem.y, weights, problem.units)
    return problem.validation_cost, seen.losses


def measure(W: Array, seen: Pass, problem: Problem, epoch: Epoch, plan: Plan) -> Measures:
    """Measure the model that a pass has seen, under the penalty weights it was trained with."""
    omega_s = sum_penalty(W).sum(axis=1)
    omega_a = variance_penalty(seen.train_variances).sum(axis=1)
    omega_a_validation = variance_penalty(variance(seen.A, problem.validation)).sum(axis=1)
    weights, row_losses = _validated(seen, problem, plan)
    validation_loss = (weights * row_losses).sum(axis=1)
    return Measures(
        train_loss=(problem.train_cost * seen.losses).sum(axis=1),
        validation_loss=validation_loss,
        sum_penalty=omega_s / plan.dim,
        variance_penalty=omega_a / plan.dim,
        score=plan.score(Outcome(plan.task, seen.outputs, row_losses, problem.y, weights)),
        objective=validation_loss
        + seen.decay
        + epoch.lambda_s * omega_s
        + epoch.lambda_a * omega_a_validation,
    )
