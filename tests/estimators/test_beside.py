"""Covariates and kept columns through both estimators, "auto", q-values, tuning, frames and files."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from snelfs import SNeLClassifier, SNeLRegressor, tune
from snelfs.engine import network
from snelfs.evaluation import cross_validation, evaluate, judges
from snelfs.selection.application import predictions, read_selected
from snelfs.selection.model_file import load_model, save_model

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@pytest.fixture(scope="module")
def confounded():
    """60 rows of 20 columns: 0 is the batch, 1 to 8 follow it, and the target is made of 0, 11 and 17."""
    generator = np.random.default_rng(3)
    X = generator.standard_normal((60, 20))
    X[:, 0] = np.arange(60) % 2
    X[:, 1:9] = 2 * X[:, [0]] + 0.5 * X[:, 1:9]
    return X, 4 * X[:, 0] + X[:, 11] + X[:, 17]


@pytest.mark.parametrize("kind", [SNeLClassifier, SNeLRegressor])
def test_covariates_take_what_is_theirs(kind, confounded, quick):
    """What only follows the batch is not among the first; without it said, it is."""
    X, y = confounded
    y = y if kind is SNeLRegressor else (y > np.median(y)).astype(int)
    adjusted = kind(**quick, covariates=[0]).fit(X, y)
    assert not adjusted.support_[0]
    assert adjusted.ranking_[0] == 20
    assert adjusted.support_.sum() == 5
    if kind is SNeLRegressor:
        assert sorted(adjusted.ranking_[[11, 17]]) == [1, 2]
        assert adjusted.score(X, y) > 0.9  # predictions know the batch
    plain = kind(**quick).fit(X, y)
    assert plain.ranking_[1:9].mean() < adjusted.ranking_[1:9].mean()
    assert adjusted.predict(X).shape == (60,)


def test_kept_columns_are_selected_and_count(table, quick):
    """First in rank, and the layer finds the rest of the target beside them."""
    X, y = table
    selector = SNeLRegressor(**quick, keep=[2, 4]).fit(X, y)
    assert sorted(selector.ranking_[[2, 4]]) == [1, 2]
    assert selector.support_.sum() == 5
    assert selector.support_[[2, 4, 11, 17]].all()
    assert selector.feature_importances_[2] == selector.selection_frequency_[2] == 1
    assert not selector.layer_weights_[..., [2, 4]].any()
    assert selector.score(X, y) > 0.9


def test_frames_name_covariates_and_have_categories(confounded, quick, tmp_path):
    """Text is coded inside, a category never seen is none of the known ones, and a file holds it all."""
    X, y = confounded
    frame = pd.DataFrame(X, columns=[f"g{place}" for place in range(20)])
    frame["g0"] = np.where(X[:, 0] > 0, "Basel", "Aarau")
    frame["g1"] = pd.Categorical(np.arange(60) % 3)
    before = frame.copy()
    selector = SNeLRegressor(**quick, covariates=["g0", "g1"], keep="g11").fit(frame, y)
    pd.testing.assert_frame_equal(frame, before)
    assert selector.support_[[11, 17]].all()
    assert not selector.support_[[0, 1]].any()
    again = load_model(save_model(selector, tmp_path / "model.skops"))
    np.testing.assert_array_equal(again.predict(frame), selector.predict(frame))
    _must_predict_from_a_file(again, frame, tmp_path / "new.csv")
    with pytest.warns(UserWarning, match="such as Chur"):
        strange = selector.predict(frame.assign(g0="Chur"))
    assert np.isfinite(strange).all()
    assert not np.allclose(strange, selector.predict(frame))
    assert selector.transform(frame).shape == (60, 5)


def _must_predict_from_a_file(selector, frame, path):
    """The columns of a file are coded as those of the frame; a category never seen is told of."""
    frame.to_csv(path, index=False)
    told = predictions(selector, read_selected(selector, path))
    np.testing.assert_allclose(told.y, selector.predict(frame), rtol=1e-6)
    assert not any("none of the categories" in note for note in told.notes)
    frame.assign(g0=["Chur", *frame["g0"][1:]]).to_csv(path, index=False)
    notes = read_selected(selector, path).notes
    assert any("'g0' has 1 row of none of the categories that the model knows" in note for note in notes)


def test_auto_tune_and_shuffles_know_what_is_beside(confounded, quick):
    """The number counts kept columns; shuffles stay within batches."""
    X, y = confounded
    settings = quick | {"refine": False, "steps": 4, "covariates": [0], "keep": [3]}
    selector = SNeLRegressor(**settings | {"n_features_to_select": "auto", "n_shuffles": 2}).fit(X, y)
    assert selector.support_[3]
    assert selector.n_features_curve_.n_features.min() == 1
    assert selector.q_values_[0] == 1
    assert selector.q_values_.min() >= 1 / 3
    found = tune(SNeLRegressor(**settings), X, y, [{"alpha_l1": 0.001}, {"alpha_l1": 1.0}])
    assert np.isfinite(found.mean_loss).any() or np.isinf(found.mean_loss).all()


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"keep": [1], "covariates": [1]}, "keep names 'x1', and so does covariates: choose one"),
        ({"keep": range(20)}, "keep leaves none of the 20 columns"),
        ({"keep": range(5)}, r"keep names 5 of 5 column\(s\) to select"),
        ({"covariates": ["age"]}, "covariates names 'age', but X has no names"),
        ({"covariates": [20]}, "positions from 0 to 19"),
        ({"covariates": range(16)}, r"n_features_to_select=5 is more than X has: 4 feature\(s\)"),
    ],
)
def test_bad_columns_are_one_sentence(table, quick, settings, said):
    """With the argument, the value and what is accepted."""
    with pytest.raises(ValueError, match=said):
        SNeLRegressor(**quick, **settings).fit(*table)


def test_inputs_beside_the_layer_go_unpenalised():
    """By hand: the last inputs' weights have no part in the decay, and enter behind the outputs."""
    kernel = np.ones((1, 3, 2), np.float32)
    layers = [network.Dense(kernel, np.zeros((1, 2), np.float32))]
    assert network.weight_decay(layers, 1.0, 0.5).tolist() == [9.0]
    assert network.weight_decay(layers, 1.0, 0.5, 1).tolist() == [6.0]
    A, beside = np.zeros((2, 1, 4)), np.arange(8.0).reshape(4, 2)
    wide = np.asarray(network.with_inputs(A, beside))
    assert wide.shape == (2, 3, 4)
    assert wide[1, 1:].tolist() == beside.T.tolist()
    assert network.with_inputs(A, None) is A


