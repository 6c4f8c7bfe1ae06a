"""Losses by name and of the caller's own, as scikit-learn users meet them."""

import pickle
import re
from pathlib import Path

import jax.numpy as jnp
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.metrics import d2_pinball_score, d2_tweedie_score

from snelfs import Loss, SNeLClassifier, SNeLRegressor
from snelfs.engine.training import _compiled_chunk
from snelfs.selection.model_file import load_model, save_model

pytestmark = pytest.mark.filterwarnings("default::sklearn.exceptions.ConvergenceWarning")

FEW = {"n_features_to_select": 5, "n_restarts": 4, "steps": 6, "refine": False, "random_state": 0}
RELEVANT = [4, 11, 17]


def squared(outputs, y, _):
    """Return the loss that is the usual one."""
    return (outputs - y) ** 2


def location_and_scale(outputs, y, _):
    """Return minus the logarithm of a normal density, but for a constant."""
    return outputs[:, 1] + 0.5 * ((y - outputs[:, 0]) * jnp.exp(-outputs[:, 1])) ** 2


def focal(outputs, y, _):
    """Return the logistic loss of rows that are told right turned down."""
    log_right = -jnp.logaddexp(0.0, jnp.where(y > 0, -outputs, outputs))
    return -((1 - jnp.exp(log_right)) ** 2) * log_right


@pytest.fixture(scope="module")
def targets(table):
    """The sum of three columns with noise, as a number, as counts and as ordered classes."""
    X, total = table
    generator = np.random.default_rng(1)
    number = 40 + 3 * (total + 0.3 * generator.standard_normal(len(total)))
    return X, number, generator.poisson(np.exp(0.5 + 0.5 * total)), np.digitize(total, [-1.5, 0.0, 1.5])


@pytest.fixture(scope="module")
def models(targets):
    X, number, counts, ordered = targets
    asked = {"quantile:0.9": number, "huber": number, "poisson": counts, squared: number}
    found = {loss: SNeLRegressor(**FEW, loss=loss).fit(X, y) for loss, y in asked.items()}
    return found | {"ordinal": SNeLClassifier(**FEW, loss="ordinal").fit(X, ordered)}


@pytest.mark.parametrize("loss", ["quantile:0.9", "huber", "poisson", squared, "ordinal"])
def test_the_relevant_columns_are_found_by_any_loss(models, loss):
    """Losses are in their own units in the history, and below that of the best constant."""
    model = models[loss]
    assert model.support_[RELEVANT].all()
    best = np.nanmin(model.history_.validation_loss)
    assert 0 < best < model._null_loss
    np.testing.assert_allclose(model.history_.score, -model.history_.validation_loss, rtol=1e-5)


def test_predictions_are_what_the_loss_means(models, targets):
    """The quantile is above as many rows, counts have their mean, and both scores are scikit-learn's D²."""
    X, number, counts, _ = targets
    quantile, poisson = models["quantile:0.9"], models["poisson"]
    assert np.mean(number <= quantile.predict(X)) == pytest.approx(0.9, abs=0.02)
    assert quantile.score(X, number) == pytest.approx(
        d2_pinball_score(number, quantile.predict(X), alpha=0.9), abs=1e-3
    )
    assert poisson.predict(X).mean() == pytest.approx(counts.mean(), rel=1e-3)
    assert (poisson.predict(X) > 0).all()
    assert poisson.score(X, counts) == pytest.approx(
        d2_tweedie_score(counts, poisson.predict(X), power=1), abs=1e-3
    )
    assert models[squared].score(X, number) == pytest.approx(
        1 - np.mean((number - models[squared].predict(X)) ** 2) / number.var(), abs=1e-3
    )


def test_squared_error_as_a_function_ranks_as_the_usual_one(models, targets):
    """Its units are found, not told."""
    X, number, _, _ = targets
    usual = SNeLRegressor(**FEW).fit(X, number)
    for model in (usual, models[squared]):  # what is beside the relevant columns is chance
        assert sorted(np.argsort(model.ranking_)[:3]) == RELEVANT
    assert np.corrcoef(usual.feature_importances_, models[squared].feature_importances_)[0, 1] > 0.99
    named = SNeLRegressor(**FEW, loss="squared_error").fit(X, number)
    assert np.array_equal(usual.layer_weights_, named.layer_weights_)


