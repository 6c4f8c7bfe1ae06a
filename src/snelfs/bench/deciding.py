"""The deciding benchmark: what a selection from real tables owes to the votes of the layer, and to the seed.

A table is asked about as it is, and, since many classes are told apart by almost any good columns, each of
its classes against the rest. What votes decide is an order: the first ten columns are judged as well as all,
for among thirty there is room for most that are good.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.preprocessing import StandardScaler

from snelfs.bench.comparison import interval_over_sets
from snelfs.bench.journal import Record, markdown_table
from snelfs.bench.methods import TITLES, choose_columns
from snelfs.bench.microarray import N_SELECTED, positive_second
from snelfs.bench.microarray_tables import Scores, collect
from snelfs.datasets.formats import read_npz
from snelfs.evaluation.judges import classifiers, f1, split
from snelfs.evaluation.methods import FILTERS_ALONE, SNEL
from snelfs.evaluation.trials import Trial, Values, method_clock
from snelfs.foundation.checks import ArgumentError
from snelfs.foundation.types import Floats, Ints

FOLDS = 5
FIRST = 10  # of the columns selected, the best by their order
AGAINST = 2 * FOLDS + 1  # rows of a class, and of the rest, that can be told apart: two in every fold and one

OTHER_SEED = "snel_other_seed"
METHODS = (SNEL, OTHER_SEED, "snel_noise", "snel_all_noise", FILTERS_ALONE, "mrmr")
SHOWN = {**{name: TITLES.get(name, "") for name in METHODS}, OTHER_SEED: "SNeL-FS, default, another seed"}

# Repetitions of cross-validation that settled anything had other folds than these.
FIRST_SEED = 3_000


def problems(tables: Iterable[str], data_home: str) -> list[str]:
    """Return what is asked of some tables: each as it is, and every class of several against the rest.

    Raises
    ------
    ArgumentError
        If a table has no two classes of rows enough for every fold.
    """
    asked = []
    for name in tables:
        _, y = _load(name, data_home)
        labels, counts = np.unique(y, return_counts=True)
        enough = (counts >= AGAINST) & (len(y) - counts >= AGAINST)
        asked += [name, *(f"{name}: {label}" for label in labels[enough] if len(labels) > 2)]
    return asked


def tables_in(folder: Path) -> list[str]:
    """Return the names of the tables of classes in a folder of <name>.npz files; those of numbers are not."""
    paths = sorted(folder.glob("*.npz"))
    found = [path.stem for path in paths if not np.issubdtype(read_npz(path).y.dtype, np.floating)]
    if not found:
        raise ArgumentError("data_home", f"has no <name>.npz with X and classes y: {str(folder)!r}.")
    return found


def deciding_trials(asked: Iterable[str], methods: Sequence[str], repeats: int) -> list[Trial]:
    """Return the trials, whole repetitions first; the default is always among them."""
    asked, methods = list(asked), list(dict.fromkeys([SNEL, *methods]))
    return [
        Trial(problem, method, repeat, fold)
        for repeat in range(repeats)
        for problem in asked
        for method in methods
        for fold in range(FOLDS)
    ]


def assess(trial: Trial, data_home: str) -> Values:
    """Choose columns on the training rows of one fold, then train and test the four classifiers."""
    X, y, positive = _posed(trial.data, data_home)
    train, test = split(y, FOLDS, FIRST_SEED + trial.seed)[trial.fold]
    Z = StandardScaler().fit(X[train]).transform(X)
    seed = 1000 * trial.seed + trial.fold
    with method_clock() as clock:
        chosen = choose_columns(
            SNEL if trial.method == OTHER_SEED else trial.method,
            Z[train],
            y[train],
            regression=False,
            n_features=N_SELECTED,
            seed=seed + 500 * (trial.method == OTHER_SEED),
        )
    scores = {}
    for which, columns in (("scores", chosen), ("first_scores", chosen[:FIRST])):
        judged = classifiers(trial.seed).items()
        predicted = {n: c.fit(Z[train][:, columns], y[train]).predict(Z[test][:, columns]) for n, c in judged}
        scores[which] = {name: round(f1(y[test], own, positive), 6) for name, own in predicted.items()}
    return {**clock, **scores, "selected": chosen.tolist()}


def _posed(problem: str, data_home: str) -> tuple[Floats, NDArray[Any], int | None]:
    """Return columns, classes, and which class F1 is of: of two the smaller one, which is 1."""
    table, _, label = problem.partition(": ")
    X, y = _load(table, data_home)
    labels, counts = np.unique(y, return_counts=True)
    if len(labels) > 2 and not label:
        return X, y, None
    told = positive_second(y, label or str(labels[np.argmin(counts)]))
    return X, told if 2 * told.sum() <= len(told) else 1 - told, 1


@cache
def _load(name: str, data_home: str) -> tuple[Floats, NDArray[np.str_]]:
    """Return the rows of a table whose classes can be in every fold, and the columns that vary there."""
    stored = read_npz(Path(data_home) / f"{name}.npz")
    X, y = stored.X.astype(np.float64), stored.y.astype(str)
    labels, counts = np.unique(y, return_counts=True)
    if (counts >= FOLDS).sum() < 2:
        raise ArgumentError("data", f"must have two classes of {FOLDS} rows or more, got {name!r}.")
    rows = np.isin(y, labels[counts >= FOLDS])
    return X[rows][:, X[rows].std(axis=0) > 0], y[rows]


# -- tables -----------------------------------------------------------------------------------------


def deciding_sections(records: Sequence[Record]) -> dict[str, str]:
    """Return the Markdown: tables as they are, and two classes told apart, by all columns or the first."""
    sections = {}
    for columns, scores in _by_columns(records).items():
        compared = _compared(scores)
        kinds = {
            "tables as they are": [p for p in compared if ": " not in p],
            "two classes, or each of several against the rest": [
                p for p in compared if _is_of_two(p, scores)
            ],
        }
        for title, asked in kinds.items():
            rows = [_row(scores, asked, method) for method in _order(scores) if asked]
            if rows:
                sections[f"{columns}: {len(asked)} {title}"] = markdown_table(rows)
    return sections


def deciding_rows(records: Sequence[Record]) -> list[dict[str, object]]:
    """Return a row for every problem and method, of all columns and of the first."""
    return [
        {"columns": columns, "problem": problem, "method": method, **_measured(scores, [problem], method)}
        for columns, scores in _by_columns(records).items()
        for problem in _compared(scores)
        for method in _order(scores)
    ]


def _compared(scores: Scores) -> list[str]:
    """Return the problems that every method has been asked about, on the same folds."""
    methods = list(dict.fromkeys([SNEL, *_order(scores)]))
    found = {
        problem: [frozenset(scores.folds.get((problem, method), ())) for method in methods]
        for problem in scores.data
    }
    return [problem for problem, folds in found.items() if folds[0] and len(set(folds)) == 1]


def _by_columns(records: Sequence[Record]) -> dict[str, Scores]:
    """Return what was scored by all columns that were selected, and by the first of them."""
    first = [
        {**record, "scores": record["first_scores"], "selected": record["selected"][:FIRST]}
        if record["status"] == "done"
        else record
        for record in records
    ]
    return {f"All {N_SELECTED} columns": collect(records), f"The first {FIRST} of them": collect(first)}


def _is_of_two(problem: str, scores: Scores) -> bool:
    return not any(other.startswith(f"{problem}: ") for other in scores.data)


def _order(scores: Scores) -> list[str]:
    found = {method for _, method in scores.folds}
    return [method for method in METHODS if method in found]


def _row(scores: Scores, asked: Sequence[str], method: str) -> dict[str, object]:
    """Return a method's row: its mean, what the default has more, and how many columns differ from it."""
    row = {"method": SHOWN[method], **_measured(scores, asked, method)}
    by_table: dict[str, list[float]] = {}
    for problem in asked:
        by_table.setdefault(problem.partition(": ")[0], []).append(
            float(scores.paired(problem, method, SNEL).mean())
        )
    if method == SNEL:
        return {**row, "minus the default, 95 % over problems": "", "and over tables": ""}
    over_problems = [difference for own in by_table.values() for difference in own]
    row["minus the default, 95 % over problems"] = str(interval_over_sets(over_problems))
    row["and over tables"] = str(interval_over_sets([float(np.mean(own)) for own in by_table.values()]))
    return row


def _measured(scores: Scores, asked: Sequence[str], method: str) -> dict[str, object]:
    changed = [_changed(scores, problem, method) for problem in asked]
    return {
        "F1": f"{np.mean([scores.mean(problem, method) for problem in asked]):.3f}",
        "columns that are not the default's": f"{np.mean(changed):.1f}",
    }


def _changed(scores: Scores, problem: str, method: str) -> float:
    """Return how many columns of a method are not the default's, fold by fold."""
    pairs = zip(scores.chosen[problem, method], scores.chosen[problem, SNEL], strict=True)
    return float(np.mean([len(np.setdiff1d(_ints(own), _ints(ours))) for own, ours in pairs]))


def _ints(columns: Sequence[int]) -> Ints:
    return np.asarray(columns, np.int64)
