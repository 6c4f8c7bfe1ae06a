"""One HTML file that shows a selection: it opens by a double click and asks the network for nothing."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from snelfs.foundation.extras import require
from snelfs.foundation.files import written_whole
from snelfs.foundation.words import shortened
from snelfs.selection.report_data import LABEL_LENGTH, page_data, script_json
from snelfs.selection.report_text import about_pictures, summary, title
from snelfs.selection.result import Selection
from snelfs.selection.survival import hazard_picture, survival_picture

if TYPE_CHECKING:
    import jinja2
    import markupsafe

ASSETS = Path(__file__).parent / "assets"
LIBRARIES = ("d3.min.js", "plot.umd.min.js")
SCRIPTS = ("report_data.js", "report_table.js", "report_pictures.js", "report_training.js", "report.js")
VALUE_LENGTH = 300  # letters of a setting


def write_report(selection: Selection, path: str | Path, repeat: str) -> Path:
    """Write the report of a selection, whole or not at all, and return its path.

    Parameters
    ----------
    selection : Selection
        What `snelfs.selection.selecting.select` returned.
    path : path
        The file to write, in a folder that exists.
    repeat : str
        The command that repeats the selection, to be shown.
    """
    path = Path(path)
    page = report_page(selection, repeat)
    with written_whole(path) as temporary:
        temporary.write_text(page, encoding="utf-8")
    return path


def report_page(selection: Selection, repeat: str) -> str:
    """Return the report of a selection as one HTML page of at most 3 MB.

    It holds the values of the leading features and the names of rows: share it as you would the data.

    Parameters
    ----------
    selection : Selection
        What `snelfs.selection.selecting.select` returned.
    repeat : str
        The command that repeats the selection, to be shown.
    """
    scripts = [*map(_asset, LIBRARIES), _own_script()]
    data, record = page_data(selection), selection.record()
    n_drawn, n_listed = len(data["rows"]["name"]), len(data["features"]["name"])
    return _template().render(
        title=title(selection),
        verdict=summary(selection),
        warnings=list(selection.warnings),
        notes=[*selection.table.notes, *about_pictures(selection, n_drawn, n_listed)],
        facts=_facts(selection),
        settings=_shown({"task": selection.task, **record["settings"], "data": record["data"]}),
        reading=_shown(record["reading"] or {}),
        versions=_shown(record["versions"]),
        repeat=repeat,
        style=_raw(_asset("report.css")),
        scripts=[_raw(script) for script in scripts],
        hashes=[_hash(script) for script in scripts],
        data=_raw(script_json(data)),
        survival=_survival(selection),
    )


def _survival(selection: Selection) -> dict[str, Any] | None:
    """Return the pictures and tables of censored times; None for other targets."""
    summary, table = selection.survival, selection.table
    if summary is None:
        return None
    name = shortened(table.target_name or "time", LABEL_LENGTH)
    return {
        "curves": _raw(survival_picture(summary, table.y, name)),
        "hazards": _raw(hazard_picture(summary)),
        "median": f"{name} {summary.median_time:.4g}",
        "calibration": [
            {"predicted": f"{said:.2f}", "observed": f"{seen:.2f}", "rows": f"{n_rows:,}"}
            for said, seen, n_rows in summary.calibration
        ],
        "ratios": {
            shortened(feature, LABEL_LENGTH): f"{ratio:.2f} ({low:.2f} to {high:.2f})"
            for feature, ratio, low, high in zip(
                summary.names.tolist(), summary.ratios, summary.low, summary.high, strict=True
            )
        },
    }


def _template() -> jinja2.Template:
    require("jinja2", "cli", "A report")
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    strict = Environment(
        loader=FileSystemLoader(ASSETS),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return strict.get_template("report.html")


def _asset(name: str) -> str:
    return (ASSETS / name).read_text(encoding="utf-8")


def _own_script() -> str:
    """Return our files as one script, in a block: their names do not meet those of the browser."""
    return '"use strict";\n{\n' + "\n".join(_asset(name) for name in SCRIPTS) + "}\n"


def _raw(text: str) -> markupsafe.Markup:
    """Mark text of our own, or escaped already, as to be left alone."""
    from markupsafe import Markup

    return Markup(text)


def _hash(script: str) -> str:
    """Return what allows this script to run, and no other."""
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _facts(selection: Selection) -> dict[str, str]:
    """Return the figures that describe the run, by what they are."""
    n_rows, n_columns = selection.table.X.shape
    found = selection.estimator.stability_
    facts = {
        "rows": f"{n_rows:,}",
        "features": f"{n_columns:,}",
        "selected": f"{sum(feature.selected for feature in selection.features):,}",
    }
    if found.value == found.value:
        facts["stability (95 % interval)"] = f"{found.value:.2f} ({found.low:.2f} to {found.high:.2f})"
    return facts | {"seconds to select": f"{selection.seconds:.1f}"}


def _shown(values: Mapping[str, Any]) -> dict[str, str]:
    """Return settings as text, those within others under both names."""
    shown: dict[str, str] = {}
    for name, value in values.items():
        if isinstance(value, Mapping):
            shown |= {f"{name}: {inner}": text for inner, text in _shown(value).items()}
        else:
            shown[str(name)] = shortened("–" if value is None else value, VALUE_LENGTH)
    return shown
