"""Choose settings on validation rows within the training data, all candidates trained in one batch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone

from snelfs.data.censored import stratified
from snelfs.engine.training import Training
from snelfs.estimators.base import SNeLSelector
from snelfs.foundation import checks
from snelfs.foundation.naming import named_in_root
from snelfs.search.evidence import as_it_enters
from snelfs.search.options import Options
from snelfs.search.search import first_columns
from snelfs.search.training_round import train_side_by_side

# Settings in which candidates of one batch may differ; any other shapes the program.
TUNABLE = ("lambda_s", "lambda_a", "alpha_l1", "alpha_l2", "hidden_layer_sizes")

# Three levels of three settings in nine candidates, every pair of levels once (an orthogonal array).
_LEVELS = [(0, 0, 0), (0, 1, 1), (0, 2, 2), (1, 0, 1), (1, 1, 2), (1, 2, 0), (2, 0, 2), (2, 1, 0), (2, 2, 1)]
_TOPS = (1.0, 3.0, 9.0)  # of the penalty ranges, divided by the number of neurons
_ALPHAS = ((0.001, 0.007), (0.003, 0.02), (0.01, 0.06))  # of l1 and l2
_UNITS = (10, 20, 40)


@named_in_root
@dataclass(frozen=True, repr=False)
class Tuning:
    """Hold what `tune` found.

    Attributes
    ----------
    best_params : dict
        The settings of the best candidate, for ``set_params``.
    candidates : list of dict
        All candidates, in the order given.
    validation_loss : ndarray of shape (n_candidates, n_restarts)
        Loss on the validation rows at each model's best epoch; infinite if none of its epochs was admitted.
    """

    best_params: dict[str, Any]
    candidates: list[dict[str, Any]]
    validation_loss: NDArray[np.float64]

    def __repr__(self) -> str:
        """Return the best settings and how many were tried; the losses are numbers by the hundred."""
        n_candidates, n_restarts = self.validation_loss.shape
        return (
            f"Tuning(best_params={self.best_params}, mean_loss={self.mean_loss.min():.4g}, "
            f"{n_candidates} candidates of {n_restarts} restarts)"
        )

    @property
    def mean_loss(self) -> NDArray[np.float64]:
        """Return each candidate's validation loss, averaged over its restarts."""
        return np.asarray(self.validation_loss.mean(axis=1))


def tune(
    estimator: SNeLSelector,
    X: ArrayLike,
    y: ArrayLike,
    candidates: Sequence[Mapping[str, Any]] | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    strata: ArrayLike | None = None,
) -> Tuning:
    """Return the settings that predict rows left out of training best.

    All candidates are trained side by side, with the same splits into training and validation rows: that is
    the first round of one fit with as many models. Nothing but the given rows is used, so that it may be
    called within the folds of a cross-validation.

    Parameters
    ----------
    estimator : SNeLClassifier or SNeLRegressor
        Its settings hold where a candidate does not differ; `n_restarts` is for each candidate. It is not
        changed.
    X, y, sample_weight, groups : array-like
        As for ``fit``.
    strata : array-like, optional
        As for ``SNeLSurvival.fit``, and for no other estimator.
    candidates : sequence of dict, optional
        Each with some of `lambda_s`, `lambda_a`, `alpha_l1`, `alpha_l2` and `hidden_layer_sizes` (as many
        layers in each). By default nine that cover three tops of the penalty ranges, three strengths of l1
        and l2, and 10, 20 and 40 hidden units.

    Examples
    --------
    >>> from snelfs import SNeLRegressor, tune
    >>> from snelfs.datasets import make_linear
    >>> X, y, _ = make_linear(60, 20, random_state=0)
    >>> selector = SNeLRegressor(n_features_to_select=5, n_restarts=2, steps=10, random_state=0)
    >>> found = tune(selector, X, y, [{"alpha_l1": 0.001}, {"alpha_l1": 1.0}])
    >>> found.best_params
    {'alpha_l1': 0.001}
    """
    model = clone(estimator)
    rows = model._check_rows(X, stratified(y, strata), sample_weight, groups)
    given = _checked(candidates) if candidates is not None else None
    shape = rows.X.shape[1], len(model._beside.covariates), model._units
    if given is None:
        given = default_candidates(model._options(*shape).dim)
    # The network that predicts has no path past its hidden units; with one l1 and l2 make no difference.
    variants = [replace(clone(model).set_params(**one)._options(*shape), direct=False) for one in given]
    _check_depths(variants)
    seed = int(checks.random_numbers(model.random_state).randint(2**31))
    data = as_it_enters(model._prepare(rows), variants[0])
    part, shares = first_columns(data, variants[0])[1:]
    training = train_side_by_side(as_it_enters(part, variants[0]), variants, shares, seed)
    losses = _best_losses(training).reshape(len(given), -1)
    best = int(np.argmin(losses.mean(axis=1)))
    return Tuning(dict(given[best]), given, losses)


def default_candidates(dim: int) -> list[dict[str, Any]]:
    """Return nine candidates for a layer of `dim` neurons."""
    candidates = []
    for level_lambda, level_alpha, level_units in _LEVELS:
        top, (l1, l2) = _TOPS[level_lambda] / dim, _ALPHAS[level_alpha]
        ranges = (min(0.01, top / 10), top)
        candidates.append(
            {
                "lambda_s": ranges,
                "lambda_a": ranges,
                "alpha_l1": l1,
                "alpha_l2": l2,
                "hidden_layer_sizes": (_UNITS[level_units],),
            }
        )
    return candidates


def _checked(candidates: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    if not len(candidates):
        raise checks.ArgumentError("candidates", "must hold at least one dict of settings, got none.")
    for one in candidates:
        strangers = [name for name in one if name not in TUNABLE]
        if strangers:
            raise checks.ArgumentError("candidates", f"may set {', '.join(TUNABLE)}, got {strangers[0]!r}.")
    return [dict(one) for one in candidates]


def _check_depths(variants: Sequence[Options]) -> None:
    depths = {len(variant.hidden_layer_sizes) for variant in variants}
    if len(depths) > 1:
        raise checks.ArgumentError(
            "hidden_layer_sizes", f"of all candidates must have as many layers, got {sorted(depths)}."
        )


def _best_losses(training: Training) -> NDArray[np.float64]:
    """Return every model's validation loss at its best epoch; infinite if no epoch was admitted."""
    models = np.arange(len(training.best_epoch))
    losses = training.history.validation_loss[models, training.best_epoch].astype(np.float64)
    return np.where(training.history.admitted.any(axis=1) & np.isfinite(losses), losses, np.inf)
