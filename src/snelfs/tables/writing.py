"""Write selected columns of a table in the format in which the table came."""

from __future__ import annotations

import gc
import io
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from snelfs.foundation.files import written_whole
from snelfs.foundation.sentences import Argument
from snelfs.foundation.spreadsheets import guarded
from snelfs.foundation.task import guess_task
from snelfs.foundation.words import first_few, nearest
from snelfs.tables.arff import write_arff
from snelfs.tables.categories import named_cells
from snelfs.tables.formats import file_format
from snelfs.tables.labels import named_labels
from snelfs.tables.reading import Table
from snelfs.tables.sheet import Frame, TableError, needed, pandas

# A series matrix would need what its authors said of the samples: its columns are written as plain text.
_SUFFIX_OF = {"geo": ".tsv"}
_SHEET_WIDTH = 16_384  # the columns of an Excel sheet


def write_like(
    table: Table, path: str | os.PathLike[str], columns: Sequence[str] | Sequence[int] | None = None
) -> Path:
    """Write rows' names, selected features and the target to a file, whole or not at all.

    Parameters
    ----------
    table : Table
        As `read_table` gives it.
    path : path
        The file. A suffix decides its format; without one it gets that of the table's source, of a GEO
        series matrix ``.tsv``.
    columns : sequence of str or int, optional
        The names or places of the features, in the order wanted; by default all.

    Returns
    -------
    Path
        The file written.

    Examples
    --------
    >>> import tempfile
    >>> table = Table(np.eye(2), ("a", "b"), ("1", "2"), np.array(["x", "y"]), "class", "csv", None, ())
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     print(write_like(table, Path(folder) / "selected", ["b"]).read_text())
    b,class
    0.0,x
    1.0,y
    """
    path = Path(path)
    if not path.suffix:
        path = path.with_name(path.name + _SUFFIX_OF.get(table.source, f".{table.source}"))
    kind = file_format(path)
    places = _places(table, columns)
    X = table.X[:, places]
    names = [table.feature_names[place] for place in places]
    path.parent.mkdir(parents=True, exist_ok=True)
    with written_whole(path) as temporary:
        if kind == "npz":
            _write_npz(temporary, table, X, names)
        elif kind == "h5ad":
            _write_h5ad(temporary, table, X, names)
        else:
            _write_frame(temporary, kind, _frame(table, X, names), table)
    return path


def _places(table: Table, columns: Sequence[str] | Sequence[int] | None) -> list[int]:
    """Return the places of columns given by their names or places."""
    if columns is None:
        return list(range(len(table.feature_names)))
    place_of = {name: place for place, name in enumerate(table.feature_names)}
    places = []
    for column in columns:
        place = place_of.get(column, -1) if isinstance(column, str) else int(column)
        if not 0 <= place < len(place_of):
            known = (
                nearest(column, table.feature_names)
                if isinstance(column, str)
                else f"there are {len(place_of):,}"
            )
            raise TableError(f"The table has no column {column!r}; {known}.")
        places.append(place)
    if not places or len(set(places)) < len(places):
        got = first_few(list(columns)) or "nothing"
        raise TableError(Argument("columns"), f" must name at least one feature and none twice, got {got}.")
    return places


def _frame(table: Table, X: Any, names: list[str]) -> Frame:
    """Return the table as a frame: the rows' names if the file had any, the features, the target."""
    frame = pandas().DataFrame(X.toarray() if hasattr(X, "toarray") else X, columns=names)
    for name, levels in table.categories.items():
        if name in names:
            frame[name] = named_cells(frame[name], levels)
    taken = set(names)
    if table.id_name is not None:
        frame.insert(0, _free(table.id_name, taken), list(table.row_names))
    for name, values in _answers(table):
        frame[_free(name, taken)] = values
    return frame


def _answers(table: Table) -> list[tuple[str, Any]]:
    """Return the target as columns with their names: two of censored times, one a label, else one or none."""
    if table.y is None:
        return []
    if table.y.dtype.names:
        return [(name, table.y[name]) for name in reversed(table.y.dtype.names)]
    if labels := named_labels(table.y, table.labels):
        return list(zip(labels, table.y.T, strict=True))
    return [(table.target_name or "y", table.y)]


