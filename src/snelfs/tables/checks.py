"""Look a table over before anything is learnt from it: columns that know the answer, turned tables."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from snelfs.foundation.blocks import dense_columns
from snelfs.foundation.powers import unit_factors
from snelfs.foundation.sentences import Argument, Sentence
from snelfs.foundation.task import guess_task
from snelfs.foundation.words import counted, first_few

# Probes and genes as Affymetrix, Ensembl, RefSeq, Illumina and the methylation arrays name them.
_GENE = re.compile(r".+_at|ENS[A-Z]*[GTP]\d{6,}(\.\d+)?|[NX][MR]_\d+(\.\d+)?|ILMN_\d+|cg\d{8}")
_IF_TURNED = Sentence("if each row is a feature, pass ", Argument("transpose=True"), ".")


def perfect_separators(X: Any, y: ArrayLike) -> NDArray[np.intp]:
    """Return the columns that tell all classes apart by themselves, each class in an interval of its own.

    Such a column may be the answer under another name, or the best marker there is: on few rows and many
    columns some do it by chance. Hence they are told, and not taken away.

    Parameters
    ----------
    X : array or CSR matrix of shape (rows, columns)
    y : array-like of shape (rows,)
        The classes.

    Examples
    --------
    >>> perfect_separators(np.array([[1, 7], [2, 9], [3, 8]]), ["a", "a", "b"])
    array([0])
    """
    lowest, highest = _ranges(X, np.asarray(y))
    if len(lowest) < 2:
        return np.empty(0, np.intp)
    order = np.argsort(lowest, axis=0)
    lowest = np.take_along_axis(lowest, order, axis=0)
    highest = np.take_along_axis(highest, order, axis=0)
    return np.flatnonzero((highest[:-1] < lowest[1:]).all(axis=0))


def target_copies(X: Any, y: ArrayLike) -> NDArray[np.intp]:
    """Return the columns that say the same as the target: one number a class, or the target on another scale.

    Examples
    --------
    >>> target_copies(np.array([[5, 7], [5, 9], [3, 8]]), ["a", "a", "b"])
    array([0])
    >>> target_copies(np.array([[1, 7], [2, 9], [4, 8]]), [0.5, 1.0, 2.0])
    array([0])
    """
    values = np.asarray(y)
    if guess_task(values) == "classification":
        lowest, highest = _ranges(X, values)
        separators = perfect_separators(X, values)
        constant: NDArray[np.bool_] = (lowest == highest).all(axis=0)
        return np.intersect1d(separators, np.flatnonzero(constant))
    values = values * unit_factors(np.abs(values.astype(np.float64)).max())
    direction = values - values.mean()
    length = np.sqrt(direction @ direction)
    if length == 0:
        return np.empty(0, np.intp)
    found = [_lies_along(block, direction / length) for block in dense_columns(X)]
    return np.flatnonzero(np.concatenate(found))


def _lies_along(block: NDArray[Any], direction: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Tell which columns are a direction but for their mean and scale, as far as float32 can tell."""
    block = block * unit_factors(np.abs(block).max(axis=0))
    mean = block.mean(axis=0)
    centred = block - mean
    spread = np.square(centred).sum(axis=0)
    return np.asarray((spread > 1e-12 * mean**2) & (np.square(direction @ centred) >= (1 - 1e-9) * spread))


def _ranges(X: Any, y: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the lowest and highest value of every class in every column."""
    rows = [np.flatnonzero(y == label) for label in np.unique(y)]
    lowest = [_dense(X[places].min(axis=0)) for places in rows]
    highest = [_dense(X[places].max(axis=0)) for places in rows]
    return np.array(lowest), np.array(highest)


def _dense(row: Any) -> NDArray[Any]:
    return np.asarray(row.toarray() if hasattr(row, "toarray") else row).ravel()


def notes_on_answers(X: Any, y: NDArray[Any], names: list[str], label: str | None = None) -> list[str]:
    """Return a sentence on copies of the target, or of a label, and one on columns that tell it perfectly."""
    what = "the target" if label is None else f"the label {label!r}"
    classes = "the classes" if label is None else f"rows with {label!r} from those without"
    copies = target_copies(X, y)
    notes = []
    if len(copies):
        say = "column says" if len(copies) == 1 else "columns say"
        found = first_few([names[place] for place in copies])
        notes.append(f"{len(copies):,} {say} the same as {what} and would be selected for it: {found}.")
    if guess_task(y) == "classification":
        others = np.setdiff1d(perfect_separators(X, y), copies)
        if len(others):
            verb = "separates" if len(others) == 1 else "separate"
            found = first_few([names[place] for place in others])
            notes.append(
                f"{counted(len(others), 'column')} {verb} {classes} perfectly alone: {found}; make sure "
                "that nothing of this was measured after the answer was known."
            )
    return notes


def turned_hint(row_names: Sequence[str] | None, shape: tuple[int, int]) -> str:
    """Return a sentence if the rows of a table seem to be features, by their names or by the shape."""
    if row_names is None:
        return ""
    seen = hint_of_genes(row_names)
    if not seen and shape[0] >= 200 and shape[0] > 5 * shape[1]:
        return Sentence(f"It has far more rows ({shape[0]:,}) than columns ({shape[1]:,}): ", _IF_TURNED)
    return seen


def hint_of_genes(row_names: Sequence[str]) -> str:
    """Return a sentence if most of the rows are named like genes."""
    first = list(row_names[:100])
    if 2 * sum(bool(_GENE.fullmatch(name)) for name in first) <= len(first):
        return ""
    return Sentence(f"Its rows are named like genes ({first_few(row_names)}): ", _IF_TURNED)
