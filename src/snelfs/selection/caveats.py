"""What speaks against trusting a selection: few rows, restarts that disagree, uneven classes, copies."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from snelfs.data.censored import read_survival
from snelfs.data.sources import row_digests
from snelfs.foundation.sentences import Argument, Sentence
from snelfs.foundation.types import Reals
from snelfs.foundation.words import counted, first_few
from snelfs.search.stability import Stability

FEW_ROWS = 50
POOR_AGREEMENT = 0.4  # below it agreement beyond chance is called poor, as of Cohen's kappa
UNEVEN = 4  # times as many rows of the largest class as of the smallest
FEW_OF_A_CLASS = 5


def caveats(
    X: Any,
    y: NDArray[Any],
    task: str,
    names: tuple[str, ...],
    agreement: Stability,
    selected: NDArray[np.bool_],
    frequency: Reals,
) -> list[str]:
    """Return a sentence for each thing that a reader of the selection should know.

    Parameters
    ----------
    X : array or CSR matrix of shape (rows, columns)
    y : ndarray of shape (rows,)
    task : {"classification", "regression", "survival"}
    names : tuple of str
        One name a column.
    agreement : Stability
        That of the restarts.
    selected : ndarray of bool
        Which columns are selected.
    frequency : ndarray of float
        Share of the deciding restarts that pick each column.
    """
    said = [_few_rows(len(y)), _disagreement(agreement), _unpicked(names, selected & (frequency == 0))]
    if task == "classification":
        said.append(_uneven_classes(y))
    if task == "survival":
        said.append(_few_events(read_survival(y)["event"]))
    said += [_equal_rows(X, y), _equal_columns(X, names, selected)]
    return [sentence for sentence in said if sentence]


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


def _unpicked(names: tuple[str, ...], filling: NDArray[np.bool_]) -> str:
    """Speak of selected columns that no restart voted for: they only make up the number."""
    if not filling.any():
        return ""
    shown = first_few([names[place] for place in np.flatnonzero(filling)])
    if filling.sum() == 1:
        return f"1 selected column was picked by no restart and only makes up the number asked for: {shown}."
    number = f"{int(filling.sum()):,} selected columns were picked by no restart"
    return f"{number} and only make up the number asked for: {shown}."


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


def _equal_rows(X: Any, y: NDArray[Any]) -> str:
    n_copies = len(y) - len(set(zip(row_digests(X), y.tolist(), strict=True)))
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