def test_ordered_classes_have_probabilities_and_the_likeliest_is_predicted(models, targets):
    X, _, _, ordered = targets
    likely = models["ordinal"].predict_proba(X)
    assert likely.shape == (60, 4)
    np.testing.assert_allclose(likely.sum(axis=1), 1)
    assert likely.min() >= 0
    assert np.array_equal(models["ordinal"].predict(X), likely.argmax(axis=1))
    assert models["ordinal"].score(X, ordered) > 0.7


def test_a_row_of_weight_two_is_the_row_twice(targets):
    """To the last bit, as with any loss."""
    X, number, _, _ = targets
    weights = np.repeat([2, 1], 30)
    one = SNeLRegressor(**FEW, loss="quantile:0.9").fit(X, number, sample_weight=weights)
    rows = np.repeat(np.arange(60), weights)
    two = SNeLRegressor(**FEW, loss="quantile:0.9").fit(X[rows], number[rows])
    assert np.array_equal(one.layer_weights_, two.layer_weights_)
    assert np.array_equal(one.predict(X), two.predict(X))
    assert one.score(X, number, weights) == pytest.approx(one.score(X[rows], number[rows]), rel=1e-4)


def test_a_function_of_two_outputs_predicts_both_or_what_it_says(targets):
    """The whole search runs with it, two rounds and all; clones share the program."""
    X, number, _, _ = targets
    both = SNeLRegressor(**FEW | {"refine": True}, loss=Loss(location_and_scale, 2)).fit(X, number)
    assert both.support_[RELEVANT].all()
    assert both.predict(X).shape == (60, 2)
    n_programs = _compiled_chunk()._cache_size()
    copy = clone(both)
    assert copy.get_params() == both.get_params()
    assert np.array_equal(copy.fit(X, number).predict(X), both.predict(X))
    assert _compiled_chunk()._cache_size() == n_programs
    again = pickle.loads(pickle.dumps(both))
    assert np.array_equal(again.predict(X), both.predict(X))
    upper = Loss(location_and_scale, 2, predict=lambda outputs: outputs[:, 0] + jnp.exp(outputs[:, 1]))
    assert copy.set_params(loss=upper).predict(X).shape == (60,)


def test_a_function_of_classes_predicts_probabilities(targets):
    """One output tells two classes apart without more words."""
    X, number, _, _ = targets
    y = np.where(number > 40, "high", "low")
    model = SNeLClassifier(**FEW, loss=focal, class_weight="balanced").fit(X, y)
    assert model.score(X, y) > 0.8
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)


def test_models_by_name_are_saved_and_a_function_is_not(models, targets, tmp_path):
    """A file holds data alone."""
    X = targets[0]
    for loss in ("quantile:0.9", "ordinal"):
        again = load_model(save_model(models[loss], tmp_path / "model.skops"))
        assert again.loss == loss
        assert np.array_equal(again.predict(X), models[loss].predict(X))
    with pytest.raises(ValueError, match="A model whose loss is a function is not saved: a function is code"):
        save_model(models[squared], tmp_path / "function.skops")


