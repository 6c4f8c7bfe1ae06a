"""The rows of a sheet: their names, a table that lies on its side, and labels kept in a second file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from snelfs.foundation.sentences import Argument, Sentence
from snelfs.foundation.words import counted, first_few, nearest
from snelfs.tables.cells import decimal_sign, each_number, reason_to_leave_out, stored_numbers, texts
from snelfs.tables.sheet import Sheet, TableError, as_names, pandas, unique_names


def with_row_names(sheet: Sheet, id_column: str | None, target: str | None, path: Path) -> Sheet:
    """Take the rows' names from the id column, or from a first column of text with no value twice."""
    if id_column is not None:
        if id_column in sheet.about_rows:
            names = _names(sheet.about_rows[id_column], id_column, path)
            return replace(sheet, row_names=names, row_title=id_column)
        return _named_by(sheet, _place(sheet, id_column, path), path)
    if sheet.row_names is None and not sheet.is_sparse and len(sheet.names) > 1 and sheet.names[0] != target:
        cells = texts(sheet.column(0))
        is_text = each_number(cells, ".")[1] & each_number(cells, ",")[1]
        unique = len(set(cells)) == len(cells) and None not in cells
        if unique and 2 * is_text.sum() > len(cells) and reason_to_leave_out(cells) != "dates":
            note = f"The first column, {sheet.names[0]!r}, holds the rows' names."
            return replace(_named_by(sheet, 0, path), notes=[*sheet.notes, note])
    return sheet


def turned(sheet: Sheet, id_column: str | None, target: str | None, path: Path) -> Sheet:
    """Return a table of one feature a row with one feature a column.

    The features' names are in the id column, or else in the first one. Columns of text, such as the
    description of a gene, are left out; rows of text, such as the class of a sample, may be the target.
    """
    if sheet.format == "geo":
        raise TableError(
            f"{path} is a series matrix, which is read with its samples in rows: drop ",
            Argument("transpose"),
            ".",
        )
    if id_column is not None or sheet.row_names is None:
        sheet = _named_by(sheet, 0 if id_column is None else _place(sheet, id_column, path), path)
    features = unique_names(sheet.row_names or [], path, "row")
    if sheet.is_sparse:
        return replace(
            sheet,
            cells=sheet.cells.T.tocsr(),
            names=features,
            row_names=sheet.names,
            row_title="id",
            about_rows={},
        )
    if all(getattr(dtype, "kind", "O") in "biuf" for dtype in sheet.cells.dtypes):
        cells = pandas().DataFrame(stored_numbers(sheet.cells).T)
        return replace(
            sheet, cells=cells, names=features, row_names=sheet.names, row_title="id", about_rows={}
        )
    return _turned_with_text(sheet, features, target, path)


def _turned_with_text(sheet: Sheet, features: list[str], target: str | None, path: Path) -> Sheet:
    """Turn a sheet of which some columns, some rows or both hold text."""
    cells = [texts(sheet.column(place)) for place in range(len(sheet.names))]
    sign = sheet.comma or decimal_sign(cell for column in cells for cell in column if cell)
    read = [each_number(column, sign) for column in cells]
    n_known = [sum(cell is not None for cell in column) for column in cells]
    samples = [
        place for place, (_, is_text) in enumerate(read) if 2 * is_text.sum() <= n_known[place]
    ]  # the others tell something of the features
    if not samples:
        raise TableError(f"{path} has no column of numbers beside the names of its rows.")
    text_rows = np.any([read[place][1] for place in samples], axis=0)
    values = np.array([read[place][0] for place in samples])[:, ~text_rows]
    about = {
        features[row]: np.array([cells[place][row] for place in samples], dtype=object)
        for row in np.flatnonzero(text_rows)
    }
    left_out = [sheet.names[place] for place in range(len(cells)) if place not in set(samples)]
    asked = {target, *(name.strip() for name in (target or "").split(","))}  # one target, or several labels
    notes = [
        f"{counted(len(names), noun)} {'was' if len(names) == 1 else 'were'} left out for holding text: "
        f"{first_few(names)}."
        for noun, names in (("column", left_out), ("row", [name for name in about if name not in asked]))
        if names
    ]
    return replace(
        sheet,
        cells=pandas().DataFrame(values),
        names=[name for name, is_text in zip(features, text_rows, strict=True) if not is_text],
        row_names=[sheet.names[place] for place in samples],
        row_title="id",
        about_rows=about,
        notes=[*sheet.notes, *notes],
    )


