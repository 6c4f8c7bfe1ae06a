"""Use a fitted model on new data: its columns found by name, in any order, and no others needed."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from snelfs.estimators.base import SNeLSelector
from snelfs.estimators.interface import predict_selected, selected_probabilities
from snelfs.estimators.snel import SNeLClassifier
from snelfs.tables.reading import Table, read_table

_READING = ("id_column", "transpose", "layer", "impute", "decimal")


def selected_names(estimator: SNeLSelector) -> list[str]:
    """Return the names of the selected columns, best first."""
    table = estimator.ranked_features()
    return [str(name) for name in table["name"][table["selected"]]]


def read_selected(estimator: SNeLSelector, path: str | os.PathLike[str], **reading: Any) -> Table:
    """Read the selected columns of a file, best first; what else it holds does not matter.

    Parameters
    ----------
    estimator : SNeLClassifier or SNeLRegressor
        Fitted to a table with named columns.
    path : path
        A file of any format that `read_table` knows. A column that is missing or holds no numbers is a
        `TableError` that names it.
    **reading
        Of `read_table`: id_column, transpose, layer, impute and decimal.
    """
    strangers = set(reading) - set(_READING)
    if strangers:
        raise TypeError(f"reading must be of {', '.join(_READING)}; got {sorted(strangers)[0]!r}.")
    # The file's own answers, if it has a place for them, are not asked for.
    return read_table(path, target="", columns=selected_names(estimator), **reading)


def predictions(estimator: SNeLSelector, table: Table) -> Table:
    """Return what a model predicts for every row of the selected columns.

    Parameters
    ----------
    table : Table
        As `read_selected` gives it.

    Returns
    -------
    Table
        With the column "predicted" as its target and, for classes, the probability of each as a feature.
    """
    columns = np.asarray(table.X.toarray() if hasattr(table.X, "toarray") else table.X)
    columns = columns[:, _order_of_model(estimator)]
    likely = np.empty((len(columns), 0))
    names: tuple[str, ...] = ()
    if isinstance(estimator, SNeLClassifier):
        likely = selected_probabilities(estimator, columns)
        names = tuple(f"probability of {label}" for label in estimator.classes_.tolist())
    found = predict_selected(estimator, columns)
    return Table(
        likely, names, table.row_names, found, "predicted", table.source, table.id_name or "row", table.notes
    )


def _order_of_model(estimator: SNeLSelector) -> Any:
    """Return where the columns of the model, in their own order, stand among those read, best first."""
    return np.argsort(np.argsort(estimator.ranking_[estimator.support_]))
