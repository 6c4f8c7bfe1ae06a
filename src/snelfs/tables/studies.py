"""Columns that say of the rows how they belong together, and are no features."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from snelfs.foundation.sentences import Argument, Sentence
from snelfs.foundation.words import counted, first_few, nearest
from snelfs.tables.categories import named_as_id
from snelfs.tables.cells import decimal_sign, numbers, texts
from snelfs.tables.checks import turned_hint
from snelfs.tables.sheet import Sheet, TableError, as_names, pandas, whole_number_name

_LOOKED_AT = 100  # columns from the first: ids seldom stand behind
_FEWEST, _MOST_ROWS_EACH = 10, 20  # of a column whose name says nothing: ids, and rows of each on average


def take_column(sheet: Sheet, name: str, path: Path) -> tuple[Sheet, Any]:
    """Return the sheet without a column, and its cells; what the file says of its rows comes first."""
    if sheet.format == "geo":
        name = name.removeprefix("!").removeprefix("Sample_")
    if name in sheet.about_rows:
        return sheet, sheet.about_rows[name]
    if name in sheet.names:
        place = sheet.names.index(name)
        return sheet.without([place]), sheet.column(place)
    if sheet.row_names is not None and name in sheet.row_names:
        raise TableError(f"{name!r} is a row of {path}, not a column: pass ", Argument("transpose=True"), ".")
    offered = [*sheet.about_rows, *sheet.names]
    hint = turned_hint(sheet.row_names, sheet.cells.shape)
    raise TableError(
        f"{path} has no column {name!r}; {nearest(name, offered)}.", *([" ", hint] if hint else [])
    )


def group_names(cells: Any, name: str, rows: list[str]) -> NDArray[np.str_]:
    """Return the name of every row's group, or raise if one is missing or there is one group alone."""
    missing = np.asarray(pandas().isna(cells)) | np.array([cell is None for cell in texts(cells)])
    if missing.any():
        first, number = rows[int(np.argmax(missing))], int(missing.sum())
        raise TableError(
            f"The groups {name!r} are missing in {counted(number, 'row')} of {len(rows):,}, "
            f"{'the first' if number > 1 else 'which is'} {first!r}: name a group for each, or leave the row "
            "out."
        )
    names = np.array(as_names(cells))
    if len(np.unique(names)) < 2:
        raise TableError(f"The groups {name!r} are {str(names[0])!r} in every row: at least two are needed.")
    return names


def column_uses(
    targets: Sequence[str | None] = (),
    strata: str | None = None,
    groups: str | None = None,
    covariates: Sequence[str] = (),
) -> dict[str, str]:
    """Return what columns are that are no features, as the rest of a sentence on each.

    Examples
    --------
    >>> column_uses(["months", "dead"], groups="patient")
    {'months': 'is the target', 'dead': 'is the target', 'patient': 'names the groups'}
    """
    uses = {name: "is the target" for name in targets if name}
    uses |= {strata: "names the strata"} if strata else {}
    uses |= {groups: "names the groups"} if groups else {}
    return uses | dict.fromkeys(covariates, "is a covariate and never selected")


def covariate_names(asked: str | Sequence[str] | None) -> list[str]:
    """Return the names of covariates, given as such or in one text with commas.

    Examples
    --------
    >>> covariate_names("age, sex"), covariate_names(None)
    (['age', 'sex'], [])
    """
    given = asked.split(",") if isinstance(asked, str) else list(asked or ())
    names = [name.strip() for name in given if name.strip()]
    for name in names:
        if names.count(name) > 1:
            raise TableError(Argument("covariates"), f" name {name!r} more than once.")
    return names


def with_covariates(
    sheet: Sheet, names: list[str], uses: Mapping[str, str], path: Path, decimal: str | None = None
) -> tuple[Sheet, tuple[str, ...]]:
    """Return the sheet with covariates as its last columns, text as indicators, and what these are called."""
    added: dict[str, Any] = {}
    for name in names:
        if name in uses:
            raise TableError(f"{name!r} {uses[name]} and cannot be one of the ", Argument("covariates"), ".")
        sheet, cells = take_column(sheet, name, path)
        added |= _covariate(texts(cells), name, decimal or sheet.comma)
    return (_with_last(sheet, added), tuple(added)) if added else (sheet, ())


