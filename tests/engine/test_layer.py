"""The FS layer: start values and the shared product."""

import numpy as np
import pytest

from snelfs.engine.layer import Straight, forward, start_weights


def test_the_paper_starts_at_one_over_twice_the_columns():
    """Equal shares give 1/(2m) everywhere, in single precision."""
    W = start_weights(np.ones(50), n_restarts=3, dim=4)
    assert W.shape == (3, 4, 50)
    assert W.dtype == np.float32
    np.testing.assert_allclose(W, 0.01)


def test_any_shares_leave_a_neuron_with_half_its_sum():
    """Informed starts keep Σ|w| = 1/2 and the proportions given."""
    W = start_weights(np.array([1.0, 3.0, 0.0]), n_restarts=1, dim=2)
    assert W[0, 0].tolist() == [0.125, 0.375, 0.0]


def test_one_product_serves_every_restart():
    """Outputs of a restart are X times its own weights, without bias or activation."""
    generator = np.random.default_rng(0)
    X, W = generator.standard_normal((6, 5)), generator.standard_normal((3, 2, 5))
    A = forward(X, W)
    assert A.shape == (3, 2, 6)
    for restart in range(3):
        np.testing.assert_allclose(A[restart].T, X @ W[restart].T)


def test_a_start_without_any_share_is_refused():
    """Shares on constant columns alone leave nothing to start from."""
    with pytest.raises(ValueError, match="no share to any column that varies"):
        start_weights(np.zeros(3), n_restarts=1, dim=2)


def test_restarts_that_use_fewer_functions_have_the_outputs_of_these():
    """As if their weights of other functions were 0; all other restarts use every function."""
    generator = np.random.default_rng(0)
    X, W = generator.standard_normal((6, 3, 4)), generator.standard_normal((5, 2, 3, 4))
    expected = W.copy()
    expected[:2, :, 1:] = 0
    np.testing.assert_allclose(forward(X, W, Straight(2, 1)), forward(X, expected), rtol=1e-5, atol=1e-5)
