"""Missing values in fit, predict and transform."""

import numpy as np
import pandas
import pytest
from scipy import sparse
from sklearn.utils import get_tags

from snelfs import SNeLClassifier, SNeLRegressor
from snelfs.data.standardisation import weighted_medians
from snelfs.estimators.interface import needed_columns, predict_selected
from snelfs.evaluation import cross_validation, evaluate, judges
from snelfs.selection.caveats import gap_caveats
from snelfs.selection.model_file import load_model, save_model


@pytest.fixture(scope="module")
def gapped(table):
    """A tenth of the values of the table missing at random."""
    X, y = table[0].copy(), table[1]
    X[np.random.default_rng(1).random(X.shape) < 0.1] = np.nan
    return X, y


@pytest.mark.parametrize("kind", [SNeLClassifier, SNeLRegressor])
def test_a_fit_with_gaps_is_one_with_medians(kind, gapped, quick):
    """The same columns by the same weights; new rows are filled with what the fitted ones said."""
    X, y = gapped
    y = y if kind is SNeLRegressor else (y > 0).astype(int)
    whole = np.where(np.isnan(X), np.nanmedian(X, axis=0), X)
    found, expected = kind(**quick).fit(X, y), kind(**quick).fit(whole, y)
    np.testing.assert_array_equal(found.support_, expected.support_)
    np.testing.assert_allclose(found.layer_weights_, expected.layer_weights_, atol=1e-5)
    np.testing.assert_array_equal(found.predict(X), found.predict(whole))
    empty = np.full((1, 20), np.nan)
    np.testing.assert_array_equal(found.predict(empty), found.predict(np.nanmedian(X, axis=0)[None]))
    np.testing.assert_array_equal(found.transform(X), X[:, found.support_])
    assert get_tags(found).input_tags.allow_nan


def test_new_rows_may_have_gaps_that_the_fitted_ones_had_not(table, quick):
    """They are filled with the medians of the fitted rows."""
    X, y = table
    selector = SNeLRegressor(**quick).fit(X, y)
    medians = weighted_medians(X, np.ones(60))
    np.testing.assert_allclose(selector.predict(np.full((1, 20), np.nan)), selector.predict(medians[None]))


def test_a_column_without_a_value_is_said_and_infinity_refused(table, quick):
    """The first is never selected."""
    X, y = table[0].copy(), table[1]
    X[:, 4] = np.nan
    with pytest.warns(UserWarning, match="1 column has no value at all and cannot be selected: 'x4'"):
        selector = SNeLRegressor(**quick).fit(X, y)
    assert not selector.support_[4]
    assert selector.ranking_[4] == 20
    X[0, 5] = np.inf
    with pytest.raises(ValueError, match="infinity"):
        SNeLRegressor(**quick).fit(X, y)


def test_folds_of_an_evaluation_fill_with_their_training_rows(gapped, monkeypatch):
    """What a choice sees has no gaps, and no median of a row held out."""
    X, y = gapped
    monkeypatch.setattr(judges, "REGRESSION_TREES", 5)
    seen = []

    def choose_first(_, X, *__, n_features, **___):
        seen.append(X)
        return np.arange(n_features)

    monkeypatch.setattr(cross_validation, "choose_columns", choose_first)
    evaluate(X, y, n_features=2, methods=["f_score"], folds=2, seed=3)
    train, _ = judges.split(y, 2, cross_validation._number(3, 0), stratified=False)[0]
    own = np.where(np.isnan(X[train]), np.nanmedian(X[train], axis=0), X[train])
    np.testing.assert_allclose(seen[0], (own - own.mean(axis=0)) / own.std(axis=0), atol=1e-9)
    X = X.copy()
    X[0, 0] = np.inf
    with pytest.raises(ValueError, match="finite numbers, or NaN where one is missing"):
        evaluate(X, y, methods=["f_score"])


