"""Wins, the sign test and intervals, against values worked out elsewhere."""

import numpy as np
import pytest
from scipy import stats

from snelfs.bench.comparison import count_wins, interval_over_sets, mean_and_spread
from snelfs.evaluation.intervals import resampled_interval


def test_the_papers_win_counts_reject_equality():
    """Eleven wins and one loss give 2 * (1 + 12) / 2**12 in the two-sided sign test; ties do not count."""
    ours, theirs = np.arange(13.0), np.arange(13.0)
    ours[:11] += 1
    ours[11] -= 1
    wins = count_wins(ours, theirs)
    assert (wins.win, wins.tie, wins.loss) == (11, 1, 1)
    assert wins.p_value == pytest.approx(2 * 13 / 2**12)
    assert str(wins) == "11/1/1"


def test_without_a_difference_there_is_no_evidence():
    """All ties: p is 1."""
    assert count_wins([0.5, 0.6], [0.5, 0.6]).p_value == 1.0


def test_the_interval_over_sets_is_students():
    """The same as scipy's one-sample test."""
    differences = np.random.default_rng(0).normal(0.1, 0.2, 9)
    expected = stats.ttest_1samp(differences, 0).confidence_interval(0.95)
    found = interval_over_sets(differences)
    assert (found.low, found.high) == pytest.approx(tuple(expected))
    assert found.mean == pytest.approx(differences.mean())


def test_the_interval_over_folds_is_wider_as_folds_share_rows():
    """Ten folds, three times: the variance of the mean grows from 1/30 to 1/30 + 1/9."""
    differences = np.random.default_rng(0).normal(0.1, 0.2, 30)
    naive, wide = interval_over_sets(differences), resampled_interval(differences, 1 / 10)
    ratio = (wide.high - wide.low) / (naive.high - naive.low)
    assert ratio == pytest.approx(np.sqrt((1 / 30 + 1 / 9) * 30))


@pytest.mark.parametrize("interval", [interval_over_sets, lambda values: resampled_interval(values, 0.1)])
def test_one_value_has_no_interval(interval):
    """A single difference is shown without pretending to know its spread."""
    found = interval([0.25])
    assert found.mean == 0.25
    assert np.isnan(found.low)
    assert np.isnan(found.high)
    assert str(found) == "+0.250"


def test_mean_and_spread():
    """The deviation is that of the values at hand, as in the paper's tables."""
    assert mean_and_spread([1.0, 3.0], digits=1) == "2.0 ± 1.0"
