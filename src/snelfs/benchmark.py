"""Evidence: the index of success, and the engine's speed against what it cannot do without."""

import csv
import io
import os
import platform
import subprocess
import tempfile
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path

import jax
import numpy as np
from numpy.typing import NDArray

from snelfs.arguments import count
from snelfs.arrays import Array
from snelfs.compilation import compiler_options
from snelfs.preparation import split_weights
from snelfs.schedules import automatic_rates, nested_schedule
from snelfs.training import Constants, Epoch, Plan, Problem, start_parameters, train

Row = Mapping[str, object]


def index_of_success(ranking: NDArray[np.integer], relevant: Collection[int], n_selected: int) -> float:
    """Return how well the best `n_selected` columns cover the relevant ones (Eq. 24).

    It is ``R_s/R_t - α·I_s/I_t`` with the shares of relevant and irrelevant columns selected and
    ``α = min(1/2, R_t/I_t)``; it is 1 if all relevant columns come first.

    Parameters
    ----------
    ranking : array of shape (columns,)
        Rank of every column, 1 for the best, as in ``ranking_``.
    relevant : collection of int
        Indices of the relevant columns.

    Examples
    --------
    >>> index_of_success(np.array([3, 1, 2, 4]), relevant=[1, 2], n_selected=3)
    1.0
    >>> index_of_success(np.array([1, 2, 3, 4]), relevant=[1, 2], n_selected=2)
    0.25
    """
    ranks = np.asarray(ranking)[list(relevant)]
    if ranks.max() == len(ranks):
        return 1.0
    found = int((ranks <= n_selected).sum())
    n_irrelevant = len(ranking) - len(ranks)
    alpha = min(0.5, len(ranks) / n_irrelevant)
    return float(found / len(ranks) - alpha * (n_selected - found) / n_irrelevant)


# -- speed ------------------------------------------------------------------------------------------


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
    seconds = {name: np.array(times) for name, times in _take_turns(candidates, repetitions).items()}
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


def _take_turns(candidates: Mapping[str, Callable[[], object]], repetitions: int) -> dict[str, list[float]]:
    seconds: dict[str, list[float]] = {name: [] for name in candidates}
    for candidate in candidates.values():
        candidate()  # warm up, and compile
    for _ in range(repetitions):
        for name, candidate in candidates.items():
            started = time.perf_counter()
            candidate()
            seconds[name].append(time.perf_counter() - started)
    return seconds


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


# -- records ----------------------------------------------------------------------------------------


def environment() -> dict[str, str]:
    """Return what a figure was measured with: commit, versions and machine."""
    packages = ("snelfs", "jax", "numpy", "scipy", "scikit-learn", "optax")
    return {
        "commit": _commit(),
        "python": platform.python_version(),
        **{name: version(name) for name in packages},
        "cpu": _cpu(),
        "cores": str(os.cpu_count()),
    }


def _commit() -> str:
    command = ["git", "-C", str(Path(__file__).parent), "describe", "--always", "--dirty", "--abbrev=12"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def markdown_table(rows: Sequence[Row]) -> str:
    """Return rows of equal keys as a Markdown table.

    Examples
    --------
    >>> print(markdown_table([{"a": 1, "b": "x"}]))
    | a | b |
    | --- | --- |
    | 1 | x |
    """
    header = list(rows[0])
    lines = [header, ["---"] * len(header), *([str(row[key]) for key in header] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def write_results(folder: Path, name: str, title: str, rows: Sequence[Row]) -> list[Path]:
    """Write rows as CSV and, with title and environment, as Markdown; each file whole or not at all."""
    table = io.StringIO()
    writer = csv.DictWriter(table, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    setting = "\n".join(f"- {key}: {value}" for key, value in environment().items())
    text = f"# {title}\n\n{markdown_table(rows)}\n\nMeasured with:\n\n{setting}\n"
    paths = [folder / f"{name}.csv", folder / f"{name}.md"]
    folder.mkdir(parents=True, exist_ok=True)
    for path, content in zip(paths, (table.getvalue(), text), strict=True):
        _write_whole(path, content)
    return paths


def _write_whole(path: Path, content: str) -> None:
    with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False, encoding="utf-8") as file:
        file.write(content)
    Path(file.name).chmod(0o644)
    Path(file.name).replace(path)
