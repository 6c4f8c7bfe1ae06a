"""The microarray benchmark: what classifiers make of the columns a method chooses (Table IV)."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path

import numpy as np
from sklearn.preprocessing import StandardScaler

from snelfs.bench.methods import SLOW, choose_columns
from snelfs.bench.runs import slow_last
from snelfs.datasets import Microarray, list_microarray, load_microarray, microarray_facts
from snelfs.evaluation.judges import classifiers, f1, split
from snelfs.evaluation.trials import Trial, Values, method_clock
from snelfs.foundation.sentences import Argument, Sentence

N_SELECTED = 30


def available(data_home: Path | None) -> list[str]:
    """Return the sets that can be had without a download, but for those filtered by their labels.

    Raises
    ------
    FileNotFoundError
        If there is none.
    """
    found = []
    for name in list_microarray():
        try:
            load_microarray(name, data_home=data_home, download=False)
        except FileNotFoundError:
            continue
        if not microarray_facts(name).label_filtered:
            found.append(name)
    if not found:
        raise FileNotFoundError(
            "No microarray set is here: name a folder of <name>.npz files by --data-home or SNELFS_DATA, "
            "or the sets to download by --data."
        )
    return found


def n_folds(name: str) -> int:
    """Return the folds of cross-validation: ten for two classes, five for more."""
    return 10 if microarray_facts(name).positive else 5


def accuracy_trials(
    data: Iterable[str], methods: Iterable[str], repeats: int, slow_repeats: int, *, force: bool = False
) -> list[Trial]:
    """Return the trials of the benchmark, whole repetitions first and slow methods last.

    Raises
    ------
    ValueError
        If the columns of a data set were chosen with its labels, unless forced: any score is too good then.
    """
    data, methods = list(data), list(methods)
    for name in data:
        if microarray_facts(name).label_filtered and not force:
            known = f"The columns of {name!r} were chosen with its labels, so that every score is too good: "
            raise ValueError(Sentence(known, "leave it out, or ", Argument("force it"), "."))
    trials = [
        Trial(name, method, repeat, fold)
        for repeat in range(repeats)
        for name in data
        for method in methods
        if method not in SLOW or repeat < slow_repeats
        for fold in range(n_folds(name))
    ]
    return slow_last(trials, SLOW)


def assess(trial: Trial, data_home: str | None = None) -> Values:
    """Choose columns on the training rows of one fold, then train and test the four classifiers.

    Columns are standardised with the training rows, too: nothing of the test rows is known before the test.
    """
    microarray = _load(trial.data, data_home)
    train, test = split(microarray.y, n_folds(trial.data), trial.seed)[trial.fold]
    scaler = StandardScaler().fit(microarray.X[train])
    X, y = scaler.transform(microarray.X), microarray.y
    with method_clock() as clock:
        chosen = choose_columns(
            trial.method,
            X[train],
            y[train],
            regression=False,
            n_features=N_SELECTED,
            seed=1000 * trial.seed + trial.fold,
            paper_name=microarray.facts.paper_name,
        )
    scores = {}
    for name, classifier in classifiers(trial.seed).items():
        predicted = classifier.fit(X[np.ix_(train, chosen)], y[train]).predict(X[np.ix_(test, chosen)])
        scores[name] = round(f1(y[test], predicted, microarray.facts.positive), 6)
    selected = chosen.tolist() if len(chosen) <= N_SELECTED else []
    return {**clock, "scores": scores, "selected": selected}


@cache
def _load(name: str, data_home: str | None) -> Microarray:
    return load_microarray(name, data_home=data_home)
