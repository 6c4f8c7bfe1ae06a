"""Permuted forests: what is used and matters scores, what no tree uses does not."""

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

from snelfs.evaluation.rivals.permutation import permutation_importance


@pytest.mark.parametrize("kind", [RandomForestClassifier, RandomForestRegressor])
def test_relevant_columns_score_and_noise_is_about_zero(kind):
    """The rows a tree is judged on are not those it was trained on, so that noise does not gain by itself."""
    X = np.random.default_rng(0).standard_normal((150, 8))
    y = (X[:, 3] > 0).astype(int) if kind is RandomForestClassifier else X[:, 3]
    before = X.copy()
    importance = permutation_importance(kind(60, random_state=0).fit(X, y), X, y, 0)
    assert importance.argmax() == 3
    assert np.abs(np.delete(importance, 3)).max() < importance[3] / 5
    assert np.array_equal(X, before)


def test_a_column_that_no_tree_uses_has_no_importance():
    X = np.random.default_rng(0).standard_normal((60, 3))
    X[:, 1] = 1.0
    y = (X[:, 0] > 0).astype(int)
    assert permutation_importance(RandomForestClassifier(10, random_state=0).fit(X, y), X, y, 0)[1] == 0
