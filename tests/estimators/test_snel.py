"""SNeLClassifier and SNeLRegressor as scikit-learn users meet them."""

import inspect
import pickle
import subprocess
import sys
from dataclasses import replace
from types import SimpleNamespace

import anndata
import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

from snelfs import SNeLClassifier, SNeLRegressor
from snelfs.estimators import base, complaints

RELEVANT = [4, 11, 17]


@pytest.fixture(scope="module")
def quick(quick):
    """One round and the mean of its restarts: what a user meets is the same, and it is there sooner."""
    return quick | {"refine": False, "combine": "mean"}


@pytest.fixture(scope="module")
def classifier(table, quick):
    X, y = table
    return SNeLClassifier(**quick).fit(X, y > 0)


@pytest.fixture(scope="module")
def regressor(table, quick):
    return SNeLRegressor(**quick).fit(*table)


# -- what a fit leaves behind -----------------------------------------------------------------------


@pytest.mark.parametrize("name", ["classifier", "regressor"])
def test_fitted_attributes_have_their_shapes(name, request):
    """Everything promised is there, per restart where it says so."""
    model = request.getfixturevalue(name)
    assert model.support_.sum() == 5
    assert sorted(model.ranking_) == list(range(1, 21))
    assert set(np.flatnonzero(model.ranking_ <= 5)) == set(np.flatnonzero(model.support_))
    assert model.saliencies_.shape == (4, 20)
    np.testing.assert_allclose(model.feature_importances_, model.saliencies_.mean(axis=0))
    assert model.layer_weights_.shape == (4, 5, 20)
    assert model.best_epoch_.shape == (4,)
    assert model.n_features_in_ == 20
    history = model.history_
    assert history.n_epochs == 20 * 40
    for field in ("train_loss", "validation_loss", "sum_penalty", "variance_penalty", "score", "admitted"):
        assert getattr(history, field).shape == (4, history.n_epochs)
    assert (
        history.lambda_s.shape == history.lambda_a.shape == history.learning_rate.shape == (history.n_epochs,)
    )


def test_the_relevant_columns_are_found_and_predict(table, regressor, classifier):
    """Columns that make up the target are selected, and the refitted network predicts from them."""
    X, y = table
    assert set(RELEVANT) <= set(regressor.get_support(indices=True))
    assert regressor.score(X, y) > 0.9
    assert classifier.score(X, y > 0) > 0.8


def test_predictions_use_the_selected_columns_only(table, regressor):
    """Noise in the columns left out changes no prediction."""
    X, _ = table
    spoiled = np.where(regressor.support_, X, 1e6)
    np.testing.assert_array_equal(regressor.predict(X), regressor.predict(spoiled))


def test_probabilities_are_probabilities(table, classifier):
    """They sum to one and their largest is the prediction."""
    X, _ = table
    probabilities = classifier.predict_proba(X)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    np.testing.assert_array_equal(classifier.classes_[probabilities.argmax(axis=1)], classifier.predict(X))


def test_ranked_features_is_one_table_best_first(classifier):
    """Names, scores, ranks and the selection in one array that pandas takes as it is."""
    table = classifier.ranked_features()
    assert table.dtype.names == ("name", "score", "rank", "selected")
    assert table["rank"].tolist() == list(range(1, 21))
    assert (np.diff(table["score"]) <= 0).all()
    assert table["selected"].tolist() == [True] * 5 + [False] * 15
    frame = pd.DataFrame(table)
    assert frame.loc[0, "name"] == f"x{classifier.feature_importances_.argmax()}"


def test_asking_before_fitting_says_so(quick):
    """An unfitted selector has no ranking."""
    with pytest.raises(NotFittedError):
        SNeLClassifier(**quick).ranked_features()


# -- labels, names, frames --------------------------------------------------------------------------


@pytest.mark.parametrize("labels", [["no", "yes"], [7, 3], [False, True]])
def test_any_two_labels_give_the_same_selection(table, quick, classifier, labels):
    """Strings, integers and booleans come back from predict as they went in."""
    X, y = table
    y = np.array(labels)[(y > 0).astype(int)]
    model = SNeLClassifier(**quick).fit(X, y)
    assert set(model.predict(X)) == set(labels)
    if sorted(labels) == labels:  # the same codes, so the same training
        np.testing.assert_array_equal(model.ranking_, classifier.ranking_)


