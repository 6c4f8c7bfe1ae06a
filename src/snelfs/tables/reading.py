"""Read the table that a user brings: features, a target, and notes on what was made of the file."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from snelfs.foundation.checks import ArgumentError, choice, flag
from snelfs.foundation.sentences import Argument
from snelfs.foundation.words import counted, first_few
from snelfs.tables.categories import Asked
from snelfs.tables.checks import hint_of_genes, notes_on_answers
from snelfs.tables.columns import feature_columns
from snelfs.tables.formats import read_sheet
from snelfs.tables.gaps import with_medians, without_gaps
from snelfs.tables.labels import LabelColumns, label_columns, label_names, label_values, notes_on_labels
from snelfs.tables.rows import labelled, turned, with_row_names
from snelfs.tables.sheet import Sheet, TableError
from snelfs.tables.studies import (
    column_uses,
    covariate_names,
    group_names,
    hint_of_groups,
    take_column,
    with_covariates,
    with_indicators,
)
from snelfs.tables.survival import SurvivalColumns, survival_columns, survival_values, with_strata
from snelfs.tables.target import note_on_task, target_values


@dataclass(frozen=True)
class Table:
    """Hold a table as it was read.

    Attributes
    ----------
    X : ndarray or CSR matrix of shape (rows, columns)
        The features, as float32 where that holds what was stored, else as float64. Finite, or NaN where a
        value is missing and `impute` allows it.
    feature_names : tuple of str
        One name a column.
    row_names : tuple of str
        One name a row; the numbers from 1 where the file has none.
    y : ndarray of shape (rows,) or None
        The target: text, whole numbers, numbers, truth values, or events and times as two fields, perhaps
        with strata as a third. Of several labels it has the shape (rows, labels), zeros and ones.
    target_name : str or None
        What the file calls it.
    source : str
        The format: "csv", "tsv", "parquet", "feather", "xlsx", "npz", "arff", "h5ad" or "geo".
    id_name : str or None
        What the file calls the rows' names, None if it has none.
    notes : tuple of str
        Sentences on what was done and what is worth a look.
    groups : ndarray of str, shape (rows,), or None
        Which rows belong together.
    groups_name : str or None
        What the file calls these.
    covariates : tuple of str
        Names of the columns to adjust for.
    labels : tuple of str
        Of several labels a row, what the file calls each of them.
    categories : mapping of str to tuple of str
        The categories of the columns that hold such; `X` has their places. An empty text is a missing value.
    """

    X: Any
    feature_names: tuple[str, ...]
    row_names: tuple[str, ...]
    y: NDArray[Any] | None
    target_name: str | None
    source: str
    id_name: str | None
    notes: tuple[str, ...]
    groups: NDArray[Any] | None = None
    groups_name: str | None = None
    covariates: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    categories: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def read_table(
    path: str | os.PathLike[str],
    *,
    target: str | None = None,
    labels: str | os.PathLike[str] | None = None,
    groups: str | None = None,
    covariates: str | Sequence[str] | None = None,
    id_column: str | None = None,
    transpose: bool = False,
    layer: str | None = None,
    impute: str | None = None,
    decimal: str | None = None,
    columns: Sequence[str] | None = None,
    time: str | None = None,
    event: str | None = None,
    strata: str | None = None,
    categorical: str | Sequence[str] | None = "auto",
    categories: Mapping[str, Sequence[str]] | None = None,
) -> Table:
    r"""Read a table of samples in rows and features in columns from any of the known formats.

    Columns of numbers are the features, truth values as 0 and 1, and text of few values as categories. Ids,
    dates and other text are left out, and a note names them. What cannot be read is a `TableError` of one
    sentence.

    Parameters
    ----------
    path : path
        A file of CSV, TSV or other delimited text, Parquet, Arrow or Feather, Excel, NPZ (arrays X, y and
        perhaps feature_names), ARFF, AnnData or a GEO series matrix; text may be compressed with gzip.
    target : str, optional
        The column to predict; of AnnData one of ``obs``, of GEO a characteristic or a ``!Sample_`` field, of
        `labels` one of its columns. An empty text is none, even if the format has a place for one. Several
        columns of zeros and ones, with commas between their names, are several labels a row.
    labels : path, optional
        A second file, of any format, with an id and a label for every row; their order is free. Rows without
        a label are left out, and a note names them. If the target is an empty text, it has columns alone.
    groups : str, optional
        The column that says which rows belong together, such as the samples of a patient; of the same file as
        the target, or of the other one. It is no feature.
    covariates : sequence of str, or str with commas, optional
        Columns to adjust for, of the same file as the target or of the other one. Text becomes a column of
        zeros and ones for each category but the first, such as ``sex=m``.
    id_column : str, optional
        The column of the rows' names. By default a first column of text with no value twice.
    transpose : bool, default=False
        The file has one feature a row, its name in `id_column` or in the first column.
    layer : str, optional
        The layer of an AnnData file, or the sheet of an Excel file.
    impute : {None, "median"}, default=None
        Missing and infinite values are an error, or NaN, which estimators fill with the median of the column
        among the rows that train; of a sparse table they become that of all rows.
    decimal : {None, ".", ","}, default=None
        The decimal sign; with "." a comma separates thousands, and the other way round. By default a cell
        that can mean only one of them decides for the file, and if there is none, ``1,234`` is an error.
    columns : sequence of str, optional
        The features to read, in the order wanted; what the file holds beside them does not matter. By default
        all columns of numbers.
    time, event : str, optional
        In place of `target`: the columns of censored times, and of events, 1 or true where one was observed
        and 0 or false where not. The table's `y` then has a field for each.
    strata : str, optional
        The column within which censored times are compared, such as a centre; of the same file as these, or
        of the other one. It is no feature, and one more field of `y`.
    categorical : {"auto", "none"}, names or text with commas, default="auto"
        Columns of categories, which are read as their places. "auto" takes text of at most 20 values with
        five rows of each on average, unless it is called like ids; named columns may hold numbers.
    categories : mapping of str to sequence of str, optional
        In place of `categorical`: the categories of some columns that a model knows. Others are taken as the
        first of these, and a note says so.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "genes.csv"
    ...     _ = file.write_text("sample,a,b,class\nS1,1,7,x\nS2,2,6,y\nS3,4,5,x\n")
    ...     table = read_table(file, target="class")
    >>> table.X.tolist(), table.feature_names, table.y.tolist()
    ([[1.0, 7.0], [2.0, 6.0], [4.0, 5.0]], ('a', 'b'), ['x', 'y', 'x'])
    >>> table.notes
    ("The first column, 'sample', holds the rows' names.",)
    """
    path = Path(path)
    impute = None if impute is None else choice("impute", impute, ["median"])
    decimal = None if decimal is None else choice("decimal", decimal, [".", ","])
    sheet = read_sheet(path, layer, decimal)
    if flag("transpose", transpose):
        sheet = turned(sheet, id_column, target, path)
    else:
        sheet = with_row_names(sheet, id_column, target, path)
    second = None if labels is None else read_sheet(Path(labels), None, decimal)

    def answer(inside: Sheet, wanted: str | None) -> tuple[Sheet, Any, str | None]:
        if labels is None or second is None:
            return _with_target(inside, wanted, path)
        return labelled(inside, second, wanted, id_column, path, Path(labels))

    sheet, cells, name = _with_answers(sheet, target, time, event, answer, second)
    rows = sheet.row_names or [str(place) for place in range(1, sheet.cells.shape[0] + 1)]
    y = None if cells is None else _values(cells, name, rows, sheet.comma)
    sheet, y = _with_strata(sheet, strata, (name, time, event), y, rows, path)
    several = cells.names if isinstance(cells, LabelColumns) else ()
    uses = column_uses((name, time, event, *several), strata)
    sheet, together = _with_groups(sheet, groups, uses, rows, path)
    uses |= column_uses(groups=groups)
    beside = covariate_names(covariates)
    sheet, adjusted = with_covariates(sheet, beside, uses, path, decimal)
    if columns is not None:
        sheet = _with_columns(with_indicators(sheet, columns, decimal), columns, path)
    uses |= column_uses(covariates=beside)
    features = feature_columns(sheet, decimal, Asked.of(categorical, categories), uses)
    X, names, filled = without_gaps(features.X, features.names, rows, impute)
    _refuse_lost(names, columns, path)
    notes = [*sheet.notes, *features.notes, *filled]
    if y is not None:
        notes += _notes_on_target(X, y, names, name, several)
        notes += [] if groups else hint_of_groups(sheet, _one_answer(y, name), name)
    if not transpose and (hint := hint_of_genes(rows)):
        notes.append(hint)
    title = None if sheet.row_names is None else sheet.row_title
    adjusted = tuple(each for each in adjusted if each in names)
    about = together, groups, adjusted, several, features.categories
    return Table(X, tuple(names), tuple(rows), y, name, sheet.format, title, tuple(notes), *about)


def _with_answers(
    sheet: Sheet,
    target: str | None,
    time: str | None,
    event: str | None,
    answer: Callable[[Sheet, str | None], tuple[Sheet, Any, str | None]],
    second: Sheet | None,
) -> tuple[Sheet, Any, str | None]:
    """Return the sheet without what is to be predicted, and that with its name: one column or several."""
    elsewhere = second is not None
    if time is None and event is None:
        wanted = sheet.target if target is None and second is None else target
        if several := label_names(wanted, second or sheet):
            sheet, labels = label_columns(sheet, several, answer, elsewhere=elsewhere)
            return sheet, labels, ",".join(labels.names)
        return answer(sheet, target)
    if target:
        raise ArgumentError("target", "is either a column, or the two of time and event, and not both.")
    sheet, cells = survival_columns(sheet, time, event, answer, elsewhere=elsewhere)
    return sheet, cells, cells.time_name


def _refuse_lost(names: Sequence[str], wanted: Sequence[str] | None, path: Path) -> None:
    """Raise if a column that is needed has no numbers, or none has."""
    if wanted is not None and len(names) < len(wanted):
        lost = first_few([name for name in wanted if name not in names])
        raise TableError(f"{path} has columns without numbers where numbers are needed: {lost}.")
    if not names:
        raise TableError(f"{path} has no feature with a value.")


def _values(cells: Any, name: str | None, rows: list[str], comma: str | None) -> NDArray[Any]:
    if isinstance(cells, SurvivalColumns):
        return survival_values(cells, rows, comma)
    if isinstance(cells, LabelColumns):
        return label_values(cells, rows, comma)
    return target_values(cells, name, rows, comma)


def _one_answer(y: NDArray[Any], name: str | None) -> NDArray[Any]:
    """Return one value a row: of censored times these, of several labels a number for each set of them."""
    if y.ndim > 1:
        return np.asarray(np.unique(y, axis=0, return_inverse=True)[1]).ravel()
    return y if y.dtype.names is None else y[name]


def _notes_on_target(
    X: Any, y: NDArray[Any], names: list[str], name: str | None, labels: Sequence[str]
) -> list[str]:
    if labels:
        return notes_on_labels(with_medians(X), y, names, labels)
    return [*note_on_task(y, name), *notes_on_answers(with_medians(X), _one_answer(y, name), names)]


def _with_columns(sheet: Sheet, columns: Sequence[str], path: Path) -> Sheet:
    """Return the sheet with the given columns alone, in their order, or say which are missing."""
    place_of = {name: place for place, name in enumerate(sheet.names)}
    missing = [name for name in columns if name not in place_of]
    if missing and set(missing) <= set(sheet.row_names or ()):
        raise TableError(
            f"{first_few(missing)}: rows of {path}, not columns; pass ", Argument("transpose=True"), "."
        )
    if missing:
        raise TableError(
            f"{path} lacks {len(missing):,} of the {counted(len(columns), 'column')} needed: "
            f"{first_few(missing, most=10)}."
        )
    places = [place_of[name] for name in columns]
    cells = sheet.cells[:, places] if sheet.is_sparse else sheet.cells.iloc[:, places]
    if not sheet.is_sparse:
        cells = cells.set_axis(range(len(places)), axis=1)
    return replace(sheet, cells=cells, names=list(columns))


def _with_target(sheet: Sheet, target: str | None, path: Path) -> tuple[Sheet, Any, str | None]:
    """Return the sheet without the target, the target's cells, and its name."""
    name = sheet.target if target is None else target
    if not name:
        return sheet, None, None
    if sheet.format == "geo":
        name = name.removeprefix("!").removeprefix("Sample_")
    return *take_column(sheet, name, path), name


