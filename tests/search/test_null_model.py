"""A loss without columns: its best constant, its units, and what is left for columns to say."""

import jax.numpy as jnp
import numpy as np
import pytest

from snelfs.data.loss import Loss
from snelfs.engine.losses import Ordinal, Pinball, Poisson, ordinal_probabilities
from snelfs.search.null_model import encode_own, null_model, saved_share

RNG = np.random.default_rng(0)
Y = RNG.standard_normal(101).astype(np.float32)
SHARES = np.full(101, 1 / 101)
ONES, NO_STRATA = np.ones(101), np.zeros(101, np.int64)


def squared(outputs, y, _):
    return (outputs - y) ** 2


def location_and_scale(outputs, y, _):
    return outputs[:, 1] + 0.5 * ((y - outputs[:, 0]) * jnp.exp(-outputs[:, 1])) ** 2


@pytest.mark.parametrize(("by", "unit"), [(0.0, 1.0), (1e5, 2e4)])
def test_squared_error_has_the_mean_the_deviation_and_the_target(by, unit):
    """Whatever the unit, outputs then are on the standard scale, as without a loss of one's own."""
    y = (by + unit * Y).astype(np.float32)
    null, _ = null_model(Loss(squared), y, SHARES)
    assert null.centre[0] == pytest.approx(y.mean(), abs=1e-3 * unit)
    assert null.scale[0] == pytest.approx(y.std(), rel=0.06)
    assert null.factor * null.scale[0] * y.std() == pytest.approx(1, rel=0.01)
    assert null.loss == pytest.approx(y.var(), rel=1e-4)
    target = encode_own(Loss(squared), y, ONES, NO_STRATA, ONES)
    np.testing.assert_allclose(target.residuals[:, 0], (y - y.mean()) / y.std(), atol=1e-3)


def test_a_quantile_leaves_which_rows_are_above():
    """The residuals have two values, of which the higher is that of a tenth of the rows."""
    target = encode_own(Loss(Pinball(0.9)), Y, ONES, NO_STRATA, ONES)
    assert np.mean(target.own.null.centre[0] >= Y) == pytest.approx(0.9, abs=0.01)
    low, high = np.unique(target.residuals.round(4))[[0, -1]]
    assert low < 0 < high
    assert np.mean(target.residuals > 0) == pytest.approx(0.1, abs=0.011)
    assert (Y[target.residuals[:, 0] > 0.5].min()) >= Y[target.residuals[:, 0] < 0].max()
    assert 0.3 < target.own.null.scale[0] < 3


def test_a_quantile_that_many_rows_share_still_has_a_unit():
    """Where the loss has a kink, no step is small enough for its slope to change little."""
    y = np.repeat(np.arange(4.0, dtype=np.float32), 25)
    null, _ = null_model(Loss(Pinball(0.6)), y, np.full(100, 0.01))
    assert null.centre[0] == pytest.approx(2, abs=0.01)
    assert 0.1 < null.scale[0] < 10


def test_counts_have_the_logarithm_of_their_mean():
    counts = RNG.poisson(4.0, 101).astype(np.float32)
    null, slopes = null_model(Loss(Poisson()), counts, SHARES)
    assert null.centre[0] == pytest.approx(np.log(counts.mean()), abs=1e-3)
    np.testing.assert_allclose(slopes[:, 0], counts.mean() - counts, atol=1e-2)


def test_ordered_classes_have_their_shares():
    """And residuals that rise with the class; thresholds are no evidence."""
    codes = np.repeat([0, 1, 2, 3], [40, 30, 20, 11]).astype(np.int32)
    target = encode_own(Loss(Ordinal(), 4, 3), codes, ONES, NO_STRATA, ONES)
    likely = ordinal_probabilities(target.own.null.centre[None])[0]
    np.testing.assert_allclose(likely, np.bincount(codes) / 101, atol=2e-3)
    assert target.residuals.shape == (101, 1)
    assert (np.diff([target.residuals[codes == k, 0].mean() for k in range(4)]) > 0).all()


def test_several_outputs_leave_several_residuals():
    """Of a normal target the distance from the mean, and its square."""
    target = encode_own(Loss(location_and_scale, 2), 3 * Y + 7, ONES, NO_STRATA, ONES)
    mean, logarithm = target.own.null.centre
    assert mean == pytest.approx((3 * Y + 7).mean(), abs=0.02)
    assert logarithm == pytest.approx(np.log(3 * Y.std()), abs=0.01)
    assert np.corrcoef(target.residuals[:, 0], Y)[0, 1] > 0.999
    assert np.corrcoef(target.residuals[:, 1], np.square(Y - Y.mean()))[0, 1] > 0.999


def test_a_weight_of_two_is_the_row_twice():
    """In the best constant, its units and the loss."""
    weights = np.ones(101)
    weights[:30] = 2
    twice = np.concatenate([Y, Y[:30]])
    weighted, _ = null_model(Loss(location_and_scale, 2), Y, weights / weights.sum())
    repeated, _ = null_model(Loss(location_and_scale, 2), twice, np.full(131, 1 / 131))
    np.testing.assert_allclose(weighted.centre, repeated.centre, atol=1e-3)
    np.testing.assert_allclose(weighted.scale, repeated.scale, rtol=0.05)
    assert weighted.loss == pytest.approx(repeated.loss, rel=1e-5)


def test_a_loss_is_the_same_in_any_unit():
    """Ten times the loss has a tenth of the factor."""
    one, _ = null_model(Loss(squared), Y, SHARES)
    ten, _ = null_model(Loss(lambda *given: 10 * squared(*given)), Y, SHARES)
    assert ten.factor == pytest.approx(one.factor / 10, rel=0.01)
    assert ten.scale[0] == pytest.approx(one.scale[0], rel=0.1)


def test_the_share_saved_is_r2_for_squared_error():
    """0 for the best constant, 1 for no loss at all."""
    assert saved_share(Loss(squared), Y[:, None].astype(float), Y, SHARES) == 1
    assert saved_share(Loss(squared), np.full((101, 1), Y.mean()), Y, SHARES) == pytest.approx(0, abs=1e-5)


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (
            lambda o, y, _: (o[:, None] - y) ** 2,
            r"loss must return the shape \(101,\), one loss a row, for outputs of the shape \(101,\), y and "
            r"weights of \(101,\); got the shape \(101, 101\)\.",
        ),
        (lambda o, y, _: ((o - y) ** 2).mean(), r"got the shape \(\)\."),
        (lambda *_: None, r"got a NoneType\."),
        (lambda _, y, __: y.astype(int), "must return losses as floating numbers, got int32"),
        (lambda o, *_: o[:, 3], r"loss failed for outputs of the shape \(101,\).*: IndexError: Too many"),
        (lambda o, y: o - y, "loss failed for .*: TypeError: .*positional argument"),
        (lambda o, y, _: np.log(o) - y, "loss failed for .*: TracerArrayConversionError: "),
        (lambda o, y, _: jnp.log(o) * y, "loss must be finite, got .* in 101 of 101 rows at outputs of 0"),
        (lambda o, y, _: 0 * o + y**2, "loss has no slope that differs between the 101 rows"),
        (lambda o, y, _: o**2 + y**2, "loss has no slope that differs between the 101 rows"),
    ],
)
def test_what_is_wrong_with_a_function_is_said_with_its_shapes(function, said):
    """In one sentence that begins with the argument."""
    with pytest.raises(ValueError, match=said):
        encode_own(Loss(function), Y, ONES, NO_STRATA, ONES)
