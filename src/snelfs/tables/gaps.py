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
    """Return the table ready to be filled, its names and notes, or raise if values are missing or infinite.

    With ``impute="median"`` each of these is NaN, for the estimators to fill with what the rows that train
    say; of a sparse table it is the median of its column. A column without any value is left out.
    """
    sparse = hasattr(X, "tocsr")
    values = X.data if sparse else X
    if np.isfinite(values).all():
        return X, names, []
    if impute is None:
        raise TableError(_gaps(X, names, row_names, "missing" if np.isnan(values).any() else "infinite"))
    if not sparse:
        X = np.where(np.isfinite(X), X, np.asarray(np.nan, X.dtype))
        kept = np.flatnonzero(~np.isnan(X).all(axis=0))
        lost = [name for place, name in enumerate(names) if place not in set(kept.tolist())]
        X = np.ascontiguousarray(X[:, kept])
        notes = _notes_on_filling(int(np.isnan(X).sum()), lost, " among the rows that train")
        return X, [names[place] for place in kept], notes
    filled: Any = X.tocsc(copy=True)
    n_filled = {int(column): _fill(filled, column) for column in np.flatnonzero(_has_gaps(filled))}
    empty = [column for column, number in n_filled.items() if number == 0]
    kept = np.setdiff1d(np.arange(len(names)), empty)
    notes = _notes_on_filling(sum(n_filled.values()), [names[place] for place in empty])
    return filled[:, kept].tocsr(), [names[place] for place in kept], notes


def with_medians(X: Any) -> Any:
    """Return a table with the median of its column in place of every gap, to look at; sparse ones have none.

    Examples
    --------
    >>> with_medians(np.array([[1.0, 5.0], [np.nan, 6.0], [3.0, 7.0]])).tolist()
    [[1.0, 5.0], [2.0, 6.0], [3.0, 7.0]]
    """
    if hasattr(X, "tocsr") or not np.isnan(X).any():
        return X
    return np.where(np.isnan(X), np.nanmedian(X, axis=0).astype(X.dtype), X)


def _fill(X: Any, column: Any) -> int:
    """Fill the gaps of a sparse column in place and return how many there were; 0 if it has nothing else."""
    cells = X[:, [column]].toarray().ravel()
    stored = X.data[X.indptr[column] : X.indptr[column + 1]]  # a gap is always stored
    known = np.isfinite(cells)
    if not known.any():
        return 0
    stored[~np.isfinite(stored)] = np.median(cells[known])
    return int((~known).sum())


def _notes_on_filling(n_filled: int, empty: list[str], of_which: str = "") -> list[str]:
    notes = []
    if n_filled:
        were = "was" if n_filled == 1 else "were"
        notes.append(
            f"{counted(n_filled, 'missing or infinite value')} {were} filled with the column's "
            f"median{of_which}."
        )
    if empty:
        were = "was" if len(empty) == 1 else "were"
        notes.append(
            f"{counted(len(empty), 'column')} {were} left out for holding no value: {first_few(empty)}."
        )
    return notes


def _has_gaps(X: Any) -> NDArray[np.bool_]:
    """Tell for every column of a CSC matrix whether a value is missing or infinite."""
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
