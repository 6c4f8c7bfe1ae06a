"""Compare methods over data sets: spread, wins, the sign test, intervals on differences."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats


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
    return student_interval(array, float(array.std(ddof=1) * np.sqrt(widened)), level)


def student_interval(array: np.ndarray, error: float, level: float) -> Interval:
    """Return the mean of values with the interval that their standard error gives."""
    reach = float(stats.t.ppf((1 + level) / 2, len(array) - 1)) * error
    mean = float(array.mean())
    return Interval(mean, mean - reach, mean + reach)
