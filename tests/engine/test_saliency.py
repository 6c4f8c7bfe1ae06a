"""Both saliency measures: values by hand, Lemma 3 and the bounds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from snelfs.engine.saliency import (
    combine,
    max_weight,
    pick_frequency,
    signed_weights,
    soft_votes,
    sum_weight,
    used_weight,
)

layers = arrays(np.float64, (2, 3, 6), elements=st.floats(-2, 2, allow_subnormal=False))


def test_sum_weight_by_hand():
    """Weights are divided by the neuron's deviation and averaged over the neurons (Eq. 21)."""
    W = np.array([[[0.5, 0.25], [-1.0, 0.0]]])
    np.testing.assert_allclose(sum_weight(W, np.array([[0.5, 2.0]])), [[(1 + 0.5) / 2, 0.25]])


def test_max_weight_by_hand():
    """The largest share of any neuron counts (Eq. 22), however many neurons copy the column."""
    W = np.array([[[0.6, 0.4], [-0.9, 0.3]]])
    np.testing.assert_allclose(max_weight(W), [[0.75, 0.4]])


@given(st.lists(st.tuples(st.integers(0, 5), st.sampled_from([-1.0, 1.0])), min_size=1, max_size=8))
def test_lemma_3_sum_weight_sums_to_one_when_both_conditions_hold(copies):
    """A layer that meets both conditions copies columns (Lemma 2); its saliencies sum to 1."""
    W = np.zeros((1, len(copies), 6))
    for neuron, (column, sign) in enumerate(copies):
        W[0, neuron, column] = sign
    saliency = sum_weight(W, np.ones((1, len(copies))))
    np.testing.assert_allclose(saliency.sum(), 1)
    assert ((saliency >= 0) & (saliency <= 1)).all()
    chosen = {column for column, _ in copies}
    assert set(np.flatnonzero(max_weight(W)[0] == 1)) == chosen


@given(layers)
def test_max_weight_is_between_zero_and_one(W):
    """Any layer whatever gives shares; a neuron without weights gives none."""
    saliency = max_weight(W)
    assert saliency.shape == (2, 6)
    assert ((saliency >= 0) & (saliency <= 1 + 1e-12)).all()
    assert np.isfinite(saliency).all()


@given(layers, st.floats(0.1, 10))
def test_scaling_a_neuron_changes_neither_measure(W, factor):
    """A neuron's weights and its deviation scale together, and both measures divide it out."""
    deviations = np.full((2, 3), 0.7)
    scaled = W * np.array([factor, 1.0, 1.0])[:, None]
    np.testing.assert_allclose(max_weight(scaled), max_weight(W), atol=1e-9)
    np.testing.assert_allclose(
        sum_weight(scaled, deviations * np.array([factor, 1.0, 1.0])), sum_weight(W, deviations), atol=1e-9
    )


def test_a_neuron_without_spread_adds_nothing():
    """Zero deviation does not divide by zero."""
    W = np.array([[[1.0], [1.0]]])
    assert sum_weight(W, np.array([[0.0, 1.0]])).tolist() == [[0.5]]


def test_the_tiniest_weights_are_divided_without_overflow():
    """A sum whose reciprocal overflows still gives shares."""
    W = np.array([[[2.3e-308, 0.0], [0.0, 0.0]]])
    assert max_weight(W).tolist() == [[1.0, 0.0]]


def test_votes_count_restarts_and_means_only_part_equals():
    """By hand: two restarts, one pick each; a column with a vote beats any mean without one."""
    saliencies = np.array([[0.6, 0.5, 0.0, 0.1], [0.0, 0.5, 0.6, 0.1]])
    assert pick_frequency(saliencies, 1).tolist() == [0.5, 0.0, 0.5, 0.0]
    votes = combine(saliencies, 1, "vote")
    assert votes.tolist() == pytest.approx([(1 + 0.3) / 3, 0.5 / 3, (1 + 0.3) / 3, 0.1 / 3])
    assert combine(saliencies, 1, "mean").argmax() == 1


def test_one_restart_votes_as_its_saliency_says():
    """With a single restart both ways rank alike."""
    saliencies = np.random.default_rng(0).random((1, 30))
    by_vote, by_mean = (combine(saliencies, 7, how).argsort() for how in ("vote", "mean"))
    assert by_vote.tolist() == by_mean.tolist()


def test_a_column_without_saliency_is_no_pick():
    """More picks allowed than columns with any weight: the rest stay unpicked."""
    assert pick_frequency(np.array([[0.5, 0.0, 0.0]]), 2).tolist() == [1.0, 0.0, 0.0]


