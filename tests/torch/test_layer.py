"""The layer in PyTorch: the engine's values and gradients, and the manners of a module."""

import copy
import io
import sys

import jax
import numpy as np
import pytest
import torch
from torch.nn.functional import mse_loss

from snelfs.engine import layer as engine_layer
from snelfs.engine import penalties as engine_penalties
from snelfs.engine import saliency as engine_saliency
from snelfs.torch import FSLayer, SelectedColumns, functional

N_ROWS, N_COLUMNS, N_NEURONS = 40, 12, 5
X = np.random.default_rng(0).standard_normal((N_ROWS, N_COLUMNS))
W = np.random.default_rng(1).standard_normal((N_NEURONS, N_COLUMNS)) * np.array(
    [[0.1], [1], [0.2], [0.5], [2]]
)
W[0, 3] = 0.0  # Eq. 14 asks what happens at a weight of zero


def layer_of(weight=W, dtype=torch.float64):
    fs = FSLayer(N_COLUMNS, len(weight), dtype=dtype)
    with torch.no_grad():
        fs.weight.copy_(torch.from_numpy(np.asarray(weight)))
    return fs


def by_the_engine(X, W, lambda_s, lambda_a):
    """Return outputs, both penalties and the gradient of their weighted sum, as training computes them."""
    rows = np.full((1, len(X)), 1 / len(X), X.dtype)

    def weighted(W):
        A = engine_layer.forward(X, W)
        omega_s = engine_penalties.sum_penalty(W).sum()
        omega_a = engine_penalties.variance_penalty(engine_penalties.variance(A, rows)).sum()
        return lambda_s * omega_s + lambda_a * omega_a, (A, omega_s, omega_a)

    gradient, (A, *omegas) = jax.grad(weighted, has_aux=True)(W[None])
    return np.asarray(A)[0].T, np.array([float(omega) for omega in omegas]), np.asarray(gradient)[0]


@pytest.mark.parametrize(("dtype", "close"), [(np.float32, 1e-6), (np.float64, 1e-10)])
def test_values_and_gradients_are_those_of_the_engine(dtype, close):
    """Outputs, Ω_S, Ω_A and the gradient of both, on the same weights."""
    with jax.enable_x64(dtype == np.float64):
        A, omegas, gradient = by_the_engine(X.astype(dtype), W.astype(dtype), 0.7, 1.3)
    fs = layer_of(dtype=torch.from_numpy(X.astype(dtype)).dtype)
    outputs = fs(torch.from_numpy(X.astype(dtype)))
    fs.penalty(0.7, 1.3).backward()
    scale = np.abs(A).max()
    np.testing.assert_allclose(outputs.detach(), A, atol=close * scale)
    np.testing.assert_allclose([float(omega.detach()) for omega in fs.penalties()], omegas, rtol=close)
    np.testing.assert_allclose(fs.weight.grad, gradient, atol=close * scale)
    assert fs.weight.grad[0, 3] != 0  # by the variance alone
    assert np.abs(gradient).max() > 0.1


def test_gradcheck():
    """Away from the kinks both penalties have the slope of central differences, with weighted rows, too."""
    weight = torch.tensor(W + 0.01, requires_grad=True)
    x, rows = torch.from_numpy(X), torch.rand(N_ROWS, dtype=torch.float64)

    def both(weight):
        return functional.penalties(weight, x @ weight.T, rows)

    assert torch.autograd.gradcheck(both, (weight,))


def test_sub_gradients_are_zero_at_the_kinks():
    """Eq. 14 and 18: at w = 0, at a sum of exactly 1, and at a variance of exactly 1."""
    at_one = torch.tensor([[0.5, -0.5, 0.0]], requires_grad=True)
    functional.sum_penalty(at_one).backward()
    assert not at_one.grad.any()
    with_zero = torch.tensor([[2.0, 0.0, -1.0]], requires_grad=True)
    functional.sum_penalty(with_zero).backward()
    assert with_zero.grad.tolist() == [[1.0, 0.0, -1.0]]
    outputs = torch.tensor([[1.0], [-1.0]], requires_grad=True)
    functional.variance_penalty(outputs).backward()
    assert not outputs.grad.any()


@pytest.mark.parametrize("kind", ["max", "sum"])
def test_saliencies_are_those_of_the_engine(kind):
    """And the selection is their order; a neuron of zeros adds nothing."""
    with_zeros = np.vstack([W, np.zeros(N_COLUMNS)])
    fs = layer_of(with_zeros)
    A = fs(torch.from_numpy(X)).detach().numpy()
    expected = (
        engine_saliency.max_weight(with_zeros[None])[0]
        if kind == "max"
        else engine_saliency.sum_weight(with_zeros[None], np.sqrt(np.square(A).mean(axis=0))[None])[0]
    )
    np.testing.assert_allclose(fs.saliency(kind), expected, rtol=1e-10)
    assert fs.selected(3, kind).tolist() == np.argsort(-expected, kind="stable")[:3].tolist()
    assert not fs.saliency(kind).requires_grad


