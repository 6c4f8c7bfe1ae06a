"""The stability benchmark: how far methods choose the same columns from other samples of the same rows."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from snelfs.bench.journal import Record, by_data_and_method
from snelfs.bench.methods import TITLES, choose_columns
from snelfs.bench.microarray import N_SELECTED, positive_second
from snelfs.datasets import load_microarray
from snelfs.evaluation.trials import Trial, Values, method_clock
from snelfs.search.stability import selection_matrix, stability

METHODS = (
    *("snel_paper", "snel_one_round", "filters_alone", "snel"),
    *("f_score", "mrmr", "relieff", "random_forest", "l1", "lassonet"),
)


def bootstrap_trials(data: Iterable[str], methods: Iterable[str], samples: int) -> list[Trial]:
    """Return the trials, those of LassoNet last: they may take all the time there is."""
    trials = [Trial(name, method, sample) for name in data for method in methods for sample in range(samples)]
    return sorted(trials, key=lambda trial: trial.method == "lassonet")


def choose_from_sample(trial: Trial, data_home: str | None = None) -> Values:
    """Let one method choose 30 columns from a bootstrap sample of the rows."""
    microarray = load_microarray(trial.data, data_home=data_home)
    rows = bootstrap_rows(microarray.y, trial.seed)
    X = microarray.X[rows]
    with method_clock() as clock:
        chosen = choose_columns(
            trial.method,
            (X - X.mean(axis=0)) / np.where(X.std(axis=0) > 0, X.std(axis=0), 1),
            positive_second(microarray.y[rows], microarray.facts.positive),
            regression=False,
            n_features=N_SELECTED,
            seed=trial.seed,
            paper_name=microarray.facts.paper_name,
        )
    return {**clock, "selected": chosen.tolist(), "columns": microarray.X.shape[1]}


def bootstrap_rows(y: NDArray[np.generic], seed: int) -> NDArray[np.intp]:
    """Return a sample of rows with replacement, as many of every class as there are.

    Examples
    --------
    >>> rows = bootstrap_rows(np.array(["a", "b", "b", "b"]), seed=0)
    >>> len(rows), int((rows == 0).sum())
    (4, 1)
    """
    generator = np.random.default_rng([seed, len(y)])
    groups = [np.flatnonzero(y == label) for label in np.unique(y)]
    return np.concatenate([generator.choice(group, len(group)) for group in groups])


def table_rows(records: Sequence[Record]) -> list[dict[str, object]]:
    """Return a row for every data set and method: Nogueira's index with its 95 % interval."""
    groups = by_data_and_method(records)
    return [_row(data, method, group) for (data, method), group in groups.items()]


def _row(data: str, method: str, group: Sequence[Record]) -> dict[str, object]:
    done = [record for record in group if record["status"] == "done"]
    row: dict[str, object] = {"data": data, "method": TITLES[method], "samples": len(done)}
    if len(done) < 2:
        limits = [record["time_limit"] for record in group if record["status"] == "too slow"]
        return {**row, "stability": f"over {max(limits):g} s" if limits else "", "median seconds": ""}
    index = stability(selection_matrix([r["selected"] for r in done], done[0]["columns"]))
    seconds = float(np.median([record["seconds"] for record in done]))
    return {**row, "stability": str(index), "median seconds": round(seconds, 1)}
