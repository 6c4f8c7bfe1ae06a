"""Which columns of a sheet are features: numbers and truth values are, ids, dates and text are not."""

from __future__ import annotations

from typing import Any

import numpy as np

from snelfs.foundation.words import counted, first_few
from snelfs.tables.cells import decimal_sign, numbers, reason_to_leave_out, stored_numbers, texts
from snelfs.tables.sheet import Sheet, TableError


def numeric_columns(sheet: Sheet, decimal: str | None) -> tuple[Any, list[str], list[str]]:
    """Return the columns of numbers as one array or CSR matrix, their names, and notes on those left out.

    Numbers are float32 where that holds all of them as they were stored, else float64.
    """
    if not sheet.names:
        raise TableError("The table has no column beside its target and the names of its rows.")
    if sheet.is_sparse:
        cells = sheet.cells
        return cells.astype(np.result_type(cells.dtype, np.float32)), sheet.names, []
    kinds = [getattr(dtype, "kind", "O") for dtype in sheet.cells.dtypes]
    stored = [place for place, kind in enumerate(kinds) if kind in "biuf"]
    written, left_out = _read_text(sheet, kinds, decimal)
    kept = sorted([*stored, *written])
    notes = [
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
    return X, [sheet.names[place] for place in kept], notes


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
    sheet: Sheet, kinds: list[str], decimal: str | None
) -> tuple[dict[int, Any], dict[str, list[str]]]:
    """Return the columns of text that are numbers, and the names of the others by what they hold."""
    left_out: dict[str, list[str]] = {}
    cells = {}
    for place, kind in enumerate(kinds):
        if kind in "mM":
            left_out.setdefault("dates", []).append(sheet.names[place])
        elif kind == "c":
            left_out.setdefault("complex numbers", []).append(sheet.names[place])
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
            left_out.setdefault(reason_to_leave_out(column), []).append(sheet.names[place])
    return written, left_out
