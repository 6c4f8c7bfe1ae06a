"""One epoch of all restarts: a step on all rows, on one batch of them, or on every batch in turn.

The batches are the same for all restarts, so that they share the product with the data.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import optax

from snelfs.engine.best_epoch import Best
from snelfs.engine.objective import (
    Constants,
    Epoch,
    Parameters,
    Pass,
    Plan,
    Problem,
    objective,
)
from snelfs.engine.optimizers import OPTIMIZERS
from snelfs.foundation.types import Array


def shuffled_batches(key: Array, n_rows: int, batch_rows: int | None) -> Array:
    """Deal the rows into batches; all restarts share them, so that they share the product with X."""
    assert batch_rows is not None
    n_batches = count_batches(n_rows, batch_rows)
    order = jax.random.permutation(key, n_rows)
    padding = jnp.full(n_batches * batch_rows - n_rows, -1, order.dtype)  # -1: no row
    return jnp.concatenate([order, padding]).reshape(n_batches, batch_rows)


def count_batches(n_rows: int, batch_rows: int) -> int:
    """Return how many batches hold all rows; the last one may not be full."""
    return -(-n_rows // batch_rows)


def take_rows(problem: Problem, rows: Array) -> Problem:
    """Return the problem on some rows, with weights that sum to 1 again."""
    present = rows >= 0

    def reweigh(weights: Array) -> Array:
        part = weights[:, rows] * present
        total = part.sum(axis=1, keepdims=True)
        return part / jnp.where(total > 0, total, 1.0)

    weights = map(reweigh, problem[2:6])
    beside = None if problem.beside is None else problem.beside[rows]
    return Problem(problem.X[rows], problem.y[..., rows], *weights)._replace(
        beside=beside, units=problem.units
    )


class State(NamedTuple):
    """What the loop carries from epoch to epoch."""

    parameters: Parameters
    optimizer: Any
    best: Best
    key_data: Array  # shuffles the mini-batches
    dealt: Array  # (batches, rows) the batches that follow each other, where an epoch is one of them
    epoch: Array  # epochs trained so far
    last: Epoch  # penalty weights of the last epoch trained


def _descend(
    parameters: Parameters, gradient: Parameters, optimizer: Any, plan: Plan, rate: Array
) -> tuple[Parameters, Any]:
    updates, optimizer = OPTIMIZERS[plan.optimizer](rate).update(gradient, optimizer, parameters)
    return optax.apply_updates(parameters, updates), optimizer


class Outlook(NamedTuple):
    """What a pass has seen of the model before an epoch, and the rows it has seen it on."""

    seen: Pass
    problem: Problem


Step = Callable[[Array], tuple[Parameters, Any]]  # from the learning rate to what comes after the epoch


def _full_batch_epoch(
    state: State, problem: Problem, constants: Constants, epoch: Epoch, plan: Plan
) -> tuple[Outlook, Step]:
    gradient_of = jax.grad(objective, has_aux=True)
    gradient, seen = gradient_of(state.parameters, problem, constants, epoch, plan)
    step = partial(_descend, state.parameters, gradient, state.optimizer, plan)
    return Outlook(seen, problem), step


def _one_batch_epoch(
    state: State, problem: Problem, constants: Constants, epoch: Epoch, plan: Plan
) -> tuple[Outlook, Step]:
    """Take one step, on the next of the batches dealt."""
    batch = take_rows(problem, state.dealt[state.epoch % len(state.dealt)])
    return _full_batch_epoch(state, batch, constants, epoch, plan)


def deal(state: State, n_rows: int, plan: Plan) -> State:
    """Return the state with new batches, if all rows were seen since the last ones were dealt."""
    round_, turn = jnp.divmod(state.epoch, len(state.dealt))

    def anew() -> Array:
        key = jax.random.fold_in(jax.random.wrap_key_data(state.key_data), round_)
        return shuffled_batches(key, n_rows, plan.batch_rows)

    return state._replace(dealt=jax.lax.cond(turn == 0, anew, lambda: state.dealt))


def _mini_batch_epoch(
    state: State, problem: Problem, constants: Constants, epoch: Epoch, plan: Plan
) -> tuple[Outlook, Step]:
    _, seen = objective(state.parameters, problem, constants, epoch, plan)
    gradient_of = jax.grad(objective, has_aux=True)

    def step(rate: Array) -> tuple[Parameters, Any]:
        def descend(carried: tuple[Parameters, Any], rows: Array) -> tuple[tuple[Parameters, Any], None]:
            parameters, optimizer = carried
            gradient, _ = gradient_of(parameters, take_rows(problem, rows), constants, epoch, plan)
            return _descend(parameters, gradient, optimizer, plan, rate), None

        key = jax.random.fold_in(jax.random.wrap_key_data(state.key_data), state.epoch)
        batches = shuffled_batches(key, problem.X.shape[0], plan.batch_rows)
        after, _ = jax.lax.scan(descend, (state.parameters, state.optimizer), batches)
        return after

    return Outlook(seen, problem), step


def epoch_of(plan: Plan) -> Callable[..., tuple[Outlook, Step]]:
    """Return the kind of epoch that a plan asks for."""
    if plan.batch_rows is None:
        return _full_batch_epoch
    return _one_batch_epoch if plan.one_batch else _mini_batch_epoch
