"""Read tables of samples from the file formats in which gene-expression data are published."""

from __future__ import annotations

import csv
import re
import warnings
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from snelfs.foundation.types import Singles, Texts

_ORANGE_IGNORED = {"i", "ignore", "m", "meta"}
_ORANGE_TEXT = {"s", "string", "text"}
_BROKEN_ZIP = (zipfile.BadZipFile, zlib.error, NotImplementedError)
_MISSING = {"", "?", "na", "nan", "null", "."}


class Contents(NamedTuple):
    """Hold what a file says: the values, the labels as the source spells them, the names if it has any."""

    X: Singles  # (rows, columns)
    y: Texts  # (rows,)
    names: Texts | None  # (columns,)


def read_npz(path: Path) -> Contents:
    """Read an npz file with the arrays X, y and perhaps feature_names."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            return Contents(stored["X"].astype(np.float32), stored["y"], stored.get("feature_names"))
    except (PermissionError, FileNotFoundError):
        raise
    except (OSError, EOFError, LookupError, TypeError, ValueError, AttributeError, *_BROKEN_ZIP) as error:
        raise ValueError(f"{path} is no readable npz file with X and y; delete or replace it.") from error


def read_rdata(path: Path) -> Contents:
    """Read an R workspace that holds one ``list(x = <matrix or data frame>, y = <factor>)``."""
    import rdata  # where used: it brings pandas and xarray

    with warnings.catch_warnings():
        # Files of R before 3.5 do not state their encoding; the package says what it assumes, each time.
        warnings.filterwarnings("ignore", message="Unknown encoding")
        objects: dict[str, Any] = rdata.read_rda(path)
    found = [value for value in objects.values() if isinstance(value, dict) and {"x", "y"} <= set(value)]
    if len(found) != 1:
        raise ValueError(f"it holds {', '.join(objects) or 'nothing'} and not one list of x and y")
    x, y = found[0]["x"], found[0]["y"]
    return _table(np.asarray(x), np.asarray(y), _column_names(x))


def read_tab(path: Path) -> Contents:
    """Read a tab-separated file of Orange: names, types and flags in three rows, then one row a sample.

    The column flagged ``class`` holds the labels; text, ignored and meta columns are left out.
    """
    rows = list(_cells(path, "\t", header=3))
    if len(rows) < 4:
        raise ValueError(f"it has {len(rows)} rows, and three of a header and one of data are the least")
    names = [name.strip() for name in rows[0]]
    types, flags = (_padded([cell.strip().lower() for cell in row], len(names)) for row in rows[1:3])
    labels = [place for place, flag in enumerate(flags) if flag.split()[:1] == ["class"]]
    if len(labels) != 1:
        raise ValueError(f"{len(labels)} columns are flagged as the class, and one is needed")
    kept = [
        place
        for place, (name, kind, flag) in enumerate(zip(names, types, flags, strict=True))
        if name and place != labels[0] and kind not in _ORANGE_TEXT and flag not in _ORANGE_IGNORED
    ]
    return _from_rows(rows[3:], names, labels[0], kept)


def read_csv(path: Path, label_column: str) -> Contents:
    """Read a comma-separated file with a heading, of which one column holds the labels.

    A column without a name, such as the row numbers that R writes, is left out.
    """
    heading, *rows = list(_cells(path, ",")) or [[]]
    names = [name.strip() for name in heading]
    if names.count(label_column) != 1:
        raise ValueError(f"{names.count(label_column)} columns are named {label_column!r}, and one is needed")
    label = names.index(label_column)
    return _from_rows(
        rows, names, label, [place for place, name in enumerate(names) if name and place != label]
    )


def read_mat(path: Path) -> Contents:
    """Read a MATLAB file that holds one matrix, samples in rows, and one vector of whole-number labels."""
    from scipy.io import loadmat

    stored = {key: np.asarray(value) for key, value in loadmat(path).items() if not key.startswith("__")}
    numeric = {key: value for key, value in stored.items() if value.dtype.kind in "biuf" and value.ndim == 2}
    tables = {key: value for key, value in numeric.items() if min(value.shape) > 1}
    if len(tables) != 1:
        raise ValueError(f"it holds {len(tables)} matrices, and one is needed")
    X = next(iter(tables.values()))
    vectors = [value.ravel() for value in numeric.values() if value.size == len(X) and min(value.shape) == 1]
    if len(vectors) != 1:
        raise ValueError(f"it holds {len(vectors)} vectors of as many labels as rows, and one is needed")
    return _table(X, vectors[0].astype(np.int64), None)


def read_transposed(path: Path) -> Contents:
    """Read a tab-separated text with one sample a column: labels in the heading, names on the left."""
    heading, *rows = list(_cells(path, "\t")) or [[]]
    labels = [re.sub(r"\.\d+$", "", label.strip()) for label in heading[1:]]  # AD.1: made unique by a tool
    while labels and not labels[-1]:
        labels.pop()
    uneven = [row[0] for row in rows if len(row) < len(labels) + 1]
    if not labels or not rows or uneven:
        raise ValueError(f"{f'the row {uneven[0]!r} is short' if uneven else 'it has no samples or no rows'}")
    X = np.array([_numbers(row[1 : len(labels) + 1]) for row in rows], dtype=np.float32).T
    return _table(X, np.array(labels), [row[0].strip() for row in rows])


def _cells(path: Path, delimiter: str, header: int = 1) -> Iterator[list[str]]:
    """Yield the rows of a text file; rows below its header that hold nothing are left out."""
    with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
        for number, row in enumerate(csv.reader(file, delimiter=delimiter)):
            if any(cell.strip() for cell in row) or (number < header and row):
                yield row


def _from_rows(rows: list[list[str]], names: list[str], label: int, kept: list[int]) -> Contents:
    """Split rows of text into the kept columns, as numbers, and the labels."""
    short = [number for number, row in enumerate(rows, start=1) if len(row) <= max([label, *kept])]
    if short or not rows:
        raise ValueError(f"data row {short[0]} is short" if short else "it has no data rows")
    X = np.array([_numbers([row[place] for place in kept]) for row in rows], dtype=np.float32)
    return _table(X, np.array([row[label].strip() for row in rows]), [names[place] for place in kept])


def _numbers(cells: Sequence[str]) -> list[float]:
    """Turn cells into numbers, those that say so into missing ones."""
    return [float("nan") if cell.strip().lower() in _MISSING else float(cell) for cell in cells]


def _padded(cells: list[str], length: int) -> list[str]:
    """Return exactly `length` cells, empty ones where a row ends early."""
    return (cells + [""] * length)[:length]


def _column_names(x: Any) -> list[str] | None:
    """Return the column names of a data frame, a labelled array or a plain one, which has none."""
    if hasattr(x, "columns"):  # R's data frame comes as one of pandas
        return [str(name) for name in x.columns]
    dims: Sequence[str] = getattr(x, "dims", ())  # R's matrix with dimnames comes as an array of xarray
    return (
        [str(name) for name in x.coords[dims[1]].values] if len(dims) == 2 and dims[1] in x.coords else None
    )


def _table(X: npt.NDArray[Any], y: npt.NDArray[Any], names: list[str] | None) -> Contents:
    """Check the shapes and drop names that only count: V1, V2, … or X1, X2, …."""
    if X.ndim != 2 or y.shape != X.shape[:1]:
        raise ValueError(f"values of shape {X.shape} and labels of shape {y.shape} do not belong together")
    if names and re.fullmatch(r"[A-Za-z]\.?1", names[0]):
        stem = names[0][:-1]
        names = None if names == [f"{stem}{place}" for place in range(1, len(names) + 1)] else names
    labels = np.array([str(label).strip() for label in y.tolist()])
    return Contents(
        np.ascontiguousarray(X, dtype=np.float32), labels, None if names is None else np.array(names)
    )
