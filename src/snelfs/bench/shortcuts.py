"""Shorter ways to the same selection, against the full run: fewer columns, a settled vote, fewer epochs."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from snelfs import SNeLClassifier, SNeLRegressor
from snelfs.bench.journal import Record, by_data_and_method
from snelfs.bench.synthetic import GENERATORS
from snelfs.datasets import load_microarray
from snelfs.estimators.paper import paper_task
from snelfs.evaluation.trials import Trial, Values, method_clock

WAYS: dict[str, dict[str, Any]] = {
    "full": {"prune": False},
    "pruned": {"prune": True},
    "settled": {"prune": False, "patience": 0.1},
    # Epochs go with the square of the steps: 6 of the default's 9 are 288 of 648.
    "half the epochs": {"prune": False, "steps": 6},
}
REAL = ("colon", "leukemia", "srbct")
DATA = (*GENERATORS, *REAL)

_ROWS, _COLUMNS, _SELECTED = 200, 500, 15

# Draws of their own: those of the other tables start elsewhere.
_FIRST_SEED = 80_000


def shortcut_trials(data: Iterable[str], seeds: int) -> list[Trial]:
    """Return a trial for every data set, way and draw; of a real set a draw is four fifths of its rows."""
    return [Trial(name, way, seed) for name in data for seed in range(seeds) for way in WAYS]


def take_way(trial: Trial, data_home: str | None = None) -> Values:
    """Fit in one way, and keep what is selected."""
    X, y, relevant = _sample(trial, data_home)
    numbers = trial.data not in REAL and paper_task(trial.data) == "regression"
    kind = SNeLRegressor if numbers else SNeLClassifier
    n_selected = 30 if trial.data in REAL else _SELECTED
    with method_clock() as clock:
        selector = kind(n_selected, random_state=trial.seed, **WAYS[trial.method]).fit(X, y)
    chosen = np.flatnonzero(selector.support_)
    values: Values = {**clock, "selected": chosen.tolist()}
    return values if relevant is None else values | {"found": float(np.isin(relevant, chosen).mean())}


def _sample(trial: Trial, data_home: str | None) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any] | None]:
    seed = _FIRST_SEED + trial.seed
    if trial.data not in REAL:
        return GENERATORS[trial.data](_ROWS, _COLUMNS, random_state=seed)
    table = load_microarray(trial.data, data_home=data_home)
    rows = np.random.default_rng(seed).permutation(len(table.y))[: 4 * len(table.y) // 5]
    return table.X[rows], table.y[rows], None


def shortcut_rows(records: Sequence[Record]) -> list[dict[str, object]]:
    """Return a row for every data set and way: what it has in common with the full run, and its time."""
    done = [record for record in records if record["status"] == "done"]
    full = {(r["data"], r["seed"]): r for r in done if r["method"] == "full"}
    return [
        _row(data, way, [(r, full[data, r["seed"]]) for r in group if (data, r["seed"]) in full])
        for (data, way), group in by_data_and_method(done).items()
    ]


def _row(data: str, way: str, pairs: Sequence[tuple[Record, Record]]) -> dict[str, object]:
    shared = [len(set(r["selected"]) & set(f["selected"])) / len(f["selected"]) for r, f in pairs]
    times = [r["seconds"] / f["seconds"] for r, f in pairs]
    found = [r["found"] for r, _ in pairs if "found" in r]
    return {
        "data": data,
        "way": way,
        "draws": len(pairs),
        "in common with the full run": f"{np.mean(shared):.3f}",
        "the same selection": f"{np.mean([share == 1 for share in shared]):.2f}",
        "relevant found": f"{np.mean(found):.2f}" if found else "",
        "time, of the full run": f"{np.median(times):.2f}",
    }
