"""Plots of censored times: Kaplan and Meier's curves of low and high risk, and hazard ratios."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from snelfs.data.censored import read_survival, strata_of
from snelfs.data.survival_curves import kaplan_meier, logrank_p, numbers_at_risk
from snelfs.foundation.types import Flags, Floats, Ints, Texts
from snelfs.plots.inputs import check_lengths
from snelfs.plots.style import BLUE, VERMILION, Style, axes_or_new, ink, text_size, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes

GROUPS = (("low risk", BLUE), ("high risk", VERMILION))


@dataclass(frozen=True, eq=False)
class SurvivalDisplay:
    """Kaplan and Meier's curves of the rows of low and of high risk, with the numbers at risk.

    Parameters
    ----------
    event : ndarray of bool, shape (rows,)
        True where the event was observed.
    time : ndarray of float, shape (rows,)
    high : ndarray of bool, shape (rows,)
        Which rows are of high risk.
    time_name : str
        What the time is called.
    strata : ndarray of int, shape (rows,), optional
        Within what the log-rank test compares rows.
    """

    event: Flags
    time: Floats
    high: Flags
    time_name: str = "time"
    strata: Ints | None = None

    def __post_init__(self) -> None:
        check_lengths(self, "event", "time", "high")

    @classmethod
    def from_risks(cls, y: Any, risks: ArrayLike, *, time_name: str = "time") -> Self:
        """Split the rows at the median of their risks, which should be of models that have not seen them.

        Parameters
        ----------
        y : structured array or tuple
            Events and times, as `snelfs.survival_target` makes them.
        risks : array-like of shape (rows,)
            Higher is sooner.
        """
        target, values = read_survival(y), np.asarray(risks, np.float64)
        high = values > np.median(values)
        return cls(target["event"], target["time"], high, time_name, strata_of(target))

    @property
    def p_value(self) -> float:
        """That of the log-rank test of the two groups."""
        return logrank_p(self.event, self.time, self.high, self.strata)

    def plot(self, ax: Axes | None = None, **kwargs: Any) -> Axes:
        """Draw a step curve of each group; censored rows are small strokes, numbers at risk stand below.

        Parameters
        ----------
        ax : Axes, optional
            Where to draw; by default a new figure.
        **kwargs
            For the curves, as `Axes.step` takes them.
        """
        ax = axes_or_new(ax, 3.6)
        size = text_size(ax)
        for (name, colour), rows in zip(GROUPS, (~self.high, self.high), strict=True):
            self._draw_curve(ax, rows, f"{name} ({int(rows.sum())})", colour, kwargs)
        ax.set_ylim(0, 1.03)
        ax.set_xlim(0, max(float(self.time.max()), 1e-12))
        self._write_numbers(ax, size)
        ax.set_ylabel("share without event")
        ax.legend(loc="upper right", fontsize=size, frameon=False)
        within = "" if self.strata is None else "stratified "
        tidy(ax, size, f"{within}log-rank p = {self.p_value:.2g}")
        return ax

    def _draw_curve(self, ax: Axes, rows: Flags, name: str, colour: str, style: Style) -> None:
        if not rows.any():
            return
        curve = kaplan_meier(self.event[rows], self.time[rows])
        look: Style = {"where": "post", "color": colour, "lw": 1.4, "label": name}
        ax.step([0, *curve.times], [1, *curve.survival], **look | style)
        ended = np.sort(self.time[rows][~self.event[rows]])
        ax.plot(ended, curve.at(ended), "|", color=colour, ms=5, alpha=0.7)

    def _write_numbers(self, ax: Axes, size: float) -> None:
        """Write below each tick how many rows of each group are still at risk."""
        ticks = np.array([tick for tick in ax.get_xticks() if 0 <= tick <= self.time.max()])
        ax.set_xticks(ticks)
        low, high = (numbers_at_risk(self.time[rows], ticks) for rows in (~self.high, self.high))
        labels = [f"{tick:g}\n{a}\n{b}" for tick, a, b in zip(ticks, low, high, strict=True)]
        ax.set_xticklabels(labels, fontsize=size)
        ax.set_xlabel(f"{self.time_name}; below it the numbers at risk, low and high")


@dataclass(frozen=True, eq=False)
class HazardDisplay:
    """Hazard ratios of columns, one at a time, with their intervals.

    Parameters
    ----------
    names : ndarray of str
        The columns, best first.
    ratios, low, high : ndarray of float
        Hazard ratio of one standard deviation, and the ends of its 95 % interval.
    """

    names: Texts
    ratios: Floats
    low: Floats
    high: Floats

    def __post_init__(self) -> None:
        check_lengths(self, "names", "ratios", "low", "high")

    def plot(self, ax: Axes | None = None, **kwargs: Any) -> Axes:
        """Draw a dot and a bar for each column, the best on top; the line is a ratio of 1.

        Parameters
        ----------
        ax : Axes, optional
            Where to draw; by default a new figure.
        **kwargs
            For the dots and bars, as `Axes.errorbar` takes them.
        """
        ax = axes_or_new(ax, max(2.0, 0.6 + 0.22 * len(self.names)))
        size = text_size(ax, len(self.names))
        places = np.arange(len(self.names))[::-1]
        reach = np.stack([self.ratios - self.low, self.high - self.ratios])
        look: Style = {"fmt": "o", "color": BLUE, "ms": 0.5 * size, "elinewidth": 1.0}
        ax.axvline(1, color=ink(0.6), lw=0.8)
        ax.errorbar(self.ratios, places, xerr=reach, **look | kwargs)
        _ratio_axis(ax, float(self.low.min()), float(self.high.max()))
        ax.set_ylim(-0.6, len(self.names) - 0.4)
        # A dollar would begin a formula.
        ax.set_yticks(places, [str(name).replace("$", r"\$") for name in self.names])
        ax.set_xlabel("hazard ratio of one standard deviation (95 % interval)")
        tidy(ax, size)
        return ax


def _ratio_axis(ax: Axes, low: float, high: float) -> None:
    """Count in factors, with the plain numbers that people know ratios by."""
    from matplotlib.ticker import NullLocator

    ax.set_xscale("log")
    known = np.array([digit * 10.0**power for power in range(-3, 4) for digit in (1, 2, 5)])
    within = known[(known >= min(low, 0.5)) & (known <= max(high, 2))]
    ax.set_xticks(within, [f"{ratio:g}" for ratio in within])
    ax.xaxis.set_minor_locator(NullLocator())
    ax.set_xlim(0.9 * min(low, 0.5), 1.1 * max(high, 2))
