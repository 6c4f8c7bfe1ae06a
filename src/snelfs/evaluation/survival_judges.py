"""How a selection for censored times is judged: a ridge Cox model, neighbours, c-index and Brier score."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from sklearn.neighbors import NearestNeighbors

from snelfs.data.concordance import concordance
from snelfs.data.partial_likelihood import PartialLikelihood
from snelfs.data.splits import draw_folds
from snelfs.data.survival_curves import censoring_curve, fit_cox, kaplan_meier
from snelfs.foundation.types import Floats, Places

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
        With the fields "event" and "time".
    """
    moments = _moments(y["time"][train])
    known = kaplan_meier(y["event"][train], y["time"][train]).at(moments)
    nothing = integrated_brier_score(y[train], y[test], np.tile(known, (len(test), 1)), moments)
    scores = {}
    for name, predict in (("ridge Cox", _ridge_cox), ("kNN", _neighbours)):
        risks, lasting = predict(X[train], y[train], X[test], moments, seed)
        index = concordance(y["event"][test], y["time"][test], risks)
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


def _ridge_cox(
    X: Floats, y: NDArray[np.void], new: Floats, moments: Floats, seed: int
) -> tuple[Floats, Floats]:
    """Return risks and survival by Cox's linear model, its penalty chosen in folds of the training rows."""
    # Of more columns than rows only what lies along the rows has a coefficient.
    if X.shape[1] > len(X):
        _, _, axes = np.linalg.svd(X, full_matrices=False)
        X, new = X @ axes.T, new @ axes.T
    ridge = _best_ridge(X, y, seed)
    likelihood = PartialLikelihood(y["event"], y["time"])
    model = fit_cox(X, likelihood, ridge)
    risks = new @ model.coefficients
    baseline = likelihood.baseline(X @ model.coefficients)
    place = np.searchsorted(baseline.times, moments, side="right")
    hazard = np.concatenate([[0.0], baseline.cumulative])[place]
    return risks, np.exp(-np.exp(np.clip(risks, -50, 50))[:, None] * hazard)


def _best_ridge(X: Floats, y: NDArray[np.void], seed: int) -> float:
    """Return the penalty of the least partial likelihood loss of all rows less that of the training rows."""
    fold_of = draw_folds(y["event"].astype(np.int64), 3, seed)
    whole = PartialLikelihood(y["event"], y["time"])
    losses = np.zeros(len(RIDGES))
    for fold in range(fold_of.max() + 1):
        kept = fold_of != fold
        part = PartialLikelihood(y["event"][kept], y["time"][kept])
        for place, ridge in enumerate(RIDGES):
            risks = X @ fit_cox(X[kept], part, ridge).coefficients
            losses[place] += whole.loss_and_slope(risks)[0] - part.loss_and_slope(risks[kept])[0]
    return RIDGES[int(losses.argmin())]


def _neighbours(
    X: Floats, y: NDArray[np.void], new: Floats, moments: Floats, seed: int
) -> tuple[Floats, Floats]:
    """Return risks and survival by Kaplan and Meier's curve of the nearest rows."""
    del seed
    near = NearestNeighbors(n_neighbors=min(NEIGHBOURS, len(X))).fit(X)
    places = near.kneighbors(new, return_distance=False)
    lasting = np.array([kaplan_meier(y["event"][own], y["time"][own]).at(moments) for own in places])
    return -lasting.mean(axis=1), lasting
