"""Rows and target ready for training, on the columns that vary."""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from snelfs.data.beside import NOTHING, Beside, both_codes, category_strata, directions, freed
from snelfs.data.categories import indicators
from snelfs.data.feature_groups import FeatureUnits
from snelfs.data.groups import shuffled_rows
from snelfs.data.inputs import network_inputs
from snelfs.data.rows import Rows
from snelfs.data.sources import Freed, Source, Standardised
from snelfs.data.standardisation import Standardisation
from snelfs.data.target import Target
from snelfs.foundation.blocks import column_blocks
from snelfs.foundation.types import Flags, Floats, Ints, Reals, Singles

# A column of which less than this deviation is left beside covariates says nothing of its own.
_LEAST_LEFT = 1e-3


@dataclass(frozen=True)
class Prepared:
    """Rows and target ready for training, on the columns that vary."""

    rows: Rows
    target: Target
    kept: Ints  # indices of the columns that vary; of categories once for each indicator, of gaps once more
    Z: Singles | Standardised  # (rows, kept columns), standardised
    beside: Beside = NOTHING  # columns that enter the network directly
    C: Singles | None = None  # (rows, inputs) these columns, standardised; None if there are none
    units: FeatureUnits | None = None  # columns that are selected together; None: each is alone

    @property
    def n_units(self) -> int:
        """How many units the table has, those that do not vary included."""
        return self.rows.X.shape[1] if self.units is None else self.units.n_units

    @property
    def entries(self) -> Ints:
        """The units that vary, columns or groups of them, rising."""
        return self.kept if self.units is None else np.unique(self.units.of[self.kept])

    @property
    def places(self) -> Ints:
        """Of every column that varies, the place of its unit among `entries`."""
        if self.units is None:
            return np.arange(len(self.kept))
        return np.searchsorted(self.entries, self.units.of[self.kept])

    @property
    def members(self) -> list[Ints]:
        """Of every unit that varies, the places of its columns among those that do."""
        places = self.places
        order = np.argsort(places, kind="stable")
        return np.split(order, np.flatnonzero(np.diff(places[order])) + 1)

    def inputs(self, X: Reals | Source, support: Flags) -> Reals:
        """Return what predictions from some features rest on, for other rows of the same table."""
        return network_inputs(X, support, self.beside, self.units)

    def units_of(self, features: Ints) -> Ints:
        """Return the units of some features, each of these in its place."""
        return features if self.units is None else self.units.of[features]

    def features_of(self, units: Ints) -> Ints:
        """Return the features of some units, in the order of these."""
        if self.units is None:
            return units
        rank = np.full(self.n_units, -1)
        rank[units] = np.arange(len(units))
        own = rank[self.units.of]
        return np.argsort(own, kind="stable")[np.count_nonzero(own < 0) :]

    def part(self, chosen: Ints) -> Self:
        """Return the data with some of the units only, by their places among `entries`."""
        if self.units is None:
            return self.columns(chosen)
        return self.columns(np.flatnonzero(np.isin(self.places, chosen)))

    @property
    def goals(self) -> Floats:
        """The target as numbers, freed from what enters beside the layer: what evidence is evidence of."""
        targets = self.target.indicators
        return targets if self.C is None else freed(targets, self.C, self.rows.weights)

    def columns(self, chosen: Ints) -> Self:
        """Return the data with some of the kept columns only, dense and in memory."""
        if len(chosen) == len(self.kept) and isinstance(self.Z, np.ndarray):
            return self
        return replace(self, kept=self.kept[chosen], Z=np.ascontiguousarray(self.Z[:, chosen]))

    def rows_where(self, chosen: Flags) -> "Prepared":
        """Return some of the rows, with the columns standardised on these alone.

        The target keeps the scale of all rows, on which its variance is 1 and scores of all folds compare.
        """
        return prepare(self.rows.where(chosen), self.target.rows(chosen), self.beside, self.units)

    def shuffled(self, generator: np.random.Generator) -> Self:
        """Return the data with the target shuffled among rows or groups; the rows keep their weights.

        Rows of different categories of covariates, such as batches, exchange nothing, nor do rows of
        different strata.
        """
        covariates, strata = self.beside.covariates, self.target.risk_strata
        if len(covariates):
            by_category = category_strata(self.rows.X[:, covariates], self.beside.levels)
            strata = both_codes(strata, by_category)
        order = shuffled_rows(self.target.values, self.rows.groups, generator, strata)
        return replace(self, rows=replace(self.rows, y=self.rows.y[order]), target=self.target.rows(order))


