"""The survival benchmark: who finds the columns behind censored times, and whose columns order new rows."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.preprocessing import StandardScaler

from snelfs.bench.comparison import mean_and_spread
from snelfs.bench.journal import Record, by_data_and_method, markdown_table
from snelfs.bench.runs import slow_last
from snelfs.data.censored import survival_target
from snelfs.datasets import Sample, make_survival
from snelfs.evaluation import methods as evaluated
from snelfs.evaluation.intervals import resampled_interval
from snelfs.evaluation.judges import split
from snelfs.evaluation.survival_judges import judge_survival
from snelfs.evaluation.trials import Trial, Values, method_clock
from snelfs.foundation.extras import require
from snelfs.foundation.types import Floats, Places

# Draws of which the relevant columns are known: the kind of effect, and the share of rows that is censored.
DRAWN = {
    f"{kind} {percent}": {"interaction": kind == "interaction", "censored": percent / 100}
    for kind in ("linear", "interaction")
    for percent in (30, 50, 70)
}
# Studies with wide tables; all are in the PyPI package SurvSet, of which a file of each is to be made.
STUDIES = {
    "dbcd": "van de Vijver and others (2002), breast cancer",
    "dlbcl": "Rosenwald and others (2002), lymphoma",
    "aml_bull": "Bullinger and others (2004), acute myeloid leukaemia",
    "gse3143": "Bild and others (2006), breast cancer",
    "nsbcd": "Sorlie and others (2003), breast cancer",
}
N_ROWS, N_COLUMNS, N_FOUND = 300, 500, 15
N_SELECTED, FOLDS = 30, 5

# Draws of their own: those that settled anything start elsewhere.
FIRST_SEED = 97_000

TITLES = {
    "random": "random columns",
    "variance": "largest variance",
    "univariate_cox": evaluated.TITLES["univariate_cox"],
    "l1_cox": evaluated.TITLES["l1_cox"],
    "random_forest": "random forest of residuals",
    "lassonet_cox": "LassoNet, Cox",
    "no_fs": "no selection",
    evaluated.FILTERS_ALONE: evaluated.TITLES[evaluated.FILTERS_ALONE],
    evaluated.SNEL: evaluated.TITLES[evaluated.SNEL],
}
SLOW = frozenset({"lassonet_cox"})


def survival_trials(data: Iterable[str], methods: Iterable[str], seeds: int, repeats: int) -> list[Trial]:
    """Return the trials: every method on every draw, and in every fold and repetition of a study."""
    chosen = list(methods)
    trials = []
    for name in data:
        for method in chosen:
            if name in STUDIES:
                trials += [
                    Trial(name, method, repeat, fold) for repeat in range(repeats) for fold in range(FOLDS)
                ]
            elif method != "no_fs":  # which finds everything
                trials += [Trial(name, method, seed) for seed in range(seeds)]
    return slow_last(trials, SLOW)


def assess(trial: Trial, data_home: str | None = None) -> Values:
    """Compute one trial: the share of relevant columns found, or scores on the rows of one fold."""
    if trial.data in DRAWN:
        return _find(trial)
    return _cross_validate(trial, data_home)


def _find(trial: Trial) -> Values:
    X, y, relevant = _drawn(trial.data, trial.seed)
    with method_clock() as clock:
        chosen = choose(trial.method, X, y, N_FOUND, trial.seed)
    return {**clock, "found": float(np.isin(relevant, chosen).mean()), "selected": chosen.tolist()}


def _drawn(name: str, seed: int) -> Sample:
    settings: dict[str, Any] = DRAWN[name]
    return make_survival(N_ROWS, N_COLUMNS, **settings, random_state=FIRST_SEED + seed)


def _cross_validate(trial: Trial, data_home: str | None) -> Values:
    """Choose columns on the training rows of one fold, and judge them on the rows held out."""
    X, y = load_study(trial.data, data_home)
    train, test = split(y["event"], FOLDS, trial.seed)[trial.fold]
    seed = 1000 * trial.seed + trial.fold
    with method_clock() as clock:
        chosen = choose(trial.method, X[train], y[train], N_SELECTED, seed)
    Z = StandardScaler().fit(X[train]).transform(X)
    scores = judge_survival(Z[:, chosen], y, train, test, seed)
    selected = chosen.tolist() if len(chosen) <= N_SELECTED else []
    return {**clock, "scores": scores, "selected": selected}


@cache
def load_study(name: str, data_home: str | None) -> tuple[Floats, NDArray[np.void]]:
    """Return a study from ``<name>.npz``, with X, time and event, of a folder or that of SNELFS_DATA."""
    with np.load(study_file(name, data_home)) as stored:
        return stored["X"].astype(np.float64), survival_target(stored["event"], stored["time"])


def study_file(name: str, data_home: str | None) -> Path:
    """Return the file of a study, or say where it can be had."""
    folder = data_home or os.environ.get("SNELFS_DATA")
    path = Path(folder or ".") / f"{name}.npz"
    if folder is None or not path.exists():
        raise FileNotFoundError(
            f"{name}.npz is not in {folder or 'any folder'}: name one by --data-home or SNELFS_DATA. It "
            f"holds X, time and event of {STUDIES[name]}, which the PyPI package SurvSet has."
        )
    return path


def choose(method: str, X: Floats, y: NDArray[np.void], n_features: int, seed: int) -> Places:
    """Return the columns a method chooses of raw data, best first; all but the variance see them scaled."""
    if method == "variance":
        return np.argsort(-X.var(axis=0), kind="stable")[:n_features]
    Z = StandardScaler().fit_transform(X)
    if method == "lassonet_cox":
        return _lassonet(Z, y, n_features, seed)
    return evaluated.choose_columns(method, Z, y, regression=True, n_features=n_features, seed=seed)


def _lassonet(Z: Floats, y: NDArray[np.void], n_features: int, seed: int) -> Places:
    """Return the columns that stay longest on the path of LassoNet's Cox model, at its own settings."""
    lassonet = require("lassonet", "bench", "The rival 'lassonet_cox'")
    model = lassonet.LassoNetCoxRegressor("breslow", random_state=seed, torch_seed=seed, verbose=0)
    pairs = np.stack([y["time"], y["event"]], axis=1)
    model.path(Z.astype(np.float32), pairs.astype(np.float32))
    scores = np.asarray(model.feature_importances_, dtype=np.float64)
    return np.argsort(-scores, kind="stable")[:n_features]


