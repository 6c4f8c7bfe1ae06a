"""Rows and target ready for training, on the columns that vary."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from snelfs.data.rows import Rows
from snelfs.data.sources import Source, Standardised
from snelfs.data.standardisation import Standardisation
from snelfs.data.target import Target
from snelfs.foundation.blocks import column_blocks
from snelfs.foundation.types import Ints


@dataclass(frozen=True)
class Prepared:
    """Rows and target ready for training, on the columns that vary."""

    rows: Rows
    target: Target
    kept: Ints  # indices of the columns that vary
    Z: NDArray[np.float32] | Standardised  # (rows, kept columns), standardised


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