def test_more_than_two_classes(table, quick):
    """A softmax head tells three classes apart."""
    X, y = table
    y = np.array(["low", "mid", "high"])[np.digitize(y, [-1, 1])]
    model = SNeLClassifier(**quick).fit(X, y)
    assert model.classes_.tolist() == ["high", "low", "mid"]
    assert model.predict_proba(X).shape == (60, 3)
    assert model.score(X, y) > 0.7


def test_several_targets(table, quick):
    """Regression on two targets at once returns two columns."""
    X, y = table
    targets = np.column_stack([y, X[:, 4]])
    model = SNeLRegressor(**quick).fit(X, targets)
    assert model.predict(X).shape == (60, 2)
    assert model.score(X, targets) > 0.8


def test_a_class_of_one_row_does_not_crash(table, quick):
    """A rare class stays on the training side."""
    X, y = table
    labels = np.where(np.arange(60) == 7, "rare", np.where(y > 0, "b", "a"))
    assert "rare" in SNeLClassifier(**quick).fit(X, labels).classes_


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frames_in_names_out(table, quick, classifier, library):
    """Column names go through the selection, the table and the transform."""
    X, y = table
    names = [f"gene {i}" for i in range(20)]
    frame = pd.DataFrame(X, columns=names) if library == "pandas" else pl.DataFrame(X, schema=names)
    model = SNeLClassifier(**quick).set_output(transform=library).fit(frame, y > 0)
    selected = [f"gene {i}" for i in classifier.get_support(indices=True)]
    assert model.get_feature_names_out().tolist() == selected
    assert sorted(model.ranked_features()["name"][:5]) == sorted(selected)
    out = model.transform(frame)
    assert type(out) is type(frame)
    assert list(out.columns) == selected


# -- pipelines, copies, searches --------------------------------------------------------------------


def test_in_a_pipeline_before_another_model(table, quick):
    """It selects for whatever comes behind it."""
    X, y = table
    pipeline = make_pipeline(SNeLClassifier(**quick), LogisticRegression()).fit(X, y > 0)
    assert pipeline.score(X, y > 0) > 0.8
    assert pipeline[-1].n_features_in_ == 5


def test_grid_search_reaches_its_parameters(table, quick):
    """A search over any argument works, in its own score."""
    X, y = table
    search = GridSearchCV(
        SNeLClassifier(**quick), {"saliency": ["max", "sum"], "alpha_l1": [0.0, 0.01]}, cv=2
    )
    search.fit(X, y > 0)
    assert set(search.best_params_) == {"saliency", "alpha_l1"}
    assert search.best_score_ > 0.5


def test_clone_forgets_the_fit_and_keeps_the_arguments(classifier):
    """A clone fits to the same bits."""
    copy = clone(classifier)
    assert copy.get_params() == classifier.get_params()
    assert not hasattr(copy, "support_")


@pytest.mark.parametrize("library", [pickle, joblib])
def test_round_trips(table, classifier, library, tmp_path):
    """A stored model predicts and selects as before."""
    path = tmp_path / "model"
    with path.open("wb") as file:
        library.dump(classifier, file)
    with path.open("rb") as file:
        loaded = library.load(file)
    X, _ = table
    np.testing.assert_array_equal(loaded.predict_proba(X), classifier.predict_proba(X))
    np.testing.assert_array_equal(loaded.transform(X), classifier.transform(X))


# -- invariances ------------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_bits_and_another_one_others(table, quick, classifier):
    """Fits repeat exactly; the seed matters."""
    X, y = table
    again = SNeLClassifier(**quick).fit(X, y > 0)
    np.testing.assert_array_equal(again.layer_weights_, classifier.layer_weights_)
    other = SNeLClassifier(**quick | {"random_state": 1}).fit(X, y > 0)
    assert not np.array_equal(other.layer_weights_, classifier.layer_weights_)


