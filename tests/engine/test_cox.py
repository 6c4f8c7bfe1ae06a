"""The partial likelihood, in the engine and in double precision: against statsmodels and by definition."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from snelfs.data.partial_likelihood import PartialLikelihood
from snelfs.engine import cox
from snelfs.engine.cox import Censored

N_ROWS, N_COLUMNS = 60, 3
GENERATOR = np.random.default_rng(96_000)
X = GENERATOR.standard_normal((N_ROWS, N_COLUMNS))
TIMES = GENERATOR.integers(1, 20, N_ROWS).astype(float)  # many ties
EVENTS = GENERATOR.random(N_ROWS) < 0.6
BETA = np.array([0.7, -0.4, 0.2])
REPEATS = 1 + np.arange(N_ROWS) % 3
TIES = ("breslow", "efron")


def engine_loss(beta, ties, weights):
    """Return ``-ℓ`` of linear risks, by the engine."""
    y = Censored(jnp.asarray(TIMES), jnp.asarray(EVENTS, float), jnp.ones(N_ROWS))
    losses = cox.row_losses((jnp.asarray(X) @ beta)[None], y, jnp.asarray(weights)[None], ties)
    return (losses * weights).sum()


def derivatives(ties, weights):
    """Return value, gradient and Hessian of the engine's loss, in double precision."""
    with jax.enable_x64(True):
        beta = jnp.asarray(BETA)
        weights = jnp.asarray(weights, float)
        value, gradient = jax.value_and_grad(engine_loss)(beta, ties, weights)
        return float(value), np.asarray(gradient), np.asarray(jax.hessian(engine_loss)(beta, ties, weights))


def of_statsmodels(ties, rows):
    """Return the same by statsmodels, with some rows given several times."""
    regression = pytest.importorskip("statsmodels.duration.hazard_regression")
    model = regression.PHReg(TIMES[rows], X[rows], status=EVENTS[rows].astype(int), ties=ties)
    return -model.loglike(BETA), -model.score(BETA), -model.hessian(BETA)