# -- tables -----------------------------------------------------------------------------------------


def survival_rows(records: Sequence[Record]) -> list[dict[str, object]]:
    """Return a row for every data set and method: the share found, or scores and the c-index's interval."""
    return [_row(data, method, group) for (data, method), group in by_data_and_method(records).items()]


def _row(data: str, method: str, group: Sequence[Record]) -> dict[str, object]:
    done = [record for record in group if record["status"] == "done"]
    row: dict[str, object] = {"data": data, "method": method, "trials": len(done)}
    empty = dict.fromkeys(("found", "sd", "c_index", "low", "high", "brier_skill", "median seconds"), "")
    if not done:
        return {**row, **empty}
    seconds = round(float(np.median([record["seconds"] for record in done])), 2)
    if data in DRAWN:
        found = np.array([record["found"] for record in done])
        known: dict[str, object] = {
            "found": round(float(found.mean()), 4),
            "sd": round(float(found.std()), 4),
        }
        return {**row, **empty, **known, "median seconds": seconds}
    index, skill = (_by_fold(done, metric) for metric in ("c_index", "brier_skill"))
    interval = resampled_interval(index, 1 / FOLDS) if len(index) > 1 else None
    scores: dict[str, object] = {"c_index": round(float(index.mean()), 4)}
    if interval is not None:
        scores |= {"low": round(interval.low, 4), "high": round(interval.high, 4)}
    return {**row, **empty, **scores, "brier_skill": round(float(skill.mean()), 4), "median seconds": seconds}


def _by_fold(records: Sequence[Record], metric: str) -> Floats:
    """Return the mean of the models of every fold."""
    return np.array([np.mean([own[metric] for own in record["scores"].values()]) for record in records])


def survival_sections(records: Sequence[Record]) -> dict[str, str]:
    """Return the Markdown: who finds relevant columns, whose columns order held-out rows, and by how much."""
    shares: dict[str, dict[str, str]] = {}
    indices: dict[str, dict[str, str]] = {}
    for (data, method), group in by_data_and_method(records).items():
        done = [record for record in group if record["status"] == "done"]
        if done and data in DRAWN:
            shares.setdefault(method, {})[data] = mean_and_spread([record["found"] for record in done])
        elif done:
            mean = resampled_interval(_by_fold(done, "c_index"), 1 / FOLDS)
            indices.setdefault(method, {})[data] = f"{mean.mean:.3f} ({mean.low:.3f} to {mean.high:.3f})"
    tables = {
        f"Share of relevant columns found, {N_ROWS} rows × {N_COLUMNS} columns, {N_FOUND} selected": shares,
        f"c-index on held-out rows, {N_SELECTED} columns selected, mean of two models": indices,
        "c-index of SNeL-FS less that of the method on the same folds, 95 % interval": _leads(records),
    }
    return {heading: _markdown(table) for heading, table in tables.items() if table}


def _markdown(table: dict[str, dict[str, str]]) -> str:
    """Return a row for every method and a column for every data set."""
    names = list(dict.fromkeys(name for own in table.values() for name in own))
    rows = [
        {"method": TITLES[method], **{name: own.get(name, "") for name in names}}
        for method, own in table.items()
    ]
    return markdown_table(rows)


def _leads(records: Sequence[Record]) -> dict[str, dict[str, str]]:
    """Return by how much ours is ahead of every method in the folds of the studies that both have done."""
    folds: dict[tuple[str, str], dict[tuple[int, int], float]] = {}
    for record in records:
        if record["status"] == "done" and record["data"] in STUDIES:
            fold = record["seed"], record["fold"]
            key = record["data"], record["method"]
            folds.setdefault(key, {})[fold] = float(_by_fold([record], "c_index")[0])
    leads: dict[str, dict[str, str]] = {}
    for (data, method), theirs in folds.items():
        ours = folds.get((data, evaluated.SNEL), {})
        both = sorted(theirs.keys() & ours.keys())
        if method != evaluated.SNEL and both:
            differences = [ours[fold] - theirs[fold] for fold in both]
            leads.setdefault(method, {})[data] = str(resampled_interval(differences, 1 / FOLDS))
    return leads