def _covariate(written: Any, name: str, decimal: str | None) -> dict[str, Any]:
    """Return a covariate as a column of numbers, or as an indicator of each category but the first."""
    figures = _figures(written, name, decimal)
    if figures is not None:
        return {name: figures}
    found = sorted({whole_number_name(cell) for cell in written if cell is not None})
    if len(found) < 2:
        raise TableError(
            f"The covariate {name!r} is {found[0]!r} in every row: there is nothing to adjust for."
        )
    return {f"{name}={level}": _indicator(written, level) for level in found[1:]}


def _figures(written: Any, name: str, decimal: str | None) -> NDArray[np.float64] | None:
    """Return text as numbers by the rule of features, thousands separated or not; None if it is none."""
    sign = decimal or decimal_sign(cell for cell in written if cell)
    found = numbers(written, sign, name)
    return None if found is None else np.asarray(found, dtype=np.float64)


def _indicator(written: Any, level: str) -> NDArray[np.float64]:
    wanted = whole_number_name(level)
    return np.array(
        [np.nan if cell is None else float(whole_number_name(cell) == wanted) for cell in written]
    )


def with_indicators(sheet: Sheet, columns: Sequence[str], decimal: str | None = None) -> Sheet:
    """Return the sheet with the indicators among some columns, such as ``sex=m``, that its own can tell."""
    own = {name: place for place, name in enumerate(sheet.names)}
    added = {}
    for column in columns:
        if column in own:
            continue
        if column in sheet.about_rows:
            figures = _figures(texts(sheet.about_rows[column]), column, decimal or sheet.comma)
            # What is no number is empty, and said to lack numbers.
            added[column] = np.full(len(sheet.about_rows[column]), np.nan) if figures is None else figures
        for sign in re.finditer("=", column):  # a name or a category may hold the sign, too
            name, level = column[: sign.start()], column[sign.end() :]
            if name in own or name in sheet.about_rows:
                cells = sheet.column(own[name]) if name in own else sheet.about_rows[name]
                added[column] = _indicator(texts(cells), level)
    return _with_last(sheet, added) if added else sheet


def _with_last(sheet: Sheet, added: dict[str, Any]) -> Sheet:
    """Return the sheet with more columns behind its own."""
    names = [*sheet.names, *added]
    if sheet.is_sparse:
        behind = np.stack([np.asarray(values, dtype=np.float64) for values in added.values()], axis=1)
        together = sparse.hstack([sheet.cells, sparse.csr_matrix(behind)]).tocsr()
        return replace(sheet, cells=together, names=names)
    first = sheet.cells.shape[1]
    more = pandas().DataFrame({first + place: values for place, values in enumerate(added.values())})
    own = sheet.cells.set_axis(range(first), axis=1).reset_index(drop=True)
    return replace(sheet, cells=pandas().concat([own, more], axis=1), names=names)


def hint_of_groups(sheet: Sheet, y: NDArray[Any], target: str | None) -> list[str]:
    """Return a sentence if a column looks like the id of patients that have several rows each."""
    columns = {name: sheet.column(place) for place, name in enumerate(sheet.names[:_LOOKED_AT])}
    for name, cells in (sheet.about_rows | columns).items():
        names = None if name == target else _ids(cells)
        if names is not None and _look_like_ids(name, names, y):
            found = np.unique(names)
            return [
                Sentence(
                    f"The column {name!r} looks like ids of {len(found):,} patients or the like with several "
                    f"rows each ({first_few(found.tolist())}): if it is, pass ",
                    Argument(f"groups={name!r}"),
                    ", or rows of one patient are learnt from and tested on, and all figures too good.",
                )
            ]
    return []


def _ids(cells: Any) -> NDArray[np.str_] | None:
    """Return text or whole numbers as names; None of anything else, or of gaps."""
    values = np.asarray(cells)
    if values.dtype.kind == "f" and not np.array_equal(values, np.floor(values)):
        return None
    if values.dtype.kind not in "iufOUT" or np.asarray(pandas().isna(cells)).any():
        return None
    return np.array(as_names(values))


def _look_like_ids(name: str, names: NDArray[np.str_], y: NDArray[Any]) -> bool:
    """Tell whether names come several times each, and are called or behave like ids."""
    found, codes, counts = np.unique(names, return_inverse=True, return_counts=True)
    if len(found) < 3 or 2 * len(found) > len(names) or np.median(counts) < 2:
        return False
    if named_as_id(name):
        return True
    if len(found) < _FEWEST or len(names) > _MOST_ROWS_EACH * len(found):
        return False
    # No column of a few values is of one class within each of so many by chance.
    return len(np.unique(np.stack([codes, np.unique(y, return_inverse=True)[1]]), axis=1).T) == len(found)
