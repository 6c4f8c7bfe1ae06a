"""Train all restarts in one compiled loop over the schedule and keep the best model of each.

Training and validation rows of every restart go through one product ``[W_1 … W_R] @ X.T``; what a row
is for is decided by its weight in each restart. So the validation of a model costs no product of
its own: the pass that yields the gradient of epoch ``e + 1`` also measures the model of epoch ``e``.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax
from numpy.typing import NDArray

from snelfs import layer, network, scores
from snelfs.arrays import Array
from snelfs.compilation import compiler_options, programs_on_disk
from snelfs.network import Dense, Task
from snelfs.optimizers import OPTIMIZERS
from snelfs.penalties import sum_penalty, variance, variance_penalty
from snelfs.scores import Outcome

# Two scores closer than this are a tie: equal shares of right rows differ in their last bits when
# the rows are others, and rounding must not choose the model.
SCORE_TIE = 1e-6

CHUNK_CAPACITY = 256  # epochs at most between two looks at the clock
CHUNK_SECONDS = 0.5  # what a chunk should take


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
    batch_rows: int | None = None

    @property
    def score(self) -> scores.Score:
        """Return the validation score by its name."""
        return (scores.REGRESSION if self.task == "regression" else scores.CLASSIFICATION)[self.scoring]


class Problem(NamedTuple):
    """The data on the device. All four weights are (restarts, rows) and sum to 1 over the rows.

    The *costs* weight a row's loss (they hold the class weights); the others weight the row in
    variances and scores.
    """

    X: Array  # (rows, columns), standardised
    y: Array  # (rows,) class codes or (targets, rows)
    train: Array
    validation: Array
    train_cost: Array
    validation_cost: Array


class Constants(NamedTuple):
    """Numbers of the objective that do not shape the program."""

    alpha_l1: Array  # for all restarts or one for each, as the next
    alpha_l2: Array
    penalty_limit: Array


class Parameters(NamedTuple):
    """Everything that is trained."""

    W: Array  # (restarts, dim, columns)
    layers: list[Dense]


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


class Best(NamedTuple):
    """The best model so far of every restart, and why it is the best."""

    W: Array  # (restarts, dim, columns)
    epoch: Array  # (restarts,) epochs trained, 0 = none yet
    admitted: Array
    violation: Array
    score: Array
    objective: Array


class State(NamedTuple):
    """What the loop carries from epoch to epoch."""

    parameters: Parameters
    optimizer: Any
    best: Best
    key_data: Array  # shuffles the mini-batches
    epoch: Array  # epochs trained so far
    last: Epoch  # penalty weights of the last epoch trained


@dataclass(frozen=True)
class History:
    """Every epoch of every restart: what it was trained with and how its model measured.

    The first three have shape ``(epochs,)``, the others ``(restarts, epochs)``; if the restarts were trained
    with penalty weights of their own, these have ``(epochs, restarts)``. Penalties are per neuron; scores are
    on the validation rows and higher is better (losses enter with a minus sign).
    """

    lambda_s: NDArray[np.float32]
    lambda_a: NDArray[np.float32]
    learning_rate: NDArray[np.float32]
    train_loss: NDArray[np.float32]
    validation_loss: NDArray[np.float32]
    sum_penalty: NDArray[np.float32]  # Ω_S / dim
    variance_penalty: NDArray[np.float32]  # Ω_A / dim
    score: NDArray[np.float32]
    objective: NDArray[np.float32]  # F on the validation rows
    admitted: NDArray[np.bool_]

    @property
    def n_epochs(self) -> int:
        """Count the epochs trained."""
        return len(self.lambda_s)


@dataclass(frozen=True)
class Training:
    """The outcome: the best layer of every restart, and how the training went."""

    W: NDArray[np.float32]  # (restarts, dim, columns)
    best_epoch: NDArray[np.int64]  # (restarts,) index into the epochs, -1 if none was finite
    history: History
    last: Parameters  # after the last epoch


# -- one pass ---------------------------------------------------------------------------------------


def objective(
    parameters: Parameters, problem: Problem, constants: Constants, epoch: Epoch, plan: Plan
) -> tuple[Array, Pass]:
    """Return F of Eq. 13 on the training rows, added up over the independent restarts."""
    A = layer.forward(problem.X, parameters.W)
    outputs = network.forward(parameters.layers, A)
    losses = network.row_losses(plan.task, outputs, problem.y)
    decay = network.weight_decay(parameters.layers, constants.alpha_l1, constants.alpha_l2)
    variances = variance(A, problem.train)
    F = (
        (problem.train_cost * losses).sum()
        + decay.sum()
        + (epoch.lambda_s * sum_penalty(parameters.W, plan.smoothing).sum(axis=1)).sum()
        + (epoch.lambda_a * variance_penalty(variances, plan.smoothing).sum(axis=1)).sum()
    )
    return F, Pass(outputs, losses, A, decay, variances)


def measure(W: Array, seen: Pass, problem: Problem, epoch: Epoch, plan: Plan) -> Measures:
    """Measure the model that a pass has seen, under the penalty weights it was trained with."""
    omega_s = sum_penalty(W).sum(axis=1)
    omega_a = variance_penalty(seen.train_variances).sum(axis=1)
    omega_a_validation = variance_penalty(variance(seen.A, problem.validation)).sum(axis=1)
    validation_loss = (problem.validation_cost * seen.losses).sum(axis=1)
    return Measures(
        train_loss=(problem.train_cost * seen.losses).sum(axis=1),
        validation_loss=validation_loss,
        sum_penalty=omega_s / plan.dim,
        variance_penalty=omega_a / plan.dim,
        score=plan.score(Outcome(plan.task, seen.outputs, seen.losses, problem.y, problem.validation)),
        objective=validation_loss
        + seen.decay
        + epoch.lambda_s * omega_s
        + epoch.lambda_a * omega_a_validation,
    )


# -- the best-model rule ----------------------------------------------------------------------------


def admit(measures: Measures, limit: Array) -> Array:
    """Tell which models are close enough to a selection to be candidates (section III-C)."""
    return (
        (measures.sum_penalty <= limit)
        & (measures.variance_penalty <= limit)
        & jnp.isfinite(measures.objective)
    )


def keep_better(best: Best, W: Array, measures: Measures, limit: Array, epoch: Array) -> Best:
    """Replace the best models that the new ones beat.

    An admitted model beats one that is not. Among admitted ones the higher validation score wins,
    then the smaller validation objective; among the others the smaller violation.
    """
    admitted = admit(measures, limit)
    violation = jnp.maximum(measures.sum_penalty, measures.variance_penalty)
    ahead = measures.score - best.score
    tied_but_lower = (jnp.abs(ahead) <= SCORE_TIE) & (measures.objective < best.objective)
    beats_admitted = (ahead > SCORE_TIE) | tied_but_lower
    among_equals = jnp.where(admitted, beats_admitted, violation < best.violation)
    better = jnp.where(admitted == best.admitted, among_equals, admitted) & (epoch > 0)

    def pick(new: Array, old: Array) -> Array:
        return jnp.where(better, new, old)

    # Most epochs improve nothing: the copy of the largest array is made only when one does.
    kept_W = jax.lax.cond(better.any(), lambda: jnp.where(better[:, None, None], W, best.W), lambda: best.W)
    return Best(
        W=kept_W,
        epoch=pick(epoch, best.epoch),
        admitted=pick(admitted, best.admitted),
        violation=pick(violation, best.violation),
        score=pick(measures.score, best.score),
        objective=pick(measures.objective, best.objective),
    )


# -- one epoch --------------------------------------------------------------------------------------


def _descend(
    parameters: Parameters, gradient: Parameters, optimizer: Any, rate: Array, plan: Plan
) -> tuple[Parameters, Any]:
    updates, optimizer = OPTIMIZERS[plan.optimizer](rate).update(gradient, optimizer, parameters)
    return optax.apply_updates(parameters, updates), optimizer


def _full_batch_epoch(
    state: State, problem: Problem, constants: Constants, epoch: Epoch, plan: Plan
) -> tuple[Parameters, Any, Pass]:
    gradient_of = jax.grad(objective, has_aux=True)
    gradient, seen = gradient_of(state.parameters, problem, constants, epoch, plan)
    parameters, optimizer = _descend(state.parameters, gradient, state.optimizer, epoch.rate, plan)
    return parameters, optimizer, seen


def _mini_batch_epoch(
    state: State, problem: Problem, constants: Constants, epoch: Epoch, plan: Plan
) -> tuple[Parameters, Any, Pass]:
    _, seen = objective(state.parameters, problem, constants, epoch, plan)
    gradient_of = jax.grad(objective, has_aux=True)

    def descend(carried: tuple[Parameters, Any], rows: Array) -> tuple[tuple[Parameters, Any], None]:
        parameters, optimizer = carried
        batch = _take_rows(problem, rows)
        gradient, _ = gradient_of(parameters, batch, constants, epoch, plan)
        return _descend(parameters, gradient, optimizer, epoch.rate, plan), None

    key = jax.random.fold_in(jax.random.wrap_key_data(state.key_data), state.epoch)
    batches = _shuffled_batches(key, problem.X.shape[0], plan.batch_rows)
    (parameters, optimizer), _ = jax.lax.scan(descend, (state.parameters, state.optimizer), batches)
    return parameters, optimizer, seen


def _shuffled_batches(key: Array, n_rows: int, batch_rows: int | None) -> Array:
    """Deal the rows into batches; all restarts share them, so that they share the product with X."""
    assert batch_rows is not None
    n_batches = -(-n_rows // batch_rows)
    order = jax.random.permutation(key, n_rows)
    padding = jnp.full(n_batches * batch_rows - n_rows, -1, order.dtype)  # -1: no row
    return jnp.concatenate([order, padding]).reshape(n_batches, batch_rows)


def _take_rows(problem: Problem, rows: Array) -> Problem:
    """Return the problem on some rows, with weights that sum to 1 again."""
    present = rows >= 0

    def reweigh(weights: Array) -> Array:
        part = weights[:, rows] * present
        total = part.sum(axis=1, keepdims=True)
        return part / jnp.where(total > 0, total, 1.0)

    return Problem(problem.X[rows], problem.y[..., rows], *map(reweigh, problem[2:]))


# -- the loop ---------------------------------------------------------------------------------------


@partial(jax.jit, static_argnames="plan")
def _start(parameters: Parameters, key_data: Array, first: Epoch, plan: Plan) -> State:
    n_restarts = parameters.W.shape[0]
    worst = jnp.full(n_restarts, jnp.inf, jnp.float32)
    best = Best(
        W=parameters.W,
        epoch=jnp.zeros(n_restarts, jnp.int32),
        admitted=jnp.zeros(n_restarts, bool),
        violation=worst,
        score=-worst,
        objective=worst,
    )
    nothing = Epoch(*(jnp.zeros_like(value) for value in first))
    optimizer = OPTIMIZERS[plan.optimizer](nothing.rate).init(parameters)
    return State(parameters, optimizer, best, key_data, jnp.zeros((), jnp.int32), nothing)


def _run_chunk(
    state: State, problem: Problem, constants: Constants, epochs: Epoch, count: int, plan: Plan
) -> tuple[State, Measures]:
    """Train `count` of the given epochs, and measure the model before each of them."""
    run_epoch = _full_batch_epoch if plan.batch_rows is None else _mini_batch_epoch
    empty = jnp.zeros((CHUNK_CAPACITY, problem.train.shape[0]), jnp.float32)

    def body(i: Array, carried: tuple[State, Measures]) -> tuple[State, Measures]:
        state, log = carried
        epoch = Epoch(*(values[i] for values in epochs))
        W = state.parameters.W
        parameters, optimizer, seen = run_epoch(state, problem, constants, epoch, plan)
        measures = measure(W, seen, problem, state.last, plan)
        best = keep_better(state.best, W, measures, constants.penalty_limit, state.epoch)
        log = Measures(*(record.at[i].set(now) for record, now in zip(log, measures, strict=True)))
        return State(parameters, optimizer, best, state.key_data, state.epoch + 1, epoch), log

    log = Measures(*[empty] * len(Measures._fields))
    state, log = jax.lax.fori_loop(0, count, body, (state, log))
    return state, log


@cache
def _compiled_chunk() -> Callable[..., tuple[State, Measures]]:
    """Return the jitted loop; made on first use, because making it may start the backend."""
    return jax.jit(
        _run_chunk, static_argnames="plan", donate_argnames="state", compiler_options=compiler_options()
    )


def train(
    problem: Problem,
    parameters: Parameters,
    epochs: Epoch,
    constants: Constants,
    plan: Plan,
    seed: int = 0,
    on_progress: Callable[[int, int], None] | None = None,
) -> Training:
    """Run the whole schedule and return the best layer of every restart.

    The loop runs in chunks of about half a second, so that it can be watched and interrupted;
    where a chunk ends changes no result.

    Parameters
    ----------
    parameters : Parameters
        Start values, e.g. from `start_parameters`.
    epochs : Epoch of arrays of shape (epochs,)
        Penalty weights and learning rate of every epoch; the former also of shape (epochs, restarts).
    seed : int
        Shuffles the mini-batches.
    on_progress : callable, optional
        Told the epochs done and the epochs in all after every chunk.
    """
    n_epochs = len(epochs.rate)
    key_data = np.array([seed >> 32 & 0xFFFFFFFF, seed & 0xFFFFFFFF], np.uint32)
    problem = Problem(*map(jnp.asarray, problem))  # to the device once, not with every chunk
    with programs_on_disk():
        run_chunk = _compiled_chunk()
        state = _start(parameters, key_data, Epoch(*(np.asarray(values)[0] for values in epochs)), plan)
        logs: list[Measures] = []
        done, count = 0, 2
        # One pass more than epochs: each measures the model that the epoch before it left behind.
        while done < n_epochs + 1:
            count = min(count, CHUNK_CAPACITY, n_epochs + 1 - done)
            started = time.perf_counter()
            state, log = run_chunk(state, problem, constants, _chunk(epochs, done), count, plan)
            logs.append(Measures(*(np.asarray(values)[:count] for values in log)))
            done += count
            if on_progress is not None:
                on_progress(min(done, n_epochs), n_epochs)
            # The first chunk may have been compiling, and says nothing about the pace.
            pace = (time.perf_counter() - started) / count
            count = max(1, int(CHUNK_SECONDS / pace)) if len(logs) > 1 else 2 * count
        return _conclude(state, epochs, logs, constants)


def _chunk(epochs: Epoch, first: int) -> Epoch:
    """Return the epochs from `first` on, filled up to the compiled length with ones that stand still."""
    chosen = np.arange(first, first + CHUNK_CAPACITY)
    within = chosen < len(epochs.rate)
    lambda_s, lambda_a, rate = (np.asarray(values)[np.where(within, chosen, -1)] for values in epochs)
    return Epoch(lambda_s, lambda_a, rate * within)


def _conclude(state: State, epochs: Epoch, logs: list[Measures], constants: Constants) -> Training:
    measures = Measures(*(np.concatenate(values)[1:].T for values in zip(*logs, strict=True)))
    admitted = np.asarray(admit(measures, constants.penalty_limit))
    return Training(
        W=np.asarray(state.best.W),
        best_epoch=np.asarray(state.best.epoch, dtype=np.int64) - 1,
        history=History(*epochs, *measures, admitted=admitted),
        last=jax.tree.map(np.asarray, state.parameters),
    )


def start_parameters(
    column_shares: NDArray[np.floating], n_restarts: int, plan: Plan, seed: int = 0
) -> Parameters:
    """Return the untrained weights; restart ``r`` draws its own, whatever runs beside it."""
    generators = [np.random.default_rng([seed, restart]) for restart in range(n_restarts)]
    sizes = (plan.dim, *plan.hidden_layer_sizes, plan.n_outputs)
    return Parameters(
        layer.start_weights(column_shares, n_restarts, plan.dim), network.start_network(generators, sizes)
    )
