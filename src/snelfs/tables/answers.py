"""Several columns that are one target together: found one after the other, here or in a second file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from snelfs.tables.sheet import Sheet

# From a sheet and a name to the sheet without that column, its cells, and what the file calls it.
Answer = Callable[[Sheet, str], tuple[Sheet, Any, str | None]]


def answer_columns(
    sheet: Sheet, names: Sequence[str], answer: Answer, *, elsewhere: bool
) -> tuple[Sheet, list[Any], list[str]]:
    """Return the sheet without some columns, their cells, and what the file calls them.

    Parameters
    ----------
    answer : callable
        Finds a column.
    elsewhere : bool
        Whether the columns are in a second file, and the sheet keeps its own.
    """
    found, cells, called = sheet, [], []
    for place, name in enumerate(names):
        # The rows of two files are matched, and told of, once.
        matched, column, title = answer(sheet if elsewhere else found, name)
        found = found if elsewhere and place else matched
        cells.append(column)
        called.append(title or name)
    return found, cells, called
