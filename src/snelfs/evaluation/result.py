"""What an evaluation found: scores by method, model and fold, with intervals and a verdict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from snelfs.evaluation.intervals import Interval, resampled_interval
from snelfs.evaluation.methods import SNEL, TITLES
from snelfs.evaluation.verdict import Standing, verdict
from snelfs.foundation.checks import choice
from snelfs.foundation.types import Floats
from snelfs.search.stability import Stability, selection_matrix, stability

Size = int | Literal["auto"]


# The first metric of a task is the one of the verdict: guessing has the same score on any data.
METRICS = {
    "classification": ("auc", "f1", "accuracy"),
    "regression": ("r2",),
    "survival": ("c_index", "brier_skill"),
}


METRIC_TITLES = {
    "auc": "AUC",
    "f1": "F1",
    "accuracy": "accuracy",
    "r2": "R²",
    "c_index": "c-index",
    "brier_skill": "Brier skill",
}


CHANCE = {"auc": 0.5, "r2": 0.0, "c_index": 0.5}


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Hold how well models predict held-out rows from the columns that each method chose without them.

    Attributes
    ----------
    task : {"classification", "regression", "survival"}
    methods, models, metrics : tuple of str
        What was compared; the keys of the axes of `scores`. The first metric is that of the verdict.
    scores : ndarray of shape (methods, models, folds · repeats, metrics)
        One score for each; higher is better.
    selected : mapping of str to tuple of tuples of int
        The columns a method chose in every fold, best first; "no_fs", which takes all, is left out.
    n_rows, n_columns : int
        The shape of the table.
    n_features : int or "auto"
        How many columns were asked for.
    folds, repeats, seed : int
        Of the cross-validation.
    seconds : mapping of str to float
        The median time of one selection.
    notes : tuple of str
        What the methods warned of.
    n_groups : int or None
        How many groups of rows were kept together; None if each row was alone.
    n_labels : int or None
        How many labels a row has, of which scores are means; None if there is one target.
    n_units : int or None
        How many columns and groups of columns can be chosen together; None if each is a plain column.
    """

    task: str
    methods: tuple[str, ...]
    models: tuple[str, ...]
    metrics: tuple[str, ...]
    scores: Floats
    selected: Mapping[str, tuple[tuple[int, ...], ...]]
    n_rows: int
    n_columns: int
    n_features: Size
    folds: int
    repeats: int
    seed: int
    seconds: Mapping[str, float]
    notes: tuple[str, ...]
    n_groups: int | None = None
    n_labels: int | None = None
    n_units: int | None = None

    def by_fold(self, method: str, metric: str | None = None, model: str | None = None) -> Floats:
        """Return the score of every fold, of one model or the average of all; the first metric by default."""
        which = self.methods.index(choice("method", method, self.methods))
        kind = self.metrics.index(choice("metric", metric or self.metrics[0], self.metrics))
        table = self.scores[which, :, :, kind]  # (models, folds)
        if model is not None:
            table = table[[self.models.index(choice("model", model, self.models))]]
        return np.asarray(table.mean(axis=0))

    def interval(self, method: str, metric: str | None = None, model: str | None = None) -> Interval:
        """Return the mean score over folds with its 95 % interval, corrected for the rows that folds share.

        It is that of Nadeau and Bengio, see `intervals.resampled_interval`, cut off at 1, above which
        there is no score, and for classes at 0.
        """
        found = resampled_interval(self.by_fold(method, metric, model), 1 / self.folds)
        least = 0.0 if self.task == "classification" else -np.inf
        return Interval(found.mean, max(found.low, least), min(found.high, 1.0))

    def difference(self, method: str, metric: str | None = None, model: str | None = None) -> Interval:
        """Return our score minus that of another method, paired by folds, with the same kind of interval."""
        ours, theirs = (self.by_fold(each, metric, model) for each in (SNEL, method))
        # Rounded, so that equal scores do not differ by their last bits.
        return resampled_interval(np.round(ours - theirs, 12), 1 / self.folds)

    def stability(self, method: str) -> Stability:
        """Return how much the columns chosen in different folds agree; not a number for all columns."""
        if method not in self.selected:
            return Stability(np.nan, np.nan, np.nan)
        return stability(selection_matrix(self.selected[method], self.n_columns))

    def summary(self) -> list[dict[str, Any]]:
        """Return one row a method, the best mean first, with the averages of all models."""
        first = self.metrics[0]
        order = sorted(self.methods, key=lambda method: -self.by_fold(method, first).mean())
        return [self._summary_row(method) for method in order]

    def _summary_row(self, method: str) -> dict[str, Any]:
        row: dict[str, Any] = {"method": method, "title": TITLES[method]}
        for metric in self.metrics:
            found = self.interval(method, metric)
            row |= {metric: found.mean, f"{metric}_low": found.low, f"{metric}_high": found.high}
        if method != SNEL:
            gain = self.difference(method)
            row |= {"ours_minus": gain.mean, "ours_minus_low": gain.low, "ours_minus_high": gain.high}
        steady = self.stability(method)
        sizes = [len(columns) for columns in self.selected.get(method, ())] or [self.n_columns]
        return row | {
            "stability": steady.value,
            "stability_low": steady.low,
            "stability_high": steady.high,
            "columns": float(np.mean(sizes)),
            "seconds": self.seconds[method],
        }

    def rows(self) -> list[dict[str, Any]]:
        """Return one row for every method, model and metric, the average of the models included."""
        return [
            {
                "method": method,
                "model": model or "average",
                "metric": metric,
                "folds": self.scores.shape[2],
                **vars(self.interval(method, metric, model)),
                "sd": float(self.by_fold(method, metric, model).std(ddof=1)),
                "stability": self.stability(method).value,
            }
            for method in self.methods
            for model in (None, *self.models)
            for metric in self.metrics
        ]

    def verdict(self) -> str:
        """Return one sentence on whether our selection helps here; `evaluation.verdict` has the rule."""
        metric = self.metrics[0]
        scores = {method: self.interval(method) for method in self.methods}
        gains = {method: self.difference(method) for method in self.methods if method != SNEL}
        return verdict(Standing(METRIC_TITLES[metric], CHANCE[metric], scores, gains))
