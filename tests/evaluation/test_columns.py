"""What an evaluation is told of columns: groups, categories, gaps, what is kept and what is adjusted for."""

import numpy as np
import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snelfs.evaluation import cross_validation, evaluate
from snelfs.evaluation.columns import coded_table, columns_of

NOTHING = {
    "keep": None,
    "covariates": None,
    "feature_groups": None,
    "one_per_group": False,
    "categorical": np.empty(0, np.int64),
    "add_indicator": False,
}
QUICK = {"n_restarts": 4, "steps": 5, "refine": False}


@st.composite
def tables(draw):
    """Draw codes of columns in groups, categories among them, some kept, and how many units to choose."""
    n_columns = draw(st.integers(4, 12))
    labels = draw(st.lists(st.sampled_from(["", "", "a", "b", "c"]), min_size=n_columns, max_size=n_columns))
    labels = ["", "", *labels[2:]]  # never all in one group
    levels = draw(st.lists(st.sampled_from([0, 0, 2, 4]), min_size=n_columns, max_size=n_columns))
    table = np.zeros((5, n_columns))
    table[0] = np.maximum(np.array(levels) - 1, 0)
    table[1, draw(st.lists(st.integers(0, n_columns - 1), max_size=3))] = np.nan
    categorical = np.flatnonzero(levels)
    table[1, categorical] = 0
    more = {"one_per_group": draw(st.booleans()), "add_indicator": draw(st.booleans())}
    keep = [0] if draw(st.booleans()) else []
    told = NOTHING | more | {"feature_groups": labels, "categorical": categorical, "keep": keep}
    columns = columns_of(table, np.arange(5.0), None, **told)
    return columns, draw(st.integers(1 + columns.n_kept, max(1 + columns.n_kept, columns.n_offered)))


@given(tables(), st.randoms(use_true_random=False))
def test_a_list_of_inputs_names_as_many_units_as_are_asked_for(drawn, shuffler):
    """In whatever order a method lists them; groups are whole, or have one of their columns."""
    columns, wanted = drawn
    listed = columns.offered_inputs.copy()
    shuffler.shuffle(listed)
    chosen = columns.first_units(columns.of_inputs[listed[: columns.inputs_needed(wanted)]], wanted)
    assert columns.n_units_of(chosen) == min(wanted, columns.n_offered)
    assert len(set(chosen.tolist())) == len(chosen)
    assert set(columns.beside.keep.tolist()) <= set(chosen.tolist())
    assert set(np.flatnonzero(np.isin(columns.unit_of, columns.unit_of[chosen]))) == set(chosen.tolist())
    if columns.units is not None and columns.units.rivals is not None:
        assert len(np.unique(columns.rival_of[chosen])) == len(chosen)


def test_inputs_are_indicators_and_marks_beside_their_columns():
    """A category has an input for each value but the first, and a column with gaps has two."""
    table = np.array([[0.5, 0.0, 1.0], [np.nan, 2.0, 1.5], [0.1, 1.0, 2.0]])
    told = NOTHING | {"categorical": np.array([1]), "add_indicator": True}
    columns = columns_of(table, np.arange(3.0), None, **told)
    assert columns.inputs(table).tolist()[1][1:] == [0.0, 1.0, 1.5, 1.0]
    assert columns.inputs_of(np.array([1, 0])).tolist() == [1, 2, 0, 4]
    assert columns.told == {"categorical": [1], "add_indicator": True}


@pytest.fixture(scope="module")
def grouped():
    """Return 80 rows of 12 groups of three; what is 1 in the sum of one of the eighth decides."""
    generator = np.random.default_rng(5)
    X = generator.standard_normal((80, 36))
    y = np.where(X[:, 24] + X[:, 25] + X[:, 26] > 0, "ill", "well")
    return X, y, [f"p{column // 3}" for column in range(36)]


def test_every_method_chooses_whole_groups(grouped):
    """Ours and the others; the number counts groups, and kept ones are there in any case."""
    X, y, labels = grouped
    methods = ["no_fs", "filters_alone", "f_score", "mrmr"]
    asked = {"feature_groups": labels, "keep": [0, 1, 2], "n_features": 2, "methods": methods, "folds": 3}
    found = evaluate(X, y, **asked, settings=QUICK)
    assert (found.n_units, found.n_columns) == (12, 36)
    for method in ("snel", "filters_alone", "f_score", "mrmr"):
        for columns in found.selected[method]:
            assert sorted(columns) == [0, 1, 2, 24, 25, 26], method
    assert found.by_fold("f_score").mean() > 0.9