def test_global_random_state_is_not_touched(table, quick):
    """Neither reading nor moving NumPy's global generator, with or without a seed."""
    X, y = table
    before = np.random.get_state()  # noqa: NPY002 (the global state is what is looked at)
    SNeLClassifier(**quick | {"random_state": None}).fit(X, y > 0)
    after = np.random.get_state()  # noqa: NPY002 (the same)
    np.testing.assert_array_equal(before[1], after[1])
    assert before[2] == after[2]


def test_a_weight_of_two_is_a_row_given_twice(table, quick):
    """Weights and repetitions give the same bits; a weight of zero leaves a row out."""
    X, y = table
    counts = np.arange(60) % 3
    weighted = SNeLRegressor(**quick).fit(X, y, sample_weight=counts)
    repeated = SNeLRegressor(**quick).fit(X.repeat(counts, axis=0), y.repeat(counts))
    np.testing.assert_array_equal(weighted.layer_weights_, repeated.layer_weights_)
    np.testing.assert_array_equal(weighted.predict(X), repeated.predict(X))


def test_the_order_of_the_rows_changes_no_bit(table, quick, classifier):
    """Shuffled rows lead to the same model."""
    X, y = table
    order = np.random.default_rng(1).permutation(60)
    shuffled = SNeLClassifier(**quick).fit(X[order], y[order] > 0)
    np.testing.assert_array_equal(shuffled.layer_weights_, classifier.layer_weights_)


@pytest.fixture(scope="module")
def short(quick):
    """So few epochs that rounding has no time to grow."""
    return quick | {"steps": 2, "penalty_limit": 10.0}


def test_permuting_columns_permutes_the_scores(table, short):
    """A column's score does not depend on its place, up to the rounding of another order of sums."""
    X, y = table
    columns = np.random.default_rng(2).permutation(20)
    original, permuted = (SNeLRegressor(**short).fit(data, y) for data in (X, X[:, columns]))
    np.testing.assert_allclose(
        permuted.feature_importances_, original.feature_importances_[columns], atol=1e-4
    )


def test_units_do_not_matter(table, short):
    """Shifting and scaling columns changes no score."""
    X, y = table
    original, rescaled = (SNeLRegressor(**short).fit(data, y) for data in (X, X * np.arange(1, 21) - 3))
    np.testing.assert_allclose(rescaled.feature_importances_, original.feature_importances_, atol=1e-4)


def test_wild_units_do_not_diverge(table, quick):
    """Columns from 1e-12 to 1e12 train like any others."""
    X, y = table
    model = SNeLRegressor(**quick).fit(X * 10.0 ** np.linspace(-12, 12, 20) + 1.0, y)
    assert np.isfinite(model.history_.objective).all()


def test_constant_columns_are_never_selected(table, quick):
    """They rank last with score zero, and fewer features are selected rather than one of them."""
    X, y = table
    X = X.copy()
    X[:, :18] = 3.25
    model = SNeLRegressor(**quick).fit(X, y)
    assert model.get_support(indices=True).tolist() == [18, 19]
    assert not model.feature_importances_[:18].any()
    assert set(model.ranking_[18:]) == {1, 2}
    assert model.layer_weights_.shape == (4, 2, 20)


# -- choices ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("asked", "selected"), [(5, 5), (0.25, 5), (1.0, 20), (None, 6)])
def test_how_many_features(table, quick, asked, selected):
    """A number, a share, or by default 30 or a third of the columns, as on the command line."""
    X, y = table
    model = SNeLRegressor(**quick | {"n_features_to_select": asked}).fit(X, y)
    assert model.support_.sum() == selected


def test_a_threshold_selects_by_importance(table, quick, regressor):
    """All features above it are selected, but no more than asked for."""
    X, y = table
    free = SNeLRegressor(**quick | {"n_features_to_select": 0.25, "threshold": 0.1}).fit(X, y)
    np.testing.assert_array_equal(free.support_, regressor.feature_importances_ > 0.1)
    with pytest.raises(
        ValueError, match=r"threshold=5 leaves no feature: the largest importance is [\d.]+\."
    ):
        SNeLRegressor(**quick | {"threshold": 5.0}).fit(X, y)


