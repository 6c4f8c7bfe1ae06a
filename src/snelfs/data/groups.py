"""Rows that belong together, such as the samples of a patient: they stand on one side of every split."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from snelfs.foundation.checks import ArgumentError
from snelfs.foundation.types import Flags, Floats, Ints, Places
from snelfs.foundation.words import counted

# The types by which pandas says that a value is missing; neither equals anything, itself included.
_MISSING = ("NAType", "NaTType")


def checked_groups(groups: ArrayLike | None, n_rows: int) -> Ints | None:
    """Return the group of every row as a number from 0, or say what is wrong with what was given.

    Examples
    --------
    >>> checked_groups(["b", "a", "b"], 3)
    array([1, 0, 1])
    >>> checked_groups(["a", None, "b"], 3)
    Traceback (most recent call last):
    snelfs.foundation.checks.ArgumentError: groups must name a group for every row; 1 row has none, row 1.
    """
    if groups is None:
        return None
    names = np.asarray(groups)
    if names.shape != (n_rows,):
        raise ArgumentError(
            "groups", f"must hold one value for each of the {n_rows:,} rows, got the shape {names.shape}."
        )
    missing = missing_names(names)
    if missing.any():
        have, first = "has" if missing.sum() == 1 else "have", int(missing.argmax())
        raise ArgumentError(
            "groups",
            f"must name a group for every row; {counted(int(missing.sum()), 'row')} {have} none, "
            f"{'' if missing.sum() == 1 else 'the first '}row {first}.",
        )
    if names.dtype == object:  # of several types, which have no order
        names = np.array([str(name) for name in names])
    found, codes = np.unique(names, return_inverse=True)
    if len(found) < 2:
        raise ArgumentError(
            "groups", f"must name at least two groups, got {found[0]!s} alone for all {n_rows:,} rows."
        )
    return np.asarray(codes, dtype=np.int64)


def missing_names(names: NDArray[Any]) -> Flags:
    """Tell which names are missing: None, what is no number, or pandas' own words for it.

    Examples
    --------
    >>> missing_names(np.array(["a", None, float("nan")], dtype=object))
    array([False,  True,  True])
    """
    if names.dtype.kind == "f":
        return np.asarray(np.isnan(names))
    if names.dtype != object:
        return np.zeros(names.shape, dtype=bool)
    return np.array(
        [
            name is None
            or (isinstance(name, float | np.floating) and bool(np.isnan(name)))
            or type(name).__name__ in _MISSING
            for name in names
        ]
    )


class Units(NamedTuple):
    """What stands on one side of a split as a whole."""

    of_row: Ints  # the unit of every row
    strata: Ints  # of every unit, as the next two
    weights: Floats
    sizes: Ints  # rows
    holders: Ints  # for every stratum, how many units have a row of it


def units_of(strata: Ints, weights: Floats, groups: Ints | None) -> Units:
    """Return the groups as units of a split, or the rows if there are no groups.

    The stratum of a group is the one among those of its rows that the fewest groups have. So a rare class is
    spread over all parts of a split wherever it can be, and a group that alone has some stratum is alone in
    it.

    Examples
    --------
    >>> units_of(np.array([0, 0, 0, 1, 0]), np.ones(5), np.array([0, 0, 1, 1, 2])).strata.tolist()
    [0, 1, 0]
    """
    if groups is None:
        alone = np.ones(len(strata), dtype=np.int64)
        return Units(np.arange(len(strata)), strata, weights, alone, np.bincount(strata))
    of_row = np.unique(groups, return_inverse=True)[1]
    has = np.zeros((of_row.max() + 1, strata.max() + 1), dtype=bool)
    has[of_row, strata] = True
    rarity = np.where(has, has.sum(axis=0), len(strata) + 1)
    return Units(
        of_row,
        rarity.argmin(axis=1),
        np.bincount(of_row, weights).astype(np.float64),
        np.bincount(of_row),
        has.sum(axis=0),
    )


def told_once(
    Z: NDArray[np.floating], goals: Floats, weights: Floats, groups: Ints | None, target: NDArray[Any]
) -> tuple[NDArray[np.floating], Floats, Floats]:
    """Return rows, goals and weights in which a group says what it says of a target once, by its means.

    Four samples of a patient are no four witnesses. The weights then sum to the number of rows returned.

    Examples
    --------
    >>> Z, target = np.array([[1.0], [3.0], [5.0]]), np.array([0, 0, 1])
    >>> told = told_once(Z, target[:, None], np.ones(3), np.array([7, 7, 7]), target)
    >>> [part.ravel().round(2).tolist() for part in told]
    [[2.0, 5.0], [0.0, 1.0], [1.33, 0.67]]
    """
    if groups is None:
        return Z, goals, weights
    said = np.c_[groups, target.reshape(len(target), -1)]
    unit = np.unique(said, axis=0, return_inverse=True)[1].ravel()
    total = np.bincount(unit, weights)
    if len(total) == len(groups):
        return Z, goals, weights
    means = _averaging(unit, weights)
    return np.asarray(means.astype(Z.dtype) @ Z), np.asarray(means @ goals), total / total.mean()


def group_means(values: NDArray[np.floating], weights: Floats, groups: Ints | None) -> NDArray[np.floating]:
    """Return for every row the weighted mean of its group, of shape (rows, columns); without groups its own.

    Examples
    --------
    >>> group_means(np.array([[1.0], [4.0], [5.0]]), np.array([2.0, 1.0, 1.0]), np.array([7, 7, 8])).tolist()
    [[2.0], [2.0], [5.0]]
    """
    if groups is None:
        return values
    group = np.unique(groups, return_inverse=True)[1].ravel()
    return np.asarray((_averaging(group, weights) @ values)[group])


def _averaging(unit: Places, weights: Floats) -> sparse.csr_array:
    """Return what a table is multiplied by for the weighted means of its rows of every unit, from 0 on."""
    shares = weights / np.bincount(unit, weights)[unit]
    return sparse.csr_array((shares, (unit, np.arange(len(unit)))))


def lonely_strata(strata: Ints, groups: Ints | None) -> Ints:
    """Return the strata that one group alone has, and with it no other side of a split; none without groups.

    Examples
    --------
    >>> lonely_strata(np.array([0, 0, 0, 1, 1]), np.array([0, 1, 1, 2, 2]))
    array([1])
    """
    if groups is None:
        return np.empty(0, np.int64)
    return np.flatnonzero(units_of(strata, np.ones(len(strata)), groups).holders == 1)


def shuffled_rows(
    values: NDArray[Any],
    groups: Ints | None,
    generator: np.random.Generator,
    strata: Ints | None = None,
) -> Places:
    """Return which row's target each row has after a shuffle that respects what belongs together.

    Where the target is the same all over a group, groups exchange their targets as wholes. Where it differs
    within a group, rows of that group exchange theirs. Without groups all rows do.

    Parameters
    ----------
    values : array of shape (rows,) or (rows, targets)
        The target.
    groups : array of int or None
    strata : array of int, optional
        Rows of different ones exchange nothing. Groups that are in several exchange targets as wholes with
        those that are in the same ones; where the target differs within such a group, rows of one stratum do.

    Examples
    --------
    >>> generator = np.random.default_rng(0)
    >>> order = shuffled_rows(np.array([7, 7, 9, 9, 1, 2]), np.array([0, 0, 1, 1, 2, 2]), generator)
    >>> bool(order[0] == order[1] and order[2] == order[3]), sorted(order[4:].tolist())
    (True, [4, 5])
    """
    if strata is not None:
        order = np.arange(len(values))
        for rows, own in _exchanging(values, groups, strata):
            order[rows] = rows[shuffled_rows(values[rows], own, generator)]
        return order
    if groups is None:
        return generator.permutation(len(values))
    _, first, unit = np.unique(groups, return_index=True, return_inverse=True)
    same = (values == values[first[unit]]).reshape(len(values), -1).all(axis=1)
    whole = np.bincount(unit, ~same) == 0
    source = first.copy()
    source[whole] = generator.permutation(first[whole])
    order = source[unit]
    for mixed in np.flatnonzero(~whole):
        rows = np.flatnonzero(unit == mixed)
        order[rows] = generator.permutation(rows)
    return order


def _exchanging(
    values: NDArray[Any], groups: Ints | None, strata: Ints
) -> Iterator[tuple[Places, Ints | None]]:
    """Yield rows that may exchange targets, and which of them belong together."""
    if groups is None:
        yield from ((np.flatnonzero(strata == stratum), None) for stratum in np.unique(strata))
        return
    _, first, unit = np.unique(groups, return_index=True, return_inverse=True)
    same = (values == values[first[unit]]).reshape(len(values), -1).all(axis=1)
    is_whole = (np.bincount(unit, ~same) == 0)[unit]
    held = np.zeros((len(first), strata.max() + 1), dtype=bool)
    held[unit, strata] = True
    is_parted = (held.sum(axis=1) > 1)[unit]
    for pattern in np.unique(held, axis=0):
        rows = np.flatnonzero((held == pattern).all(axis=1)[unit] & (is_whole | ~is_parted))
        if len(rows):
            yield rows, groups[rows]
    for group in np.unique(groups[is_parted & ~is_whole]):
        for stratum in np.unique(strata[groups == group]):
            yield np.flatnonzero((groups == group) & (strata == stratum)), None