def test_one_of_each_group_is_chosen_and_covariates_never(grouped):
    """What is adjusted for is shown to the models, which then predict from it alone."""
    X, y, labels = grouped
    X = np.c_[X, np.where(y == "ill", 1.0, 0.0) + 0.1 * X[:, 0]]
    asked = {"feature_groups": [*labels, None], "one_per_group": True, "covariates": [36]}
    found = evaluate(X, y, **asked, n_features=6, methods=["f_score"], folds=2, settings=QUICK)
    for columns in (*found.selected["snel"], *found.selected["f_score"]):
        assert len(columns) == len({column // 3 for column in columns}) == 6
        assert 36 not in columns
    assert found.by_fold("f_score", model="RF").mean() > 0.95


def test_a_category_in_a_frame_is_chosen_by_all(grouped):
    """Text of three values tells the class where no number does, and two gaps are a fourth."""
    X, _, _ = grouped
    stage = np.random.default_rng(1).choice(["I", "II", "III"], 80)
    y = np.where(stage == "II", "ill", "well")
    frame = pandas.DataFrame(X[:, :8], columns=[f"g{place}" for place in range(8)]).assign(stage=stage)
    frame.loc[:1, "stage"] = None
    found = evaluate(frame, y, n_features=1, methods=["f_score", "filters_alone"], folds=2, settings=QUICK)
    assert {columns for group in found.selected.values() for columns in group} == {(8,)}
    assert found.by_fold("snel").mean() > 0.95
    named = evaluate(frame, y, n_features=2, keep=["g3"], methods=["f_score"], folds=2, settings=QUICK)
    assert all(sorted(columns) == [3, 8] for columns in named.selected["f_score"])


def test_a_mark_of_gaps_tells_what_filled_values_hide(grouped):
    """Values are missing in one class alone; only with marks do the models see it."""
    X, y, _ = grouped
    X = X.copy()[:, :12]  # no column that decides
    X[y == "ill", 4] = np.nan
    scores = {}
    for marked in (False, True):
        asked = {"add_indicator": marked, "n_features": 3, "methods": ["f_score"], "folds": 2}
        found = evaluate(X, y, **asked, settings=QUICK)
        scores[marked] = [found.by_fold(method).mean() for method in ("snel", "f_score")]
    assert min(scores[True]) > 0.95
    assert max(np.array(scores[True]) - scores[False]) > 0.02


def test_the_number_that_ours_finds_counts_groups(grouped, monkeypatch):
    """The others choose as many groups, not as many columns."""
    X, y, labels = grouped

    def chosen(method, X, *, n_features, **_):
        return np.arange(6) if method == "snel" else np.arange(X.shape[1])[:n_features]

    monkeypatch.setattr(cross_validation, "choose_columns", chosen)
    found = evaluate(X, y, feature_groups=labels, n_features="auto", methods=["f_score"], folds=2)
    assert found.selected["f_score"] == (tuple(range(6)),) * 2


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"keep": [40]}, "keep must hold names, positions from 0 to 35"),
        ({"keep": list(range(12))}, "keep names 12 of 3 column"),
        ({"keep": [1], "covariates": [1]}, "keep names 'x1', and so does covariates"),
        ({"keep": [0], "feature_groups": ["a", "a", *range(34)]}, "keep leaves 'x1' out of a group"),
        ({"one_per_group": True}, "one_per_group needs feature_groups"),
        ({"feature_groups": ["a"] * 36}, "feature_groups puts all 36 columns into the group 'a'"),
        ({"categorical": "all"}, "categorical must be 'auto', None or columns of the table, got 'all'"),
        ({"categorical": [0]}, "The column 'x0' has 80 categories in 80 rows"),
        ({"add_indicator": "yes"}, "add_indicator must be"),
        (
            {"feature_groups": [f"p{c // 12}" for c in range(36)]},
            "n_features must be below the number of columns to choose from, those together counted once, 3,",
        ),
        ({"settings": {"keep": [0]}}, "settings must not hold 'keep': every method is told of it by keep="),
        ({"n_features": "auto", "keep": list(range(36))}, "keep leaves none of the 36 columns"),
    ],
)
def test_what_cannot_be_is_one_sentence(grouped, more, said):
    """Before anything is computed."""
    X, y, _ = grouped
    with pytest.raises(ValueError, match="^" + said):
        evaluate(X, y, **{"n_features": 3, "methods": ["f_score"], "folds": 2} | more)


