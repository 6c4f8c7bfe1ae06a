"""What prepared rows say before anything is trained: tails cut, and how strongly units are associated."""

from collections.abc import Collection

import numpy as np

from snelfs.data.groups import told_once
from snelfs.data.prepared import Prepared
from snelfs.foundation.types import Floats, Places
from snelfs.search.association import Strength, measure_strength
from snelfs.search.constants import LEAST_SHARE, MANY
from snelfs.search.options import Options
from snelfs.search.tails import without_long_tails


def as_it_enters(data: Prepared, options: Options, without: Collection[str] = ()) -> Prepared:
    """Return the data with long tails cut, as far as it is in memory; a single round takes it as it is."""
    return without_long_tails(data) if options.refine and "tails" not in without else data


def associations(data: Prepared, without: Collection[str] = ()) -> Strength:
    """Return how strongly the units are associated with the target, alone or in pairs.

    Of a table that is not in memory some rows have to do: pairs are many, and what is worth having shows on
    them.
    """
    members = None if data.units is None else data.members
    targets, strata = data.goals, data.target.risk_strata
    rows = _rows_looked_at(data)
    Z = data.Z if isinstance(data.Z, np.ndarray) else data.Z[rows][:, :]
    groups = None if data.rows.groups is None else data.rows.groups[rows]
    # A group says what it says within one stratum.
    said = (targets if strata is None else np.c_[targets, strata])[rows]
    Z, said, weights = told_once(Z, said, data.rows.weights[rows], groups, data.target.values[rows])
    within = None if strata is None else said[:, -1].round().astype(np.int64)
    return measure_strength(Z, said[:, : targets.shape[1]], weights, within, members, without=without)


def _rows_looked_at(data: Prepared) -> Places | slice:
    """Return all rows, or of a table that is not in memory some, from the first to the last."""
    if isinstance(data.Z, np.ndarray):
        return slice(None)
    return np.unique(np.linspace(0, len(data.Z) - 1, MANY).astype(int))


def by_association(strength: Strength | None) -> Floats:
    """Return shares in a start that follow associations: the more evidence, the larger.

    The best column for every class has the same share.
    """
    assert strength is not None
    return np.asarray(np.maximum(strength.share * strength.score.max(), LEAST_SHARE))
