"""The training's two schedules, as functions of the epoch."""

import jax
import numpy as np
import pytest

from snelfs.engine.schedule import automatic_rates, nested_schedule
from snelfs.layer import PenaltySchedule, RateSchedule

UNEVEN = {"lambda_s": (0.02, 0.3), "lambda_a": (0.0, 1.0), "steps": (4, 3), "cycles_s": 2, "cycles_a": 3}


@pytest.mark.parametrize("settings", [{}, UNEVEN, {**UNEVEN, "epochs_per_stage": 2}])
def test_the_penalty_weights_are_those_of_the_engine(settings):
    """Epoch by epoch, and as many epochs."""
    schedule = PenaltySchedule(15, **settings)
    steps = schedule.steps
    expected = nested_schedule(
        schedule.lambda_s,
        schedule.lambda_a,
        steps,
        (schedule.cycles_s, schedule.cycles_a),
        schedule.epochs_per_stage,
    )
    assert schedule.n_epochs == expected.n_epochs
    single = np.array([schedule(epoch) for epoch in range(schedule.n_epochs)], np.float32)
    np.testing.assert_allclose(single.T, np.stack(expected), rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(schedule(np.arange(schedule.n_epochs)), single.T, rtol=1e-6, atol=1e-9)


def test_after_the_last_epoch_the_cycles_begin_anew():
    schedule = PenaltySchedule(15, **UNEVEN)
    assert schedule(schedule.n_epochs + 5) == schedule(5)


@pytest.mark.parametrize("n_steps", [1, 100, 2592])
def test_the_rates_are_those_of_the_engine(n_steps):
    """And after the last step the rate stays."""
    rate = RateSchedule(500, n_steps)
    np.testing.assert_allclose([rate(i) for i in range(n_steps)], automatic_rates(500, n_steps), rtol=1e-6)
    assert rate(n_steps + 7) == pytest.approx(min(0.1 / 500, 3.5 / n_steps))


def test_the_rate_falls_with_the_number_of_columns():
    """So that the weights of a neuron can settle at a sum of 1, however many they are."""
    for n_columns in (50, 500, 5000, 50_000):
        assert RateSchedule(n_columns, 2592)(2591) * n_columns <= 0.11


def test_both_can_be_traced():
    """Inside a compiled step of JAX they are the same functions."""
    schedule, rate = PenaltySchedule(15), RateSchedule(500, 648)
    traced = jax.jit(lambda epoch: (*schedule(epoch), rate(epoch)))(np.int32(400))
    np.testing.assert_allclose(traced, [*schedule(400), rate(400)], rtol=1e-5)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: PenaltySchedule(0), "n_neurons must be an integer of at least 1, got 0."),
        (lambda: PenaltySchedule(5, lambda_s="high"), "lambda_s must be 'auto', got 'high'."),
        (
            lambda: PenaltySchedule(5, lambda_a=(0.2, 0.1)),
            "lambda_a must be a pair (low, high) with 0 <= low <= high, got (0.2, 0.1).",
        ),
        (
            lambda: PenaltySchedule(5, steps=(1, 2, 3)),
            "steps must be an integer or a pair of them, got (1, 2, 3).",
        ),
        (lambda: PenaltySchedule(5, cycles_a=0), "cycles_a must be an integer of at least 1, got 0."),
        (lambda: PenaltySchedule(5)(-1), "epoch must be an integer of at least 0, got -1."),
        (lambda: RateSchedule(5, 0), "n_steps must be an integer of at least 1, got 0."),
        (lambda: RateSchedule(5, 9)(0.5), "step must be an integer of at least 0, got 0.5."),
    ],
)
def test_bad_values_are_named(call, sentence):
    with pytest.raises(ValueError) as raised:  # noqa: PT011, the whole sentence is compared
        call()
    assert str(raised.value) == sentence
