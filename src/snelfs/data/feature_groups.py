"""Columns that belong together: what is selected or not as a whole is a *unit*, a column or a group of them.

One-hot codes, the genes of a pathway and the windows of a spectrum are such groups, and so is a column of
categories, which enters as an indicator of each, or one with gaps, which may enter with a mark of them. A
table without any has no units: then each column is one.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from snelfs.data.beside import Beside, chosen_columns
from snelfs.data.groups import missing_names
from snelfs.foundation.checks import ArgumentError
from snelfs.foundation.sentences import Argument, Sentence
from snelfs.foundation.types import Flags, Ints
from snelfs.foundation.words import counted, first_few

_ALONE = -1  # the group of a column that is in none


class FeatureUnits(NamedTuple):
    """Which columns are selected as a whole, and how columns enter; each has one value a feature."""

    of: Ints  # its unit, numbered from 0 by the first column of each
    levels: Ints  # how many categories it has, coded from 0; 0 for a number
    marked: Flags  # whether the layer is told where it has gaps
    rivals: Ints | None = None  # its group, of which at most one column is selected; None: any number

    @property
    def n_units(self) -> int:
        """How many units there are."""
        return int(self.of.max()) + 1


def units_of(codes: Ints, levels: Ints, marked: Flags, *, one_each: bool) -> FeatureUnits | None:
    """Return the units that groups, categories and marks of gaps make; None if each column is a plain one.

    Parameters
    ----------
    codes : array of int
        The group of every column; -1 for one that is alone.
    levels : array of int
        How many categories every column has.
    marked : array of bool
        Which columns enter together with a mark of their gaps.
    one_each : bool
        Whether columns of a group compete, and are not selected together.

    Examples
    --------
    >>> units_of(np.array([-1, 0, -1, 0]), np.zeros(4, int), np.zeros(4, bool), one_each=False).of
    array([0, 1, 2, 1])
    """
    together = _numbered(codes)
    grouped = together.max() + 1 < len(codes)
    if not grouped and not levels.any() and not marked.any():
        return None
    if not one_each:
        return FeatureUnits(together, levels, marked)
    return FeatureUnits(np.arange(len(codes)), levels, marked, together if grouped else None)


def _numbered(codes: Ints) -> Ints:
    """Return groups and lone columns numbered by their first columns."""
    own = np.where(codes == _ALONE, len(codes) + np.arange(len(codes)), codes)
    _, first, inverse = np.unique(own, return_index=True, return_inverse=True)
    return np.asarray(np.argsort(np.argsort(first))[inverse], dtype=np.int64)


def group_codes(asked: Any, n_columns: int, names: Sequence[str] | None) -> tuple[Ints, list[str]]:
    """Return the group of every column as a number, -1 for none, and what the groups are called.

    Parameters
    ----------
    asked : sequence of labels, or mapping of names to columns
        One label a column, missing or empty for one that is alone; or columns of each group by names,
        positions or a mask.

    Examples
    --------
    >>> group_codes(["a", None, "a"], 3, None)
    (array([ 0, -1,  0]), ['a'])
    >>> group_codes({"sex": ["m", "f"]}, 3, ["age", "f", "m"])
    (array([-1,  0,  0]), ['sex'])
    """
    if asked is None:
        return np.full(n_columns, _ALONE), []
    if isinstance(asked, Mapping):
        codes, called = _mapped(asked, n_columns, names), [str(name) for name in asked]
        if twice := [name for name in called if called.count(name) > 1]:
            raise ArgumentError("feature_groups", f"calls two groups {twice[0]!r}: give each a name.")
    else:
        codes, called = _labelled(asked, n_columns)
    for code, name in enumerate(called):
        if (codes == code).all():
            raise ArgumentError(
                "feature_groups",
                f"puts all {n_columns} columns into the group {name!r}, which leaves nothing to choose from.",
            )
    return codes, called


def must_have_groups(asked: Any, *, one_each: bool) -> None:
    """Raise if one column of each group is asked for, and there are no groups."""
    if one_each and asked is None:
        needed = Sentence("needs ", Argument("feature_groups"), " to choose one column of each.")
        raise ArgumentError("one_per_group", needed)


def _labelled(asked: Any, n_columns: int) -> tuple[Ints, list[str]]:
    """Return the groups that one label a column names."""
    given = [] if isinstance(asked, str) else list(asked)
    if len(given) != n_columns:
        what = repr(asked) if isinstance(asked, str) else counted(len(given), "label")
        raise ArgumentError(
            "feature_groups",
            f"must be one label for each of the {n_columns} columns, or a mapping of names to columns, "
            f"got {what}.",
        )
    labels = np.empty(n_columns, dtype=object)
    labels[:] = given
    alone = missing_names(labels) | np.array([label == "" for label in given])
    called = list(dict.fromkeys(str(label) for label in labels[~alone]))
    place_of = {name: place for place, name in enumerate(called)}
    codes = [_ALONE if gap else place_of[str(label)] for label, gap in zip(labels, alone, strict=True)]
    return np.array(codes, dtype=np.int64), called


def _mapped(asked: Mapping[Any, Any], n_columns: int, names: Sequence[str] | None) -> Ints:
    """Return the groups that a mapping of names to columns makes."""
    codes, called = np.full(n_columns, _ALONE), list(asked)
    for code, (name, columns) in enumerate(asked.items()):
        places = chosen_columns("feature_groups", columns, n_columns, names)
        if not len(places):
            raise ArgumentError("feature_groups", f"has no column in the group {name!r}.")
        taken = places[codes[places] != _ALONE]
        if len(taken):
            column = names[taken[0]] if names is not None else f"x{taken[0]}"
            first = called[codes[taken[0]]]
            raise ArgumentError(
                "feature_groups", f"puts the column {str(column)!r} into two groups, {first!r} and {name!r}."
            )
        codes[places] = code
    return codes


def refuse_torn_groups(units: FeatureUnits, beside: Beside, names: Sequence[str]) -> None:
    """Raise if a part of a group enters beside the layer, or columns that compete are both kept."""
    groups = units.of if units.rivals is None else units.rivals
    adjusted = beside.covariates[np.bincount(groups)[groups[beside.covariates]] > 1]
    if len(adjusted):
        raise ArgumentError(
            "feature_groups",
            f"holds the covariate {names[int(adjusted[0])]!r}, which is never selected: leave it out.",
        )
    kept = np.isin(np.arange(len(units.of)), beside.keep)
    torn = ~kept & np.isin(units.of, units.of[beside.keep])
    if torn.any():
        left = first_few([names[place] for place in np.flatnonzero(torn).tolist()])
        raise ArgumentError(
            "keep", f"leaves {left} out of a group that it names: keep all columns of a group, or none."
        )
    if units.rivals is None or not len(beside.keep):
        return
    rivals, counts = np.unique(units.rivals[beside.keep], return_counts=True)
    if counts.max() > 1:
        both = beside.keep[units.rivals[beside.keep] == rivals[counts.argmax()]]
        raise ArgumentError(
            "keep",
            f"names {first_few([names[int(place)] for place in both])} of one group, and only one may stay.",
        )


def first_of_each(ranking: Ints, rivals: Ints) -> Flags:
    """Tell which columns are the best of their groups.

    Examples
    --------
    >>> first_of_each(np.array([3, 1, 2]), np.array([0, 1, 0]))
    array([False,  True,  True])
    """
    order = np.argsort(ranking, kind="stable")
    _, first = np.unique(rivals[order], return_index=True)
    return np.isin(np.arange(len(ranking)), order[first])