def test_both_saliencies_come_from_the_same_layer(table, quick, regressor):
    """The measure changes the scores, not the training; sum-weight is near 1 in all (Lemma 3)."""
    X, y = table
    summed = SNeLRegressor(**quick | {"saliency": "sum"}).fit(X, y)
    np.testing.assert_array_equal(summed.layer_weights_, regressor.layer_weights_)
    assert summed.feature_importances_.sum() == pytest.approx(1, abs=0.5)
    assert not np.allclose(summed.feature_importances_, regressor.feature_importances_)


def test_an_informed_start_is_where_training_begins(table, quick):
    """Shares of zero keep a column out of the start, and all is learned from there."""
    X, y = table
    shares = np.where(np.isin(np.arange(20), RELEVANT), 5.0, 1.0)
    model = SNeLRegressor(**quick | {"init": shares}).fit(X, y)
    assert set(RELEVANT) <= set(model.get_support(indices=True))


def test_mini_batches_find_the_columns_too(table, quick):
    """Gradient steps on a quarter of the rows lead to the same columns."""
    model = SNeLRegressor(**quick | {"batch_size": 12}).fit(*table)
    assert set(RELEVANT) <= set(model.get_support(indices=True))


def test_a_smooth_maximum_finds_the_columns_too(table, quick):
    """The penalties' smooth form is a choice that works."""
    model = SNeLRegressor(**quick | {"smoothing": 0.05}).fit(*table)
    assert set(RELEVANT) <= set(model.get_support(indices=True))


@pytest.mark.parametrize("scoring", ["accuracy", "balanced_accuracy", "f1", "loss"])
def test_every_class_score_chooses_an_epoch(table, quick, scoring):
    """Scores are recorded in their own range."""
    X, y = table
    score = SNeLClassifier(**quick | {"scoring": scoring}).fit(X, y > 0).history_.score
    assert (score <= 0).all() if scoring == "loss" else ((score >= 0) & (score <= 1.0001)).all()


def test_class_weights_move_the_decision(table, quick):
    """A heavy class is predicted more often."""
    X, y = table
    counts = [
        (SNeLClassifier(**quick, class_weight={True: factor}).fit(X, y > 0).predict(X)).sum()
        for factor in (0.01, 100.0)
    ]
    assert counts[0] < counts[1]


def test_verbose_shows_progress_on_standard_error(table, quick, capsys):
    """Progress is a line of its own and nothing goes to standard output."""
    X, y = table
    SNeLClassifier(**quick | {"verbose": 1}).fit(X, y > 0)
    shown = capsys.readouterr()
    assert shown.err.count("\n") == 1
    assert shown.err.startswith("snelfs: done in ")
    assert shown.out == ""


# -- warnings and errors ----------------------------------------------------------------------------


@pytest.mark.parametrize("which", ["first", "last"])
def test_each_round_without_an_admitted_epoch_is_told(table, quick, monkeypatch, which):
    """The deciding one, too, and by its name."""

    def failing(*given):
        found = search(*given)
        each = getattr(found, which)
        history = replace(each.training.history, admitted=np.zeros_like(each.training.history.admitted))
        return replace(found, **{which: replace(each, training=replace(each.training, history=history))})

    search = base.search
    monkeypatch.setattr(base, "search", failing)
    name = {"first": "first", "last": "deciding"}[which]
    with pytest.warns(
        ConvergenceWarning, match=rf"^In the {name} round (\d+) of \1 restart\(s\) had no epoch"
    ):
        SNeLRegressor(**quick).fit(*table)


def test_no_admitted_epoch_is_never_silent(table, quick):
    """The fallback to the least violating epoch warns, with figures, at the caller's line, and selects."""
    X, y = table
    said = r"4 of 4 restart\(s\) had no epoch .* penalty_limit=0\.001"
    with pytest.warns(ConvergenceWarning, match=said) as caught:
        model = SNeLRegressor(**quick | {"penalty_limit": 0.001, "steps": 2}).fit(X, y)
    assert caught[0].filename == __file__
    assert model.support_.sum() == 5