def test_the_start_is_the_papers():
    fs = FSLayer(N_COLUMNS, 3)
    assert fs.weight.shape == (3, N_COLUMNS)
    assert (fs.weight == 1 / (2 * N_COLUMNS)).all()
    assert str(fs) == f"FSLayer(in_features={N_COLUMNS}, n_neurons=3)"


def test_copies_of_columns_are_admissible():
    """Both conditions hold for them on standardised rows, and fail for half of it."""
    rows = torch.from_numpy(X * 3 + 100)
    fs = layer_of(np.eye(N_COLUMNS)[[2, 7]]).standardise(rows)
    fs(rows)
    assert fs.is_admissible(limit=1e-9)
    half = layer_of(np.eye(N_COLUMNS)[[2, 7]] / 2).standardise(rows)
    half(rows)
    assert not half.is_admissible()


@pytest.mark.parametrize("as_pairs", [False, True])
def test_standardise_is_the_same_in_batches(as_pairs):
    """Mean and deviation do not depend on the batches, even far from zero; they travel with the state."""
    rows = torch.from_numpy(X * np.arange(1, N_COLUMNS + 1) + 1e6)
    rows[:, 4] = 0.1
    batches = [(part, None) if as_pairs else part for part in rows.split(7)]
    fs = FSLayer(N_COLUMNS, 2, dtype=torch.float64).standardise(batches)
    np.testing.assert_allclose(fs.mean, rows.mean(dim=0), rtol=1e-12)
    expected = rows.std(dim=0, correction=0)
    expected[4] = 1.0
    np.testing.assert_allclose(fs.scale, expected, rtol=1e-8)
    assert not fs.weight[:, 4].any()
    assert fs.weight[:, :4].all()
    other = FSLayer(N_COLUMNS, 2, dtype=torch.float64)
    other.load_state_dict(fs.state_dict())
    np.testing.assert_array_equal(other(rows).detach(), fs(rows).detach())


def test_a_constant_column_is_never_selected():
    """Its weights start at zero and no gradient moves them."""
    rows = torch.from_numpy(X.astype(np.float32))
    rows[:, 4] = 5.0
    fs = FSLayer(N_COLUMNS, 3).standardise(rows)
    optimizer = torch.optim.Adam(fs.parameters(), lr=0.01)
    for _ in range(5):
        optimizer.zero_grad()
        loss = mse_loss(fs(rows).sum(dim=1), rows[:, 0])
        (loss + fs.penalty(0.1, 0.1)).backward()
        optimizer.step()
    assert not fs.weight[:, 4].any()
    assert fs.selected(N_COLUMNS).tolist()[-1] == 4


def test_mixed_precision_sums_in_single():
    """Outputs may be of half precision; the penalties are not."""
    fs = layer_of(dtype=torch.float32)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        outputs = fs(torch.from_numpy(X.astype(np.float32)))
        omegas = fs.penalties()
    assert outputs.dtype == torch.bfloat16
    assert {omega.dtype for omega in omegas} == {torch.float32}
    exact = functional.penalties(fs.weight.detach(), outputs.detach().double())
    np.testing.assert_allclose([float(o.detach()) for o in omegas], [float(o) for o in exact], rtol=1e-5)


def test_a_batch_too_small_for_a_variance_warns_once():
    fs = layer_of(dtype=torch.float32)
    rows = torch.from_numpy(X.astype(np.float32))
    with pytest.warns(UserWarning, match=r"^A batch of 3 row\(s\) says little of a variance"):
        fs(rows[:3])
    fs(rows[:3])  # warnings are errors here
    FSLayer(N_COLUMNS, 2).eval()(rows[:1])


def test_the_layer_can_be_copied_and_stored_after_a_pass():
    """The gradient of the last pass is left out: it is no part of the layer."""
    fs = layer_of()
    fs(torch.from_numpy(X))
    file = io.BytesIO()
    torch.save(fs, file)
    file.seek(0)
    for other in (copy.deepcopy(fs), torch.load(file, weights_only=False)):
        np.testing.assert_array_equal(other.weight.detach(), W)
        with pytest.raises(RuntimeError, match="has seen no rows yet"):
            other.penalties()
    assert fs.penalties()[0] > 0


def test_copies_of_data_parallel_do_not_pass_an_old_variance_for_theirs():
    """What the copies saw is given as outputs."""
    fs = layer_of()
    outputs = fs(torch.from_numpy(X))
    known = [float(omega.detach()) for omega in fs.penalties()]
    assert fs._replicate_for_data_parallel().in_features == N_COLUMNS
    with pytest.raises(RuntimeError, match="as DataParallel makes them"):
        fs.penalty(1.0, 1.0)
    assert [float(omega.detach()) for omega in fs.penalties(outputs)] == known


