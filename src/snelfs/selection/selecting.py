"""Select the features of a table: from what was read to a ranking with words for every column."""

from __future__ import annotations

import time
import warnings
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from snelfs.estimators.base import SNeLSelector
from snelfs.estimators.interface import fit_watched, group_of_columns, name_columns
from snelfs.estimators.losses import is_of_numbers
from snelfs.estimators.snel import SNeLClassifier, SNeLRegressor
from snelfs.estimators.survival import SNeLSurvival
from snelfs.foundation.checks import ArgumentError
from snelfs.foundation.progress import Progress, parts
from snelfs.foundation.sentences import Argument, Sentence
from snelfs.foundation.task import chosen_task
from snelfs.foundation.words import nearest
from snelfs.selection.caveats import caveats, gap_caveats
from snelfs.selection.effects import effects, partners
from snelfs.selection.result import Feature, Selection
from snelfs.selection.survival import FOLDS, SurvivalSummary, summarise_survival
from snelfs.selection.told import told_of_columns
from snelfs.tables.gaps import with_medians
from snelfs.tables.labels import named_labels
from snelfs.tables.reading import Table
from snelfs.tables.sheet import TableError

LEADING = 50  # columns that a partner is looked for, beside the selected ones


def select(
    table: Table,
    *,
    task: str = "auto",
    settings: Mapping[str, Any] | None = None,
    progress: Progress | None = None,
    reading: Mapping[str, Any] | None = None,
    command: str | None = None,
    estimator: SNeLSelector | None = None,
) -> Selection:
    """Rank the columns of a table and select the best.

    Parameters
    ----------
    table : Table
        With a target, as `snelfs.tables.reading.read_table` gives it.
    task : {"auto", "classification", "regression", "survival"}, default="auto"
        "auto" asks `snelfs.foundation.task.guess_task`.
    settings : mapping, optional
        Parameters of `SNeLClassifier` or `SNeLRegressor`; by default `random_state` is 0.
    progress : callable, optional
        Told what is done and of how much.
    reading, command : optional
        Where the table came from, to be kept in the selection's settings.
    estimator : SNeLClassifier or SNeLRegressor, optional
        One that is fitted to the table already, e.g. by `snelfs.fit_with_layers`; nothing is searched then,
        and `settings` must be None.

    Examples
    --------
    >>> X = np.random.default_rng(0).standard_normal((60, 8))
    >>> y = np.where(X[:, 2] > 0, "ill", "well")
    >>> rows = tuple(str(row) for row in range(60))
    >>> table = Table(X, tuple("abcdefgh"), rows, y, "state", "csv", None, ())
    >>> found = select(table, settings={"n_features_to_select": 2, "steps": 8})
    >>> found.features[0].name, found.features[0].effect
    ('c', 'higher in ill')
    """
    started = time.perf_counter()
    y = _target(table)
    task = chosen_task(task, y)
    _must_suit(y, task, table.target_name)
    labels = named_labels(y, table.labels)
    fitting, holding_out = parts(progress, [1, FOLDS if task == "survival" else 0])
    caught: list[str] = []
    if estimator is None:
        estimator = _estimator(task, dict(settings or {}), table)
        caught = _fit(estimator, table, y, fitting)
    else:
        _must_be_of(table, estimator, settings)
    name_columns(estimator, table.feature_names, table.categories)
    if labels:
        estimator.classes_ = np.array(labels)  # the model says by itself which of them it predicts
    gaps = gap_caveats(table.X, y, task, table.feature_names, table.groups)
    measured, table = table.X, replace(table, X=with_medians(table.X))
    said = gaps + caveats(
        table.X,
        y,
        task,
        table.feature_names,
        estimator.stability_,
        estimator.support_,
        estimator.selection_frequency_,
        labels,
    )
    given = estimator.get_params()
    return Selection(
        table=table,
        task=task,
        estimator=estimator,
        features=_features(table, y, task, estimator),
        warnings=(*said, *caught),
        seconds=time.perf_counter() - started,
        settings={"task": task, "estimator": given, "reading": reading, "command": command},
        survival=_survival(estimator, measured, y, holding_out, table.groups),
    )


def _must_be_of(table: Table, estimator: SNeLSelector, settings: Mapping[str, Any] | None) -> None:
    """Raise unless the estimator is fitted, to as many columns as the table has."""
    n_features, kind = getattr(estimator, "n_features_in_", None), type(estimator).__name__
    if settings:
        raise ArgumentError("settings", f"must be None where the estimator is given, got {dict(settings)!r}.")
    if not hasattr(estimator, "support_") or n_features != len(table.feature_names):
        state = "one that is not fitted" if n_features is None else f"one of {n_features}"
        raise ArgumentError(
            "estimator", f"must be fitted to the {len(table.feature_names)} columns, got {state} ({kind})."
        )


def _survival(
    estimator: SNeLSelector,
    X: Any,
    y: NDArray[Any],
    progress: Progress | None,
    groups: NDArray[Any] | None,
) -> SurvivalSummary | None:
    """Return what rows held out of the search tell of censored times."""
    if not isinstance(estimator, SNeLSurvival):
        return None
    return summarise_survival(estimator, X, y, progress, groups)


