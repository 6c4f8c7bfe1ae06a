"""The dense stack, its heads and losses."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from sklearn.metrics import log_loss

from snelfs.engine.network import Dense, forward, row_losses, start_network, weight_decay


def generators(n):
    return [np.random.default_rng(seed) for seed in range(n)]


def test_kernels_start_glorot_uniform_and_biases_at_zero():
    """Each kernel fills ±sqrt(6 / (inputs + units)), differently in every restart."""
    layers = start_network(generators(2), (40, 30, 20))
    for dense, (inputs, units) in zip(layers, [(40, 30), (30, 20)], strict=True):
        bound = np.sqrt(6 / (inputs + units))
        assert dense.kernel.shape == (2, inputs, units)
        assert 0.95 * bound < np.abs(dense.kernel).max() <= bound
        assert dense.kernel.std() == pytest.approx(bound / np.sqrt(3), rel=0.05)
        assert not dense.bias.any()
        assert not np.array_equal(dense.kernel[0], dense.kernel[1])


def test_the_network_is_affine_relu_affine():
    """Hidden layers are cut at zero, the last one is not, and restarts do not mix."""
    layers = start_network(generators(3), (4, 5, 2))
    layers = [Dense(d.kernel, d.bias + 0.1) for d in layers]
    A = np.random.default_rng(9).standard_normal((3, 4, 7)).astype(np.float32)
    outputs = forward(layers, A)
    for r in range(3):
        hidden = np.maximum(A[r].T @ layers[0].kernel[r] + layers[0].bias[r], 0)
        np.testing.assert_allclose(outputs[r].T, hidden @ layers[1].kernel[r] + layers[1].bias[r], atol=1e-5)


def test_no_hidden_layer_is_a_linear_model():
    """An empty stack leaves the head alone."""
    (head,) = start_network(generators(1), (4, 1))
    A = np.ones((1, 4, 2), np.float32)
    np.testing.assert_allclose(forward([head], A)[0].T, A[0].T @ head.kernel[0], rtol=1e-5)


def test_binary_loss_is_the_cross_entropy_of_scikit_learn():
    """One logit per row, sigmoid head."""
    logits = np.random.default_rng(0).standard_normal((1, 1, 20)).astype(np.float32)
    y = np.arange(20) % 2
    expected = log_loss(y, 1 / (1 + np.exp(-logits.ravel().astype(float))))
    assert row_losses("binary", logits, y).mean() == pytest.approx(expected, rel=1e-5)


def test_multiclass_loss_is_the_cross_entropy_of_scikit_learn():
    """One logit per class, softmax head."""
    logits = np.random.default_rng(0).standard_normal((1, 3, 20)).astype(np.float32)
    y = np.arange(20) % 3
    p = np.exp(logits[0].T.astype(float))
    expected = log_loss(y, p / p.sum(axis=1, keepdims=True))
    assert row_losses("multiclass", logits, y).mean() == pytest.approx(expected, rel=1e-5)


def test_regression_loss_is_the_mean_squared_error_over_the_targets():
    """Several targets count alike."""
    outputs = np.array([[[1.0, 0.0], [2.0, 0.0]]])
    y = np.array([[0.0, 0.0], [4.0, 1.0]])
    assert row_losses("regression", outputs, y).tolist() == [[2.5, 0.5]]


@pytest.mark.parametrize("logit", [-200.0, 200.0])
def test_sure_and_wrong_is_a_large_but_finite_loss(logit):
    """Extreme logits do not overflow."""
    y = np.array([0 if logit > 0 else 1])
    loss = row_losses("binary", jnp.full((1, 1, 1), logit), y)
    assert loss.item() == pytest.approx(200, rel=1e-5)


def test_outputs_past_the_hidden_units_are_added_by_hand():
    """What goes past is linear in the layer's outputs, the same for hidden units that do nothing."""
    dead = Dense(np.zeros((1, 2, 3), np.float32), np.zeros((1, 3), np.float32))
    head = Dense(np.ones((1, 3, 2), np.float32), np.array([[0.5, 0.0]], np.float32))
    A = np.array([[[1.0, -1.0], [2.0, 4.0]]], np.float32)
    direct = np.array([[[1.0, 0.0], [-1.0, 2.0]]], np.float32)
    assert forward([dead, head], A, direct).tolist() == [[[-0.5, -4.5], [4.0, 8.0]]]
    np.testing.assert_array_equal(forward([dead, head], A, 0 * direct), forward([dead, head], A))


def test_weight_decay_by_hand_spares_the_biases():
    """It is l1·Σ|w| + l2·Σw² of the kernels, for each restart."""
    kernel = np.array([[[1.0], [-2.0]], [[3.0], [0.0]]], np.float32)
    layers = [Dense(kernel, np.full((2, 1), 100.0, np.float32))]
    np.testing.assert_allclose(weight_decay(layers, 0.1, 0.01), [0.3 + 0.05, 0.3 + 0.09], rtol=1e-6)


@pytest.mark.parametrize(("l1", "l2"), [(0.1, 0.0), (0.0, 0.1)])
def test_each_decay_has_a_gradient_of_its_own(l1, l2):
    """Neither l1 nor l2 is decoration: each alone pulls on every kernel weight."""
    layers = start_network(generators(1), (3, 2))
    gradient = jax.grad(lambda ls: weight_decay(ls, l1, l2).sum())(layers)
    expected = l1 * np.sign(layers[0].kernel) + 2 * l2 * layers[0].kernel
    np.testing.assert_allclose(gradient[0].kernel, expected, rtol=1e-5)
    assert gradient[0].kernel.all()
    assert not gradient[0].bias.any()