def test_layers_of_more_axes_are_one_set_of_rows():
    """A sequence of rows is standardised and measured as the rows alone."""
    fs = layer_of()
    flat = fs(torch.from_numpy(X)), fs.penalties()
    deep = fs(torch.from_numpy(X).reshape(4, 10, N_COLUMNS)), fs.penalties()
    np.testing.assert_allclose(deep[0].reshape(N_ROWS, -1).detach(), flat[0].detach(), rtol=1e-12)
    np.testing.assert_allclose(float(deep[1][1].detach()), float(flat[1][1].detach()), rtol=1e-12)


def test_the_functional_form_compiles_whole():
    """One graph without a break, and the same gradient."""
    x, weight = torch.from_numpy(X), torch.tensor(W, requires_grad=True)

    def loss(weight):
        omega_s, omega_a = functional.penalties(weight, x @ weight.T)
        return 0.7 * omega_s + 1.3 * omega_a

    compiled = torch.compile(loss, backend="aot_eager", fullgraph=True)
    (expected,) = torch.autograd.grad(loss(weight), weight)
    (found,) = torch.autograd.grad(compiled(weight), weight)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_the_module_itself_compiles():
    """Penalties of the last compiled pass are those of the plain one."""
    fs, plain = layer_of(), layer_of()
    torch.compile(fs, backend="aot_eager")(torch.from_numpy(X))
    plain(torch.from_numpy(X))
    np.testing.assert_allclose(
        [float(o.detach()) for o in fs.penalties()], [float(o.detach()) for o in plain.penalties()]
    )


def test_the_hardened_layer_takes_the_place_of_an_admissible_one():
    """The same outputs, and no matrix in it."""
    rows = torch.from_numpy(X * 3 + 7)
    fs = layer_of(np.eye(N_COLUMNS)[[2, 7, 2]] * [[1], [-1], [0.9]]).standardise(rows)
    hard = fs.hardened()
    assert isinstance(hard, SelectedColumns)
    np.testing.assert_allclose(hard(rows), fs(rows).detach(), atol=1e-12)
    assert sum(buffer.numel() for buffer in hard.buffers()) == 4 * 3
    assert not list(hard.parameters())
    best = fs.hardened(2)
    assert best.columns.tolist() == fs.selected(2).tolist()
    np.testing.assert_allclose(best(rows).square().mean(dim=0), 1.0)
    assert str(best) == "SelectedColumns(n_selected=2)"


def test_the_hardened_layer_is_exported():
    """As a program for any number of rows that holds the chosen columns alone; so is the layer itself."""
    rows = torch.from_numpy(X.astype(np.float32))
    fs = layer_of(np.eye(N_COLUMNS)[[2, 7]], torch.float32).standardise(rows).eval()
    n_rows = {0: torch.export.Dim("rows")}
    for module in (fs.hardened(2), fs):
        program = torch.export.export(module, (rows,), dynamic_shapes=(n_rows,)).module()
        np.testing.assert_allclose(program(rows[:3]).detach(), module(rows[:3]).detach())
    assert (
        sum(value.numel() for value in torch.export.export(fs.hardened(2), (rows,)).state_dict.values()) == 8
    )


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: FSLayer(0, 3), "in_features must be an integer of at least 1, got 0."),
        (lambda: FSLayer(3, 2.5), "n_neurons must be an integer of at least 1, got 2.5."),
        (lambda: layer_of()(torch.zeros(4, 1)), "x must have 12 columns, got the shape (4, 1)."),
        (lambda: layer_of().saliency("mean"), "kind must be 'max' or 'sum', got 'mean'."),
        (lambda: layer_of().selected(13), "k must be at most 12, the number of columns, got 13."),
        (lambda: layer_of().hardened(0), "k must be an integer of at least 1, got 0."),
        (
            lambda: layer_of().penalties(row_weights=torch.ones(3)),
            "row_weights must be None if no outputs are given.",
        ),
        (
            lambda: layer_of().standardise([torch.zeros(3, 5)]),
            "loader must give tensors of 12 columns, got the shape (3, 5).",
        ),
        (
            lambda: layer_of().standardise(torch.zeros(1, 12)),
            "loader must give at least 2 rows to standardise by, got 1.",
        ),
        (
            lambda: layer_of().standardise(torch.full((3, 12), torch.nan)),
            "loader must give finite numbers, got some that are missing or infinite.",
        ),
    ],
)
def test_bad_values_are_named(call, sentence):
    with pytest.raises(ValueError) as raised:  # noqa: PT011, the whole sentence is compared
        call()
    assert str(raised.value) == sentence


def test_a_missing_extra_is_one_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    import snelfs.torch

    with pytest.raises(ImportError) as raised:
        snelfs.torch.FSLayer  # noqa: B018, asking is what loads
    assert str(raised.value) == "The layer in PyTorch needs the extra 'torch': pip install 'snelfs[torch]'."
