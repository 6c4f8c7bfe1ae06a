"""The layer in flax: the values of the layer in PyTorch, and a step of training."""

import sys

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
import torch
from flax import nnx

import snelfs.layer.flax
from snelfs.layer.flax import FSLayer
from snelfs.torch import FSLayer as TorchLayer

X = np.random.default_rng(0).standard_normal((40, 12)).astype(np.float32) * 3 + 2
X[:, 5] = 4.0
W = np.random.default_rng(1).standard_normal((5, 12)).astype(np.float32) / 4


def both():
    """Return the same layer in flax and in PyTorch, each after a pass."""
    ours, theirs = FSLayer(12, 5), TorchLayer(12, 5)
    ours.weight[...] = jnp.asarray(W)
    with torch.no_grad():
        theirs.weight.copy_(torch.from_numpy(W))
    return ours.standardise(X), theirs.standardise(torch.from_numpy(X))


def test_values_and_gradients_are_those_of_the_layer_in_pytorch():
    ours, theirs = both()

    def loss(layer):
        return jnp.square(layer(jnp.asarray(X))).sum() / 40 + layer.penalty(0.7, 1.3)

    gradient = nnx.grad(loss)(ours)
    outputs = theirs(torch.from_numpy(X))
    (outputs.square().sum() / 40 + theirs.penalty(0.7, 1.3)).backward()
    np.testing.assert_allclose(gradient.weight[...], theirs.weight.grad, atol=2e-6)
    np.testing.assert_allclose(ours(jnp.asarray(X)), outputs.detach(), atol=1e-6)
    np.testing.assert_allclose(ours.penalties(), [float(o.detach()) for o in theirs.penalties()], rtol=1e-6)
    for kind in ("max", "sum"):
        np.testing.assert_allclose(ours.saliency(kind), theirs.saliency(kind), rtol=1e-5)
        assert ours.selected(4, kind).tolist() == theirs.selected(4, kind).tolist()
    assert not ours.is_admissible()
    assert ours.is_admissible(limit=5.0)


def test_an_optimizer_trains_the_weight_alone():
    """Within a compiled step the last pass has a gradient; what standardises stays."""
    layer, _ = both()
    before = jax.tree.map(np.array, nnx.to_pure_dict(nnx.state(layer)))
    optimizer = nnx.Optimizer(layer, optax.adam(0.01), wrt=nnx.Param)

    @nnx.jit
    def step(layer, optimizer):
        gradient = nnx.grad(lambda layer: (layer(jnp.asarray(X)).sum(), layer.penalty(1.0, 1.0))[1])(layer)
        optimizer.update(layer, gradient)

    step(layer, optimizer)
    assert np.abs(layer.weight[...] - before["weight"]).max() == pytest.approx(0.01, rel=1e-3)
    np.testing.assert_array_equal(layer.scale[...], before["scale"])
    assert not np.asarray(layer.weight[...])[:, 5].any()


def test_a_missing_extra_is_one_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "flax", None)
    with pytest.raises(ImportError) as raised:
        snelfs.layer.flax.FSLayer  # noqa: B018, asking is what loads
    assert str(raised.value) == "The layer in flax needs the extra 'flax': pip install 'snelfs[flax]'."