def _with_strata(
    sheet: Sheet,
    strata: str | None,
    targets: Sequence[str | None],
    y: NDArray[Any] | None,
    rows: list[str],
    path: Path,
) -> tuple[Sheet, NDArray[Any] | None]:
    """Return the sheet without the strata of its rows, and the target with these."""
    if strata is None:
        return sheet, y
    if y is None or y.dtype.names is None:
        raise ArgumentError("strata", "are of censored times, whose columns time and event name.")
    if strata in targets:
        raise TableError(f"{strata!r} is the target and cannot be the ", Argument("strata"), " as well.")
    left, cells = take_column(sheet, strata, path)
    return left, with_strata(y, cells, strata, rows)


def _with_groups(
    sheet: Sheet, groups: str | None, uses: Mapping[str, str], rows: list[str], path: Path
) -> tuple[Sheet, NDArray[Any] | None]:
    """Return the sheet without the groups of its rows, and these."""
    if groups is None:
        return sheet, None
    if groups in uses:
        raise TableError(f"{groups!r} {uses[groups]} and cannot be the ", Argument("groups"), " as well.")
    if groups == sheet.row_title and sheet.row_names is not None:
        raise TableError(f"{groups!r} holds the rows' names, each once: no two rows are of a group.")
    left, cells = take_column(sheet, groups, path)
    return left, group_names(cells, groups, rows)
