"""Read delimited text: which sign separates the cells, what the heading is, which sign the decimals have."""

from __future__ import annotations

import csv
import io
import re
import warnings
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from snelfs.foundation.spreadsheets import is_guarded, unguarded
from snelfs.foundation.words import counted
from snelfs.tables.cells import MISSING, decimal_sign, each_number, texts
from snelfs.tables.sheet import Frame, Sheet, TableError, as_names, file_bytes, pandas, unique_names

_SIGNS = {"csv": ",\t;| ", "tsv": "\t,;| ", "text": "\t,;| "}
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]")  # no text has them
_FRACTION = re.compile(r"\s*[+-]?\d*[.,]?\d+\s*")
_PEEK = 12  # rows that settle the form of a file


def read_delimited(path: Path, kind: str, decimal: str | None = None) -> Sheet:
    """Read a text file with a heading and one row a line.

    The separator is that of the suffix if it cuts the first lines into equally many cells, else the first of
    comma, tab, semicolon, bar and space that does. A heading that is one cell short, as R writes it, names
    all columns but the first, which holds the rows' names; so does a first column without a name.
    """
    text, notes = decoded(file_bytes(path), path)
    sign, head = _separator(text, _SIGNS[kind], path)
    if len(head) < 2:
        raise TableError(f"{path} has {'a heading but no rows' if head else 'nothing but blank lines'}.")
    heading = ["", *head[0]] if len(head[0]) + 1 == len(head[1]) else head[0]
    if all(map(_FRACTION.fullmatch, heading)):
        notes.append(
            f"The first line of {path} was read as the heading, but holds numbers: does it lack one?"
        )
    if decimal is None:
        decimal = decimal_sign(cell.strip() for row in head[1:] for cell in row)
    frame = parsed(text, path, sign, len(heading), decimal)
    if is_guarded(text):
        heading, frame = [unguarded(name) for name in heading], _unguarded_cells(frame)
    return framed(frame, heading, path, "csv" if sign == "," else "tsv", decimal, notes)


def _unguarded_cells(frame: Frame) -> Frame:
    """Return a frame whose text is as it was before `guarded` made it safe for spreadsheets."""
    return frame.apply(
        lambda cells: (
            cells.map(unguarded, na_action="ignore") if pandas().api.types.is_string_dtype(cells) else cells
        )
    )


def decoded(content: bytes, path: Path) -> tuple[str, list[str]]:
    """Return bytes as text, and a note if their encoding had to be guessed; raise if they are no text."""
    notes = []
    try:
        utf16 = content[:2] in (b"\xff\xfe", b"\xfe\xff")  # Excel's "Unicode text"
        text = content.decode("utf-16" if utf16 else "utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("latin-1")
        notes.append(f"{path} is not in UTF-8 and was read as Latin-1: look whether its names are right.")
    if _CONTROL.search(text[:100_000]):
        raise TableError(f"{path} is no text file, whatever its name says.")
    return text, notes


def parsed(
    text: str,
    path: Path,
    sign: str,
    n_columns: int,
    decimal: str | None,
    *,
    heading: bool = True,
    quote: str = '"',
    escape: str | None = None,
) -> Frame:
    """Return the rows below the heading, if there is one, as a frame with numbered columns."""
    pd = pandas()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)  # rows that are too long would be cut
            return pd.read_csv(
                io.StringIO(text),
                sep=sign,
                header=0 if heading else None,
                names=range(n_columns),
                index_col=False,
                decimal="," if decimal == "," and sign != "," else ".",
                keep_default_na=False,
                na_values=MISSING,
                skipinitialspace=True,
                quotechar=quote,
                escapechar=escape,
                low_memory=False,  # the type of a column is settled once, over all of its rows
            )
    except (pd.errors.ParserError, pd.errors.EmptyDataError, pd.errors.ParserWarning) as error:
        raise TableError(
            f"{path} cannot be read as rows of {counted(n_columns, 'cell')}: {_in_brief(str(error))}."
        ) from None


def framed(
    frame: Frame, heading: list[str], path: Path, kind: str, decimal: str | None, notes: list[str]
) -> Sheet:
    """Return a frame and its heading as a sheet; a first column without a name holds the rows' names."""
    frame = frame.copy()  # in one block a type: taking columns of thousands of blocks is slow
    frame.columns = range(frame.shape[1])
    # A separator at the end of every line makes a column that has neither a name nor a value.
    while len(heading) > 1 and not heading[-1].strip() and frame[len(heading) - 1].isna().all():
        heading = heading[:-1]
        frame = frame.iloc[:, : len(heading)]
    filled = frame.notna().any(axis=1)
    if not filled.any():
        raise TableError(f"{path} has a heading but no rows.")
    if not filled.all():
        frame = frame[filled].reset_index(drop=True)
        notes = [*notes, f"{counted(int((~filled).sum()), 'blank row')} of {path} left out."]
    names = None
    if not heading[0].strip() and len(heading) > 1:
        if frame[0].is_unique and not _is_measured(frame[0], decimal):
            names = as_names(frame[0])
            notes = [*notes, *_note_on_numbers(frame[0], path)]
            heading, frame = heading[1:], frame.iloc[:, 1:]
        else:
            notes = [
                *notes,
                f"The first column of {path} has no name; it is 'column 1', not the rows' names.",
            ]
    return Sheet(frame, unique_names(heading, path), kind, row_names=names, comma=decimal, notes=notes)


def _note_on_numbers(column: Any, path: Path) -> list[str]:
    """Return a sentence if the rows' names are numbers that do not just count the rows."""
    if column.dtype.kind not in "iuf" or (np.diff(column) == 1).all():
        return []
    return [f"The first column of {path} has no name: its whole numbers were read as the rows' names."]


def _is_measured(column: Any, decimal: str | None) -> bool:
    """Tell whether a column holds what no rows are named by: truth values, or numbers with a fraction."""
    values, is_text = each_number(texts(column), decimal or ".")
    if column.dtype.kind == "b":
        return True
    return bool(not is_text.any() and (values[np.isfinite(values)] % 1 != 0).any())


def _separator(text: str, signs: str, path: Path) -> tuple[str, list[list[str]]]:
    """Return the sign that cuts the first rows into equally many cells, and these rows."""
    best: tuple[str, list[list[str]]] | None = None
    for sign in signs:
        try:
            rows = list(islice(_filled_rows(text, sign), _PEEK))
        except csv.Error:  # a cell is too long: this sign does not separate anything
            continue
        widths = {len(row) for row in rows[1:]}
        if len(widths) == 1 and (width := widths.pop()) > 1 and len(rows[0]) in (width, width - 1):
            return sign, rows
        if best is None or not best[1] or (max(map(len, best[1])) == 1 and rows and len(rows[0]) > 1):
            best = (sign, rows)
    if best is None:
        raise TableError(
            f"{path} has a cell of more than {csv.field_size_limit():,} letters in its first rows: is it a "
            "table, and is each quotation mark closed?"
        )
    return best


def _filled_rows(text: str, sign: str) -> Iterator[list[str]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=sign, skipinitialspace=True)
    return (row for row in reader if any(cell.strip() for cell in row))


def _in_brief(complaint: str) -> str:
    """Return what pandas complains of in our words."""
    if found := re.search(r"in line (\d+), saw (\d+)", complaint):
        return f"line {found[1]} has {int(found[2]):,}"
    if "EOF inside string" in complaint:
        return "a quotation mark is never closed"
    return "a row has more"
