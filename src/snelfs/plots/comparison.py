"""Plots that compare: restarts with each other, selectors by their stability, methods over data sets."""

from __future__ import annotations

import csv
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from snelfs.estimators.base import SNeLSelector
from snelfs.foundation.checks import ArgumentError, choice, count
from snelfs.foundation.types import Reals
from snelfs.plots.inputs import fitted, picks
from snelfs.plots.style import (
    BLUE,
    POINTS,
    Style,
    axes_or_new,
    inches,
    ink,
    name_length,
    panels,
    shown,
    text_size,
    tidy,
)
from snelfs.search.stability import Stability, stability

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROW = 0.2  # inches of a row with a name


# -- restarts with each other -----------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class AgreementDisplay:
    """How much the choices of any two restarts agree, corrected for chance.

    Parameters
    ----------
    agreement : ndarray of shape (restarts, restarts)
        1 where two choices are the same, 0 as by chance; the diagonal is 1.
    restarts : ndarray of int, shape (restarts,)
        Which restarts the rows are; those that agree most with all others come first.
    stability : Stability
        The agreement of all.
    """

    agreement: Reals
    restarts: np.ndarray[Any, np.dtype[np.integer]]
    stability: Stability

    @classmethod
    def from_estimator(cls, estimator: SNeLSelector) -> Self:
        """Compare the restarts of a fitted selector, which must be two at least."""
        return cls.from_selections(picks(fitted(estimator)))

    @classmethod
    def from_selections(cls, selections: ArrayLike) -> Self:
        """Compare the rows of a table (selections, columns) that is true where a column is chosen."""
        chosen = np.asarray(selections, dtype=bool)
        overall = stability(chosen)
        n = len(chosen)
        table = np.ones((n, n))
        for i in range(n):
            for j in range(i):
                table[i, j] = table[j, i] = stability(chosen[[i, j]]).value
        order = np.argsort(-table.mean(axis=0), kind="stable")
        return cls(table[np.ix_(order, order)], order, overall)

    def plot(self, ax: Axes | None = None, **kwargs: Any) -> Axes:
        """Draw a map of all pairs, without the diagonal.

        Parameters
        ----------
        ax : Axes, optional
            Where to draw; by default a new figure.
        **kwargs
            For the map, as `Axes.imshow` takes them.
        """
        ax = axes_or_new(ax, 4.2)
        size, n = text_size(ax), len(self.agreement)
        pairs = np.where(np.eye(n, dtype=bool), np.nan, self.agreement)
        look: Style = {"cmap": "viridis", "vmin": min(0.0, float(np.nanmin(pairs))), "vmax": 1.0}
        image = ax.imshow(pairs, **look | {"interpolation": "nearest"} | kwargs)
        ticks = np.arange(0, n, max(1, n // 8))
        for axis in (ax.xaxis, ax.yaxis):
            axis.set_ticks(ticks, [str(self.restarts[tick]) for tick in ticks])
        ax.set(xlabel="restart, the most agreeing first", ylabel="restart")
        bar = ax.figure.colorbar(image, ax=ax, label="agreement (0: as by chance)", pad=0.02, fraction=0.05)
        tidy(bar.ax, size)
        tidy(ax, size, f"stability {self.stability.value:.2f} ({_interval(self.stability)})")
        return ax


# -- selectors by their stability -------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class StabilityDisplay:
    """The stability of several selectors with its intervals.

    Parameters
    ----------
    names : sequence of str
        The selectors, in the order to show them.
    stabilities : sequence of Stability
        One for each.
    ours : sequence of bool
        Which of them to draw in colour.
    title : str
        What the selections came from.
    """

    names: Sequence[str]
    stabilities: Sequence[Stability]
    ours: Sequence[bool]
    title: str = ""

    @classmethod
    def from_estimators(cls, estimators: Mapping[str, SNeLSelector]) -> Self:
        """Take the agreement of the restarts of fitted selectors, given by name."""
        if not estimators:
            raise ArgumentError("estimators", "must name at least one fitted selector, got none.")
        found = [fitted(estimator).stability_ for estimator in estimators.values()]
        return cls(list(estimators), found, [True] * len(found), "agreement of restarts")

    @classmethod
    def from_selections(
        cls, selections: Mapping[str, ArrayLike], *, ours: Collection[str] = (), title: str = ""
    ) -> Self:
        """Compare what several selectors chose again and again, the steadiest first.

        Parameters
        ----------
        selections : mapping of str to array-like of shape (selections, columns)
            By the name of the selector, a table that is true where a column is chosen.
        ours : collection of str, optional
            Which of them to draw in colour.
        title : str, optional
            What the selections came from.
        """
        if not selections:
            raise ValueError("selections must name at least one selector, got none.")
        found = {name: stability(np.asarray(chosen, dtype=bool)) for name, chosen in selections.items()}
        order = sorted(found, key=lambda name: -found[name].value)
        return cls(order, [found[name] for name in order], [name in ours for name in order], title)

    def plot(self, ax: Axes | None = None, **kwargs: Any) -> Axes:
        """Draw one row a selector, a dot with its 95 % interval.

        Parameters
        ----------
        ax : Axes, optional
            Where to draw; by default a new figure.
        **kwargs
            For dots and intervals, as `Axes.errorbar` takes them.
        """
        n = len(self.names)
        ax = axes_or_new(ax, 1.0 + 1.3 * ROW * n)
        size = text_size(ax, n)
        values, low, high = np.array(self.stabilities, dtype=np.float64).reshape(n, 3).T
        _draw_rows(ax, values, np.array([values - low, high - values]), self.ours, size, kwargs)
        _name_rows(ax, self.names, size)
        ax.set_xlim(min(0.0, np.nanmin(low, initial=0)), max(1.0, np.nanmax(high, initial=1)))
        ax.set_xlabel("stability (1: always the same, 0: as by chance)")
        tidy(ax, size, shown(self.title, 40))
        return ax


# -- methods over data sets -------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class BenchmarkDisplay:
    """Scores of methods over data sets, with their spread.

    Parameters
    ----------
    data, methods : sequence of str
        The data sets and the methods, in the order to show them.
    means, errors : ndarray of shape (data sets, methods)
        Not a number where there is no result.
    notes : mapping of (data set, method) to str
        What to write where there is no result.
    ours : sequence of bool
        Which methods to draw in colour.
    score : str
        What the score and its spread are called.
    limits : tuple of float, default=(-inf, 1)
        The least and the largest score there can be, beyond which no bar is drawn.
    """

    data: Sequence[str]
    methods: Sequence[str]
    means: Reals
    errors: Reals
    notes: Mapping[tuple[str, str], str]
    ours: Sequence[bool]
    score: str
    limits: tuple[float, float] = (-np.inf, 1.0)

    @classmethod
    def from_csv(cls, path: str | Path, **kwargs: Any) -> Self:
        """Read a table as `snelfs bench synthetic` and `microarray` write it; options as in `from_rows`."""
        with Path(path).open(encoding="utf-8", newline="") as file:
            return cls.from_rows(list(csv.DictReader(file)), **kwargs)

    @classmethod
    def from_rows(
        cls,
        rows: Sequence[Mapping[str, Any]],
        *,
        data: Sequence[str] | None = None,
        methods: Sequence[str] | None = None,
        titles: Mapping[str, str] | None = None,
        ours: Collection[str] = (),
        classifier: str = "avg",
        spread: str = "se",
        score: str | None = None,
    ) -> Self:
        """Take one row for every data set and method.

        Parameters
        ----------
        rows : sequence of mappings
            With the keys data, method, mean, sd, and folds or draws; classifier and note may be there.
        data, methods : sequence of str, optional
            Which to show and in which order; by default all, as they come.
        titles : mapping of str to str, optional
            What to call a method; by default as the rows do.
        ours : collection of str, optional
            Which methods, as the rows call them, to draw in colour.
        classifier : str, default="avg"
            Whose scores to take where the rows name classifiers.
        spread : {"se", "sd"}, default="se"
            The standard error of the mean, or the standard deviation of single folds or draws. Folds share
            rows, so that the former is a little too small.
        score : str, optional
            What the score is called; by default F1 or the index of success, as the rows are.
        """
        choice("spread", spread, ("se", "sd"))
        missing = {"data", "method", "mean", "sd"} - set(rows[0] if rows else ())
        if missing:
            raise ValueError(
                f"rows must have data, method, mean and sd, but lack {', '.join(sorted(missing))}."
            )
        if "classifier" in rows[0]:
            choice("classifier", classifier, {row["classifier"] for row in rows})
            rows = [row for row in rows if row["classifier"] == classifier]
        data, methods = _wanted("data", rows, "data", data), _wanted("methods", rows, "method", methods)
        repeats = "folds" if "folds" in rows[0] else "draws"
        if score is None:
            score = "F1" if repeats == "folds" else "index of success"
        means, errors, notes = _fill(rows, data, methods, repeats, spread)
        called = {method: (titles or {}).get(method, method) for method in methods}
        words = "standard error" if spread == "se" else f"standard deviation over {repeats}"
        return cls(
            data,
            list(called.values()),
            means,
            errors,
            {(name, called[method]): note for (name, method), note in notes.items()},
            [method in ours for method in methods],
            f"{score}, mean ± {words}",
        )

    def plot(self, ax: Axes | None = None, *, n_columns: int | None = None, **kwargs: Any) -> Axes:
        """Draw one panel a data set with one row a method; the panels share the scale.

        Parameters
        ----------
        ax : Axes, optional
            Where to draw; by default a new figure. The panels are its `child_axes`.
        n_columns : int, optional
            Panels side by side; by default as many as there is room for.
        **kwargs
            For dots and bars, as `Axes.errorbar` takes them.
        """
        wanted = None if n_columns is None else count("n_columns", n_columns, 1)
        n, n_methods = len(self.data), len(self.methods)
        ax = axes_or_new(ax, 0.7 + (0.4 + 0.13 * n_methods) * -(-n // 4))
        across = wanted or min(n, max(1, int(inches(ax)[0] / 1.05)))
        deep = -(-n // across)
        across = wanted or -(-n // deep)  # as even as the rows allow
        size = text_size(ax, deep * (n_methods + 3))
        ends = self._ends()
        low, high = float(np.nanmin(ends[0])), float(np.nanmax(ends[1]))
        edge = 0.04 * max(high - low, 1e-9)
        grid = panels(ax, n, across, (2.8 * size, 2 * size))
        room = max(8, int(inches(ax)[0] * POINTS / across / (0.6 * size)))
        for index, (panel, data) in enumerate(zip(grid, self.data, strict=True)):
            bars = np.abs(ends[:, index] - self.means[index])
            _draw_rows(panel, self.means[index], bars, self.ours, size, kwargs)
            self._write_notes(panel, data, low, size)
            _name_rows(panel, self.methods if index % across == 0 else [""] * n_methods, size)
            panel.set_xlim(low - edge, high + edge)
            panel.locator_params(axis="x", nbins=3)
            panel.tick_params(labelbottom=index + across >= n)
            tidy(panel, size, shown(data, room))
        grid[(deep - 1) * across].set_xlabel(self.score, loc="left")
        tidy(ax, size)
        return ax

    def _ends(self) -> Reals:
        """Return where bars begin and end, of shape (2, data sets, methods)."""
        errors = np.nan_to_num(self.errors)
        return np.clip(np.stack([self.means - errors, self.means + errors]), *self.limits)

    def _write_notes(self, ax: Axes, data: str, left: float, size: float) -> None:
        for row, method in enumerate(self.methods):
            note = self.notes.get((data, method))
            if note:
                ax.text(left, row, shown(note, 16), size=0.85 * size, va="center", color=ink(0.6))


def _interval(found: Stability) -> str:
    return f"95 % interval {found.low:.2f} to {found.high:.2f}"


def _wanted(
    name: str, rows: Sequence[Mapping[str, Any]], field: str, wanted: Sequence[str] | None
) -> list[str]:
    """Return the values of a field in the order wanted, or as they come."""
    found = list(dict.fromkeys(str(row[field]) for row in rows))
    return found if wanted is None else [choice(f"each of {name}", value, found) for value in wanted]


def _fill(
    rows: Sequence[Mapping[str, Any]], data: list[str], methods: list[str], repeats: str, spread: str
) -> tuple[Reals, Reals, dict[tuple[str, str], str]]:
    """Return the tables of means and errors, and notes where a mean is missing."""
    means, errors = np.full((2, len(data), len(methods)), np.nan)
    notes: dict[tuple[str, str], str] = {}
    for row in rows:
        if row["data"] not in data or row["method"] not in methods:
            continue
        at = data.index(str(row["data"])), methods.index(str(row["method"]))
        if str(row["mean"]) == "":
            notes[str(row["data"]), str(row["method"])] = str(row.get("note") or "no result")
            continue
        repeated = float(row.get(repeats) or 1)
        means[at] = float(row["mean"])
        errors[at] = float(row["sd"] or 0) / (np.sqrt(repeated) if spread == "se" else 1)
    if not np.isfinite(means).any():
        raise ValueError(f"rows must have a mean of one of {', '.join(methods)} at least, got none.")
    return means, errors, notes


def _draw_rows(
    ax: Axes, values: Reals, errors: Reals, ours: Sequence[bool], size: float, style: Mapping[str, Any]
) -> None:
    """Draw a dot with its bar in every row, ours filled and in colour."""
    for row, (value, mine) in enumerate(zip(values, ours, strict=True)):
        if not np.isfinite(value):
            continue
        colour = BLUE if mine else ink(0.6)
        look: Style = {"fmt": "o", "color": colour, "ms": 0.45 * size, "elinewidth": 0.9, "zorder": 3}
        bars = np.nan_to_num(errors[..., row : row + 1])
        ax.errorbar(
            [value], [row], xerr=bars, **look | {"mfc": colour if mine else ax.get_facecolor()} | dict(style)
        )


def _name_rows(ax: Axes, names: Sequence[str], size: float) -> None:
    length = name_length(ax, size, 0.6)
    ax.set_yticks(range(len(names)), [shown(name, length) for name in names])
    ax.set_ylim(len(names) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="y", color=ink(0.12), lw=0.6)
    ax.set_axisbelow(True)
