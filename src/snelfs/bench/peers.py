"""Whole fits of what people use today, and of ours: how long they take, and what they find.

The packages are called as their own documentation does, each with all cores of the machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from snelfs.bench.comparison import mean_and_spread
from snelfs.bench.journal import Record, by_data_and_method, markdown_table
from snelfs.bench.methods import TITLES, choose_columns
from snelfs.bench.runs import slow_last
from snelfs.bench.synthetic import GENERATORS
from snelfs.datasets import load_microarray
from snelfs.estimators.paper import paper_task
from snelfs.evaluation.trials import Trial, Values, method_clock
from snelfs.foundation.types import Reals

N_SELECTED = 30
ROWS, COLUMNS = 150, 9000
REAL = ("colon", "prostate")
DATA = (*GENERATORS, *REAL)
SLOW = ("skrebate", "boruta", "lassonet")

# Draws of their own: those of the other tables start elsewhere.
FIRST_SEED = 60_000


class Task(NamedTuple):
    """What a package is given."""

    X: Reals
    y: NDArray[Any]
    regression: bool
    seed: int


def _boruta(task: Task) -> Reals:
    from boruta import BorutaPy
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

    kind = RandomForestRegressor if task.regression else RandomForestClassifier
    forest = kind(n_jobs=-1, max_depth=5, random_state=task.seed)
    selector = BorutaPy(forest, n_estimators="auto", random_state=task.seed).fit(task.X, task.y)
    return -np.asarray(selector.ranking_, np.float64)


def _skrebate(task: Task) -> Reals:
    from skrebate import ReliefF

    return np.asarray(ReliefF(n_neighbors=10, n_jobs=-1).fit(task.X, task.y).feature_importances_)


def _fast_select(task: Task) -> Reals:
    from fast_select import ReliefF

    selector = ReliefF(n_features_to_select=N_SELECTED, n_neighbors=10)
    return np.asarray(selector.fit(task.X.astype(np.float32), task.y).feature_importances_)


PACKAGES: dict[str, Callable[[Task], Reals]] = {
    "fast_select": _fast_select,
    "skrebate": _skrebate,
    "boruta": _boruta,
}
METHODS = ("snel", "mrmr", "l1", "relieff", *PACKAGES, "lassonet")
PEER_TITLES = TITLES | {
    "mrmr": "mRMR, as in our benchmarks",
    "l1": "L1 linear model of scikit-learn",
    "relieff": "ReliefF, as in our benchmarks",
    "fast_select": "ReliefF of fast-select",
    "skrebate": "ReliefF of skrebate",
    "boruta": "Boruta of boruta_py",
    "lassonet": "LassoNet's path",
}


def peer_trials(data: Iterable[str], methods: Iterable[str], seeds: int, slow_seeds: int) -> list[Trial]:
    """Return the trials: fewer draws for slow methods, one of a real data set, no method out of its task."""
    trials = [
        Trial(name, method, seed)
        for name in data
        for method in methods
        if not (method == "fast_select" and _is_regression(name))
        for seed in range(1 if name in REAL else slow_seeds if method in SLOW else seeds)
    ]
    return slow_last(trials, SLOW)


def time_peer(trial: Trial, data_home: str | None = None) -> Values:
    """Let one method choose 30 columns, all cores at its service, and count the relevant ones."""
    X, y, relevant = _sample(trial, data_home)
    with method_clock() as clock:
        chosen = _chosen(trial, X, y)
    values: Values = {**clock, "selected": chosen.tolist()}
    if relevant is not None:
        values |= {"found": int(np.isin(relevant, chosen).sum()), "relevant": len(relevant)}
    return values


def _sample(trial: Trial, data_home: str | None) -> tuple[Reals, NDArray[Any], NDArray[np.intp] | None]:
    """Return columns, target, and the relevant columns where they are known."""
    if trial.data in REAL:
        table = load_microarray(trial.data, data_home=data_home)
        return table.X, table.y, None
    return GENERATORS[trial.data](ROWS, COLUMNS, random_state=FIRST_SEED + trial.seed)


def _chosen(trial: Trial, X: Reals, y: NDArray[Any]) -> NDArray[np.intp]:
    regression = _is_regression(trial.data)
    if trial.method in PACKAGES:
        target = y if regression else np.unique(y, return_inverse=True)[1]
        scores = PACKAGES[trial.method](Task(X, target, regression, trial.seed))
        return np.argsort(-scores, kind="stable")[:N_SELECTED]
    return choose_columns(
        trial.method,
        X,
        y,
        regression=regression,
        n_features=N_SELECTED,
        seed=trial.seed,
        paper_name=trial.data,
    )


def _is_regression(name: str) -> bool:
    return name not in REAL and paper_task(name) == "regression"


# -- tables -----------------------------------------------------------------------------------------


def peer_rows(records: Sequence[Record]) -> list[dict[str, object]]:
    """Return a row for every data set and method: seconds, their ratio to ours, and what was found."""
    groups = by_data_and_method(records)
    ours = {data: _seconds(group) for (data, method), group in groups.items() if method == "snel"}
    return [
        {
            "data": data,
            "method": method,
            "fits": sum(record["status"] == "done" for record in group),
            **_figures(group, ours.get(data)),
        }
        for (data, method), group in groups.items()
    ]


def _figures(group: Sequence[Record], ours: float | None) -> dict[str, object]:
    done = [record for record in group if record["status"] == "done"]
    if not done:
        limit = max(record["time_limit"] for record in group)
        over = "" if ours is None else f"over {limit / ours:.0f}"
        state = f"over {limit:g}" if any(r["status"] == "too slow" for r in group) else "failed"
        return {"seconds": state, "times ours": over, "relevant found": ""}
    seconds = _seconds(done)
    found = [record["found"] / record["relevant"] for record in done if "found" in record]
    return {
        "seconds": f"{seconds:.1f}",
        "times ours": "" if not ours else f"{seconds / ours:.1f}",
        "relevant found": mean_and_spread(found) if found else "",
    }


def _seconds(group: Sequence[Record]) -> float:
    done = [record["seconds"] for record in group if record["status"] == "done"]
    return float(np.median(done)) if done else float("nan")


def peer_sections(records: Sequence[Record]) -> dict[str, str]:
    """Return the Markdown: a table for every data set."""
    rows = peer_rows(records)
    sections = {}
    for data in dict.fromkeys(str(row["data"]) for row in rows):
        of_data = [row for row in rows if row["data"] == data]
        shown = [{"method": PEER_TITLES[str(row["method"])], **_without(row)} for row in of_data]
        size = "" if data in REAL else f": {ROWS} × {COLUMNS:,}"
        sections[f"{data}{size}"] = markdown_table(shown)
    return sections


def _without(row: dict[str, object]) -> dict[str, object]:
    return {key: value for key, value in row.items() if key not in ("data", "method")}
