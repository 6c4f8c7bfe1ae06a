"""Train all restarts in one compiled loop over the schedule and keep the best model of each.

Training and validation rows go through the same product, so the validation of a model costs none of its
own: the pass that yields the gradient of epoch ``e + 1`` also measures the model of epoch ``e``.
"""

import math
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from itertools import pairwise
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from snelfs.engine import layer, network
from snelfs.engine.best_epoch import Best, admit, keep_better
from snelfs.engine.compilation import compiler_options, programs_on_disk
from snelfs.engine.devices import Placement
from snelfs.engine.epochs import State, count_batches, deal, epoch_of
from snelfs.engine.history import History
from snelfs.engine.objective import (
    Constants,
    Epoch,
    Measures,
    Parameters,
    Plan,
    Problem,
    measure,
)
from snelfs.engine.optimizers import OPTIMIZERS
from snelfs.engine.pruning import columns_left
from snelfs.engine.stopping import Vote, looks
from snelfs.foundation import checks
from snelfs.foundation.progress import Progress
from snelfs.foundation.types import Array

DEFAULT_DEVICE = Placement()

CHUNK_CAPACITY = 256  # epochs at most between two looks at the clock
CHUNK_SECONDS = 0.5  # what a chunk should take


@dataclass(frozen=True)
class Training:
    """The outcome: the best model of every restart, and how the training went."""

    W: NDArray[np.float32]  # (restarts, dim, columns)
    layers: list[network.Dense]  # of the network behind it
    direct: NDArray[np.float32] | None  # (restarts, inputs, outputs) past its hidden units, if there is that
    best_epoch: NDArray[np.int64]  # (restarts,) index into the epochs, -1 if none was finite
    history: History
    last: Parameters  # after the last epoch


# -- the loop ---------------------------------------------------------------------------------------


def _start(parameters: Parameters, key_data: Array, first: Epoch, n_rows: int, plan: Plan) -> State:
    n_restarts = parameters.W.shape[0]
    worst = jnp.full(n_restarts, jnp.inf, jnp.float32)
    best = Best(
        parameters=parameters,
        epoch=jnp.zeros(n_restarts, jnp.int32),
        admitted=jnp.zeros(n_restarts, bool),
        violation=worst,
        score=-worst,
        objective=worst,
    )
    nothing = Epoch(*(jnp.zeros_like(value) for value in first))
    optimizer = OPTIMIZERS[plan.optimizer](nothing.rate).init(parameters)
    batch_rows = plan.batch_rows if plan.one_batch else None
    dealt = jnp.zeros((count_batches(n_rows, batch_rows), batch_rows) if batch_rows else (0, 0), jnp.int32)
    return State(parameters, optimizer, best, key_data, dealt, jnp.zeros((), jnp.int32), nothing)


def _once_kept(best: Best, rate: Array) -> Array:
    """Return the rate, as if it depended on the layer that was kept.

    So the compiler knows that the step comes after `keep_better`, which is the last to read the old layer,
    and writes the new one in its place. Without it the layer is copied in every epoch.
    """
    return jnp.where(best.parameters.W.ravel()[0] >= jnp.inf, 0.0, rate)


