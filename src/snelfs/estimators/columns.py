"""What the estimators know of columns: their names, groups, categories, and which enter beside the layer."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from snelfs.data.beside import NOTHING, Beside, chosen_columns, refuse_useless
from snelfs.data.categories import (
    categorical_places,
    categories,
    category_codes,
    feature_categories,
    is_category,
    refuse_twins,
    with_column,
)
from snelfs.data.feature_groups import (
    FeatureUnits,
    group_codes,
    must_have_groups,
    refuse_torn_groups,
    units_of,
)
from snelfs.data.inputs import NEEDS_DENSE, network_inputs
from snelfs.data.sources import Source, is_on_disk
from snelfs.foundation.checks import ArgumentError, flag
from snelfs.foundation.types import Flags, Floats, Ints, Texts


class KnowsColumns:
    """Base of the estimators: what they were told of columns, and what they make of it."""

    keep: ArrayLike | None
    covariates: ArrayLike | None
    feature_groups: Mapping[str, ArrayLike] | Sequence[Any] | None
    one_per_group: bool
    categorical: str | ArrayLike | None
    add_indicator: bool
    support_: Flags
    n_features_in_: int

    @property
    def _beside(self) -> Beside:
        """Which columns enter beside the layer; plain parts of it are kept, for a file to hold."""
        parts = Beside(*vars(self).get("_beside_parts", NOTHING))
        return parts if len(parts.columns) else NOTHING

    @property
    def _units(self) -> FeatureUnits | None:
        """Which columns are selected as a whole; None if each is alone."""
        parts = vars(self).get("_unit_parts")
        return None if parts is None else FeatureUnits(*parts)

    @property
    def _has_categories(self) -> bool:
        """Tell whether a column that may be selected is coded."""
        return self._units is not None and bool(self._units.levels.any())

    @property
    def _group_of(self) -> Texts:
        """The name of every column's group, empty for one that is alone."""
        alone = np.full(self.n_features_in_, "", dtype=str)
        return np.asarray(vars(self).get("feature_groups_", alone))

    def _units_of(self, columns: Ints) -> Ints:
        """Return the units of some columns."""
        return columns if self._units is None else self._units.of[columns]

    def _network_inputs(self, X: NDArray[np.floating] | Source) -> NDArray[np.floating]:
        """Return what predictions rest on, of coded rows."""
        return network_inputs(X, self.support_, self._beside, self._units)

    def _column_names(self) -> list[str]:
        """Return the names of all columns, or what scikit-learn calls those without."""
        names = getattr(self, "feature_names_in_", None)
        if names is None:
            return [f"x{place}" for place in range(self.n_features_in_)]
        return [str(name) for name in names]

    # -- fit ----------------------------------------------------------------------------------------

    def _learn_columns(self, table: NDArray[np.floating] | Source, target: NDArray[np.generic]) -> None:
        """Keep which columns enter beside the layer and which belong together, or say what is wrong."""
        beside = self._columns_beside(table, target)
        self._beside_parts = tuple(beside)
        n_columns, names = table.shape[1], getattr(self, "feature_names_in_", None)
        codes, called = group_codes(self.feature_groups, n_columns, names)
        one_each = flag("one_per_group", self.one_per_group)
        must_have_groups(self.feature_groups, one_each=one_each)
        units = units_of(codes, self._levels(beside), self._marked(table, beside), one_each=one_each)
        self._unit_parts = None if units is None else tuple(units)
        self.__dict__.pop("feature_groups_", None)
        if called:
            self.feature_groups_ = np.array([*called, ""])[codes]
        if units is not None:
            refuse_torn_groups(units, beside, self._column_names())

    def _levels(self, beside: Beside) -> Ints:
        """Return how many categories every column has that is no covariate; 0 for numbers."""
        names = self._column_names()
        levels = np.array([len(self._categories.get(name, ())) for name in names], dtype=np.int64)
        levels[beside.covariates] = 0
        return levels

    def _marked(self, table: NDArray[np.floating] | Source, beside: Beside) -> Flags:
        """Return which columns that are no covariates have gaps that the network is to be told of."""
        if not flag("add_indicator", self.add_indicator):
            return np.zeros(table.shape[1], dtype=bool)
        if not isinstance(table, np.ndarray):
            raise ArgumentError("add_indicator", NEEDS_DENSE)
        marked = np.isnan(table).any(axis=0) & (self._levels(beside) == 0)
        marked[beside.covariates] = False
        return np.asarray(marked)

    def _columns_beside(self, table: NDArray[np.floating] | Source, target: NDArray[np.generic]) -> Beside:
        """Return which columns enter beside the layer, or say why one cannot."""
        n_columns, names = table.shape[1], getattr(self, "feature_names_in_", None)
        keep = chosen_columns("keep", self.keep, n_columns, names)
        covariates = chosen_columns("covariates", self.covariates, n_columns, names)
        if not len(keep) and not len(covariates):
            return NOTHING
        called = self._column_names()
        levels = tuple(len(self._categories.get(called[place], ())) for place in covariates.tolist())
        refuse_useless(table[:, covariates], target, [called[place] for place in covariates.tolist()])
        return Beside(keep, covariates, levels)

    # -- categories ---------------------------------------------------------------------------------

    def _coded(self, X: Any, *, learn: bool) -> Any:
        """Return a table with its categories coded from 0; what was not known is NaN.

        Columns go by their places: scikit-learn sees to it that names, if there are any, are in their order.
        """
        if learn:
            self._categories = self._learned_categories(X)
        known: dict[str, list[str]] = vars(self).get("_categories", {})
        if not known:
            return X
        is_frame = hasattr(X, "columns")
        table: Any = X if is_frame else np.array(X, dtype=object)
        called = _called(table) if learn else self._column_names()
        if len(table.shape) != 2 or table.shape[1] != len(called):
            return X  # scikit-learn says what is wrong with it
        for place, name in enumerate(called):
            if name not in known:
                continue
            column = table[table.columns[place]] if is_frame else table[:, place]
            codes = category_codes(column, known[name])
            self._must_be_known(name, column, codes, learn=learn)
            if is_frame:
                table = with_column(table, table.columns[place], codes)
            else:
                table[:, place] = codes
        return table if is_frame else table.astype(np.float64)

    def _learned_categories(self, X: Any) -> dict[str, list[str]]:
        """Return the categories of covariates and of features that have some, by the columns' names."""
        if not hasattr(X, "columns"):
            return self._categories_of_array(X)
        names = _called(X)
        refuse_twins(names)
        given = names if _has_names(X) else None
        covariates = chosen_columns("covariates", self.covariates, len(names), given).tolist()
        columns = {place: X[X.columns[place]] for place in covariates}
        known = {names[place]: categories(column) for place, column in columns.items() if is_category(column)}
        for place in categorical_places(X, self.categorical, given).tolist():
            if place not in covariates:
                known[names[place]] = feature_categories(X[X.columns[place]], names[place])
        return known

    def _categories_of_array(self, X: Any) -> dict[str, list[str]]:
        """Return the categories of columns that are named to have some."""
        if self.categorical is None or (isinstance(self.categorical, str) and self.categorical == "auto"):
            return {}
        unread = is_on_disk(X) or hasattr(X, "tocsr")
        table: Any = X if unread else np.asarray(X)
        if len(table.shape) != 2:
            return {}
        places = categorical_places(table, self.categorical, None).tolist()
        if places and unread:
            raise ArgumentError("categorical", "needs a table in memory, not a sparse one or on disk.")
        covariates = chosen_columns("covariates", self.covariates, table.shape[1], None)
        return {
            f"x{place}": (
                categories(table[:, place])
                if place in covariates
                else feature_categories(table[:, place], f"x{place}")
            )
            for place in places
        }

    def _must_be_known(self, name: str, column: Any, codes: Floats, *, learn: bool) -> None:
        """Warn of categories that `fit` has not seen, or that are missing: they have no indicator."""
        unknown = np.isnan(codes)
        if learn or not unknown.any() or not hasattr(self, "support_"):
            return
        place, first = self._column_names().index(name), self._categories[name][0]
        is_covariate = place in self._beside.covariates
        if not is_covariate and not self.support_[place]:
            return  # nothing rests on it
        stranger = np.asarray(column, dtype=object)[unknown][0]
        warnings.warn(
            f"The {'covariate' if is_covariate else 'column'} {name!r} has {int(unknown.sum())} row(s) of "
            f"none of the categories seen in fit, such as {stranger!s}: they are taken as {first!r}, the "
            "first of these.",
            UserWarning,
            stacklevel=5,
        )


def _has_names(X: Any) -> bool:
    """Tell whether a table has names that scikit-learn takes for such: all of them text."""
    return hasattr(X, "columns") and all(isinstance(name, str) for name in X.columns)


def _called(X: Any) -> list[str]:
    """Return the names of a table's columns, or what scikit-learn calls those without.

    Examples
    --------
    >>> _called(np.zeros((2, 3)))
    ['x0', 'x1', 'x2']
    """
    if _has_names(X):
        return [str(name) for name in X.columns]
    return [f"x{place}" for place in range(X.shape[1] if len(X.shape) > 1 else 0)]
