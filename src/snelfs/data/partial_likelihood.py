"""The partial likelihood of censored times in double precision: value, slope, information, baseline.

For models of few columns, which are fitted once; `snelfs.engine.cox` is what the layer is trained with.
"""

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from snelfs.foundation.types import Flags, Floats, Ints

# A sum of risks below it has left double precision. One over it, added up over all events, has not.
_LEAST = 1e-290


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
    strata : array of int, shape (rows,), optional
        Rows of different ones are in no risk set together: each stratum has a baseline of its own.

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
        strata: Ints | None = None,
    ) -> None:
        self.event = np.asarray(event, dtype=bool)
        self.weights = np.ones(len(self.event)) if weights is None else np.asarray(weights, np.float64)
        self.stratum = np.zeros(len(self.event), np.int64)  # numbered from 0 without gaps
        if strata is not None:
            self.stratum = np.unique(strata, return_inverse=True)[1]
        # The times of one stratum come after those of another, so that one order holds all risk sets.
        self.times, self.place, self.bounds = _in_order(np.asarray(time, np.float64), self.stratum)
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
        top = self._tops(risks)[self.stratum]
        seen = self._at_events(risks - top)
        # Log relative risks far apart leave nothing of a risk set but its logarithm.
        logs = np.log(np.maximum(seen.left, _LEAST)) + top[self.happened]
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
        below = given - self._tops(given)[self.stratum]
        return np.asarray(self.event - np.exp(below) * self._exposure(self._at_events(below)))

    def baseline(self, risks: Floats) -> Baseline:
        """Return Breslow's cumulative hazard of a row of risk zero, given the risks of one stratum's rows."""
        (alone,) = self.baselines(risks)
        return alone

    def baselines(self, risks: Floats) -> list[Baseline]:
        """Return Breslow's cumulative hazard of a row of risk zero in every stratum."""
        tops = self._tops(risks)
        rates = self._at_events(risks - tops[self.stratum]).rates
        summed = self._until_then(np.bincount(self.at, rates, len(self.times)))
        return [
            Baseline(self.times[start:end], summed[start:end] * np.exp(-top))
            for top, (start, end) in zip(tops, pairwise(self.bounds), strict=True)
        ]

    def information(self, X: NDArray[np.floating], risks: Floats) -> Floats:
        """Return the second derivatives of ``-ℓ`` by the coefficients of linear risks, (columns, columns)."""
        X = np.asarray(X, np.float64)
        seen = self._at_events(risks - self._tops(risks)[self.stratum])
        weighted = X * seen.hazards[:, None]
        inside = self._from_then_on(self._summed(weighted))[self.at]
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
        inside = self._from_then_on(self._summed(weighted))[self.at]
        own = self._summed(weighted * self.event[:, None])[self.at]
        means = (inside - self.gone[:, None] * own) / seen.left[:, None]
        second = (weighted * X * self._exposure(seen)[:, None]).sum(axis=0)
        return np.asarray(second - (means**2 * self.shares[:, None]).sum(axis=0))

    def _at_events(self, risks: Floats) -> _AtEvents:
        hazards = self.weights * np.exp(risks)
        n_times = len(self.times)
        left = self._from_then_on(np.bincount(self.place, hazards, n_times))[self.at]
        left = left - self.gone * np.bincount(self.at, hazards[self.happened], n_times)[self.at]
        left = np.maximum(left, _LEAST)
        return _AtEvents(hazards, left, self.shares / left)

    def _summed(self, values: Floats) -> Floats:
        """Return the sums of rows that have the same time."""
        order = np.argsort(self.place, kind="stable")
        first = np.searchsorted(self.place[order], np.arange(len(self.times)))
        return np.asarray(np.add.reduceat(values[order], first, axis=0))

    def _exposure(self, seen: _AtEvents) -> Floats:
        """Return the cumulative hazard that every row was exposed to, for a risk of zero."""
        n_times = len(self.times)
        exposure = self._until_then(np.bincount(self.at, seen.rates, n_times))[self.place]
        spared = np.bincount(self.at, self.gone * seen.rates, n_times)[self.place]
        return np.asarray(exposure - self.event * spared)

    def _tops(self, risks: Floats) -> Floats:
        """Return the largest risk of every stratum."""
        tops = np.full(len(self.bounds) - 1, -np.inf)
        np.maximum.at(tops, self.stratum, risks)
        return tops

    def _until_then(self, values: NDArray[Any]) -> Floats:
        """Return at every time the sum of values at it and at earlier ones of its stratum."""
        parts = [np.cumsum(values[start:end], axis=0) for start, end in pairwise(self.bounds)]
        return np.concatenate(parts, dtype=np.float64)

    def _from_then_on(self, values: NDArray[Any]) -> Floats:
        """Return at every time the sum of values at it and at later ones of its stratum."""
        parts = [np.cumsum(values[start:end][::-1], axis=0)[::-1] for start, end in pairwise(self.bounds)]
        return np.concatenate(parts, dtype=np.float64)


def _in_order(time: Floats, stratum: Ints) -> tuple[Floats, Ints, Ints]:
    """Return the distinct times of all strata, each row's place among them, and where strata begin and end.

    Examples
    --------
    >>> _in_order(np.array([3.0, 1.0, 1.0, 3.0]), np.array([0, 1, 0, 0]))
    (array([1., 3., 1.]), array([1, 2, 0, 1]), array([0, 2, 3]))
    """
    if not stratum.any():
        times, place = np.unique(time, return_inverse=True)
        return times, place, np.array([0, len(times)])
    pairs, place = np.unique(np.stack([stratum, time]), axis=1, return_inverse=True)
    return pairs[1], place.ravel(), np.searchsorted(pairs[0], np.arange(stratum.max() + 2))