def test_numbers_stay_what_they_are_without_categories():
    """A frame of numbers is coded as it stands, and names are known."""
    table, categories, names = coded_table(pandas.DataFrame({"a": [1.5, 2.5], "b": [0, 1]}), "auto", None)
    assert table.tolist() == [[1.5, 0.0], [2.5, 1.0]]
    assert (len(categories), names) == (0, ["a", "b"])


def frame_of(**columns):
    """Return a frame of 60 rows and five columns of numbers, and others."""
    X = np.random.default_rng(4).standard_normal((60, 5))
    return pandas.DataFrame(X, columns=list("abcde")).assign(**columns)


CLASSES = np.arange(60) % 2


def quickly(frame, **more):
    asked = {"n_features": 2, "methods": ["f_score"], "folds": 2, "settings": QUICK} | more
    return evaluate(frame, CLASSES, **asked)


def test_a_covariate_that_a_fold_does_not_know_is_left_out_there():
    """Its only row of another category is tested on; the fold goes on without it."""
    rare = np.where(np.arange(60) == 0, "north", "south")
    found = quickly(frame_of(site=rare), covariates=["site"])
    assert all(5 not in columns for group in found.selected.values() for columns in group)


@pytest.mark.parametrize(
    ("columns", "more", "said"),
    [
        ({"site": "south"}, {"covariates": ["site"]}, "covariates names 'site', which is constant"),
        ({"copy": CLASSES}, {"covariates": ["copy"]}, "covariates names 'copy', which says the same"),
        ({"day": pandas.date_range("2020", periods=60)}, {}, "The column 'day' of X holds text or other"),
        (
            {"day": pandas.date_range("2020", periods=60), "kind": ["u", "v"] * 30},
            {},
            "The column 'day' of X holds text or other things that are no numbers",
        ),
        ({"z": np.arange(60) * 1j}, {}, "The column 'z' of X holds text or other things"),
        ({"level": [f"L{row % 18}" for row in range(60)]}, {}, "The column 'level' has 18 categories in 30"),
        (
            {},
            {"feature_groups": {"p": ["a", "b"]}, "one_per_group": True, "keep": ["a", "b"], "n_features": 3},
            "keep names 'a', 'b' of one group",
        ),
    ],
)
def test_a_frame_is_refused_by_the_names_of_its_columns(columns, more, said):
    """Before any fold is computed."""
    with pytest.raises(ValueError, match="^" + said):
        quickly(frame_of(**columns), **more)


def test_twins_are_refused():
    """Which of them is meant could not be told."""
    with pytest.raises(ValueError, match="X has more than one column called 'a'"):
        quickly(frame_of().rename(columns={"b": "a"}))


def test_text_of_covariates_is_categories_whatever_else_is_said():
    """As for the estimators: of any number, gaps among them, with no mark of these."""
    ward = [f"W{row % 22}" for row in range(60)]
    frame = frame_of(ward=ward, age=np.where(np.arange(60) < 3, np.nan, np.arange(60.0)))
    frame.loc[:2, "ward"] = None
    for categorical in ("auto", None):
        table, coded, names = coded_table(frame, categorical, ["ward", "age"])
        told = NOTHING | {"covariates": ["ward", "age"], "categorical": coded, "add_indicator": True}
        columns = columns_of(table, CLASSES, names, **told)
        assert columns.beside.levels == (22, 0)
        assert not columns.marked.any()
        assert columns.units is None
        assert columns.inputs(table).shape == (60, 5 + 21 + 1)
    found = quickly(frame, covariates=["ward", "age"], categorical=None)
    assert all(max(columns) < 5 for group in found.selected.values() for columns in group)


