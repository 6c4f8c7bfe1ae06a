"""What is in the folder of a selection: which files are ours, and what its record says; read without JAX."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from snelfs.foundation.files import refuse_full_folder
from snelfs.foundation.words import first_few

MODEL, RECORD, FEATURES, REPORT = "model.skops", "selection.json", "features.csv", "report.html"
HELD_OUT = "held_out.csv"  # of censored times
SELECTED = "selected"  # and the suffix of the table's format


def record_of(place: str | os.PathLike[str]) -> Mapping[str, Any]:
    """Return the record of a folder, or of the folder of a model file; nothing where there is none.

    Parts that are not as `write_folder` wrote them are left out: the record may be anybody's.
    """
    path = Path(place)
    try:
        text = ((path if path.is_dir() else path.parent) / RECORD).read_text(encoding="utf-8")
        record = json.loads(text)
    except (OSError, ValueError, RecursionError):
        return {}
    return record if isinstance(record, dict) else {}


def model_path(place: str | os.PathLike[str]) -> Path:
    """Return the model file of a folder, or of a path to one, or raise if it is not there.

    Examples
    --------
    >>> model_path("nowhere")
    Traceback (most recent call last):
    ValueError: nowhere does not exist; a folder that snelfs select wrote, or its model.skops, is needed.
    """
    path = Path(place)
    path = path / MODEL if path.is_dir() else path
    if not path.is_file():
        what = "is a folder" if path.is_dir() else "does not exist"
        raise ValueError(f"{path} {what}; a folder that snelfs select wrote, or its {MODEL}, is needed.")
    return path


def selected_in(place: str | os.PathLike[str]) -> list[str] | None:
    """Return the names of the selected columns that a record lists, best first; None where it does not."""
    names = record_of(place).get("selected")
    known = isinstance(names, list) and names and all(isinstance(name, str) for name in names)
    return list(names) if known else None  # type: ignore[arg-type]


def held_out_in(place: str | os.PathLike[str]) -> Path | None:
    """Return the file of risks of rows that were held out; None where there is none."""
    path = Path(place)
    file = (path if path.is_dir() else path.parent) / HELD_OUT
    return file if file.is_file() else None


def categories_in(place: str | os.PathLike[str]) -> dict[str, list[str]]:
    """Return the categories of selected columns that a record lists; nothing where it does not."""
    found = record_of(place).get("categories")
    if not isinstance(found, dict) or not all(isinstance(levels, list) for levels in found.values()):
        return {}
    return {name: [str(level) for level in levels] for name, levels in found.items()}


def reading_of(place: str | os.PathLike[str]) -> Mapping[str, Any]:
    """Return how the table of a folder was read, its file included; nothing where that is not known."""
    reading = record_of(place).get("reading")
    if not isinstance(reading, dict):
        return {}
    return {
        name: value
        for name, value in reading.items()
        if isinstance(value, bool if name == "transpose" else str)
    }


def file_names(source: str) -> frozenset[str]:
    """Return the names of the files that the selection of a table in some format consists of.

    Examples
    --------
    >>> sorted(file_names("geo"))
    ['features.csv', 'held_out.csv', 'model.skops', 'report.html', 'selected.tsv', 'selection.json']
    """
    suffix = {"geo": "tsv"}.get(source, source)
    return frozenset({MODEL, RECORD, FEATURES, REPORT, HELD_OUT, f"{SELECTED}.{suffix}"})


def former_files(folder: Path) -> frozenset[str]:
    """Return the names of the files that an earlier selection left in a folder, by what its record says."""
    data = record_of(folder).get("data")
    source = data.get("format") if isinstance(data, dict) else None
    return file_names(source) if isinstance(source, str) else frozenset()


def refuse_folder(folder: Path, *, force: bool, source: str | None = None) -> None:
    """Raise if the selection of a table in some format may not be written to a folder.

    Files that no selection wrote are never replaced, whatever is forced.
    """
    refuse_full_folder(folder, force=force)
    names = {MODEL, RECORD, FEATURES, REPORT} if source is None else file_names(source)
    strangers = sorted(name for name in names - former_files(folder) if (folder / name).exists())
    if strangers:
        raise ValueError(
            f"{folder} holds {first_few(strangers)}, which no selection of snelfs wrote: choose another "
            "folder, or move away what is there."
        )
