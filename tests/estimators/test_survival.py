"""SNeLSurvival as scikit-learn users meet it."""

import pickle

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.model_selection import KFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import estimator_checks_generator, parametrize_with_checks
from sklearn.utils.multiclass import type_of_target

from snelfs import SNeLSurvival, survival_target, tune
from snelfs.data.partial_likelihood import PartialLikelihood
from snelfs.datasets import make_survival
from snelfs.search.cox_network import CoxNetwork
from snelfs.selection.model_file import TRUSTED, load_model, save_model

pytestmark = pytest.mark.filterwarnings("default::sklearn.exceptions.ConvergenceWarning")

# One shape for all, so that the engine compiles once.
N_ROWS, N_COLUMNS = 150, 20
ONE_ROUND = {"refine": False, "combine": "mean"}


@pytest.fixture(scope="module")
def sample():
    return make_survival(N_ROWS, N_COLUMNS, censored=0.3, random_state=96_000)


@pytest.fixture(scope="module")
def model(sample, quick):
    X, y, _ = sample
    return SNeLSurvival(**quick | ONE_ROUND).fit(X, y)


def test_the_relevant_columns_are_found_and_risks_are_in_order(sample, model):
    """A higher risk is a sooner event."""
    X, y, relevant = sample
    assert len(set(relevant) & set(model.get_support(indices=True))) >= 4
    assert model.score(X, y) > 0.75
    risks, died = model.predict(X), y["event"]
    assert np.corrcoef(risks[died], y["time"][died])[0, 1] < -0.2
    assert risks.mean() == pytest.approx(0, abs=1e-9)


def test_survival_functions_are_those_of_breslows_baseline(sample, model):
    """They fall from 1, in the order of the risks, and agree with the baseline of the same risks."""
    X, y, _ = sample
    assert model.unique_times_.tolist() == np.unique(y["time"]).tolist()
    survival = model.predict_survival_function(X)
    assert survival.shape == (N_ROWS, len(model.unique_times_))
    assert (np.diff(survival, axis=1) <= 0).all()
    at_risk_order = np.argsort(model.predict(X))
    assert (np.diff(survival[at_risk_order, -1]) <= 0).all()
    expected = PartialLikelihood(y["event"], y["time"]).baseline(model.predict(X)).cumulative
    np.testing.assert_allclose(model.baseline_cumulative_hazard_, expected, rtol=1e-9)
    hazard = model.predict_cumulative_hazard_function(X)
    np.testing.assert_allclose(np.exp(-hazard), survival)
    middle = float(np.median(model.unique_times_))
    place = np.searchsorted(model.unique_times_, middle, side="right") - 1
    at = model.predict_survival_function(X, times=[0, middle, 1e9])
    np.testing.assert_allclose(at[:, 1], survival[:, place])
    np.testing.assert_allclose(at[:, 2], survival[:, -1])
    assert (at[:, 0] == 1).all() or model.unique_times_[0] == 0
    with pytest.raises(ValueError, match="times must be a list of finite numbers"):
        model.predict_survival_function(X, times=3.0)


def test_expected_events_are_the_observed_ones(sample, model):
    """Over the fitted rows the cumulative hazards at their own times sum up to the events."""
    X, y, _ = sample
    places = np.searchsorted(model.unique_times_, y["time"])
    expected = model.predict_cumulative_hazard_function(X)[np.arange(N_ROWS), places].sum()
    assert expected == pytest.approx(y["event"].sum(), rel=1e-6)


def test_every_form_of_the_target_gives_the_same_fit(sample, model, quick):
    """A tuple, and a structured array in another order."""
    X, y, _ = sample
    other = np.empty(N_ROWS, dtype=[("days", "f8"), ("dead", "?")])
    other["days"], other["dead"] = y["time"], y["event"]
    for given in [(y["event"], y["time"]), other]:
        again = SNeLSurvival(**quick | ONE_ROUND).fit(X, given)
        np.testing.assert_array_equal(again.saliencies_, model.saliencies_)
        assert again.score(X, given) == model.score(X, y)


def test_a_weight_of_two_is_the_row_twice_and_the_order_of_rows_means_nothing(sample, quick):
    """Breslow's way keeps the promise of the other estimators to the last bit."""
    X, y, _ = sample
    weights = 1 + np.arange(N_ROWS) % 2
    repeated = np.random.default_rng(0).permutation(np.repeat(np.arange(N_ROWS), weights))
    weighted = SNeLSurvival(**quick | ONE_ROUND).fit(X, y, sample_weight=weights)
    twice = SNeLSurvival(**quick | ONE_ROUND).fit(X[repeated], y[repeated])
    np.testing.assert_array_equal(weighted.saliencies_, twice.saliencies_)
    np.testing.assert_allclose(weighted.predict(X), twice.predict(X), atol=1e-6)
    assert weighted.score(X, y, weights) == pytest.approx(twice.score(X[repeated], y[repeated]))


