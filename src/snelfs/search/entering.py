"""How units enter the layer: a group of columns as uncorrelated directions in the space that they span.

A column that is bent enters as several functions of itself (`snelfs.search.curves`), and a group of columns
is the same thing: several functions of the rows, made uncorrelated and of variance 1. So the same lemma
holds, with the norm of a group's weights in place of the absolute weight: both conditions together leave a
neuron one group and a direction in it. Columns that are alone have one such direction, themselves.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from snelfs.data.prepared import Prepared
from snelfs.data.sources import Standardised
from snelfs.data.splits import share
from snelfs.engine.layer import Straight
from snelfs.foundation.types import Floats, Ints, Singles
from snelfs.search.curves import column_functions, freed_functions
from snelfs.search.directions import directions
from snelfs.search.rank_statistics import middle_ranks


class Entering(NamedTuple):
    """What the layer takes in, for every unit that takes part."""

    X: NDArray[np.float32] | Standardised  # (rows, units) or (rows, functions, units)
    n_plain: int  # functions that every restart may use; those behind bend columns

    @property
    def n_functions(self) -> int:
        """As how many functions a unit enters."""
        return 1 if len(self.X.shape) == 2 else int(self.X.shape[1])

    def straight(self, n_restarts: int) -> Straight | None:
        """Return which restarts do not bend columns: the first half, or more by one."""
        if self.n_functions == self.n_plain:
            return None
        return Straight(n_restarts - n_restarts // 2, self.n_plain)


def entering(data: Prepared, functions: int) -> Entering:
    """Return the units as the layer takes them.

    Parameters
    ----------
    functions : int
        As how many functions of itself a column enters in restarts that may bend it; 1 is the column alone.
    """
    if data.units is None and functions == 1:
        return Entering(data.Z, 1)
    assert isinstance(data.Z, np.ndarray)
    if data.units is None:
        return Entering(column_functions(data.Z, data.rows.weights, functions), 1)
    return _units_entering(data.Z, data.members, share(data.rows.weights), functions)


def _units_entering(Z: Singles, members: list[Ints], shares: Floats, functions: int) -> Entering:
    """Return groups of columns as their directions, filled up with zeros to as many for each."""
    if functions == 1 and len(members) == Z.shape[1]:
        return Entering(Z[:, np.concatenate(members)], 1)
    found = [directions(Z[:, own], shares) for own in members]
    width = max(each.shape[1] for each in found)
    X = np.zeros((len(Z), width, len(members)))
    for unit, each in enumerate(found):
        X[:, : each.shape[1], unit] = each
    if functions == 1:
        return Entering(X.astype(np.float32), width)
    curves = _bent(X, Z, members, shares, functions)
    return Entering(np.concatenate([X, curves], axis=1).astype(np.float32), width)


def _bent(X: Floats, Z: Singles, members: list[Ints], shares: Floats, functions: int) -> Floats:
    """Return cosines of the ranks of every unit's columns, freed from its directions and each other.

    The longest waves of all its columns come first; a lone column has as many as it has without groups.
    """
    places = max(functions - 1, X.shape[1])
    ranks = middle_ranks(Z, shares)
    found = [X[:, place] for place in range(X.shape[1])]
    for place in range(places):
        values = np.zeros((len(Z), len(members)))
        for unit, own in enumerate(members):
            turn, column = divmod(place, len(own))
            if turn < functions - 1:
                values[:, unit] = np.cos(np.pi * (2 + turn) * ranks[:, own[column]])
        found.append(freed_functions(values, found, shares))
    return np.stack(found[X.shape[1] :], axis=1)
