"""Several labels a row: columns of zeros and ones that are one target together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from snelfs.foundation.sentences import Argument
from snelfs.tables.answers import Answer, answer_columns
from snelfs.tables.checks import notes_on_answers
from snelfs.tables.sheet import Sheet, TableError
from snelfs.tables.target import target_values

_TRUTH = {"true": 1, "false": 0}


class LabelColumns(NamedTuple):
    """Hold the columns of several labels as the file has them."""

    cells: tuple[Any, ...]
    names: tuple[str, ...]


def label_names(target: str | None, sheet: Sheet) -> list[str]:
    """Return the columns of a sheet that a text with commas names; none if it is one column, or all strange.

    Examples
    --------
    >>> sheet = Sheet(np.zeros((2, 3)), ["a", "b", "c,d"], "csv")
    >>> label_names("a, b", sheet), label_names("c,d", sheet), label_names("a", sheet)
    (['a', 'b'], [], [])
    """
    known = {*sheet.names, *sheet.about_rows}
    names = [name.strip() for name in (target or "").split(",") if name.strip()]
    if target in known or len(names) < 2 or not any(_stored(name, sheet) in known for name in names):
        return []
    for name in names:
        if names.count(name) > 1:
            raise TableError(Argument("target"), f" names {name!r} more than once.")
    return names


def _stored(name: str, sheet: Sheet) -> str:
    """Return a name as the sheet has it: of GEO's fields without what all of them begin with."""
    return name.removeprefix("!").removeprefix("Sample_") if sheet.format == "geo" else name


def label_columns(
    sheet: Sheet, names: Sequence[str], answer: Answer, *, elsewhere: bool
) -> tuple[Sheet, LabelColumns]:
    """Return the sheet without the columns of labels, and these, found as by `answer_columns`."""
    found, cells, called = answer_columns(sheet, names, answer, elsewhere=elsewhere)
    return found, LabelColumns(tuple(cells), tuple(called))


def label_values(columns: LabelColumns, rows: list[str], comma: str | None) -> NDArray[np.int64]:
    """Return zeros and ones of shape (rows, labels).

    Raises
    ------
    TableError
        If a cell is missing or neither 0, 1, true nor false, or a label is the same in every row.
    """
    found = [
        _zeros_and_ones(target_values(cells, name, rows, comma), name, rows)
        for cells, name in zip(columns.cells, columns.names, strict=True)
    ]
    return np.stack(found, axis=1)


def _zeros_and_ones(values: NDArray[Any], name: str, rows: list[str]) -> NDArray[np.int64]:
    """Return one label, or raise if a value is neither of the two."""
    if values.dtype.kind in "biuf":
        codes = np.where(values == 1, 1, np.where(values == 0, 0, -1))
    else:
        codes = np.array([_TRUTH.get(value.lower(), -1) for value in values.tolist()])
    if (codes < 0).any():
        place = int(np.argmax(codes < 0))
        raise TableError(
            f"The target {name!r} must hold 0 and 1, or true and false, to be one of several labels, and row "
            f"{rows[place]!r} has {str(values[place])!r}."
        )
    return codes.astype(np.int64)


def named_labels(y: NDArray[Any] | None, labels: Sequence[str]) -> tuple[str, ...]:
    """Return what the labels of a target are called, by their numbers if nobody said; nothing of one target.

    Examples
    --------
    >>> named_labels(np.eye(2), ()), named_labels(np.eye(2), ["a", "b"]), named_labels(np.zeros(2), ())
    (('label 1', 'label 2'), ('a', 'b'), ())
    """
    if y is None or y.ndim < 2:
        return ()
    return tuple(labels) or tuple(f"label {place}" for place in range(1, y.shape[1] + 1))


def notes_on_labels(X: Any, y: NDArray[Any], names: list[str], labels: Sequence[str]) -> list[str]:
    """Return sentences on copies of a label, and on columns that tell it perfectly."""
    return [
        note
        for place, label in enumerate(labels)
        for note in notes_on_answers(X, y[:, place], names, label=label)
    ]
