"""What is asked of a target: to tell classes apart, or to predict numbers or censored times."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from snelfs.foundation.checks import choice

Task = Literal["binary", "multiclass", "multilabel", "regression", "survival", "own"]
TASKS = ("classification", "regression")  # what callers ask for; a network tells two classes from more

_MOST_CLASSES = 20


def guess_task(y: ArrayLike) -> str:
    """Return "classification", "regression" or "survival", whichever a target looks like.

    Events and times in one array, as `snelfs.survival_target` makes it, are censored times.
    Text and truth values are classes, and numbers with a fractional part are not: that is how the estimators
    and associations read a target, too. They take all whole numbers for classes; here, where nobody
    said what is meant, whole numbers are classes if there are two of them, or at most 20 of which each
    comes twice on average. An age or a count is a regression.

    Examples
    --------
    >>> guess_task(["ALL", "AML"]), guess_task([0, 1, 2, 0, 1, 2])
    ('classification', 'classification')
    >>> guess_task([0.5, 1, 2]), guess_task(range(30))
    ('regression', 'regression')
    """
    values = np.asarray(y)
    if values.dtype.names:
        return "survival"
    if values.dtype.kind not in "iuf":
        return "classification"
    if values.dtype.kind == "f" and not np.array_equal(values, np.floor(values)):
        return "regression"
    n_different = len(np.unique(values))
    few = n_different <= _MOST_CLASSES and 2 * n_different <= len(values)
    return "classification" if few or n_different <= 2 else "regression"


def checked_task(task: object) -> str:
    """Return a task, or "auto", or raise if it is neither."""
    return choice("task", task, ("auto", *TASKS, "survival"))


def chosen_task(task: object, y: ArrayLike) -> str:
    """Return the task asked for; "auto" is the one that a target looks like.

    Examples
    --------
    >>> chosen_task("auto", [0, 1, 0, 1]), chosen_task("regression", [0, 1, 0, 1])
    ('classification', 'regression')
    """
    asked = checked_task(task)
    return guess_task(y) if asked == "auto" else asked
