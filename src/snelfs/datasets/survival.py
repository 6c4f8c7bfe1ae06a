"""Censored times of which some columns are known to matter."""

from __future__ import annotations

import numpy as np
from scipy.optimize import brentq

from snelfs.data.censored import survival_target
from snelfs.datasets.synthetic import Sample
from snelfs.foundation.checks import Seed, count, flag, fraction, random_numbers
from snelfs.foundation.types import Floats

N_RELEVANT = 5
_STRENGTHS = np.array([1.0, -0.9, 0.8, -0.7, 0.6])  # of the log relative risk
_TOGETHER = 1.5  # of the product of two columns, in place of the last two strengths


def make_survival(
    n_samples: int = 300,
    n_features: int = 500,
    *,
    interaction: bool = False,
    censored: float = 0.5,
    random_state: Seed = None,
) -> Sample:
    """Draw times with proportional hazards, of which five standard normal columns determine the risk.

    The log relative risk is a sum of five columns with strengths from 0.6 to 1. With an interaction it is
    that of three of them, and the product of the other two, which no column shows by itself. The times are
    exponential, and rows are censored at exponential times of their own.

    Parameters
    ----------
    n_samples : int, default=300
        Number of rows, at least 2.
    n_features : int, default=500
        Number of columns, at least 5.
    interaction : bool, default=False
        Whether two of the columns matter by their product alone.
    censored : float, default=0.5
        Share of the rows that is to be expected to be censored, between 0 and 1.
    random_state : int, Generator, RandomState or None, default=None
        Seed or source of the random numbers; None draws fresh entropy.

    Returns
    -------
    Sample
        `X`, the target `y` as `snelfs.survival_target` makes it, and `relevant`.

    Examples
    --------
    >>> X, y, relevant = make_survival(2000, 10, censored=0.7, random_state=0)
    >>> X.shape, len(relevant), bool(0.66 < 1 - y["event"].mean() < 0.74)
    ((2000, 10), 5, True)
    """
    n_samples = count("n_samples", n_samples, 2)
    n_features = count("n_features", n_features, N_RELEVANT, "the number of relevant columns")
    fraction("censored", censored)
    rng = random_numbers(random_state)
    X = rng.standard_normal((n_samples, n_features))
    relevant = rng.permutation(n_features)[:N_RELEVANT]
    risks = _risks(X[:, relevant], flag("interaction", interaction))
    lasting = rng.exponential(size=n_samples) / np.exp(risks)
    ends = rng.exponential(size=n_samples) / _ending_rate(risks, censored)
    return Sample(X, survival_target(lasting <= ends, np.minimum(lasting, ends)), np.sort(relevant))


def _risks(columns: Floats, interaction: bool) -> Floats:
    if not interaction:
        return np.asarray(columns @ _STRENGTHS)
    return np.asarray(columns[:, :3] @ _STRENGTHS[:3] + _TOGETHER * columns[:, 3] * columns[:, 4])


def _ending_rate(risks: Floats, censored: float) -> float:
    """Return the rate of the end of observation at which so large a share of the rows is censored."""

    def surplus(log_rate: float) -> float:
        # Of two exponential times the sooner is that of rate r with probability r over the sum of both.
        rate = np.exp(log_rate)
        return float(np.mean(rate / (rate + np.exp(risks))) - censored)

    return float(np.exp(brentq(surplus, -60, 60)))