def test_numbers_of_every_kind_of_a_frame_are_read():
    """Nullable ones with gaps, numbers as objects, truth values; with and without text beside them."""
    whole = pandas.array([1, None] * 30, dtype="Int64")
    frame = frame_of(whole=whole, truth=CLASSES > 0, thing=pandas.Series([1.5, None] * 30, dtype=object))
    for each in (frame, frame.assign(kind=["u", "v", "w"] * 20)):
        table, coded, _ = coded_table(each, "auto", None)
        assert len(coded) == each.shape[1] - 8
        assert np.isnan(table[1, 5:8]).tolist() == [True, False, True]
        assert table[0, 5:8].tolist() == [1.0, 0.0, 1.5]


def test_random_columns_are_random_units():
    """A group of many columns is drawn as often as one that is alone."""
    labels = ["wide"] * 12 + [None] * 4
    told = NOTHING | {"feature_groups": labels}
    columns = columns_of(np.zeros((5, 16)), np.arange(5.0), None, **told)
    firsts = [columns.first_units(columns.drawn(seed), 1) for seed in range(200)]
    assert 0.1 < np.mean([len(chosen) == 12 for chosen in firsts]) < 0.3


@pytest.fixture
def noise():
    generator = np.random.default_rng(4)
    names = [f"g{place}" for place in range(8)]
    return pandas.DataFrame(generator.standard_normal((40, 8)), columns=names), np.arange(40) % 2


def chosen_of(X, y, **more):
    """Return what ours and its filters choose in every fold."""
    asked = {"n_features": 3, "methods": ["filters_alone"], "folds": 2, "settings": QUICK} | more
    return np.ravel([list(each) for each in evaluate(X, y, **asked).selected.values()])


@pytest.mark.parametrize("of_text", [True, False])
def test_a_covariate_is_never_chosen_not_even_by_its_gaps(noise, of_text):
    """One row alone has another value, so that a fold knows one value and gaps, which tell the class."""
    X, y = noise
    column = np.where(y == 1, "a", None) if of_text else np.where(y == 1, 1.0, np.nan)
    column[1] = "b" if of_text else 2.0
    found = chosen_of(X.assign(stage=column), y, covariates=["stage"], add_indicator=not of_text)
    assert 8 not in found


def test_a_covariate_that_copies_the_target_in_one_fold_is_left_out_there(noise):
    X, y = noise
    found = chosen_of(X.assign(twin=np.r_[1.0 - y[:1], y[1:]]), y, covariates=["twin"])
    assert 8 not in found


def test_categories_are_counted_against_the_smallest_training_part(noise):
    """Folds of large groups are uneven, and the sentence comes before any of them is computed."""
    X, y = noise
    groups = [0] * 28 + [1] * 2 + list(range(2, 12))
    with pytest.raises(ValueError, match=r"^The column 'batch' has 10 categories in \d+ rows"):
        chosen_of(X.assign(batch=[f"b{row % 10}" for row in range(40)]), y, groups=groups)


def test_names_of_an_array_serve_whatever_names_columns(noise):
    X, y = noise
    table = np.array(X.assign(batch=[f"b{row % 3}" for row in range(40)]), dtype=object)
    names = [*X.columns, "batch"]
    found = chosen_of(table, y, feature_names=names, categorical=["batch"], covariates=["g2"])
    assert 2 not in found


@pytest.mark.parametrize(
    ("change", "more", "said"),
    [
        (np.asarray, {"feature_names": ["a", "b"]}, "must name each of the 8 columns, got 2 names"),
        (np.asarray, {"feature_names": ["a"] * 8}, "'a'"),
        (lambda X: X, {"feature_names": list("abcdefgh")}, "must be None for a frame, which has names"),
        (lambda X: X[[]], {}, "must be an array or a frame in memory with columns, got DataFrame"),
        (lambda X: X["g0"].to_numpy(), {}, r"must be a table of rows and columns, got the shape \(40,\)"),
        (lambda X: X.astype(object).assign(t="one").to_numpy(), {"categorical": None}, "The column 'x8'"),
        (
            lambda X: X.assign(t=pandas.Series([None] * 40, dtype=object)),
            {"covariates": ["t"]},
            "is constant",
        ),
        (
            lambda X: X.assign(t=pandas.date_range("2020", periods=40, tz="UTC")),
            {},
            "The column 't' of X holds text or other things that are no numbers",
        ),
    ],
)
def test_what_is_no_table_of_numbers_is_one_sentence(noise, change, more, said):
    X, y = noise
    with pytest.raises(ValueError, match=said):
        chosen_of(change(X), y, **more)
