"""Whether a selection helps, on tables where the answer is known."""

import re

import numpy as np
import pytest
from sklearn.preprocessing import StandardScaler

from snelfs.evaluation import cross_validation, evaluate, judges
from snelfs.evaluation.intervals import resampled_interval

# Shorter still than those of other tests: a fit for every fold. One shape, so that the engine compiles once.
SETTINGS = {"n_restarts": 4, "steps": 8, "refine": False}
ROWS, COLUMNS, RELEVANT = 100, 120, [4, 11, 17]


def draw(seed=0):
    X = np.random.default_rng(seed).standard_normal((ROWS, COLUMNS))
    return X, X[:, RELEVANT].sum(axis=1)


@pytest.fixture(scope="module")
def classes():
    X, total = draw()
    return evaluate(X, np.where(total > 0, "ill", "well"), n_features=3, settings=SETTINGS)


@pytest.fixture(scope="module")
def numbers():
    X, total = draw()
    return evaluate(X, total, n_features=3, folds=4, settings=SETTINGS)


def choose_first(method, X, *_, n_features, **__):
    """Take the first columns; the choice that needs no time."""
    return np.arange(X.shape[1] if method == "no_fs" else n_features)


# -- known answers ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["classes", "numbers"])
def test_selection_helps_where_few_of_many_columns_matter(name, request):
    found = request.getfixturevalue(name)
    assert found.verdict().startswith("Selection by SNeL-FS helps here: ")
    assert found.difference("no_fs").low > 0
    assert all(len(set(columns) & set(RELEVANT)) >= 2 for columns in found.selected["snel"])
    assert found.stability("snel").value > 0.5


def test_a_filter_that_does_as_well_is_named(classes):
    """The columns act one by one, which an F score sees."""
    assert re.search("a simple filter(,| does as well here,) (F score|mRMR|ReliefF) with", classes.verdict())


def test_noise_gives_no_verdict_in_favour():
    X, _ = draw(seed=1)
    y = np.random.default_rng(2).permutation(ROWS) % 2
    found = evaluate(X, y, n_features=3, settings=SETTINGS)
    assert found.verdict().startswith("Nothing here is shown to predict better than chance")
    assert abs(found.interval("snel").mean - 0.5) < 0.15


def test_three_classes_have_the_same_metrics():
    X, total = draw()
    y = np.digitize(total, np.quantile(total, [0.3, 0.7]))
    found = evaluate(X, y, n_features=3, methods=["f_score"], folds=2, settings=SETTINGS)
    assert found.metrics == ("auc", "f1", "accuracy")
    assert found.scores.shape == (2, 4, 2, 3)
    assert found.interval("f_score").mean > 0.7


# -- nothing is known of the rows held out ----------------------------------------------------------


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_a_method_sees_the_training_rows_and_no_other(task, monkeypatch):
    """Rows, labels, and the scale of the columns are those of the training rows."""
    X, total = draw()
    y = (total > 0).astype(int) if task == "classification" else total
    pairs, seen = [], []

    def splits(*args, **kwargs):
        made = judges.split(*args, **kwargs)
        pairs.append(made)
        return made

    def see(method, X, y, **kwargs):
        seen.append((X.copy(), y.copy()))
        return choose_first(method, X, y, **kwargs)

    monkeypatch.setattr(cross_validation, "split", splits)
    monkeypatch.setattr(cross_validation, "choose_columns", see)
    evaluate(X, y, task=task, n_features=2, methods=["f_score"], folds=3)
    pairs = pairs[1:]  # the first are looked at for their sizes alone
    assert len(pairs) == len(seen) == 6
    for place, (rows, labels) in enumerate(seen):
        train, test = pairs[place][place % 3]
        assert not set(train) & set(test)
        assert len(rows) == len(train) < ROWS
        np.testing.assert_array_equal(rows, StandardScaler().fit_transform(X[train]))
        np.testing.assert_array_equal(labels, y[train])


