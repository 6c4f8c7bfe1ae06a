"""How a selection for censored times is judged: a ridge Cox model, neighbours, c-index and Brier score."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from sklearn.neighbors import NearestNeighbors

from snelfs.data.censored import strata_of
from snelfs.data.concordance import concordance
from snelfs.data.partial_likelihood import Baseline, PartialLikelihood
from snelfs.data.splits import draw_folds
from snelfs.data.survival_curves import censoring_curve, fit_cox, kaplan_meier
from snelfs.foundation.types import Floats, Ints, Places

SURVIVAL_MODELS = ("ridge Cox", "kNN")
NEIGHBOURS = 15
RIDGES = (0.03, 0.3, 3.0, 30.0)  # by event, of columns on the standard scale
MOMENTS = 50  # at which the Brier score is taken


def judge_survival(
    X: Floats, y: NDArray[np.void], train: Places, test: Places, seed: int
) -> dict[str, dict[str, float]]:
    """Return c-index and Brier skill of two models on the rows held out.

    The skill is 1 less the integrated Brier score over that of Kaplan and Meier's curve of the training rows,
    which knows no column: 0 is no better than that, and 1 perfect. A c-index of rows that cannot be compared
    is that of chance.

    Parameters
    ----------
    X : array of shape (rows, columns)
        Standardised.
    y : structured array of shape (rows,)
        With the fields "event" and "time". With a third, "stratum", c-indices compare within strata, and the
        curves that know no column, and those of the ridge Cox model, are of each stratum.
    """
    moments, strata = _moments(y["time"][train]), strata_of(y)
    own = None if strata is None else strata[test]
    nothing = integrated_brier_score(y[train], y[test], _knowing_nothing(y, train, test, moments), moments)
    scores = {}
    for name, predict in (("ridge Cox", _ridge_cox), ("kNN", _neighbours)):
        risks, lasting = predict(X, y, train, test, moments, seed)
        index = concordance(y["event"][test], y["time"][test], risks, strata=own)
        brier = integrated_brier_score(y[train], y[test], lasting, moments)
        scores[name] = {
            "c_index": 0.5 if np.isnan(index) else index,
            "brier_skill": 1 - brier / nothing if nothing > 0 else 0.0,
        }
    return scores


def _moments(times: Floats) -> Floats:
    """Return times at which the Brier score is taken: neither the very first nor when few rows are left."""
    low, high = np.quantile(times, [0.05, 0.8])
    return np.linspace(low, high, MOMENTS)


def integrated_brier_score(
    train: NDArray[np.void], test: NDArray[np.void], lasting: Floats, moments: Floats
) -> float:
    """Return the mean over time of the Brier score, with rows weighted for those that were censored.

    A row that had its event before a moment counts by the inverse chance to be observed until just before it,
    and one still observed then by the inverse chance to be so (Graf and others, 1999).

    Parameters
    ----------
    train : structured array
        Rows from which the distribution of censoring is known.
    test : structured array of shape (rows,)
    lasting : array of shape (rows, moments)
        Predicted probabilities to be without event.
    moments : array of float
        Rising.
    """
    observed = censoring_curve(train["event"], train["time"])
    until_event = np.maximum(observed.before(test["time"]), 1e-6)[:, None]
    until_moment = np.maximum(observed.at(moments), 1e-6)
    happened = test["event"][:, None] & (test["time"][:, None] <= moments)
    still = test["time"][:, None] > moments
    errors = happened * lasting**2 / until_event + still * (1 - lasting) ** 2 / until_moment
    span = moments[-1] - moments[0]
    if span <= 0:
        return float(errors.mean())
    return float(np.trapezoid(errors.mean(axis=0), moments) / span)


def _knowing_nothing(y: NDArray[np.void], train: Places, test: Places, moments: Floats) -> Floats:
    """Return Kaplan and Meier's curve of the training rows, those of its stratum, for every row of a test."""
    codes = _codes(y)
    curves = {}
    for code in np.unique(codes[test]).tolist():
        own = train[codes[train] == code]
        own = own if len(own) else train  # of a stratum that nobody saw
        curves[code] = kaplan_meier(y["event"][own], y["time"][own]).at(moments)
    return np.array([curves[code] for code in codes[test].tolist()])


def _codes(y: NDArray[np.void]) -> Ints:
    strata = strata_of(y)
    return np.zeros(len(y), np.int64) if strata is None else strata


def _ridge_cox(
    X: Floats, y: NDArray[np.void], train: Places, test: Places, moments: Floats, seed: int
) -> tuple[Floats, Floats]:
    """Return risks and survival by Cox's linear model, its penalty chosen in folds of the training rows."""
    columns, new = X[train], X[test]
    # Of more columns than rows only what lies along the rows has a coefficient.
    if columns.shape[1] > len(columns):
        _, _, axes = np.linalg.svd(columns, full_matrices=False)
        columns, new = columns @ axes.T, new @ axes.T
    codes = _codes(y)
    likelihood = PartialLikelihood(y["event"][train], y["time"][train], strata=codes[train])
    model = fit_cox(columns, likelihood, _best_ridge(columns, y[train], codes[train], seed))
    known = np.unique(codes[train]).tolist()
    baselines = dict(zip(known, likelihood.baselines(columns @ model.coefficients), strict=True))
    hazards = {code: _hazard(baselines[code], moments) for code in known}
    mean = np.mean(list(hazards.values()), axis=0)
    risks = new @ model.coefficients
    own = np.array([hazards.get(code, mean) for code in codes[test].tolist()])
    return risks, np.exp(-np.exp(np.clip(risks, -50, 50))[:, None] * own)


def _hazard(baseline: Baseline, moments: Floats) -> Floats:
    place = np.searchsorted(baseline.times, moments, side="right")
    return np.asarray(np.concatenate([[0.0], baseline.cumulative])[place])


def _best_ridge(X: Floats, y: NDArray[np.void], strata: Ints, seed: int) -> float:
    """Return the penalty of the least partial likelihood loss of all rows less that of the training rows."""
    fold_of = draw_folds(y["event"].astype(np.int64), 3, seed)
    whole = PartialLikelihood(y["event"], y["time"], strata=strata)
    losses = np.zeros(len(RIDGES))
    for fold in range(fold_of.max() + 1):
        kept = fold_of != fold
        part = PartialLikelihood(y["event"][kept], y["time"][kept], strata=strata[kept])
        for place, ridge in enumerate(RIDGES):
            risks = X @ fit_cox(X[kept], part, ridge).coefficients
            losses[place] += whole.loss_and_slope(risks)[0] - part.loss_and_slope(risks[kept])[0]
    return RIDGES[int(losses.argmin())]


def _neighbours(
    X: Floats, y: NDArray[np.void], train: Places, test: Places, moments: Floats, seed: int
) -> tuple[Floats, Floats]:
    """Return risks and survival by Kaplan and Meier's curve of the nearest rows."""
    del seed
    near = NearestNeighbors(n_neighbors=min(NEIGHBOURS, len(train))).fit(X[train])
    places = train[near.kneighbors(X[test], return_distance=False)]
    lasting = np.array([kaplan_meier(y["event"][own], y["time"][own]).at(moments) for own in places])
    return -lasting.mean(axis=1), lasting
