"""A simulated study of columns in groups: four of a hundred matter, each along a direction of its own."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from snelfs import SNeLClassifier
from snelfs.evaluation.trials import Trial, Values, method_clock
from snelfs.foundation.extras import require
from snelfs.foundation.types import Floats, Ints, Places
from snelfs.search.directions import directions

ROWS, GROUPS, WIDTH, RELEVANT = 200, 100, 5, 4
ALIKE = 0.3  # correlation of the columns of a group
NOISE = 0.5  # deviation beside a signal of variance 1

# Draws of their own, numbered from 1.
FIRST_SEED = 52_000

TOLD, UNTOLD, FILTER, LASSONET = "with feature groups", "without", "multiple correlation", "LassoNet's groups"
METHODS = (TOLD, UNTOLD, FILTER, LASSONET)


class Grouped(NamedTuple):
    """A table of columns in groups, and which groups matter."""

    X: Floats
    y: NDArray[np.int64]
    groups: Ints  # of every column
    relevant: Ints


def draw_groups(seed: int) -> Grouped:
    """Draw two classes that depend on a direction in each of some groups; no column stands out.

    Columns of a group are alike, and stand anywhere in the table.
    """
    generator = np.random.default_rng([FIRST_SEED, seed])
    common = generator.standard_normal((ROWS, GROUPS, 1))
    X = np.sqrt(ALIKE) * common + np.sqrt(1 - ALIKE) * generator.standard_normal((ROWS, GROUPS, WIDTH))
    relevant = np.sort(generator.choice(GROUPS, RELEVANT, replace=False))
    parts = np.einsum("rgw,gw->rg", X[:, relevant], generator.standard_normal((RELEVANT, WIDTH)))
    signal = (parts / parts.std(axis=0)).sum(axis=1) / np.sqrt(RELEVANT)
    y = (signal + NOISE * generator.standard_normal(ROWS) > 0).astype(np.int64)
    order = generator.permutation(GROUPS * WIDTH)
    groups = np.repeat(np.arange(GROUPS), WIDTH)[order]
    return Grouped(X.reshape(ROWS, -1)[:, order], y, groups, relevant)


def ask_grouped(trial: Trial, settings: dict[str, Any]) -> Values:
    """Return which share of the relevant groups is among as many that a method chooses."""
    study = draw_groups(trial.seed + 1)
    with method_clock() as clock:
        chosen = _chosen(trial.method, study, trial.seed, settings)
    return {**clock, "found": float(np.isin(study.relevant, chosen).mean())}


def _chosen(method: str, study: Grouped, seed: int, settings: dict[str, Any]) -> Places:
    """Return as many groups as matter, best first, as a method has them."""
    if method == FILTER:
        scores = _multiple_correlations(study)
    elif method == LASSONET:
        scores = _lassonet(study, seed)
    else:
        told: dict[str, Any] = {"feature_groups": study.groups} if method == TOLD else {}
        number = RELEVANT if told else RELEVANT * WIDTH
        selector = SNeLClassifier(number, random_state=seed, **told, **settings).fit(study.X, study.y)
        scores = -selector.ranking_.astype(np.float64)
    best = np.array([scores[study.groups == group].max() for group in range(GROUPS)])
    return np.argsort(-best, kind="stable")[:RELEVANT]


def _multiple_correlations(study: Grouped) -> Floats:
    """Return for every column the multiple correlation of its group with the target."""
    Z = (study.X - study.X.mean(axis=0)) / study.X.std(axis=0)
    goal = (study.y - study.y.mean()) / study.y.std()
    scores = np.empty(len(study.groups))
    for group in range(GROUPS):
        own = study.groups == group
        across = directions(Z[:, own], np.full(ROWS, 1 / ROWS))
        scores[own] = np.linalg.norm(goal @ across) / ROWS
    return scores


def _lassonet(study: Grouped, seed: int) -> Floats:
    """Return the penalty at which LassoNet, told of the groups and at its own settings, drops each column."""
    lassonet = require("lassonet", "bench", "The rival 'LassoNet'")
    Z = (study.X - study.X.mean(axis=0)) / study.X.std(axis=0)
    groups = [np.flatnonzero(study.groups == group).tolist() for group in range(GROUPS)]
    model = lassonet.LassoNetClassifier(groups=groups, random_state=seed, torch_seed=seed, verbose=0)
    model.path(Z.astype(np.float32), study.y)
    return np.asarray(model.feature_importances_, dtype=np.float64)
