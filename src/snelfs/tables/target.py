"""The target of a table: text cells become numbers or classes, and what was made of them is said."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from snelfs.foundation.sentences import Argument, Sentence
from snelfs.foundation.task import guess_task
from snelfs.foundation.words import counted, first_few, shortened
from snelfs.tables.cells import each_number, texts
from snelfs.tables.sheet import TableError, pandas

_MOST_WHOLE = 2.0**53  # a double tells whole numbers apart up to here


def target_values(cells: Any, name: str | None, rows: list[str], comma: str | None) -> NDArray[Any]:
    """Return the target as truth values, whole numbers, numbers or text, or raise if it cannot be learnt."""
    values, missing = np.asarray(cells), np.asarray(pandas().isna(cells))
    written = None
    if values.dtype.kind not in "biuf":
        written = texts(cells)
        missing = np.array([cell is None for cell in written])
        values = _from_text(written, comma)
    if missing.any():
        first = rows[int(np.argmax(missing))]
        number = int(missing.sum())
        raise TableError(
            f"The target {name!r} is missing in {counted(number, 'row')} of {len(rows):,}, "
            f"{'the first' if number > 1 else 'which is'} {first!r}: give each a value or leave the row out."
        )
    _must_be_finite(values, written, name, rows)
    if len(np.unique(values)) < 2:
        raise TableError(f"The target {name!r} is {first_few([values[0]])} in every row: nothing to learn.")
    return values


def _from_text(written: Any, comma: str | None) -> NDArray[Any]:
    """Return text cells as whole numbers or numbers if all are, else as text; missing ones as NaN or ''."""
    figures, is_text = each_number(written, comma)
    if is_text.any():
        return np.array([cell or "" for cell in written])
    whole = (np.abs(figures) < _MOST_WHOLE).all() and np.array_equal(figures, np.floor(figures))
    return np.asarray(figures, dtype=np.int64 if whole else np.float64)


def _must_be_finite(values: NDArray[Any], written: Any, name: str | None, rows: list[str]) -> None:
    if values.dtype.kind != "f" or np.isfinite(values).all():
        return
    place = int(np.argmax(~np.isfinite(values)))
    if written is None or "inf" in written[place].lower():
        raise TableError(f"The target {name!r} is infinite in row {rows[place]!r}.")
    raise TableError(
        f"The target {name!r} is {shortened(written[place], 20)} in row {rows[place]!r}, and numbers end at "
        f"{np.finfo(float).max:.2g}: give it on another scale, or as text if it is a class."
    )


def note_on_task(y: NDArray[Any], name: str | None) -> list[str]:
    """Return a sentence if the target may be classes, but is taken for a number as it has so many values.

    Examples
    --------
    >>> print(*note_on_task(np.arange(100) % 50, "site"))
    The target 'site' has 50 different whole numbers in 100 rows and is taken for a number; if they are
    classes, pass task="classification".
    """
    if y.dtype.kind not in "iuf" or guess_task(y) == "classification":
        return []
    n_different = len(np.unique(y))
    if n_different == len(y) or not np.array_equal(y, np.floor(y)):
        return []
    return [
        Sentence(
            f"The target {name!r} has {n_different:,} different whole numbers in {len(y):,} rows and is "
            "taken for a number; if they are classes, pass ",
            Argument('task="classification"'),
            ".",
        )
    ]
