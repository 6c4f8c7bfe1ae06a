"""What a selection saves."""

import numpy as np
import pytest

from snelfs.bench.cost import cost_rows, measure_cost
from snelfs.bench.published import published_cost
from snelfs.evaluation.judges import CLASSIFIERS


def test_every_classifier_is_timed_before_and_after():
    """Each has as many times as repetitions, all positive."""
    X = np.random.default_rng(0).standard_normal((20, 40))
    measured = measure_cost(X, np.arange(20) % 2, repetitions=2)
    assert tuple(measured) == CLASSIFIERS
    for times in measured.values():
        assert times["before"].shape == times["after"].shape == (2,)
        assert min(times["before"].min(), times["after"].min()) > 0


def test_the_ratio_by_hand():
    """The ratio is that of the means, as in the paper, and its spread that of single repetitions."""
    times = {"before": np.array([2.0, 4.0]), "after": np.array([1.0, 1.0])}
    row = cost_rows(dict.fromkeys(["RF"], times))[0]
    assert row["ratio"] == "3.0"
    assert row["ratio of a repetition: median (5 % to 95 %)"] == "3.0 (2.1 to 3.9)"
    assert row["paper: ratio"] == f"{published_cost()['RF']['ratio']:.1f}"


def test_no_repetition_is_refused():
    """Nothing can be averaged over no run."""
    with pytest.raises(ValueError, match="repetitions must be an integer of at least 1, got 0"):
        measure_cost(np.eye(4), np.arange(4) % 2, repetitions=0)
