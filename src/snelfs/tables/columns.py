"""Which columns of a sheet are features: numbers and truth values are, ids, dates and text are not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from snelfs.foundation.words import counted, first_few
from snelfs.tables.categories import Asked, category_column
from snelfs.tables.cells import decimal_sign, numbers, reason_to_leave_out, stored_numbers, texts
from snelfs.tables.sheet import Sheet, TableError


@dataclass(frozen=True)
class Features:
    """Hold the columns of a sheet that are features."""

    X: Any  # numbers as one array or CSR matrix, codes of categories among them
    names: list[str]
    notes: list[str]  # on columns left out
    categories: dict[str, tuple[str, ...]]  # of the columns of codes, by their names


def feature_columns(
    sheet: Sheet, decimal: str | None, asked: Asked, uses: Mapping[str, str] | None = None
) -> Features:
    """Return the columns of numbers and of categories, and notes on those left out.

    Numbers are float32 where that holds all of them as they were stored, else float64. `uses` says what other
    columns of the file are, to those who ask for them.
    """
    if not sheet.names:
        raise TableError("The table has no column beside its target and the names of its rows.")
    if sheet.is_sparse:
        cells = sheet.cells
        return Features(cells.astype(np.result_type(cells.dtype, np.float32)), sheet.names, [], {})
    asked.refuse_unknown(sheet.names, uses or {})
    certain = {sheet.names.index(name) for name in asked.names() if name in sheet.names}
    kinds = [getattr(dtype, "kind", "O") for dtype in sheet.cells.dtypes]
    stored = [place for place, kind in enumerate(kinds) if kind in "biuf" and place not in certain]
    written, text = _read_text(sheet, kinds, decimal, {*stored, *certain})
    likely = [*sorted(certain), *(text.get("text", []) if asked.auto else [])]
    coded, said = _read_categories(sheet, likely, asked)
    written |= {place: codes for place, (codes, _) in coded.items()}
    left_out = {
        reason: names
        for reason, places in text.items()
        if (names := [sheet.names[place] for place in places if place not in coded])
    }
    kept = sorted([*stored, *written])
    notes = said + [
        f"{counted(len(names), 'column')} {'was' if len(names) == 1 else 'were'} left out for holding "
        f"{reason}: {first_few(names)}."
        for reason, names in left_out.items()
    ]
    if not kept:
        raise TableError(
            f"No column holds numbers, and {counted(len(sheet.names), 'column')} "
            f"{'does' if len(sheet.names) == 1 else 'do'} not: {first_few(sheet.names)}."
        )
    X = _matrix(sheet.cells, stored, written, kept)
    categories = {sheet.names[place]: levels for place, (_, levels) in coded.items()}
    return Features(X, [sheet.names[place] for place in kept], notes, categories)


def _read_categories(
    sheet: Sheet, places: list[int], asked: Asked
) -> tuple[dict[int, tuple[Any, tuple[str, ...]]], list[str]]:
    """Return codes and levels of the columns that are categories, and notes on what was done with them."""
    coded: dict[int, tuple[Any, tuple[str, ...]]] = {}
    notes: list[str] = []
    for place in places:
        found = category_column(texts(sheet.column(place)), sheet.names[place], asked)
        if found is not None:
            coded[place] = found[:2]
            notes += found[2]
    names = [sheet.names[place] for place in coded]
    if names and asked.known is None:
        verb = "was" if len(names) == 1 else "were"
        notes.append(f"{counted(len(names), 'column')} {verb} read as categories: {first_few(names)}.")
    return coded, notes


def _matrix(cells: Any, stored: list[int], written: dict[int, Any], kept: list[int]) -> Any:
    """Return the columns that were stored as numbers and those that were written as text in one array."""
    values = stored_numbers(cells.iloc[:, stored])
    if not written:
        return np.ascontiguousarray(values)
    X = np.empty((len(cells), len(kept)))
    place_in = {column: place for place, column in enumerate(kept)}
    X[:, [place_in[column] for column in stored]] = values
    for column, numbers_of_column in written.items():
        X[:, place_in[column]] = numbers_of_column
    return X


def _read_text(
    sheet: Sheet, kinds: list[str], decimal: str | None, done: set[int]
) -> tuple[dict[int, Any], dict[str, list[int]]]:
    """Return the columns of text that are numbers, and the places of the others by what they hold.

    Those that are `done` are read already.
    """
    left_out: dict[str, list[int]] = {}
    cells = {}
    for place, kind in enumerate(kinds):
        if place in done:
            continue
        if kind in "mM":
            left_out.setdefault("dates", []).append(place)
        elif kind == "c":
            left_out.setdefault("complex numbers", []).append(place)
        elif kind not in "biuf":
            cells[place] = texts(sheet.column(place))
    sign = (
        decimal or sheet.comma or decimal_sign(cell for column in cells.values() for cell in column if cell)
    )
    written = {}
    for place, column in cells.items():
        found = numbers(column, sign, sheet.names[place])
        if found is not None:
            written[place] = found
        else:
            left_out.setdefault(reason_to_leave_out(column), []).append(place)
    return written, left_out
