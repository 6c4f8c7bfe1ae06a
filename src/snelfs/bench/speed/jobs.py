"""The training that the speed benchmark times in every framework: data, schedule and start."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from snelfs.data.splits import split_weights
from snelfs.engine.objective import Epoch, Parameters, Plan
from snelfs.engine.schedule import automatic_range, automatic_rates, nested_schedule
from snelfs.engine.training import start_parameters
from snelfs.foundation.checks import count

HIDDEN = (10,)
ALPHA = 0.01  # of l1 and of l2
PENALTY_LIMIT = 0.3
VALIDATION_FRACTION = 0.2


@dataclass(frozen=True)
class Shape:
    """A problem size: rows, columns, neurons, and the epochs that a candidate is timed over."""

    rows: int
    columns: int
    dim: int
    n_epochs: int

    def __post_init__(self) -> None:
        """Check the sizes."""
        for name, least in (("rows", 10), ("columns", 1), ("dim", 1), ("n_epochs", 1)):
            count(name, getattr(self, name), least)

    def __str__(self) -> str:
        return f"{self.rows:,} × {self.columns:,}, dim {self.dim}"


# Small, the size of colon, of a large expression array, and long; each candidate takes up to some seconds.
SHAPES = {
    "S": Shape(200, 500, 15, 1000),
    "C": Shape(60, 2000, 30, 500),
    "L": Shape(106, 22215, 30, 30),
    "K": Shape(5000, 500, 15, 100),
}


@dataclass(frozen=True)
class Job:
    """What every candidate trains: two classes of random rows, from the same start on the same split."""

    X: NDArray[np.float32]
    y: NDArray[np.int64]  # 0 and 1
    validation: NDArray[np.bool_]  # rows on which the best epoch is chosen
    epochs: Epoch
    start: Parameters  # of one model, with an axis of length 1 for it

    @property
    def n_epochs(self) -> int:
        """Count the epochs."""
        return len(self.epochs.rate)

    def cut(self, n_epochs: int) -> "Job":
        """Return the job with its first epochs only."""
        return replace(self, epochs=Epoch(*(values[:n_epochs] for values in self.epochs)))

    @property
    def plan(self) -> Plan:
        """Return what our engine compiles for it."""
        return _plan(self.start.W.shape[1])


def make_job(shape: Shape, seed: int = 0) -> Job:
    """Return random data of a shape and the schedule that goes with it."""
    generator = np.random.default_rng(seed)
    X = generator.standard_normal((shape.rows, shape.columns)).astype(np.float32)
    y = generator.permutation(shape.rows) % 2
    ranges = automatic_range(shape.dim)
    steps = int(np.ceil(np.sqrt(shape.n_epochs / 8)))  # one cycle of λ_S and two of λ_A have 8 steps²
    lambda_s, lambda_a = nested_schedule(ranges, ranges, (steps, steps), (1, 2), 1)
    rates = automatic_rates(shape.columns, shape.n_epochs)
    return Job(
        X,
        y,
        split_weights(y, np.ones(shape.rows), VALIDATION_FRACTION, 1, seed)[1][0] > 0,
        Epoch(lambda_s[: shape.n_epochs], lambda_a[: shape.n_epochs], rates),
        start_parameters(np.ones(shape.columns), 1, _plan(shape.dim), seed),
    )


def _plan(dim: int) -> Plan:
    return Plan("binary", 1, dim, HIDDEN, "loss")
