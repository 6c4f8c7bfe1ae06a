"""The public functions of the layer: values by hand and by the slow reference in NumPy."""

import jax
import numpy as np
import pytest

from reference import Reference
from snelfs import layer

X = np.random.default_rng(0).standard_normal((30, 6)).astype(np.float32)
W = np.random.default_rng(1).standard_normal((4, 6)).astype(np.float32) / 3


def reference(train):
    nothing = [(np.zeros((4, 1)), np.zeros(1))]
    return Reference(X, np.zeros((30, 1)), "regression", W.T, nothing, train, train, 0, 0)


def test_values_and_gradients_are_those_of_the_reference():
    """Outputs, both penalties and their gradients with weighted rows, derived by hand in float64."""
    rows = np.random.default_rng(2).random(30)
    slow = reference(rows / rows.sum())
    np.testing.assert_allclose(layer.forward(X, W), slow.forward()[0][0], atol=1e-6)
    expected = slow.penalties(slow.train)
    np.testing.assert_allclose(layer.penalties(W, layer.forward(X, W), rows), expected, rtol=1e-5)

    def weighted(W):
        omega_s, omega_a = layer.penalties(W, layer.forward(X, W), rows)
        return 0.7 * omega_s + 1.3 * omega_a

    np.testing.assert_allclose(jax.grad(weighted)(W).T, slow.gradients(0.7, 1.3)[0], atol=1e-5)


def test_a_copy_of_columns_is_admissible_and_selected():
    """Neurons that copy standardised columns meet both conditions; half of it does not."""
    mean, scale, _ = layer.standardisation(X)
    Z = (X - mean) / scale
    copies = np.eye(6, dtype=np.float32)[[4, 1]]
    assert layer.is_admissible(copies, layer.forward(Z, copies), limit=1e-3)
    assert not layer.is_admissible(copies / 2, layer.forward(Z, copies / 2))
    assert sorted(layer.selected(copies, 2).tolist()) == [1, 4]
    np.testing.assert_allclose(layer.saliency(copies, "sum", layer.forward(Z, copies)).sum(), 1, rtol=1e-5)


def test_the_start_is_the_papers():
    start = layer.start_weights(3, 8)
    assert start.shape == (3, 8)
    assert (np.asarray(start) == 1 / 16).all()


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: layer.selected(W, 7), "k must be at most 6, the number of columns, got 7."),
        (lambda: layer.selected(W, 0), "k must be an integer of at least 1, got 0."),
        (lambda: layer.saliency(W, "mean"), "kind must be 'max' or 'sum', got 'mean'."),
        (
            lambda: layer.saliency(W, "sum"),
            "outputs must be given for the saliency 'sum', got None.",
        ),
        (lambda: layer.start_weights(0, 3), "n_neurons must be an integer of at least 1, got 0."),
        (
            lambda: layer.standardisation([1.0, np.nan]),
            "X must be a table of finite numbers, got one of shape (2,) or with gaps in it.",
        ),
    ],
)
def test_bad_values_are_named(call, sentence):
    with pytest.raises(ValueError) as raised:  # noqa: PT011, the whole sentence is compared
        call()
    assert str(raised.value) == sentence