@pytest.mark.parametrize(
    ("kind", "settings", "said"),
    [
        (
            SNeLRegressor,
            {"loss": "quantil"},
            "loss must be None, 'squared_error', 'quantile' or 'quantile:0.5'",
        ),
        (SNeLRegressor, {"loss": "ordinal"}, "snelfs.Loss, got 'ordinal'"),
        (SNeLRegressor, {"loss": 3}, "a function .* or snelfs.Loss, got 3"),
        (
            SNeLRegressor,
            {"loss": "quantile:1"},
            "loss 'quantile' takes a number between 0 and 1, got 'quantile:1'",
        ),
        (SNeLRegressor, {"loss": "quantile:"}, "between 0 and 1, got 'quantile:'"),
        (SNeLRegressor, {"loss": "huber:-1"}, "loss 'huber' takes a number above 0, got 'huber:-1'"),
        (SNeLRegressor, {"loss": "poisson:2"}, "loss 'poisson' takes no number, got 'poisson:2'"),
        (SNeLRegressor, {"loss": "poisson"}, "loss 'poisson' takes y of at least 0, got -"),
        (SNeLRegressor, {"loss": "huber", "scoring": "r2"}, "scoring must be 'loss', got 'r2'"),
        (SNeLRegressor, {"loss": Loss(squared, 0)}, "n_outputs as an integer of at least 1, got 0"),
        (
            SNeLRegressor,
            {"loss": Loss(squared, 2, 2)},
            "n_shared as an integer of at least 0 and below its 2",
        ),
        (
            SNeLRegressor,
            {"loss": Loss(squared, predict=np.sum)},
            r"must predict one prediction a row .* \(\)",
        ),
        (SNeLClassifier, {"loss": "poisson"}, "loss must be None, 'log_loss', 'ordinal', a function"),
        (
            SNeLClassifier,
            {"loss": Loss(squared, 2)},
            r"of 2 output\(s\) needs Loss\(predict=\), which makes 3",
        ),
        (SNeLClassifier, {"loss": "ordinal", "scoring": "f1"}, "scoring must be 'loss', got 'f1'"),
    ],
)
def test_a_loss_that_cannot_be_is_refused_in_a_sentence(table, kind, settings, said):
    X, y = table
    target = y if kind is SNeLRegressor else np.arange(60) % 3
    with pytest.raises(ValueError, match=said):
        kind(**FEW, **settings).fit(X, target)


def test_targets_that_no_loss_takes_are_refused(table):
    """Several numbers or labels a row, and text that has no order."""
    X, y = table
    with pytest.raises(ValueError, match=r"loss is of one target, got y of the shape \(60, 2\)"):
        SNeLRegressor(**FEW, loss="huber").fit(X, np.column_stack([y, y]))
    with pytest.raises(ValueError, match="loss is of one target"):
        SNeLClassifier(**FEW, loss="ordinal").fit(X, np.column_stack([y > 0, X[:, 0] > 0]).astype(int))
    with pytest.raises(
        ValueError, match="loss 'ordinal' takes classes that are numbers in their order, got '"
    ):
        SNeLClassifier(**FEW, loss="ordinal").fit(X, np.where(y > 0, "much", "little"))


@pytest.mark.slow
def test_the_program_of_the_page_finds_both_columns():
    """The one that moves the mean, and the one that moves the deviation."""
    page = Path(__file__).parents[2] / "docs" / "losses.md"
    (program,) = re.findall(
        r"<!-- program: losses -->\n```python\n(.*?)```", page.read_text("utf-8"), re.DOTALL
    )
    names = {}
    exec(compile(program, page.name, "exec"), names)
    assert names["selector"].get_support(indices=True).tolist() == [3, 7]


@pytest.mark.slow
def test_columns_that_move_the_upper_quantile_are_found_by_its_loss():
    """Squared error finds those that move the mean, and hardly any of the others."""
    from snelfs.bench.losses import draw_tails

    found = {"quantile:0.9": 0, None: 0}
    for seed in (99_010, 99_011):
        sample = draw_tails(seed)
        for loss in found:
            support = SNeLRegressor(10, loss=loss, random_state=0).fit(sample.X, sample.y).support_
            assert support[sample.shifting].all()
            found[loss] += support[sample.stretching].sum()
    assert found["quantile:0.9"] >= 2
    assert found[None] <= 1
    assert found["quantile:0.9"] > found[None]


@pytest.mark.slow
def test_the_number_of_features_and_q_values_go_by_the_loss(targets):
    """Held-out rows score the share of the loss that is saved, and shuffles keep the loss."""
    X, number, _, _ = targets
    settings = FEW | {"n_features_to_select": "auto", "n_shuffles": 2, "loss": "quantile:0.5"}
    model = SNeLRegressor(**settings).fit(X, number)
    assert 1 <= model.n_features_curve_.chosen <= 20
    assert 0 < model.n_features_curve_.mean.max() <= 1
    assert model.q_values_.shape == (20,)


def test_a_target_of_one_column_is_predicted_on_its_scale(targets):
    """As a column."""
    X, number, *_ = targets
    column = SNeLRegressor(**FEW, loss="quantile:0.9").fit(X, number[:, None])
    flat = SNeLRegressor(**FEW, loss="quantile:0.9").fit(X, number)
    np.testing.assert_array_equal(column.predict(X)[:, 0], flat.predict(X))
