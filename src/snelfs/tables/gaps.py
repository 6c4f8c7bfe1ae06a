"""Missing and infinite values: filled if that is asked for, told of if not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from snelfs.foundation.sentences import Argument, Sentence
from snelfs.foundation.words import counted, first_few
from snelfs.tables.sheet import TableError


def without_gaps(
    X: Any, names: list[str], row_names: Sequence[str], impute: str | None
) -> tuple[Any, list[str], list[str]]:
    """Return the table without missing or infinite values, its names and notes, or raise if there are any.

    With ``impute="median"`` each becomes the median of its column; a column without any value is left out.
    """
    sparse = hasattr(X, "tocsr")
    values = X.data if sparse else X
    if np.isfinite(values).all():
        return X, names, []
    if impute is None:
        raise TableError(_gaps(X, names, row_names, "missing" if np.isnan(values).any() else "infinite"))
    filled: Any = X.tocsc(copy=True) if sparse else X.copy()
    n_filled = {int(column): _fill(filled, column) for column in np.flatnonzero(_has_gaps(filled))}
    empty = [column for column, number in n_filled.items() if number == 0]
    kept = np.setdiff1d(np.arange(len(names)), empty)
    X = filled[:, kept].tocsr() if sparse else np.ascontiguousarray(filled[:, kept])
    notes = _notes_on_filling(sum(n_filled.values()), [names[place] for place in empty])
    return X, [names[place] for place in kept], notes


def _fill(X: Any, column: Any) -> int:
    """Fill the gaps of a column in place and return how many there were; 0 if it has nothing else."""
    if hasattr(X, "tocsr"):
        cells = X[:, [column]].toarray().ravel()
        stored = X.data[X.indptr[column] : X.indptr[column + 1]]  # a gap is always stored
    else:
        cells = stored = X[:, column]
    known = np.isfinite(cells)
    if not known.any():
        return 0
    stored[~np.isfinite(stored)] = np.median(cells[known])
    return int((~known).sum())


def _notes_on_filling(n_filled: int, empty: list[str]) -> list[str]:
    notes = []
    if n_filled:
        were = "was" if n_filled == 1 else "were"
        notes.append(
            f"{counted(n_filled, 'missing or infinite value')} {were} filled with the column's median."
        )
    if empty:
        were = "was" if len(empty) == 1 else "were"
        notes.append(
            f"{counted(len(empty), 'column')} {were} left out for holding no value: {first_few(empty)}."
        )
    return notes


def _has_gaps(X: Any) -> NDArray[np.bool_]:
    """Tell for every column of an array or CSC matrix whether a value is missing or infinite."""
    if not hasattr(X, "tocsr"):
        return np.asarray(~np.isfinite(X).all(axis=0))
    gaps_before = np.concatenate([[0], np.cumsum(~np.isfinite(X.data))])
    return np.asarray(np.diff(gaps_before[X.indptr]) > 0)


def _gaps(X: Any, names: list[str], row_names: Sequence[str], kind: str) -> str:
    """Return the sentence on missing or infinite values: how many, in which columns, where."""
    test = np.isnan if kind == "missing" else np.isinf
    if hasattr(X, "tocsr"):
        cells = X.tocoo()
        held = test(cells.data)
        rows, columns = cells.row[held], cells.col[held]
    else:
        rows, columns = np.nonzero(test(X))
    n_columns = len(np.unique(columns))
    first = np.lexsort((columns, rows))[0]
    place = f"in row {row_names[rows[first]]!r}, column {names[columns[first]]!r}"
    return Sentence(
        f"The table has {counted(len(rows), f'{kind} value')} in {counted(n_columns, 'column')}, "
        f"{'the first ' if len(rows) > 1 else ''}{place}: replace {'it' if len(rows) == 1 else 'them'}, or "
        "pass ",
        Argument('impute="median"'),
        " to fill each column with its median.",
    )