def _free(name: str, taken: set[str]) -> str:
    """Return a name that no column has yet, and take it."""
    while name in taken:
        name += "_"
    taken.add(name)
    return name


def _write_frame(path: Path, kind: str, frame: Frame, table: Table) -> None:
    if kind in ("csv", "tsv", "text", "geo"):
        # The temporary file ends as the wanted one does, so that pandas sees whether to compress it.
        _guarded_frame(frame).to_csv(
            path, sep="," if kind == "csv" else "\t", index=False, lineterminator="\n"
        )
    elif kind == "parquet":
        frame.to_parquet(path, index=False)
    elif kind == "feather":
        frame.to_feather(path)
    elif kind == "arff":
        is_class = table.y is not None and guess_task(table.y) == "classification"
        n_answers = len(_answers(table)) if is_class else 0
        nominal = [place >= frame.shape[1] - n_answers for place in range(frame.shape[1])]
        columns = [frame.iloc[:, place].to_numpy() for place in range(frame.shape[1])]
        write_arff(path, [str(name) for name in frame.columns], columns, nominal)
    else:
        if frame.shape[1] > _SHEET_WIDTH:
            raise TableError(
                f"An Excel sheet holds {_SHEET_WIDTH:,} columns, and {frame.shape[1]:,} are to be written."
            )
        _write_excel(path, frame)


def _guarded_frame(frame: Frame) -> Frame:
    """Return a frame of which no name and no text is a formula to spreadsheets."""

    def safe(cell: Any) -> Any:
        return guarded(cell) if isinstance(cell, str) else cell

    texts = frame.apply(lambda cells: cells if cells.dtype.kind in "biuf" else cells.map(safe))
    return texts.set_axis([guarded(str(name)) for name in frame.columns], axis=1)


def _write_excel(path: Path, frame: Frame) -> None:
    """Write a sheet whose text is text, whatever it begins with, also after somebody has edited the cell."""
    from openpyxl.utils.exceptions import IllegalCharacterError

    content = b""
    failed: Exception | None = None
    with _leftovers_silent():
        try:
            content = _workbook(frame)
        except IllegalCharacterError as error:
            failed = TableError(f"An Excel sheet cannot hold the text {str(error)[:60]!r}.")
        except OSError as error:
            failed = OSError(error.errno, error.strerror)
    if failed is not None:
        raise failed
    path.write_bytes(content)


def _workbook(frame: Frame) -> bytes:
    """Return an Excel file; a disk that is full while an archive is open fails again when it is closed."""
    content = io.BytesIO()
    with pandas().ExcelWriter(content, engine="openpyxl") as writer:
        frame.to_excel(writer, index=False)
        for row in writer.book.active.iter_rows():
            for cell in row:
                if isinstance(cell.value, str):
                    cell.data_type, cell.quotePrefix = "s", guarded(cell.value) != cell.value
    return content.getvalue()


@contextmanager
def _leftovers_silent() -> Iterator[None]:
    """Let generators of a library that failed say nothing when they are cleared away: it was said already."""
    before, sys.unraisablehook = sys.unraisablehook, lambda _: None
    try:
        yield
        gc.collect()
    finally:
        sys.unraisablehook = before


def _write_npz(path: Path, table: Table, X: Any, names: list[str]) -> None:
    arrays = {"X": X.toarray() if hasattr(X, "toarray") else X, "feature_names": np.array(names)}
    if table.y is not None:
        arrays["y"] = table.y
    if labels := named_labels(table.y, table.labels):
        arrays["label_names"] = np.array(labels)
    if table.id_name is not None:
        arrays["row_names"] = np.array(table.row_names)
    with path.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **arrays)


def _write_h5ad(path: Path, table: Table, X: Any, names: list[str]) -> None:
    anndata, pd = needed("anndata"), pandas()
    obs = pd.DataFrame(index=pd.Index(table.row_names, dtype=object))
    for name, values in _answers(table):
        y: Any = values
        if y.dtype.kind not in "biuf":  # not every anndata can write the text type of pandas 3
            y = pd.Categorical(
                y.astype(object), categories=pd.Index(np.unique(y).astype(object), dtype=object)
            )
        obs[name] = y
    data = anndata.AnnData(X=X, obs=obs, var=pd.DataFrame(index=pd.Index(names, dtype=object)))
    data.write_h5ad(path)
