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
from snelfs.foundation.types import Floats, Ints, Singles
from snelfs.search.association import best_partners, class_targets, target_strata
from snelfs.search.directions import directions
from snelfs.search.rank_statistics import effective_rows, evidence, normal_scores, standardised
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
        "higher with relapse" or "lower with relapse" for several labels, "differs between its 3 categories"
        (", most with relapse" of several labels), and "no trend alone" where chance would show as much in one
        of twenty columns.
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
    groups: NDArray[Any] | None = None,
) -> Effects:
    """Return what every column does by itself. Rows of a group with the same target count as one.

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
    groups : ndarray of shape (rows,), optional
        Which rows belong together, such as the samples of a patient.

    Examples
    --------
    >>> X = np.array([[1, 5], [2, 4], [3, 3], [4, 6], [5, 1], [6, 2]])
    >>> effects(X, np.array([1.0, 2, 3, 4, 5, 6]), "regression", "age").words
    ['rises with age', 'no trend alone']
    """
    witnesses = _Witnesses(class_targets(y, task, len(y)), checked_groups(groups, len(y)))
    told = (normal_scores(witnesses.told(block), witnesses.shares) for block in dense_columns(X))
    correlation = np.concatenate([witnesses.T @ scores for scores in told], axis=1)
    strongest = np.abs(correlation).argmax(axis=0)
    signed = np.take_along_axis(correlation, strongest[None], axis=0)[0]
    trend = witnesses.evidence(np.abs(signed)) >= LEAST_EVIDENCE
    called = named_labels(y, labels)
    phrases = [(f"lower with {name}", f"higher with {name}") for name in called]
    phrases = phrases or _phrases(y, task, target_name)
    words = [
        phrases[place][int(rises)] if shows else NO_TREND
        for place, rises, shows in zip(strongest, signed > 0, trend, strict=True)
    ]
    strength = np.abs(signed).astype(np.float64)
    for place, levels in (categories or {}).items():
        words[place], strength[place] = _of_categories(X[:, place], witnesses, levels, called)
    return Effects(words, np.minimum(strength, 1))


class _Witnesses:
    """Rows that speak for themselves, of groups their means, and what they say of the targets."""

    def __init__(self, goals: Floats, groups: Ints | None) -> None:
        self._goals, self._groups, self._ones = goals, groups, np.ones(len(goals))
        _, targets, weights = told_once(goals, goals, self._ones, groups, goals)
        self.shares = weights / weights.sum()
        self.degrees = effective_rows(weights) - 2
        # Of shape (targets, rows), weighted.
        self.T = standardised(targets, self.shares).T * self.shares.astype(np.float32)

    def told(self, values: NDArray[np.floating]) -> NDArray[np.floating]:
        """Return columns with one row a witness."""
        return told_once(values, self._goals, self._ones, self._groups, self._goals)[0]

    def evidence(self, correlation: Singles, n_directions: int = 1) -> Floats:
        """Return the evidence of correlations; none where so few witnesses lie on a line whatever is."""
        if self.degrees <= n_directions - 1:
            return np.zeros(correlation.shape)
        return evidence(correlation, self.degrees, len(self.T), n_directions)


def _of_categories(
    codes: NDArray[Any], witnesses: _Witnesses, levels: Sequence[str], labels: Sequence[str]
) -> tuple[str, float]:
    """Return whether categories differ in a target, and by which multiple correlation at most."""
    marks = witnesses.told(indicators(codes, len(levels), np.ones(len(codes))))
    marks = standardised(marks, witnesses.shares)
    if not marks.any():  # each patient may have as many samples of every category
        return NO_TREND, 0.0
    across = directions(marks, witnesses.shares)
    together = np.sqrt(np.square(witnesses.T @ across).sum(axis=1)).astype(np.float32)
    strongest = float(together.max())
    if witnesses.evidence(together, across.shape[1]).max() < LEAST_EVIDENCE:
        return NO_TREND, strongest
    most = f", most with {labels[int(together.argmax())]}" if len(labels) else ""
    return f"differs between its {len(levels)} categories{most}", strongest


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
    """Return for some columns the other one together with which it tells of the target beyond chance.

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
