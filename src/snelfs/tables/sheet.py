"""What the files of users have in common: a sheet of cells with names."""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from snelfs.foundation.extras import require
from snelfs.foundation.sentences import Sentence
from snelfs.foundation.words import first_few

Frame: TypeAlias = Any  # a pandas DataFrame; pandas is imported where it is used


class TableError(ValueError):
    """Say in one sentence what is wrong with a table, and what would be right.

    Parameters
    ----------
    *parts : str
        The parts of the sentence, arguments among them as `Argument`.
    """

    def __init__(self, *parts: str) -> None:
        super().__init__(Sentence(*parts))


@dataclass(frozen=True)
class Sheet:
    """Hold what a file says before anything is made of it.

    Attributes
    ----------
    cells : DataFrame or CSR array of shape (rows, columns)
        The columns as they were read; the columns of a frame are numbered, their names are `names`.
    names : list of str
        The columns' names, each once.
    format : str
        The format of the file: "csv", "tsv", "parquet", …
    row_names : list of str or None
        The rows' names, where the format has a place for them.
    row_title : str
        What the file calls these names.
    about_rows : dict of str to ndarray
        What the file says of its rows beside the cells; any of these may be the target.
    target : str or None
        Which of these is the target unless another is asked for.
    comma : {".", ",", None}
        The decimal sign, where it is known.
    notes : list of str
        What was decided while reading.
    """

    cells: Any
    names: list[str]
    format: str
    row_names: list[str] | None = None
    row_title: str = "id"
    about_rows: dict[str, Any] = field(default_factory=dict)
    target: str | None = None
    comma: str | None = None
    notes: list[str] = field(default_factory=list)

    @property
    def is_sparse(self) -> bool:
        """Tell whether the cells are a sparse matrix of numbers and not a frame."""
        return hasattr(self.cells, "tocsr")

    def column(self, place: int) -> Any:
        """Return the cells of one column, as a Series or an array."""
        return self.cells[:, [place]].toarray().ravel() if self.is_sparse else self.cells.iloc[:, place]

    def without(self, places: Iterable[int]) -> Sheet:
        """Return the sheet without some of its columns."""
        gone = set(places)
        kept = [place for place in range(len(self.names)) if place not in gone]
        cells = self.cells[:, kept] if self.is_sparse else self.cells.iloc[:, kept]
        return replace(self, cells=cells, names=[self.names[place] for place in kept])

    def rows(self, places: Sequence[int]) -> Sheet:
        """Return the sheet with some of its rows, in the given order."""
        cells = self.cells[list(places)] if self.is_sparse else self.cells.iloc[list(places)]
        about = {name: values[list(places)] for name, values in self.about_rows.items()}
        names = None if self.row_names is None else [self.row_names[place] for place in places]
        return replace(self, cells=cells, about_rows=about, row_names=names)


def pandas() -> Any:
    """Import pandas, or say which extra brings it."""
    return needed("pandas")


def needed(package: str) -> Any:
    """Import what reads or writes a format, or say which extra brings it."""
    return require(package, "files", "Reading and writing tables")


def file_bytes(path: Path) -> bytes:
    """Return what a file holds, uncompressed if its name ends in .gz."""
    content = path.read_bytes()
    if path.suffix.lower() == ".gz":
        try:
            content = gzip.decompress(content)
        except (EOFError, zlib.error, gzip.BadGzipFile):
            raise TableError(f"{path} is cut short or no gzip file: fetch it again.") from None
    if not content:
        raise TableError(f"{path} is empty.")
    return content


def as_names(values: Iterable[Any]) -> list[str]:
    """Return cells as names; whole numbers lose the ``.0`` that a missing cell among them brings.

    Examples
    --------
    >>> as_names(["S1", 7.0, 8])
    ['S1', '7', '8']
    """
    return [
        str(int(value))
        if isinstance(value, float | np.floating) and value.is_integer()
        else str(value).strip()
        for value in values
    ]


def unique_names(names: Sequence[str], path: Path, what: str = "column") -> list[str]:
    """Return the names, blank ones by their place, or raise if a name comes twice."""
    named = [name.strip() or f"{what} {place}" for place, name in enumerate(names, start=1)]
    if len(set(named)) == len(named):
        return named
    seen: dict[str, int] = {}
    for name in named:
        seen[name] = seen.get(name, 0) + 1
    twice = [name for name, times in seen.items() if times > 1]
    verb = "is the name" if len(twice) == 1 else "are the names"
    raise TableError(f"{first_few(twice)} {verb} of more than one {what} of {path}; each needs its own name.")


def whole_number_name(cell: str) -> str:
    """Return the name of a category: a whole number is the same, whatever a file makes of it.

    Examples
    --------
    >>> whole_number_name("2.0"), whole_number_name("2"), whole_number_name("b.0")
    ('2', '2', 'b.0')
    """
    return re.sub(r"^(-?\d+)\.0+$", r"\1", cell)