def test_divergence_is_never_silent(table, quick):
    """A rate at which nothing meets the conditions says so, one at which nothing stays finite says why."""
    X, y = table
    with pytest.warns(ConvergenceWarning, match="4 of 4 restart.* had no epoch"):
        SNeLRegressor(**quick | {"learning_rate": 1e18, "optimizer": "sgd", "refine": False}).fit(X, y)
    history = SimpleNamespace(admitted=np.zeros((2, 3), dtype=bool))
    never_finite = SimpleNamespace(history=history, best_epoch=np.array([-1, 1]))
    assert "diverged: a smaller learning_rate" in complaints.fallback(never_finite, 0.3)


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"n_features_to_select": 21}, "n_features_to_select=21 is more than X has: 20 feature"),
        ({"n_features_to_select": 0}, "n_features_to_select must be an integer of at least 1, got 0"),
        ({"n_features_to_select": 1.5}, "n_features_to_select must be .* got 1.5"),
        ({"n_features_to_select": "many"}, "n_features_to_select must be .* got 'many'"),
        ({"threshold": -1}, "threshold must be a finite number of at least 0, got -1"),
        ({"saliency": "mean"}, "saliency must be 'max', 'sum' or 'used', got 'mean'"),
        (
            {"hidden_layer_sizes": (5, 0)},
            "each of hidden_layer_sizes must be an integer of at least 1, got 0",
        ),
        ({"hidden_layer_sizes": "wide"}, "hidden_layer_sizes must be an integer or a sequence .* got 'wide'"),
        ({"lambda_s": (0.2, 0.1)}, r"lambda_s must be a pair .* got \(0.2, 0.1\)"),
        ({"lambda_a": (-1, 1)}, r"lambda_a must be a pair .* got \(-1, 1\)"),
        ({"lambda_a": "large"}, "lambda_a must be .* got 'large'"),
        ({"steps": 0}, "steps must be an integer of at least 1, got 0"),
        ({"steps": (1, 2, 3)}, r"steps must be one integer or a pair .* got \(1, 2, 3\)"),
        ({"cycles_s": 0}, "cycles_s must be an integer of at least 1, got 0"),
        ({"cycles_a": 1.5}, "cycles_a must be an integer of at least 1, got 1.5"),
        ({"epochs_per_stage": 0}, "epochs_per_stage must be an integer of at least 1, got 0"),
        ({"learning_rate": "fast"}, "learning_rate must be 'auto' or a finite number above 0, got 'fast'"),
        ({"learning_rate": 0}, "learning_rate must be a finite number above 0, got 0"),
        ({"optimizer": "adamant"}, "optimizer must be .*'adam'.* got 'adamant'"),
        ({"alpha_l1": -0.1}, "alpha_l1 must be a finite number of at least 0, got -0.1"),
        ({"alpha_l2": np.inf}, "alpha_l2 must be a finite number of at least 0, got inf"),
        ({"batch_size": 0}, "batch_size must be an integer of at least 1, got 0"),
        ({"validation_fraction": 1.0}, "validation_fraction must be a number between 0 and 1.* got 1.0"),
        ({"scoring": "roc"}, "scoring must be 'loss', 'mse' or 'r2', got 'roc'"),
        ({"penalty_limit": 0}, "penalty_limit must be a finite number above 0, got 0"),
        ({"smoothing": -1}, "smoothing must be a finite number of at least 0, got -1"),
        ({"n_restarts": 0}, "n_restarts must be an integer of at least 1, got 0"),
        ({"init": "warm"}, "init must be 'constant'.* got 'warm'"),
        ({"init": [1.0, 2.0]}, "init must be 'constant', 'moments' or 20 non-negative shares"),
        ({"random_state": -1}, "random_state must be .* got -1"),
    ],
    ids=lambda value: "-".join(f"{k}={v}" for k, v in value.items()) if isinstance(value, dict) else "",
)
def test_a_bad_setting_is_named(table, quick, setting, message):
    """One sentence says which value is wrong and what is accepted."""
    with pytest.raises(ValueError, match=message):
        SNeLRegressor(**quick | setting).fit(*table)


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (np.full((10, 4), np.inf), np.arange(10), "infinity"),
        (np.empty((0, 4)), np.empty(0), r"0 sample\(s\)"),
        (np.empty((10, 0)), np.arange(10), r"0 feature\(s\)"),
        (np.ones((1, 4)), np.ones(1), "1 sample"),
        (np.tile(np.arange(4.0), (10, 1)), np.ones(10), "at least 2"),
        (np.ones((10, 6)), np.arange(10), "all 6 feature.* are constant"),
        (np.random.default_rng(0).random((10, 6)), np.ones(10), "y is constant: every value is 1"),
        (np.random.default_rng(0).random((10, 6)), np.arange(9), "inconsistent numbers of samples"),
    ],
    ids=[
        "inf",
        "no rows",
        "no columns",
        "one row",
        "one distinct row",
        "constant X",
        "constant y",
        "lengths",
    ],
)
def test_bad_data_are_named(X, y, message, quick):
    """Data that cannot be learned from are refused in a sentence."""
    with pytest.raises(ValueError, match=message):
        SNeLRegressor(**quick).fit(X, y)


