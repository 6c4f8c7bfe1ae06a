"""What a selection saves: training times of the classifiers before and after it (Table V)."""

from functools import partial

import numpy as np
from numpy.typing import NDArray
from sklearn.preprocessing import StandardScaler

from snelfs.bench.microarray import N_SELECTED
from snelfs.bench.published import published_cost
from snelfs.bench.timing import time_in_turns
from snelfs.evaluation.judges import classifiers
from snelfs.evaluation.rivals.registry import choose
from snelfs.foundation.checks import count

Times = dict[str, NDArray[np.float64]]  # "before" and "after" to seconds, one for every repetition


def measure_cost(
    X: NDArray[np.floating], y: NDArray[np.generic], repetitions: int = 20, seed: int = 0
) -> dict[str, Times]:
    """Time the training of every classifier on all columns and on the 30 with the largest F score.

    Which columns are kept does not matter to the time. Both take turns, so that a noisy machine slows
    them alike.

    Returns
    -------
    dict
        Classifier to its times.
    """
    count("repetitions", repetitions, 1)
    wide = StandardScaler().fit_transform(X)
    chosen = choose("f_score", wide, y, "classification", N_SELECTED)
    tables = {"before": wide, "after": np.ascontiguousarray(wide[:, chosen])}
    return {
        name: time_in_turns(
            {when: partial(classifier.fit, table, y) for when, table in tables.items()}, repetitions
        )
        for name, classifier in classifiers(seed).items()
    }


def cost_rows(measured: dict[str, Times]) -> list[dict[str, object]]:
    """Return a row for every classifier: mean seconds, and the ratio with its spread beside the paper's."""
    return [_cost_row(name, times) for name, times in measured.items()]


def _cost_row(name: str, times: Times) -> dict[str, object]:
    before, after = times["before"], times["after"]
    ratios = before / after
    paper = published_cost()[name]
    return {
        "classifier": name,
        "before, s": f"{before.mean():.5f}",
        "after, s": f"{after.mean():.5f}",
        "ratio": f"{before.mean() / after.mean():.1f}",
        "ratio of a repetition: median (5 % to 95 %)": _spread(ratios),
        "paper: before, s": f"{paper['before']:.5f}",
        "paper: after, s": f"{paper['after']:.5f}",
        "paper: ratio": f"{paper['ratio']:.1f}",
    }


def _spread(ratios: NDArray[np.float64]) -> str:
    low, middle, high = np.quantile(ratios, [0.05, 0.5, 0.95])
    return f"{middle:.1f} ({low:.1f} to {high:.1f})"
