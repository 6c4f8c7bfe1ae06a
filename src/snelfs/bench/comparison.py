"""Compare methods over data sets: spread, wins, the sign test, intervals."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from snelfs.evaluation.intervals import Interval, student_interval


def mean_and_spread(values: ArrayLike, digits: int = 2) -> str:
    """Return "mean ± standard deviation" of some values.

    Examples
    --------
    >>> mean_and_spread([0.5, 1.0])
    '0.75 ± 0.25'
    """
    array = np.asarray(values, dtype=np.float64)
    return f"{array.mean():.{digits}f} ± {array.std():.{digits}f}"


@dataclass(frozen=True)
class Wins:
    """On how many data sets a method wins, ties and loses, and how easily chance would do the same.

    Attributes
    ----------
    p_value : float
        Of the two-sided sign test; ties are left out.
    """

    win: int
    tie: int
    loss: int
    p_value: float

    def __str__(self) -> str:
        return f"{self.win}/{self.tie}/{self.loss}"


def count_wins(ours: Sequence[float], theirs: Sequence[float], digits: int = 4) -> Wins:
    """Count on which data sets our score is greater than, equal to or less than theirs.

    Parameters
    ----------
    digits : int, default=4
        Scores that agree when rounded so are ties, as in a printed table.

    Examples
    --------
    >>> wins = count_wins([0.9, 0.8, 0.70001, 0.5], [0.8, 0.7, 0.7, 0.6])
    >>> str(wins), wins.p_value
    ('2/1/1', 1.0)
    """
    difference = np.round(ours, digits) - np.round(theirs, digits)
    win, loss = int((difference > 0).sum()), int((difference < 0).sum())
    p_value = stats.binomtest(win, win + loss).pvalue if win + loss else 1.0
    return Wins(win, len(difference) - win - loss, loss, float(p_value))


def interval_over_sets(differences: ArrayLike, level: float = 0.95) -> Interval:
    """Return the mean difference over independent data sets with Student's interval.

    Examples
    --------
    >>> print(interval_over_sets([0.1, 0.2, 0.3]))
    +0.200 (-0.048 to +0.448)
    """
    array = np.asarray(differences, dtype=np.float64)
    if len(array) < 2:
        return Interval(float(array.mean()), float("nan"), float("nan"))
    return student_interval(array, float(stats.sem(array)), level)
