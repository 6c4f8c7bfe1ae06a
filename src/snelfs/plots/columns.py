"""Plots of the data in the columns found: by class or against the target, alone and in pairs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import is_classifier
from sklearn.utils.multiclass import type_of_target

from snelfs.estimators.base import SNeLSelector
from snelfs.foundation.checks import ArgumentError, choice, count
from snelfs.foundation.types import Reals, Texts
from snelfs.plots.inputs import best_columns, column_names, fitted, one_target, rows_of
from snelfs.plots.style import (
    COLOURS,
    POINTS,
    SHAPES,
    Style,
    axes_or_new,
    inches,
    ink,
    key,
    other_spread,
    panels,
    shown,
    spread,
    square_columns,
    text_size,
    tidy,
)
from snelfs.search.association import Strength, interaction_strength

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

KINDS = ("box", "strip", "violin")
MANY_DOTS = 2000  # from here on a drawing of single dots makes a heavy file


def _colour_of(index: int) -> str:
    return COLOURS[index % len(COLOURS)]


def _dots(n: int, size: float) -> Style:
    """Return the look of `n` dots: the more, the smaller and the paler."""
    area = size * float(np.clip(200 / max(n, 1), 0.2, 1.4))
    return {"s": area, "alpha": 0.75 if n <= 400 else 0.4, "linewidths": 0, "rasterized": n > MANY_DOTS}


def _apart(values: Reals, steps: Reals) -> Reals:
    """Move the equal values of a column that has few apart, by less than a third of the way to the next."""
    distinct = np.unique(values)
    if not 1 < len(distinct) <= 10:
        return values
    return np.asarray(values + 0.6 * np.diff(distinct).min() * steps)


# -- one column a panel -----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class DistributionDisplay:
    """The best columns one by one: how their values differ between classes, or follow the target.

    Parameters
    ----------
    names : ndarray of str, shape (shown,)
        The columns, best first.
    values : ndarray of shape (rows, shown)
        Their values.
    target : ndarray of shape (rows,)
        Classes, or numbers.
    classes : ndarray or None
        The classes in the order to show them, None for numbers.
    """

    names: Texts
    values: Reals
    target: NDArray[Any]
    classes: NDArray[Any] | None

    @classmethod
    def from_estimator(
        cls, estimator: SNeLSelector, X: ArrayLike, y: ArrayLike, *, n_features: int = 6
    ) -> Self:
        """Take the first `n_features` ranks of a fitted selector, with the data to show."""
        selector = fitted(estimator)
        rows, target = rows_of(selector, X, y)
        best = best_columns(selector, n_features)
        classes = np.unique(target) if is_classifier(selector) else None
        return cls(column_names(selector)[best], rows[:, best], target, classes)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        kind: str = "strip",
        n_columns: int | None = None,
        **kwargs: Any,
    ) -> Axes:
        """Draw one panel a column.

        Parameters
        ----------
        ax : Axes, optional
            Where to draw; by default a new figure. The panels are its `child_axes`.
        kind : {"strip", "box", "violin"}, default="strip"
            How classes are drawn: all rows as dots with a line at the median, or summed up.
        n_columns : int, optional
            Panels side by side; by default as many as there is room for.
        **kwargs
            For the dots, as `Axes.scatter` takes them.
        """
        choice("kind", kind, KINDS)
        wanted = None if n_columns is None else count("n_columns", n_columns, 1)
        n = len(self.names)
        ax = axes_or_new(ax, 0.6 + 1.5 * -(-n // 3))
        size = text_size(ax)
        gaps = (4.6 * size, 4.2 * size)
        across = wanted or square_columns(ax, n, gaps)
        grid = panels(ax, n, across, gaps)
        room = (inches(ax)[0] * POINTS - (across - 1) * gaps[1]) / across
        for index, (panel, name) in enumerate(zip(grid, self.names, strict=True)):
            if self.classes is None:
                self._draw_numbers(panel, index, size, kwargs)
                panel.set_ylabel("target" if index % across == 0 else "")
            else:
                self._draw_classes(panel, index, kind, size, kwargs)
                _class_ticks(panel, self.classes, size, room)
            tidy(panel, size, shown(name, int(room / (0.55 * size))))
        return ax

    def _draw_numbers(self, ax: Axes, index: int, size: float, style: Style) -> None:
        dots = _dots(len(self.target), size) | {"color": COLOURS[0]}
        ax.scatter(self.values[:, index], self.target, **dots | style)
        ax.locator_params(nbins=3)

    def _draw_classes(self, ax: Axes, index: int, kind: str, size: float, style: Style) -> None:
        assert self.classes is not None
        for place, label in enumerate(self.classes):
            values, colour = np.sort(self.values[self.target == label, index]), _colour_of(place)
            n = len(values)
            if kind == "box":
                _draw_box(ax, values, place, colour)
            elif kind == "violin" and np.ptp(values) > 0:  # a density needs two values
                _draw_violin(ax, values, place, colour)
            else:
                dots = _dots(n, size) | {"color": colour}
                ax.scatter(place + 0.6 * spread(n), _apart(values, other_spread(n)), **dots | style)
            ax.hlines(np.median(values), place - 0.38, place + 0.38, color=ink(), lw=1.2, zorder=4)
        ax.locator_params(axis="y", nbins=3)


def _draw_box(ax: Axes, values: Reals, place: int, colour: str) -> None:
    line: Style = {"color": colour, "linewidth": 0.9}
    ax.boxplot(
        values,
        positions=[place],
        widths=0.6,
        manage_ticks=False,
        boxprops=line,
        whiskerprops=line,
        capprops=line,
        medianprops={"linewidth": 0},
        flierprops={"marker": ".", "markersize": 2, "markeredgecolor": colour},
    )


def _draw_violin(ax: Axes, values: Reals, place: int, colour: str) -> None:
    for body in ax.violinplot(values, positions=[place], widths=0.8, showextrema=False)["bodies"]:  # type: ignore[attr-defined]
        body.set(facecolor=colour, edgecolor="none", alpha=0.6)


def _class_ticks(ax: Axes, classes: NDArray[Any], size: float, room: float) -> None:
    """Name the classes below a panel of so many points, upright where they would touch."""
    letters = int(room / len(classes) / (0.6 * size))
    upright = letters < max(len(str(label)) for label in classes)
    names = [shown(label, 9 if upright else letters) for label in classes]
    ax.set_xticks(range(len(classes)), names, rotation=90 if upright else 0)
    ax.tick_params(axis="x", length=0)
    ax.set_xlim(-0.6, len(classes) - 0.4)


# -- two columns a panel ----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class InteractionDisplay:
    """Pairs of columns whose product is associated with the target, the strongest first.

    Parameters
    ----------
    names : ndarray of str, shape (pairs, 2)
        The two columns of each pair.
    values : ndarray of shape (pairs, rows, 2)
        Their values.
    evidence : ndarray of shape (pairs,)
        ``-log10 p`` of the product's association, all pairs tried accounted for.
    target : ndarray of shape (rows,)
        Classes, or numbers.
    classes : ndarray or None
        The classes, None for numbers.
    """

    names: Texts
    values: Reals
    evidence: Reals
    target: NDArray[Any]
    classes: NDArray[Any] | None

    @classmethod
    def from_estimator(cls, estimator: SNeLSelector, X: ArrayLike, y: ArrayLike, *, n_pairs: int = 4) -> Self:
        """Look for pairs among all columns of the data, with the names and the task of a fitted selector."""
        selector = fitted(estimator)
        rows, target = rows_of(selector, X, y)
        task = "classification" if is_classifier(selector) else "regression"
        return cls.from_data(rows, target, feature_names=column_names(selector), task=task, n_pairs=n_pairs)

    @classmethod
    def from_data(
        cls,
        X: ArrayLike,
        y: ArrayLike,
        *,
        feature_names: ArrayLike | None = None,
        task: str = "auto",
        n_pairs: int = 4,
    ) -> Self:
        """Look for pairs of columns that say more together than either of them alone, and than chance.

        Parameters
        ----------
        X : array-like of shape (rows, columns)
        y : array-like of shape (rows,)
        feature_names : array-like of str, optional
            By default the names of a frame's columns, or "x0", "x1" …
        task : {"auto", "classification", "regression"}, default="auto"
            "auto" takes numbers with a fractional part for a regression.
        n_pairs : int, default=4
            The most pairs to keep.
        """
        wanted = count("n_pairs", n_pairs, 1)
        if feature_names is None:
            feature_names = getattr(X, "columns", None)
        rows = np.asarray(X)
        target = one_target(y, len(rows))
        strength = interaction_strength(rows, target, task=task)
        names = _names(feature_names, rows.shape[1])
        pairs = _pairs(strength, wanted)
        if not pairs:
            raise ValueError(f"no product of two of the {rows.shape[1]} columns tells of y beyond chance.")
        at = np.array(list(pairs))
        evidence = np.array(list(pairs.values()))
        continuous = task == "regression" or (task == "auto" and type_of_target(target) == "continuous")
        classes = None if continuous else np.unique(target)
        return cls(names[at], np.moveaxis(rows[:, at], 0, 1), evidence, target, classes)

    def plot(self, ax: Axes | None = None, *, n_columns: int | None = None, **kwargs: Any) -> Axes:
        """Draw one panel a pair; columns of few values are spread a little, so that rows can be seen.

        Parameters
        ----------
        ax : Axes, optional
            Where to draw; by default a new figure. The panels are its `child_axes`.
        n_columns : int, optional
            Panels side by side; by default as many as there is room for.
        **kwargs
            For the dots, as `Axes.scatter` takes them.
        """
        wanted = None if n_columns is None else count("n_columns", n_columns, 1)
        n = len(self.names)
        ax = axes_or_new(ax, 0.6 + 2.3 * -(-n // 2))
        size = text_size(ax)
        gaps = (6.0 * size, 6.0 * size)
        across = wanted or square_columns(ax, n, gaps)
        room = (inches(ax)[0] * POINTS - (across - 1) * gaps[1]) / across
        length = int(np.clip(room / (0.6 * size), 8, 30))
        drawn: list[Artist] = []
        for panel, pair, values, evidence in zip(
            panels(ax, n, across, gaps), self.names, self.values, self.evidence, strict=True
        ):
            drawn = self._draw_pair(panel, values, size, kwargs)
            panel.locator_params(nbins=3)
            panel.set_xlabel(shown(pair[0], length))
            panel.set_ylabel(shown(pair[1], length))
            tidy(panel, size, f"p ≈ {_power(evidence)}")
        self._explain(ax, drawn, size)
        return ax

    def _draw_pair(self, ax: Axes, values: Reals, size: float, style: Style) -> list[Artist]:
        n, dots = len(values), _dots(len(values), size)
        values = np.column_stack([_apart(values[:, 0], spread(n)), _apart(values[:, 1], other_spread(n))])
        if self.classes is None:
            low, high = np.quantile(self.target, [0.02, 0.98])
            colours = {"c": self.target, "cmap": "viridis", "vmin": low, "vmax": high}
            return [ax.scatter(values[:, 0], values[:, 1], **dots | colours | style)]
        drawn: list[Artist] = []
        for index, label in enumerate(self.classes):
            look = dots | {"color": _colour_of(index), "marker": SHAPES[index % len(SHAPES)]}
            drawn.append(ax.scatter(*values[self.target == label].T, **look | style))
        return drawn

    def _explain(self, ax: Axes, drawn: list[Artist], size: float) -> None:
        """Say what the colours mean: a line of classes above, or a bar of numbers at the side."""
        from matplotlib.collections import PathCollection

        if self.classes is not None:
            words = [shown(label, 14) for label in self.classes]
            key(ax, drawn, words, size, lines=1)
            return
        assert isinstance(drawn[0], PathCollection)
        bar = ax.figure.colorbar(drawn[0], ax=ax, label="target", pad=0.03, fraction=0.04, aspect=30)
        tidy(bar.ax, size)


def _pairs(strength: Strength, most: int) -> dict[tuple[int, int], float]:
    """Return the pairs of columns whose products say most, with their evidence among all pairs."""
    found: dict[tuple[int, int], float] = {}
    evidence = strength.product - np.log10(len(strength.product))
    for column in np.argsort(-evidence, kind="stable"):
        partner = int(strength.partner[column])
        if strength.kind[column] == "product" and partner >= 0 and evidence[column] > 0:
            pair = min(int(column), partner), max(int(column), partner)
            found.setdefault(pair, float(evidence[column]))
    return dict(list(found.items())[:most])


def _names(names: ArrayLike | None, n_columns: int) -> Texts:
    if names is None:
        return np.array([f"x{i}" for i in range(n_columns)])
    table = np.asarray(names).astype(str)
    if table.shape != (n_columns,):
        raise ArgumentError("feature_names", f"must be {n_columns} names, got the shape {table.shape}.")
    return table


def _power(evidence: float) -> str:
    """Return a small probability in round figures, given its ``-log10``."""
    return f"{10**-evidence:.2g}" if evidence < 3 else rf"$10^{{-{evidence:.0f}}}$"
