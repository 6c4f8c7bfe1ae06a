"""Read the file formats in which tables are kept, each into the same kind of sheet."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from snelfs.foundation.sentences import Argument, Sentence
from snelfs.foundation.words import first_few, nearest
from snelfs.tables.arff import read_arff
from snelfs.tables.delimited import framed, read_delimited
from snelfs.tables.geo import read_series_matrix
from snelfs.tables.sheet import Sheet, TableError, as_names, needed, pandas, unique_names

FORMATS = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".txt": "text",
    ".parquet": "parquet",
    ".feather": "feather",
    ".arrow": "feather",
    ".xlsx": "xlsx",
    ".npz": "npz",
    ".arff": "arff",
    ".h5ad": "h5ad",
}
_COMPRESSED = {"csv", "tsv", "text", "arff"}


def file_format(path: Path) -> str:
    """Return the format that a file's name stands for, or raise if it stands for none.

    Examples
    --------
    >>> file_format(Path("genes.csv.gz")), file_format(Path("GSE2034_series_matrix.txt.gz"))
    ('csv', 'geo')
    """
    compressed = path.suffix.lower() == ".gz"
    inner = Path(path.stem) if compressed else path
    kind = FORMATS.get(inner.suffix.lower())
    if kind is None or (compressed and kind not in _COMPRESSED):
        known = ", ".join(FORMATS)
        raise TableError(
            f"{path} has {f'the unknown suffix {path.suffix!r}' if path.suffix else 'no suffix'}; known are "
            f"{known}, and .gz behind those of text."
        )
    return "geo" if kind == "text" and inner.stem.lower().endswith("_series_matrix") else kind


def read_sheet(path: Path, layer: str | None = None, decimal: str | None = None) -> Sheet:
    """Read a file of any known format as it stands, or say in one sentence why it cannot be read."""
    kind = file_format(path)
    _must_be_a_file(path)
    if layer is not None and kind not in ("h5ad", "xlsx"):
        raise TableError(
            Argument(f"layer={layer!r}"), f" is for .h5ad and .xlsx files, and {path} is of neither kind."
        )
    if kind in ("csv", "tsv", "text"):
        return read_delimited(path, kind, decimal)
    readers: dict[str, Callable[[], Sheet]] = {
        "arff": lambda: read_arff(path),
        "geo": lambda: read_series_matrix(path),
        "parquet": lambda: _read_parquet(path),
        "feather": lambda: _read_feather(path),
        "xlsx": lambda: _read_excel(path, layer, decimal),
        "npz": lambda: _read_npz(path),
        "h5ad": lambda: _read_h5ad(path, layer),
    }
    try:
        return readers[kind]()
    except (TableError, ImportError, MemoryError):
        raise
    except Exception:  # whatever the library beneath makes of a broken file, the sentence is the same
        raise TableError(
            f"{path} is no readable {path.suffix} file: it may be cut short or damaged."
        ) from None


def _must_be_a_file(path: Path) -> None:
    try:
        if path.is_dir():
            raise TableError(f"{path} is a folder, and a file is needed.")
        with path.open("rb") as file:
            if not file.read(1):
                raise TableError(f"{path} is empty.")
    except FileNotFoundError:
        raise TableError(f"{path} does not exist.") from None
    except OSError as error:
        raise TableError(f"{path} cannot be opened: {error.strerror}.") from None


def _read_parquet(path: Path) -> Sheet:
    return _from_arrow(needed("pyarrow.parquet").ParquetFile(path).read(), path, "parquet")


def _read_feather(path: Path) -> Sheet:
    """Read an Arrow file, written as a file or as a stream."""
    try:
        table = needed("pyarrow.feather").read_table(path)
    except needed("pyarrow").ArrowInvalid:
        with path.open("rb") as file:
            table = needed("pyarrow.ipc").open_stream(file).read_all()
    return _from_arrow(table, path, "feather")


def _from_arrow(table: Any, path: Path, kind: str) -> Sheet:
    """Return a table of Arrow as a sheet; an index that pandas stored with it holds the rows' names."""
    unique_names(table.column_names, path)
    frame = table.to_pandas().copy()  # in one block a type, as in `framed`
    if not len(frame):
        raise TableError(f"{path} has columns but no rows.")
    names = title = None
    if type(frame.index) is not pandas().RangeIndex:
        names, title = as_names(frame.index), frame.index.name
        frame = frame.reset_index(drop=True)
    columns = unique_names([str(name) for name in frame.columns], path)
    frame.columns = range(len(columns))
    return Sheet(frame, columns, kind, row_names=names, row_title=str(title or "id"))