def _target(table: Table) -> NDArray[Any]:
    if table.y is None:
        offered = ", ".join(repr(name) for name in table.feature_names[-3:])
        raise TableError(
            f"The table has no target: name the column to predict (the last ones are {offered})."
        )
    return table.y


def _must_suit(y: NDArray[Any], task: str, name: str | None) -> None:
    """Raise if the target cannot be what it is said to be."""
    if (task == "survival") != (y.dtype.names is not None):
        raise TableError(
            "Censored times are a task of their own: name their columns by ",
            *(Argument("time"), " and ", Argument("event"), " when the table is read."),
        )
    if task == "regression" and y.dtype.kind not in "biuf":
        raise TableError(f"The target {name!r} holds text such as {str(y[0])!r}, which is no regression.")
    if y.ndim > 1 and (task != "classification" or not np.isin(y, (0, 1)).all()):
        raise TableError(
            f"The target {name!r} is of {y.shape[1]} columns, which must be labels of zeros and ones: "
            "a regression is of one column."
        )
    if task == "classification" and y.dtype.kind == "f" and not np.array_equal(y, np.floor(y)):
        part = y[y != np.floor(y)][0]
        raise TableError(f"The target {name!r} holds fractions such as {part:g}, which are no classes.")


def _estimator(task: str, settings: dict[str, Any], table: Table) -> SNeLSelector:
    """Return the estimator for the task, or raise if it has no such setting."""
    kinds: dict[str, Any] = {
        "classification": SNeLClassifier,
        "regression": SNeLRegressor,
        "survival": SNeLSurvival,
    }
    kind = kinds[task]
    _refuse_loss(task, settings, table)
    known = sorted(kind().get_params())
    for name in settings:
        if name not in known:
            raise ValueError(f"{kind.__name__} has no setting {name!r}; {nearest(name, known)}.")
    # The number is written out: a record should say it.
    settings |= told_of_columns(settings, table)
    weights = settings.get("class_weight")
    if isinstance(weights, Mapping):
        # A file of settings can only name classes by text.
        labels = {str(label): label for label in np.unique(_target(table)).tolist()}
        settings["class_weight"] = {labels.get(str(key), key): value for key, value in weights.items()}
    estimator: SNeLSelector = kind(**{"random_state": 0} | settings)
    return estimator


def _refuse_loss(task: str, settings: Mapping[str, Any], table: Table) -> None:
    """Raise if a loss is of another task; the estimators know theirs alone."""
    loss = settings.get("loss")
    if task == "survival" and "loss" in settings:
        raise ArgumentError(
            "loss", "is not to be chosen for censored times, which have their own: Cox's partial likelihood."
        )
    if task != "classification" or not is_of_numbers(loss):
        return
    taken = (
        f"{loss!r} is of numbers, and the target {table.target_name!r} is taken for classes, whose losses "
    )
    parts = [f"{taken}are 'log_loss' and 'ordinal'"]
    if _target(table).dtype.kind in "biuf" and _target(table).ndim == 1:
        parts += ["; if it holds numbers, pass ", Argument('task="regression"')]
    raise ArgumentError("loss", Sentence(*parts, "."))


def _fit(estimator: SNeLSelector, table: Table, y: NDArray[Any], progress: Progress | None) -> list[str]:
    """Fit, and return what was warned of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)  # as all that the estimators say
        fit_watched(estimator, table.X, y, progress, table.groups)
    for warning in caught:
        if not issubclass(warning.category, UserWarning):
            warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)
    return [str(warning.message) for warning in caught if issubclass(warning.category, UserWarning)]


def _features(table: Table, y: NDArray[Any], task: str, estimator: SNeLSelector) -> tuple[Feature, ...]:
    """Return all columns, best first."""
    names, order = table.feature_names, np.argsort(estimator.ranking_, kind="stable")
    coded = {names.index(name): levels for name, levels in table.categories.items()}
    target = table.target_name or "the target"
    alone = effects(table.X, y, task, target, table.labels, coded, table.groups)
    leading = np.union1d(order[:LEADING], np.flatnonzero(estimator.support_))
    partner = _partners(table, y, task, leading)
    q, named = getattr(estimator, "q_values_", None), estimator.evidence_
    groups = group_of_columns(estimator)
    return tuple(
        Feature(
            name=names[column],
            rank=int(estimator.ranking_[column]),
            score=float(estimator.feature_importances_[column]),
            frequency=float(estimator.selection_frequency_[column]),
            q_value=None if q is None else float(q[column]),
            effect=alone.words[column],
            strength=float(alone.strength[column]),
            partner=names[partner[column]] if column in partner else None,
            selected=bool(estimator.support_[column]),
            named_by=tuple(kind for kind in named.dtype.names or () if named[kind][column]),
            group=groups[column],
        )
        for column in order.tolist()
    )


def _partners(table: Table, y: NDArray[Any], task: str, columns: NDArray[np.intp]) -> dict[int, int]:
    """Return the partners of columns of numbers among such: places of categories have no product."""
    if not table.categories:
        return partners(table.X, y, task, columns, table.groups)
    numeric = np.flatnonzero([name not in table.categories for name in table.feature_names])
    asked = np.flatnonzero(np.isin(numeric, columns))
    if not len(asked):
        return {}
    found = partners(table.X[:, numeric], y, task, asked, table.groups)
    return {int(numeric[column]): int(numeric[other]) for column, other in found.items()}
