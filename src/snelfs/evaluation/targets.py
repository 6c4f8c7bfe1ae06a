"""What an evaluation can predict: targets of every task, checked for the folds that they are tested in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from snelfs.data.censored import read_survival
from snelfs.data.groups import units_of
from snelfs.foundation.checks import ArgumentError
from snelfs.foundation.types import Floats, Ints
from snelfs.foundation.words import counted
from snelfs.tables.labels import named_labels


def checked_target(
    target: NDArray[Any], task: str, folds: int, groups: Ints | None, names: Sequence[str] = ()
) -> NDArray[Any]:
    """Return classes numbered from 0, numbers, events and times, or zeros and ones of several labels.

    Parameters
    ----------
    groups : array of int or None
        Which rows belong together, as numbers from 0.
    names : sequence of str, optional
        What the labels are called.

    Raises
    ------
    ValueError
        If the target is none of these, or too rare to be tested in every fold.
    """
    if target.ndim > 1:
        return _labels(target, folds, groups, names)
    if task == "classification":
        return _classes(target, folds, groups)
    return _numbers(target, folds) if task == "regression" else _censored(target, folds)


def _labels(
    y: NDArray[np.generic], folds: int, groups: Ints | None, names: Sequence[str]
) -> NDArray[np.intp]:
    """Return zeros and ones, if each label has rows, or groups, with and without it for every fold."""
    if not np.isin(y, (0, 1)).all():
        raise ValueError("y of several columns must hold 0 and 1, a column for each label.")
    labels, unit = y.astype(np.intp), "row" if groups is None else "group"
    for place, name in enumerate(named_labels(labels, names)):
        for value, which in ((1, "with"), (0, "without")):
            rows = np.flatnonzero(labels[:, place] == value)
            n_units = len(rows) if groups is None else len(np.unique(groups[rows]))
            if n_units < folds:
                raise ValueError(
                    f"The label {name!r} has {counted(n_units, unit)} {which} it, fewer than the {folds} "
                    "folds: ask for fewer folds, or leave the label out."
                )
    return labels


def _classes(target: NDArray[Any], folds: int, groups: Ints | None) -> NDArray[np.intp]:
    """Return the classes numbered from 0, if each has a row, or a group, in every fold."""
    labels, codes, counts = np.unique(target, return_inverse=True, return_counts=True)
    if len(labels) < 2:
        raise ValueError(f"y must have at least two classes, got {labels[0]!s} alone.")
    unit = "row"
    if groups is not None:
        unit, counts = "group", units_of(codes, np.ones(len(codes)), groups).holders
    if counts.min() < folds:
        rarest = labels[counts.argmin()]
        raise ValueError(
            f"The class {rarest!s} has {counted(int(counts.min()), unit)}, fewer than the {folds} folds: ask "
            "for fewer folds, or leave the class out."
        )
    return np.asarray(codes, dtype=np.intp)


def _censored(target: NDArray[Any], folds: int) -> NDArray[np.void]:
    """Return events and times, if every fold has an event to test with."""
    found = read_survival(target)
    if (n_events := int(found["event"].sum())) < 2 * folds:
        raise ValueError(
            f"y has {n_events} events, fewer than two for each of the {folds} folds: ask for fewer folds."
        )
    return found


def _numbers(target: NDArray[Any], folds: int) -> Floats:
    if target.dtype.kind not in "biuf" or not np.isfinite(target).all():
        raise ValueError(f"y must be finite numbers for a regression, got {target.dtype} values.")
    if np.ptp(target.astype(np.float64)) == 0:
        raise ValueError(f"y must have at least two values, got {target[0]!s} alone.")
    if len(target) < folds:
        raise ArgumentError("folds", f"must be at most the number of rows, {len(target)}, got {folds}.")
    return target.astype(np.float64)
