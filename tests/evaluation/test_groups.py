"""Rows that belong together in an evaluation: no fold parts them, and ours is told of them."""

import numpy as np
import pytest

from snelfs.evaluation import cross_validation, evaluate, judges, methods

GROUPS = np.array([f"p{row // 4:02}" for row in range(60)])
PERSON = np.arange(60) // 4


@pytest.fixture
def told(monkeypatch):
    """Choose the first columns, and keep the groups of the training rows that a choice was told of."""
    seen = []

    def choose_first(method, X, *_, n_features, groups, **__):
        seen.append(groups)
        return np.arange(X.shape[1] if method == "no_fs" else n_features)

    monkeypatch.setattr(cross_validation, "choose_columns", choose_first)
    return seen


def test_a_fold_is_of_whole_patients(table, told):
    """Choices see the groups of their training rows, and the result says how many there were."""
    X, y = table
    for target in (y, np.where(PERSON % 2, "ill", "well")):
        found = evaluate(X, target, groups=GROUPS, n_features=3, methods=["f_score"], folds=5)
        assert found.n_groups == 15
    assert len(told) == 20
    assert all(len(groups) == 48 and len(np.unique(groups)) == 12 for groups in told)
    assert evaluate(X, y, n_features=3, methods=["f_score"], folds=2).n_groups is None
    assert told[-1] is None


def test_every_fold_tests_on_every_class_where_patients_have_several():
    """Of 15 patients each has both classes, but for a few rows."""
    y = np.where(np.arange(60) % 4 == 0, 1, 0)
    pairs = judges.split(y, 5, 3, groups=PERSON)
    assert all(set(y[test]) == {0, 1} and not set(PERSON[test]) & set(PERSON[train]) for train, test in pairs)
    assert sorted(np.concatenate([test for _, test in pairs])) == list(range(60))


@pytest.mark.parametrize(
    ("groups", "y", "folds", "said"),
    [
        (PERSON % 3, np.arange(60) % 2, 5, "folds must be at most the number of groups, 3, got 5"),
        (PERSON, PERSON > 12, 5, "class True has 2 groups, fewer than the 5 folds"),
        (PERSON, PERSON > 13, 5, "class True has 1 group, fewer"),
        (np.zeros(60), np.arange(60) % 2, 5, "groups must name at least two groups, got 0.0 alone"),
        (PERSON[1:], np.arange(60) % 2, 5, "groups must hold one value for each of the 60 rows"),
    ],
)
def test_folds_that_groups_do_not_allow_are_said(table, groups, y, folds, said):
    """Before anything is chosen."""
    with pytest.raises(ValueError, match=said):
        evaluate(table[0], y, groups=groups, n_features=3, methods=["f_score"], folds=folds)


def test_ours_and_the_filters_are_fitted_with_the_groups(table, monkeypatch):
    """Rivals know nothing of them."""
    X, y = table
    seen = []

    class Selector:
        _units = None
        support_ = np.arange(20) < 2
        ranking_ = np.arange(1, 21)

        def __init__(self, **_):
            pass

        def fit(self, *_, groups=None):
            seen.append(groups)

    monkeypatch.setattr(methods, "SNeLRegressor", Selector)
    monkeypatch.setattr(methods, "ranked_by", lambda *given: seen.append(given[-1]) or np.arange(20))
    asked = {"regression": True, "n_features": 2, "seed": 0, "groups": PERSON}
    for method in ("snel", "filters_alone", "f_score"):
        assert len(methods.choose_columns(method, X, y, **asked)) == 2
    assert [groups is PERSON for groups in seen] == [True, True]
