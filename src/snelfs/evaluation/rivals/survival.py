"""Rivals for censored times alone: one column at a time by Cox's model, and its L1 path."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from snelfs.data.censored import likelihood_of, read_survival
from snelfs.data.partial_likelihood import PartialLikelihood
from snelfs.foundation.blocks import column_blocks
from snelfs.foundation.types import Floats, Places

# Of the path: penalties, from the one that lets no column in to a thousandth of it, and steps at each.
PENALTIES = 60
STEPS = 60


def univariate_cox(X: Floats, y: NDArray[np.void], n_features: int) -> Places:
    """Return the columns of the largest score tests, the ones of Cox's model with that column alone.

    Examples
    --------
    >>> from snelfs.datasets import make_survival
    >>> X, y, relevant = make_survival(200, 30, random_state=0)
    >>> len(set(univariate_cox(X, y, 5)) & set(relevant)) >= 4
    True
    """
    return np.argsort(-score_tests(X, y), kind="stable")[:n_features]


def score_tests(X: Floats, y: NDArray[np.void]) -> Floats:
    """Return the absolute score over its standard error of every column at a coefficient of zero."""
    likelihood = likelihood_of(read_survival(y))
    residuals = likelihood.residuals()
    scores = np.zeros(X.shape[1])
    for block in column_blocks(*X.shape):
        columns = X[:, block] - X[:, block].mean(axis=0)
        spread = np.sqrt(likelihood.spreads(columns))
        scores[block] = np.abs(columns.T @ residuals) / np.where(spread > 1e-12, spread, np.inf)
    return scores


def l1_cox(X: Floats, y: NDArray[np.void], n_features: int) -> Places:
    """Return the columns in the order in which they enter the L1 path of Cox's linear model.

    The path is followed by accelerated proximal steps until it holds so many columns; those that enter at one
    penalty come by the size of their coefficients. If it ends before, single columns fill the list up.
    """
    likelihood = likelihood_of(read_survival(y))
    deviation = X.std(axis=0)
    Z = (X - X.mean(axis=0)) / np.where(deviation > 0, deviation, np.inf)
    beta = np.zeros(X.shape[1])
    largest = float(np.abs(_slope(Z, likelihood, beta)[1]).max())
    found: list[int] = []
    for penalty in largest * np.geomspace(0.97, 0.001, PENALTIES):
        beta = _proximal(Z, likelihood, beta, penalty)
        entered = np.flatnonzero(beta)
        fresh = entered[~np.isin(entered, found)]
        found += fresh[np.argsort(-np.abs(beta[fresh]), kind="stable")].tolist()
        if len(found) >= n_features:
            return np.array(found[:n_features], dtype=np.intp)
    rest = [column for column in univariate_cox(X, y, X.shape[1]).tolist() if column not in set(found)]
    return np.array((found + rest)[:n_features], dtype=np.intp)


def _slope(Z: Floats, likelihood: PartialLikelihood, beta: Floats) -> tuple[float, Floats]:
    loss, slope = likelihood.loss_and_slope(Z @ beta)
    return loss / likelihood.n_events, Z.T @ slope / likelihood.n_events


def _proximal(Z: Floats, likelihood: PartialLikelihood, beta: Floats, penalty: float) -> Floats:
    """Return the coefficients at one penalty, from those at the one before."""
    size, ahead, momentum = 1.0, beta, 1.0
    for _ in range(STEPS):
        loss, slope = _slope(Z, likelihood, ahead)
        while True:
            moved = ahead - size * slope
            new = np.sign(moved) * np.maximum(np.abs(moved) - size * penalty, 0)
            step = new - ahead
            bound = loss + slope @ step + step @ step / (2 * size)
            if _slope(Z, likelihood, new)[0] <= bound + 1e-12 or size < 1e-8:
                break
            size /= 2
        following = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        ahead = new + (momentum - 1) / following * (new - beta)
        settled = np.abs(new - beta).max() < 1e-5
        beta, momentum = new, following
        if settled:
            break
    return beta
