"""Read the series matrices of the Gene Expression Omnibus: words on the samples, then genes x samples."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np

from snelfs.tables.delimited import decoded, parsed
from snelfs.tables.sheet import Frame, Sheet, TableError, as_names, file_bytes, unique_names

_BEGIN, _END = "!series_matrix_table_begin", "!series_matrix_table_end"
_CHARACTERISTICS = "characteristics_ch"


def read_series_matrix(path: Path) -> Sheet:
    """Read a series matrix with the samples in rows, whatever the file's own orientation.

    Every ``!Sample_`` field may be the target, by its name without that beginning; of the characteristics,
    which are written ``key: value``, every key.
    """
    text, notes = decoded(file_bytes(path), path)
    header, found, body = text.partition(_BEGIN)
    if not found:
        raise TableError(f"{path} is no series matrix: it has no line {_BEGIN}.")
    body, found, _ = body.partition(_END)
    if not found:
        raise TableError(f"{path} is cut short: it has no line {_END}.")
    names, samples, values = _values(body.strip("\r\n"), path)
    return Sheet(
        values.T.reset_index(drop=True),
        unique_names(names, path),
        "geo",
        row_names=samples,
        row_title="geo_accession",
        about_rows=_about_samples(header, len(samples)),
        notes=notes,
    )


def _values(body: str, path: Path) -> tuple[list[str], list[str], Frame]:
    """Return the genes' names, the samples' names and the frame of values, genes in rows."""
    heading = next(csv.reader([body.partition("\n")[0].strip("\r")], delimiter="\t"), [])
    samples = as_names(heading[1:])
    frame = parsed(body, path, "\t", len(heading), ".") if samples else None
    if frame is None or not len(frame):
        raise TableError(
            f"{path} holds no values, only what is said of its samples: the values of this series are in its "
            "supplementary files."
        )
    return as_names(frame[0]), samples, frame.iloc[:, 1:]


def _about_samples(header: str, n_samples: int) -> dict[str, Any]:
    """Return every field and every key of the characteristics, with one text a sample."""
    fields: dict[str, list[list[str]]] = {}
    for row in csv.reader(header.splitlines(), delimiter="\t"):
        if row and row[0].startswith("!Sample_") and len(row) == n_samples + 1:
            fields.setdefault(row[0].removeprefix("!Sample_"), []).append([cell.strip() for cell in row[1:]])
    about: dict[str, list[str]] = {}
    for name, rows in fields.items():
        if name.startswith(_CHARACTERISTICS):
            # The same key may stand in different rows: samples without one are not padded.
            for place, cell in ((place, cell) for row in rows for place, cell in enumerate(row)):
                key, colon, value = cell.partition(":")
                if colon:
                    about.setdefault(key.strip(), [""] * n_samples)[place] = value.strip()
    for name, rows in fields.items():
        about.setdefault(name, ["; ".join(filter(None, cells)) for cells in zip(*rows, strict=True)])
    return {name: np.array(cells, dtype=object) for name, cells in about.items()}
