"""The estimators' constructor arguments, checked and worked out for one data set."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from snelfs.data.feature_groups import FeatureUnits
from snelfs.engine.devices import Device, chosen_devices
from snelfs.engine.optimizers import OPTIMIZERS
from snelfs.engine.schedule import Schedule, automatic_range, automatic_rates, nested_schedule
from snelfs.foundation import checks
from snelfs.foundation.sentences import Argument, Sentence
from snelfs.search.constants import FEWEST_NEURONS

LARGEST = 50  # the most features that "auto" selects
USUAL_NUMBER = 30  # the most features that are selected of a table if nobody says
DEFAULT_SHARE = 0.03  # of the columns, as the paper takes from Bolón-Canedo et al.


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
    direct: bool  # whether least squares have a path past the hidden units
    screen: int | None
    prune: bool | None  # None: where it saves seconds
    patience: float | None  # of the schedule; None: to its end
    max_time: float | None  # seconds
    callback: Callable[[float], object] | None
    n_shuffles: int
    devices: tuple[Device, ...] | None  # None: JAX's default one
    column_shares: NDArray[np.float64] | None  # None: to be worked out from the data

    def rates(self, n_columns: int) -> NDArray[np.float32]:
        """Return the learning rate of every epoch for a layer of `n_columns`."""
        n_epochs = self.schedule.n_epochs
        if self.learning_rate is None:
            return automatic_rates(n_columns, n_epochs)
        return np.full(n_epochs, self.learning_rate, np.float32)


def check_options(
    given: dict[str, Any],
    n_features: int,
    scorings: Iterable[str],
    scoring: str,
    n_covariates: int = 0,
    units: FeatureUnits | None = None,
) -> Options:
    """Check the arguments in `given`; `scoring` is meant by None, and covariates are never selected."""
    threshold, rate = given["threshold"], given["learning_rate"]
    n_selected = _n_selected(given["n_features_to_select"], n_features, n_covariates, units)
    refine = checks.flag("refine", given["refine"])
    dim = neurons(n_selected, n_features if units is None else units.n_units) if refine else n_selected
    return Options(
        n_selected=n_selected,
        dim=dim,
        threshold=None if threshold is None else checks.non_negative("threshold", threshold),
        saliency=checks.choice("saliency", given["saliency"], ["max", "sum", "used"]),
        hidden_layer_sizes=checks.counts("hidden_layer_sizes", given["hidden_layer_sizes"]),
        schedule=_schedule(given, dim),
        learning_rate=_learning_rate(rate),
        optimizer=checks.choice("optimizer", given["optimizer"], OPTIMIZERS),
        alpha_l1=checks.non_negative("alpha_l1", given["alpha_l1"]),
        alpha_l2=checks.non_negative("alpha_l2", given["alpha_l2"]),
        batch_size=_batch_size(given["batch_size"]),
        validation_fraction=checks.fraction("validation_fraction", given["validation_fraction"]),
        scoring=checks.choice("scoring", scoring if given["scoring"] is None else given["scoring"], scorings),
        penalty_limit=checks.positive("penalty_limit", given["penalty_limit"]),
        smoothing=checks.non_negative("smoothing", given["smoothing"]),
        n_restarts=_restarts(given["n_restarts"], dim),
        combine=checks.choice("combine", given["combine"], ["auto", "mean", "soft", "vote"]),
        refine=refine,
        direct=refine,  # a single round is the paper's
        screen=_screen(given["screen"], dim),
        prune=_prune(given["prune"]),
        patience=_patience(given["patience"]),
        max_time=None if given["max_time"] is None else checks.positive("max_time", given["max_time"]),
        callback=_callback(given["callback"]),
        n_shuffles=checks.count("n_shuffles", given["n_shuffles"], 0),
        devices=chosen_devices(given["devices"]),
        column_shares=_unit_shares(column_shares(given["init"], n_features), units),
    )


def _n_selected(asked: object, n_features: int, n_covariates: int, units: FeatureUnits | None) -> int:
    """Return how many units are selected at most: groups count once."""
    if units is None:
        return selected_count(asked, n_features - n_covariates)
    groups = units.of if units.rivals is None else units.rivals
    n_groups = len(np.unique(groups))
    noun = "feature(s)" if n_groups == n_features else "feature(s), a group of them counted once"
    return selected_count(asked, n_groups - n_covariates, noun)


def _unit_shares(
    shares: NDArray[np.float64] | None, units: FeatureUnits | None
) -> NDArray[np.float64] | None:
    """Return the shares of units in a start: a group has those of its columns."""
    return shares if shares is None or units is None else np.bincount(units.of, shares).astype(np.float64)


def selected_count(asked: object, n_features: int, noun: str = "feature(s)") -> int:
    """Return how many columns are meant by an integer, a share, None (the usual number), or "auto" at most.

    Examples
    --------
    >>> selected_count(None, 500), selected_count(0.5, 9), selected_count(7, 9)
    (30, 4, 7)
    """
    if isinstance(asked, str) and asked == "auto":
        return min(LARGEST, n_features)
    if asked is None:
        return usual_number(n_features)
    if checks.is_integer(asked):
        wanted = checks.count("n_features_to_select", asked, 1)
        if wanted > n_features:
            raise checks.ArgumentError(
                Sentence(Argument("n_features_to_select"), f"={wanted}"),
                f"is more than X has: {n_features} {noun}.",
            )
        return wanted
    if not isinstance(asked, float | np.floating) or not 0 < asked <= 1:
        raise checks.ArgumentError(
            "n_features_to_select",
            f"must be None, 'auto', an integer of at least 1 or a share above 0 and up to 1, got {asked!r}.",
        )
    return max(1, math.floor(asked * n_features + 1e-9))  # 0.29 · 100 is meant to be 29


def usual_number(n_features: int) -> int:
    """Return how many columns are selected of a table if nobody says: 30, or a third if that is less.

    Examples
    --------
    >>> usual_number(2000), usual_number(12), usual_number(2)
    (30, 4, 1)
    """
    return min(USUAL_NUMBER, max(1, n_features // 3))


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
        checks.choice("init", init, ["constant", "moments"])
        return np.ones(n_features) if init == "constant" else None
    shares = np.asarray(init, dtype=np.float64) if _is_numeric(init) else np.empty(0)
    if (
        shares.shape != (n_features,)
        or not np.isfinite(shares).all()
        or (shares < 0).any()
        or not shares.any()
    ):
        raise checks.ArgumentError(
            "init",
            f"must be 'constant', 'moments' or {n_features} non-negative shares, one per feature and not all "
            f"zero, got {init!r}.",
        )
    return shares


def _restarts(asked: object, dim: int) -> int:
    """Return the number of restarts, or raise if there is no room for so many layers of at least `dim`²."""
    n_restarts = checks.count("n_restarts", asked, 1)
    checks.must_fit("n_restarts", n_restarts, 16.0 * n_restarts * dim**2)
    return n_restarts


def _screen(asked: object, dim: int) -> int | None:
    """Return how many columns enter the first round at most; never so few that there is no choice."""
    if asked is None:
        return None
    return max(checks.count("screen", asked, 1), 2 * dim)


def _prune(asked: object) -> bool | None:
    if isinstance(asked, str):
        if asked == "auto":
            return None
        raise checks.ArgumentError("prune", f"must be 'auto', True or False, got {asked!r}.")
    return checks.flag("prune", asked)


def _patience(asked: Any) -> float | None:
    if asked is None:
        return None
    if not checks.is_number(asked) or not 0 < float(asked) <= 0.5:
        raise checks.ArgumentError(
            "patience", f"must be None or a share above 0 and up to 0.5, got {asked!r}."
        )
    return float(asked)


def _callback(asked: Any) -> Callable[[float], object] | None:
    if asked is not None and not callable(asked):
        raise checks.ArgumentError(
            "callback", f"must be None or a function of the share done, got {asked!r}."
        )
    return asked  # type: ignore[no-any-return]


def _is_numeric(values: Any) -> bool:
    return np.issubdtype(np.asarray(values).dtype, np.number)


def _learning_rate(rate: object) -> float | None:
    if isinstance(rate, str):
        if rate == "auto":
            return None
        raise checks.ArgumentError(
            "learning_rate", f"must be 'auto' or a finite number above 0, got {rate!r}."
        )
    return checks.positive("learning_rate", rate)


def _batch_size(asked: object) -> int | str | None:
    if asked is None:
        return None
    if isinstance(asked, str):
        if asked == "auto":
            return asked
        raise checks.ArgumentError(
            "batch_size", f"must be 'auto', None or an integer of at least 1, got {asked!r}."
        )
    return checks.count("batch_size", asked, 1)


def _schedule(given: dict[str, Any], dim: int) -> Schedule:
    steps = checks.counts("steps", given["steps"])
    if len(steps) > 2 or not steps:
        raise checks.ArgumentError(
            "steps", f"must be one integer or a pair for λ_S and λ_A, got {given['steps']!r}."
        )
    return nested_schedule(
        _penalty_range("lambda_s", given["lambda_s"], dim),
        _penalty_range("lambda_a", given["lambda_a"], dim),
        (steps[0], steps[-1]),
        (
            checks.count("cycles_s", given["cycles_s"], 1),
            checks.count("cycles_a", given["cycles_a"], 1),
        ),
        checks.count("epochs_per_stage", given["epochs_per_stage"], 1),
    )


def _penalty_range(name: str, value: object, dim: int) -> tuple[float, float]:
    if isinstance(value, str) and value == "auto":
        return automatic_range(dim)
    return checks.interval(name, value)