def prepare(
    rows: Rows, target: Target, beside: Beside = NOTHING, units: FeatureUnits | None = None
) -> Prepared:
    """Standardise the columns that vary; the others, and those that enter beside the layer, take no part."""
    columns = Standardisation.of(rows.X, rows.weights)
    kept = np.flatnonzero(columns.varies)
    if len(beside.columns):
        kept = np.setdiff1d(kept, beside.columns)
    if not len(kept):
        raise ValueError(f"X has no column that varies: all {rows.X.shape[1]} feature(s) are constant.")
    if isinstance(rows.X, Source):
        unread = Standardised(rows.X, kept, columns.mean, columns.scale)
        data = Prepared(rows, target, kept, unread, units=units)
        return data if beside is NOTHING else _adjusted_unread(data, unread, beside)
    Z = np.empty((len(rows.X), len(kept)), np.float32)
    for block in column_blocks(*Z.shape):
        chosen = kept[block]
        Z[:, block] = columns.of_columns(chosen).apply(rows.X[:, chosen])
    if units is not None:
        kept, Z = _with_indicators(rows, kept, Z, units.levels)
        kept, Z = _with_marks(rows, kept, Z, np.setdiff1d(np.flatnonzero(units.marked), beside.columns))
    data = Prepared(rows, target, kept, Z, units=units)
    return data if beside is NOTHING else _adjusted(data, Z, beside)


def _with_indicators(rows: Rows, kept: Ints, Z: Singles, levels: Ints) -> tuple[Ints, Singles]:
    """Return columns of codes as indicators of their categories, and the feature that each column is of."""
    is_number = levels[kept] == 0
    if is_number.all():
        return kept, Z
    features, parts = [kept[is_number]], [Z[:, is_number]]
    for feature in kept[~is_number].tolist():
        own = indicators(rows.X[:, feature], int(levels[feature]), rows.weights)
        features.append(np.full(own.shape[1], feature))
        parts.append(own.astype(np.float32))
    return _by_feature(features, parts)


def _with_marks(rows: Rows, kept: Ints, Z: Singles, marked: Ints) -> tuple[Ints, Singles]:
    """Return the columns with a mark of the gaps of some features beside these, as far as it varies."""
    if not len(marked):
        return kept, Z
    gaps = np.isnan(rows.X[:, marked]).astype(np.float64)
    marks = Standardisation.of(gaps, rows.weights)
    own = np.flatnonzero(marks.varies)
    given = marks.of_columns(own).apply(gaps[:, own]).astype(np.float32)
    return _by_feature([kept, marked[own]], [Z, given])


def _by_feature(features: list[Ints], parts: list[Singles]) -> tuple[Ints, Singles]:
    """Return columns in the order of the features that they are of, and these."""
    together = np.concatenate(features)
    order = np.argsort(together, kind="stable")
    return together[order], np.ascontiguousarray(np.concatenate(parts, axis=1)[:, order])


def _adjusted(data: Prepared, Z: Singles, beside: Beside) -> Prepared:
    """Return the data with the columns freed from those that enter beside the layer."""
    rows, kept, C = data.rows, data.kept, _inputs_beside(data, beside)
    deviation = np.empty(len(kept))
    for block in column_blocks(*Z.shape):
        left = freed(Z[:, block], C, rows.weights)
        deviation[block] = np.sqrt(np.average(np.square(left), axis=0, weights=rows.weights))
        Z[:, block] = left / np.maximum(deviation[block], _LEAST_LEFT)
    own = _own(deviation)
    return replace(data, kept=kept[own], Z=np.ascontiguousarray(Z[:, own]), beside=beside, C=C)


def _adjusted_unread(data: Prepared, Z: Standardised, beside: Beside) -> Prepared:
    """Do the same of a table that is read in blocks: one more pass says how much of each column to take away.

    On the standard scale and along an orthonormal basis, what is taken away and what is left add up to 1.
    """
    rows, C = data.rows, _inputs_beside(data, beside)
    roots, basis = directions(C, rows.weights)
    slopes = Z.products(roots * basis)
    deviation = np.sqrt(np.maximum(1 - np.square(slopes).sum(axis=0), 0))
    own = _own(deviation)
    view = Standardised(
        Z.source, Z.kept[own], Z.mean, Z.scale, Freed(basis / roots, slopes[:, own], deviation[own])
    )
    return replace(data, kept=data.kept[own], Z=view, beside=beside, C=C)


def _inputs_beside(data: Prepared, beside: Beside) -> Singles:
    """Return the columns that enter beside the layer as inputs, standardised."""
    rows = data.rows
    kept_anyway = np.isin(np.arange(rows.X.shape[1]), beside.keep)
    given = network_inputs(rows.X, kept_anyway, beside, data.units)
    return np.asarray(Standardisation.of(given, rows.weights).apply(given), dtype=np.float32)


def _own(deviation: Floats) -> Flags:
    """Tell which columns have something of their own, or raise if none has."""
    own = deviation > _LEAST_LEFT
    if not own.any():
        raise ValueError("No column of X says anything that covariates and kept columns do not say.")
    return np.asarray(own)
