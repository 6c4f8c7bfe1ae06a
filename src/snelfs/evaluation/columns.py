"""What an evaluation is told of columns: which belong together, hold categories, are kept or adjusted for.

Our estimators know such columns. Other methods know columns of numbers alone: they are shown what the models
are shown, categories as indicators and gaps with a mark, and what they list is read as groups, each at the
place of its first column.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from snelfs.data.beside import (
    Beside,
    chosen_columns,
    refuse_contradictions,
    refuse_useless,
    why_useless,
)
from snelfs.data.categories import (
    categorical_places,
    categories,
    category_codes,
    feature_categories,
    is_category,
    refuse_too_many,
    refuse_twins,
)
from snelfs.data.feature_groups import (
    FeatureUnits,
    group_codes,
    must_have_groups,
    refuse_torn_groups,
    units_of,
)
from snelfs.data.inputs import feature_inputs, input_columns
from snelfs.estimators.complaints import is_date, no_numbers
from snelfs.foundation.checks import ArgumentError, flag
from snelfs.foundation.types import Flags, Floats, Ints


@dataclass(frozen=True, eq=False)
class Columns:
    """Hold what is known of the columns of a table.

    Attributes
    ----------
    beside : Beside
        Those that are kept, and those to adjust for.
    levels : array of int
        How many categories every column has, coded from 0; 0 for a number.
    marked : array of bool
        Which enter together with a mark of their gaps.
    units : FeatureUnits or None
        Which are chosen as a whole; None if each is a plain one.
    told : mapping
        The same as arguments of our estimators.
    """

    beside: Beside
    levels: Ints
    marked: Flags
    units: FeatureUnits | None
    told: Mapping[str, Any]

    @property
    def n_columns(self) -> int:
        """How many there are."""
        return len(self.levels)

    @cached_property
    def unit_of(self) -> Ints:
        """The unit of every column."""
        return np.arange(self.n_columns) if self.units is None else self.units.of

    @cached_property
    def rival_of(self) -> Ints:
        """What every column competes within: units of one such set are never chosen together.

        It is the group where one column of each is chosen, and else the column's own unit.
        """
        rivals = None if self.units is None else self.units.rivals
        return self.unit_of if rivals is None else rivals

    @property
    def n_offered(self) -> int:
        """How many units can be chosen together."""
        return len(np.unique(np.delete(self.rival_of, self.beside.covariates)))

    @property
    def n_kept(self) -> int:
        """How many units are kept in any case."""
        return len(np.unique(self.unit_of[self.beside.keep]))

    def n_units_of(self, columns: Sequence[int]) -> int:
        """Return of how many units some columns are."""
        return len(np.unique(self.unit_of[list(columns)]))

    # -- what models and other methods see ----------------------------------------------------------

    @property
    def as_they_are(self) -> bool:
        """Tell whether every column enters as one of numbers."""
        return not self.levels.any() and not self.marked.any()

    @cached_property
    def of_inputs(self) -> Ints:
        """The column that every input of a model is made of."""
        return np.arange(self.n_columns) if self.as_they_are else input_columns(self.levels, self.marked)

    def inputs(self, X: Floats) -> Floats:
        """Return a table as models take it: categories as indicators, and marks of gaps."""
        if self.as_they_are:
            return X
        return np.asarray(feature_inputs(X, self.levels, self.marked), dtype=np.float64)

    def inputs_of(self, columns: Ints) -> Ints:
        """Return the inputs that are made of some columns, in the order of these."""
        if self.as_they_are:
            return columns
        place_of = {column: place for place, column in enumerate(columns.tolist())}
        mine = [place for place, column in enumerate(self.of_inputs.tolist()) if column in place_of]
        return np.array(sorted(mine, key=lambda place: place_of[int(self.of_inputs[place])]), dtype=np.int64)

    @cached_property
    def offered_inputs(self) -> Ints:
        """The inputs that another method chooses from: those of no covariate, and of nothing kept.

        What competes with a kept column is not among them.
        """
        out = self.rival_of[self.beside.columns]
        return np.flatnonzero(~np.isin(self.rival_of[self.of_inputs], out))

    def inputs_needed(self, n_units: int) -> int:
        """Return how many inputs name so many units, beside those kept, whichever these are.

        At worst a list begins with all inputs of the largest units: one more names the last.
        """
        sizes = np.sort(np.bincount(self.rival_of[self.of_inputs[self.offered_inputs]]))[::-1]
        before_the_last = max(0, n_units - self.n_kept - 1)
        return min(int(sizes[:before_the_last].sum()) + 1, len(self.offered_inputs))

    # -- what is chosen -----------------------------------------------------------------------------

    def first_units(self, listed: Ints, n_units: int) -> Ints:
        """Return what is kept and the columns of the first units of a list, until there are so many.

        Parameters
        ----------
        listed : array of int
            Columns, best first; those of a unit may stand apart, and some may be missing.
        """
        chosen, taken = self.beside.keep.tolist(), set(self.rival_of[self.beside.keep].tolist())
        n_found = self.n_kept
        for column in listed.tolist():
            if n_found >= n_units:
                break
            if self.rival_of[column] not in taken:
                taken.add(int(self.rival_of[column]))
                chosen += np.flatnonzero(self.unit_of == self.unit_of[column]).tolist()
                n_found += 1
        return np.array(chosen, dtype=np.int64)

    def drawn(self, seed: int) -> Ints:
        """Return a column of every unit that may be chosen, in random order."""
        columns = np.unique(self.of_inputs[self.offered_inputs])
        generator = np.random.default_rng(seed)
        shuffled = generator.permutation(columns)
        _, first = np.unique(self.unit_of[shuffled], return_index=True)
        return np.asarray(generator.permutation(shuffled[first]))

    def as_told(self, X: Floats, own: Floats, y: NDArray[Any]) -> tuple[Floats, dict[str, Any]]:
        """Return training rows as ours is shown them, and what it is told of their columns.

        A covariate that cannot be adjusted for among so few rows is none. It becomes zeros, which nothing
        chooses: it is no feature either.

        Parameters
        ----------
        X : array of shape (rows, columns)
            What is to be shown.
        own : array of shape (rows, columns)
            The same rows with their gaps, and categories coded from 0.
        """
        useless = [c for c in self.beside.covariates.tolist() if why_useless(own[:, c], y)]
        if not useless:
            return X, dict(self.told)
        shown = X.copy()
        shown[:, useless] = 0
        left = {
            name: [column for column in self.told[name] if column not in useless]
            for name in ("covariates", "categorical")
            if name in self.told
        }
        return shown, {**self.told, **left}


def columns_of(
    table: Floats,
    y: Any,
    names: Sequence[str] | None,
    *,
    keep: Any,
    covariates: Any,
    feature_groups: Any,
    one_per_group: bool,
    categorical: Ints,
    add_indicator: bool,
) -> Columns:
    """Return what is known of the columns of a coded table, or say what is wrong with it."""
    n_columns = table.shape[1]
    called = list(names) if names is not None else [f"x{place}" for place in range(n_columns)]
    adjusted = chosen_columns("covariates", covariates, n_columns, names)
    if len(adjusted):
        refuse_useless(table[:, adjusted], y, [called[place] for place in adjusted.tolist()])
    levels = np.zeros(n_columns, dtype=np.int64)
    levels[categorical] = [1 + int(np.nanmax(column)) for column in table[:, categorical].T]
    kept = chosen_columns("keep", keep, n_columns, names)
    beside = Beside(kept, adjusted, tuple(levels[adjusted].tolist()))
    marked = np.isnan(table).any(axis=0) & flag("add_indicator", add_indicator) & (levels == 0)
    marked[adjusted] = False
    codes, groups = group_codes(feature_groups, n_columns, names)
    must_have_groups(feature_groups, one_each=flag("one_per_group", one_per_group))
    chosen_levels = np.where(np.isin(np.arange(n_columns), adjusted), 0, levels)
    units = units_of(codes, chosen_levels, np.asarray(marked), one_each=one_per_group)
    if units is not None:
        refuse_torn_groups(units, beside, called)
    labels = [groups[code] if code >= 0 else None for code in codes.tolist()]
    told = {
        "keep": kept.tolist(),
        "covariates": adjusted.tolist(),
        "feature_groups": labels if groups else None,
        "one_per_group": one_per_group,
        "categorical": categorical.tolist(),
        "add_indicator": add_indicator,
    }
    given = {name: value for name, value in told.items() if value}
    return Columns(beside, levels, np.asarray(marked), units, given)


def refuse_what_folds_cannot(
    columns: Columns, n_features: int | str, n_training: int, names: Sequence[str] | None
) -> None:
    """Raise if what is kept leaves nothing to choose, or categories are too many for the rows of a fold."""
    called = names if names is not None else [f"x{place}" for place in range(columns.n_columns)]
    for place in np.setdiff1d(np.flatnonzero(columns.levels), columns.beside.covariates).tolist():
        refuse_too_many(called[place], int(columns.levels[place]), n_training)
    n_selected = columns.n_offered if isinstance(n_features, str) else n_features
    refuse_contradictions(columns.beside, columns.n_columns, n_selected, called, columns.n_kept)


def coded_table(
    X: Any, categorical: Any, covariates: Any, feature_names: Sequence[str] | None = None
) -> tuple[Floats, Ints, list[str] | None]:
    """Return a table of numbers, the places of its categories, which are coded from 0, and its names.

    Parameters
    ----------
    feature_names : sequence of str, optional
        What the columns of an array are called.
    categorical : "auto", None or columns
        "auto" takes text and what a frame itself calls categories.
    covariates : columns or None
        Text among them is categories in any case, of which a gap is none.
    """
    if not (hasattr(X, "columns") and hasattr(X, "dtypes")):
        return _coded_array(X, categorical, covariates, feature_names)
    if feature_names is not None:
        raise ArgumentError("feature_names", "must be None for a frame, which has names.")
    if not hasattr(X, "__len__") or not len(X.columns):
        raise ValueError(f"X must be an array or a frame in memory with columns, got {type(X).__name__}.")
    names = [str(name) for name in X.columns]
    refuse_twins(names)
    adjusted = chosen_columns("covariates", covariates, len(names), names)
    columns = [X[name] for name in X.columns]
    coded = {place for place in adjusted.tolist() if is_category(columns[place])}
    coded |= set(categorical_places(X, categorical, names).tolist())
    found = [
        _codes(column, names[place], place in adjusted) if place in coded else _numbers(column, names[place])
        for place, column in enumerate(columns)
    ]
    return np.stack(found, axis=1), np.array(sorted(coded), dtype=np.int64), names


def _coded_array(
    X: Any, categorical: Any, covariates: Any, feature_names: Sequence[str] | None
) -> tuple[Floats, Ints, list[str] | None]:
    """Do the same of an array or a sparse matrix, which have no names of their own."""
    table: Any = X if hasattr(X, "toarray") else np.asarray(X)
    if len(table.shape) != 2:
        raise ValueError(f"X must be a table of rows and columns, got the shape {table.shape}.")
    names = _checked_names(feature_names, table.shape[1])
    places = categorical_places(table, categorical, names)
    if hasattr(table, "toarray"):
        if len(places):
            raise ArgumentError("categorical", "needs a dense table, not a sparse one.")
        table = table.toarray()
    adjusted = chosen_columns("covariates", covariates, table.shape[1], names)
    called = names or [f"x{place}" for place in range(table.shape[1])]
    coded = np.array(table, dtype=object if len(places) else None)
    for place in places.tolist():
        coded[:, place] = _codes(coded[:, place], called[place], place in adjusted)
    if coded.dtype.kind in "biuf":
        return np.asarray(coded, dtype=np.float64), places, names
    numbers = [_numbers(column, name) for column, name in zip(coded.T, called, strict=True)]
    return np.stack(numbers, axis=1), places, names


def _checked_names(names: Sequence[str] | None, n_columns: int) -> list[str] | None:
    """Return the names of an array's columns, one for each and none twice."""
    if names is None:
        return None
    if len(names) != n_columns:
        raise ArgumentError(
            "feature_names", f"must name each of the {n_columns} columns, got {len(names)} names."
        )
    called = [str(name) for name in names]
    refuse_twins(called)
    return called


def _codes(column: Any, name: str, is_covariate: bool) -> Floats:
    return category_codes(column, categories(column) if is_covariate else feature_categories(column, name))


def _numbers(column: Any, name: str) -> Floats:
    """Return a column of numbers, gaps of any kind as NaN, or say that it holds other things."""
    if is_date(column) or np.asarray(column).dtype.kind == "c":
        raise no_numbers(name)
    try:
        if hasattr(column, "isna"):
            return np.asarray(column.to_numpy(dtype=np.float64, na_value=np.nan))
        return np.asarray(column, dtype=np.float64)
    except (TypeError, ValueError):
        raise no_numbers(name) from None
