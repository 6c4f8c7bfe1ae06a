"""Ω_S and Ω_A: values by hand, the paper's sub-gradients, and Lemmas 1 and 2; the same by norms."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from snelfs.engine.layer import forward
from snelfs.engine.penalties import hinge, sum_penalty, variance, variance_penalty
from snelfs.search.curves import column_functions
from snelfs.search.directions import directions

N_ROWS, N_COLUMNS = 30, 4
ROW_WEIGHTS = np.full((1, N_ROWS), 1 / N_ROWS)


def standardised_data(seed=0):
    X = np.random.default_rng(seed).standard_normal((N_ROWS, N_COLUMNS))
    return (X - X.mean(axis=0)) / X.std(axis=0)


X = standardised_data()


def omega_s(W, smoothing=0.0):
    return sum_penalty(W, smoothing).sum()


def omega_a(W, smoothing=0.0):
    A = (W @ jnp.asarray(X).T)[None]
    return variance_penalty(variance(A, ROW_WEIGHTS), smoothing).sum()


PENALTIES = [omega_s, omega_a]


def weights_breaking(penalty):
    """Return weights that break the condition of `penalty` in the first neuron and meet it in the second."""
    short, long = [0.2, -0.1, 0.1, 0.05], [2.0, -0.5, 0.5, 0.3]
    return jnp.array([long, short] if penalty is omega_s else [short, long])


def test_sum_penalty_by_hand():
    """It is the excess of Σ|w| over 1, neuron by neuron."""
    W = jnp.array([[0.5, -1.5], [1.0, 0.0], [0.0, 0.25]])
    np.testing.assert_allclose(sum_penalty(W), [1.0, 0.0, 0.0])


def test_variance_penalty_by_hand():
    """It is what the weighted mean square of the output lacks to 1."""
    A = jnp.array([[[1.0, -0.5], [0.0, 2.0]]])  # one restart, two neurons, two rows
    row_weights = jnp.array([[0.25, 0.75]])
    variances = variance(A, row_weights)
    np.testing.assert_allclose(variances, [[0.4375, 3.0]])
    np.testing.assert_allclose(variance_penalty(variances), [[0.5625, 0.0]])


@pytest.mark.parametrize("penalty", PENALTIES)
@pytest.mark.parametrize("smoothing", [0.0, 0.2])
def test_the_gradient_is_that_of_central_differences(penalty, smoothing):
    """Away from the kinks the gradient is the slope, and it is not zero where the condition is broken."""
    W = np.asarray(weights_breaking(penalty))
    value = jax.jit(lambda W: penalty(W, smoothing))
    gradient = np.asarray(jax.jit(jax.grad(value))(W))
    step = 1e-2
    for index in np.ndindex(W.shape):
        bump = np.zeros_like(W)
        bump[index] = step
        slope = (value(W + bump) - value(W - bump)) / (2 * step)
        assert gradient[index] == pytest.approx(float(slope), abs=2e-3)
    assert (np.abs(gradient[0]) > 1e-3).all()


@pytest.mark.parametrize("penalty", PENALTIES)
def test_a_met_condition_has_no_gradient_unless_smoothed(penalty):
    """The hinge leaves a neuron alone that meets its condition; the smooth form still pushes it."""
    W = weights_breaking(penalty)
    assert not jax.grad(penalty)(W)[1].any()
    assert jax.grad(penalty)(W, 0.2)[1].any()


def test_sub_gradients_are_zero_at_the_kinks():
    """Eq. 14 and 18: zero at w = 0, where the sum is exactly 1, and where the variance is exactly 1."""
    at_one = jnp.array([[0.5, -0.5, 0.0, 0.0]])
    assert not jax.grad(omega_s)(at_one).any()
    with_zero = jnp.array([[2.0, 0.0, 0.0, 0.0]])
    assert jax.grad(omega_s)(with_zero)[0].tolist() == [1.0, 0.0, 0.0, 0.0]
    assert jax.grad(lambda v: variance_penalty(v))(1.0) == 0.0


def test_eq_18_is_the_gradient_of_the_variance_penalty():
    """The gradient equals -(2/n) Σ A x for a neuron of small variance."""
    W = weights_breaking(omega_a)[:1]
    expected = -2 / N_ROWS * (np.asarray(W) @ X.T) @ X
    np.testing.assert_allclose(jax.grad(omega_a)(W), expected, rtol=1e-4)


@pytest.mark.parametrize("smoothing", [0.01, 0.3])
def test_the_smooth_hinge_lies_just_above_the_hinge(smoothing):
    """It exceeds max(0, z) by at most s·log 2, most at the kink."""
    z = jnp.linspace(-3, 3, 61)
    gap = hinge(z, smoothing) - hinge(z)
    assert (gap >= -1e-6).all()
    assert gap.max() == pytest.approx(smoothing * np.log(2), rel=1e-3)
    assert z[gap.argmax()] == pytest.approx(0, abs=1e-6)


neuron = arrays(np.float64, (1, N_COLUMNS), elements=st.floats(-3, 3, allow_subnormal=False))


@given(neuron)
def test_lemma_1_the_variance_is_at_most_the_squared_sum_of_weights(w):
    """Var(A) <= (Σ|w|)² for any weights on standardised columns."""
    variances = variance((w @ X.T)[None], ROW_WEIGHTS)
    assert variances[0, 0] <= np.abs(w).sum() ** 2 * (1 + 1e-4) + 1e-6


@pytest.mark.parametrize("column", range(N_COLUMNS))
@pytest.mark.parametrize("sign", [-1.0, 1.0])
def test_lemma_2_a_copy_of_one_column_meets_both_conditions(column, sign):
    """One weight of ±1 and no other leaves both penalties at zero."""
    w = np.zeros((1, N_COLUMNS))
    w[0, column] = sign
    assert omega_s(w) == 0
    assert omega_a(w) == pytest.approx(0, abs=1e-6)


@given(neuron)
def test_lemma_2_nothing_else_meets_both_conditions(w):
    """With two weights that matter on columns that are not fully correlated, one condition is broken."""
    assume((np.abs(w) > 0.05).sum() >= 2)
    assert omega_s(w) + omega_a(w) > 1e-3


# -- columns that enter as several functions --------------------------------------------------------

N_FUNCTIONS = 3
CURVES = column_functions(X, np.ones(N_ROWS), N_FUNCTIONS)


def curved_omega_a(W):
    return variance_penalty(variance(forward(jnp.asarray(CURVES), W), ROW_WEIGHTS)).sum()


def test_the_sum_penalty_of_functions_is_by_norms():
    """A neuron with norms 5 and 2 exceeds 1 by 6; one of norm 0.5 by nothing."""
    W = jnp.array([[[[3.0, 0.0], [-4.0, 2.0]], [[0.3, 0.0], [0.4, 0.0]]]])
    np.testing.assert_allclose(sum_penalty(W), [[6.0, 0.0]])


@pytest.mark.parametrize("smoothing", [0.0, 0.2])
def test_the_gradient_by_norms_is_that_of_central_differences(smoothing):
    """Within a group it points along the group."""
    W = jnp.asarray(np.random.default_rng(1).standard_normal((1, 1, N_FUNCTIONS, N_COLUMNS)), jnp.float32)
    gradient = jax.grad(omega_s)(W, smoothing)
    for index in np.ndindex(W.shape):
        bump = jnp.zeros_like(W).at[index].set(1e-2)
        slope = (omega_s(W + bump, smoothing) - omega_s(W - bump, smoothing)) / 2e-2
        assert gradient[index] == pytest.approx(float(slope), abs=2e-3)


def test_a_group_without_weight_has_no_gradient():
    """As |w| at zero: the derivative of the norm is set to zero there, and is finite."""
    W = jnp.zeros((1, 1, N_FUNCTIONS, N_COLUMNS)).at[0, 0, 1, 2].set(2.0)
    expected = np.zeros(W.shape)
    expected[0, 0, 1, 2] = 1.0
    np.testing.assert_array_equal(jax.grad(omega_s)(W), expected)


def test_one_function_has_the_penalty_of_the_plain_layer():
    """The norm of a single number is its size, and so are its slopes."""
    W = jnp.asarray(np.random.default_rng(2).standard_normal((1, 2, N_COLUMNS)), jnp.float32)
    np.testing.assert_array_equal(sum_penalty(W[:, :, None]), sum_penalty(W))
    np.testing.assert_array_equal(jax.grad(omega_s)(W[:, :, None])[:, :, 0], jax.grad(omega_s)(W))


curved_neuron = arrays(
    np.float64, (1, 1, N_FUNCTIONS, N_COLUMNS), elements=st.floats(-3, 3, allow_subnormal=False)
)


@given(curved_neuron)
def test_lemma_1_holds_for_norms(W):
    """Var(A) <= (Σ norms)², with equality for a column alone."""
    norms = np.linalg.norm(W[0, 0], axis=0)
    variances = variance(forward(CURVES, W), ROW_WEIGHTS)
    assert variances[0, 0] <= norms.sum() ** 2 * (1 + 1e-4) + 1e-6
    alone = W * (np.arange(N_COLUMNS) == 1)
    variances = variance(forward(CURVES, alone), ROW_WEIGHTS)
    assert float(variances[0, 0]) == pytest.approx(norms[1] ** 2, rel=1e-4, abs=1e-6)


@given(curved_neuron)
def test_lemma_2_holds_for_norms(W):
    """Two columns that matter break one condition, under any transform of either."""
    assume((np.linalg.norm(W[0, 0], axis=0) > 0.05).sum() >= 2)
    assert omega_s(W) + curved_omega_a(W) > 1e-3


def test_a_copy_under_any_transform_meets_both_conditions():
    """One group of norm 1 leaves both penalties at zero."""
    W = np.zeros((1, 1, N_FUNCTIONS, N_COLUMNS))
    W[0, 0, :, 2] = [0.36, -0.48, 0.8]
    assert omega_s(W) == pytest.approx(0, abs=1e-6)
    assert curved_omega_a(W) == pytest.approx(0, abs=1e-5)


# -- groups of columns ------------------------------------------------------------------------------


@st.composite
def grouped_neurons(draw):
    """Return directions of groups of any widths and correlations, and a neuron's weights on them."""
    generator = np.random.default_rng(draw(st.integers(0, 10_000)))
    widths = draw(st.lists(st.integers(1, 4), min_size=2, max_size=4))
    common = draw(st.sampled_from([0.0, 0.5, 2.0]))  # what columns of a group share
    inputs = np.zeros((N_ROWS, max(widths), len(widths)))
    W = np.zeros((1, 1, max(widths), len(widths)))
    for group, width in enumerate(widths):
        own = generator.standard_normal((N_ROWS, width)) + common * generator.standard_normal((N_ROWS, 1))
        own = (own - own.mean(axis=0)) / own.std(axis=0)
        found = directions(own, np.full(N_ROWS, 1 / N_ROWS))
        inputs[:, : found.shape[1], group] = found
        W[0, 0, : found.shape[1], group] = generator.standard_normal(found.shape[1])
    return inputs, W * draw(st.floats(0.05, 3)), generator


