"""Columns of categories in frames and arrays: coded inside, and named by their own names."""

import numpy as np
import pandas as pd
import pytest

from snelfs import SNeLClassifier, SNeLRegressor
from snelfs.data.categories import feature_categories
from snelfs.foundation.checks import ArgumentError
from snelfs.selection.model_file import load_model, save_model

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

STAGES = np.array(["I", "II", "III", "IV"])


@pytest.fixture(scope="module")
def study():
    """Return 80 rows of 8 numbers, a stage that matters, with gaps, and a site that does not."""
    generator = np.random.default_rng(5)
    frame = pd.DataFrame(generator.standard_normal((80, 8)), columns=list("abcdefgh"))
    stage = generator.integers(0, 4, 80)
    frame.insert(3, "stage", np.where(np.arange(80) < 5, None, STAGES[stage]))
    frame["site"] = pd.Categorical(generator.choice(["north", "south"], 80))
    effect = np.array([0.0, 2.0, -2.0, 0.5])[stage]
    return frame, effect + frame["b"] + 0.1 * generator.standard_normal(80)


@pytest.fixture(scope="module")
def fitted(study, quick):
    """Return a regressor that found the categories itself."""
    return SNeLRegressor(**quick | {"n_features_to_select": 2}).fit(*study)


def test_categories_are_named_by_their_own_names(fitted, study):
    """The stage is one feature, with one rank, and so is the site."""
    assert fitted.n_features_in_ == 10
    assert list(fitted.get_feature_names_out()) == ["b", "stage"]
    assert sorted(fitted.ranking_) == list(range(1, 11))
    assert fitted.score(*study) > 0.8


def test_transform_returns_the_columns_as_they_were(fitted, study):
    """Text stays text, in a frame."""
    chosen = fitted.transform(study[0])
    pd.testing.assert_frame_equal(chosen, study[0][["b", "stage"]])


def test_polars_frames_say_the_same(fitted, study, quick):
    """Text and categories of polars are categories."""
    polars = pytest.importorskip("polars")
    given = study[0].astype(object).where(study[0].notna(), None)
    frame = polars.DataFrame({name: given[name].tolist() for name in given})
    frame = frame.with_columns(polars.col("site").cast(polars.Categorical))
    found = SNeLRegressor(**quick | {"n_features_to_select": 2}).fit(frame, study[1])
    np.testing.assert_array_equal(found.ranking_, fitted.ranking_)
    assert found.transform(frame).columns == ["b", "stage"]


def test_an_array_of_codes_says_the_same(fitted, study, quick):
    """Where the columns of categories are named; missing is one of them."""
    X = study[0].copy()
    X["stage"] = pd.Categorical(X["stage"]).codes.astype(float)
    X.loc[X["stage"] < 0, "stage"] = np.nan
    X["site"] = pd.Categorical(X["site"]).codes
    found = SNeLRegressor(**quick | {"n_features_to_select": 2}, categorical=[3, 9]).fit(
        X.to_numpy(), study[1]
    )
    np.testing.assert_array_equal(found.ranking_, fitted.ranking_)
    np.testing.assert_allclose(found.predict(X.to_numpy()), fitted.predict(study[0]), atol=1e-6)


def test_a_category_that_is_new_is_told_of(fitted, study):
    """It is taken as the first known one; one of a column that is not selected does not matter."""
    rows = study[0].iloc[:3].copy()
    rows["stage"] = ["V", "II", "III"]
    with pytest.warns(UserWarning, match="column 'stage' has 1 row.* such as V: they are taken as 'I'"):
        found = fitted.predict(rows)
    rows["stage"], rows["site"] = ["I", "II", "III"], ["west", "west", "west"]
    np.testing.assert_array_equal(fitted.predict(rows), found)


def test_a_model_of_categories_comes_back_from_its_file(fitted, study, tmp_path):
    """With what it knows of them."""
    again = load_model(save_model(fitted, tmp_path / "model.skops"))
    np.testing.assert_array_equal(again.predict(study[0]), fitted.predict(study[0]))


def test_categories_beside_the_layer_and_in_folds(study, quick):
    """A stage that is kept and a site to adjust for; "auto" holds rows out of both."""
    frame, y = study
    asked = quick | {"n_features_to_select": "auto", "refine": False, "steps": 2}
    found = SNeLClassifier(**asked, keep=["stage"], covariates=["site"]).fit(frame, y > 0)
    assert found.support_[3]
    assert not found.support_[9]
    assert len(found.predict(frame)) == 80


