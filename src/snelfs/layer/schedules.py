"""What an epoch is trained with, as plain functions of the epoch: penalty weights and learning rate."""

from dataclasses import KW_ONLY, dataclass
from typing import Any

from snelfs.engine.schedule import automatic_range, automatic_rate
from snelfs.foundation import checks


@dataclass(frozen=True)
class PenaltySchedule:
    """The nested cycles of both penalty weights: ``schedule(epoch)`` is ``(lambda_s, lambda_a)``.

    λ_S climbs and falls `cycles_s` times; at each of its values λ_A climbs and falls `cycles_a` times
    (section III-B, Fig. 2). While the weights are low the loss decides what the neurons look at; while they
    are high each neuron must give up columns. After `n_epochs` the cycles begin anew.

    The epoch may be an integer, an array of them, or a number that JAX traces.

    Parameters
    ----------
    n_neurons : int
        Neurons of the layer.
    lambda_s, lambda_a : "auto" or (low, high), default="auto"
        Ranges of the two weights; "auto" is 0.01 to 3 over the number of neurons.
    steps : int or (int, int), default=9
        Values in half a cycle, for both weights or each.
    cycles_s, cycles_a : int, default=1 and 2
        Cycles of λ_S, and cycles of λ_A at each of its values.
    epochs_per_stage : int, default=1
        Epochs at every pair of weights.

    Examples
    --------
    >>> schedule = PenaltySchedule(15)
    >>> schedule.n_epochs
    648
    >>> [round(float(weight), 3) for weight in schedule(333)]
    [0.2, 0.2]
    """

    n_neurons: int
    _: KW_ONLY
    lambda_s: tuple[float, float] | str = "auto"
    lambda_a: tuple[float, float] | str = "auto"
    steps: int | tuple[int, int] = 9
    cycles_s: int = 1
    cycles_a: int = 2
    epochs_per_stage: int = 1

    def __post_init__(self) -> None:
        n_neurons = checks.count("n_neurons", self.n_neurons, 1)
        for name in ("lambda_s", "lambda_a"):
            object.__setattr__(self, name, _range(name, getattr(self, name), n_neurons))
        object.__setattr__(self, "steps", _two("steps", self.steps))
        for name in ("cycles_s", "cycles_a", "epochs_per_stage"):
            checks.count(name, getattr(self, name), 1)

    @property
    def n_epochs(self) -> int:
        """Count the epochs of the whole schedule."""
        (steps_s, steps_a), cycles = self._steps, self.cycles_s * self.cycles_a
        return 4 * steps_s * steps_a * cycles * self.epochs_per_stage

    @property
    def _steps(self) -> tuple[int, int]:
        assert isinstance(self.steps, tuple)
        return self.steps

    def __call__(self, epoch: Any) -> tuple[Any, Any]:
        """Return λ_S and λ_A of an epoch, the first of which is 0."""
        stage = _checked(epoch) // self.epochs_per_stage
        steps_s, steps_a = self._steps
        inner = 2 * steps_a * self.cycles_a
        return _triangle(stage // inner, self.lambda_s, steps_s), _triangle(stage, self.lambda_a, steps_a)

    def within(self, step: Any, n_steps: int) -> tuple[Any, Any]:
        """Return λ_S and λ_A of a step, if the schedule is to be run through in so many steps.

        Examples
        --------
        >>> schedule = PenaltySchedule(15)
        >>> schedule.within(50, n_steps=100) == schedule(324)
        True
        """
        return self(_checked(step, "step") * self.n_epochs // checks.count("n_steps", n_steps, 1))


@dataclass(frozen=True)
class RateSchedule:
    """The learning rate of the layer's own weights: ``rate(step)`` falls from a search to a settling pace.

    Adam moves every weight by about the rate in each step, whether the weight matters or not. The absolute
    weights of a neuron therefore cannot settle below about ``n_columns · rate``, and condition S (Eq. 1) asks
    them to sum to 1: **the rate must fall with the number of columns**, and ends at ``0.1 / n_columns``. A
    rate of 1e-3, harmless elsewhere, keeps Σ|w| near 10 where there are 10,000 columns, and no epoch is ever
    admitted. On the other hand a weight travels at most the sum of all rates and must come from 0 to 1, so
    that the mean is at least ``3.5 / n_steps``.

    Give the layer a parameter group of its own; the network behind it may keep any rate. After the last step
    the rate stays where it is.

    Parameters
    ----------
    n_columns : int
        Columns that enter the layer.
    n_steps : int
        Steps of the optimiser in the whole training: epochs times mini-batches.

    Examples
    --------
    >>> rate = RateSchedule(n_columns=500, n_steps=11_552)
    >>> [f"{rate(step):.1e}" for step in (0, 5_000, 11_551)]
    ['3.4e-03', '7.8e-04', '2.0e-04']
    """

    n_columns: int
    n_steps: int

    def __post_init__(self) -> None:
        checks.count("n_columns", self.n_columns, 1)
        checks.count("n_steps", self.n_steps, 1)

    def __call__(self, step: Any) -> Any:
        """Return the rate of a step, the first of which is 0."""
        return automatic_rate(_checked(step, "step"), self.n_columns, self.n_steps)


def _checked(epoch: Any, name: str = "epoch") -> Any:
    """Return an epoch, or raise if it is a number and no epoch; arrays and what JAX traces pass."""
    is_array = hasattr(epoch, "shape")
    return epoch if is_array else checks.count(name, epoch, 0)


def _range(name: str, asked: Any, n_neurons: int) -> tuple[float, float]:
    if isinstance(asked, str):
        checks.choice(name, asked, ["auto"])
        return automatic_range(n_neurons)
    return checks.interval(name, asked)


def _two(name: str, asked: Any) -> tuple[int, int]:
    given = checks.counts(name, asked)
    if len(given) > 2 or not given:
        raise checks.ArgumentError(name, f"must be an integer or a pair of them, got {asked!r}.")
    return given[0], given[-1]


def _triangle(place: Any, ends: Any, steps: int) -> Any:
    """Return the value at a place of a cycle that climbs in `steps` and falls in as many, over and over."""
    low, high = ends
    return high - abs(place % (2 * steps) - steps) * ((high - low) / steps)