def test_rescaling_time_changes_no_risk(sample, model, quick):
    """Only the order of the times counts."""
    X, y, _ = sample
    other = SNeLSurvival(**quick | ONE_ROUND).fit(X, survival_target(y["event"], y["time"] * 365.25))
    np.testing.assert_array_equal(other.predict(X), model.predict(X))
    np.testing.assert_allclose(other.unique_times_, model.unique_times_ * 365.25)


def test_ties_may_be_broken_by_efrons_way(sample, quick):
    """With times rounded so that many are equal it trains to other weights than Breslow's."""
    X, y, _ = sample
    rounded = survival_target(y["event"], np.ceil(4 * y["time"] / y["time"].max()))
    fits = [SNeLSurvival(**quick | ONE_ROUND, ties=ties).fit(X, rounded) for ties in ("breslow", "efron")]
    assert not np.array_equal(fits[0].saliencies_, fits[1].saliencies_)
    with pytest.raises(ValueError, match="ties must be 'breslow' or 'efron'"):
        SNeLSurvival(**quick, ties="exact").fit(X, y)


def test_two_columns_of_numbers_are_refused(sample, quick):
    """The sentence names the function that makes the right target, and so for a score."""
    X, y, _ = sample
    plain = np.column_stack([y["event"], y["time"]])
    with pytest.raises(ValueError, match=r"snelfs\.survival_target\(event, time\)"):
        SNeLSurvival(**quick).fit(X, plain)
    with pytest.raises(ValueError, match="scoring must be 'loss', got 'r2'"):
        SNeLSurvival(**quick, scoring="r2").fit(X, y)


def test_targets_that_teach_nothing_are_refused_by_fit(sample, quick):
    """No event, one event, negative, missing or equal times, words for events and dates for times."""
    X, y, _ = sample
    dates = np.datetime64("2020-01-01") + np.arange(N_ROWS)
    first = np.arange(N_ROWS) == 0
    for event, time, said in (
        (np.zeros(N_ROWS, bool), y["time"], "y has no event: every row is censored"),
        (first, y["time"], "y has one event only"),
        (y["event"], np.where(first, -1, y["time"]), "time must be at least 0, got -1"),
        (y["event"], np.where(first, np.nan, y["time"]), r"time is missing in 1 row"),
        (y["event"], np.full(N_ROWS, 3.0), "y has one time only, 3 in every row"),
        (np.where(y["event"], "yes", "no"), y["time"], "event must be True where the event was observed"),
        (y["event"], dates, "got dates such as '2020-01-01'"),
    ):
        with pytest.raises(ValueError, match=said):
            SNeLSurvival(**quick).fit(X, (event, time))


def test_the_refit_is_as_strong_as_chance_among_all_columns(sample, model, quick):
    """Columns of noise chosen of many say little of the risk; a larger alpha_l2 holds, a smaller does not."""
    X, y, _ = sample
    generator = np.random.default_rng(0)
    noise = SNeLSurvival(**quick | ONE_ROUND).fit(generator.standard_normal(X.shape), y)
    assert noise.predict(generator.standard_normal(X.shape)).std() < 0.3 < model.predict(X).std()
    stronger = SNeLSurvival(**quick | ONE_ROUND | {"alpha_l2": 2.0}).fit(X, y)
    assert np.abs(stronger.predict(X)).max() < 0.01


def test_it_works_in_pipelines_cross_validation_and_pickles(sample, model, quick):
    """As any selector of scikit-learn's; a frame's names are kept."""
    X, y, _ = sample
    frame = pd.DataFrame(X, columns=[f"g{i}" for i in range(N_COLUMNS)])
    selector = SNeLSurvival(**quick | ONE_ROUND)
    pipeline = make_pipeline(StandardScaler().set_output(transform="pandas"), selector).fit(frame, y)
    assert pipeline.score(frame, y) == pytest.approx(model.score(X, y), abs=0.02)
    assert pipeline[-1].get_feature_names_out().tolist() == [
        f"g{i}" for i in pipeline[-1].get_support(indices=True)
    ]
    scores = cross_val_score(clone(selector), X, y, cv=KFold(3, shuffle=True, random_state=0))
    assert scores.mean() > 0.6
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    np.testing.assert_array_equal(
        again.predict_survival_function(X, [1.0]), model.predict_survival_function(X, [1.0])
    )


def test_sparse_rows_give_the_same_columns(sample, model, quick):
    """A CSR matrix is read in blocks."""
    X, y, relevant = sample
    other = SNeLSurvival(**quick | ONE_ROUND).fit(sparse.csr_matrix(X), y)
    assert other.support_[relevant].tolist() == model.support_[relevant].tolist()
    np.testing.assert_allclose(other.feature_importances_, model.feature_importances_, atol=0.05)


def test_a_model_on_disk_comes_back_as_it_was(sample, model, tmp_path):
    """Without pickle, and with no type that is not known."""
    skops = pytest.importorskip("skops.io")
    X, _, _ = sample
    again = load_model(save_model(model, tmp_path / "model.skops"))
    assert vars(again).keys() == vars(model).keys()
    np.testing.assert_array_equal(again.predict_survival_function(X), model.predict_survival_function(X))
    assert set(skops.get_untrusted_types(file=tmp_path / "model.skops")) <= set(TRUSTED)


