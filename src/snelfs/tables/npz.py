"""Read the arrays of an NPZ file, after a look at what their headers claim."""

from __future__ import annotations

import math
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy

from snelfs.tables.sheet import Sheet, TableError, as_names, pandas, unique_names

_ARRAYS = ("X", "y", "feature_names", "row_names", "label_names")
_MOST_DEFLATED = 1032  # bytes that one byte of a zip archive can stand for


def read_npz(path: Path) -> Sheet:
    """Read the arrays X, y, feature_names, row_names and label_names, of which X alone is needed."""
    with path.open("rb") as file, zipfile.ZipFile(file) as archive:
        stored = {Path(member.filename).stem: member for member in archive.infolist()}
        for name in stored.keys() & set(_ARRAYS):
            _must_hold_what_it_claims(archive, stored[name], name, path)
    with path.open("rb") as file, np.load(file, allow_pickle=False) as opened:
        arrays = {name: opened[name] for name in _ARRAYS if name in opened.files}
    _must_fit(arrays, path)
    names = arrays.get("feature_names", np.arange(1, arrays["X"].shape[1] + 1))
    rows, targets = arrays.get("row_names"), _targets(arrays, path)
    return Sheet(
        pandas().DataFrame(arrays["X"], columns=range(len(names))),
        unique_names(as_names(names.tolist()), path),
        "npz",
        row_names=None if rows is None else as_names(rows.tolist()),
        about_rows=targets,
        target=",".join(targets) or None,
    )


def _targets(arrays: dict[str, Any], path: Path) -> dict[str, Any]:
    """Return what the file says is to be predicted by its name: y, or the labels that are its columns."""
    if "y" not in arrays:
        return {}
    if arrays["y"].ndim == 1:
        return {"y": arrays["y"]}
    numbered = np.array([f"label {place}" for place in range(1, arrays["y"].shape[1] + 1)])
    names = unique_names(as_names(arrays.get("label_names", numbered).tolist()), path, "label")
    return dict(zip(names, arrays["y"].T, strict=True))


def _must_hold_what_it_claims(
    archive: zipfile.ZipFile, member: zipfile.ZipInfo, name: str, path: Path
) -> None:
    """Raise if an array is larger than its part of the file, or holds Python's objects."""
    with archive.open(member) as file:
        version = npy.read_magic(file)
        read_header = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
        shape, _, dtype = read_header(file)
    if dtype.hasobject:
        raise TableError(
            f"{name} in {path} is an array of Python objects, which may do anything when read and are not: "
            "save numbers or text."
        )
    claimed = math.prod(shape) * dtype.itemsize
    packed = min(member.compress_size, path.stat().st_size)
    if claimed > min(member.file_size, packed * _MOST_DEFLATED):
        size = " x ".join(f"{length:,}" for length in shape)
        raise TableError(
            f"{name} in {path} is said to be an array of {size}, {claimed:,} bytes, and the file holds "
            "fewer: it may be cut short or damaged."
        )


def _must_fit(arrays: dict[str, Any], path: Path) -> None:
    """Raise if X is no table of numbers, or the others are not as long as it is."""
    X = arrays.get("X")
    if X is None or X.ndim != 2 or 0 in X.shape or X.dtype.kind not in "biuf":
        raise TableError(f"{path} must hold numbers in an array X of rows and columns.")
    lengths = {"y": X.shape[0], "row_names": X.shape[0], "feature_names": X.shape[1]}
    if "y" in arrays and arrays["y"].ndim == 2 and arrays["y"].shape[1] > 1:  # several labels a row
        lengths["label_names"] = arrays["y"].shape[1]
    for name in lengths.keys() & arrays.keys():
        shape = arrays[name].shape[:1] if name == "y" and "label_names" in lengths else arrays[name].shape
        if shape != (lengths[name],):
            raise TableError(f"{name} in {path} has the shape {shape}, not ({lengths[name]},).")
