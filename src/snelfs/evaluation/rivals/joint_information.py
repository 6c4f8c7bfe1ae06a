"""Choose columns by what pairs of them say about the target: JMI and DISR.

JMI (Yang and Moody 1999) adds up the information of a column together with each of those chosen before; DISR
(Meyer and Bontempi 2006) divides each term by the entropy of the three, so that fine states count no more.
"""

from __future__ import annotations

import numpy as np

from snelfs.evaluation.rivals.mrmr import States
from snelfs.foundation.blocks import column_blocks
from snelfs.foundation.types import Floats


def joint_information(
    states: States, target: States, n_features: int, *, relative: bool = False
) -> list[int]:
    """Return columns in the order of choice; at most all of them.

    Parameters
    ----------
    states : array of shape (rows, columns)
        Small integers from 0.
    target : array of shape (rows,)
        Small integers from 0.
    relative : bool, default=False
        Whether every term is divided by its entropy, as DISR has it.

    Examples
    --------
    Of two coins whose difference is the target neither says anything alone, and both say everything:

    >>> states = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 1], [1, 1, 0]])
    >>> joint_information(states, np.array([0, 1, 1, 0]), 2)
    [2, 0]
    """
    nothing = np.zeros(len(target), dtype=np.int64)
    worth = _terms(states, nothing, target, relative=False)
    chosen: list[int] = []
    total = np.zeros(states.shape[1])
    while len(chosen) < min(n_features, states.shape[1]):
        if chosen:
            total += _terms(states, states[:, chosen[-1]], target, relative=relative)
            worth = total.copy()
        worth[chosen] = -np.inf
        # Rounded, since equal columns may differ in the last bits.
        chosen.append(int(worth.round(9).argmax()))
    return chosen


def _terms(states: States, given: States, target: States, *, relative: bool) -> Floats:
    """Return ``I(x, given; y)`` of every column x, or its share of ``H(x, given, y)``, in nats."""
    n_given, n_classes = int(given.max()) + 1, int(target.max()) + 1
    cells = ((given.astype(np.int64) * n_classes + target)[:, None] == np.arange(n_given * n_classes)).astype(
        np.float32
    )
    parts = [_part_terms(states[:, block], cells, n_classes) for block in column_blocks(*states.shape)]
    pair, whole, alone = (np.concatenate(each) for each in zip(*parts, strict=True))
    information = np.asarray(pair + alone - whole)
    if not relative:
        return information
    return np.asarray(np.divide(information, whole, out=np.zeros_like(whole), where=whole > 0))


def _part_terms(states: States, cells: Floats, n_classes: int) -> tuple[Floats, Floats, Floats]:
    """Return the entropies H(x, given), H(x, given, y) and H(y) for some columns."""
    marks = [(states == state).astype(np.float32).T @ cells for state in range(int(states.max()) + 1)]
    counts = np.stack(marks, axis=1).astype(np.float64)  # (columns, states, given · classes)
    counts = counts.reshape(len(counts), -1, n_classes)
    return (
        _entropy(counts.sum(axis=2)),
        _entropy(counts.reshape(len(counts), -1)),
        _entropy(counts.sum(axis=1)),
    )


def _entropy(counts: Floats) -> Floats:
    """Return the entropy of each row of counts, in nats."""
    total = counts.sum(axis=1)
    return np.asarray(np.log(total) - (counts * np.log(np.maximum(counts, 1))).sum(axis=1) / total)
