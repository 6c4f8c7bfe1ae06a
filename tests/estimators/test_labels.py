"""Several labels a row."""

import numpy as np
import pytest
from sklearn.exceptions import DataConversionWarning

from snelfs import SNeLClassifier
from snelfs.data.target import encode_labels
from snelfs.engine import scores
from snelfs.engine.network import row_losses

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@pytest.fixture(scope="module")
def labelled(table):
    """Two labels, of two columns each."""
    X, _ = table
    return X, np.c_[X[:, 4] + X[:, 11] > 0, X[:, 17] - X[:, 2] > 0.5].astype(int)


def test_labels_are_learnt_together(labelled, quick):
    """The columns of both are found, and predictions have a column for each."""
    X, Y = labelled
    selector = SNeLClassifier(**quick).fit(X, Y)
    assert selector.support_[[4, 11, 17, 2]].sum() >= 3
    assert selector.classes_.tolist() == [0, 1]
    assert selector.predict(X).shape == selector.predict_proba(X).shape == (60, 2)
    assert (selector.predict(X) == Y).mean() > 0.9
    np.testing.assert_array_equal(selector.predict_proba(X) > 0.5, selector.predict(X) == 1)


def test_auto_q_values_and_groups_take_labels(labelled, quick):
    """Held-out scores are balanced accuracies of the labels."""
    X, Y = labelled
    settings = quick | {"n_features_to_select": "auto", "n_shuffles": 2, "refine": False, "steps": 4}
    selector = SNeLClassifier(**settings).fit(X, Y, groups=np.arange(60) // 2)
    assert (selector.n_features_curve_.mean <= 1).all()
    assert selector.q_values_.min() >= 1 / 3


def test_a_row_counts_for_its_rarest_label():
    """Or for none; what is constant is said, and so are weights."""
    Y = np.array([[1, 0], [1, 1], [0, 0], [1, 0], [0, 1]])
    assert encode_labels(Y, None)[1].strata.tolist() == [0, 1, 2, 0, 1]
    with pytest.raises(ValueError, match="Label 1 of y is 0 in every row"):
        encode_labels(Y * [1, 0], None)
    with pytest.raises(
        ValueError, match="class_weight must be None for several labels a row, got 'balanced'"
    ):
        encode_labels(Y, "balanced")


def test_losses_and_scores_by_hand():
    """The mean over labels of what each has alone."""
    outputs = np.array([[[2.0, -1.0, 1.0, -3.0], [0.5, 0.5, -0.5, 2.0]]])
    y = np.array([[1.0, 0, 0, 0], [1, 1, 1, 0]])
    losses = np.asarray(row_losses("multilabel", outputs, y))
    single = [np.asarray(row_losses("binary", outputs[:, [place]], y[place])) for place in range(2)]
    np.testing.assert_allclose(losses, np.mean(single, axis=0), rtol=1e-6)
    of = scores.Outcome("multilabel", outputs, losses, y, np.full((1, 4), 0.25))
    alone = [
        scores.Outcome("binary", outputs[:, [place]], single[place], y[place].astype(int), of.weights)
        for place in range(2)
    ]
    for score in scores.CLASSIFICATION.values():
        expected = np.mean([np.asarray(score(each)) for each in alone], axis=0)
        np.testing.assert_allclose(np.asarray(score(of)), expected, rtol=1e-5)


def test_other_matrices_are_said(table, quick):
    """Classes of several columns are no labels; one column is a vector, with scikit-learn's warning."""
    X, y = table
    with pytest.raises(ValueError, match="y of several columns must hold 0 and 1"):
        SNeLClassifier(**quick).fit(X, np.c_[np.arange(60) % 3, np.arange(60) % 2])
    with pytest.warns(DataConversionWarning):
        SNeLClassifier(**quick).fit(X, (y > 0).astype(int)[:, None])