@settings(max_examples=50)
@given(grouped_neurons())
def test_the_lemma_holds_for_groups_of_columns(case):
    """Norms are deviations in any basis, bound the variance, and two groups break a condition."""
    inputs, W, generator = case
    norms = np.linalg.norm(W[0, 0], axis=0)
    variances = variance(forward(inputs, W), ROW_WEIGHTS)
    assert variances[0, 0] <= norms.sum() ** 2 * (1 + 1e-4) + 1e-6
    one = W * (np.arange(len(norms)) == 0)
    alone = variance(forward(inputs, one), ROW_WEIGHTS)
    assert float(alone[0, 0]) == pytest.approx(norms[0] ** 2, rel=1e-4, abs=1e-6)
    there = inputs[:, :, 0].any(axis=0)
    Q = np.linalg.qr(generator.standard_normal((there.sum(), there.sum())))[0]
    other = inputs[:, there, 0] @ Q
    u = inputs[:, there, 0] @ W[0, 0, there, 0]
    turned = np.linalg.lstsq(other, u, rcond=None)[0]
    assert np.linalg.norm(turned) == pytest.approx(norms[0], rel=1e-6)
    if (norms / norms.sum() > 0.05).sum() >= 2:
        lack = variance_penalty(variance(forward(inputs, W / norms.sum()), ROW_WEIGHTS)).sum()
        assert lack > 1e-3
