"""Train all restarts in one compiled loop over the schedule and keep the best model of each.

Training and validation rows go through the same product, so the validation of a model costs none of its
own: the pass that yields the gradient of epoch ``e + 1`` also measures the model of epoch ``e``.
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

from snelfs import layer, network
from snelfs.arrays import Array
from snelfs.compilation import compiler_options, programs_on_disk
from snelfs.devices import Placement
from snelfs.objective import Constants, Epoch, Measures, Parameters, Pass, Plan, Problem, measure, objective
from snelfs.optimizers import OPTIMIZERS
from snelfs.progress import Progress

# Two scores closer than this are a tie: equal shares of right rows differ in their last bits when
# the rows are others, and rounding must not choose the model.
SCORE_TIE = 1e-6

DEFAULT_DEVICE = Placement()

CHUNK_CAPACITY = 256  # epochs at most between two looks at the clock
CHUNK_SECONDS = 0.5  # what a chunk should take


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


class Outlook(NamedTuple):
    """What a pass has seen of the model before an epoch, and the rows it has seen it on."""

    seen: Pass
    problem: Problem


def _full_batch_epoch(
    state: State, problem: Problem, constants: Constants, epoch: Epoch, plan: Plan
) -> tuple[Parameters, Any, Outlook]:
    gradient_of = jax.grad(objective, has_aux=True)
    gradient, seen = gradient_of(state.parameters, problem, constants, epoch, plan)
    parameters, optimizer = _descend(state.parameters, gradient, state.optimizer, epoch.rate, plan)
    return parameters, optimizer, Outlook(seen, problem)


def _one_batch_epoch(
    state: State, problem: Problem, constants: Constants, epoch: Epoch, plan: Plan
) -> tuple[Parameters, Any, Outlook]:
    """Take one step; the batches follow each other until all rows were seen, then they are dealt anew."""
    n_batches = -(-problem.X.shape[0] // plan.batch_rows)
    deal, turn = jnp.divmod(state.epoch, n_batches)
    key = jax.random.fold_in(jax.random.wrap_key_data(state.key_data), deal)
    batch = _take_rows(problem, _shuffled_batches(key, problem.X.shape[0], plan.batch_rows)[turn])
    return _full_batch_epoch(state, batch, constants, epoch, plan)


def _mini_batch_epoch(
    state: State, problem: Problem, constants: Constants, epoch: Epoch, plan: Plan
) -> tuple[Parameters, Any, Outlook]:
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
    return parameters, optimizer, Outlook(seen, problem)


def _epoch_of(plan: Plan) -> Callable[..., tuple[Parameters, Any, Outlook]]:
    if plan.batch_rows is None:
        return _full_batch_epoch
    return _one_batch_epoch if plan.one_batch else _mini_batch_epoch


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
    run_epoch = _epoch_of(plan)
    empty = jnp.zeros((CHUNK_CAPACITY, problem.train.shape[0]), jnp.float32)

    def body(i: Array, carried: tuple[State, Measures]) -> tuple[State, Measures]:
        state, log = carried
        epoch = Epoch(*(values[i] for values in epochs))
        W = state.parameters.W
        parameters, optimizer, outlook = run_epoch(state, problem, constants, epoch, plan)
        measures = measure(W, *outlook, state.last, plan)
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
    on_progress: Progress | None = None,
    placement: Placement = DEFAULT_DEVICE,
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
    placement : Placement
        Where the columns of `X` and of the layer are kept; by default on one device.
    """
    n_epochs = len(epochs.rate)
    pace = Pace(fixed=placement.of_several_processes)
    logs: list[Measures] = []
    done = 0
    with programs_on_disk():
        run_chunk = _compiled_chunk()
        # To the devices once, not with every chunk.
        problem = _placed(problem, placement)
        state = _start_state(parameters, epochs, plan, seed, placement)
        # One pass more than epochs: each measures the model that the epoch before it left behind.
        while done < n_epochs + 1:
            count = pace.next_count(n_epochs + 1 - done)
            state, log = run_chunk(state, problem, constants, _chunk(epochs, done), count, plan)
            logs.append(Measures(*(placement.fetch(values)[:count] for values in log)))
            done += count
            if on_progress is not None:
                on_progress(min(done, n_epochs), n_epochs)
        return _conclude(state, epochs, logs, constants, placement, parameters.W.shape[-1])


class Pace:
    """Say how many epochs the next chunk has, so that one takes about half a second.

    Joined processes must all run the same programs, whatever their clocks say: there the count is `fixed`.
    """

    def __init__(self, fixed: bool) -> None:
        self.fixed = fixed
        self.asked: list[int] = []
        self.started = time.perf_counter()

    def next_count(self, left: int) -> int:
        """Return the count of the next chunk, given what the last one took."""
        now = time.perf_counter()
        if self.fixed:
            count = CHUNK_CAPACITY // 4
        elif len(self.asked) < 2:
            # The first chunk may have been compiling, and says nothing about the pace.
            count = 2 * (len(self.asked) + 1)
        else:
            count = max(1, int(CHUNK_SECONDS * self.asked[-1] / (now - self.started)))
        self.asked.append(min(count, CHUNK_CAPACITY, left))
        self.started = now
        return self.asked[-1]


def _placed(problem: Problem, placement: Placement) -> Problem:
    return Problem(placement.share_columns(problem.X), *placement.copy_everywhere(problem[1:]))


def _start_state(parameters: Parameters, epochs: Epoch, plan: Plan, seed: int, placement: Placement) -> State:
    """Return the state before the first epoch, on the devices it will be trained on."""
    placed = Parameters(placement.share_columns(parameters.W), placement.copy_everywhere(parameters.layers))
    key_data = np.array([seed >> 32 & 0xFFFFFFFF, seed & 0xFFFFFFFF], np.uint32)
    first = Epoch(*(np.asarray(values)[0] for values in epochs))
    if placement.mesh is None:
        start = jax.jit(_start, static_argnames="plan")
    else:
        wanted = jax.eval_shape(partial(_start, plan=plan), placed, key_data, first)
        shardings = placement.shardings(wanted, placed.W.shape)
        start = jax.jit(_start, static_argnames="plan", out_shardings=shardings)
    return State(*start(placed, key_data, first, plan=plan))


def _chunk(epochs: Epoch, first: int) -> Epoch:
    """Return the epochs from `first` on, filled up to the compiled length with ones that stand still."""
    chosen = np.arange(first, first + CHUNK_CAPACITY)
    within = chosen < len(epochs.rate)
    lambda_s, lambda_a, rate = (np.asarray(values)[np.where(within, chosen, -1)] for values in epochs)
    return Epoch(lambda_s, lambda_a, rate * within)


def _conclude(
    state: State,
    epochs: Epoch,
    logs: list[Measures],
    constants: Constants,
    placement: Placement,
    n_columns: int,
) -> Training:
    measures = Measures(*(np.concatenate(values)[1:].T for values in zip(*logs, strict=True)))
    admitted = np.asarray(admit(measures, constants.penalty_limit))
    return Training(
        W=placement.fetch(state.best.W, n_columns),
        best_epoch=placement.fetch(state.best.epoch).astype(np.int64) - 1,
        history=History(*epochs, *measures, admitted=admitted),
        last=Parameters(
            placement.fetch(state.parameters.W, n_columns),
            jax.tree.map(placement.fetch, state.parameters.layers),
        ),
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
