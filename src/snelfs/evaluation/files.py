"""What an evaluation leaves in a folder: a table, everything as JSON, and a plot."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from snelfs.evaluation.methods import SNEL, TITLES
from snelfs.evaluation.result import METRIC_TITLES, Evaluation
from snelfs.foundation.environment import environment
from snelfs.foundation.files import csv_table, folder_written_whole
from snelfs.plots import BenchmarkDisplay


def write_evaluation(
    found: Evaluation,
    folder: Path,
    *,
    feature_names: Sequence[str] | None = None,
    source: str = "",
    force: bool = False,
) -> list[Path]:
    """Write evaluation.csv, evaluation.json and evaluation.png, all of them or none.

    Parameters
    ----------
    feature_names : sequence of str, optional
        Names of the columns, for those selected; by default their places from 0.
    source : str, optional
        What the data are called.
    force : bool, default=False
        Whether files of these names may be replaced.

    Returns
    -------
    list of Path
        The files.
    """
    everything = {"data": source, **as_plain(found, feature_names), "measured with": environment()}
    with folder_written_whole(folder, force=force) as inside:
        (inside / "evaluation.csv").write_text(csv_table(found.rows()), encoding="utf-8")
        text = json.dumps(everything, ensure_ascii=False, indent=1, allow_nan=False)
        (inside / "evaluation.json").write_text(text + "\n", encoding="utf-8")
        _save_plot(evaluation_display(found), inside / "evaluation.png")
    return [folder / f"evaluation.{suffix}" for suffix in ("csv", "json", "png")]


def as_plain(found: Evaluation, feature_names: Sequence[str] | None = None) -> dict[str, Any]:
    """Return an evaluation as what JSON can hold; not a number becomes None."""
    names = range(found.n_columns) if feature_names is None else feature_names
    selected = {
        method: [[names[column] for column in columns] for columns in group]
        for method, group in found.selected.items()
    }
    scores = {
        method: {
            model: {metric: found.by_fold(method, metric, model).tolist() for metric in found.metrics}
            for model in found.models
        }
        for method in found.methods
    }
    return {
        "verdict": found.verdict(),
        "task": found.task,
        "rows": found.n_rows,
        **({} if found.n_groups is None else {"groups": found.n_groups}),
        **({} if found.n_labels is None else {"labels": found.n_labels}),
        "columns": found.n_columns,
        **({} if found.n_units in (None, found.n_columns) else {"units": found.n_units}),
        "n_features": found.n_features,
        "folds": found.folds,
        "repeats": found.repeats,
        "seed": found.seed,
        "summary": [{key: _without_nan(value) for key, value in row.items()} for row in found.summary()],
        "scores": scores,
        "selected": selected,
        "notes": list(found.notes),
    }


def _without_nan(value: Any) -> Any:
    return None if isinstance(value, float) and math.isnan(value) else value


def evaluation_display(found: Evaluation) -> BenchmarkDisplay:
    """Return the plot of an evaluation: a panel for the average and each model, a row for each method."""
    methods = [row["method"] for row in found.summary()]
    panels = [None, *found.models]
    intervals = [[found.interval(method, model=model) for method in methods] for model in panels]
    return BenchmarkDisplay(
        data=["average", *found.models],
        methods=[TITLES[method] for method in methods],
        means=np.array([[each.mean for each in row] for row in intervals]),
        errors=np.array([[each.mean - each.low for each in row] for row in intervals]),
        notes={},
        ours=[method == SNEL for method in methods],
        score=f"{METRIC_TITLES[found.metrics[0]]}, mean with 95 % interval",
        limits=(-np.inf if found.metrics[0] == "r2" else 0.0, 1.0),
    )


def _save_plot(display: BenchmarkDisplay, path: Path) -> None:
    """Draw without a window, whatever the user's backend is."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.0, 0.9 + 0.24 * len(display.methods)), layout="constrained")
    FigureCanvasAgg(figure)
    display.plot(figure.subplots(), n_columns=len(display.data))
    figure.savefig(path, dpi=160)