@pytest.mark.parametrize(
    ("change", "settings", "said"),
    [
        (
            {"stage": [f"row {row}" for row in range(80)]},
            {},
            "'stage' has 80 categories in 80 rows, more than",
        ),
        ({}, {"categorical": None}, "column 'stage' of X holds text"),
        ({}, {"categorical": ["stag"]}, "names 'stag', which is no column; the nearest name is 'stage'"),
        ({}, {"categorical": "all"}, "must be 'auto', None or columns of the table, got 'all'"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(study, quick, change, settings, said):
    """Too many values, text that is no category, names of no column."""
    frame, y = study
    with pytest.raises((ArgumentError, ValueError), match=said):
        SNeLRegressor(**quick, **settings).fit(frame.assign(**change), y)


def test_numbers_stored_as_objects_are_numbers(quick):
    """And a frame of numbers alone is searched as it was."""
    X = np.random.default_rng(1).standard_normal((40, 6))
    frame = pd.DataFrame(X, columns=list("abcdef"))
    asked = quick | {"n_features_to_select": 2, "refine": False}
    plain = SNeLRegressor(**asked).fit(frame, X[:, 1])
    objects = SNeLRegressor(**asked).fit(frame.assign(a=frame["a"].astype(object)), X[:, 1])
    np.testing.assert_array_equal(objects.saliencies_, plain.saliencies_)
    assert isinstance(plain.transform(frame), np.ndarray)


# -- what a table calls its columns and categories ------------------------------------------------------


@pytest.fixture(scope="module")
def graded(table):
    """Numbers, and a column of grades 10, 20 and 30, of which one is the second class."""
    X = table[0].copy()
    X[:, 3] = np.random.default_rng(3).choice([10, 20, 30], len(X))
    return X, (X[:, 3] == 20).astype(int)


def test_a_model_of_an_array_takes_frames_by_places(graded, quick):
    """With names or numbers for columns; the codes are the same."""
    X, y = graded
    selector = SNeLClassifier(**quick, categorical=[3]).fit(X, y)
    assert selector.score(X, y) > 0.95
    np.testing.assert_array_equal(selector.predict(pd.DataFrame(X)), selector.predict(X))


def test_frames_with_numbers_for_names_have_categories(graded, quick):
    """They are features or covariates as in other frames."""
    X, y = graded
    frame = pd.DataFrame(X)
    frame[3] = pd.Categorical(frame[3].map({10: "a", 20: "b", 30: "c"}))
    selector = SNeLClassifier(**quick).fit(frame, y)
    assert selector.support_[3]
    assert selector.score(frame, y) > 0.95
    strange = frame.copy()
    strange[3] = "z"
    with pytest.warns(UserWarning, match="'x3' has 60 row"):
        selector.predict(strange)
    adjusted = SNeLClassifier(**quick, covariates=[3]).fit(frame, X[:, 0] > 0)
    assert adjusted._beside.levels == (3,)


def test_whole_numbers_are_the_same_categories_as_floats(graded, quick):
    """One gap turns a column of pandas from integers to floats."""
    X, y = graded
    frame = pd.DataFrame(X, columns=[f"g{place}" for place in range(20)]).astype({"g3": int})
    selector = SNeLClassifier(**quick, categorical=["g3"]).fit(frame, y)
    floats = frame.astype({"g3": float})
    np.testing.assert_array_equal(selector.predict(floats), selector.predict(frame))


def test_a_constant_text_column_may_be_kept_and_a_date_is_named(graded, quick):
    """The first says nothing; the second is no number."""
    X, y = graded
    frame = pd.DataFrame(X, columns=[f"g{place}" for place in range(20)])
    selector = SNeLClassifier(**quick | {"steps": 6}, keep=["c"]).fit(frame.assign(c="k"), y)
    assert selector.support_[-1]
    with pytest.raises(ValueError, match="The column 'day' of X holds text or other things"):
        SNeLClassifier(**quick).fit(frame.assign(day=pd.date_range("2020", periods=60)), y)


def test_empty_text_and_gaps_are_one_category():
    """And no category is left that no row has."""
    assert feature_categories(np.array(["", None, "b", "a"] * 2, dtype=object), "stage") == ["a", "b", ""]


def test_a_covariate_of_an_array_may_have_many_categories(table, quick):
    """It is no feature, and what is missing of it is no category."""
    X, y = table
    coded = np.c_[X[:, :6], np.arange(60) % 25]
    coded[0, 6] = np.nan
    asked = quick | {"n_features_to_select": 2, "refine": False, "covariates": [6], "categorical": [6]}
    selector = SNeLRegressor(**asked)
    assert selector.fit(coded, y)._beside.levels == (25,)


def test_twins_of_a_frame_are_refused(table, quick):
    """In one sentence, as whatever is said by name could mean either."""
    X, y = table
    frame = pd.DataFrame(X[:, :3], columns=["a", "b", "a"])
    with pytest.raises(ValueError, match="X has more than one column called 'a'"):
        SNeLRegressor(**quick).fit(frame, y)
