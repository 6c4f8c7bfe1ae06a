"""The layer in equinox: the values of the layer in PyTorch, and a step of training."""

import sys

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

import snelfs.layer.equinox
from snelfs.layer.equinox import FSLayer
from snelfs.torch import FSLayer as TorchLayer

X = np.random.default_rng(0).standard_normal((40, 12)).astype(np.float32) * 3 + 2
X[:, 5] = 4.0
W = np.random.default_rng(1).standard_normal((5, 12)).astype(np.float32) / 4


def test_values_and_gradients_are_those_of_the_layer_in_pytorch():
    """Standardising has no gradient."""
    ours = eqx.tree_at(lambda layer: layer.weight, FSLayer(12, 5), jnp.asarray(W)).standardise(X)
    theirs = TorchLayer(12, 5)
    with torch.no_grad():
        theirs.weight.copy_(torch.from_numpy(W))
    theirs.standardise(torch.from_numpy(X))

    def loss(layer):
        outputs = layer(jnp.asarray(X))
        return jnp.square(outputs).sum() / 40 + layer.penalty(0.7, 1.3, outputs)

    gradient = eqx.filter_jit(eqx.filter_grad(loss))(ours)
    outputs = theirs(torch.from_numpy(X))
    (outputs.square().sum() / 40 + theirs.penalty(0.7, 1.3)).backward()
    np.testing.assert_allclose(gradient.weight, theirs.weight.grad, atol=2e-6)
    assert not gradient.mean.any()
    assert not gradient.scale.any()
    A = jax.vmap(ours)(jnp.asarray(X))
    np.testing.assert_allclose(A, outputs.detach(), atol=1e-6)
    np.testing.assert_allclose(ours.penalties(A), [float(o.detach()) for o in theirs.penalties()], rtol=1e-6)
    for kind in ("max", "sum"):
        np.testing.assert_allclose(ours.saliency(kind, A), theirs.saliency(kind), rtol=1e-5)
        assert ours.selected(4, kind, A).tolist() == theirs.selected(4, kind).tolist()
    assert not ours.is_admissible(A)
    assert ours.is_admissible(A, limit=5.0)
    assert not np.asarray(ours.weight)[:, 5].any()


def test_a_missing_extra_is_one_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "equinox", None)
    with pytest.raises(ImportError) as raised:
        snelfs.layer.equinox.FSLayer  # noqa: B018, asking is what loads
    assert (
        str(raised.value) == "The layer in equinox needs the extra 'equinox': pip install 'snelfs[equinox]'."
    )