def test_answers_of_the_rows_held_out_change_no_choice(monkeypatch):
    """Shuffled among themselves, they leave the columns of that fold as they were, and its scores not."""
    X, total = draw()
    made = []
    monkeypatch.setattr(
        cross_validation,
        "split",
        lambda *args, **kwargs: made.append(judges.split(*args, **kwargs)) or made[-1],
    )
    options = {"n_features": 3, "folds": 2, "task": "regression", "settings": SETTINGS | {"n_restarts": 2}}
    before = evaluate(X, total, **options)
    held_out = made[0][0][1]
    other = total.copy()
    other[held_out] = np.random.default_rng(0).permutation(total[held_out])
    after = evaluate(X, other, **options)
    for method in before.selected:
        assert after.selected[method][0] == before.selected[method][0]
        assert after.by_fold(method)[0] < before.by_fold(method)[0]


# -- figures ----------------------------------------------------------------------------------------


def test_intervals_are_those_of_nadeau_and_bengio(classes):
    """Over the folds' averages of all models, paired for differences, and cut off at 1."""
    assert classes.methods[:3] == ("snel", "filters_alone", "no_fs")
    ours, theirs = (classes.scores[place, :, :, 0].mean(axis=0) for place in (0, 2))
    plain = resampled_interval(theirs, 1 / 5)
    found = classes.interval("no_fs")
    assert (found.mean, found.low, found.high) == (plain.mean, max(0, plain.low), min(1, plain.high))
    gain, expected = classes.difference("no_fs"), resampled_interval(ours - theirs, 1 / 5)
    assert (gain.mean, gain.low, gain.high) == pytest.approx((expected.mean, expected.low, expected.high))


def test_the_summary_has_the_best_first_and_all_figures(classes):
    rows = classes.summary()
    assert {row["method"] for row in rows} == set(classes.methods) == set(cross_validation.METHODS)
    means = [row["auc"] for row in rows]
    assert means == sorted(means, reverse=True)
    by_method = {row["method"]: row for row in rows}
    assert by_method["no_fs"]["columns"] == COLUMNS
    assert by_method["mrmr"]["columns"] == 3
    assert np.isnan(by_method["no_fs"]["stability"])
    assert by_method["f_score"]["stability_low"] <= by_method["f_score"]["stability"] <= 1


def test_rows_hold_every_method_model_and_metric(numbers):
    rows = numbers.rows()
    assert len(rows) == len(numbers.methods) * 5
    assert {row["model"] for row in rows} == {"average", *judges.REGRESSORS}
    single = [row["mean"] for row in rows if row["method"] == "snel" and row["model"] != "average"]
    assert np.mean(single) == pytest.approx(numbers.interval("snel").mean)


def test_the_others_take_as_many_columns_as_ours_finds(monkeypatch):
    found_numbers = iter([3, 5, 4])

    def choose(method, X, *_, n_features, **__):
        if method == "snel":
            assert n_features == "auto"
            return np.arange(next(found_numbers))
        return choose_first(method, X, n_features=n_features)

    monkeypatch.setattr(cross_validation, "choose_columns", choose)
    X, total = draw()
    found = evaluate(X, total, n_features="auto", methods=["mrmr", "f_score"], folds=3)
    for method in found.methods:
        assert [len(columns) for columns in found.selected[method]] == [3, 5, 4]


def test_the_seed_decides_the_folds_and_repetitions_differ(monkeypatch):
    monkeypatch.setattr(cross_validation, "choose_columns", choose_first)
    X, total = draw()
    first, again, other = (
        evaluate(X, total, methods=["no_fs"], folds=2, repeats=2, seed=seed) for seed in (0, 0, 1)
    )
    np.testing.assert_array_equal(first.scores, again.scores)
    assert not np.allclose(first.scores, other.scores)
    assert not np.allclose(first.scores[:, :, :2], first.scores[:, :, 2:])


