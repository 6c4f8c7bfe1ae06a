"""Score columns by how much a forest loses when their values are permuted (Breiman 2001)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from snelfs.foundation.types import Floats, Places


def permutation_importance(forest: Any, X: Floats, y: NDArray[Any], seed: int) -> Floats:
    """Return the mean loss of accuracy, or gain in squared error, of the trees on rows out of their bags.

    Each column that a tree splits by is permuted among the rows that the tree was not trained on. What no
    tree uses has no importance, and costs nothing: of thousands of columns a tree has a dozen.

    Parameters
    ----------
    forest : RandomForestClassifier or RandomForestRegressor
        Fitted to `X` and `y` with bootstrap samples.
    y : array of shape (rows,)
        Classes from 0, or numbers.

    Examples
    --------
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> X = np.random.default_rng(0).standard_normal((100, 4))
    >>> y = (X[:, 1] > 0).astype(int)
    >>> int(permutation_importance(RandomForestClassifier(20, random_state=0).fit(X, y), X, y, 0).argmax())
    1
    """
    generator = np.random.default_rng(seed)
    is_class = hasattr(forest, "classes_")
    values = X.astype(np.float32)  # as trees take them
    total = np.zeros(X.shape[1])
    for tree, bag in zip(forest.estimators_, forest.estimators_samples_, strict=True):
        outside = np.setdiff1d(np.arange(len(X)), bag)
        if len(outside):
            total += _losses(tree, values[outside], y[outside], generator, is_class=is_class)
    return total / len(forest.estimators_)


def _losses(
    tree: Any, X: NDArray[np.float32], y: NDArray[Any], generator: np.random.Generator, *, is_class: bool
) -> Floats:
    """Return what one tree loses on some rows when each column is permuted."""
    used: Places = np.unique(tree.tree_.feature[tree.tree_.feature >= 0])
    before = _score(tree, X, y, is_class=is_class)
    losses = np.zeros(X.shape[1])
    for column in used:
        own = X[:, column].copy()
        X[:, column] = generator.permutation(own)
        losses[column] = before - _score(tree, X, y, is_class=is_class)
        X[:, column] = own
    return losses


def _score(tree: Any, X: NDArray[np.float32], y: NDArray[Any], *, is_class: bool) -> float:
    values = tree.tree_.predict(X)
    if is_class:
        return float(np.mean(values.reshape(len(X), -1).argmax(axis=1) == y))
    return -float(np.mean(np.square(values.ravel() - y)))