def labelled(
    sheet: Sheet, labels: Sheet, target: str | None, id_column: str | None, path: Path, labels_path: Path
) -> tuple[Sheet, Any, str | None]:
    """Return the rows that a second file has a label for, these labels, and what that file calls them.

    The file's ids are in the id column if it has one of that name, else in the column that holds most of
    the rows' names; its labels are in the column named by the target, or in the only other one. What
    else it says of the rows is kept beside their cells; of an empty target nothing more is asked.
    """
    columns = {name: labels.column(place) for place, name in enumerate(labels.names)} | labels.about_rows
    if labels.row_names is not None:
        columns = {labels.row_title: np.array(labels.row_names, dtype=object)} | columns
    row_names = sheet.row_names
    if row_names is None:
        raise TableError(
            f"The rows of {path} have no names to match labels by: name their column by ",
            Argument("id_column"),
            ".",
        )
    ids = {name: as_names(column) for name, column in columns.items()}
    if id_column is None or id_column not in ids:
        known = set(row_names)
        id_column = max(ids, key=lambda name: len(known.intersection(ids[name])))
    filled = np.flatnonzero(~np.asarray(pandas().isna(columns[id_column])))
    keys = [ids[id_column][place] for place in filled]
    title = None if target == "" else _label_column(list(columns), id_column, target, labels_path)
    _must_be_unique(keys, labels_path)
    _must_be_unique(row_names, path)
    place_of = dict(zip(keys, filled, strict=True))
    kept = [place for place, name in enumerate(row_names) if name in place_of]
    if not kept:
        raise TableError(_no_match(sheet, keys, path, labels_path))
    found = replace(sheet, notes=[*sheet.notes, *_unmatched(row_names, keys, path, labels_path)]).rows(kept)
    matched = [place_of[row_names[place]] for place in kept]
    about = {name: np.asarray(column)[matched] for name, column in columns.items() if name != id_column}
    y = None if title is None else np.asarray(columns[title])[matched]
    return replace(found, about_rows=found.about_rows | about), y, title


def _label_column(names: list[str], id_column: str, target: str | None, path: Path) -> str:
    others = [name for name in names if name != id_column]
    if target is not None:
        if target not in names:
            raise TableError(f"{path} has no column {target!r}; {nearest(target, others)}.")
        return target
    if len(others) != 1:
        may = (
            f"several columns that may be the labels ({first_few(others)})"
            if others
            else "no column of labels"
        )
        raise TableError(f"{path} has {may}: name one by ", Argument("target"), ".")
    return others[0]


def _unmatched(row_names: Sequence[str], keys: Sequence[str], path: Path, labels_path: Path) -> list[str]:
    """Return one sentence on the ids that only one of the two files has."""
    parts = []
    if alone := [name for name in row_names if name not in set(keys)]:
        parts.append(f"{counted(len(alone), 'row')} of {path} without a label ({first_few(alone)})")
    if alone := [key for key in keys if key not in set(row_names)]:
        parts.append(f"{counted(len(alone), 'label')} of {labels_path} without a row ({first_few(alone)})")
    return [f"Left out were {' and '.join(parts)}."] if parts else []


def _no_match(sheet: Sheet, keys: Sequence[str], path: Path, labels_path: Path) -> str:
    if set(keys) & set(sheet.names):
        return Sentence(
            f"The ids in {labels_path} are names of columns of {path}, not of rows: pass ",
            Argument("transpose=True"),
            ".",
        )
    return (
        f"No id in {labels_path} ({first_few(keys)}) is the name of a row of {path} "
        f"({first_few(sheet.row_names or [])})."
    )


def _must_be_unique(names: Sequence[str], path: Path) -> None:
    if len(set(names)) < len(names):
        seen: set[str] = set()
        twice = [name for name in names if name in seen or seen.add(name)]  # type: ignore[func-returns-value]
        raise TableError(
            f"{first_few(list(dict.fromkeys(twice)))} comes more than once among the ids of {path}."
        )


def _place(sheet: Sheet, name: str, path: Path) -> int:
    if name not in sheet.names:
        raise TableError(f"{path} has no column {name!r} for the ids; {nearest(name, sheet.names)}.")
    return sheet.names.index(name)


def _named_by(sheet: Sheet, place: int, path: Path) -> Sheet:
    title = sheet.names[place]
    names = _names(sheet.column(place), title, path)
    return replace(sheet.without([place]), row_names=names, row_title=title)


def _names(column: Any, title: str, path: Path) -> list[str]:
    n_missing = int(np.asarray(pandas().isna(column)).sum())
    if n_missing:
        raise TableError(f"The id column {title!r} of {path} is blank in {counted(n_missing, 'row')}.")
    return as_names(column)
