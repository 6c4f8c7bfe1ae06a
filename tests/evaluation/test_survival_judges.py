"""Judges, scores and rivals of censored times."""

import numpy as np
import pytest

from snelfs import survival_target
from snelfs.datasets import make_survival
from snelfs.evaluation.cross_validation import evaluate
from snelfs.evaluation.methods import choose_columns
from snelfs.evaluation.rivals.survival import l1_cox, score_tests, univariate_cox
from snelfs.evaluation.survival_judges import SURVIVAL_MODELS, integrated_brier_score, judge_survival


@pytest.fixture(scope="module")
def sample():
    return make_survival(200, 40, censored=0.4, random_state=96_500)


def test_the_brier_score_without_censoring_is_the_mean_squared_error():
    """Averaged over the moments, by the trapezoid rule."""
    _, y, _ = make_survival(60, 5, random_state=0)
    y["event"] = True
    moments = np.linspace(*np.quantile(y["time"], [0.1, 0.9]), 20)
    lasting = np.random.default_rng(0).random((60, 20))
    plain = np.mean((lasting - (y["time"][:, None] > moments)) ** 2, axis=0)
    expected = np.trapezoid(plain, moments) / (moments[-1] - moments[0])
    assert integrated_brier_score(y, y, lasting, moments) == pytest.approx(expected, rel=1e-12)


def test_censored_rows_are_made_up_for_by_the_others():
    """A true model scores about the same whether its rows are censored or not."""
    rng = np.random.default_rng(0)
    lasting, end = rng.exponential(1, 20_000), rng.exponential(1.5, 20_000)
    moments = np.linspace(0.1, 1.5, 30)
    truth = np.tile(np.exp(-moments), (20_000, 1))
    whole = np.empty(20_000, dtype=[("event", "?"), ("time", "f8")])
    whole["event"], whole["time"] = True, lasting
    cut = whole.copy()
    cut["event"], cut["time"] = lasting <= end, np.minimum(lasting, end)
    full, weighted = (integrated_brier_score(y, y, truth, moments) for y in (whole, cut))
    assert weighted == pytest.approx(full, rel=0.02)


def test_the_brier_score_is_that_of_scikit_survival():
    """Where it is installed, for distinct times."""
    metrics = pytest.importorskip("sksurv.metrics")
    _, y, _ = make_survival(80, 5, random_state=3)
    moments = np.linspace(*np.quantile(y["time"], [0.1, 0.7]), 15)
    lasting = np.random.default_rng(1).random((80, 15))
    theirs = metrics.integrated_brier_score(y, y, lasting, moments)
    assert integrated_brier_score(y, y, lasting, moments) == pytest.approx(theirs, rel=1e-9)


def test_judges_tell_relevant_columns_from_others(sample):
    """Both models, by both scores; more columns than rows are no obstacle."""
    X, y, relevant = sample
    train, test = np.arange(150), np.arange(150, 200)
    others = np.setdiff1d(np.arange(40), relevant)[:5]
    good, poor = (judge_survival(X[:, columns], y, train, test, 0) for columns in (relevant, others))
    assert tuple(good) == SURVIVAL_MODELS
    for model in SURVIVAL_MODELS:
        assert good[model]["c_index"] > poor[model]["c_index"] + 0.05
        assert good[model]["brier_skill"] > poor[model]["brier_skill"]
    assert good["ridge Cox"]["c_index"] > 0.75
    wide = np.concatenate([X, np.random.default_rng(0).standard_normal((200, 80))], axis=1)[:100]
    assert 0.4 < judge_survival(wide, y[:100], train[:60], np.arange(60, 100), 0)["ridge Cox"]["c_index"] <= 1


def test_rivals_find_linear_effects(sample):
    """One column at a time, and along the L1 path; a constant column is never first."""
    X, y, relevant = sample
    spoiled = X.copy()
    spoiled[:, np.setdiff1d(np.arange(40), relevant)[0]] = 3.0
    for rival in (univariate_cox, l1_cox):
        chosen = rival(spoiled, y, 5)
        assert len(set(chosen.tolist())) == 5
        assert len(set(chosen) & set(relevant)) >= 4
    assert score_tests(spoiled, y)[np.setdiff1d(np.arange(40), relevant)[0]] == 0
    assert len(l1_cox(X, y, 40)) == 40


def test_score_tests_are_those_of_statsmodels(sample):
    """The gradient at zero over the root of the information there, column by column."""
    regression = pytest.importorskip("statsmodels.duration.hazard_regression")
    X, y, _ = sample
    for column in range(3):
        model = regression.PHReg(y["time"], X[:, [column]], status=y["event"].astype(int))
        zero = np.zeros(1)
        expected = abs(model.score(zero)[0]) / np.sqrt(-model.hessian(zero)[0, 0])
        assert score_tests(X, y)[column] == pytest.approx(expected, rel=1e-8)


def test_methods_without_a_notion_of_censoring_are_given_residuals(sample):
    """They find linear effects all the same; rivals for censored times refuse other targets."""
    X, y, relevant = sample
    chosen = choose_columns("f_score", X, y, regression=True, n_features=5, seed=0)
    assert len(set(chosen) & set(relevant)) >= 3
    with pytest.raises(ValueError, match="for censored times alone"):
        choose_columns("l1_cox", X, X[:, 0], regression=True, n_features=5, seed=0)


def test_an_evaluation_has_a_verdict_on_the_c_index(sample):
    """Folds are stratified by event, and scores have both metrics."""
    X, y, _ = sample
    quick = {"n_restarts": 2, "steps": 4, "refine": False}
    methods = ["univariate_cox", "random"]
    found = evaluate(X, y, n_features=5, methods=methods, folds=2, settings=quick)
    assert found.task == "survival"
    assert found.metrics == ("c_index", "brier_skill")
    assert found.scores.shape == (3, 2, 2, 2)
    assert "c-index" in found.verdict()
    assert found.by_fold("univariate_cox").mean() > found.by_fold("random").mean()
    with pytest.raises(ValueError, match="fewer than two for each of the 90 folds"):
        evaluate(X, y, n_features=5, methods=methods, folds=90)


def test_strata_are_judged_within(sample):
    """Times of another scale in one of them change no c-index, and new strata are no obstacle."""
    X, y, relevant = sample
    halves = np.arange(len(y)) % 2
    train, test = np.arange(len(y)) % 3 > 0, np.arange(len(y)) % 3 == 0
    slower = survival_target(y["event"], y["time"] * np.where(halves, 50, 1), halves)
    even = survival_target(y["event"], y["time"], halves)
    places = np.flatnonzero(train), np.flatnonzero(test)
    found, known = (judge_survival(X[:, relevant], each, *places, 0) for each in (slower, even))
    assert found["ridge Cox"]["c_index"] == pytest.approx(known["ridge Cox"]["c_index"], rel=1e-9)
    assert found["ridge Cox"]["brier_skill"] > 0.05
    new = survival_target(y["event"], y["time"], np.where(np.arange(len(y)) < 3, 2, halves))
    assert judge_survival(X[:, relevant], new, *places, 0)["ridge Cox"]["c_index"] > 0.6
    assert len(univariate_cox(X, slower, 5)) == len(l1_cox(X, slower, 5)) == 5
