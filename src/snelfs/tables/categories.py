"""Columns of text with few values: categories, read as their places among these."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from snelfs.data.categories import MISSING, MOST_CATEGORIES, most_categories
from snelfs.foundation.checks import ArgumentError
from snelfs.foundation.types import Floats
from snelfs.foundation.words import counted, nearest
from snelfs.tables.sheet import TableError, whole_number_name

# Who or what is measured several times, as studies call it.
_IDS = re.compile(
    r"patient|subject|participant|person|individual|donor|proband|animal|mouse|family|(^|[^a-z])id$",
    re.IGNORECASE,
)
LEAST_ROWS_EACH = 5  # of text that is taken for categories: on average of each


@dataclass(frozen=True)
class Asked:
    """Hold which columns are read as categories.

    Attributes
    ----------
    auto : bool
        Whether text of few values is, if nothing else is said.
    named : tuple of str
        The columns that are, whatever they hold.
    known : mapping of str to sequence of str
        The categories that a model knows of some columns; others are taken as the first of them.
    """

    auto: bool = False
    named: tuple[str, ...] = ()
    known: Mapping[str, Sequence[str]] | None = None

    @classmethod
    def of(cls, asked: str | Sequence[str] | None, known: Mapping[str, Sequence[str]] | None = None) -> Asked:
        """Read "auto", "none", or names in a list or in one text with commas."""
        if known is not None:
            return cls(known=known)
        if asked is None or isinstance(asked, str):
            text = (asked or "none").strip()
            if text in ("auto", "none"):
                return cls(auto=text == "auto")
            asked = [name.strip() for name in text.split(",") if name.strip()]
        return cls(named=tuple(asked))

    def names(self) -> tuple[str, ...]:
        """Return the columns that are categories in any case."""
        return (*self.named, *(self.known or ()))

    def refuse_unknown(self, names: Sequence[str], uses: Mapping[str, str]) -> None:
        """Raise if a column that is named is not there, or not as a feature."""
        for name in self.named:
            if name not in names and name in uses:
                raise ArgumentError("categorical", f"names {name!r}, which {uses[name]}: leave it out.")
            if name not in names:
                raise ArgumentError(
                    "categorical", f"names {name!r}, which is no column; {nearest(name, names)}."
                )


def category_column(cells: Any, name: str, asked: Asked) -> tuple[Floats, tuple[str, ...], list[str]] | None:
    """Return the codes of a column of text, its categories, and notes; None if it holds something else.

    What is missing is a category of its own.
    """
    written = [MISSING if cell is None else whole_number_name(cell) for cell in cells]
    if asked.known is not None:
        return _coded(written, name, tuple(asked.known[name])) if name in asked.known else None
    found = sorted({cell for cell in written if cell != MISSING}) + [MISSING] * (MISSING in written)
    most = most_categories(len(written))
    if name in asked.named and len(found) > most:
        raise TableError(
            f"The column {name!r} has {counted(len(found), 'category', 'categories')} in "
            f"{counted(len(written), 'row')}, more than the {most} that can be told apart: leave it out, or "
            "merge the rare ones."
        )
    if name in asked.named or (asked.auto and _look_like_categories(len(written), name, found)):
        return _coded(written, name, tuple(found))
    return None


def _look_like_categories(n_rows: int, name: str, found: Sequence[str]) -> bool:
    """Tell whether text has a few values, with several rows of each, and is not called like ids."""
    most = min(MOST_CATEGORIES, n_rows // LEAST_ROWS_EACH)
    return 2 <= len(found) <= most and not named_as_id(name)


def named_as_id(name: str) -> bool:
    """Tell whether a column is called as ids of patients or the like are.

    Examples
    --------
    >>> named_as_id("Patient"), named_as_id("sample_id"), named_as_id("stage")
    (True, True, False)
    """
    return _IDS.search(name) is not None


def _coded(
    written: list[str], name: str, known: tuple[str, ...]
) -> tuple[Floats, tuple[str, ...], list[str]]:
    """Return the places of cells among known categories, and a note if some are others."""
    place_of = {level: float(place) for place, level in enumerate(known)}
    strangers = [cell for cell in written if cell not in place_of]
    notes = []
    if strangers:
        notes.append(
            f"The column {name!r} has {counted(len(strangers), 'row')} of none of the categories that the "
            f"model knows, such as {strangers[0]!r}: taken as {known[0]!r}, the first of these."
        )
    return np.array([place_of.get(cell, 0.0) for cell in written]), known, notes


def named_cells(codes: Any, levels: Sequence[str]) -> Any:
    """Return codes as the names of their categories, None where missing was one.

    Examples
    --------
    >>> named_cells(np.array([1.0, 0.0, 2.0]), ["I", "II", ""]).tolist()
    ['II', 'I', None]
    """
    cells = np.array([level or None for level in levels], dtype=object)
    return cells[np.asarray(codes, dtype=np.int64)]
