"""What a selection for censored times says: risks of rows held out, curves, and hazard ratios."""

from __future__ import annotations

import csv
import io
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from snelfs.data.censored import (
    has_strata,
    kept_in_proportion,
    likelihood_of,
    read_survival,
    strata_of,
    survival_target,
)
from snelfs.data.concordance import concordance
from snelfs.data.groups import checked_groups
from snelfs.data.splits import draw_folds
from snelfs.data.survival_curves import fit_cox, kaplan_meier
from snelfs.estimators.interface import fit_watched
from snelfs.estimators.survival import SNeLSurvival
from snelfs.foundation.progress import Progress, parts
from snelfs.foundation.types import Flags, Floats, Ints, Texts
from snelfs.plots.survival import HazardDisplay, SurvivalDisplay
from snelfs.tables.gaps import with_medians

FOLDS = 5
LEVEL = 0.95  # of the intervals
LEAST_EVENTS = 10  # from which rows can be held out


@dataclass(frozen=True)
class SurvivalSummary:
    """Hold what is known of a selection for censored times beside its features.

    Attributes
    ----------
    risks : ndarray of float, shape (rows,)
        Log relative risk of every row by a search and a model that had not seen it; NaN where no row of its
        kind could be spared.
    c_index : float
        Harrell's c of these risks, within the folds.
    names : ndarray of str
        The selected columns, best first.
    ratios, low, high : ndarray of float
        Hazard ratio of one standard deviation of each column alone, and the ends of its 95 % interval.
    calibration : tuple of (float, float, int)
        For thirds of the rows by predicted share without event at the median time: the mean predicted, the
        share by Kaplan and Meier, and the rows.
    median_time : float
        The time of the calibration: the median of all observed times.
    """

    risks: Floats
    c_index: float
    names: Texts
    ratios: Floats
    low: Floats
    high: Floats
    calibration: tuple[tuple[float, float, int], ...]
    median_time: float


def summarise_survival(
    estimator: SNeLSurvival, X: Any, y: Any, progress: Progress | None = None, groups: Any = None
) -> SurvivalSummary:
    """Repeat the search in folds, and return what held-out rows and single columns tell.

    Parameters
    ----------
    estimator : SNeLSurvival
        Fitted to `X` and `y`; the folds select as many features as it did.
    progress : callable, optional
        Told what is done and of how much.
    groups : array-like, optional
        Which rows belong together: no fold parts them.
    """
    target = read_survival(y)
    columns = X.tocsr() if hasattr(X, "tocsr") else np.asarray(X)
    middle = float(np.median(target["time"]))
    together = checked_groups(groups, len(target))
    risks, lasting, index = _held_out(estimator, columns, target, middle, progress, together)
    order = np.flatnonzero(estimator.support_)[np.argsort(estimator.ranking_[estimator.support_])]
    ratios, low, high = hazard_ratios(np.asarray(with_medians(_dense(columns[:, order]))), target)
    names = estimator.ranked_features()["name"][: len(order)]
    return SurvivalSummary(
        risks, index, names, ratios, low, high, _calibration(lasting, target, middle), middle
    )


def _dense(X: Any) -> Floats:
    return np.asarray(X.toarray() if hasattr(X, "toarray") else X, np.float64)