def test_progress_is_reported_after_every_choice(monkeypatch):
    monkeypatch.setattr(cross_validation, "choose_columns", choose_first)
    states = []
    evaluate(*draw(), methods=["no_fs"], folds=2, progress=states.append)
    assert [state.done for state in states] == [0, 1, 2, 3, 4]
    assert all(state.total == 4 for state in states)
    assert states[-1].seconds_left == 0


def test_what_a_method_warns_of_is_kept_in_a_note(monkeypatch):
    import warnings

    def warn(method, X, *args, **kwargs):
        if method == "snel":
            warnings.warn("no epoch is admitted", UserWarning, stacklevel=2)
        return choose_first(method, X, *args, **kwargs)

    monkeypatch.setattr(cross_validation, "choose_columns", warn)
    found = evaluate(*draw(), methods=["no_fs"], folds=2)
    assert found.notes == ("SNeL-FS, default warned in 2 of 2 folds: no epoch is admitted",)


def test_processes_side_by_side_find_the_same():
    """One thread or several add in another order: the scores agree but for the last digits."""
    X, total = draw()
    options = {"n_features": 3, "methods": ["f_score"], "folds": 2, "settings": SETTINGS}
    alone, together = (evaluate(X[:, :30], total, jobs=jobs, **options) for jobs in (1, 2))
    assert together.selected["f_score"] == alone.selected["f_score"]
    ridge = alone.models.index("ridge")
    np.testing.assert_allclose(together.scores[1, ridge], alone.scores[1, ridge], atol=1e-6)


def test_what_a_method_raises_in_another_process_is_a_sentence_with_its_name():
    X, total = draw()
    with pytest.raises(ValueError, match=r"^SNeL-FS, default failed: \w+Error: .*magic"):
        evaluate(X, total, n_features=3, methods=["f_score"], folds=2, jobs=2, settings={"saliency": "magic"})


# -- what cannot be had -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("y", "options", "said"),
    [
        (["a"] * 97 + ["b"] * 3, {}, "The class b has 3 rows, fewer than the 5 folds: ask for fewer folds"),
        (["a"] * 100, {}, "y must have at least two classes, got a alone."),
        (np.ones(100), {"task": "regression"}, "y must have at least two values, got 1.0 alone."),
        (["a", "b"] * 50, {"task": "regression"}, "y must be finite numbers for a regression"),
        (np.arange(100) / 7, {"folds": 101}, "folds must be at most the number of rows, 100, got 101."),
        (np.arange(100) / 7, {"folds": 1}, "folds must be an integer of at least 2, got 1."),
        (
            ["a", "b"] * 50,
            {"n_features": 120},
            "n_features must be below the number of columns, 120, got 120",
        ),
        (["a", "b"] * 50, {"methods": ["magic"]}, "each of methods must be"),
        (["a", "b"] * 50, {"methods": ["snel"]}, "methods must name one beside 'snel' to compare it with"),
        (["a", "b"] * 40, {}, "y must have one value for each of the 100 rows"),
    ],
)
def test_what_cannot_be_evaluated_is_said_in_a_sentence(y, options, said):
    with pytest.raises(ValueError, match=f"^{re.escape(said)}"):
        evaluate(draw()[0], np.array(y), **options)


def test_too_few_rows_to_train_on_are_refused():
    X, _ = draw()
    with pytest.raises(ValueError, match=r"^6 rows in 2 folds leave 3 to train on; 5 are needed\."):
        evaluate(X[:6], ["a", "b"] * 3, folds=2)


def test_a_table_without_a_choice_is_refused():
    with pytest.raises(ValueError, match=r"^There must be at least two columns to choose from, got 1\."):
        evaluate(np.arange(20.0)[:, None], ["a", "b"] * 10)


def test_sparse_tables_are_welcome(monkeypatch):
    from scipy import sparse

    monkeypatch.setattr(cross_validation, "choose_columns", choose_first)
    X, total = draw()
    dense, packed = (evaluate(each, total, methods=["no_fs"], folds=2) for each in (X, sparse.csr_matrix(X)))
    np.testing.assert_array_equal(dense.scores, packed.scores)
