"""Select the features of a table: from what was read to a ranking with words for every column."""

from __future__ import annotations

import hashlib
import time
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from snelfs.bench.journal import environment
from snelfs.estimators.base import SNeLSelector
from snelfs.estimators.snel import SNeLClassifier, SNeLRegressor
from snelfs.foundation.checks import choice
from snelfs.foundation.progress import Progress
from snelfs.selection.caveats import doubts
from snelfs.selection.effects import effects, partners
from snelfs.tables.checks import guess_task
from snelfs.tables.reading import Table
from snelfs.tables.sheet import TableError, nearest

USUAL_NUMBER = 30  # of features selected
LEADING = 50  # columns that a partner is looked for, beside the selected ones


@dataclass(frozen=True)
class Feature:
    """Hold what is known of one column after a selection.

    Attributes
    ----------
    name : str
    rank : int
        1 is the best.
    score : float
        Its importance, `feature_importances_` of the estimator.
    frequency : float
        Share of the restarts that have it among their best.
    q_value : float or None
        Share of false finds on the best list that it is on; None unless shuffles were asked for.
    effect : str
        What it does by itself, as in `snelfs.selection.effects.Effects`.
    strength : float
        Size of that effect from 0 to 1, an absolute correlation of ranks with the target.
    partner : str or None
        The column with which its product is tied most strongly to the target, if that is beyond chance and
        more than the column says alone. Only the selected and the first columns are looked at.
    selected : bool
    """

    name: str
    rank: int
    score: float
    frequency: float
    q_value: float | None
    effect: str
    strength: float
    partner: str | None
    selected: bool


@dataclass(frozen=True)
class Selection:
    """Hold a table, the estimator fitted to it, and what is to be said of its columns.

    Attributes
    ----------
    table : Table
        As it was read.
    task : str
        "classification" or "regression".
    estimator : SNeLClassifier or SNeLRegressor
        Fitted.
    features : tuple of Feature
        All columns, best first.
    warnings : tuple of str
        Sentences on what speaks against trusting the selection.
    seconds : float
        What it took.
    settings : mapping
        What is needed to repeat it: "task", "estimator" (all parameters, the seed among them), "reading" (the
        file and how it was read) and "command", the last two None unless they were given.
    """

    table: Table
    task: str
    estimator: SNeLSelector
    features: tuple[Feature, ...]
    warnings: tuple[str, ...]
    seconds: float
    settings: Mapping[str, Any]

    @property
    def selected(self) -> tuple[Feature, ...]:
        """The selected features, best first."""
        return tuple(feature for feature in self.features if feature.selected)

    def record(self) -> dict[str, Any]:
        """Return the settings, versions, data and outcome as plain values that JSON can hold."""
        stability = self.estimator.stability_
        return {
            "command": self.settings["command"],
            "task": self.task,
            "settings": _plain(self.settings["estimator"]),
            "reading": _plain(self.settings["reading"]),
            "data": {
                "rows": len(self.table.row_names),
                "columns": len(self.table.feature_names),
                "target": self.table.target_name,
                "format": self.table.source,
                "sha256": data_hash(self.table),
            },
            "selected": [feature.name for feature in self.selected],
            "stability": _plain(stability._asdict()),
            "notes": list(self.table.notes),
            "warnings": list(self.warnings),
            "seconds": round(self.seconds, 3),
            "versions": environment(),
        }


