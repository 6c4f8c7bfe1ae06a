"""The cyclic penalty weights: one (λ_S, λ_A) pair per epoch (section III-B, Fig. 2)."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from snelfs.foundation import checks
from snelfs.foundation.types import Array

# What an epoch leaves at least: penalty weights and rate, the measures of a restart, and their copies.
EPOCH_BYTES = 64


class Schedule(NamedTuple):
    """The two penalty weights of every epoch, each of shape ``(epochs,)``."""

    lambda_s: NDArray[np.float32]
    lambda_a: NDArray[np.float32]

    @property
    def n_epochs(self) -> int:
        """Count the epochs of the whole training."""
        return len(self.lambda_s)


def triangular_cycle(low: float, high: float, steps: int) -> NDArray[np.float64]:
    """Return one cycle that climbs from `low` to `high` and falls back, in `2 * steps` values.

    The climb is ``low + i·(high - low)/steps`` and the fall ``high - i·(high - low)/steps`` for
    ``i = 0 .. steps - 1``: the peak occurs once, and cycles join without repeating a value.

    Examples
    --------
    >>> triangular_cycle(0.0, 3.0, 3).tolist()
    [0.0, 1.0, 2.0, 3.0, 2.0, 1.0]
    """
    climb = np.arange(steps) * ((high - low) / steps)
    return np.concatenate([low + climb, high - climb])


def nested_schedule(
    lambda_s: tuple[float, float],
    lambda_a: tuple[float, float],
    steps: tuple[int, int],
    cycles: tuple[int, int],
    epochs_per_stage: int,
) -> Schedule:
    """Nest the cycles of λ_A in those of λ_S and hold every pair for `epochs_per_stage` epochs.

    Each value of λ_S lasts for ``cycles[1]`` whole cycles of λ_A. A pair of values is a *stage*;
    there are ``(2·steps_s·cycles_s) · (2·steps_a·cycles_a)`` of them.

    Parameters
    ----------
    lambda_s, lambda_a : (low, high)
        Ranges of the two penalty weights.
    steps, cycles : (int, int)
        Steps of half a cycle, and number of cycles, for λ_S and λ_A.
    epochs_per_stage : int
        Epochs trained at each pair.

    Examples
    --------
    The paper's Fig. 2 has 48 stages:

    >>> nested_schedule((0.0, 1.0), (0.0, 1.0), (4, 3), (1, 1), epochs_per_stage=1).n_epochs
    48
    """
    _must_fit(steps, cycles, epochs_per_stage)
    outer = np.tile(triangular_cycle(*lambda_s, steps[0]), cycles[0])
    inner = np.tile(triangular_cycle(*lambda_a, steps[1]), cycles[1])
    stages_s = np.repeat(outer, len(inner))
    stages_a = np.tile(inner, len(outer))
    return Schedule(
        np.repeat(stages_s, epochs_per_stage).astype(np.float32),
        np.repeat(stages_a, epochs_per_stage).astype(np.float32),
    )


def _must_fit(steps: tuple[int, int], cycles: tuple[int, int], epochs_per_stage: int) -> None:
    """Raise, naming what is largest, if the schedule has more epochs than memory can keep."""
    n_epochs = 4 * steps[0] * cycles[0] * steps[1] * cycles[1] * epochs_per_stage
    largest, name = max(
        (max(steps), "steps"),
        (cycles[0], "cycles_s"),
        (cycles[1], "cycles_a"),
        (epochs_per_stage, "epochs_per_stage"),
    )
    checks.must_fit(name, largest, float(n_epochs) * EPOCH_BYTES)


def automatic_range(dim: int) -> tuple[float, float]:
    """Return the range of a penalty weight that suits a layer of `dim` neurons.

    Ω_S and Ω_A add up over the neurons. A top of ``3 / dim`` weighs the *mean* violation of a neuron
    by 3 against the loss, however many neurons there are: a layer of one or two neurons has the
    whole pull of the loss on each of them. The bottom lets the loss decide, at 0.01 or a tenth of
    the top. At 15 and 30 neurons these are the paper's ranges.

    Examples
    --------
    >>> automatic_range(15), automatic_range(30)
    ((0.01, 0.2), (0.01, 0.1))
    """
    top = 3.0 / dim
    return min(0.01, top / 10), top


def automatic_rates(n_columns: int, n_epochs: int) -> NDArray[np.float32]:
    """Return a learning rate for every epoch that falls from a search to a settling pace.

    Adam moves every weight by about the rate in each epoch, whether the weight matters or not.
    That bounds the rate from both sides:

    - The absolute weights of a neuron cannot settle below about ``n_columns · rate``, so the rate
      must end near ``0.1 / n_columns`` for the sum to come down to 1.
    - A weight travels at most the sum of the rates, and must travel from 0 to 1 to be a selection,
      so the mean rate must be a few ``1 / n_epochs``.

    A constant rate of ``0.5 / n_columns`` (1e-3 at 500 columns, 5e-5 at 10,000: the paper's values)
    meets both only up to about a thousand columns, or where columns are strongly correlated. Here
    the *mean* is that or ``3.5 / n_epochs`` if larger, and the course is cubic.

    Examples
    --------
    >>> rates = automatic_rates(n_columns=500, n_epochs=11_552)
    >>> [float(f"{rate:.1e}") for rate in (rates.mean(), rates[-1])]
    [0.001, 0.0002]
    """
    return np.asarray(automatic_rate(np.arange(n_epochs), n_columns, n_epochs), np.float32)


def automatic_rate(epoch: Array, n_columns: int, n_epochs: int) -> Array:
    """Return the rate of one epoch, or of each of an array of them; after the last it stays."""
    mean = min(max(0.5 / n_columns, 3.5 / n_epochs), 0.01)
    last = min(0.1 / n_columns, mean)
    remaining = 1.0 - (epoch + 0.5) / n_epochs
    return last + 4.0 * (mean - last) * (remaining * (remaining > 0)) ** 3
