"""Estimators around layers that were trained elsewhere, and the layers of estimators."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from snelfs.data.prepared import Prepared
from snelfs.data.splits import share
from snelfs.engine import layer, penalties
from snelfs.engine.history import History
from snelfs.engine.objective import Parameters
from snelfs.engine.training import Training
from snelfs.estimators.base import SNeLSelector
from snelfs.foundation.checks import ArgumentError, count
from snelfs.foundation.types import Ints, Reals, Singles
from snelfs.layer.best_selection import BestSelection
from snelfs.search.options import Options
from snelfs.search.search import Search
from snelfs.search.training_round import Round, layer_saliencies

Selector = TypeVar("Selector", bound=SNeLSelector)


def fit_with_layers(
    estimator: Selector, X: ArrayLike, y: ArrayLike, layers: Sequence[ArrayLike | BestSelection]
) -> Selector:
    """Fit an estimator around layers that were trained elsewhere, so that reports and plots work on them.

    Nothing is searched: the layers take the place of the restarts, and their mean, or their vote, is the
    ranking. As in `fit`, a network is trained on the selected columns for predictions.

    Parameters
    ----------
    estimator : SNeLClassifier or SNeLRegressor
        It is fitted in place. Of its parameters `n_features_to_select` (a number), `threshold`, `saliency`,
        `combine`, `penalty_limit` and those of the network count. What the networks behind the layers use of
        them is not known here, so that the saliency "used" is taken as "max".
    X, y : array-like
        The rows that the layers were trained on.
    layers : sequence of arrays of shape (n_neurons, n_features), or of BestSelection
        The weights on standardised columns; all layers have as many neurons. With `BestSelection` the course
        of the training is kept, too.

    Returns
    -------
    estimator

    Examples
    --------
    >>> from snelfs import SNeLRegressor, fit_with_layers
    >>> X = np.random.default_rng(0).standard_normal((50, 6))
    >>> copies = np.eye(6)[[4, 1]]
    >>> fitted = fit_with_layers(SNeLRegressor(2), X, X[:, 1] - X[:, 4], [copies])
    >>> fitted.get_support(indices=True).tolist()
    [1, 4]
    """
    if isinstance(estimator.n_features_to_select, str) or estimator.n_shuffles:
        raise ArgumentError(
            "estimator",
            "must select a number of features, without 'auto' or shuffles: these ask for searches.",
        )
    if estimator.covariates is not None:
        raise ArgumentError("estimator", "must have no covariates: the layers were trained without them.")
    data, options, seed = estimator._question(X, y)
    if data.units is not None:
        raise ArgumentError(
            "estimator", "must have no feature_groups, and X no categories: layers are trained without them."
        )
    data = data.columns(np.arange(len(data.kept)))  # dense, as the layers' outputs are measured
    W = _weights(layers, estimator.n_features_in_)
    measure = "max" if options.saliency == "used" else options.saliency
    options = replace(options, dim=W.shape[1], n_restarts=len(W), saliency=measure)
    best, history = _course(layers, W[..., data.kept], data, options)
    trained = Parameters(W[..., data.kept], [])
    training = Training(*trained, best_epoch=best, history=history, last=trained)
    taught = Round.of(data.kept, training, layer_saliencies(training, data, options), options)
    estimator._settle(Search(None, taught, taught), data, options, seed)
    return estimator


def best_restart(estimator: SNeLSelector, restart: int | None = None) -> int:
    """Return the restart asked for, or the one whose best epoch has the highest validation score."""
    n = len(estimator.saliencies_)
    if restart is None:
        epochs = np.maximum(estimator.best_epoch_, 0)
        scores = estimator.history_.score[np.arange(n), epochs]
        return int(np.where(np.isfinite(scores), scores, -np.inf).argmax())
    if count("restart", restart, 0) >= n:
        raise ArgumentError("restart", f"must be from 0 to {n - 1}, got {restart!r}.")
    return int(restart)


def _weights(layers: Sequence[Any], n_features: int) -> Singles:
    """Return the weights of all layers, of shape (layers, n_neurons, n_features), or raise."""
    given = [np.asarray(each.weights if isinstance(each, BestSelection) else each) for each in layers]
    shapes = sorted({each.shape for each in given})
    if len(shapes) != 1 or len(shapes[0]) != 2 or shapes[0][1] != n_features:
        raise ArgumentError(
            "layers", f"must be of one shape (n_neurons, {n_features}) with the data's columns, got {shapes}."
        )
    W = np.stack(given).astype(np.float32)
    if not np.isfinite(W).all():
        raise ArgumentError("layers", "must have finite weights, got some that are missing or infinite.")
    return W


def _course(layers: Sequence[Any], W: Singles, data: Prepared, options: Options) -> tuple[Ints, History]:
    """Return the best epochs and the history; of layers alone it is one epoch, measured on the data."""
    lengths = {len(each.looks) if isinstance(each, BestSelection) else 0 for each in layers}
    if len(lengths) > 1 or lengths == {0}:
        return np.zeros(len(W), np.int64), _measured(W, data, options)
    best = np.array([each.epoch for each in layers])
    looks = np.array([each.looks for each in layers], dtype=np.float32)  # (layers, epochs, fields)
    sums, variances, scores, objectives, admitted, lambda_s, lambda_a = np.moveaxis(looks, -1, 0)
    return best, _history(
        sums, variances, scores, objectives, admitted.astype(bool), lambda_s=lambda_s[0], lambda_a=lambda_a[0]
    )


def _measured(W: Singles, data: Prepared, options: Options) -> History:
    A = layer.forward(np.asarray(data.Z), W)
    variances = penalties.variance(A, np.tile(share(data.rows.weights), (len(W), 1)))
    sums = np.asarray(penalties.sum_penalty(W)).mean(axis=1)[:, None]
    lacks = np.asarray(penalties.variance_penalty(variances)).mean(axis=1)[:, None]
    unknown = np.full_like(sums, np.nan)
    admitted = np.maximum(sums, lacks) <= options.penalty_limit
    return _history(sums, lacks, unknown, unknown, admitted, lambda_s=np.zeros(1), lambda_a=np.zeros(1))


def _history(
    sums: Reals,
    variances: Reals,
    scores: Reals,
    objectives: Reals,
    admitted: Any,
    lambda_s: Reals,
    lambda_a: Reals,
) -> History:
    """Return a history without what only the trainer knows: rates and losses."""
    unknown = np.full(sums.shape, np.nan, np.float32)
    return History(
        lambda_s=lambda_s.astype(np.float32),
        lambda_a=lambda_a.astype(np.float32),
        learning_rate=np.full(len(lambda_s), np.nan, np.float32),
        train_loss=unknown,
        validation_loss=unknown,
        sum_penalty=sums.astype(np.float32),
        variance_penalty=variances.astype(np.float32),
        score=scores.astype(np.float32),
        objective=objectives.astype(np.float32),
        admitted=admitted,
    )
