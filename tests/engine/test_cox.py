"""The partial likelihood, in the engine and in double precision: against statsmodels and by definition."""

from functools import partial

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
STRATA = np.arange(N_ROWS) * 7 % 3
# As the engine takes them: the times of one stratum after those of another.
IN_STRATA = TIMES + 100 * STRATA
BY_STRATUM = np.array([1.0, 2.5, 0.5])[STRATA]


def engine_loss(beta, ties, weights, stratified=False):
    """Return ``-ℓ`` of linear risks, by the engine."""
    kind = beta.dtype
    y = Censored(jnp.asarray(TIMES, kind), jnp.asarray(EVENTS, kind), jnp.ones(N_ROWS, kind))
    if stratified:
        y = y._replace(times=jnp.asarray(IN_STRATA, kind), strata=jnp.asarray(STRATA, kind))
    losses = cox.row_losses((jnp.asarray(X, kind) @ beta)[None], y, jnp.asarray(weights)[None], ties)
    return (losses * weights).sum()


def derivatives(ties, weights, stratified=False):
    """Return value, gradient and Hessian of the engine's loss, in double precision."""
    with jax.enable_x64(True):
        value, gradient, hessian = _compiled(jnp.asarray(BETA), ties, jnp.asarray(weights, float), stratified)
        return float(value), np.asarray(gradient), np.asarray(hessian)


@partial(jax.jit, static_argnames=("ties", "stratified"))
def _compiled(beta, ties, weights, stratified):
    value, gradient = jax.value_and_grad(engine_loss)(beta, ties, weights, stratified)
    return value, gradient, jax.hessian(engine_loss)(beta, ties, weights, stratified)


def of_statsmodels(ties, rows, stratified=False):
    """Return the same by statsmodels, with some rows given several times."""
    regression = pytest.importorskip("statsmodels.duration.hazard_regression")
    status, strata = EVENTS[rows].astype(int), STRATA[rows] if stratified else None
    model = regression.PHReg(TIMES[rows], X[rows], status=status, ties=ties, strata=strata)
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


@pytest.mark.parametrize(("ties", "weighted"), [("breslow", False), ("breslow", True), ("efron", False)])
def test_with_strata_they_are_those_of_statsmodels_too(ties, weighted):
    """Value, gradient, Hessian and the diagonal at zero; each stratum has risk sets of its own."""
    repeats = REPEATS if weighted else np.ones(N_ROWS, int)
    rows = np.repeat(np.arange(N_ROWS), repeats)
    theirs = of_statsmodels(ties, rows, stratified=True)
    ours = PartialLikelihood(EVENTS, TIMES, repeats.astype(float), ties, STRATA)
    loss, slope = ours.loss_and_slope(X @ BETA)
    in_double = loss, X.T @ slope, ours.information(X, X @ BETA)
    for mine in (derivatives(ties, repeats, stratified=True), in_double):
        for own, known in zip(mine, theirs, strict=True):
            np.testing.assert_allclose(own, known, rtol=1e-7, atol=1e-7)
    regression = pytest.importorskip("statsmodels.duration.hazard_regression")
    status, strata = EVENTS[rows].astype(int), STRATA[rows]
    model = regression.PHReg(TIMES[rows], X[rows], status=status, ties=ties, strata=strata)
    np.testing.assert_allclose(ours.spreads(X), -np.diag(model.hessian(np.zeros(N_COLUMNS))), rtol=1e-7)
    assert loss < PartialLikelihood(EVENTS, TIMES, repeats.astype(float), ties).loss_and_slope(X @ BETA)[0]


@pytest.mark.parametrize("ties", TIES)
def test_a_weight_of_a_whole_stratum_is_a_factor_of_its_likelihood(ties):
    """For both kinds of ties: statsmodels, stratum by stratum, times the weight."""
    regression = pytest.importorskip("statsmodels.duration.hazard_regression")
    value, gradient, hessian = 0.0, np.zeros(N_COLUMNS), np.zeros((N_COLUMNS, N_COLUMNS))
    for stratum in range(3):
        own, weight = stratum == STRATA, BY_STRATUM[stratum == STRATA][0]
        model = regression.PHReg(TIMES[own], X[own], status=EVENTS[own].astype(int), ties=ties)
        value += weight * (EVENTS[own].sum() * np.log(weight) - model.loglike(BETA))
        gradient -= weight * model.score(BETA)
        hessian -= weight * model.hessian(BETA)
    ours = PartialLikelihood(EVENTS, TIMES, BY_STRATUM, ties, STRATA)
    loss, slope = ours.loss_and_slope(X @ BETA)
    in_double = loss, X.T @ slope, ours.information(X, X @ BETA)
    for mine in (derivatives(ties, BY_STRATUM, stratified=True), in_double):
        for own, known in zip(mine, (value, gradient, hessian), strict=True):
            np.testing.assert_allclose(own, known, rtol=1e-7, atol=1e-7)


def test_a_stratum_of_small_risks_keeps_its_own():
    """Beside one whose risks are a thousandth of its own part its loss is as it would be alone."""
    risks = np.float32(np.where(STRATA == 0, 12.0, -4.0) + X @ BETA)[None]
    y = Censored(jnp.float32(IN_STRATA), jnp.float32(EVENTS), jnp.ones(N_ROWS), jnp.float32(STRATA))
    losses = jax.jit(cox.row_losses, static_argnums=3)(risks, y, jnp.ones((1, N_ROWS)), "breslow")
    own = STRATA == 1
    alone = PartialLikelihood(EVENTS[own], TIMES[own]).loss_and_slope(risks[0, own].astype(float))[0]
    assert float(losses[0, own].sum()) == pytest.approx(alone, rel=1e-5)


def test_residuals_and_baselines_are_those_of_each_stratum_alone():
    """Nothing of one stratum is in another; a stratum without events has no hazard."""
    events = EVENTS & (STRATA != 2)
    risks = X @ BETA
    likelihood = PartialLikelihood(events, TIMES, strata=STRATA + 5)
    residuals, baselines = likelihood.residuals(risks), likelihood.baselines(risks)
    for stratum, found in enumerate(baselines):
        own = stratum == STRATA
        alone = PartialLikelihood(events[own], TIMES[own])
        np.testing.assert_allclose(residuals[own], alone.residuals(risks[own]), atol=1e-12)
        np.testing.assert_array_equal(found.times, alone.times)
        np.testing.assert_allclose(found.cumulative, alone.baseline(risks[own]).cumulative)
    assert (baselines[2].cumulative == 0).all()
    assert (residuals[STRATA == 2] == 0).all()


@pytest.mark.parametrize("ties", TIES)
def test_single_precision_is_enough_for_training(ties):
    """The engine trains with it: value and gradient agree with double precision to 1e-5 of their size."""
    value, gradient, _ = derivatives(ties, REPEATS)
    single = _compiled(jnp.float32(BETA), ties, np.float32(REPEATS), stratified=False)
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
def test_risks_a_thousand_apart_leave_finite_slopes_in_double_precision(ties):
    """A trial step of a fit may go so far, and must not warn."""
    far = -1000 * TIMES  # so that nothing is left of later risk sets
    loss, slope = PartialLikelihood(EVENTS, TIMES, ties=ties, strata=STRATA).loss_and_slope(far)
    assert np.isfinite(loss)
    assert np.isfinite(slope).all()


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