def _held_out(
    estimator: SNeLSurvival,
    X: Any,
    target: NDArray[np.void],
    middle: float,
    progress: Progress | None,
    groups: Ints | None,
) -> tuple[Floats, Floats, float]:
    """Return risks and survival at a time of rows that were held out of the search, and their c-index."""
    event, time, strata = target["event"], target["time"], strata_of(target)
    fold_of = _folds(event, strata, groups)
    settings: dict[str, Any] = {
        "n_features_to_select": int(estimator.support_.sum()),
        "n_shuffles": 0,
        "threshold": None,
    }
    if estimator.max_time is not None:  # all folds together take as long as the selection itself may
        settings["max_time"] = estimator.max_time / FOLDS
    risks, lasting = np.full(len(time), np.nan), np.full(len(time), np.nan)
    indices = []
    for fold, listener in enumerate(parts(progress, np.ones(fold_of.max() + 1))):
        own = fold_of == fold
        model = clone(estimator).set_params(**settings, verbose=0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # said of the selection itself
            fit_watched(model, X[~own], target[~own], listener, None if groups is None else groups[~own])
        risks[own] = model.predict(X[own])
        lasting[own] = _lasting(model, X[own], target[own], middle)
        within = None if strata is None else strata[own]
        indices.append(concordance(event[own], time[own], risks[own], strata=within))
    known = [index for index in indices if np.isfinite(index)]
    return risks, lasting, float(np.mean(known)) if known else float("nan")


def _lasting(model: SNeLSurvival, X: Any, target: NDArray[np.void], middle: float) -> Floats:
    """Return the probability to be without event until a time; NaN in strata of which no row was fitted."""
    if model.strata_ is None:
        return model.predict_survival_function(X, [middle])[:, 0]
    known = np.isin(target["stratum"], model.strata_)
    lasting = np.full(len(target), np.nan)
    if known.any():
        names = target["stratum"][known]
        lasting[known] = model.predict_survival_function(X[known], [middle], names)[:, 0]
    return lasting


def _folds(event: Flags, strata: Ints | None, groups: Ints | None) -> Ints:
    """Return the fold that holds each row out; none where too few events are left to learn from."""
    if event.sum() < LEAST_EVENTS:
        return np.full(len(event), -1)
    return draw_folds(kept_in_proportion(event, strata), FOLDS, seed=0, groups=groups)


def hazard_ratios(X: Floats, target: NDArray[np.void]) -> tuple[Floats, Floats, Floats]:
    """Return the hazard ratio of one standard deviation of each column by itself, and its interval.

    Rows are compared within the strata of the target, if it has any.
    """
    likelihood = likelihood_of(target, ties="efron")
    spread = X.std(axis=0)
    scaled = (X - X.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    models = [fit_cox(scaled[:, [place]], likelihood) for place in range(X.shape[1])]
    beta = np.array([model.coefficients[0] for model in models])
    reach = ndtri((1 + LEVEL) / 2) * np.array([model.errors[0] for model in models])
    # A column that puts all events in order has no finite interval; a picture of it has to end somewhere.
    ratios, low, high = (np.exp(np.clip(ends, -7, 7)) for ends in (beta, beta - reach, beta + reach))
    return ratios, low, high


def _calibration(
    lasting: Floats, target: NDArray[np.void], middle: float
) -> tuple[tuple[float, float, int], ...]:
    """Return what was predicted and what was observed at a time, for thirds of the rows."""
    known = np.flatnonzero(np.isfinite(lasting))
    thirds = np.array_split(known[np.argsort(lasting[known], kind="stable")], 3)
    found = []
    for rows in thirds:
        if len(rows):
            curve = kaplan_meier(target["event"][rows], target["time"][rows])
            seen = float(curve.at(np.array([middle]))[0])
            found.append((float(lasting[rows].mean()), seen, len(rows)))
    return tuple(found)


def held_out_rows(summary: SurvivalSummary, y: Any, names: Sequence[str]) -> list[dict[str, Any]]:
    """Return a row for every row of the table: its event, time and stratum, and its risk when held out."""
    target = read_survival(y)
    return [
        {
            "row": name,
            "event": int(answer["event"]),
            "time": f"{answer['time']:.10g}",
            **({"stratum": str(answer["stratum"])} if has_strata(target) else {}),
            "risk": f"{risk:.6g}" if np.isfinite(risk) else "",
        }
        for name, answer, risk in zip(names, target, summary.risks, strict=True)
    ]


def held_out_display(path: Path, time_name: str) -> SurvivalDisplay:
    """Return the curves of low and high risk from a file of the rows that `held_out_rows` returns."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["risk"]]
    if not rows:
        raise ValueError(f"{path} has no risk: there were too few events to hold rows out.")
    event, time = [row["event"] == "1" for row in rows], [float(row["time"]) for row in rows]
    strata = [row["stratum"] for row in rows] if "stratum" in rows[0] else None
    risks = [float(row["risk"]) for row in rows]
    return SurvivalDisplay.from_risks(survival_target(event, time, strata), risks, time_name=time_name)


def survival_picture(summary: SurvivalSummary, y: Any, time_name: str) -> str:
    """Return the curves of low and high held-out risk as SVG for a page; nothing if there are none."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    known = np.isfinite(summary.risks)
    if not known.any():
        return ""
    shown = SurvivalDisplay.from_risks(read_survival(y)[known], summary.risks[known], time_name=time_name)
    return _svg(rc_context, Figure(figsize=(6.4, 3.6), layout="constrained"), shown)


def hazard_picture(summary: SurvivalSummary) -> str:
    """Return the hazard ratios as SVG."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    shown = HazardDisplay(summary.names, summary.ratios, summary.low, summary.high)
    height = max(2.0, 0.8 + 0.22 * len(summary.names))
    return _svg(rc_context, Figure(figsize=(6.4, height), layout="constrained"), shown)


def _svg(rc_context: Any, figure: Any, shown: SurvivalDisplay | HazardDisplay) -> str:
    written = io.StringIO()
    # Text as text, so that it can be read out and found; no date, so that equal reports are equal.
    with rc_context({"svg.hashsalt": "snelfs", "svg.fonttype": "none"}):
        shown.plot(figure.add_subplot())
        figure.savefig(written, format="svg", metadata={"Date": None})
    text = written.getvalue()
    return text[text.index("<svg") :]
