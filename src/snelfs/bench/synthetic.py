"""The synthetic benchmark: which methods find the columns that determine the target (Table II)."""

from collections.abc import Callable, Collection, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from snelfs.bench.comparison import mean_and_spread
from snelfs.bench.journal import Record, by_data_and_method, markdown_table
from snelfs.bench.methods import SLOW, TITLES, choose_columns
from snelfs.bench.published import IN_PAPER, published_success
from snelfs.bench.runs import slow_last
from snelfs.datasets import Sample, make_friedman, make_linear, make_madelon, make_xor
from snelfs.estimators.paper import paper_facts, paper_names, paper_task
from snelfs.evaluation.trials import Trial, Values, method_clock

GENERATORS: dict[str, Callable[..., Sample]] = {
    "Mad": make_madelon,
    "XOR": make_xor,
    "Reg": make_linear,
    "Fri": make_friedman,
}
SYNTHETIC = paper_names()[:8]
N_SELECTED = 15

# The draws of the benchmark start here, far from every seed that a setting was chosen on.
FIRST_SEED = 20_000


def index_of_success(ranking: NDArray[np.integer], relevant: Collection[int], n_selected: int) -> float:
    """Return how well the best `n_selected` columns cover the relevant ones (Eq. 24).

    It is ``R_s/R_t - α·I_s/I_t`` with the shares of relevant and irrelevant columns selected and
    ``α = min(1/2, R_t/I_t)``; it is 1 if all relevant columns come first.

    Parameters
    ----------
    ranking : array of shape (columns,)
        Rank of every column, 1 for the best, as in ``ranking_``.
    relevant : collection of int
        Indices of the relevant columns.

    Examples
    --------
    >>> index_of_success(np.array([3, 1, 2, 4]), relevant=[1, 2], n_selected=3)
    1.0
    >>> index_of_success(np.array([1, 2, 3, 4]), relevant=[1, 2], n_selected=2)
    0.25
    """
    ranks = np.asarray(ranking)[list(relevant)]
    if ranks.max() == len(ranks):
        return 1.0
    found = int((ranks <= n_selected).sum())
    n_irrelevant = len(ranking) - len(ranks)
    alpha = min(0.5, len(ranks) / n_irrelevant)
    return float(found / len(ranks) - alpha * (n_selected - found) / n_irrelevant)


def ranking_of(chosen: NDArray[np.intp], n_columns: int) -> NDArray[np.intp]:
    """Return the ranking in which the chosen columns come first, in their order, and all others last.

    Examples
    --------
    >>> ranking_of(np.array([2, 0]), 4)
    array([2, 4, 1, 4])
    """
    ranking = np.full(n_columns, n_columns)
    ranking[chosen] = np.arange(1, len(chosen) + 1)
    return ranking


def recovery_trials(
    data: Iterable[str], methods: Iterable[str], seeds: int, large_seeds: int, slow_seeds: int
) -> list[Trial]:
    """Return the trials of the benchmark: fewer draws of the large sets, and for slow methods."""

    def n_seeds(name: str, method: str) -> int:
        least = large_seeds if name.endswith("5k") else seeds
        return min(least, slow_seeds) if method in SLOW else least

    trials = [
        Trial(name, method, seed)
        for name in data
        for method in methods
        if method != "no_fs"  # keeping all columns finds all relevant ones, and says nothing
        for seed in range(n_seeds(name, method))
    ]
    return slow_last(sorted(trials, key=lambda trial: trial.data.endswith("5k")), SLOW)


def draw(name: str, seed: int) -> Sample:
    """Return a fresh draw of one of the paper's synthetic data sets."""
    facts = paper_facts(name)
    generate = GENERATORS[name.removesuffix("5k")]
    return generate(facts["rows"], facts["columns"], random_state=FIRST_SEED + seed)


def recover(trial: Trial) -> Values:
    """Let one method choose 15 columns of a fresh draw, and judge them."""
    sample = draw(trial.data, trial.seed)
    with method_clock() as clock:
        chosen = choose_columns(
            trial.method,
            sample.X,
            sample.y,
            regression=paper_task(trial.data) == "regression",
            n_features=N_SELECTED,
            seed=trial.seed,
            paper_name=trial.data,
        )
    success = index_of_success(ranking_of(chosen, sample.X.shape[1]), sample.relevant, N_SELECTED)
    return {**clock, "success": success, "selected": chosen.tolist(), "relevant": sample.relevant.tolist()}


# -- tables -----------------------------------------------------------------------------------------


def recovery_rows(records: Sequence[Record]) -> list[dict[str, object]]:
    """Return a row for every data set and method: the index of success, its spread and the paper's value."""
    groups = by_data_and_method(records)
    return [_recovery_row(data, method, group) for (data, method), group in groups.items()]


def _recovery_row(data: str, method: str, group: Sequence[Record]) -> dict[str, object]:
    done = [record for record in group if record["status"] == "done"]
    success = np.array([record["success"] for record in done])
    paper = published_success()[data].get(IN_PAPER.get(method, ""))
    row: dict[str, object] = {"data": data, "method": method, "draws": len(done)}
    if len(done):
        row |= {
            "mean": round(float(success.mean()), 4),
            "sd": round(float(success.std()), 4),
            "least": round(float(success.min()), 4),
            "all found": round(float((success > 0.99).mean()), 2),
            "median seconds": round(float(np.median([record["seconds"] for record in done])), 2),
        }
    else:
        row |= dict.fromkeys(("mean", "sd", "least", "all found", "median seconds"), "")
    too_slow = [record["time_limit"] for record in group if record["status"] == "too slow"]
    note = f"over {max(too_slow):g} s" if too_slow else ""
    failed = sum(record["status"] == "failed" for record in group)
    note = f"{failed} failed" if failed else note
    return {**row, "paper": "" if paper is None else paper, "note": note}


def recovery_sections(records: Sequence[Record]) -> dict[str, str]:
    """Return the Markdown of the benchmark: success in one table, all figures in another."""
    rows = recovery_rows(records)
    methods = list(dict.fromkeys(str(row["method"]) for row in rows))
    cell = {(row["data"], row["method"]): _cell(row, records) for row in rows}
    overview = [
        {"method": TITLES[method], **{name: cell.get((name, method), "") for name in SYNTHETIC}}
        for method in sorted(methods, key=list(TITLES).index)
    ]
    heading = "Index of success: mean ± standard deviation over fresh draws [the paper's single draw]"
    return {heading: markdown_table(overview), "All figures": markdown_table(rows)}


def _cell(row: dict[str, object], records: Sequence[Record]) -> str:
    same = [
        r for r in records if (r["data"], r["method"], r["status"]) == (row["data"], row["method"], "done")
    ]
    shown = mean_and_spread([record["success"] for record in same]) if same else str(row["note"])
    return f"{shown} [{row['paper']:.2f}]" if row["paper"] != "" else shown