def test_an_evaluation_gives_covariates_to_every_model(confounded, monkeypatch):
    """No rival is offered them, ours is told of them, and the models have them beside what was chosen."""
    X, y = confounded
    monkeypatch.setattr(judges, "REGRESSION_TREES", 5)
    offered, judged = {}, []

    def choose_first(method, X, *_, n_features, settings, **__):
        offered[method] = (X.shape[1], settings.get("covariates"))
        return np.arange(1, 1 + n_features)

    def judge(X, *given):
        judged.append(X.shape[1])
        return judges.judge_numbers(X, *given)

    monkeypatch.setattr(cross_validation, "choose_columns", choose_first)
    monkeypatch.setattr(cross_validation, "judge_numbers", judge)
    found = evaluate(X, y, covariates=[0], n_features=2, methods=["f_score"], folds=2)
    assert offered == {"snel": (20, [0]), "f_score": (19, None)}
    assert judged == [3, 3, 3, 3]
    assert found.selected["f_score"][0] == (2, 3)


def test_a_category_that_fit_has_not_seen_is_spoken_of(table, quick):
    """It counts as the first one, and a warning says so."""
    X, y = table
    frame = pd.DataFrame(X[:, :6], columns=list("abcdef")).assign(sex=np.where(np.arange(60) % 3, "m", "f"))
    selector = SNeLRegressor(**quick, refine=False, covariates=["sex"]).fit(frame, y)
    other = frame.assign(sex="x")
    with pytest.warns(UserWarning, match="'sex' has 60 row.* such as x: they are taken as 'f'"):
        predicted = selector.predict(other)
    np.testing.assert_array_equal(predicted, selector.predict(frame.assign(sex="f")))


def test_a_table_on_disk_is_predicted_from_its_covariates_too(confounded, quick, tmp_path):
    """As the same table in memory."""
    h5py = pytest.importorskip("h5py")
    X, y = confounded
    selector = SNeLRegressor(**quick, refine=False, covariates=[0]).fit(X, y)
    with h5py.File(tmp_path / "rows.h5", "w") as file:
        stored = file.create_dataset("X", data=X)
        np.testing.assert_allclose(selector.predict(stored), selector.predict(X), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(
    ("beside", "n"), [({"covariates": [0]}, 2), ({"keep": [3]}, 4), ({"covariates": [0], "keep": [2, 3]}, 4)]
)
def test_a_sparse_table_is_adjusted_as_a_dense_one(confounded, quick, beside, n):
    """Columns are freed where they are read: the same are found, and predictions agree."""
    X, y = confounded
    beside = beside | {"n_features_to_select": n}  # the last bits choose among what is equally useless
    X = np.where(abs(X) < 0.3, 0, X)
    weights = np.arange(len(y)) % 3 + 1.0
    dense = SNeLRegressor(**quick | beside).fit(X, y, sample_weight=weights)
    thin = SNeLRegressor(**quick | beside).fit(sparse.csr_array(X), y, sample_weight=weights)
    np.testing.assert_array_equal(thin.support_, dense.support_)
    assert np.corrcoef(thin.feature_importances_, dense.feature_importances_)[0, 1] > 0.97
    np.testing.assert_allclose(thin.predict(sparse.csr_array(X)), dense.predict(X), rtol=1e-2, atol=5e-2)


def test_a_table_on_disk_is_fitted_with_its_covariates(confounded, quick, tmp_path):
    """And shuffled within the categories of these."""
    h5py = pytest.importorskip("h5py")
    X, y = confounded
    dense = SNeLRegressor(**quick, refine=False, covariates=[0]).fit(X, y)
    with h5py.File(tmp_path / "rows.h5", "w") as file:
        stored = file.create_dataset("X", data=X)
        selector = SNeLRegressor(**quick, refine=False, covariates=[0], n_shuffles=6).fit(stored, y)
    np.testing.assert_array_equal(selector.support_, dense.support_)
    assert selector.q_values_.min() < 1


def test_bad_covariates_of_a_sparse_table_are_one_sentence(confounded, quick):
    """As of a dense one."""
    X, y = confounded
    X = np.c_[X, np.ones(len(X)), y]
    for place, said in ((X.shape[1] - 2, "which is constant"), (X.shape[1] - 1, "which says the same")):
        with pytest.raises(ValueError, match=f"covariates names 'x{place}', {said}"):
            SNeLRegressor(**quick, covariates=[place]).fit(sparse.csr_array(X), y)
