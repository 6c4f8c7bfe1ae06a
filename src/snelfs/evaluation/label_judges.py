"""Several labels a row in an evaluation: rows held out, columns by methods of one target, scores."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from snelfs.data.groups import units_of
from snelfs.data.target import rarest_label
from snelfs.evaluation.judges import judge_classes
from snelfs.foundation.checks import ArgumentError
from snelfs.foundation.types import Floats, Ints, Places
from snelfs.search.turns import in_turns

# So many ways to share rows out are tried until each fold can be tested for every label.
_TRIES = 200


def split_labels(
    labels: NDArray[np.intp], folds: int, seed: int, groups: Ints | None = None
) -> list[tuple[Places, Places]]:
    """Return training and test rows of every fold; rows of a group are never parted.

    A row counts for the rarest label it has, and each of these is spread evenly over the folds. Every fold
    tests rows with and without each label.
    """
    units = units_of(rarest_label(labels), np.ones(len(labels)), groups)
    for more in range(_TRIES):
        shuffled = np.random.default_rng([seed, more]).permutation(len(units.strata))
        # The largest groups first, one after the other to the next fold.
        dealt = shuffled[np.lexsort((-units.sizes[shuffled], units.strata[shuffled]))]
        fold_of_unit = np.empty(len(dealt), dtype=np.int64)
        fold_of_unit[dealt] = np.arange(len(dealt)) % folds
        fold_of = fold_of_unit[units.of_row]
        tests = [np.flatnonzero(fold_of == fold) for fold in range(folds)]
        if all(len(test) and np.ptp(labels[test], axis=0).all() for test in tests):
            return [(np.setdiff1d(np.arange(len(labels)), test), test) for test in tests]
    raise ArgumentError(
        "folds",
        f"must be fewer: the rows cannot be shared out so that each of {folds} has rows with and without "
        "every label.",
    )


def choose_for_labels(
    choose: Callable[[NDArray[np.intp]], Places], labels: NDArray[np.intp], n_features: int
) -> Places:
    """Return the columns that a method of one target chooses for each label, in turns.

    Parameters
    ----------
    choose : callable
        Takes one label and returns columns, best first.
    """
    return in_turns([choose(label) for label in labels.T], n_features)


def judge_labels(
    X: Floats, labels: NDArray[np.intp], train: Places, test: Places, seed: int
) -> dict[str, dict[str, float]]:
    """Return AUC, F1 and accuracy of the four classifiers on the rows held out, each the mean over labels.

    Every label has classifiers of its own. F1 is that of the rows with it.

    Parameters
    ----------
    X : array of shape (rows, columns)
        Standardised.
    labels : array of int, shape (rows, labels)
        Zeros and ones.
    """
    found = [judge_classes(X, label, train, test, seed) for label in labels.T]
    return {
        model: {metric: float(np.mean([each[model][metric] for each in found])) for metric in scores}
        for model, scores in found[0].items()
    }
