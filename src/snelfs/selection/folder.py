"""What a selection leaves in a folder: a list, the selected columns, the model, the settings, a report."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from snelfs.foundation.files import csv_table, folder_written_whole
from snelfs.selection.contents import (
    FEATURES,
    HELD_OUT,
    MODEL,
    RECORD,
    REPORT,
    SELECTED,
    former_files,
    model_path,
    refuse_folder,
)
from snelfs.selection.model_file import load_model, save_model
from snelfs.selection.report import report_page
from snelfs.selection.result import Selection
from snelfs.selection.survival import held_out_rows
from snelfs.tables.writing import write_like


def write_folder(selection: Selection, folder: str | os.PathLike[str], *, force: bool = False) -> Path:
    """Write the folder of a selection, all of it or nothing.

    It holds ``features.csv`` (all columns, best first), ``selected`` in the format of the table, the
    estimator as ``model.skops``, ``selection.json`` with all that is needed to repeat it, and
    ``report.html``; of censored times ``held_out.csv``, too, with the risk of every row by a search that had
    not seen it.

    Parameters
    ----------
    force : bool, default=False
        Whether an earlier selection may be replaced. Files of other origin in the folder stay, and where one
        of them has the name of a new file nothing is written.
    """
    folder = Path(folder)
    refuse_folder(folder, force=force, source=selection.table.source)
    with folder_written_whole(folder, force=force, former=former_files(folder)) as inside:
        _write_files(selection, inside)
    return folder


def _write_files(selection: Selection, inside: Path) -> None:
    (inside / FEATURES).write_text(csv_table(feature_rows(selection)), encoding="utf-8")
    write_like(selection.table, inside / SELECTED, [feature.name for feature in selection.selected])
    save_model(selection.estimator, inside / MODEL)
    if selection.survival is not None:
        rows = held_out_rows(selection.survival, selection.table.y, selection.table.row_names)
        (inside / HELD_OUT).write_text(csv_table(rows), encoding="utf-8")
    _write_report(selection, inside)
    text = json.dumps(selection.record(), ensure_ascii=False, indent=1, allow_nan=False)
    (inside / RECORD).write_text(text + "\n", encoding="utf-8")


def _write_report(selection: Selection, inside: Path) -> None:
    """Write the report; a selection that no command made is repeated by its settings."""
    settings = selection.settings
    call = f"select(table, task={selection.task!r}, settings={dict(settings['estimator'])!r})"
    page = report_page(selection, settings["command"] or call)
    (inside / REPORT).write_text(page, encoding="utf-8")


def feature_rows(selection: Selection) -> list[dict[str, Any]]:
    """Return one row a column as ``features.csv`` has them, best first."""
    grouped = any(feature.group is not None for feature in selection.features)
    return [
        {
            "name": feature.name,
            **({"group": feature.group or ""} if grouped else {}),
            "rank": feature.rank,
            "score": f"{feature.score:.6g}",
            "selection_frequency": f"{feature.frequency:.6g}",
            "q_value": "" if feature.q_value is None else f"{feature.q_value:.6g}",
            "effect": feature.effect,
            "strength": f"{feature.strength:.6g}",
            "partner": feature.partner or "",
            "selected": "yes" if feature.selected else "no",
            "named_by": "; ".join(feature.named_by),
        }
        for feature in selection.features
    ]


def model_of(place: str | os.PathLike[str]) -> Any:
    """Return the estimator of a folder that `write_folder` wrote, or of a model file."""
    return load_model(model_path(place))
