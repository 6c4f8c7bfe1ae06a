"""Columns that enter the network beside the layer: covariates, and columns that are kept in any case.

Both are in the network from the first epoch and are not offered to the layer, which looks for what they leave
unexplained: its columns are freed from them by least squares. A covariate is never selected, a kept column
always.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from snelfs.foundation.checks import ArgumentError, is_integer
from snelfs.foundation.types import Floats, Ints
from snelfs.foundation.words import first_few, nearest

# Of an input that is a sum of others so much of its size is left by rounding, in single precision.
_NOTHING_NEW = 1e-5


class Beside(NamedTuple):
    """Which columns enter beside the layer, by their places."""

    keep: Ints
    covariates: Ints
    levels: tuple[int, ...]  # of every covariate: how many categories it has, coded from 0; 0 for a number

    @property
    def columns(self) -> Ints:
        """All of them."""
        return np.concatenate([self.keep, self.covariates])


NOTHING = Beside(np.empty(0, np.int64), np.empty(0, np.int64), ())


def design(values: NDArray[np.floating], levels: Sequence[int]) -> Floats:
    """Return covariates as inputs: numbers as they are, categories as an indicator of each but the first.

    A category that was not known, which is NaN, has no indicator. A column of one category is all zeros.

    Examples
    --------
    >>> design(np.array([[30.0, 0], [40.0, 2], [50.0, 1]]), [0, 3]).tolist()
    [[30.0, 0.0, 0.0], [40.0, 0.0, 1.0], [50.0, 1.0, 0.0]]
    """
    columns = [
        values[:, [place]] if not n_levels else values[:, [place]] == np.arange(1, max(n_levels, 2))
        for place, n_levels in enumerate(levels)
    ]
    return np.concatenate([column.astype(np.float64) for column in columns], axis=1)


def category_strata(values: NDArray[np.floating], levels: Sequence[int]) -> Ints | None:
    """Return one code for each combination of categorical covariates; None if there is none.

    A number of two values is a category, too.

    Examples
    --------
    >>> category_strata(np.array([[1.5, 0], [2.5, 1], [3.5, 0]]), [0, 0])
    array([0, 1, 0])
    """
    gaps = np.isnan(values)
    chosen = [
        place
        for place, n_levels in enumerate(levels)
        if n_levels or len(np.unique(values[~gaps[:, place], place])) == 2
    ]
    if not chosen:
        return None
    coded = np.where(gaps, np.inf, values)[:, chosen]  # what is missing is a category of its own
    return np.asarray(np.unique(coded, axis=0, return_inverse=True)[1].ravel())


def both_codes(first: Ints | None, second: Ints | None) -> Ints | None:
    """Return one code for each combination of two, either of which may be None.

    Examples
    --------
    >>> both_codes(np.array([0, 0, 1]), np.array([0, 1, 1])), both_codes(None, None)
    (array([0, 1, 2]), None)
    """
    if first is None or second is None:
        return second if first is None else first
    return np.asarray(np.unique(np.stack([first, second]), axis=1, return_inverse=True)[1].ravel())


def freed(Z: NDArray[np.floating], C: NDArray[np.floating], weights: Floats) -> Floats:
    """Return what weighted least squares on inputs, and a constant, leave of every column."""
    own, basis = directions(C, weights)
    weighted = own * Z
    return np.asarray((weighted - basis @ (basis.T @ weighted)) / own)


def directions(C: NDArray[np.floating], weights: Floats) -> tuple[Floats, Floats]:
    """Return the root of every row's share, and an orthonormal basis of weighted inputs and a constant.

    Inputs that follow from others, as the centres of nested batches do, add no direction.
    """
    own = np.sqrt(weights / weights.sum())[:, None]
    given = own * np.c_[np.ones(len(C)), C.astype(np.float64)]
    basis, triangle = np.linalg.qr(given)
    pivots = np.abs(np.diagonal(triangle))
    if len(pivots) < given.shape[1] or pivots.min() <= _NOTHING_NEW * pivots.max():
        left, sizes, _ = np.linalg.svd(given, full_matrices=False)
        basis = left[:, sizes > _NOTHING_NEW * sizes[0]]
    return own, basis


def chosen_columns(argument: str, asked: Any, n_columns: int, names: Sequence[str] | None) -> Ints:
    """Return the places of columns that were named, numbered from 0, or marked in a mask.

    Examples
    --------
    >>> chosen_columns("keep", ["b"], 3, ["a", "b", "c"]), chosen_columns("keep", [True, False], 2, None)
    (array([1]), array([0]))
    >>> chosen_columns("keep", ["sexx"], 3, ["age", "sex", "gene"])
    Traceback (most recent call last):
    snelfs.foundation.checks.ArgumentError: keep names 'sexx', which is no column; the nearest name is 'sex'.
    """
    if asked is None:
        return np.empty(0, np.int64)
    given = [asked] if isinstance(asked, str) or is_integer(asked) else list(asked)
    if given and all(isinstance(each, bool | np.bool_) for each in given):
        if len(given) != n_columns:
            raise ArgumentError(
                argument, f"must mark each of the {n_columns} columns in a mask, got {len(given)} marks."
            )
        return np.flatnonzero(given)
    places = [_place(argument, each, n_columns, names) for each in given]
    if len(set(places)) < len(places):
        twice = next(each for place, each in zip(places, given, strict=True) if places.count(place) > 1)
        raise ArgumentError(argument, f"names {twice!r} more than once.")
    return np.array(places, dtype=np.int64)


def _place(argument: str, asked: Any, n_columns: int, names: Sequence[str] | None) -> int:
    """Return the place of one column, by its name or number."""
    if isinstance(asked, str):
        if names is None:
            raise ArgumentError(argument, f"names {asked!r}, but X has no names: give positions or a mask.")
        known = [str(name) for name in names]
        if asked not in known:
            raise ArgumentError(argument, f"names {asked!r}, which is no column; {nearest(asked, known)}.")
        return known.index(asked)
    if not is_integer(asked) or not 0 <= asked < n_columns:
        raise ArgumentError(
            argument,
            f"must hold names, positions from 0 to {n_columns - 1} or a mask of the columns, got {asked!r}.",
        )
    return int(asked)


def refuse_useless(values: NDArray[np.floating], target: NDArray[np.generic], names: Sequence[str]) -> None:
    """Raise if a covariate is constant, or is the target under another name: nothing would be left."""
    for column, name in zip(values.T, names, strict=True):
        if reason := why_useless(column, target):
            raise ArgumentError("covariates", f"names {name!r}, which {reason}.")


def why_useless(covariate: NDArray[np.floating], target: NDArray[np.generic]) -> str | None:
    """Return in words why a covariate cannot be adjusted for, None if it can.

    Examples
    --------
    >>> why_useless(np.array([1.0, np.nan, 1.0]), np.array([0, 1, 1]))
    'is constant: there is nothing to adjust for'
    """
    given: Any = target
    fields = target.dtype.names
    targets = [given[name] for name in fields] if fields else list(given.reshape(len(given), -1).T)
    known = ~np.isnan(covariate)
    if len(np.unique(covariate[known])) < 2:
        return "is constant: there is nothing to adjust for"
    if any(_is_copy(covariate[known], one[known]) for one in targets):
        return "says the same as the target: nothing is left to explain"
    return None


def _is_copy(column: NDArray[np.floating], target: NDArray[np.generic]) -> bool:
    """Tell whether a column has one value for each of the target's, and back, or lies along it."""
    values, codes = np.unique(column, return_inverse=True)
    classes, labels = np.unique(target, return_inverse=True)
    if len(classes) < 2:  # as the events of times of which none is censored
        return False
    if len(values) == len(classes) < len(column):
        return len(np.unique(np.stack([codes, labels]), axis=1).T) == len(values)
    if target.dtype.kind != "f" or len(column) < 3:
        return False
    return bool(abs(np.corrcoef(column, target.astype(np.float64))[0, 1]) > 1 - 1e-9)


def refuse_contradictions(
    beside: Beside, n_columns: int, n_selected: int, names: Sequence[str], n_kept: int | None = None
) -> None:
    """Raise if columns are both kept and covariates, or leave nothing to look for.

    Parameters
    ----------
    n_kept : int, optional
        How many of those to select are kept: a group of columns counts once.
    """
    n_kept = len(beside.keep) if n_kept is None else n_kept
    both = np.intersect1d(beside.keep, beside.covariates)
    if len(both):
        raise ArgumentError(
            "keep",
            f"names {first_few([names[place] for place in both])}, and so does covariates: choose one.",
        )
    if len(beside.columns) >= n_columns:
        what = "keep" if len(beside.keep) else "covariates"
        raise ArgumentError(what, f"leaves none of the {n_columns} columns to look for others in.")
    if n_kept >= n_selected:
        raise ArgumentError(
            "keep",
            f"names {n_kept} of {n_selected} column(s) to select, which leaves none to look "
            "for: select more, or keep fewer.",
        )
