"""Rivals: other ways to choose columns, behind one interface."""

from __future__ import annotations

import difflib
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from snelfs.evaluation.rivals import gates
from snelfs.evaluation.rivals.decorrelated import car_scores, cat_scores
from snelfs.evaluation.rivals.joint_information import joint_information
from snelfs.evaluation.rivals.mrmr import deviation_states, mrmr, mutual_informations, quantile_states
from snelfs.evaluation.rivals.permutation import permutation_importance
from snelfs.evaluation.rivals.relief import relieff, rrelieff
from snelfs.foundation.checks import ArgumentError, choice, count
from snelfs.foundation.extras import require
from snelfs.foundation.task import TASKS
from snelfs.foundation.types import Floats, Places
from snelfs.search.turns import in_turns

Chooser: TypeAlias = Callable[[Floats, NDArray[Any], str, int, int], Places]

# LassoNet's arguments beyond its own defaults: none.
LASSONET: dict[str, Any] = {}


@dataclass(frozen=True)
class Rival:
    """A way to choose columns; `choose` calls it with all checks.

    Parameters
    ----------
    name : str
        What `choose` calls it.
    title : str
        What tables call it.
    choose : callable
        Takes X, y (classes as integers from 0, or floats), task, n_features and seed; returns the chosen
        columns, best first.
    needs : tuple of str
        Packages it imports beyond the core's; the extra ``bench`` installs them.
    slow : bool
        Whether it trains a network for long.
    """

    name: str
    title: str
    choose: Chooser
    needs: tuple[str, ...] = ()
    slow: bool = False


@dataclass(frozen=True)
class _Candidates:
    """What a rival scores: columns of which none is constant, and encoded classes or a number."""

    X: Floats
    y: NDArray[Any]
    has_classes: bool
    seed: int


Scorer: TypeAlias = Callable[[_Candidates], Floats]


def choose(name: str, X: ArrayLike, y: ArrayLike, task: str, n_features: int, seed: int = 0) -> Places:
    """Return the columns that a rival chooses, best first.

    Equal columns come in an order drawn with the seed, and constant columns last.

    Parameters
    ----------
    name : str
        A key of `RIVALS`.
    X : array-like of shape (rows, columns)
        Finite numbers on any scale.
    y : array-like of shape (rows,)
        Class labels of any kind, or numbers.
    task : {"classification", "regression"}
    n_features : int
        How many to choose; at most all columns are returned. ``no_fs`` returns all in any case.

    Examples
    --------
    >>> X = np.array([[0.0, 5.0], [1.0, 5.1], [0.0, 9.0], [1.0, 9.1]])
    >>> choose("f_score", X, ["a", "a", "b", "b"], "classification", 1)
    array([1])
    """
    if name not in RIVALS:
        raise ArgumentError("name", _unknown(name))
    choice("task", task, TASKS)
    count("n_features", n_features, 1)
    count("seed", seed, 0)
    rival = RIVALS[name]
    for package in rival.needs:
        require(package, "bench", f"The rival {name!r}")
    columns, target = _checked(X, y, task)
    return rival.choose(columns, target, task, n_features, seed)


def _checked(X: ArrayLike, y: ArrayLike, task: str) -> tuple[Floats, NDArray[Any]]:
    columns, labels = np.asarray(X, dtype=np.float64), np.asarray(y)
    if columns.ndim != 2 or not np.isfinite(columns).all():
        raise ValueError("X must be a table of finite numbers.")
    if labels.shape != columns.shape[:1]:
        raise ValueError(f"y must have one value for each of the {len(columns)} rows, got {labels.shape}.")
    values, codes = np.unique(labels, return_inverse=True)
    if len(values) < 2:
        raise ValueError(f"y must have at least two values, got {values[0]!r} alone.")
    return columns, codes if task == "classification" else labels.astype(np.float64)


def _unknown(name: object) -> str:
    near = difflib.get_close_matches(str(name), RIVALS, n=1)
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    return f"must be one of {', '.join(map(repr, RIVALS))}, got {name!r}{hint}."


# -- from scores to a choice ------------------------------------------------------------------------


def _by_score(score: Scorer) -> Chooser:
    """Return the chooser that takes the columns of greatest score."""

    def take_best(X: Floats, y: NDArray[Any], task: str, n_features: int, seed: int) -> Places:
        varying, constant = _split(X, seed)
        if not len(varying):
            return constant[:n_features]
        scores = score(_Candidates(X[:, varying], y, task == "classification", seed))
        return np.concatenate([varying[_best_first(np.atleast_2d(scores))], constant])[:n_features]

    return take_best