@pytest.mark.slow
def test_shuffles_auto_and_tuning_work_as_elsewhere(sample, quick):
    """q-values of relevant columns are small; "auto" has a curve of c-indices; losses can be compared."""
    X, y, relevant = sample
    short = quick | ONE_ROUND | {"steps": 6, "init": "moments"}
    doubted = SNeLSurvival(**short, n_shuffles=4).fit(X, y)
    assert doubted.q_values_[relevant].min() <= 0.2
    assert np.median(doubted.q_values_) > 0.3
    automatic = SNeLSurvival(**short | {"n_features_to_select": "auto"}).fit(X, y)
    curve = automatic.n_features_curve_
    assert 0.6 < curve.mean.max() <= 1
    assert automatic.support_.sum() == curve.chosen
    found = tune(SNeLSurvival(**short), X, y, [{"alpha_l1": 0.001}, {"alpha_l1": 1.0}])
    assert found.best_params == {"alpha_l1": 0.001}


def test_two_rounds_name_candidates_by_layer_and_associations(sample, quick):
    """Associations are asked about martingale residuals."""
    X, y, relevant = sample
    found = SNeLSurvival(**quick | {"steps": 6}).fit(X, y)
    assert len(set(relevant) & set(found.get_support(indices=True))) >= 4
    assert found.evidence_["layer"][relevant].sum() >= 3
    assert found.evidence_["linear"][relevant].sum() >= 3


def test_batches_of_rows_keep_risk_sets_of_their_own(sample, quick):
    """Rows of a batch are compared with the rows of that batch."""
    X, y, relevant = sample
    found = SNeLSurvival(**quick | ONE_ROUND | {"batch_size": 48}).fit(X, y)
    assert len(set(relevant) & set(found.get_support(indices=True))) >= 3


def test_the_small_network_finds_the_least_of_its_objective():
    """Without hidden layers it is the ridge model: the gradient vanishes there, and differences agree."""
    X, y, _ = make_survival(N_ROWS, 5, random_state=1)
    likelihood = PartialLikelihood(y["event"], y["time"], ties="efron")
    network = CoxNetwork.fitted(X, likelihood, (), 0.01, seed=0)
    beta = network.kernels[0][:, 0]
    slope = X.T @ likelihood.loss_and_slope(X @ beta)[1] / likelihood.n_events
    np.testing.assert_allclose(slope, -0.02 * beta, atol=1e-4)
    curved = CoxNetwork.fitted(X, likelihood, (8,), 0.001, seed=0)
    losses = [likelihood.loss_and_slope(each.predict(X))[0] for each in (network, curved)]
    assert losses[1] < losses[0], "hidden units fit more closely"


# -- scikit-learn's battery -------------------------------------------------------------------------


def as_observed(y):
    """Return numbers as times, all of them observed; what is a target or none stays what it is."""
    if y is None or isinstance(y, tuple) or getattr(getattr(y, "dtype", None), "names", None):
        return y
    values = np.asarray(y)
    if values.dtype.kind == "O" and isinstance(values.flat[0], str | dict):
        type_of_target(values, raise_unknown=True)
    values = values.real.astype(float)
    if values.ndim != 1 or not np.isfinite(values).all():
        raise ValueError("y must be a 1d array of finite numbers; Input contains NaN, infinity or more.")
    return survival_target(np.ones(len(values), bool), values - values.min())


class Adapted(SNeLSurvival):
    """Take any numbers for times, all of them observed: the battery knows no censored targets."""

    def _validate(self, X, y):
        return super()._validate(X, as_observed(y))

    def score(self, X, y, sample_weight=None, strata=None):
        return super().score(X, as_observed(y), sample_weight, strata)


SHORT = {"n_restarts": 2, "steps": 6, "refine": False}


@pytest.mark.slow
@parametrize_with_checks([Adapted(**SHORT)])
def test_estimator_check(estimator, check):
    """Every check passes; none is expected to fail."""
    check(estimator)


def test_the_battery_is_whole():
    """It holds the checks of selectors and sample weights."""
    names = [check.func.__name__ for _, check in estimator_checks_generator(Adapted(**SHORT))]
    assert len(names) >= 50
    assert {
        "check_sample_weight_equivalence_on_dense_data",
        "check_transformer_general",
        "check_readonly_memmap_input",
        "check_n_features_in_after_fitting",
    } <= set(names)


def test_covariates_are_part_of_the_risk(sample, quick):
    """They are not selected, and the baseline is that of the risks with them."""
    X, y, relevant = sample
    adjusted = SNeLSurvival(**quick | ONE_ROUND, covariates=[int(relevant[0])]).fit(X, y)
    assert not adjusted.support_[relevant[0]]
    moved = X.copy()
    moved[:, relevant[0]] += 1
    assert np.abs(adjusted.predict(moved) - adjusted.predict(X)).max() > 0.1
    assert np.isfinite(adjusted.predict_survival_function(X)).all()
