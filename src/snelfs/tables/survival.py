"""Censored times of a table: a column of times and one of events become one target."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from snelfs.data.censored import survival_target
from snelfs.foundation.checks import ArgumentError
from snelfs.foundation.words import counted
from snelfs.tables.answers import Answer, answer_columns
from snelfs.tables.cells import each_number, texts
from snelfs.tables.sheet import Sheet, TableError, as_names, pandas

_WORDS = {"true": 1.0, "false": 0.0}


class SurvivalColumns(NamedTuple):
    """Hold the two columns of censored times as the file has them."""

    times: Any
    events: Any
    time_name: str
    event_name: str


def survival_columns(
    sheet: Sheet, time: str | None, event: str | None, answer: Answer, *, elsewhere: bool
) -> tuple[Sheet, SurvivalColumns]:
    """Return the sheet without the two columns, and these, found as by `answer_columns`."""
    if time is None or event is None:
        missing, given = ("time", "event") if time is None else ("event", "time")
        raise ArgumentError(missing, f"must name a column, too: {given} alone says nothing of censored rows.")
    if time == event:
        raise ArgumentError("time", f"and event must be two columns, got {time!r} for both.")
    found, (times, events), _ = answer_columns(sheet, [time, event], answer, elsewhere=elsewhere)
    return found, SurvivalColumns(times, events, time, event)


def survival_values(columns: SurvivalColumns, rows: list[str], comma: str | None) -> NDArray[np.void]:
    """Return the target, a field for the event and one for the time by the names of their columns.

    Raises
    ------
    TableError or ArgumentError
        If a cell is missing, or is no time or no event.
    """
    times = _numbers(columns.times, columns.time_name, rows, comma)
    events = _numbers(columns.events, columns.event_name, rows, comma, words=_WORDS)
    checked = survival_target(events, times)
    fields = [(columns.event_name, np.bool_), (columns.time_name, np.float64)]
    return checked.astype(fields)


def with_strata(y: NDArray[np.void], cells: Any, name: str, rows: list[str]) -> NDArray[np.void]:
    """Return the target with one more field, the stratum of every row by the name of its column.

    Raises
    ------
    TableError
        If a cell is missing.
    """
    missing = np.asarray(pandas().isna(cells)) | np.array([cell is None for cell in texts(cells)])
    _must_be_there(missing, name, rows)
    names = np.array(as_names(cells))
    wider = np.empty(len(y), dtype=[*y.dtype.descr, (name, names.dtype)])
    for field in y.dtype.names or ():
        wider[field] = y[field]
    wider[name] = names
    return wider


class Strata(NamedTuple):
    """Hold what strata are called, and how many there are."""

    name: str
    number: int


def strata_called(y: NDArray[Any] | None) -> Strata | None:
    """Return what the strata of a table's target are called and how many there are; None if it has none."""
    fields = () if y is None else y.dtype.names or ()
    if y is None or len(fields) < 3:
        return None
    return Strata(str(fields[2]), len(np.unique(y[fields[2]])))


def _numbers(
    cells: Any, name: str, rows: list[str], comma: str | None, words: dict[str, float] | None = None
) -> NDArray[Any]:
    """Return cells as numbers where all of them are, else as text, which is to be refused."""
    values = np.asarray(cells)
    if values.dtype.kind in "biuf":
        missing = np.isnan(values) if values.dtype.kind == "f" else np.zeros(len(values), bool)
        _must_be_there(missing, name, rows)
        return values
    if values.dtype.kind in "mM":
        return values
    written = texts(cells)
    _must_be_there(np.array([cell is None for cell in written]), name, rows)
    known = words or {}
    if all(cell.strip().lower() in known for cell in written):
        return np.array([known[cell.strip().lower()] for cell in written])
    figures, is_text = each_number(written, comma)
    return np.array([str(cell) for cell in written]) if is_text.any() else np.asarray(figures, np.float64)


def _must_be_there(missing: NDArray[np.bool_], name: str, rows: list[str]) -> None:
    if not missing.any():
        return
    number, first = int(missing.sum()), rows[int(np.argmax(missing))]
    raise TableError(
        f"The column {name!r} is missing in {counted(number, 'row')} of {len(rows):,}, "
        f"{'the first' if number > 1 else 'which is'} {first!r}: give each a value or leave the row out."
    )
