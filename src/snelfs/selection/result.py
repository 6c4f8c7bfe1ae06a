"""The selection of a table: every column with what is known of it, and how to repeat it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from snelfs.estimators.base import SNeLSelector
from snelfs.foundation.environment import USED, environment
from snelfs.selection.survival import SurvivalSummary
from snelfs.tables.labels import named_labels
from snelfs.tables.reading import Table
from snelfs.tables.survival import strata_called


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
        Size of that effect from 0 to 1, an absolute correlation of normal scores with the target.
    partner : str or None
        The column together with which it says most of the target, by their product or another joint effect,
        if that is beyond chance and more than the column says alone. Only the selected and the first columns
        are looked at.
    selected : bool
    named_by : tuple of str
        What named it a candidate, of "layer", the associations "linear", "curve" and "product", and
        "residual", what networks left of a target of numbers; the vote of the layer, `frequency`, then
        decided. Empty for others, and if there was one round.
    group : str or None
        The group of columns that it belongs to, if it was told of any.
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
    named_by: tuple[str, ...] = ()
    group: str | None = None


@dataclass(frozen=True)
class Selection:
    """Hold a table, the estimator fitted to it, and what is to be said of its columns.

    Attributes
    ----------
    table : Table
        As it was read, with medians in place of missing values.
    task : str
        "classification", "regression" or "survival".
    estimator : SNeLClassifier, SNeLRegressor or SNeLSurvival
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
    survival : SurvivalSummary or None
        For censored times alone: risks of rows held out, and hazard ratios.
    """

    table: Table
    task: str
    estimator: SNeLSelector
    features: tuple[Feature, ...]
    warnings: tuple[str, ...]
    seconds: float
    settings: Mapping[str, Any]
    survival: SurvivalSummary | None = None

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
                **_labels(self.table),
                **_groups(self.table),
                **({"covariates": list(self.table.covariates)} if self.table.covariates else {}),
                "format": self.table.source,
                "sha256": data_hash(self.table),
            },
            "selected": [feature.name for feature in self.selected],
            **_categories(self),
            "stability": _plain(stability._asdict()),
            **({} if self.survival is None else {"c_index_held_out": _plain(self.survival.c_index)}),
            "notes": list(self.table.notes),
            "warnings": list(self.warnings),
            "seconds": round(self.seconds, 3),
            "versions": environment(USED),
        }


def _categories(selection: Selection) -> dict[str, Any]:
    """Return the categories of the selected columns that hold such, best first; nothing if none does."""
    known = selection.table.categories
    found = {each.name: list(known[each.name]) for each in selection.selected if each.name in known}
    return {"categories": found} if found else {}


def _labels(table: Table) -> dict[str, Any]:
    """Return how many rows have each of several labels; nothing of one target."""
    labels = named_labels(table.y, table.labels)
    if not labels or table.y is None:
        return {}
    return {"labels": dict(zip(labels, table.y.sum(axis=0).tolist(), strict=True))}


def _groups(table: Table) -> dict[str, Any]:
    """Return what groups and strata of rows are called and how many there are; nothing if rows are alone."""
    known: dict[str, Any] = {}
    if table.groups is not None:
        known = {"groups": table.groups_name, "n_groups": len(np.unique(table.groups))}
    if strata := strata_called(table.y):
        known |= {"strata": strata.name, "n_strata": strata.number}
    return known


def data_hash(table: Table) -> str:
    """Return the SHA-256 of features, target and names, by which data can be told to be the same."""
    digest = hashlib.sha256()
    X: Any = table.X.tocsr() if hasattr(table.X, "tocsr") else np.ascontiguousarray(table.X)
    for part in (X.indptr, X.indices, X.data) if hasattr(X, "indptr") else (X,):
        digest.update(f"{part.dtype} {part.shape}".encode())
        digest.update(part.tobytes())
    y = [] if table.y is None else table.y.tolist()
    digest.update(repr((table.feature_names, table.row_names, y)).encode())
    if table.groups is not None:
        digest.update(repr(table.groups.tolist()).encode())
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