def _run_chunk(
    state: State, problem: Problem, constants: Constants, epochs: Epoch, count: int, plan: Plan
) -> tuple[State, Measures]:
    """Train `count` of the given epochs, and measure the model before each of them."""
    run_epoch = epoch_of(plan)
    empty = jnp.zeros((CHUNK_CAPACITY, problem.train.shape[0]), jnp.float32)

    def body(i: Array, carried: tuple[State, Measures]) -> tuple[State, Measures]:
        state, log = carried
        epoch = Epoch(*(values[i] for values in epochs))
        W = state.parameters.W
        if len(state.dealt):
            state = deal(state, len(problem.X), plan)
        outlook, step = run_epoch(state, problem, constants, epoch, plan)
        measures = measure(W, *outlook, state.last, plan)
        best = keep_better(state.best, state.parameters, measures, constants.penalty_limit, state.epoch)
        parameters, optimizer = step(_once_kept(best, epoch.rate))
        log = Measures(*(record.at[i].set(now) for record, now in zip(log, measures, strict=True)))
        trained = state._replace(
            parameters=parameters, optimizer=optimizer, best=best, epoch=state.epoch + 1, last=epoch
        )
        return trained, log

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
    prune: bool = False,
    vote: Vote | None = None,
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
        Told the epochs done and the epochs in all after every chunk; a true answer ends the training there,
        with the best layers so far.
    placement : Placement
        Where the columns of `X` and of the layer are kept; by default on one device.
    prune : bool
        Whether columns that every restart has given up in the middle of the schedule leave the training.
    vote : Vote, optional
        Ends the training as soon as it is settled, in the second half of the schedule.
    """
    _refuse_copy_of_process()
    _must_fit(plan, len(parameters.W), math.prod(parameters.W.shape[2:]), len(problem.X))
    with programs_on_disk():
        course = _Course(problem, epochs, constants, plan, on_progress, placement)
        course.begin(parameters, seed)
        if prune:
            course.go_on(len(epochs.rate) // 2)
            if not course.is_over:
                course.drop_columns()
        if vote is not None:
            course.go_on_until_settled(vote)
        return course.finish()


_TRAINED_IN: set[int] = set()  # the process that has started JAX's threads


def _refuse_copy_of_process() -> None:
    """Raise in a process that was forked from one that has trained: it has none of its threads, and hangs."""
    _TRAINED_IN.add(os.getpid())
    if len(_TRAINED_IN) > 1:
        _TRAINED_IN.discard(os.getpid())
        raise RuntimeError(
            "This process was forked from one that has fitted already, and JAX does not work in such a copy: "
            'start processes by "spawn" or "forkserver", as joblib does, or fit in none before forking.'
        )


class _Course:
    """A training under way: what is on the devices, and how far it has come."""

    def __init__(
        self,
        problem: Problem,
        epochs: Epoch,
        constants: Constants,
        plan: Plan,
        on_progress: Progress | None,
        placement: Placement,
    ) -> None:
        self.problem, self.epochs, self.constants, self.plan = problem, epochs, constants, plan
        self.on_progress, self.placement = on_progress, placement
        self.n_scheduled = len(epochs.rate)
        self.n_columns = problem.X.shape[-1]
        self.columns = np.arange(self.n_columns)
        self.logs: list[Measures] = []
        self.done = 0
        self.is_over = False  # somebody asked for an end before the schedule's

    def begin(self, parameters: Parameters, seed: int) -> None:
        """Bring everything to the devices once, not with every chunk."""
        self._show_columns()
        first = Epoch(*(np.asarray(values)[0] for values in self.epochs))
        self.state = _start_state(parameters, first, len(self.problem.X), self.plan, seed, self.placement)

    def _show_columns(self) -> None:
        X = self.problem.X if len(self.columns) == self.n_columns else self.problem.X[..., self.columns]
        self.shown = _placed(self.problem._replace(X=X), self.placement)
        self.pace = Pace(fixed=self.placement.of_several_processes)

    def go_on(self, n_passes: int) -> None:
        """Train until so many passes are done, or somebody who is told asks for an end."""
        while self.done < n_passes and not self.is_over:
            self._train_chunk(n_passes)
            if self._show(min(self.done, self.n_scheduled)) and self.done < len(self.epochs.rate):
                self.is_over = True
                self.epochs = Epoch(*(values[: self.done] for values in self.epochs))

    def _train_chunk(self, n_passes: int) -> None:
        """Train the next epochs, as many as take about half a second."""
        count = self.pace.next_count(n_passes - self.done)
        self.state, log = _compiled_chunk()(
            self.state, self.shown, self.constants, _chunk(self.epochs, self.done), count, self.plan
        )
        self.logs.append(Measures(*(self.placement.fetch(values)[:count] for values in log)))
        self.done += count

    def _show(self, done: int) -> bool:
        """Tell what is done, and return whether an end is asked for.

        Joined processes must all run the same programs, and their clocks differ: there it never is.
        """
        asked = self.on_progress is not None and bool(self.on_progress(done, self.n_scheduled))
        return asked and not self.placement.of_several_processes

    def go_on_until_settled(self, vote: Vote) -> None:
        """Train until the vote on the best layers is settled, and leave out the epochs that follow."""
        for n_trained in looks(self.n_scheduled):
            self.go_on(n_trained)
            if self.is_over:
                return
            best, fetch = self.state.best, self.placement.fetch
            if vote.is_settled(fetch(best.parameters.W, len(self.columns)), fetch(best.admitted), n_trained):
                self.epochs = Epoch(*(values[:n_trained] for values in self.epochs))
                return

    def drop_columns(self) -> None:
        """Go on without the columns that every restart has given up."""
        self.columns, self.state = _pruned(self.state, self.placement, self.n_columns)
        self._show_columns()

    def finish(self) -> Training:
        """Train what is left, and return the outcome."""
        # One pass more than epochs: each measures the model that the epoch before it left behind.
        while self.done < len(self.epochs.rate) + 1:
            self.is_over = False  # the model that an early end leaves behind is measured, too
            self.go_on(len(self.epochs.rate) + 1)
        if len(self.epochs.rate) < self.n_scheduled:
            self._show(self.n_scheduled)  # whoever watches is not left waiting for the others
        measures = Measures(*(np.concatenate(values)[1:].T for values in zip(*self.logs, strict=True)))
        admitted = np.asarray(admit(measures, self.constants.penalty_limit))
        best = self.state.best
        return Training(
            *self._fetched(best.parameters),
            best_epoch=self.placement.fetch(best.epoch).astype(np.int64) - 1,
            history=History(*self.epochs, *measures, admitted=admitted),
            last=self._fetched(self.state.parameters),
        )

    def _fetched(self, parameters: Parameters) -> Parameters:
        """Return weights from the devices, the layer's with those of all columns."""
        W, *others = parameters
        return Parameters(self._widened(W), *jax.tree.map(self.placement.fetch, others))

    def _widened(self, layer: Array) -> NDArray[np.float32]:
        """Return a layer with all columns again, those that have left without weights."""
        fetched = self.placement.fetch(layer, len(self.columns))
        whole = np.zeros((*fetched.shape[:-1], self.n_columns), np.float32)
        whole[..., self.columns] = fetched
        return whole