def _split(X: Floats, seed: int) -> tuple[Places, Places]:
    """Return the varying and the constant columns, each in random order.

    Whoever takes the first of equals then takes one at random: tables often have their relevant columns
    first, and ties broken by position would count as hits.
    """
    shuffled = np.random.default_rng(seed).permutation(X.shape[1])
    varies = np.ptp(X, axis=0)[shuffled] > 0
    return shuffled[varies], shuffled[~varies]


def _best_first(scores: Floats) -> Places:
    """Return the columns by falling score; a later row of scores decides where those before are equal."""
    with np.errstate(over="ignore"):
        # In single precision, since equal columns may differ in the last bits.
        keys = np.where(np.isnan(scores), -np.inf, scores).astype(np.float32)
    return np.lexsort(-keys[::-1])


def _standardised(values: Floats) -> Floats:
    """Return every column with mean 0 and deviation 1."""
    centred = values - values.mean(axis=0)
    deviation = centred.std(axis=0)
    return np.asarray(centred / np.where(deviation > 0, deviation, 1))


# -- the rivals -------------------------------------------------------------------------------------


def _f_score(candidates: _Candidates) -> Floats:
    from sklearn.feature_selection import f_classif, f_regression

    score = f_classif if candidates.has_classes else f_regression
    with np.errstate(divide="ignore", invalid="ignore"):
        # A column constant within every class divides by 0, or by what rounding leaves of it: its right score
        # is as large as can be.
        return np.asarray(np.abs(score(candidates.X, candidates.y)[0]))


def _mutual_information(candidates: _Candidates) -> Floats:
    """Score by the information in states, as mRMR has it.

    scikit-learn's estimate from neighbours takes a minute for 22,283 columns, this one a tenth of a second.
    """
    target = candidates.y if candidates.has_classes else quantile_states(candidates.y)
    return mutual_informations(deviation_states(candidates.X), target)


def _mrmr(X: Floats, y: NDArray[Any], task: str, n_features: int, seed: int) -> Places:
    """Choose by mRMR of columns in three states; a number as target is cut into five of equal frequency."""
    varying, constant = _split(X, seed)
    if not len(varying):
        return constant[:n_features]
    target = y if task == "classification" else quantile_states(y)
    chosen = mrmr(deviation_states(X[:, varying]), target, n_features)
    return np.concatenate([varying[chosen], constant])[:n_features]


def _by_pairs(*, relative: bool) -> Chooser:
    """Return the chooser by JMI, or by DISR, of columns in the same states as mRMR's."""

    def take_in_order(X: Floats, y: NDArray[Any], task: str, n_features: int, seed: int) -> Places:
        varying, constant = _split(X, seed)
        if not len(varying):
            return constant[:n_features]
        target = y if task == "classification" else quantile_states(y)
        chosen = joint_information(deviation_states(X[:, varying]), target, n_features, relative=relative)
        return np.concatenate([varying[chosen], constant])[:n_features]

    return take_in_order


def _three_lists(X: Floats, y: NDArray[Any], task: str, n_features: int, seed: int) -> Places:
    """Choose what the F score, JMI and a sparse linear model name in turns."""
    lists = [
        RIVALS[name].choose(X, y, task, min(n_features, X.shape[1]), seed)
        for name in ("f_score", "jmi", "l1")
    ]
    return in_turns(lists, n_features)


def _decorrelated(candidates: _Candidates) -> Floats:
    score: Callable[..., Floats] = cat_scores if candidates.has_classes else car_scores
    return score(candidates.X, candidates.y)


def _relieff(candidates: _Candidates) -> Floats:
    weigh = relieff if candidates.has_classes else rrelieff
    return weigh(candidates.X, candidates.y)


def _random_forest(candidates: _Candidates) -> Floats:
    return np.asarray(_forest(candidates).feature_importances_)


def _forest_permuted(candidates: _Candidates) -> Floats:
    return permutation_importance(_forest(candidates), candidates.X, candidates.y, candidates.seed)


def _forest(candidates: _Candidates) -> Any:
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

    common = {"n_jobs": 1, "random_state": candidates.seed}
    if candidates.has_classes:
        model = RandomForestClassifier(500, **common)
    else:
        # A third of the columns at each split, as Breiman advises: with all of them, scikit-learn's default,
        # 5,000 rows take a quarter of an hour.
        model = RandomForestRegressor(100, max_features=1 / 3, **common)
    return model.fit(candidates.X, candidates.y)


