"""SNeLSurvival with strata: each has a baseline of its own, and rows are compared within it alone."""

import copy
import pickle

import numpy as np
import pytest
import sklearn
from sklearn.model_selection import KFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from snelfs import SNeLSurvival, interaction_strength, survival_target, tune
from snelfs.data.concordance import concordance
from snelfs.data.partial_likelihood import PartialLikelihood
from snelfs.datasets import make_survival
from snelfs.search.association import beyond_doubt
from snelfs.selection.model_file import load_model, save_model

pytestmark = pytest.mark.filterwarnings("default::sklearn.exceptions.ConvergenceWarning")

# One shape for all, so that the engine compiles once.
N_ROWS, N_COLUMNS = 120, 20
ONE_ROUND = {"refine": False, "combine": "mean", "steps": 6}
CENTRES = np.array(["north", "south", "south"])[np.arange(N_ROWS) % 3]
SLOWER = np.where(CENTRES == "north", 40.0, 1.0)


@pytest.fixture(scope="module")
def sample():
    """Times that last forty times as long in one of two centres."""
    X, y, relevant = make_survival(N_ROWS, N_COLUMNS, censored=0.3, random_state=96_100)
    return X, survival_target(y["event"], y["time"] * SLOWER, CENTRES), relevant


@pytest.fixture(scope="module")
def model(sample, quick):
    X, y, _ = sample
    return SNeLSurvival(**quick | ONE_ROUND).fit(X, y)


def test_the_scale_of_time_in_a_stratum_means_nothing(sample, model, quick):
    """Nor what strata are called, nor whether they are given with the target or apart from it."""
    X, y, relevant = sample
    assert len(set(relevant) & set(model.get_support(indices=True))) >= 4
    even = y["event"], y["time"] / SLOWER
    other = SNeLSurvival(**quick | ONE_ROUND).fit(X, even, strata=np.where(CENTRES == "north", 2, 1))
    np.testing.assert_array_equal(other.saliencies_, model.saliencies_)
    np.testing.assert_allclose(other.predict(X), model.predict(X), atol=1e-6)
    assert other.strata_.tolist() == ["1", "2"]
    assert model.strata_.tolist() == ["north", "south"]


def test_each_stratum_has_a_baseline_of_its_own(sample, model):
    """Breslow's of its rows: the events expected until their times are those observed, in every stratum."""
    X, y, _ = sample
    risks = model.predict(X)
    assert model.baseline_cumulative_hazard_.shape == (2, len(model.unique_times_))
    hazards = model.predict_cumulative_hazard_function(X, strata=CENTRES)
    own_times = np.searchsorted(model.unique_times_, y["time"])
    expected = hazards[np.arange(N_ROWS), own_times]
    for place, name in enumerate(model.strata_):
        own = name == CENTRES
        assert expected[own].sum() == pytest.approx(y["event"][own].sum(), rel=1e-6)
        alone = PartialLikelihood(y["event"][own], y["time"][own]).baseline(risks[own])
        known = np.isin(model.unique_times_, alone.times)
        np.testing.assert_allclose(model.baseline_cumulative_hazard_[place, known], alone.cumulative)
    lasting = model.predict_survival_function(X, [5.0], strata="north")
    assert (lasting > model.predict_survival_function(X, [5.0], strata="south")).all()


def test_survival_functions_need_a_known_stratum(sample, model):
    """A sentence says which are known, or that there are none."""
    X, _, _ = sample
    with pytest.raises(ValueError, match="strata must name one for every row; the model has 2"):
        model.predict_survival_function(X)
    with pytest.raises(ValueError, match="strata has 'west', of which no row was fitted; known are 'north'"):
        model.predict_survival_function(X, strata=np.where(CENTRES == "north", "west", CENTRES))
    with pytest.raises(ValueError, match=r"strata must hold one value for each of the 120 rows"):
        model.predict_survival_function(X, strata=CENTRES[:3])
    plain = copy.copy(model)
    plain.strata_ = None  # as a fit without strata leaves it
    with pytest.raises(ValueError, match="strata were not known to fit: leave them out; the model has 0"):
        plain.predict_survival_function(X, strata=CENTRES)


def test_the_score_compares_within_strata(sample, model):
    """Whether they are in the target or apart from it; without them it is refused."""
    X, y, _ = sample
    codes = (CENTRES == "south").astype(int)
    within = concordance(y["event"], y["time"], model.predict(X), strata=codes)
    assert model.score(X, y) == pytest.approx(within)
    assert model.score(X, (y["event"], y["time"]), strata=CENTRES) == pytest.approx(within)
    with pytest.raises(ValueError, match="strata must name one for every row"):
        model.score(X, (y["event"], y["time"]))


