"""How a selection is judged."""

import numpy as np
import pytest
from sklearn.metrics import r2_score, roc_auc_score

from snelfs.evaluation import judges
from snelfs.evaluation.judges import auc, classifiers, judge_classes, judge_numbers, regressors, split


def test_auc_of_several_classes_is_that_of_scikit_learn():
    generator = np.random.default_rng(0)
    truth = np.array([0] * 5 + [1] * 8 + [2] * 12)
    votes = generator.dirichlet(np.ones(3), len(truth))
    expected = roc_auc_score(truth, votes, multi_class="ovr", average="weighted")
    assert auc(truth, votes) == pytest.approx(expected)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_every_classifier_has_every_score(n_classes):
    """Classes far apart are told apart by all of them: all scores are 1."""
    y = np.repeat(np.arange(n_classes), 12)
    X = np.random.default_rng(0).standard_normal((len(y), 3)) / 10 + y[:, None]
    train, test = split(y, 3, seed=0)[0]
    scores = judge_classes(X, y, train, test, seed=0)
    assert tuple(scores) == judges.CLASSIFIERS == tuple(classifiers(0))
    assert all(each == {"auc": 1.0, "f1": 1.0, "accuracy": 1.0} for each in scores.values())


def test_the_mean_of_r2_over_folds_is_that_of_all_rows():
    """Folds of equal size; a fold's own variance would be another yardstick in each."""
    X = np.random.default_rng(0).standard_normal((30, 2))
    y = 100 + 7 * X[:, 0]
    predicted, by_fold = np.empty(30), []
    for train, test in split(y, 3, seed=0, stratified=False):
        by_fold.append(judge_numbers(X, y, train, test, seed=0)["ridge"]["r2"])
        centre, scale = y[train].mean(), y[train].std()
        model = regressors(0)["ridge"].fit(X[train], (y[train] - centre) / scale)
        predicted[test] = model.predict(X[test]) * scale + centre
    assert np.mean(by_fold) == pytest.approx(r2_score(y, predicted))
    assert np.mean(by_fold) > 0.9


def test_the_scale_of_the_target_changes_no_r2():
    X = np.random.default_rng(0).standard_normal((30, 2))
    train, test = split(X[:, 0], 3, seed=0, stratified=False)[0]
    small, large = (judge_numbers(X, scale * X[:, 0], train, test, seed=0) for scale in (1, 1e6))
    assert tuple(small) == judges.REGRESSORS
    for model in small:
        assert small[model]["r2"] == pytest.approx(large[model]["r2"], abs=1e-6)