@pytest.mark.parametrize(("ties", "weighted"), [("breslow", False), ("breslow", True), ("efron", False)])
def test_value_gradient_and_hessian_are_those_of_statsmodels(ties, weighted):
    """In the engine and in the likelihood of the small models; a Breslow weight of 2 is the row twice."""
    repeats = REPEATS if weighted else np.ones(N_ROWS, int)
    theirs = of_statsmodels(ties, np.repeat(np.arange(N_ROWS), repeats))
    value, gradient, hessian = derivatives(ties, repeats)
    assert value == pytest.approx(theirs[0], rel=1e-8)
    np.testing.assert_allclose(gradient, theirs[1], rtol=1e-7, atol=1e-7)
    np.testing.assert_allclose(hessian, theirs[2], rtol=1e-7, atol=1e-7)
    ours = PartialLikelihood(EVENTS, TIMES, repeats.astype(float), ties)
    loss, slope = ours.loss_and_slope(X @ BETA)
    assert loss == pytest.approx(theirs[0], rel=1e-8)
    np.testing.assert_allclose(X.T @ slope, theirs[1], rtol=1e-7, atol=1e-7)
    np.testing.assert_allclose(ours.information(X, X @ BETA), theirs[2], rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize("ties", TIES)
def test_single_precision_is_enough_for_training(ties):
    """The engine trains with it: value and gradient agree with double precision to 1e-5 of their size."""
    value, gradient, _ = derivatives(ties, REPEATS)
    single = jax.value_and_grad(engine_loss)(jnp.float32(BETA), ties, np.float32(REPEATS))
    assert float(single[0]) == pytest.approx(value, rel=1e-5)
    np.testing.assert_allclose(single[1], gradient, rtol=1e-5, atol=1e-5 * np.abs(gradient).max())


@pytest.mark.parametrize("ties", TIES)
def test_the_two_implementations_agree_with_any_weights(ties):
    """Weights that are no whole numbers, some of them zero."""
    weights = np.random.default_rng(1).random(N_ROWS) * (np.arange(N_ROWS) % 4 > 0)
    value, gradient, hessian = derivatives(ties, weights)
    ours = PartialLikelihood(EVENTS, TIMES, weights, ties)
    loss, slope = ours.loss_and_slope(X @ BETA)
    assert loss == pytest.approx(value, rel=1e-9)
    np.testing.assert_allclose(X.T @ slope, gradient, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(ours.information(X, X @ BETA), hessian, rtol=1e-6, atol=1e-9)


def test_without_ties_the_two_kinds_are_one():
    """And with ties they are not."""
    distinct = (
        PartialLikelihood(EVENTS, np.arange(N_ROWS) * 1.0),
        PartialLikelihood(EVENTS, np.arange(N_ROWS) * 1.0, ties="efron"),
    )
    assert distinct[0].loss_and_slope(X @ BETA)[0] == pytest.approx(
        distinct[1].loss_and_slope(X @ BETA)[0], rel=1e-12
    )
    tied = [PartialLikelihood(EVENTS, TIMES, ties=ties).loss_and_slope(X @ BETA)[0] for ties in TIES]
    assert tied[0] > tied[1] + 0.1


@pytest.mark.parametrize("ties", TIES)
def test_risks_far_apart_leave_finite_losses(ties):
    """A network that diverges must not turn the others' numbers into none."""
    y = Censored(jnp.float32(TIMES), jnp.float32(EVENTS), jnp.ones(N_ROWS))
    far = jnp.float32(400 * np.random.default_rng(2).standard_normal((1, N_ROWS)))
    trained = jnp.float32(np.arange(N_ROWS) % 4 > 0)[None]

    def loss(risks):
        return (trained * cox.training_losses(risks, y, trained / trained.sum(), ties)).sum()

    value, gradient = jax.value_and_grad(loss)(far)
    assert np.isfinite(value)
    assert np.isfinite(gradient).all()
    assert (np.asarray(gradient)[:, ::4] == 0).all(), "rows that are held out teach nothing"


def test_the_held_out_loss_is_that_of_all_rows_less_that_of_the_training_rows():
    """By held-out event; with nothing held out it is that of all rows, and with no event still a number."""
    y = Censored(jnp.float32(TIMES), jnp.float32(EVENTS), jnp.float32(REPEATS))
    risks = np.float32(X @ BETA)[None]
    trained = (np.arange(N_ROWS) % 4 > 0)[None]
    whole, part = (
        PartialLikelihood(EVENTS, TIMES, w).loss_and_slope(risks[0].astype(float))[0]
        for w in (REPEATS * 1.0, REPEATS * trained[0])
    )
    found = cox.held_out_losses(risks, y, np.float32(trained), np.float32(~trained), "breslow").sum()
    assert float(found) == pytest.approx((whole - part) / (REPEATS @ (EVENTS & ~trained[0])), rel=1e-4)
    everyone = np.ones((1, N_ROWS), np.float32)
    found = cox.held_out_losses(risks, y, everyone, everyone, "breslow").sum()
    assert float(found) == pytest.approx(whole / (REPEATS @ EVENTS), rel=1e-4)
    found = cox.held_out_losses(risks, y, np.float32(EVENTS)[None], np.float32(~EVENTS)[None], "breslow")
    assert float(found.sum()) > 0


def test_baseline_and_residuals_of_a_small_case():
    """Four rows: the hazard is one over those at risk, and residuals sum to nothing."""
    likelihood = PartialLikelihood(np.array([True, False, True, True]), np.array([1.0, 2.0, 3.0, 3.0]))
    times, cumulative = likelihood.baseline(np.zeros(4))
    np.testing.assert_allclose(times, [1, 2, 3])
    np.testing.assert_allclose(cumulative, [1 / 4, 1 / 4, 1 / 4 + 2 / 2])
    np.testing.assert_allclose(likelihood.residuals(), [3 / 4, -1 / 4, -1 / 4, -1 / 4])
    np.testing.assert_allclose(likelihood.baseline(np.full(4, 2.0)).cumulative, cumulative / np.exp(2))
    assert likelihood.residuals(np.array([0.3, 0.1, -2, 1])).sum() == pytest.approx(0, abs=1e-12)