def _pruned(state: State, placement: Placement, n_columns: int) -> tuple[NDArray[np.intp], State]:
    """Return the columns that go on, and the state without the others."""
    layers = state.parameters.W, state.best.parameters.W
    W, best_W = (placement.fetch(layer, n_columns) for layer in layers)
    columns = columns_left(W, best_W)

    def narrowed(place: tuple[Any, ...], array: Array) -> Array:
        # The layer, its best and its moments by their name: other weights may happen to have its shape.
        if getattr(place[-1], "name", "") != "W":
            return array
        return placement.share_columns(placement.fetch(array, n_columns)[..., columns])

    return columns, jax.tree_util.tree_map_with_path(narrowed, state)


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


def _start_state(
    parameters: Parameters, first: Epoch, n_rows: int, plan: Plan, seed: int, placement: Placement
) -> State:
    """Return the state before the first epoch, on the devices it will be trained on."""
    W, *others = parameters
    placed = Parameters(placement.share_columns(W), *placement.copy_everywhere(others))
    key_data = np.array([seed >> 32 & 0xFFFFFFFF, seed & 0xFFFFFFFF], np.uint32)
    fixed: dict[str, Any] = {"n_rows": n_rows, "plan": plan}
    if placement.mesh is None:
        start = jax.jit(_start, static_argnames=list(fixed))
    else:
        wanted = jax.eval_shape(partial(_start, **fixed), placed, key_data, first)
        shardings = placement.shardings(wanted, placed.W.shape)
        start = jax.jit(_start, static_argnames=list(fixed), out_shardings=shardings)
    return State(*start(placed, key_data, first, **fixed))


def _chunk(epochs: Epoch, first: int) -> Epoch:
    """Return the epochs from `first` on, filled up to the compiled length with ones that stand still."""
    chosen = np.arange(first, first + CHUNK_CAPACITY)
    within = chosen < len(epochs.rate)
    lambda_s, lambda_a, rate = (np.asarray(values)[np.where(within, chosen, -1)] for values in epochs)
    return Epoch(lambda_s, lambda_a, rate * within)


def _must_fit(plan: Plan, n_restarts: int, n_inputs: int, n_rows: int = 0) -> None:
    """Raise if weights and what they make of the rows take more memory than there is.

    A weight comes with its gradient, the two moments of the optimiser and a copy; an output of a hidden unit
    with its gradient.
    """
    behind = sum(before * after for before, after in pairwise(plan.sizes))
    outputs = (plan.batch_rows or n_rows) * sum(plan.hidden_layer_sizes)
    n_bytes = 4.0 * n_restarts * (5 * (behind + plan.dim * n_inputs) + 2 * outputs)
    checks.must_fit("hidden_layer_sizes", plan.hidden_layer_sizes, n_bytes)


def start_parameters(
    column_shares: NDArray[np.floating], n_restarts: int, plan: Plan, seed: int = 0
) -> Parameters:
    """Return the untrained weights; restart ``r`` draws its own, whatever runs beside it.

    What goes past the hidden units starts at zero: the network begins as it would without.
    """
    _must_fit(plan, n_restarts, len(column_shares))
    generators = [np.random.default_rng([seed, restart]) for restart in range(n_restarts)]
    layers = network.start_network(generators, plan.sizes)
    if plan.loss is not None:
        layers = network.with_shared_outputs(layers, plan.loss.n_shared)
    W = layer.start_weights(column_shares, n_restarts, plan.dim)
    direct = np.zeros((n_restarts, plan.sizes[0], plan.n_outputs), np.float32) if plan.direct else None
    return Parameters(W, layers, direct)