def _read_excel(path: Path, layer: str | None, decimal: str | None) -> Sheet:
    """Read one sheet of an Excel file, the first unless another is named."""
    book = needed("python_calamine").CalamineWorkbook.from_path(path)
    sheets = book.sheet_names
    if layer is not None and layer not in sheets:
        raise TableError(f"{path} has no sheet {layer!r}; {nearest(layer, sheets)}.")
    chosen = layer or sheets[0]
    rows = book.get_sheet_by_name(chosen).to_python()
    if not rows:
        raise TableError(f"The sheet {chosen!r} of {path} is empty.")
    notes: list[str] = []
    if len(sheets) > 1 and layer is None:
        others = first_few(sheets[1:])
        notes.append(
            Sentence(
                f"The first of {len(sheets)} sheets was read, {chosen!r}; ",
                Argument("layer="),
                f" names another ({others}).",
            )
        )
    heading = ["" if cell == "" else name for cell, name in zip(rows[0], as_names(rows[0]), strict=True)]
    cells = [[None if cell == "" else cell for cell in row] for row in rows[1:]]
    frame = pandas().DataFrame(cells, columns=range(len(heading)))
    return framed(frame, heading, path, "xlsx", decimal, notes)


def _read_npz(path: Path) -> Sheet:
    """Read the arrays X, y, feature_names and row_names, of which X alone is needed."""
    with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
        arrays = {name: stored[name] for name in stored.files}
    X = arrays.get("X")
    if X is None or X.ndim != 2 or 0 in X.shape or X.dtype.kind not in "biuf":
        raise TableError(f"{path} must hold numbers in an array X of rows and columns.")
    n_rows, n_columns = X.shape
    lengths = {"y": n_rows, "row_names": n_rows, "feature_names": n_columns}
    for name in lengths.keys() & arrays.keys():
        if arrays[name].shape != (lengths[name],):
            raise TableError(f"{name} in {path} has the shape {arrays[name].shape}, not ({lengths[name]},).")
    names = arrays.get("feature_names", np.arange(1, n_columns + 1))
    rows = arrays.get("row_names")
    return Sheet(
        pandas().DataFrame(X, columns=range(n_columns)),
        unique_names(as_names(names.tolist()), path),
        "npz",
        row_names=None if rows is None else as_names(rows.tolist()),
        about_rows={"y": arrays["y"]} if "y" in arrays else {},
        target="y" if "y" in arrays else None,
    )


def _read_h5ad(path: Path, layer: str | None) -> Sheet:
    """Read the matrix of an AnnData file, or one of its layers; what it says of its rows is in ``obs``."""
    anndata = needed("anndata")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of names that come twice we speak ourselves
        data = anndata.read_h5ad(path)
    layers = list(data.layers)
    if layer is not None and layer not in layers:
        raise TableError(f"{path} has no layer {layer!r}; {nearest(layer, layers)}.")
    X = data.X if layer is None else data.layers[layer]
    if X is None:
        raise TableError(f"{path} has no matrix X; name one of its layers: {first_few(layers)}.")
    if 0 in X.shape:
        raise TableError(f"{path} holds a matrix of {X.shape[0]:,} rows and {X.shape[1]:,} columns.")
    return Sheet(
        X.tocsr() if hasattr(X, "tocsr") else pandas().DataFrame(np.asarray(X)),
        unique_names(as_names(data.var_names), path),
        "h5ad",
        row_names=as_names(data.obs_names),
        about_rows={str(name): np.asarray(data.obs[name]) for name in data.obs},
    )