def select(
    table: Table,
    *,
    task: str = "auto",
    settings: Mapping[str, Any] | None = None,
    progress: Progress | None = None,
    reading: Mapping[str, Any] | None = None,
    command: str | None = None,
) -> Selection:
    """Rank the columns of a table and select the best.

    Parameters
    ----------
    table : Table
        With a target, as `snelfs.tables.reading.read_table` gives it.
    task : {"auto", "classification", "regression"}, default="auto"
        "auto" asks `snelfs.tables.checks.guess_task`.
    settings : mapping, optional
        Parameters of `SNeLClassifier` or `SNeLRegressor`. By default 30 features are selected, or a third
        of the columns if that is less, and `random_state` is 0.
    progress : callable, optional
        Told what is done and of how much.
    reading, command : optional
        Where the table came from, to be kept in the selection's settings.

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
    task = guess_task(y) if task == "auto" else choice("task", task, ["auto", "classification", "regression"])
    _must_suit(y, task, table.target_name)
    estimator = _estimator(task, dict(settings or {}), table)
    caught = _fit(estimator, table.X, y, progress)
    estimator.feature_names_in_ = np.array(table.feature_names, dtype=object)
    said = doubts(table.X, y, task, table.feature_names, estimator.stability_, estimator.support_)
    given = estimator.get_params()
    return Selection(
        table=table,
        task=task,
        estimator=estimator,
        features=_features(table, y, task, estimator),
        warnings=(*said, *caught),
        seconds=time.perf_counter() - started,
        settings={"task": task, "estimator": given, "reading": reading, "command": command},
    )


def _target(table: Table) -> NDArray[Any]:
    if table.y is None:
        offered = ", ".join(repr(name) for name in table.feature_names[-3:])
        raise TableError(
            f"The table has no target: name the column to predict (the last ones are {offered})."
        )
    return table.y


def _must_suit(y: NDArray[Any], task: str, name: str | None) -> None:
    """Raise if the target cannot be what it is said to be."""
    if task == "regression" and y.dtype.kind not in "biuf":
        raise TableError(f"The target {name!r} holds text such as {str(y[0])!r}, which is no regression.")
    if task == "classification" and y.dtype.kind == "f" and not np.array_equal(y, np.floor(y)):
        part = y[y != np.floor(y)][0]
        raise TableError(f"The target {name!r} holds fractions such as {part:g}, which are no classes.")


def _estimator(task: str, settings: dict[str, Any], table: Table) -> SNeLSelector:
    """Return the estimator for the task, or raise if it has no such setting."""
    kind = SNeLClassifier if task == "classification" else SNeLRegressor
    usual = {
        "n_features_to_select": min(USUAL_NUMBER, max(1, len(table.feature_names) // 3)),
        "random_state": 0,
    }
    known = sorted(kind().get_params())
    for name in settings:
        if name not in known:
            raise ValueError(f"{kind.__name__} has no setting {name!r}; {nearest(name, known)}.")
    weights = settings.get("class_weight")
    if isinstance(weights, Mapping):
        # A file of settings can only name classes by text.
        labels = {str(label): label for label in np.unique(_target(table)).tolist()}
        settings["class_weight"] = {labels.get(str(key), key): value for key, value in weights.items()}
    return kind(**usual | settings)


def _fit(estimator: SNeLSelector, X: Any, y: NDArray[Any], progress: Progress | None) -> list[str]:
    """Fit, and return what was warned of."""
    from sklearn.exceptions import ConvergenceWarning

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ConvergenceWarning)
        estimator._fit(X, y, on_progress=progress)
    for warning in caught:
        if not issubclass(warning.category, ConvergenceWarning):
            warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)
    return [str(warning.message) for warning in caught if issubclass(warning.category, ConvergenceWarning)]


def _features(table: Table, y: NDArray[Any], task: str, estimator: SNeLSelector) -> tuple[Feature, ...]:
    """Return all columns, best first."""
    names, order = table.feature_names, np.argsort(estimator.ranking_)
    alone = effects(table.X, y, task, table.target_name or "the target")
    leading = np.union1d(order[:LEADING], np.flatnonzero(estimator.support_))
    partner = partners(table.X, y, task, leading)
    q = getattr(estimator, "q_values_", None)
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
        )
        for column in order.tolist()
    )


def data_hash(table: Table) -> str:
    """Return the SHA-256 of features, target and names, by which data can be told to be the same."""
    digest = hashlib.sha256()
    X: Any = table.X.tocsr() if hasattr(table.X, "tocsr") else np.ascontiguousarray(table.X)
    for part in (X.indptr, X.indices, X.data) if hasattr(X, "indptr") else (X,):
        digest.update(f"{part.dtype} {part.shape}".encode())
        digest.update(part.tobytes())
    y = [] if table.y is None else table.y.tolist()
    digest.update(repr((table.feature_names, table.row_names, y)).encode())
    return digest.hexdigest()


def _plain(value: Any) -> Any:
    """Return a value as JSON can hold it; what is not finite becomes None."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return _plain(value.tolist())
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value if isinstance(value, str | int | float | None) else str(value)
