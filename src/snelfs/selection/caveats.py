"""What speaks against trusting a selection: few rows, restarts that disagree, uneven classes, copies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from snelfs.data.censored import read_survival
from snelfs.data.groups import checked_groups, told_once
from snelfs.data.sources import row_digests
from snelfs.foundation.sentences import Argument, Sentence
from snelfs.foundation.types import Ints, Reals
from snelfs.foundation.words import counted, first_few
from snelfs.search.association import class_targets
from snelfs.search.rank_statistics import effective_rows, evidence, standardised
from snelfs.search.stability import Stability
from snelfs.tables.labels import named_labels

FEW_ROWS = 50
POOR_AGREEMENT = 0.4  # below it agreement beyond chance is called poor, as of Cohen's kappa
FEW_RESTARTS = 0.5  # share of them below which a column is hardly picked
UNEVEN = 4  # times as many rows of the largest class as of the smallest
FEW_OF_A_CLASS = 5
MOST_LABELS = 3  # named in a sentence
LEAST_GAPS = 5  # values missing, and values there, of a column whose gaps may tell something


def caveats(
    X: Any,
    y: NDArray[Any],
    task: str,
    names: tuple[str, ...],
    agreement: Stability,
    selected: NDArray[np.bool_],
    frequency: Reals,
    labels: Sequence[str] = (),
) -> list[str]:
    """Return a sentence for each thing that a reader of the selection should know.

    Parameters
    ----------
    X : array or CSR matrix of shape (rows, columns)
    y : ndarray of shape (rows,) or (rows, labels)
    task : {"classification", "regression", "survival"}
    names : tuple of str
        One name a column.
    agreement : Stability
        That of the restarts.
    selected : ndarray of bool
        Which columns are selected.
    frequency : ndarray of float
        Share of the deciding restarts that pick each column.
    labels : sequence of str, optional
        What each of several labels is called.
    """
    said = [_few_rows(len(y)), _disagreement(agreement), *_hardly_picked(names, selected, frequency)]
    if task == "classification":
        said.append(_rare_labels(y, named_labels(y, labels)) if y.ndim > 1 else _uneven_classes(y))
    if task == "survival":
        said.append(_few_events(read_survival(y)["event"]))
    said += [_equal_rows(X, y), _equal_columns(X, names, selected)]
    return [sentence for sentence in said if sentence]


def gap_caveats(
    X: Any, y: NDArray[Any], task: str, names: tuple[str, ...], groups: NDArray[Any] | None = None
) -> list[str]:
    """Return sentences on how many values were filled, and on columns whose being missing tells the target.

    A column tells if the correlation of its gaps with the target, or with belonging to a class, is beyond
    chance: less likely than one in twenty after all columns and classes are counted. Rows of a group with the
    same target count as one, by the share of gaps among them.
    """
    if hasattr(X, "tocsr") or not np.isnan(X).any():
        return []
    missing = np.isnan(X)
    share = missing.sum() / missing.size
    said = [
        f"{int(missing.sum()):,} of {missing.size:,} values ({max(100 * share, 0.01):.2g} %) were missing in "
        f"{counted(int(missing.any(axis=0).sum()), 'column')} and filled with medians."
    ]
    telling = _telling_gaps(missing, y, task, checked_groups(groups, len(y)))
    if len(telling):
        verb = "of 1 column tells" if len(telling) == 1 else f"of {len(telling):,} columns tell"
        shown = first_few([names[place] for place in telling])
        said.append(
            f"Missing values {verb} of the target by being missing ({shown}): that is no accident, and "
            "medians hide it; find out why before you trust these columns."
        )
    return said


def _telling_gaps(
    missing: NDArray[np.bool_], y: NDArray[Any], task: str, groups: Ints | None
) -> NDArray[np.intp]:
    """Return the columns whose gaps are correlated with the target beyond chance, the strongest first."""
    columns = _with_some_gaps(missing)
    if not len(columns) or len(y) < FEW_ROWS // 2:
        return np.empty(0, np.intp)
    targets, own = class_targets(y, task, len(y)), missing[:, columns].astype(np.float64)
    told, said, weights = told_once(own, targets, np.ones(len(y)), groups, targets)
    left = _with_some_gaps(told)
    if not len(left) or effective_rows(weights) < FEW_ROWS // 2:
        return np.empty(0, np.intp)
    columns, shares = columns[left], weights / weights.sum()
    marks, goals = (standardised(each, shares) for each in (told[:, left], said))
    found = np.abs((goals.T * shares) @ marks).max(axis=0).astype(np.float32)
    sure = evidence(found, effective_rows(weights) - 2, len(columns) * targets.shape[1])
    order = np.argsort(-sure, kind="stable")
    return np.asarray(columns[order[sure[order] >= -np.log10(0.05)]])


def _with_some_gaps(marks: NDArray[Any]) -> NDArray[np.intp]:
    """Return the columns with several gaps and several values; a group may be in part of each."""
    gaps = marks.sum(axis=0)
    return np.flatnonzero((gaps >= LEAST_GAPS) & (gaps <= len(marks) - LEAST_GAPS))


def _few_rows(n_rows: int) -> str:
    if n_rows >= FEW_ROWS:
        return ""
    return (
        f"The table has {counted(n_rows, 'row')}: below about {FEW_ROWS} any ranking is largely chance, so "
        "look at the columns in other data before you trust them."
    )


def _few_events(event: NDArray[np.bool_]) -> str:
    n_events = int(event.sum())
    if n_events >= FEW_ROWS:
        return ""
    return (
        f"Of {counted(len(event), 'row')} only {n_events:,} had the event, and these teach most: below about "
        f"{FEW_ROWS} any ranking is largely chance."
    )


def _disagreement(agreement: Stability) -> str:
    if not agreement.value < POOR_AGREEMENT:  # nothing is said where it is not defined
        return ""
    return (
        f"The restarts agree little on the columns (stability {agreement.value:.2f}; 1 is full agreement and "
        "0 is chance): expect other columns from other samples."
    )


def _hardly_picked(names: tuple[str, ...], selected: NDArray[np.bool_], frequency: Reals) -> list[str]:
    """Speak of selected columns that few restarts pick, or none: they only make up the number."""
    by_none, by_few = selected & (frequency == 0), selected & (frequency > 0) & (frequency < FEW_RESTARTS)
    return [
        _picked(names, by_none, "by no restart", "only {} up the number asked for"),
        _picked(names, by_few, "by fewer than half of the restarts", "{} up the end of the list"),
    ]


def _picked(names: tuple[str, ...], columns: NDArray[np.bool_], by: str, so: str) -> str:
    if not columns.any():
        return ""
    shown = first_few([names[place] for place in np.flatnonzero(columns)])
    if columns.sum() == 1:
        return f"1 selected column was picked {by} and {so.format('makes')}: {shown}."
    return f"{int(columns.sum()):,} selected columns were picked {by} and {so.format('make')}: {shown}."


def _uneven_classes(y: NDArray[Any]) -> str:
    classes, counts = np.unique(y, return_counts=True)
    least, most = counts.argmin(), counts.argmax()
    if counts[least] >= FEW_OF_A_CLASS and counts[most] < UNEVEN * counts[least]:
        return ""
    few = f"class {str(classes[least])!r} has {counted(int(counts[least]), 'row')}"
    if least == most:
        return f"The classes are small: {few}."
    uneven = f"The classes are small or uneven: {few}, class {str(classes[most])!r} has {counts[most]:,}"
    if counts[most] < UNEVEN * counts[least]:
        return f"{uneven}."
    return Sentence(f"{uneven}; ", Argument('class_weight="balanced"'), " counts them alike.")


def _rare_labels(y: NDArray[Any], labels: Sequence[str]) -> str:
    """Speak of labels that few rows have, or few have not: these rows teach all that is learnt of them."""
    present = y.sum(axis=0)
    fewer, more = np.minimum(present, len(y) - present), np.maximum(present, len(y) - present)
    rare = np.flatnonzero((fewer < FEW_OF_A_CLASS) | (more >= UNEVEN * fewer))
    if not len(rare):
        return ""
    rare = rare[np.argsort(fewer[rare], kind="stable")]
    shown = [f"{labels[place]!r} is in {present[place]:,} of {len(y):,} rows" for place in rare[:MOST_LABELS]]
    left = len(rare) - len(shown)
    rest = f", and {counted(left, 'label')} more {'is' if left == 1 else 'are'} as uneven" if left else ""
    few = "; ".join(shown) + rest
    return f"Few rows have some label, or lack it, and these teach most of it: {few}."


def _equal_rows(X: Any, y: NDArray[Any]) -> str:
    n_copies = len(y) - len(set(zip(row_digests(X), map(str, y.tolist()), strict=True)))
    if not n_copies:
        return ""
    verb = "is an exact copy of another row" if n_copies == 1 else "are exact copies of other rows"
    return f"{counted(n_copies, 'row')} {verb} and only add weight to {'it' if n_copies == 1 else 'them'}."


def _equal_columns(X: Any, names: tuple[str, ...], selected: NDArray[Any]) -> str:
    """Speak of selected columns that have copies: which of them stands in the list is chance."""
    columns = X.T if hasattr(X, "tocsr") else np.ascontiguousarray(X.T)
    groups: dict[str, list[int]] = {}
    for place, digest in enumerate(row_digests(columns)):
        groups.setdefault(digest, []).append(place)
    twins = [places for places in groups.values() if len(places) > 1 and selected[places].any()]
    if not twins:
        return ""
    shown = first_few([names[place] for place in twins[0]])
    if len(twins) == 1:
        return f"Columns {shown} have exactly the same values: which of them is ranked first is chance."
    return (
        f"{len(twins):,} groups of columns with exactly the same values are among the selected ones, the "
        f"first {shown}: which of a group is ranked first is chance."
    )
