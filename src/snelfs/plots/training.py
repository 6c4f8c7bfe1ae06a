"""Plots of how a fit went: penalty weights, losses and penalties over epochs, and scores by size."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
from sklearn.base import is_classifier

from snelfs.engine.history import History
from snelfs.estimators.base import SNeLSelector
from snelfs.estimators.survival import SNeLSurvival
from snelfs.foundation.checks import ArgumentError, count, each_of
from snelfs.foundation.sentences import Argument, Sentence
from snelfs.foundation.types import Ints, Reals
from snelfs.plots.inputs import fitted
from snelfs.plots.style import (
    BLUE,
    GREEN,
    POINTS,
    VERMILION,
    Style,
    axes_or_new,
    inches,
    ink,
    key,
    panels,
    text_size,
    tidy,
)
from snelfs.search.feature_count import Curve

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

# Steps along the epochs: more than these a page cannot show, and a file need not hold.
STEPS = 300

LINE = 1.0  # points


class Course(NamedTuple):
    """Values along the epochs, summed up in steps."""

    epoch: Reals
    low: Reals
    middle: Reals
    high: Reals


def course(values: Reals, steps: int = STEPS) -> Course:
    """Return median and the middle 80 % of values (restarts, epochs), over the restarts and within steps."""
    finite = np.where(np.isfinite(values), values, np.nan)
    parts = np.array_split(np.arange(finite.shape[1]), min(steps, finite.shape[1]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # a step without a number is a gap in the line
        table = np.array([np.nanquantile(finite[:, part], [0.1, 0.5, 0.9]) for part in parts])
    return Course(np.array([part.mean() for part in parts]), *table.T)


@dataclass(frozen=True, eq=False)
class TrainingDisplay:
    """The course of a training: cycles of the penalty weights, losses, and penalties a neuron.

    Parameters
    ----------
    history : History
        What every epoch was trained with and how its models measured.
    best_epoch : ndarray of int, shape (restarts,)
        Index of each restart's best epoch; -1 is none.
    penalty_limit : float
        Up to which both penalties admit an epoch.
    """

    history: History
    best_epoch: Ints
    penalty_limit: float

    @classmethod
    def from_estimator(cls, estimator: SNeLSelector) -> Self:
        """Take the deciding round of a fitted selector."""
        selector = fitted(estimator)
        return cls(selector.history_, selector.best_epoch_, float(selector.penalty_limit))

    def plot(self, ax: Axes | None = None, *, epochs: tuple[int, int] | None = None, **kwargs: Any) -> Axes:
        """Draw three panels over the epochs: the middle 80 % of restarts as a band, the median as a line.

        Parameters
        ----------
        ax : Axes, optional
            Where to draw; by default a new figure. The panels are its `child_axes`.
        epochs : (first, last), optional
            Which epochs to show; by default all.
        **kwargs
            For the lines of losses and penalties, as `Axes.plot` takes them.
        """
        ax = axes_or_new(ax, 5.0)
        first, last = _epoch_range(epochs, self.history.n_epochs)
        size = text_size(ax)
        top, middle, bottom = grid = panels(ax, 3, 1, (2.2 * size, 0))
        self._draw_weights(top, slice(first, last), size)
        self._draw_losses(middle, slice(first, last), size, kwargs)
        self._draw_penalties(bottom, slice(first, last), size, kwargs)
        for panel in grid:
            panel.set_xlim(first - 0.015 * (last - first), last - 1 + 0.015 * (last - first))
            tidy(panel, size)
            panel.tick_params(labelbottom=panel is bottom)
            panel.yaxis.set_major_locator(_few_ticks())
        ax.figure.align_ylabels(grid)
        bottom.set_xlabel("epoch")
        return ax

    def _draw_weights(self, ax: Axes, which: slice, size: float) -> None:
        lambda_s, lambda_a = self.history.lambda_s[which], self.history.lambda_a[which]
        epochs = np.arange(which.start, which.stop)
        one = lambda_a if lambda_a.ndim == 1 else lambda_a[:, 0]
        cycles = int((np.diff(np.sign(np.diff(one))) < 0).sum())
        handles: list[Artist] = list(ax.plot(epochs, lambda_s, color=BLUE, lw=1.4 * LINE, zorder=3)[:1])
        # Less than two points for a cycle would be a block of ink that pretends to be a line.
        if cycles * 2 > inches(ax)[0] * POINTS:
            handles.append(ax.fill_between(epochs, one.min(), one.max(), color=VERMILION, alpha=0.3, lw=0))
        else:
            handles += ax.plot(epochs, lambda_a, color=VERMILION, lw=0.5 * LINE)[:1]
        key(
            ax,
            handles,
            [r"$\lambda_S$", rf"$\lambda_A$ ({cycles:,} cycles)" if cycles > 1 else r"$\lambda_A$"],
            size,
        )
        ax.set_ylim(bottom=0)
        ax.set_ylabel("weight")

    def _draw_losses(self, ax: Axes, which: slice, size: float, style: Style) -> None:
        history = self.history
        shade = self._shade_admitted(ax, which)
        handles = [
            _draw_course(ax, history.train_loss[:, which], which.start, BLUE, style),
            _draw_course(ax, history.validation_loss[:, which], which.start, VERMILION, style),
        ]
        restarts = np.flatnonzero((self.best_epoch >= which.start) & (self.best_epoch < which.stop))
        best = self.best_epoch[restarts]
        losses = history.validation_loss[restarts, best]
        marks: Style = {
            "s": 2.2 * size,
            "facecolors": "none",
            "edgecolors": ink(),
            "linewidths": 0.8,
            "zorder": 4,
        }
        handles += [ax.scatter(best, losses, **marks), shade]
        key(ax, handles, ["training", "validation", "best epochs", "admitted"], size)
        # The fall of the first epochs is left to the upper edge: all that follows would be flat beside it.
        later = slice(which.start + (which.stop - which.start) // 25, which.stop)
        ax.set_ylim(
            0, 1.1 * _highest([history.train_loss[:, later], history.validation_loss[:, later]], losses)
        )
        ax.set_ylabel("loss")

    def _draw_penalties(self, ax: Axes, which: slice, size: float, style: Style) -> None:
        self._shade_admitted(ax, which)
        handles = [
            _draw_course(ax, values[:, which], which.start, colour, style)
            for values, colour in (
                (self.history.sum_penalty, BLUE),
                (self.history.variance_penalty, VERMILION),
            )
        ]
        limit = ax.axhline(self.penalty_limit, color=ink(0.8), lw=0.8, ls=(0, (4, 2)))
        words = [r"$\Omega_S$", r"$\Omega_A$", f"limit {self.penalty_limit:g}"]
        key(ax, [*handles, limit], words, size)
        both = [self.history.sum_penalty[:, which], self.history.variance_penalty[:, which]]
        ax.set_ylim(0, 1.1 * _highest(both, np.array([self.penalty_limit])))
        ax.set_ylabel("penalty / neuron")

    def _shade_admitted(self, ax: Axes, which: slice) -> Artist:
        """Shade epochs by the share of restarts that they are admitted in."""
        from matplotlib.colors import to_rgb
        from matplotlib.patches import Patch

        admitted = self.history.admitted[:, which].mean(axis=0)
        parts = np.array_split(admitted, min(STEPS, len(admitted)))
        shade = np.empty((1, len(parts), 4))
        shade[..., :3], shade[..., 3] = to_rgb(GREEN), [0.22 * part.mean() for part in parts]
        ax.imshow(
            shade,
            extent=(which.start, max(which.stop - 1, which.start + 1), 0, 1),
            transform=ax.get_xaxis_transform(),
            aspect="auto",
            interpolation="nearest",
            zorder=0,
        )
        return Patch(facecolor=GREEN, alpha=0.22)


def _epoch_range(epochs: tuple[int, int] | None, n_epochs: int) -> tuple[int, int]:
    if epochs is None:
        return 0, n_epochs
    ends = tuple(epochs) if isinstance(epochs, tuple | list) else ()
    each = each_of("epochs")
    if len(ends) != 2 or not 0 <= count(each, ends[0], 0) < count(each, ends[1], 0):
        raise ArgumentError("epochs", f"must be a pair (first, last) with 0 <= first < last, got {epochs!r}.")
    if ends[0] >= n_epochs:
        raise ArgumentError("epochs", f"must begin below {n_epochs}, the epochs trained, got {epochs!r}.")
    return ends[0], min(ends[1], n_epochs)


def _highest(courses: list[Reals], marks: Reals) -> float:
    """Return the largest value that is drawn, as a band or as a mark."""
    drawn = np.concatenate([*(course(values).high for values in courses), marks])
    return max(float(drawn.max(initial=0, where=np.isfinite(drawn))), 1e-9)


def _few_ticks() -> Any:
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(nbins=3, min_n_ticks=2)


def _draw_course(ax: Axes, values: Reals, first: int, colour: str, style: Style) -> Artist:
    epoch, low, middle, high = course(values)
    ax.fill_between(first + epoch, low, high, color=colour, alpha=0.25, lw=0)
    look: Style = {"color": colour, "lw": LINE}
    return ax.plot(first + epoch, middle, **look | style)[0]


# -- how many features ------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class SizeDisplay:
    """Scores on held-out rows by the number of features, and the number chosen.

    Parameters
    ----------
    curve : Curve
        Means and standard errors by the number of features.
    score : str
        What the score is called.
    """

    curve: Curve
    score: str = "score"

    @classmethod
    def from_estimator(cls, estimator: SNeLSelector) -> Self:
        """Take the curve of a selector that was fitted with ``n_features_to_select="auto"``."""
        selector = fitted(estimator)
        if not hasattr(selector, "n_features_curve_"):
            asked = selector.n_features_to_select
            raise ValueError(
                Sentence(
                    "the curve needs a fit with ",
                    Argument("n_features_to_select"),
                    f"='auto', got {asked!r}.",
                )
            )
        numbers = "c-index" if isinstance(selector, SNeLSurvival) else "R²"
        return cls(selector.n_features_curve_, "balanced accuracy" if is_classifier(selector) else numbers)

    def plot(self, ax: Axes | None = None, **kwargs: Any) -> Axes:
        """Draw means with one standard error either side; the chosen number is filled and named.

        Parameters
        ----------
        ax : Axes, optional
            Where to draw; by default a new figure.
        **kwargs
            For the line and its bars, as `Axes.errorbar` takes them.
        """
        ax = axes_or_new(ax, 3.2)
        size, (numbers, mean, error, chosen) = text_size(ax), self.curve
        best = int(np.argmax(mean))
        bars: Style = {
            "color": BLUE,
            "lw": LINE,
            "elinewidth": 0.8,
            "marker": "o",
            "ms": 0.5 * size,
            "mfc": "none",
        }
        ax.errorbar(numbers, mean, error, **bars | kwargs)
        ax.axhline(mean[best] - error[best], color=ink(0.6), lw=0.8, ls=(0, (4, 2)))
        near: Style = {"size": size, "color": ink(0.75), "textcoords": "offset points"}
        # At the left, where the curve is still far below.
        level = mean[best] - error[best]
        ax.annotate("best − 1 s.e.", (0, level), (2, 2), xycoords=ax.get_yaxis_transform(), **near)
        height = mean[np.flatnonzero(numbers == chosen)[0]]
        ax.plot(chosen, height, "o", color=VERMILION, ms=0.75 * size, zorder=4)
        ax.axvline(chosen, color=VERMILION, lw=0.8, alpha=0.5)
        ax.annotate(f"{chosen} chosen", (chosen, 0), (3, 3), xycoords=ax.get_xaxis_transform(),
                    **near | {"color": VERMILION})  # fmt: skip
        _number_axis(ax, numbers)
        ax.set_ylabel(f"{self.score} on held-out rows\n(mean ± standard error)")
        ax.set_xlabel("number of features")
        tidy(ax, size)
        return ax


def _number_axis(ax: Axes, numbers: Ints) -> None:
    """Count in factors, as the numbers tried do, and name them as long as there is room."""
    from matplotlib.ticker import NullLocator

    ax.set_xscale("log")
    ax.set_xticks(numbers, [str(number) for number in numbers])
    ax.xaxis.set_minor_locator(NullLocator())
    ax.set_xlim(0.85 * numbers[0], 1.18 * numbers[-1])
