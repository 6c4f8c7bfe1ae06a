"""Censored times: what callers pass becomes events and times, and these a target for the engine."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from snelfs.data.partial_likelihood import PartialLikelihood
from snelfs.data.target import Target
from snelfs.foundation.checks import ArgumentError, choice
from snelfs.foundation.types import Flags, Floats

TIES = ("breslow", "efron")
_FIELDS = [("event", np.bool_), ("time", np.float64)]


def survival_target(event: ArrayLike, time: ArrayLike) -> NDArray[np.void]:
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

    Returns
    -------
    structured ndarray of shape (rows,)
        With the fields "event" (bool) and "time" (float).

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
    target = np.empty(len(times), dtype=_FIELDS)
    target["event"], target["time"] = events, times
    return target


def read_survival(y: Any) -> NDArray[np.void]:
    """Return the target in the form of `survival_target`, whatever accepted form it was given in.

    A structured array, or a frame of two columns, may have its fields in any order and by any name: the one
    of truth values is the event. A tuple is ``(event, time)``.
    """
    if y is None:
        raise ValueError("SNeLSurvival requires y to be passed, but the target y is None.")
    if isinstance(y, tuple) and len(y) == 2:
        return survival_target(*y)
    fields = _fields(y)
    events = [name for name, values in fields.items() if values.dtype.kind == "b"]
    times = [name for name, values in fields.items() if values.dtype.kind in "iuf"]
    if len(fields) == 2 and len(events) == len(times) == 1:
        return survival_target(fields[events[0]], fields[times[0]])
    raise ValueError(
        "y must be a structured array with one field of truth values, the event, and one of numbers, the "
        f"time, or a tuple (event, time); got {_described(y, fields)}: snelfs.survival_target(event, time) "
        "makes one."
    )


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
    y : array of shape (rows, 2)
        Event (0 or 1) and time of every row.
    ties : {"breslow", "efron"}

    Returns
    -------
    Target
        Its values are the place of a row's time among all, and its event; its residuals are the martingale
        residuals of a model without columns: what is more, or less, than was to be expected. Splits keep the
        events in proportion.
    """
    event, time = y[:, 0] > 0, y[:, 1]
    if event.sum() < 2:
        found = "no event: every row is censored" if not event.any() else "one event only"
        raise ValueError(f"y has {found}; at least two rows with an event are needed.")
    if np.ptp(time) == 0:
        raise ValueError(f"y has one time only, {time[0]:g} in every row; there is nothing to put in order.")
    likelihood = PartialLikelihood(event, time, weights, choice("ties", ties, TIES))
    if (likelihood.place[event] == likelihood.place.max()).all():
        raise ValueError(
            "y has no event before the last time, so that no row outlived another; there is nothing to learn."
        )
    return Target(
        task="survival",
        n_outputs=1,
        values=np.stack([likelihood.place, event], axis=1).astype(np.float32),
        strata=event.astype(np.int64),
        factors=np.ones(len(event)),
        ties=ties,
        residuals=likelihood.residuals()[:, None].astype(np.float32),
    )


def target_likelihood(target: Target, weights: Floats) -> PartialLikelihood:
    """Return the partial likelihood of rows whose target `encode_survival` made."""
    assert target.task == "survival"
    place, event = target.values[:, 0].astype(np.float64), target.values[:, 1] > 0
    return PartialLikelihood(event, place, weights, target.ties)
