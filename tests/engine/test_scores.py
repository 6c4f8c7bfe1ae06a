"""Validation scores agree with scikit-learn's, with weights."""

import numpy as np
import pytest
from sklearn import metrics

from snelfs.engine.network import row_losses
from snelfs.engine.scores import CLASSIFICATION, REGRESSION, Outcome

N_ROWS, N_RESTARTS = 30, 2
GENERATOR = np.random.default_rng(0)
COUNTS = GENERATOR.integers(0, 4, (N_RESTARTS, N_ROWS))
WEIGHTS = (COUNTS / COUNTS.sum(axis=1, keepdims=True)).astype(np.float32)


def outcome(task, n_units, y):
    outputs = np.random.default_rng(1).standard_normal((N_RESTARTS, n_units, N_ROWS)).astype(np.float32)
    return Outcome(task, outputs, row_losses(task, outputs, y), y, WEIGHTS)


def expected_class_score(name, y, predicted, counts, n_classes):
    if name == "accuracy":
        return metrics.accuracy_score(y, predicted, sample_weight=counts)
    if name == "balanced_accuracy":
        return metrics.balanced_accuracy_score(y, predicted, sample_weight=counts)
    average = "binary" if n_classes == 2 else "weighted"
    return metrics.f1_score(y, predicted, sample_weight=counts, average=average)


@pytest.mark.parametrize("name", ["accuracy", "balanced_accuracy", "f1"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_class_scores_are_those_of_scikit_learn(name, n_classes):
    """For two and for more classes, each restart with its own row weights."""
    y = np.arange(N_ROWS) % n_classes
    task, n_units = ("binary", 1) if n_classes == 2 else ("multiclass", n_classes)
    of = outcome(task, n_units, y)
    scores = CLASSIFICATION[name](of)
    for r in range(N_RESTARTS):
        predicted = np.asarray(of.predicted[r])
        expected = expected_class_score(name, y, predicted, COUNTS[r], n_classes)
        assert scores[r] == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("n_targets", [1, 2])
def test_regression_scores_are_those_of_scikit_learn(n_targets):
    """Mean squared error with a minus sign, and R²."""
    y = np.random.default_rng(2).standard_normal((n_targets, N_ROWS)).astype(np.float32)
    of = outcome("regression", n_targets, y)
    for r in range(N_RESTARTS):
        error = metrics.mean_squared_error(y.T, of.outputs[r].T, sample_weight=COUNTS[r])
        assert REGRESSION["mse"](of)[r] == pytest.approx(-error, rel=1e-5)
        r2 = metrics.r2_score(y.T, of.outputs[r].T, sample_weight=COUNTS[r])
        assert REGRESSION["r2"](of)[r] == pytest.approx(r2, rel=1e-5)


def test_a_class_without_validation_rows_does_not_spoil_the_score():
    """Balanced accuracy and F1 leave out classes that are not there."""
    y = np.zeros(N_ROWS, dtype=int)
    of = outcome("multiclass", 3, y)
    accuracy = CLASSIFICATION["accuracy"](of)
    np.testing.assert_allclose(CLASSIFICATION["balanced_accuracy"](of), accuracy, rtol=1e-5)
    assert np.isfinite(CLASSIFICATION["f1"](of)).all()
