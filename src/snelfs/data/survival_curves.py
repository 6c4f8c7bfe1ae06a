"""Kaplan and Meier's curves of censored times, numbers at risk, and the log-rank test."""

from typing import NamedTuple

import numpy as np
from scipy.stats import chi2

from snelfs.data.partial_likelihood import PartialLikelihood
from snelfs.foundation.types import Flags, Floats, Ints


class KaplanMeier(NamedTuple):
    """Hold the estimated share of rows without event: 1 at first, and a step down at each time.

    Attributes
    ----------
    times : ndarray of float
        The distinct times, rising.
    survival : ndarray of float
        The share at each time and until the next.
    """

    times: Floats
    survival: Floats

    def at(self, times: Floats) -> Floats:
        """Return the share at some times."""
        place = np.searchsorted(self.times, times, side="right")
        return np.asarray(np.concatenate([[1.0], self.survival])[place])

    def before(self, times: Floats) -> Floats:
        """Return the share just before some times."""
        place = np.searchsorted(self.times, times, side="left")
        return np.asarray(np.concatenate([[1.0], self.survival])[place])


def kaplan_meier(event: Flags, time: Floats) -> KaplanMeier:
    """Return the share of rows without event over time, from rows of which some are censored.

    Examples
    --------
    >>> curve = kaplan_meier(np.array([True, False, True]), np.array([1.0, 2.0, 3.0]))
    >>> curve.survival.round(2).tolist(), curve.at(np.array([0.5, 1.0, 9.0])).round(2).tolist()
    ([0.67, 0.67, 0.0], [1.0, 0.67, 0.0])
    """
    times, place = np.unique(time, return_inverse=True)
    died = np.bincount(place, event, len(times))
    at_risk = np.cumsum(np.bincount(place, minlength=len(times))[::-1])[::-1]
    return KaplanMeier(times, np.asarray(np.cumprod(1 - died / at_risk), np.float64))


def censoring_curve(event: Flags, time: Floats) -> KaplanMeier:
    """Return the share of rows still under observation if there were no events.

    A row that had its event at the time at which another was censored had it before.
    """
    times, place = np.unique(time, return_inverse=True)
    died, ended = np.bincount(place, event, len(times)), np.bincount(place, ~event, len(times))
    at_risk = np.cumsum((died + ended)[::-1])[::-1] - died
    return KaplanMeier(times, np.asarray(np.cumprod(1 - ended / np.maximum(at_risk, 1)), np.float64))


def numbers_at_risk(time: Floats, at: Floats) -> Ints:
    """Return how many rows are still under observation at some times.

    Examples
    --------
    >>> numbers_at_risk(np.array([1.0, 2.0, 2.0, 5.0]), np.array([0.0, 2.0, 3.0])).tolist()
    [4, 3, 1]
    """
    return np.asarray((np.asarray(time)[:, None] >= at).sum(axis=0), dtype=np.int64)


def logrank_p(event: Flags, time: Floats, group: Flags, strata: Ints | None = None) -> float:
    """Return the p-value of the log-rank test of two groups: NaN if there is nothing to compare.

    With strata it is the stratified one: rows are compared within each.

    Examples
    --------
    >>> time = np.arange(20.0)
    >>> bool(logrank_p(np.ones(20, bool), time, time < 10) < 1e-4)
    True
    """
    codes = np.zeros(len(time), np.int64) if strata is None else strata
    parts = [
        _logrank(event[own], time[own], group[own]) for own in (codes == code for code in np.unique(codes))
    ]
    surplus, variance = np.sum(parts, axis=0)
    return float(chi2.sf(surplus**2 / variance, 1)) if variance > 0 else float("nan")


def _logrank(event: Flags, time: Floats, group: Flags) -> tuple[float, float]:
    """Return how many more events a group had than was to be expected, and the variance of that."""
    times, place = np.unique(time, return_inverse=True)
    n_times = len(times)

    def at_risk(some: Flags) -> Floats:
        return np.cumsum(np.bincount(place[some], minlength=n_times)[::-1])[::-1].astype(np.float64)

    everyone, own = at_risk(np.ones(len(time), bool)), at_risk(group)
    died = np.bincount(place, event, n_times)
    share = own / everyone
    surplus = event[group].sum() - (died * share).sum()
    spared = np.where(everyone > 1, (everyone - died) / np.maximum(everyone - 1, 1), 0)
    return float(surplus), float((died * share * (1 - share) * spared).sum())


class CoxModel(NamedTuple):
    """Hold the coefficients of a linear model of log relative risks, and their standard errors."""

    coefficients: Floats
    errors: Floats


def fit_cox(X: Floats, likelihood: PartialLikelihood, ridge: float = 1e-6) -> CoxModel:
    """Fit Cox's linear model with a ridge penalty by Newton's steps, halved where they go too far.

    Parameters
    ----------
    X : array of shape (rows, columns)
        Columns of about the same scale.
    ridge : float, default=1e-6
        The penalty is half of it times the squared coefficients, by event. A little keeps the coefficients of
        a column finite that puts all events in order.

    Examples
    --------
    >>> X = np.array([[0.0], [1.0], [0.0], [1.0], [1.0], [0.0]])
    >>> likelihood = PartialLikelihood(np.ones(6, bool), np.array([5.0, 1.0, 4.0, 3.5, 2.0, 3.0]))
    >>> bool(fit_cox(X, likelihood).coefficients[0] > 0)  # rows with a 1 have their events sooner
    True
    """
    columns = np.asarray(X, np.float64)
    strength = ridge * likelihood.n_events
    beta = np.zeros(columns.shape[1])

    def objective(at: Floats) -> tuple[float, Floats]:
        loss, slope = likelihood.loss_and_slope(columns @ at)
        return loss + strength / 2 * float(at @ at), columns.T @ slope + strength * at

    value, slope = objective(beta)
    for _ in range(30):
        second = likelihood.information(columns, columns @ beta) + strength * np.eye(len(beta))
        step = np.linalg.solve(second, slope)
        size = min(1.0, 5.0 / max(np.abs(step).max(initial=0.0), 1e-12))
        for _ in range(20):
            further, its_slope = objective(beta - size * step)
            if further <= value:
                break
            size /= 2
        else:
            break
        settled = value - further < 1e-9 * abs(value)
        beta, value, slope = beta - size * step, further, its_slope
        if settled:
            break
    second = likelihood.information(columns, columns @ beta) + strength * np.eye(len(beta))
    return CoxModel(beta, np.sqrt(np.diag(np.linalg.inv(second))))
