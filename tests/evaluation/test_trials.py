"""What all trials have in common: the clock of a method, and the time that the rest will take."""

import warnings

import pytest

from snelfs.evaluation.trials import Trial, method_clock, seconds_left


def test_the_clock_keeps_warnings():
    """What a method warns of is part of its result, once, and shown to nobody."""
    with method_clock() as clock:
        warnings.warn("not admitted\nmore", UserWarning, stacklevel=1)
        warnings.warn("not admitted\nless", UserWarning, stacklevel=1)
    assert clock["seconds"] >= 0
    assert clock["warnings"] == ["not admitted"]


def test_a_trial_is_expected_to_take_as_long_as_its_like():
    """On the same data if known, else as its method elsewhere, else as the mean of all."""
    records = [
        {"data": data, "method": method, "total_seconds": seconds}
        for data, method, seconds in [("a", "slow", 10.0), ("b", "slow", 30.0), ("a", "quick", 2.0)]
    ]
    assert seconds_left([Trial("a", "slow", 1)], records, 1) == 10
    assert seconds_left([Trial("c", "slow", 1)], records, 2) == 10
    assert seconds_left([Trial("c", "other", 1)], records, 1) == pytest.approx(14)
    assert seconds_left([], records, 1) == 0
    assert seconds_left([Trial("a", "slow", 1)], [], 1) is None