def test_functions_of_a_column_count_by_their_norm():
    """Both measures take the norm where the plain layer has the absolute weight."""
    W = np.array([[[[3.0, 0.0], [-4.0, 5.0]], [[0.0, 0.6], [0.0, -0.8]]]])
    np.testing.assert_allclose(max_weight(W), [[0.5, 1.0]])
    np.testing.assert_allclose(sum_weight(W, np.array([[5.0, 1.0]])), [[0.5, 1.0]])


def test_the_sign_of_a_column_is_that_of_its_first_function():
    """The norms 5 and 2, the first negative; a layer without functions has its own signs."""
    W = np.array([[[[-3.0, 0.0], [4.0, -2.0]]]])
    assert signed_weights(W).tolist() == [[[-5.0, 2.0]]]
    assert signed_weights(W[:, :, 1]).tolist() == [[[4.0, -2.0]]]


@given(layers)
def test_one_function_is_the_plain_layer(W):
    """The norm of one number is its size."""
    W = W.round(3)  # squares of tiny numbers are nothing
    np.testing.assert_allclose(max_weight(W[:, :, None]), max_weight(W))


def test_the_vote_of_every_restart_is_one_part_of_one_more():
    """By hand with three restarts: two votes and a mean of 0.4 are (2 + 0.4) / 4."""
    saliencies = np.array([[0.6, 0.1], [0.5, 0.2], [0.1, 0.9]])
    assert combine(saliencies, 1, "vote").tolist() == pytest.approx([(2 + 0.4) / 4, (1 + 0.4) / 4])


def test_what_nobody_uses_counts_for_nothing():
    """Of two neurons that copy a column each, the network takes up the first alone."""
    W = np.array([[[0.9, 0.1, 0.0], [0.0, 0.0, -1.0]]])
    np.testing.assert_allclose(used_weight(W, np.array([[[2.0, -1.0], [0.0, 0.0]]])), [[0.9, 0.1, 0.0]])


@given(layers)
def test_shares_of_use_sum_to_one(W):
    """Over the columns, in every restart, unless a neuron copies nothing."""
    W = np.where(np.abs(W) < 1e-3, 1e-3, W)
    kernel = np.random.default_rng(0).standard_normal((*W.shape[:2], 4))
    np.testing.assert_allclose(used_weight(W, kernel).sum(axis=1), 1)


def test_a_network_that_takes_nothing_in_uses_nothing():
    """No share of nothing."""
    assert used_weight(np.ones((1, 2, 3)), np.zeros((1, 2, 4))).tolist() == [[0.0, 0.0, 0.0]]


def test_soft_votes_by_hand():
    """One half for the first column that is not picked, and the others by how far they are from it."""
    saliencies = np.array([[0.6, 0.2, 0.1, 0.1, 0.0], [0.0, 0.9, 0.06, 0.04, 0.0]])
    expected = [[6 / 7, 2 / 3, 1 / 2, 1 / 2, 0], [0, 90 / 94, 6 / 10, 1 / 2, 0]]
    np.testing.assert_allclose(soft_votes(saliencies[:1], 2), expected[:1])
    np.testing.assert_allclose(soft_votes(saliencies[1:], 2), expected[1:])
    np.testing.assert_allclose(combine(saliencies, 2, "soft"), np.mean(expected, axis=0))


def test_soft_votes_tell_columns_apart_where_few_are_used():
    """Dust is no threshold: a weak column that is used is told from those that are not, however little."""
    few, dust = soft_votes(np.array([[0.999, 0.001, 0.0, 0.0], [0.999, 0.001, 1e-12, 0.0]]), 2)
    np.testing.assert_allclose(few, [0.999 / 1.0015, 0.001 / 0.0035, 0, 0])
    np.testing.assert_allclose(dust, few, atol=1e-8)
    np.testing.assert_allclose(soft_votes(np.array([[0.7, 0.3]]), 2), [[0.7, 0.5]])


@given(arrays(np.float64, (3, 6), elements=st.floats(0, 1, allow_subnormal=False)), st.integers(1, 7))
def test_soft_votes_are_between_0_and_1_and_in_order(saliencies, n_picked):
    """No vote is worth more than another restart's, and none changes the restart's own order."""
    votes = soft_votes(saliencies, n_picked)
    assert ((votes >= 0) & (votes <= 1)).all()
    for own, vote in zip(saliencies, votes, strict=True):
        assert (np.diff(vote[np.argsort(own)]) >= -1e-12).all()
