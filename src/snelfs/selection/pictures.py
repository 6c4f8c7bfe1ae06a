"""The plots of one fitted model by name, drawn into a file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from snelfs.estimators.base import SNeLSelector
from snelfs.estimators.snel import SNeLClassifier
from snelfs.estimators.survival import SNeLSurvival
from snelfs.foundation.files import written_whole
from snelfs.plots import (
    AgreementDisplay,
    DistributionDisplay,
    FrequencyDisplay,
    InteractionDisplay,
    LayerDisplay,
    RankingDisplay,
    SizeDisplay,
    StabilityDisplay,
    SurvivalDisplay,
    TrainingDisplay,
)
from snelfs.search.association import class_targets
from snelfs.selection.application import predictions, selected_names
from snelfs.selection.contents import held_out_in, record_of
from snelfs.selection.one_label import one_label
from snelfs.selection.picture_kinds import NEED_DATA, columns_shown, must_be_a_kind, must_be_a_picture
from snelfs.selection.survival import held_out_display
from snelfs.tables.gaps import with_medians
from snelfs.tables.reading import Table


def display(
    estimator: SNeLSelector,
    kind: str,
    *,
    table: Table | None = None,
    number: int | None = None,
    place: str | os.PathLike[str] | None = None,
) -> Any:
    """Return a display of a fitted model by its name.

    Parameters
    ----------
    kind : str
        One of `KINDS`.
    table : Table, optional
        The data with their target, for the kinds that show them; of "distribution" the columns shown do.
    number : int, optional
        How many features or pairs to show; by default what suits the kind.
    place : path, optional
        The folder of the selection, which has risks of rows held out for the kind "survival".
    """
    must_be_a_kind(kind)
    if kind == "survival":
        return _of_risks(estimator, table, place)
    some: dict[str, Any] = {} if number is None else {"n_features": number}
    if kind in NEED_DATA:
        if table is None or table.y is None:
            raise ValueError(f"A plot of the kind {kind!r} needs a data file with its target.")
        return _of_data(estimator, kind, table, number)
    if kind == "stability":
        return StabilityDisplay.from_estimators({"restarts": estimator})
    if kind in ("ranking", "frequency", "layer"):
        shown: dict[str, Any] = {
            "ranking": RankingDisplay,
            "frequency": FrequencyDisplay,
            "layer": LayerDisplay,
        }
        return shown[kind].from_estimator(estimator, **some)
    others: dict[str, Any] = {"agreement": AgreementDisplay, "training": TrainingDisplay, "size": SizeDisplay}
    return others[kind].from_estimator(estimator)


def _of_risks(estimator: SNeLSelector, table: Table | None, place: str | os.PathLike[str] | None) -> Any:
    """Return curves of low and high risk: of given data by the model, else of the rows held out of it."""
    if not isinstance(estimator, SNeLSurvival):
        raise ValueError("A plot of the kind 'survival' needs a selection for censored times.")
    if table is not None and table.y is not None and table.y.dtype.names:
        risks = predictions(estimator, table).y
        return SurvivalDisplay.from_risks(table.y, np.asarray(risks), time_name=table.target_name or "time")
    kept = None if place is None else held_out_in(place)
    if place is None or kept is None:
        raise ValueError(
            "A plot of the kind 'survival' needs the folder of a selection, or data with times and events."
        )
    data = record_of(place).get("data")
    called = data.get("target") if isinstance(data, dict) else None
    return held_out_display(kept, called if isinstance(called, str) else "time")


def _of_data(estimator: SNeLSelector, kind: str, table: Table, number: int | None) -> Any:
    X = table.X.toarray() if hasattr(table.X, "toarray") else with_medians(np.asarray(table.X))
    is_classes, table = isinstance(estimator, SNeLClassifier), one_label(table, None)
    assert table.y is not None
    # Of censored times residuals are drawn: what is more, or less, than was to be expected.
    y = class_targets(table.y, "survival", len(table.y))[:, 0] if table.y.dtype.names else table.y
    if kind == "distribution":
        wanted = columns_shown(selected_names(estimator), kind, number) or []
        place_of = {name: place for place, name in enumerate(table.feature_names)}
        values = X[:, [place_of[name] for name in wanted]]
        classes = np.unique(y) if is_classes else None
        return DistributionDisplay(np.array(wanted), values, y, classes)
    return InteractionDisplay.from_data(
        X,
        y,
        feature_names=np.array(table.feature_names),
        task="classification" if is_classes else "regression",
        n_pairs=number or 4,
    )


def save_display(shown: Any, path: str | os.PathLike[str]) -> Path:
    """Draw a display into a PNG, SVG or PDF file, whole or not at all."""
    path = Path(path)
    must_be_a_picture(path)
    from matplotlib import pyplot

    with pyplot.rc_context({"svg.hashsalt": "snelfs", "savefig.dpi": 200}):
        figure = shown.plot().figure
        try:
            with written_whole(path) as temporary:
                figure.savefig(temporary, format=path.suffix[1:].lower())
        finally:
            pyplot.close(figure)
    return path
