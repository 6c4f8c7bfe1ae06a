"""How a selection is judged: rows held out, four models trained on the others, scores of their answers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.linear_model import Ridge
from sklearn.metrics import accuracy_score, f1_score, roc_auc_score
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.svm import SVC, SVR

from snelfs.data.splits import draw_folds
from snelfs.foundation.checks import ArgumentError
from snelfs.foundation.types import Floats, Ints, Places

CLASSIFIERS = ("NB", "SVC", "RF", "kNN")
REGRESSORS = ("ridge", "SVR", "RF", "kNN")
NEIGHBOURS = 5
TREES = 1000
# A forest of regression trees looks at a third of the columns at each split, as Breiman advises, and not at
# their root: ten times as many trees would take minutes on wide data.
REGRESSION_TREES = 100


def classifiers(seed: int) -> dict[str, Any]:
    """Return the paper's four classifiers, untrained."""
    return {
        "NB": GaussianNB(),
        "SVC": SVC(C=1.0, kernel="rbf"),
        "RF": RandomForestClassifier(TREES, criterion="entropy", random_state=seed),
        "kNN": KNeighborsClassifier(NEIGHBOURS),
    }


def regressors(seed: int) -> dict[str, Any]:
    """Return four regressors, untrained; they expect a target of mean 0 and deviation 1."""
    return {
        "ridge": Ridge(alpha=1.0),
        "SVR": SVR(C=1.0, kernel="rbf"),
        "RF": RandomForestRegressor(REGRESSION_TREES, max_features=1 / 3, random_state=seed),
        "kNN": KNeighborsRegressor(NEIGHBOURS),
    }


# So many seeds are tried for folds that test on every class; where groups hold several classes one may fail.
_TRIES = 100


def split(
    y: NDArray[np.generic], folds: int, seed: int, *, stratified: bool = True, groups: Ints | None = None
) -> list[tuple[Places, Places]]:
    """Return training and test rows of every fold of one repetition; rows of a group are never parted."""
    if groups is not None:
        return _grouped_split(y, folds, seed, stratified, groups)
    kind = StratifiedKFold if stratified else KFold
    return list(kind(folds, shuffle=True, random_state=seed).split(y, y))


def _grouped_split(
    y: NDArray[np.generic], folds: int, seed: int, stratified: bool, groups: Ints
) -> list[tuple[Places, Places]]:
    strata = np.unique(y, return_inverse=True)[1] if stratified else np.zeros(len(y), dtype=np.int64)
    for more in range(_TRIES):
        fold_of = draw_folds(strata, folds, seed + more, groups)
        present = np.unique(np.stack([fold_of, strata]), axis=1).shape[1]
        if fold_of.min() == 0 and present == folds * (strata.max() + 1):
            return [
                (np.flatnonzero(fold_of != fold), np.flatnonzero(fold_of == fold)) for fold in range(folds)
            ]
    raise ArgumentError(
        "folds", f"must be fewer: the groups cannot be shared out so that each of {folds} has every class."
    )


# -- scores -----------------------------------------------------------------------------------------


def f1(truth: NDArray[np.generic], predicted: NDArray[np.generic], positive: object = None) -> float:
    """Return F1 of a positive class, or without one the average over classes weighted by their rows.

    Examples
    --------
    >>> round(f1(np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1]), positive=1), 2)
    0.8
    """
    average: dict[str, object] = {"average": "weighted"}
    if positive is not None:
        average = {"average": "binary", "pos_label": positive}
    return float(f1_score(truth, predicted, zero_division=0, **average))


def auc(truth: NDArray[np.integer], votes: Floats) -> float:
    """Return the area under the ROC curve; of several classes the average of each against the rest.

    The average is weighted by the rows of the classes. By chance it is 0.5, however many there are of each.

    Parameters
    ----------
    truth : array of int, shape (rows,)
        Classes from 0, each of them present.
    votes : array of shape (rows,) or (rows, classes)
        Higher for rows that look more like the second class, or like each.

    Examples
    --------
    >>> auc(np.array([0, 0, 1, 1]), np.array([0.1, 0.4, 0.3, 0.8]))
    0.75
    """
    if votes.ndim == 1:
        return float(roc_auc_score(truth, votes))
    single = [roc_auc_score(truth == code, votes[:, code]) for code in range(votes.shape[1])]
    return float(np.average(single, weights=np.bincount(truth, minlength=votes.shape[1])))


def judge_classes(
    X: Floats, y: NDArray[np.intp], train: Places, test: Places, seed: int
) -> dict[str, dict[str, float]]:
    """Return AUC, F1 and accuracy of the four classifiers on the rows held out.

    Parameters
    ----------
    X : array of shape (rows, columns)
        Standardised.
    y : array of int, shape (rows,)
        Classes from 0. Of two, the second is the positive one.
    """
    positive = 1 if y.max() == 1 else None
    scores = {}
    for name, model in classifiers(seed).items():
        model.fit(X[train], y[train])
        predicted = model.predict(X[test])
        scores[name] = {
            "auc": auc(y[test], _votes(model, X[test])),
            "f1": f1(y[test], predicted, positive),
            "accuracy": float(accuracy_score(y[test], predicted)),
        }
    return scores


def _votes(model: Any, X: Floats) -> Floats:
    if hasattr(model, "decision_function"):
        return np.asarray(model.decision_function(X))
    probabilities = np.asarray(model.predict_proba(X))
    return probabilities[:, 1] if probabilities.shape[1] == 2 else probabilities


def judge_numbers(
    X: Floats, y: Floats, train: Places, test: Places, seed: int
) -> dict[str, dict[str, float]]:
    """Return R² of the four regressors on the rows held out.

    The error is measured against the variance of the target over all rows: the variance of the few rows
    held out is a poor yardstick, and a single row has none. The mean over folds is then R² of all rows.
    """
    centre, scale, variance = y[train].mean(), y[train].std() or 1.0, y.var()
    scores = {}
    for name, model in regressors(seed).items():
        predicted = model.fit(X[train], (y[train] - centre) / scale).predict(X[test]) * scale + centre
        scores[name] = {"r2": float(1 - np.mean(np.square(predicted - y[test])) / variance)}
    return scores