def test_one_class_is_named(table, quick):
    """There is nothing to tell apart."""
    X, _ = table
    with pytest.raises(ValueError, match="only one class, 'a'"):
        SNeLClassifier(**quick).fit(X, ["a"] * 60)


def test_an_unknown_class_score_is_named(table, quick):
    """The regressor's scores are not the classifier's."""
    X, y = table
    with pytest.raises(ValueError, match=r"scoring must be 'accuracy', .* got 'r2'"):
        SNeLClassifier(**quick | {"scoring": "r2"}).fit(X, y > 0)


def test_nothing_heavy_is_imported_along_the_way():
    """A fit needs neither matplotlib nor torch; other tests load them, so a fresh process looks."""
    code = (
        "import sys, numpy as np\n"
        "from snelfs import SNeLRegressor\n"
        "X = np.random.default_rng(0).standard_normal((60, 20))\n"
        "SNeLRegressor(n_features_to_select=5, n_restarts=2, steps=10, random_state=0).fit(X, X[:, 4])\n"
        "print([name for name in ('torch', 'matplotlib') if name in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"


# -- what newcomers pass ----------------------------------------------------------------------------


def test_a_text_column_is_named(table, quick):
    """scikit-learn only says what the text was."""
    frame = pd.DataFrame(table[0], columns=[f"g{i}" for i in range(20)])
    frame["sex"] = ["f", "m"] * 30
    with pytest.raises(ValueError, match="The column 'sex' of X holds text"):
        SNeLRegressor(**quick, categorical=None).fit(frame, table[1])


def test_a_whole_anndata_object_is_refused_with_advice(table, quick):
    """It lies in memory, and holds more than a table."""
    data = anndata.AnnData(table[0])
    with pytest.raises(ValueError, match=r"pass its matrix adata\.X"):
        SNeLRegressor(**quick).fit(data, table[1])


def test_weights_beyond_all_measure_are_refused(table, quick):
    """Their sum would be infinite."""
    with pytest.raises(ValueError, match=r"sample_weight must be at most 1e\+18, got 1e\+308\."):
        SNeLRegressor(**quick).fit(*table, np.full(60, 1e308))


def test_a_threshold_alone_has_a_layer_to_choose_from(table, quick):
    """Of as many neurons as features are selected by default."""
    few = {name: value for name, value in quick.items() if name != "n_features_to_select"}
    model = SNeLRegressor(**few | {"threshold": 0.01, "refine": False}).fit(*table)
    assert model.layer_weights_.shape[1] == 6


def test_signatures_can_be_read():
    """`help` shows names of types, not what they are made of."""
    assert "numpy._typing" not in str(inspect.signature(SNeLClassifier))
    assert str(inspect.signature(SNeLClassifier.fit)).startswith("(self, X: 'ArrayLike', y: 'ArrayLike'")


def test_a_fit_without_shuffles_keeps_no_q_values_of_an_earlier_one(table, quick):
    """What is not asked for again is gone."""
    X, y = table
    selector = SNeLRegressor(**quick | {"refine": False, "n_shuffles": 1}).fit(X, y)
    assert hasattr(selector, "q_values_")
    assert not hasattr(selector.set_params(n_shuffles=0).fit(X, y), "q_values_")