def test_a_weight_of_two_is_the_row_twice_within_strata(sample, quick):
    """To the last bit of the layer, as without strata."""
    X, y, _ = sample
    weights = 1 + np.arange(N_ROWS) % 2
    repeated = np.repeat(np.arange(N_ROWS), weights)
    weighted = SNeLSurvival(**quick | ONE_ROUND).fit(X, y, sample_weight=weights)
    twice = SNeLSurvival(**quick | ONE_ROUND).fit(X[repeated], y[repeated])
    np.testing.assert_array_equal(weighted.saliencies_, twice.saliencies_)
    np.testing.assert_allclose(weighted.predict(X), twice.predict(X), atol=1e-6)


def test_pipelines_route_strata_to_fit_and_score(sample, model, quick):
    """Or they go with the target, and nothing is to be routed."""
    X, y, _ = sample
    plain = survival_target(y["event"], y["time"])
    with sklearn.config_context(enable_metadata_routing=True):
        selector = SNeLSurvival(**quick | ONE_ROUND)
        selector.set_fit_request(strata=True).set_score_request(strata=True)
        pipeline = make_pipeline(StandardScaler(), selector).fit(X, plain, strata=CENTRES)
        assert pipeline.score(X, plain, strata=CENTRES) == pytest.approx(model.score(X, y), abs=0.02)
    assert pipeline[-1].strata_.tolist() == ["north", "south"]


@pytest.mark.slow
def test_strata_go_through_folds_with_the_target_or_are_routed(sample, quick):
    """Both ways give the same scores."""
    X, y, _ = sample
    folds = KFold(2, shuffle=True, random_state=0)
    selector = SNeLSurvival(**quick | ONE_ROUND)
    with_target = cross_val_score(selector, X, y, cv=folds)
    plain = survival_target(y["event"], y["time"])
    with sklearn.config_context(enable_metadata_routing=True):
        selector.set_fit_request(strata=True).set_score_request(strata=True)
        routed = cross_val_score(selector, X, plain, cv=folds, params={"strata": CENTRES})
    np.testing.assert_allclose(routed, with_target, atol=1e-6)


def test_models_with_strata_are_kept_whole(sample, model, tmp_path):
    """In pickles and in model files."""
    pytest.importorskip("skops.io")
    X, _, _ = sample
    expected = model.predict_survival_function(X, [5.0], strata=CENTRES)
    saved = load_model(save_model(model, tmp_path / "model.skops"))
    for again in (saved, pickle.loads(pickle.dumps(model))):
        np.testing.assert_array_equal(again.predict_survival_function(X, [5.0], strata=CENTRES), expected)


def test_what_tells_strata_apart_is_no_evidence_within_them():
    """A column that is the centre tells of times that differ by centre, and of nothing within."""
    generator = np.random.default_rng(0)
    X = generator.standard_normal((N_ROWS, 30))
    X[:, 4] = (CENTRES == "north") + 0.1 * generator.standard_normal(N_ROWS)
    time = generator.exponential(size=N_ROWS) * SLOWER * np.exp(-1.5 * X[:, 9])
    across, within = (
        interaction_strength(X, y)
        for y in (
            survival_target(np.ones(N_ROWS, bool), time),
            survival_target(np.ones(N_ROWS, bool), time, CENTRES),
        )
    )
    assert across.linear[4] > 3
    assert within.linear[4] < 1
    assert beyond_doubt(within)[:1] == [9]


@pytest.mark.slow
def test_shuffles_auto_tuning_batches_and_pairs_know_strata(sample, quick):
    """q-values, the curve of c-indices, losses that can be compared, and strata of two rows each."""
    X, y, relevant = sample
    short = quick | ONE_ROUND | {"init": "moments"}
    doubted = SNeLSurvival(**short, n_shuffles=4).fit(X, y)
    assert doubted.q_values_[relevant].min() <= 0.2
    automatic = SNeLSurvival(**short | {"n_features_to_select": "auto"}).fit(X, y)
    assert 0.6 < automatic.n_features_curve_.mean.max() <= 1
    plain = survival_target(y["event"], y["time"])
    found = tune(SNeLSurvival(**short), X, plain, [{"alpha_l1": 0.001}, {"alpha_l1": 1.0}], strata=CENTRES)
    assert found.best_params == {"alpha_l1": 0.001}
    for more in ({"batch_size": 48}, {"ties": "efron"}, {"refine": True, "steps": 9}):
        batched = SNeLSurvival(**short | more).fit(X, y)
        assert len(set(relevant) & set(batched.get_support(indices=True))) >= 3
    pairs = survival_target(y["event"], y["time"] / SLOWER, np.arange(N_ROWS) // 2)
    paired = SNeLSurvival(**short).fit(X, pairs)
    assert np.isfinite(paired.score(X, pairs))
    assert (paired.history_.validation_loss != paired.history_.train_loss).any(), "rows were held out"