def test_gaps_that_tell_the_target_are_said():
    """Those at random are only counted; few of them say nothing."""
    generator = np.random.default_rng(0)
    X, y = generator.standard_normal((200, 3)), np.repeat([0, 1], 100)
    X[generator.random(200) < 0.1, 0] = np.nan
    counted = gap_caveats(X, y, "classification", ("a", "b", "c"))
    assert len(counted) == 1
    assert " values (" in counted[0]
    assert "were missing in 1 column and filled with medians" in counted[0]
    X[:30, 2] = np.nan
    said = gap_caveats(X, y, "classification", ("a", "b", "c"))
    assert "of 1 column tells of the target by being missing ('c')" in said[1]
    numbers = gap_caveats(
        X, generator.standard_normal(200) - 3 * np.isnan(X[:, 2]), "regression", tuple("abc")
    )
    assert "('c')" in numbers[1]
    assert gap_caveats(generator.standard_normal((9, 2)), y[:9], "classification", ("a", "b")) == []


def test_gaps_of_a_patient_are_counted_once():
    """Forty patients with gaps of their own are forty rows, and one more gap in a class is chance."""
    patients, ill = np.repeat(np.arange(40), 5), np.repeat(np.arange(40) < 20, 5)
    X = np.random.default_rng(0).standard_normal((200, 2))
    X[(patients % 20 < np.where(ill, 8, 4)), 0] = np.nan
    assert len(gap_caveats(X, ill, "classification", ("a", "b"))) == 2
    assert len(gap_caveats(X, ill, "classification", ("a", "b"), patients)) == 1
    X[ill, 0] = np.nan
    assert "('a')" in gap_caveats(X, ill, "classification", ("a", "b"), patients)[1]


# -- what being missing tells ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def telling(table):
    """Classes of 60 rows, which column 3 alone tells, by being missing."""
    X, y = table[0].copy(), np.arange(60) % 2
    X[(y == 1) & (np.arange(60) % 10 > 1), 3] = np.nan
    return X, y


def test_a_mark_of_gaps_enters_with_its_column(telling, quick):
    """The column is found by its gaps, ranked as one, and predicts by them."""
    X, y = telling
    selector = SNeLClassifier(**quick, add_indicator=True).fit(X, y)
    assert selector.ranking_[3] == 1
    assert selector.support_.shape == (20,)
    assert selector.transform(X).shape == (60, 5)
    assert selector.score(X, y) > 0.85
    whole = np.where(np.isnan(X), np.nanmedian(X, axis=0), X)
    assert (selector.predict(whole) != selector.predict(X)).any()
    needed = X[:, needed_columns(selector)]
    np.testing.assert_array_equal(predict_selected(selector, needed), selector.predict(X))


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")  # of so short a training
def test_a_mark_is_kept_in_files_folds_and_beside_the_layer(telling, quick, tmp_path):
    """And a table without gaps has none."""
    X, y = telling
    settings = quick | {"add_indicator": True, "refine": False, "steps": 4}
    kept = SNeLClassifier(**settings, keep=[3]).fit(X, y)
    assert kept.score(X, y) > 0.85
    save_model(kept, tmp_path / "model.skops")
    np.testing.assert_array_equal(load_model(tmp_path / "model.skops").predict(X), kept.predict(X))
    counted = SNeLClassifier(**settings | {"n_features_to_select": "auto"}).fit(X, y)
    assert counted.support_[3]
    whole = np.nan_to_num(X)
    np.testing.assert_array_equal(
        SNeLClassifier(**settings).fit(whole, y).layer_weights_,
        SNeLClassifier(**settings | {"add_indicator": False}).fit(whole, y).layer_weights_,
    )
    with pytest.raises(ValueError, match="add_indicator must be"):
        SNeLClassifier(**quick, add_indicator="yes").fit(X, y)


def test_marks_of_gaps_need_a_dense_table(quick):
    """A sparse one has no room for them: asked for, they are not left out without a word."""
    X = sparse.random_array((40, 10), density=0.3, rng=0, format="csr")
    with pytest.raises(ValueError, match=r"^add_indicator needs a dense table in memory"):
        SNeLClassifier(**quick, add_indicator=True).fit(X, np.arange(40) % 2)


def test_dates_of_a_time_zone_are_called_what_they_are(quick):
    frame = pandas.DataFrame({"a": np.arange(40.0), "seen": pandas.date_range("2020", periods=40, tz="UTC")})
    with pytest.raises(ValueError, match="The column 'seen' of X holds text or other things"):
        SNeLClassifier(**quick).fit(frame, np.arange(40) % 2)
