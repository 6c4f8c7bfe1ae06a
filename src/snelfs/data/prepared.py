"""Rows and target ready for training, on the columns that vary."""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from snelfs.data.groups import shuffled_rows
from snelfs.data.rows import Rows
from snelfs.data.sources import Source, Standardised
from snelfs.data.standardisation import Standardisation
from snelfs.data.target import Target
from snelfs.foundation.blocks import column_blocks
from snelfs.foundation.types import Flags, Ints, Singles


@dataclass(frozen=True)
class Prepared:
    """Rows and target ready for training, on the columns that vary."""

    rows: Rows
    target: Target
    kept: Ints  # indices of the columns that vary
    Z: Singles | Standardised  # (rows, kept columns), standardised

    def columns(self, chosen: Ints) -> Self:
        """Return the data with some of the kept columns only, dense and in memory."""
        if len(chosen) == len(self.kept) and isinstance(self.Z, np.ndarray):
            return self
        return replace(self, kept=self.kept[chosen], Z=np.ascontiguousarray(self.Z[:, chosen]))

    def rows_where(self, chosen: Flags) -> "Prepared":
        """Return some of the rows, with the columns standardised on these alone.

        The target keeps the scale of all rows, on which its variance is 1 and scores of all folds compare.
        """
        return prepare(self.rows.where(chosen), self.target.rows(chosen))

    def shuffled(self, generator: np.random.Generator) -> Self:
        """Return the data with the target shuffled among rows or groups; the rows keep their weights."""
        order = shuffled_rows(self.target.values, self.rows.groups, generator)
        return replace(self, rows=replace(self.rows, y=self.rows.y[order]), target=self.target.rows(order))


def prepare(rows: Rows, target: Target) -> Prepared:
    """Standardise the columns that vary; the others take no part."""
    columns = Standardisation.of(rows.X, rows.weights)
    kept = np.flatnonzero(columns.varies)
    if not len(kept):
        raise ValueError(f"X has no column that varies: all {rows.X.shape[1]} feature(s) are constant.")
    if isinstance(rows.X, Source):
        return Prepared(rows, target, kept, Standardised(rows.X, kept, columns.mean, columns.scale))
    Z = np.empty((len(rows.X), len(kept)), np.float32)
    for block in column_blocks(*Z.shape):
        chosen = kept[block]
        Z[:, block] = columns.of_columns(chosen).apply(rows.X[:, chosen])
    return Prepared(rows, target, kept, Z)
