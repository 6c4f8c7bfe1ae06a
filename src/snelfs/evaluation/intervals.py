"""Compare methods over data sets: spread, wins, the sign test, intervals on differences."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats


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


@dataclass(frozen=True)
class Interval:
    """Hold a mean difference with a confidence interval, whose ends are NaN for a single value."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        if np.isnan(self.low):
            return f"{self.mean:+.3f}"
        return f"{self.mean:+.3f} ({self.low:+.3f} to {self.high:+.3f})"


def resampled_interval(differences: ArrayLike, test_share: float, level: float = 0.95) -> Interval:
    """Return the mean difference over the folds of repeated cross-validation, with an interval.

    The folds of one data set share most of their training rows, so that the usual interval is far too
    narrow. Nadeau and Bengio (2003) widen the variance of the mean from ``1/folds`` to
    ``1/folds + test rows/training rows``.

    Parameters
    ----------
    differences : array-like of shape (folds,)
        Our score minus theirs on the same fold.
    test_share : float
        Share of the rows that a fold tests on.

    Examples
    --------
    >>> print(resampled_interval([0.1, 0.2, 0.3], test_share=0.5))
    +0.200 (-0.297 to +0.697)
    """
    array = np.asarray(differences, dtype=np.float64)
    if len(array) < 2:
        return Interval(float(array.mean()), float("nan"), float("nan"))
    widened = 1 / len(array) + test_share / (1 - test_share)
    return _student(array, float(array.std(ddof=1) * np.sqrt(widened)), level)


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
    return _student(array, float(stats.sem(array)), level)


def _student(array: np.ndarray, error: float, level: float) -> Interval:
    reach = float(stats.t.ppf((1 + level) / 2, len(array) - 1)) * error
    mean = float(array.mean())
    return Interval(mean, mean - reach, mean + reach)