def _l1(candidates: _Candidates) -> Floats:
    """Score by the largest coefficient of a sparse linear model, and those without one by their F."""
    from sklearn.exceptions import ConvergenceWarning

    fit = _logistic_coefficients if candidates.has_classes else _lasso_coefficients
    with warnings.catch_warnings():
        # The last digits of the coefficients do not matter to their order.
        warnings.simplefilter("ignore", ConvergenceWarning)
        coefficients = fit(_standardised(candidates.X), candidates.y, candidates.seed)
    return np.stack([np.abs(coefficients).max(axis=0), _f_score(candidates)])


def _logistic_coefficients(X: Floats, y: NDArray[Any], seed: int) -> Floats:
    from sklearn.linear_model import LogisticRegression
    from sklearn.multiclass import OneVsRestClassifier

    # scikit-learn 1.8 spells penalty="l1" anew, and each release warns of the other's spelling.
    kind = {"l1_ratio": 1.0} if LogisticRegression().penalty == "deprecated" else {"penalty": "l1"}
    model = LogisticRegression(C=1.0, solver="liblinear", random_state=seed, **kind)
    if y.max() == 1:
        return np.asarray(model.fit(X, y).coef_)
    return np.concatenate([each.coef_ for each in OneVsRestClassifier(model).fit(X, y).estimators_])


def _lasso_coefficients(X: Floats, y: NDArray[Any], seed: int) -> Floats:
    from sklearn.linear_model import LassoCV
    from sklearn.model_selection import KFold

    # Shuffled, for rows sorted by their target.
    folds = KFold(min(5, len(y)), shuffle=True, random_state=seed)
    return np.atleast_2d(LassoCV(cv=folds, n_jobs=1).fit(X, y).coef_)


def _lassonet(candidates: _Candidates) -> Floats:
    """Score by the penalty at which LassoNet, at its own defaults, drops the column."""
    import torch

    with warnings.catch_warnings():
        # It warns where the first penalty, its own choice, already drops columns.
        warnings.filterwarnings("ignore", "lambda_start=", UserWarning)
        from lassonet import LassoNetClassifier, LassoNetRegressor

        network = LassoNetClassifier if candidates.has_classes else LassoNetRegressor
        model = network(
            verbose=0,
            device=torch.device("cpu"),
            random_state=candidates.seed,
            torch_seed=candidates.seed,
            **LASSONET,
        )
        target = _common_last(candidates.y) if candidates.has_classes else _standardised(candidates.y)
        # It seeds the global generator of torch, which is given back as it was.
        with torch.random.fork_rng(devices=[]):
            model.path(_standardised(candidates.X).astype(np.float32), target)
    return np.asarray(model.feature_importances_.numpy(), dtype=np.float64)


def _common_last(y: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the classes renumbered by rising frequency.

    LassoNet takes the greatest number among the rows it trains on for the number of classes; the most
    common class is sure to be there.
    """
    return np.argsort(np.argsort(np.bincount(y), kind="stable"))[y]


def _stochastic_gates(candidates: _Candidates) -> Floats:
    """Score by the means of stochastic gates, at the settings of their authors' examples."""
    inputs = _standardised(candidates.X).astype(np.float32)
    if candidates.has_classes:
        return gates.gate_means(
            inputs, candidates.y, int(candidates.y.max()) + 1, gates.CLASSIFICATION, candidates.seed
        )
    return gates.gate_means(inputs, _standardised(candidates.y), 0, gates.REGRESSION, candidates.seed)


RIVALS: dict[str, Rival] = {
    rival.name: rival
    for rival in (
        Rival("no_fs", "no selection", lambda X, *_: np.arange(X.shape[1])),
        Rival("random", "random columns", _by_score(lambda candidates: np.zeros(candidates.X.shape[1]))),
        Rival("f_score", "F score", _by_score(_f_score)),
        Rival("mutual_information", "mutual information", _by_score(_mutual_information)),
        Rival("mrmr", "mRMR", _mrmr),
        Rival("jmi", "JMI", _by_pairs(relative=False)),
        Rival("disr", "DISR", _by_pairs(relative=True)),
        Rival("cat", "CAT score", _by_score(_decorrelated)),
        Rival("relieff", "ReliefF", _by_score(_relieff)),
        Rival("random_forest", "random forest", _by_score(_random_forest)),
        Rival("forest_permuted", "random forest, permuted", _by_score(_forest_permuted)),
        Rival("l1", "L1 linear model", _by_score(_l1)),
        Rival("three_lists", "F score, JMI and L1 in turns", _three_lists),
        Rival("lassonet", "LassoNet", _by_score(_lassonet), ("torch", "lassonet"), slow=True),
        Rival("stochastic_gates", "stochastic gates", _by_score(_stochastic_gates), ("torch",), slow=True),
    )
}
