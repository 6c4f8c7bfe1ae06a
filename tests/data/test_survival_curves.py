"""Curves, tests and small models of censored times, against statsmodels and by definition."""

import numpy as np
import pytest

from snelfs.data.partial_likelihood import PartialLikelihood
from snelfs.data.survival_curves import censoring_curve, fit_cox, kaplan_meier, logrank_p

GENERATOR = np.random.default_rng(7)
TIME = GENERATOR.integers(1, 15, 80) * 1.0
EVENT = GENERATOR.random(80) < 0.6
GROUP = GENERATOR.random(80) < 0.5
X = GENERATOR.standard_normal((80, 3))


def test_kaplan_and_meiers_curve_is_that_of_statsmodels():
    """At the times of events, ties included."""
    duration = pytest.importorskip("statsmodels.duration.survfunc")
    theirs = duration.SurvfuncRight(TIME, EVENT.astype(int))
    ours = kaplan_meier(EVENT, TIME)
    np.testing.assert_allclose(ours.at(theirs.surv_times), theirs.surv_prob, rtol=1e-10)
    assert ours.before(np.array([0.0, TIME.min()])).tolist() == [1, 1]


def test_the_log_rank_test_is_that_of_statsmodels():
    """With ties, and within strata."""
    duration = pytest.importorskip("statsmodels.duration.survfunc")
    strata = np.arange(80) // 7 % 3
    _, stratified = duration.survdiff(TIME, EVENT.astype(int), GROUP.astype(int), strata=strata)
    assert logrank_p(EVENT, TIME, GROUP, strata) == pytest.approx(stratified, rel=1e-8)
    _, theirs = duration.survdiff(TIME, EVENT.astype(int), GROUP.astype(int))
    assert logrank_p(EVENT, TIME, GROUP) == pytest.approx(theirs, rel=1e-8)
    assert np.isnan(logrank_p(EVENT, TIME, np.zeros(80, bool)))


@pytest.mark.parametrize("ties", ["breslow", "efron"])
def test_coefficients_and_errors_are_those_of_statsmodels(ties):
    """Without a penalty; a strong one draws them to zero."""
    regression = pytest.importorskip("statsmodels.duration.hazard_regression")
    theirs = regression.PHReg(TIME, X, status=EVENT.astype(int), ties=ties).fit(disp=0)
    likelihood = PartialLikelihood(EVENT, TIME, ties=ties)
    ours = fit_cox(X, likelihood, ridge=0.0)
    np.testing.assert_allclose(ours.coefficients, theirs.params, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(ours.errors, theirs.bse, rtol=1e-4)
    assert np.abs(fit_cox(X, likelihood, ridge=100.0).coefficients).max() < 0.01


def test_a_column_that_orders_all_events_has_a_finite_coefficient():
    """The likelihood alone has no maximum there."""
    likelihood = PartialLikelihood(np.ones(10, bool), np.arange(10.0))
    assert np.isfinite(fit_cox(-np.arange(10.0)[:, None], likelihood).coefficients).all()


def test_spreads_are_the_diagonal_of_the_information_at_zero():
    """All columns at once, as filters need it."""
    for ties in ("breslow", "efron"):
        likelihood = PartialLikelihood(EVENT, TIME, ties=ties)
        expected = np.diag(likelihood.information(X, np.zeros(80)))
        np.testing.assert_allclose(likelihood.spreads(X), expected, rtol=1e-10)


def test_the_censoring_curve_takes_events_first():
    """A row that had its event is not at risk to be censored at the same time."""
    curve = censoring_curve(np.array([True, False, False]), np.array([1.0, 1.0, 2.0]))
    np.testing.assert_allclose(curve.survival, [0.5, 0.0])
