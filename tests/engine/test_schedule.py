"""The penalty weights of every epoch."""

import numpy as np
import pytest

from snelfs.engine.schedule import (
    automatic_range,
    automatic_rate,
    automatic_rates,
    nested_schedule,
    triangular_cycle,
)
from snelfs.foundation import memory


def test_figure_2_has_48_stages():
    """One cycle each with 4 and 3 steps gives the paper's 48 stages."""
    schedule = nested_schedule((0.01, 0.2), (0.01, 0.2), (4, 3), (1, 1), epochs_per_stage=1)
    assert schedule.n_epochs == 48
    assert len(set(zip(*schedule, strict=True))) == 5 * 4  # climb and fall share their values


@pytest.mark.parametrize(
    ("low", "high", "steps", "increment"),
    [(0.01, 0.2, 19, 0.01), (0.01, 0.1, 18, 0.005), (0.01, 0.2, 38, 0.005)],
)
def test_the_papers_steps_give_round_increments(low, high, steps, increment):
    """The step counts of the paper divide its ranges evenly in our reading."""
    cycle = triangular_cycle(low, high, steps)
    np.testing.assert_allclose(np.abs(np.diff(cycle)), increment)


def test_a_cycle_has_one_peak_and_joins_the_next():
    """It climbs to the top once, and its last value is one step above the first of the next cycle."""
    cycle = triangular_cycle(1.0, 5.0, 4)
    assert cycle.tolist() == [1, 2, 3, 4, 5, 4, 3, 2]


def test_the_second_weight_runs_all_its_cycles_at_each_value_of_the_first():
    """λ_A completes its cycles while λ_S stands still."""
    schedule = nested_schedule((0.0, 2.0), (0.0, 1.0), (2, 1), (1, 2), epochs_per_stage=1)
    assert schedule.lambda_s.tolist() == [0] * 4 + [1] * 4 + [2] * 4 + [1] * 4
    assert schedule.lambda_a.tolist() == [0, 1, 0, 1] * 4


def test_a_stage_lasts_for_its_epochs():
    """Every pair is held for `epochs_per_stage` epochs."""
    short = nested_schedule((0.0, 1.0), (0.0, 1.0), (2, 3), (2, 1), epochs_per_stage=1)
    long = nested_schedule((0.0, 1.0), (0.0, 1.0), (2, 3), (2, 1), epochs_per_stage=3)
    np.testing.assert_array_equal(long.lambda_s, np.repeat(short.lambda_s, 3))
    np.testing.assert_array_equal(long.lambda_a, np.repeat(short.lambda_a, 3))


def test_equal_ends_hold_the_weight_constant():
    """A range of one value is a fixed penalty weight."""
    assert set(triangular_cycle(0.1, 0.1, 5)) == {0.1}


def test_a_schedule_fits_if_its_64_bytes_an_epoch_do(monkeypatch):
    """9,240 epochs take 591,360 bytes: so much memory is enough, and a byte less is not."""
    arguments = ((0.0, 1.0), (0.0, 1.0), (2, 3), (5, 7), 11)
    monkeypatch.setattr(memory, "memory_bytes", lambda: 591_360)
    assert nested_schedule(*arguments).n_epochs == 9240
    monkeypatch.setattr(memory, "memory_bytes", lambda: 591_359)
    with pytest.raises(ValueError, match=r"^epochs_per_stage=11 takes about 591 kB of memory"):
        nested_schedule(*arguments)


@pytest.mark.parametrize(
    ("steps", "cycles", "epochs", "said"),
    [
        ((9, 2), (1, 1), 1, "steps=9"),
        ((2, 9), (1, 1), 1, "steps=9"),
        ((2, 2), (9, 1), 1, "cycles_s=9"),
        ((2, 2), (1, 9), 1, "cycles_a=9"),
        ((2, 2), (1, 1), 9, "epochs_per_stage=9"),
    ],
)
def test_a_schedule_that_does_not_fit_is_blamed_on_what_is_largest(steps, cycles, epochs, said, monkeypatch):
    """Whichever of its five numbers that is."""
    monkeypatch.setattr(memory, "memory_bytes", lambda: 1)
    with pytest.raises(ValueError, match=f"^{said} takes"):
        nested_schedule((0.0, 1.0), (0.0, 1.0), steps, cycles, epochs)


@pytest.mark.parametrize("dim", [1, 2, 30, 378])
def test_automatic_ranges_weigh_the_mean_violation_alike(dim):
    """At its top a penalty weighs the mean violation by 3 in every layer; the bottom is far below."""
    low, high = automatic_range(dim)
    assert high * dim == pytest.approx(3.0)
    assert 0 < low <= min(0.01, 0.11 * high)


@pytest.mark.parametrize("n_columns", [2, 50, 500, 10_000, 100_000])
@pytest.mark.parametrize("n_epochs", [100, 2592, 28_880])
def test_automatic_rates_leave_room_to_travel_and_to_settle(n_columns, n_epochs):
    """They fall, their sum lets a weight grow to 1, and their end lets a neuron's weights sum to 1."""
    rates = automatic_rates(n_columns, n_epochs)
    assert rates.shape == (n_epochs,)
    assert (np.diff(rates) <= 0).all()
    assert rates.sum() >= min(3.49, 0.0099 * n_epochs)
    assert rates[-1] * n_columns <= 0.12
    assert rates.max() <= 0.04


def test_the_mean_automatic_rate_is_the_papers_where_that_suffices():
    """At 500 columns the mean is 1e-3."""
    assert automatic_rates(500, 11_552).mean() == pytest.approx(1e-3, rel=1e-3)


@pytest.mark.parametrize(
    ("n_columns", "n_epochs", "mean", "last"),
    [
        (1000, 100_000, 5e-4, 1e-4),  # half a column's share
        (1000, 1000, 3.5e-3, 1e-4),  # the way to travel
        (1000, 100, 0.01, 1e-4),  # no more than this
        (20, 1000, 0.01, 5e-3),
        (5, 100, 0.01, 0.01),  # nor a last one above the mean
    ],
)
def test_automatic_rates_by_hand(n_columns, n_epochs, mean, last):
    """A cubic course from four times the way down to the last rate, with the mean that was asked for."""
    rates = automatic_rates(n_columns, n_epochs)
    assert rates.dtype == np.float32
    assert rates.mean(dtype=np.float64) == pytest.approx(mean, rel=1e-4)
    start = last + 4 * (mean - last)
    middle = last + (mean - last) / 2  # half the epochs are left, and an eighth of the way
    epochs = np.array([-0.5, (n_epochs - 1) / 2, n_epochs - 0.5, n_epochs, 2 * n_epochs])
    expected = [start, middle, last, last, last]
    assert automatic_rate(epochs, n_columns, n_epochs).tolist() == pytest.approx(expected, rel=1e-9)
    assert rates[[0, -1]] == pytest.approx(automatic_rate(np.array([0, n_epochs - 1]), n_columns, n_epochs))


def test_automatic_ranges_by_hand():
    """Up to 30 neurons the bottom is 0.01, and above a tenth of the top."""
    expected = {1: (0.01, 3.0), 29: (0.01, 3 / 29), 60: (0.005, 0.05)}
    assert {dim: automatic_range(dim) for dim in expected} == {
        dim: pytest.approx(bounds) for dim, bounds in expected.items()
    }
