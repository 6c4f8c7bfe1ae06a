"""The partial likelihood of censored times in double precision: value, slope, information, baseline.

For models of few columns, which are fitted once; `snelfs.engine.cox` is what the layer is trained with.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from snelfs.foundation.types import Flags, Floats


class Baseline(NamedTuple):
    """Hold the cumulative hazard of a row whose log relative risk is zero."""

    times: Floats  # distinct, rising
    cumulative: Floats  # at each of them and until the next


class _AtEvents(NamedTuple):
    """What risk sets add up to at every event, given the risks of all rows."""

    hazards: Floats  # (rows,) weight times relative risk
    left: Floats  # (events,) sum of them over the risk set
    rates: Floats  # (events,) what the event adds to the cumulative hazard


class PartialLikelihood:
    """The partial likelihood of some rows, as a function of their log relative risks.

    Parameters
    ----------
    event : array of bool, shape (rows,)
    time : array of float, shape (rows,)
    weights : array of float, shape (rows,), optional
    ties : {"breslow", "efron"}, default="breslow"
        By Breslow a row of weight 2 is the row twice. Efron's is closer to the exact likelihood where many
        events have equal times.

    Examples
    --------
    Three rows, of which the second is censored. The first event is one of three, the last the only one left:

    >>> likelihood = PartialLikelihood(np.array([True, False, True]), np.array([1.0, 2.0, 3.0]))
    >>> loss, slope = likelihood.loss_and_slope(np.zeros(3))
    >>> bool(np.isclose(loss, np.log(3))), slope.round(2).tolist()
    (True, [-0.67, 0.33, 0.33])
    """

    def __init__(
        self,
        event: Flags,
        time: NDArray[np.floating],
        weights: Floats | None = None,
        ties: str = "breslow",
    ) -> None:
        self.event = np.asarray(event, dtype=bool)
        self.weights = np.ones(len(self.event)) if weights is None else np.asarray(weights, np.float64)
        self.times, self.place = np.unique(np.asarray(time, np.float64), return_inverse=True)
        self.happened = np.flatnonzero(self.event & (self.weights > 0))
        self.at = self.place[self.happened]  # of the events among the times
        self.gone, self.shares = self._by_efron() if ties == "efron" else self._by_breslow()

    def _by_breslow(self) -> tuple[Floats, Floats]:
        """Return that no event leaves the risk set before another of its time, and their weights."""
        return np.zeros(len(self.happened)), self.weights[self.happened]

    def _by_efron(self) -> tuple[Floats, Floats]:
        """Return the share of its time's events gone before each event, and the mean weight of these."""
        counts = np.bincount(self.at, minlength=len(self.times))
        order = np.argsort(self.at, kind="stable")
        before = np.empty(len(self.at))
        before[order] = np.arange(len(self.at)) - (np.cumsum(counts) - counts)[self.at[order]]
        total = np.bincount(self.at, self.weights[self.happened], len(self.times))
        return before / counts[self.at], (total / np.maximum(counts, 1))[self.at]

    @property
    def n_events(self) -> float:
        """The weight of all events."""
        return float(self.weights[self.happened].sum())

    def loss_and_slope(self, risks: Floats) -> tuple[float, Floats]:
        """Return ``-ℓ`` and its derivative by every row's log relative risk."""
        top = risks.max()
        seen = self._at_events(risks - top)
        # Log relative risks far apart leave nothing of a risk set but its logarithm.
        logs = np.log(np.maximum(seen.left, np.finfo(float).tiny)) + top
        loss = float(self.shares @ logs - self.weights[self.happened] @ risks[self.happened])
        return loss, seen.hazards * self._exposure(seen) - self.weights * self.event

    def residuals(self, risks: Floats | None = None) -> Floats:
        """Return martingale residuals: events of a row less those expected; by default without columns.

        Examples
        --------
        >>> PartialLikelihood(np.array([True, True]), np.array([1.0, 2.0])).residuals()
        array([ 0.5, -0.5])
        """
        given = np.zeros(len(self.event)) if risks is None else risks
        seen = self._at_events(given - given.max())
        return np.asarray(self.event - np.exp(given - given.max()) * self._exposure(seen))

    def baseline(self, risks: Floats) -> Baseline:
        """Return Breslow's cumulative hazard of a row of risk zero, given the risks of these."""
        top = risks.max()
        rates = self._at_events(risks - top).rates
        steps = np.bincount(self.at, rates, len(self.times))
        return Baseline(self.times, np.cumsum(steps) * np.exp(-top))

    def information(self, X: NDArray[np.floating], risks: Floats) -> Floats:
        """Return the second derivatives of ``-ℓ`` by the coefficients of linear risks, (columns, columns)."""
        X = np.asarray(X, np.float64)
        seen = self._at_events(risks - risks.max())
        weighted = X * seen.hazards[:, None]
        inside = _from_then_on(self._summed(weighted))[self.at]
        own = weighted * self.event[:, None]
        inside = inside - self.gone[:, None] * self._summed(own)[self.at]
        means = inside / seen.left[:, None]
        second = (weighted * self._exposure(seen)[:, None]).T @ X
        return np.asarray(second - (means * self.shares[:, None]).T @ means)

    def spreads(self, X: NDArray[np.floating]) -> Floats:
        """Return the second derivative of ``-ℓ`` by each column's own coefficient, where all are zero."""
        X = np.asarray(X, np.float64)
        seen = self._at_events(np.zeros(len(X)))
        weighted = X * seen.hazards[:, None]
        inside = _from_then_on(self._summed(weighted))[self.at]
        own = self._summed(weighted * self.event[:, None])[self.at]
        means = (inside - self.gone[:, None] * own) / seen.left[:, None]
        second = (weighted * X * self._exposure(seen)[:, None]).sum(axis=0)
        return np.asarray(second - (means**2 * self.shares[:, None]).sum(axis=0))

    def _at_events(self, risks: Floats) -> _AtEvents:
        hazards = self.weights * np.exp(risks)
        n_times = len(self.times)
        left = _from_then_on(np.bincount(self.place, hazards, n_times))[self.at]
        left = left - self.gone * np.bincount(self.at, hazards[self.happened], n_times)[self.at]
        left = np.maximum(left, np.finfo(float).tiny)
        return _AtEvents(hazards, left, self.shares / left)

    def _summed(self, values: Floats) -> Floats:
        """Return the sums of rows that have the same time."""
        order = np.argsort(self.place, kind="stable")
        first = np.searchsorted(self.place[order], np.arange(len(self.times)))
        return np.asarray(np.add.reduceat(values[order], first, axis=0))

    def _exposure(self, seen: _AtEvents) -> Floats:
        """Return the cumulative hazard that every row was exposed to, for a risk of zero."""
        n_times = len(self.times)
        exposure = np.cumsum(np.bincount(self.at, seen.rates, n_times))[self.place]
        spared = np.bincount(self.at, self.gone * seen.rates, n_times)[self.place]
        return np.asarray(exposure - self.event * spared)


def _from_then_on(values: NDArray[Any]) -> Floats:
    return np.asarray(np.cumsum(values[::-1], axis=0)[::-1], dtype=np.float64)
