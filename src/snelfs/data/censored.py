"""Censored times: what callers pass becomes events and times, and these a target for the engine."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from snelfs.data.groups import missing_names
from snelfs.data.partial_likelihood import PartialLikelihood
from snelfs.data.target import Target
from snelfs.foundation.checks import ArgumentError, choice
from snelfs.foundation.types import Flags, Floats, Ints, Texts

TIES = ("breslow", "efron")
# Rows of a stratum with an event, and without, from which on splits keep its own share of both: as many as
# two for each of five folds. Smaller strata are shared out together.
LEAST_OF_BOTH = 10


def survival_target(event: ArrayLike, time: ArrayLike, stratum: ArrayLike | None = None) -> NDArray[np.void]:
    """Return events and times as the one array that `SNeLSurvival` takes, checked.

    Columns of a plain table do not say which of them is the event, and an event taken for its opposite shows
    nowhere: so the two are told apart by their types.

    Parameters
    ----------
    event : array-like of shape (rows,)
        True, or 1, where the event was observed; False, or 0, where the row was censored: nothing had
        happened until its time.
    time : array-like of shape (rows,)
        Time of the event or of the last observation, a number of at least 0 on any scale.
    stratum : array-like of shape (rows,), optional
        What each row is compared within, such as a centre: a name or a whole number. Each stratum has a
        baseline of its own.

    Returns
    -------
    structured ndarray of shape (rows,)
        With the fields "event" (bool) and "time" (float), and with "stratum" (text) if there are strata.

    Examples
    --------
    >>> y = survival_target([1, 0, 1], [3.5, 7, 1])
    >>> y["event"].tolist(), y["time"].tolist()
    ([True, False, True], [3.5, 7.0, 1.0])
    """
    events, times = _events(event), _times(time)
    if len(events) != len(times):
        raise ArgumentError(
            "event", f"has {len(events)} value(s) and time {len(times)}: each row needs one of both."
        )
    fields: list[Any] = [("event", np.bool_), ("time", np.float64)]
    names = None if stratum is None else stratum_names("stratum", stratum, len(times))
    target = np.empty(len(times), dtype=fields if names is None else [*fields, ("stratum", names.dtype)])
    target["event"], target["time"] = events, times
    if names is not None:
        target["stratum"] = names
    return target


def read_survival(y: Any) -> NDArray[np.void]:
    """Return the target in the form of `survival_target`, whatever accepted form it was given in.

    A structured array, or a frame, may have its fields in any order and by any name: the one of truth values
    is the event, and one of text the stratum. A tuple is ``(event, time)`` or ``(event, time, stratum)``.
    """
    if y is None:
        raise ValueError("SNeLSurvival requires y to be passed, but the target y is None.")
    if isinstance(y, tuple) and len(y) in (2, 3):
        return survival_target(*y)
    fields = _fields(y)
    kinds = {"event": "b", "time": "iuf", "stratum": "OUST"}
    found = {
        role: [values for values in fields.values() if values.dtype.kind in kind]
        for role, kind in kinds.items()
    }
    numbers = [len(own) for own in found.values()]
    if sum(numbers) == len(fields) and numbers in ([1, 1, 0], [1, 1, 1]):
        return survival_target(*(own[0] for own in found.values() if own))
    raise ValueError(
        "y must be a structured array with one field of truth values, the event, and one of numbers, the "
        "time, and perhaps one of text, the stratum, or a tuple (event, time); "
        f"got {_described(y, fields)}: snelfs.survival_target(event, time) makes one."
    )


def stratified(y: Any, strata: ArrayLike | None) -> Any:
    """Return a target with the strata of its rows, if they were given apart from it."""
    if strata is None:
        return y
    target = read_survival(y)
    if has_strata(target):
        raise ArgumentError("strata", "are in y already, as its field of text: give them once.")
    return survival_target(target["event"], target["time"], stratum_names("strata", strata, len(target)))


def has_strata(target: NDArray[np.void]) -> bool:
    """Tell whether a target as `read_survival` returns it says what the rows are compared within."""
    return "stratum" in (target.dtype.names or ())


def strata_of(target: NDArray[np.void]) -> Ints | None:
    """Return the strata of a target as `read_survival` returns it, numbered from 0; None if it has none."""
    return np.unique(target["stratum"], return_inverse=True)[1] if has_strata(target) else None


def likelihood_of(target: NDArray[np.void], ties: str = "breslow") -> PartialLikelihood:
    """Return the partial likelihood of rows of weight 1, given a target as `read_survival` returns it."""
    return PartialLikelihood(target["event"], target["time"], ties=ties, strata=strata_of(target))


def stratum_names(argument: str, strata: ArrayLike, n_rows: int) -> Texts:
    """Return the name of every row's stratum as text, or say what is wrong with what was given.

    Examples
    --------
    >>> stratum_names("strata", [2, 1.0], 2).tolist()
    ['2', '1']
    """
    names = np.asarray(strata)
    if names.shape != (n_rows,):
        raise ArgumentError(
            argument, f"must hold one value for each of the {n_rows:,} rows, got the shape {names.shape}."
        )
    missing = missing_names(names)
    if missing.any():
        raise ArgumentError(
            argument, f"must name a stratum for every row; {int(missing.sum())} row(s) have none."
        )
    if names.dtype.kind == "f" and np.array_equal(names, np.floor(names)):
        names = names.astype(np.int64)  # a column with gaps elsewhere has its whole numbers as 1.0
    return np.array([str(name) for name in names.tolist()], dtype=str)


def _fields(y: Any) -> dict[str, NDArray[Any]]:
    """Return the columns of a structured array or a frame by their names; none of anything else."""
    if hasattr(y, "columns") and hasattr(y, "dtypes"):
        return {str(name): np.asarray(y[name]) for name in y.columns}
    names = getattr(getattr(y, "dtype", None), "names", None)
    return {name: y[name] for name in names or ()}


def _described(y: Any, fields: dict[str, NDArray[Any]]) -> str:
    if fields:
        return "the fields " + ", ".join(f"{name} ({values.dtype})" for name, values in fields.items())
    values = np.asarray(y)
    return f"an array of {values.dtype} and the shape {values.shape}"


def _events(event: ArrayLike) -> Flags:
    values = np.asarray(event)
    _must_be_flat("event", values)
    if values.dtype.kind in "OUST":
        values = _unboxed(values)
    if values.dtype.kind == "b":
        return values
    if values.dtype.kind not in "iuf":
        raise ArgumentError(
            "event",
            f"must be True where the event was observed and False where not, got {_first(values)}: compare "
            "it with the word that means the event, as in event == 'yes'.",
        )
    if values.dtype.kind == "f" and np.isnan(values).any():
        raise ArgumentError("event", f"is missing in {int(np.isnan(values).sum())} row(s): leave them out.")
    strange = values[(values != 0) & (values != 1)]
    if len(strange):
        raise ArgumentError("event", f"must be 0 or 1, True or False, got {strange[0]:g}.")
    return np.asarray(values == 1)


def _times(time: ArrayLike) -> Floats:
    values = np.asarray(time)
    _must_be_flat("time", values)
    if values.dtype.kind in "OUST":
        values = _unboxed(values)
    if values.dtype.kind in "mM" or _holds_dates(values):
        raise ArgumentError(
            "time",
            f"must be how long a row was observed, as a number, got dates such as {_first(values)}: subtract "
            "the start, and divide by the unit.",
        )
    if values.dtype.kind not in "iuf":
        raise ArgumentError("time", f"must be numbers, got {_first(values)}; the event comes first.")
    times = values.astype(np.float64)
    if np.isnan(times).any():
        raise ArgumentError("time", f"is missing in {int(np.isnan(times).sum())} row(s): leave them out.")
    if not np.isfinite(times).all():
        raise ArgumentError("time", "must be finite, got infinity.")
    if (times < 0).any():
        raise ArgumentError("time", f"must be at least 0, got {times.min():g}.")
    return times


def _must_be_flat(name: str, values: NDArray[Any]) -> None:
    if values.ndim != 1:
        raise ArgumentError(name, f"must have one value a row, got the shape {values.shape}.")


def _unboxed(values: NDArray[Any]) -> NDArray[Any]:
    """Return objects in the type that all of them have; what is text stays text."""
    return np.asarray(values.tolist()) if values.dtype.kind == "O" and len(values) else values


def _holds_dates(values: NDArray[Any]) -> bool:
    return values.dtype.kind == "O" and any(hasattr(value, "year") for value in values[:1])


def _first(values: NDArray[Any]) -> str:
    return repr(str(values[0])) if len(values) else "nothing"


def encode_survival(y: Floats, weights: Floats, ties: str) -> Target:
    """Return times, events and residuals as the engine and the kinds of evidence take them.

    Parameters
    ----------
    y : array of shape (rows, 2) or (rows, 3)
        Event (0 or 1) and time of every row, and perhaps the number of its stratum.
    ties : {"breslow", "efron"}

    Returns
    -------
    Target
        Its values are the place of a row's time among all, stratum after stratum, and its event; with strata
        they are numbered in a third column. Its residuals are the martingale residuals of a model without
        columns: what is more, or less, than was to be expected. Splits keep the events in proportion, and
        strata, too.
    """
    event, time = y[:, 0] > 0, y[:, 1]
    strata = _numbered(y[:, 2]) if y.shape[1] > 2 else None
    if event.sum() < 2:
        found = "no event: every row is censored" if not event.any() else "one event only"
        raise ValueError(f"y has {found}; at least two rows with an event are needed.")
    if np.ptp(time) == 0:
        raise ValueError(f"y has one time only, {time[0]:g} in every row; there is nothing to put in order.")
    likelihood = PartialLikelihood(event, time, weights, choice("ties", ties, TIES), strata)
    if np.isin(likelihood.place[event], likelihood.bounds[1:] - 1).all():
        within, other = ("", "another") if strata is None else (" of its stratum", "another of its stratum")
        raise ValueError(
            f"y has no event before the last time{within}, so that no row outlived {other}; there is nothing "
            "to learn."
        )
    values = np.stack([likelihood.place, event, *([] if strata is None else [strata])], axis=1)
    return Target(
        task="survival",
        n_outputs=1,
        values=values.astype(np.float32),
        strata=kept_in_proportion(event, strata),
        factors=np.ones(len(event)),
        ties=ties,
        residuals=likelihood.residuals()[:, None].astype(np.float32),
    )


def _numbered(strata: Floats) -> Ints:
    """Return the strata numbered as they come, so that what they are called does not matter."""
    _, first, codes = np.unique(strata, return_index=True, return_inverse=True)
    return np.asarray(np.argsort(np.argsort(first))[codes], dtype=np.int64)


def kept_in_proportion(event: Flags, strata: Ints | None) -> Ints:
    """Return what splits keep in proportion: events, and those of every stratum that is large enough.

    Examples
    --------
    >>> kept_in_proportion(np.array([True, False, True]), np.array([0, 0, 1]))
    array([1, 0, 1])
    """
    happened = event.astype(np.int64)
    if strata is None:
        return happened
    died = np.bincount(strata, happened, strata.max() + 1)
    large = (died >= LEAST_OF_BOTH) & (np.bincount(strata) - died >= LEAST_OF_BOTH)
    own = np.where(large[strata], strata + 1, 0)
    return np.unique(2 * own + happened, return_inverse=True)[1]


def target_likelihood(target: Target, weights: Floats) -> PartialLikelihood:
    """Return the partial likelihood of rows whose target `encode_survival` made."""
    assert target.task == "survival"
    place, event = target.values[:, 0].astype(np.float64), target.values[:, 1] > 0
    return PartialLikelihood(event, place, weights, target.ties, target.risk_strata)
