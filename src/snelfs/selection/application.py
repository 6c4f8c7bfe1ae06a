"""Use a fitted model on new data: its columns found by name, in any order, and no others needed."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

import numpy as np

from snelfs.estimators.base import SNeLSelector
from snelfs.estimators.interface import (
    covariate_categories,
    known_categories,
    needed_columns,
    predict_selected,
    selected_deviations,
    selected_probabilities,
)
from snelfs.estimators.snel import SNeLClassifier
from snelfs.foundation.types import Reals
from snelfs.foundation.words import counted
from snelfs.tables.reading import Table, read_table

FAR = 10.0  # standard deviations
_READING = ("labels", "id_column", "transpose", "layer", "impute", "decimal")


def selected_names(estimator: SNeLSelector) -> list[str]:
    """Return the names of the selected columns, best first, and behind them those of covariates."""
    table = estimator.ranked_features()
    selected = [str(name) for name in table["name"][table["selected"]]]
    n_covariates = len(needed_columns(estimator)) - len(selected)
    if not n_covariates:
        return selected
    covariates = needed_columns(estimator)[-n_covariates:]
    return selected + [str(estimator.feature_names_in_[place]) for place in covariates]


def columns_to_read(estimator: SNeLSelector) -> list[str]:
    """Return the columns that a file must have, covariates of categories as an indicator of each of these."""
    known = covariate_categories(estimator)
    return [
        column
        for name in selected_names(estimator)
        for column in ([f"{name}={level}" for level in known[name]] if name in known else [name])
    ]


def with_codes(estimator: SNeLSelector, table: Table) -> Table:
    """Return a table of `columns_to_read` with categories coded as the estimator knows them.

    Rows of other ones count as the first, and a note says so.
    """
    known, names, notes = covariate_categories(estimator), selected_names(estimator), list(table.notes)
    if not known:
        return table
    columns, place = [], 0
    for name in names:
        width = len(known.get(name, [name]))
        block, place = np.asarray(table.X[:, place : place + width]), place + width
        columns.append(block @ np.arange(width) if name in known else block[:, 0])
        strangers = int((block.sum(axis=1) == 0).sum()) if name in known else 0
        if strangers:
            notes.append(
                f"The covariate {name!r} has {counted(strangers, 'row')} of none of the categories that the "
                f"model knows, taken as {known[name][0]!r}, the first of these."
            )
    return replace(table, X=np.stack(columns, axis=1), feature_names=tuple(names), notes=tuple(notes))


def needed_categories(estimator: SNeLSelector) -> dict[str, list[str]]:
    """Return the categories of the selected columns that hold such, by their names."""
    known = known_categories(estimator)
    return {name: known[name] for name in selected_names(estimator) if name in known}


def transformed(estimator: SNeLSelector, table: Table) -> Table:
    """Return the selected columns of a table as `read_selected` gives it, without covariates."""
    n_selected = int(estimator.support_.sum())
    if n_selected == len(table.feature_names):
        return table
    return replace(table, X=table.X[:, :n_selected], feature_names=table.feature_names[:n_selected])


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
        Of `read_table`: labels (a second file with the covariates), id_column, transpose, layer, impute and
        decimal.
    """
    strangers = set(reading) - set(_READING)
    if strangers:
        raise TypeError(f"reading must be of {', '.join(_READING)}; got {sorted(strangers)[0]!r}.")
    # The file's own answers, if it has a place for them, are not asked for.
    names, known = columns_to_read(estimator), needed_categories(estimator)
    return with_codes(estimator, read_table(path, target="", columns=names, categories=known, **reading))


def predictions(estimator: SNeLSelector, table: Table) -> Table:
    """Return what a model predicts for every row of the selected columns.

    Parameters
    ----------
    table : Table
        As `read_selected` gives it.

    Returns
    -------
    Table
        With the column "predicted" as its target and, for classes, the probability of each as a feature. Of
        several labels, or numbers, each has a column, such as "predicted relapse".
    """
    columns = _in_order_of_model(estimator, table)
    likely = np.empty((len(columns), 0))
    names: tuple[str, ...] = ()
    if isinstance(estimator, SNeLClassifier):
        likely = selected_probabilities(estimator, columns)
        names = tuple(f"probability of {label}" for label in estimator.classes_.tolist())
    found = predict_selected(estimator, columns)
    answer = Table(
        likely, names, table.row_names, found, "predicted", table.source, table.id_name or "row", table.notes
    )
    if found.ndim == 1:
        return answer
    called = getattr(estimator, "classes_", np.arange(found.shape[1])).tolist()
    return replace(answer, labels=tuple(f"predicted {name}" for name in called))


def far_outside(estimator: SNeLSelector, table: Table) -> list[str]:
    """Return a sentence if new rows lie far outside what the model was fitted to; predictions are guesses.

    A row does if one of its selected columns is more than `FAR` standard deviations from the mean of the
    fitted rows, and so do all if that is half as much in the middle.

    Parameters
    ----------
    table : Table
        As `read_selected` gives it.
    """
    away = np.abs(selected_deviations(estimator, _in_order_of_model(estimator, table)))
    shifted = bool((np.median(away, axis=0) > FAR / 2).any())
    far = np.asarray((away > FAR).any(axis=1) | shifted)
    if not far.any():
        return []
    row, place = np.unravel_index(np.argmax(np.where(far[:, None], away, 0)), away.shape)
    name = table.feature_names[int(np.argsort(_order_of_model(estimator))[place])]
    return [
        f"{int(far.sum()):,} of {counted(len(far), 'row')} lie far outside what the model was fitted to: "
        f"{name!r} of row {table.row_names[row]!r} is {_rounded(away[row, place])} standard deviations from "
        "its mean there. Predictions for such rows are guesses; look whether the scale is the same."
    ]


def _rounded(number: float) -> str:
    return f"{number:,.0f}" if number < 1e6 else f"{number:.0e}"


def _in_order_of_model(estimator: SNeLSelector, table: Table) -> Reals:
    """Return the columns of a table, which are read best first, as the model has them."""
    columns = np.asarray(table.X.toarray() if hasattr(table.X, "toarray") else table.X)
    return columns[:, _order_of_model(estimator)]


def _order_of_model(estimator: SNeLSelector) -> Any:
    """Return where the columns of the model, in their own order, stand among those read, best first."""
    selected = np.argsort(np.argsort(estimator.ranking_[estimator.support_], kind="stable"))
    return np.concatenate([selected, np.arange(len(selected), len(needed_columns(estimator)))])
