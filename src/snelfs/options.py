"""The estimators' constructor arguments, checked and worked out for one data set."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from snelfs import arguments
from snelfs.devices import Device, chosen_devices
from snelfs.optimizers import OPTIMIZERS
from snelfs.schedules import Schedule, automatic_range, automatic_rates, nested_schedule

LARGEST = 50  # the most features that "auto" selects
DEFAULT_SHARE = 0.03  # of the columns, as the paper takes from Bolón-Canedo et al.
FEWEST_NEURONS = 15  # of a search, as far as that is no larger share of the columns


@dataclass(frozen=True)
class Options:
    """Everything that a fit is told, in the types that the engine takes."""

    n_selected: int  # the most features that are selected
    dim: int  # neurons of the layer, as many or more
    threshold: float | None
    saliency: str
    hidden_layer_sizes: tuple[int, ...]
    schedule: Schedule
    learning_rate: float | None
    optimizer: str
    alpha_l1: float
    alpha_l2: float
    batch_size: int | str | None  # "auto", or None for all rows
    validation_fraction: float
    scoring: str
    penalty_limit: float
    smoothing: float
    n_restarts: int
    combine: str
    refine: bool
    screen: int | None
    prune: bool | None  # None: where it saves seconds
    patience: float | None  # of the schedule; None: to its end
    n_shuffles: int
    devices: tuple[Device, ...] | None  # None: JAX's default one
    column_shares: NDArray[np.float64] | None  # None: to be worked out from the data

    def rates(self, n_columns: int) -> NDArray[np.float32]:
        """Return the learning rate of every epoch for a layer of `n_columns`."""
        n_epochs = self.schedule.n_epochs
        if self.learning_rate is None:
            return automatic_rates(n_columns, n_epochs)
        return np.full(n_epochs, self.learning_rate, np.float32)


def check_options(given: dict[str, Any], n_features: int, scorings: Iterable[str], scoring: str) -> Options:
    """Check the arguments in `given`; `scoring` is the one meant by None."""
    threshold, rate = given["threshold"], given["learning_rate"]
    n_selected = selected_count(given["n_features_to_select"], n_features)
    refine = arguments.flag("refine", given["refine"])
    dim = neurons(n_selected, n_features) if refine else n_selected
    return Options(
        n_selected=n_selected,
        dim=dim,
        threshold=None if threshold is None else arguments.non_negative("threshold", threshold),
        saliency=arguments.choice("saliency", given["saliency"], ["max", "sum"]),
        hidden_layer_sizes=arguments.counts("hidden_layer_sizes", given["hidden_layer_sizes"]),
        schedule=_schedule(given, dim),
        learning_rate=_learning_rate(rate),
        optimizer=arguments.choice("optimizer", given["optimizer"], OPTIMIZERS),
        alpha_l1=arguments.non_negative("alpha_l1", given["alpha_l1"]),
        alpha_l2=arguments.non_negative("alpha_l2", given["alpha_l2"]),
        batch_size=_batch_size(given["batch_size"]),
        validation_fraction=arguments.fraction("validation_fraction", given["validation_fraction"]),
        scoring=arguments.choice(
            "scoring", scoring if given["scoring"] is None else given["scoring"], scorings
        ),
        penalty_limit=arguments.positive("penalty_limit", given["penalty_limit"]),
        smoothing=arguments.non_negative("smoothing", given["smoothing"]),
        n_restarts=arguments.count("n_restarts", given["n_restarts"], 1),
        combine=arguments.choice("combine", given["combine"], ["mean", "vote"]),
        refine=refine,
        screen=_screen(given["screen"], dim),
        prune=_prune(given["prune"]),
        patience=_patience(given["patience"]),
        n_shuffles=arguments.count("n_shuffles", given["n_shuffles"], 0),
        devices=chosen_devices(given["devices"]),
        column_shares=column_shares(given["init"], n_features),
    )


def selected_count(asked: object, n_features: int) -> int:
    """Return how many columns are meant by an integer, a share of them, None (3 %), or "auto" at most.

    Examples
    --------
    >>> selected_count(None, 500), selected_count(0.5, 9), selected_count(7, 9)
    (15, 4, 7)
    """
    if isinstance(asked, str) and asked == "auto":
        return min(LARGEST, n_features)
    if asked is None:
        asked = DEFAULT_SHARE
    if arguments.is_integer(asked):
        wanted = arguments.count("n_features_to_select", asked, 1)
        if wanted > n_features:
            raise ValueError(f"n_features_to_select={wanted} is more than X has: {n_features} feature(s).")
        return wanted
    if not isinstance(asked, float | np.floating) or not 0 < asked <= 1:
        raise ValueError(
            "n_features_to_select must be None, 'auto', an integer of at least 1 or a share above 0 and up "
            f"to 1, got {asked!r}."
        )
    return max(1, math.floor(asked * n_features + 1e-9))  # 0.29 · 100 is meant to be 29


def neurons(n_selected: int, n_features: int) -> int:
    """Return how many neurons search for so many features: a layer of few has no room to find them in.

    Examples
    --------
    >>> neurons(2, 500), neurons(30, 500), neurons(2, 100)
    (15, 30, 3)
    """
    return max(n_selected, min(FEWEST_NEURONS, math.floor(DEFAULT_SHARE * n_features)))


def column_shares(init: object, n_features: int) -> NDArray[np.float64] | None:
    """Return each column's share in the start of a neuron, for "constant" or an array of them.

    For "moments" it is None: the shares depend on the data.
    """
    if isinstance(init, str) or init is None:
        arguments.choice("init", init, ["constant", "moments"])
        return np.ones(n_features) if init == "constant" else None
    shares = np.asarray(init, dtype=np.float64) if _is_numeric(init) else np.empty(0)
    if (
        shares.shape != (n_features,)
        or not np.isfinite(shares).all()
        or (shares < 0).any()
        or not shares.any()
    ):
        raise ValueError(
            f"init must be 'constant', 'moments' or {n_features} non-negative shares, one per feature and "
            f"not all zero, got {init!r}."
        )
    return shares


def _screen(asked: object, dim: int) -> int | None:
    """Return how many columns enter the first round at most; never so few that there is no choice."""
    if asked is None:
        return None
    return max(arguments.count("screen", asked, 1), 2 * dim)


def _prune(asked: object) -> bool | None:
    if isinstance(asked, str):
        if asked == "auto":
            return None
        raise ValueError(f"prune must be 'auto', True or False, got {asked!r}.")
    return arguments.flag("prune", asked)


def _patience(asked: Any) -> float | None:
    if asked is None:
        return None
    if not arguments.is_number(asked) or not 0 < float(asked) <= 0.5:
        raise ValueError(f"patience must be None or a share above 0 and up to 0.5, got {asked!r}.")
    return float(asked)


def _is_numeric(values: Any) -> bool:
    return np.issubdtype(np.asarray(values).dtype, np.number)


def _learning_rate(rate: object) -> float | None:
    if isinstance(rate, str):
        if rate == "auto":
            return None
        raise ValueError(f"learning_rate must be 'auto' or a finite number above 0, got {rate!r}.")
    return arguments.positive("learning_rate", rate)


def _batch_size(asked: object) -> int | str | None:
    if asked is None:
        return None
    if isinstance(asked, str):
        if asked == "auto":
            return asked
        raise ValueError(f"batch_size must be 'auto', None or an integer of at least 1, got {asked!r}.")
    return arguments.count("batch_size", asked, 1)


def _schedule(given: dict[str, Any], dim: int) -> Schedule:
    steps = arguments.counts("steps", given["steps"])
    if len(steps) > 2 or not steps:
        raise ValueError(f"steps must be one integer or a pair for λ_S and λ_A, got {given['steps']!r}.")
    return nested_schedule(
        _penalty_range("lambda_s", given["lambda_s"], dim),
        _penalty_range("lambda_a", given["lambda_a"], dim),
        (steps[0], steps[-1]),
        (
            arguments.count("cycles_s", given["cycles_s"], 1),
            arguments.count("cycles_a", given["cycles_a"], 1),
        ),
        arguments.count("epochs_per_stage", given["epochs_per_stage"], 1),
    )


def _penalty_range(name: str, value: object, dim: int) -> tuple[float, float]:
    if isinstance(value, str) and value == "auto":
        return automatic_range(dim)
    return arguments.interval(name, value)
