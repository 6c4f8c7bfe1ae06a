"""Plots of what a fit found: the ranking, how often restarts picked a column, and the layer itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from snelfs.estimators.base import SNeLSelector
from snelfs.estimators.layers import best_restart
from snelfs.foundation.checks import count
from snelfs.foundation.types import Flags, Reals, Texts
from snelfs.plots.inputs import best_columns, check_lengths, column_names, fitted
from snelfs.plots.style import BLUE, Style, axes_or_new, ink, name_length, shown, text_size, tidy
from snelfs.search.stability import Stability

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROW = 0.2  # inches of a row with a name


def _name_rows(ax: Axes, names: Texts, selected: Flags, size: float) -> None:
    """Write one name a row, the first on top; those not selected are paler."""
    length = name_length(ax, size)
    ax.set_yticks(range(len(names)), [shown(name, length) for name in names])
    ax.tick_params(axis="y", length=0)
    for label, chosen in zip(ax.get_yticklabels(), selected, strict=True):
        label.set_color(ink(1.0 if chosen else 0.6))
    ax.set_ylim(len(names) - 0.4, -0.6)


def _colours(selected: Flags) -> list[Any]:
    return [BLUE if chosen else ink(0.4) for chosen in selected]


# -- the ranking ------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class RankingDisplay:
    """The first columns of a ranking: importance, mean saliency, and how many restarts picked each.

    Parameters
    ----------
    names : ndarray of str, shape (shown,)
        Best first, as are all others.
    importances, saliencies, frequencies : ndarray of shape (shown,)
        The scores that rank, the mean saliencies over the restarts, and the shares of them that picked.
    selected : ndarray of bool, shape (shown,)
        Which columns are selected.
    n_restarts, n_selected, n_columns : int
        How many restarts, selected columns and columns there are in all.
    """

    names: Texts
    importances: Reals
    saliencies: Reals
    frequencies: Reals
    selected: Flags
    n_restarts: int
    n_selected: int
    n_columns: int

    def __post_init__(self) -> None:
        check_lengths(self, "names", "importances", "saliencies", "frequencies", "selected")

    @classmethod
    def from_estimator(cls, estimator: SNeLSelector, *, n_features: int = 20) -> Self:
        """Take the first `n_features` ranks of a fitted selector."""
        selector = fitted(estimator)
        best = best_columns(selector, n_features)
        return cls(
            column_names(selector)[best],
            selector.feature_importances_[best],
            selector.saliencies_.mean(axis=0)[best],
            selector.selection_frequency_[best],
            selector.support_[best],
            len(selector.saliencies_),
            int(selector.support_.sum()),
            len(selector.support_),
        )

    def plot(self, ax: Axes | None = None, **kwargs: Any) -> Axes:
        """Draw a dot for each importance, filled where selected, and a tick for each mean saliency.

        Parameters
        ----------
        ax : Axes, optional
            Where to draw; by default a new figure.
        **kwargs
            For the dots, as `Axes.scatter` takes them.
        """
        n = len(self.names)
        ax = axes_or_new(ax, 1.0 + ROW * n)
        size, rows, colours = text_size(ax, n), np.arange(n), _colours(self.selected)
        # Hollow dots hide the ends of their lines.
        fill = [BLUE if chosen else ax.get_facecolor() for chosen in self.selected]
        ax.hlines(rows, 0, self.importances, color=colours, lw=1.2)
        dots: Style = {
            "s": 2.6 * size,
            "color": fill,
            "edgecolors": colours,
            "linewidths": 1.0,
            "zorder": 3,
            "clip_on": False,
        }
        ax.scatter(self.importances, rows, **dots | kwargs)
        ax.scatter(self.saliencies, rows, s=4 * size, marker="|", color=ink(0.8), lw=1.0, zorder=4)
        for row, share in enumerate(self.frequencies):
            picked = f"{round(share * self.n_restarts)}/{self.n_restarts}"
            ax.text(1.0, row, picked, size=0.9 * size, va="center", ha="right", color=ink(0.75),
                    transform=ax.get_yaxis_transform())  # fmt: skip
        _name_rows(ax, self.names, self.selected, size)
        ax.set_xlim(0, 1.2 * max(self.importances.max(), self.saliencies.max(), 1e-9))
        ax.set_xlabel("importance (●), mean saliency (|)")
        ax.set_title("picked by", loc="right", size=0.9 * size, color=ink(0.75))
        tidy(ax, size, f"{self.n_selected:,} of {self.n_columns:,} columns selected")
        return ax


# -- how often restarts pick a column ---------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class FrequencyDisplay:
    """How often restarts pick the columns they pick most often, and how much they agree in all.

    Parameters
    ----------
    names : ndarray of str, shape (shown,)
        Most often picked first, as are the next two.
    frequencies : ndarray of shape (shown,)
        Share of the restarts that have the column among their best.
    selected : ndarray of bool, shape (shown,)
        Which columns are selected.
    n_restarts : int
        How many restarts there are.
    stability : Stability
        The index of their agreement with its interval.
    """

    names: Texts
    frequencies: Reals
    selected: Flags
    n_restarts: int
    stability: Stability

    def __post_init__(self) -> None:
        check_lengths(self, "names", "frequencies", "selected")

    @classmethod
    def from_estimator(cls, estimator: SNeLSelector, *, n_features: int = 20) -> Self:
        """Take up to `n_features` columns, those that most restarts pick first; others only if selected."""
        selector = fitted(estimator)
        order = np.lexsort((selector.ranking_, -selector.selection_frequency_))
        matters = (selector.selection_frequency_ > 0) | selector.support_
        most = order[matters[order]][: count("n_features", n_features, 1)]
        return cls(
            column_names(selector)[most],
            selector.selection_frequency_[most],
            selector.support_[most],
            len(selector.saliencies_),
            selector.stability_,
        )

    @property
    def words(self) -> str:
        """The agreement in words."""
        value, low, high = self.stability
        if not np.isfinite(value):
            return "stability of the restarts: not defined"
        return f"stability of {self.n_restarts} restarts {value:.2f}\n(95 % interval {low:.2f} to {high:.2f})"

    def plot(self, ax: Axes | None = None, **kwargs: Any) -> Axes:
        """Draw a bar for each column; those not selected are hollow.

        Parameters
        ----------
        ax : Axes, optional
            Where to draw; by default a new figure.
        **kwargs
            For the bars, as `Axes.barh` takes them.
        """
        n = len(self.names)
        ax = axes_or_new(ax, 1.1 + ROW * n)
        size, colours = text_size(ax, n), _colours(self.selected)
        fill = [BLUE if chosen else "none" for chosen in self.selected]
        bars: Style = {"height": 0.65, "color": fill, "edgecolor": colours, "linewidth": 0.9}
        ax.barh(np.arange(n), self.frequencies, **bars | kwargs)
        _name_rows(ax, self.names, self.selected, size)
        ax.set_xlim(0, 1.02)
        restarts = f"{self.n_restarts} restarts" if self.n_restarts > 1 else "1 restart"
        ax.set_xlabel(f"share of {restarts} that pick it\n(hollow: not selected)")
        tidy(ax, size, self.words)
        return ax


# -- the layer --------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class LayerDisplay:
    """The weights of one restart's layer: what each neuron takes from the columns of the first ranks.

    Parameters
    ----------
    names : ndarray of str, shape (shown,)
        The columns, best first.
    weights : ndarray of shape (neurons, shown)
        In the order of the columns that the neurons take most of, so that copies form a diagonal.
    selected : ndarray of bool, shape (shown,)
        Which columns are selected.
    restart : int
        Which restart it is.
    share : float
        How much of the absolute weights of all columns is shown.
    """

    names: Texts
    weights: Reals
    selected: Flags
    restart: int
    share: float

    @classmethod
    def from_estimator(
        cls, estimator: SNeLSelector, *, restart: int | None = None, n_features: int = 20
    ) -> Self:
        """Take the layer of a restart, by default of the one with the best validation score.

        Parameters
        ----------
        restart : int, optional
            Counted from 0.
        n_features : int, default=20
            Columns to show, by rank.
        """
        selector = fitted(estimator)
        which, best = best_restart(selector, restart), best_columns(selector, n_features)
        layer = selector.layer_weights_[which]
        weights = layer[:, best]
        copied = np.where(np.abs(weights).max(axis=1) > 0, np.abs(weights).argmax(axis=1), len(best))
        order = np.lexsort((-np.abs(weights).max(axis=1), copied))
        share = np.abs(weights).sum() / max(np.abs(layer).sum(), np.finfo(np.float32).tiny)
        names = column_names(selector)[best]
        return cls(names, weights[order], selector.support_[best], which, float(share))

    def plot(self, ax: Axes | None = None, **kwargs: Any) -> Axes:
        """Draw a map with one row a neuron and one column a column of the data.

        Parameters
        ----------
        ax : Axes, optional
            Where to draw; by default a new figure.
        **kwargs
            For the map, as `Axes.imshow` takes them.
        """
        n_neurons, n = self.weights.shape
        ax = axes_or_new(ax, 2.0 + 0.16 * n_neurons)
        size, largest = text_size(ax), max(float(np.abs(self.weights).max(initial=0)), 1e-9)
        look: Style = {"cmap": "RdBu_r", "vmin": -largest, "vmax": largest, "aspect": "auto"}
        image = ax.imshow(self.weights, **look | {"interpolation": "nearest"} | kwargs)
        between = np.arange(n_neurons - 1) + 0.5  # or neurons that copy the same column would be one
        ax.hlines(between, -0.5, n - 0.5, color=ax.get_facecolor(), lw=0.6)
        ax.set_xticks(range(n), [shown(name, 16) for name in self.names], rotation=90)
        for label, chosen in zip(ax.get_xticklabels(), self.selected, strict=True):
            label.set_color(ink(1.0 if chosen else 0.6))
        ax.locator_params(axis="y", integer=True)
        ax.set_ylabel("neuron")
        ax.set_xlabel(f"columns by rank, with {100 * self.share:.0f} % of all absolute weight")
        bar = ax.figure.colorbar(image, ax=ax, label="weight", pad=0.02, fraction=0.05)
        for axes, title in ((bar.ax, ""), (ax, f"layer of restart {self.restart}")):
            tidy(axes, size, title)
        return ax
