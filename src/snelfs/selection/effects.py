"""What a column does by itself, in plain words, and with which other column it acts together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from snelfs.data.categories import indicators
from snelfs.data.groups import checked_groups, told_once
from snelfs.foundation.blocks import dense_columns
from snelfs.search.association import best_partners, class_targets, target_strata
from snelfs.search.directions import directions
from snelfs.search.rank_statistics import evidence, normal_scores, standardised
from snelfs.tables.labels import named_labels

# A trend that chance shows in one of twenty columns is none.
LEAST_EVIDENCE = -np.log10(0.05)
NO_TREND = "no trend alone"


@dataclass(frozen=True)
class Effects:
    """Hold what every column does by itself; each field has one entry a column.

    Attributes
    ----------
    words : list of str
        "higher in AML" for two classes, "highest in EWS" or "lowest in EWS" for several, "rises with age" or
        "falls with age" for numbers, "higher means sooner" or "higher means later" for censored times,
        "higher with relapse" or "lower with relapse" for several labels, and "no trend alone" where chance
        would show as much in one of twenty columns.
    strength : ndarray of float
        The absolute correlation, from 0 to 1, of the column's normal scores with the target; for classes
        with belonging to the class named, for labels with the one named.
    """

    words: list[str]
    strength: NDArray[np.float64]


def effects(
    X: Any,
    y: NDArray[Any],
    task: str,
    target_name: str = "the target",
    labels: Sequence[str] = (),
    categories: Mapping[int, Sequence[str]] | None = None,
) -> Effects:
    """Return what every column does by itself.

    Parameters
    ----------
    X : array or CSR matrix of shape (rows, columns)
        Finite numbers.
    y : ndarray of shape (rows,) or (rows, labels)
        Classes or numbers, or zeros and ones of several labels.
    task : {"classification", "regression"}
        Which of them.
    target_name : str, default="the target"
        What to call the target in words.
    labels : sequence of str, optional
        What to call each of several labels.
    categories : mapping of int to sequence of str, optional
        The categories of columns that hold places among such.

    Examples
    --------
    >>> X = np.array([[1, 5], [2, 4], [3, 3], [4, 6], [5, 1], [6, 2]])
    >>> effects(X, np.array([1.0, 2, 3, 4, 5, 6]), "regression", "age").words
    ['rises with age', 'no trend alone']
    """
    targets = class_targets(y, task, len(y))
    shares = np.full(len(y), 1 / len(y))
    T = standardised(targets, shares).T * shares.astype(np.float32)  # (targets, rows), weighted
    correlation = np.concatenate([T @ normal_scores(block) for block in dense_columns(X)], axis=1)
    strongest = np.abs(correlation).argmax(axis=0)
    signed = np.take_along_axis(correlation, strongest[None], axis=0)[0]
    trend = np.zeros(len(signed), dtype=bool)
    if len(y) > 2:  # two rows lie on a line whatever the column
        trend = evidence(np.abs(signed), len(y) - 2, len(T)) >= LEAST_EVIDENCE
    phrases = [(f"lower with {name}", f"higher with {name}") for name in named_labels(y, labels)]
    phrases = phrases or _phrases(y, task, target_name)
    words = [
        phrases[place][int(rises)] if shows else NO_TREND
        for place, rises, shows in zip(strongest, signed > 0, trend, strict=True)
    ]
    strength = np.abs(signed).astype(np.float64)
    for place, levels in (categories or {}).items():
        words[place], strength[place] = _of_categories(X[:, place], T, levels)
    return Effects(words, np.minimum(strength, 1))


def _of_categories(codes: NDArray[Any], T: NDArray[Any], levels: Sequence[str]) -> tuple[str, float]:
    """Return whether categories differ in a target, and by which multiple correlation at most."""
    across = directions(
        indicators(codes, len(levels), np.ones(len(codes))), np.full(len(codes), 1 / len(codes))
    )
    together = np.sqrt(np.square(T @ across).sum(axis=1)).astype(np.float32)
    if len(codes) <= across.shape[1] + 1:
        return NO_TREND, float(together.max())
    sure = evidence(together, len(codes) - 2, len(T), across.shape[1]).max() >= LEAST_EVIDENCE
    words = f"differs between its {len(levels)} categories" if sure else NO_TREND
    return words, float(together.max())


def _phrases(y: NDArray[Any], task: str, target_name: str) -> list[tuple[str, str]]:
    """Return what to say of an association with each target, where it falls and where it rises."""
    if task == "survival":
        return [("higher means later", "higher means sooner")]
    if task == "regression":
        return [(f"falls with {target_name}", f"rises with {target_name}")]
    names = [str(label) if isinstance(label, str) else f"class {label}" for label in np.unique(y).tolist()]
    if len(names) == 2:
        return [(f"higher in {names[0]}", f"higher in {names[1]}")]
    return [(f"lowest in {name}", f"highest in {name}") for name in names]


def partners(
    X: Any, y: NDArray[Any], task: str, columns: NDArray[np.intp], groups: NDArray[Any] | None = None
) -> dict[int, int]:
    """Return for some columns the other one whose product with it tells of the target beyond chance.

    All columns of the table may be partners. Columns without one are not in the answer. Rows of a group with
    the same target count as one.

    Examples
    --------
    >>> X = np.random.default_rng(0).standard_normal((200, 50))
    >>> partners(X, X[:, 7] * X[:, 3] > 0, "classification", np.array([3, 4]))
    {3: 7}
    """
    if len(y) < 4:
        return {}
    goals, strata = class_targets(y, task, len(y)), target_strata(y)
    said, alike = goals if strata is None else np.c_[goals, strata], checked_groups(groups, len(y))
    rows = [told_once(block, said, np.ones(len(y)), alike, said) for block in dense_columns(X)]
    Z = np.concatenate([normal_scores(told, weights / weights.sum()) for told, _, weights in rows], axis=1)
    said = rows[0][1]
    within = None if strata is None else said[:, -1].round().astype(np.int64)
    found = best_partners(Z, said[:, : goals.shape[1]], columns, within)
    pairs = zip(columns.tolist(), found.tolist(), strict=True)
    return {column: partner for column, partner in pairs if partner >= 0}
