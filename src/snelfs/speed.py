"""The engine's speed against the two matrix products it cannot do without."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import jax
import numpy as np
from numpy.typing import NDArray

from snelfs.arguments import count
from snelfs.arrays import Array
from snelfs.compilation import compiler_options
from snelfs.objective import Constants, Epoch, Plan, Problem
from snelfs.preparation import split_weights
from snelfs.schedules import automatic_rates, nested_schedule
from snelfs.timing import take_turns
from snelfs.training import start_parameters, train


@dataclass(frozen=True)
class Shape:
    """A problem size: rows, columns, neurons, and steps of the schedule."""

    rows: int = 200
    columns: int = 500
    dim: int = 15
    steps: int = 38

    def __post_init__(self) -> None:
        """Check the sizes."""
        for name, least in (("rows", 10), ("columns", 1), ("dim", 1), ("steps", 1)):
            count(name, getattr(self, name), least)

    @property
    def n_epochs(self) -> int:
        """Count the epochs of the paper's cycles: one of λ_S, two of λ_A."""
        return (2 * self.steps) * (4 * self.steps)


def measure_speed(
    shape: Shape, restarts: Sequence[int] = (1, 8), repetitions: int = 5, seed: int = 0
) -> list[dict[str, object]]:
    """Time whole trainings against the two matrix products alone, for the same number of epochs.

    All candidates take turns in every repetition, so that a noisy machine slows them alike; the
    compared figures are ratios within a repetition. Compilation is left out.
    """
    count("repetitions", repetitions, 1)
    generator = np.random.default_rng(seed)
    X = generator.standard_normal((shape.rows, shape.columns)).astype(np.float32)
    y = generator.integers(0, 2, shape.rows)
    candidates: dict[str, Callable[[], object]] = {
        "two products, numpy": lambda: _products_numpy(X, shape),
        "two products, jax": _products_jax(X, shape),
    }
    for n in restarts:
        candidates[f"training, {n} restart(s)"] = _training(X, y, shape, n)
    seconds = take_turns(candidates, repetitions)
    floor = np.minimum(seconds["two products, numpy"], seconds["two products, jax"])
    one = seconds[f"training, {restarts[0]} restart(s)"]
    return [_speed_row(name, times, floor, one, shape) for name, times in seconds.items()]


def _speed_row(
    name: str, times: NDArray[np.float64], floor: NDArray[np.float64], one: NDArray[np.float64], shape: Shape
) -> dict[str, object]:
    to_floor, to_one = times / floor, times / one
    return {
        "what": name,
        "seconds": f"{np.median(times):.2f}",
        "ms per epoch": f"{1e3 * np.median(times) / shape.n_epochs:.3f}",
        "of the floor": _spread(to_floor),
        "of one restart": _spread(to_one) if name.startswith("training") else "",
    }


def _spread(ratios: NDArray[np.float64]) -> str:
    return f"{np.median(ratios):.2f} ({ratios.min():.2f} to {ratios.max():.2f})"


def _products_numpy(X: NDArray[np.float32], shape: Shape) -> None:
    W = np.full((shape.columns, shape.dim), 1e-3, np.float32)
    for _ in range(shape.n_epochs):
        _ = X.T @ (X @ W)


def _products_jax(X: NDArray[np.float32], shape: Shape) -> Callable[[], object]:
    @partial(jax.jit, compiler_options=compiler_options())
    def run(X: Array, W: Array) -> Array:
        # Each pass uses the last one's result, or the compiler would do the work once.
        return jax.lax.fori_loop(0, shape.n_epochs, lambda _, W: W + 1e-12 * (X.T @ (X @ W)), W)

    W = np.full((shape.columns, shape.dim), 1e-3, np.float32)
    return lambda: np.asarray(run(X, W))


def _training(
    X: NDArray[np.float32], y: NDArray[np.int64], shape: Shape, n_restarts: int
) -> Callable[[], object]:
    plan = Plan("binary", 1, shape.dim, (5, 5), "accuracy")
    weights = [w.astype(np.float32) for w in split_weights(y, np.ones(len(y)), 0.2, n_restarts, 0)]
    problem = Problem(X, y.astype(np.int32), *weights, *weights)
    start = start_parameters(np.ones(shape.columns), n_restarts, plan)
    ranges = (0.01, 0.2)
    schedule = nested_schedule(ranges, ranges, (shape.steps, shape.steps), (1, 2), 1)
    epochs = Epoch(*schedule, automatic_rates(shape.columns, shape.n_epochs))
    constants = Constants(*map(np.float32, (0.01, 0.01, 0.3)))
    return lambda: train(problem, start, epochs, constants, plan)
