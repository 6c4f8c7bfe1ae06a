"""How many columns are enough: held-out scores along the ranking, and the smallest number near the best.

Every fold repeats the whole search on its training rows. A ranking that had seen the held-out rows would make
columns of noise look useful on them, and the more columns there are to choose from the more so.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from snelfs.data.concordance import concordance
from snelfs.data.prepared import Prepared
from snelfs.data.splits import draw_folds, share
from snelfs.foundation.naming import named_in_root
from snelfs.foundation.progress import Progress, is_over, parts
from snelfs.foundation.types import Floats, Ints
from snelfs.search.null_model import saved_share
from snelfs.search.options import Options
from snelfs.search.predictor import Network, Predictor, refit
from snelfs.search.ranking import ranked_units
from snelfs.search.search import search

# About evenly apart in their logarithms: one column more says much among few and little among many.
_GRID = np.array([1, 2, 3, 5, 7, 10, 15, 20, 30, 50])

FOLDS = 5


@named_in_root
class Curve(NamedTuple):
    """Hold how well the best columns predict held-out rows, by their number.

    Attributes
    ----------
    n_features : ndarray of int
        The numbers tried, rising.
    mean : ndarray of float
        Mean score over the folds with each; higher is better.
    error : ndarray of float
        Standard error of that mean.
    chosen : int
        The smallest number whose mean is within one standard error of the best.
    """

    n_features: Ints
    mean: Floats
    error: Floats
    chosen: int


def sizes(largest: int) -> Ints:
    """Return the numbers of columns to try, up to `largest` and with it.

    Examples
    --------
    >>> sizes(12).tolist()
    [1, 2, 3, 5, 7, 10, 12]
    """
    return np.append(_GRID[largest > _GRID], largest)


def one_standard_error(n_features: ArrayLike, scores: ArrayLike) -> Curve:
    """Return the curve of scores, and the smallest number within one standard error of the best.

    Parameters
    ----------
    n_features : array-like of int, shape (sizes,)
        In rising order.
    scores : array-like of shape (folds, sizes)
        At least two folds; higher is better.

    Examples
    --------
    >>> curve = one_standard_error([1, 2, 3], [[0.5, 0.8, 0.9], [0.6, 0.9, 0.8], [0.7, 0.9, 1.0]])
    >>> curve.mean.round(2).tolist(), curve.error.round(2).tolist(), curve.chosen
    ([0.6, 0.87, 0.9], [0.06, 0.03, 0.06], 2)
    """
    numbers, table = np.asarray(n_features, dtype=np.int64), np.asarray(scores, dtype=np.float64)
    mean = table.mean(axis=0)
    error = np.sqrt(table.var(axis=0, ddof=1) / len(table))
    best = mean.argmax()  # the first, so the smallest, of equals
    within = mean >= mean[best] - error[best]
    return Curve(numbers, mean, error, int(numbers[within.argmax()]))


def score_curve(
    data: Prepared,
    options: Options,
    network: Network,
    seed: int,
    folds: int = FOLDS,
    on_progress: Progress | None = None,
) -> Curve | None:
    """Return the held-out scores along rankings of columns, and the number of columns they ask for.

    The score is the balanced accuracy for classes, R² for numbers, the c-index for censored times, and for a
    loss of the caller's own the share of the best constant's that is saved, of the network that the
    estimators predict with.

    Parameters
    ----------
    options : Options
        Those of the fit; `n_selected` is the largest number of columns tried.
    folds : int, default=5
        At most as many as the rarest class that can be held out has rows, or groups.
    on_progress : callable, optional
        Told how much of the whole is done. If it asks for an end, the folds that are done have to do.

    Returns
    -------
    Curve or None
        None if fewer than two folds were done.

    Raises
    ------
    ValueError
        If there are too few rows to hold some out.
    """
    n_kept = len(np.unique(data.units_of(data.beside.keep)))
    n_features = sizes(min(options.n_selected, n_kept + _n_choices(data)))
    n_features = n_features[n_features >= n_kept]
    fold_of = draw_folds(data.target.strata, folds, seed, data.rows.groups)
    listeners = parts(on_progress, np.ones(fold_of.max() + 1))
    tables: list[list[float]] = []
    for fold, listener in enumerate(listeners):
        scores = _fold_scores(data, fold_of == fold, n_features, options, network, seed, listener)
        if is_over(listener):  # the search of this fold was cut short, and says less than the others
            break
        tables.append(scores)
    return one_standard_error(n_features, tables) if len(tables) > 1 else None


def _n_choices(data: Prepared) -> int:
    """Return how many units can be selected: of those that compete one each."""
    if data.units is None or data.units.rivals is None:
        return len(data.entries)
    return len(np.unique(data.units.rivals[data.entries]))


# -- one fold ---------------------------------------------------------------------------------------


def _fold_scores(
    data: Prepared,
    held_out: NDArray[np.bool_],
    n_features: Ints,
    options: Options,
    network: Network,
    seed: int,
    on_progress: Progress | None,
) -> list[float]:
    """Return the score on held-out rows for every number of columns, ranked and trained on the others."""
    training = data.rows_where(~held_out)
    ranked = ranked_units(search(training, options, seed, on_progress), training)
    scores = []
    for number in n_features:
        support = np.isin(data.units_of(np.arange(data.rows.X.shape[1])), ranked[:number])
        model = refit(network, training, support, options.hidden_layer_sizes, options.alpha_l2, seed)
        scores.append(_held_out_score(model, data, held_out, support))
    return scores


def _held_out_score(
    model: Predictor, data: Prepared, held_out: NDArray[np.bool_], support: NDArray[np.bool_]
) -> float:
    """Return the balanced accuracy, R², c-index, or share of the loss saved.

    In the balanced accuracy a rare class counts as much as a common one.
    """
    truth, weights = data.target.values[held_out], data.rows.weights[held_out]
    predicted = model.predict(data.inputs(data.rows.X[held_out], support))
    if data.target.task == "survival":
        strata = data.target.rows(held_out).risk_strata
        index = concordance(truth[:, 1] > 0, truth[:, 0].astype(np.float64), predicted, weights, strata)
        return 0.5 if np.isnan(index) else index  # rows that cannot be compared say nothing
    if data.target.own is not None:
        own = data.target.own
        shares = share(weights * data.target.factors[held_out])
        return saved_share(own.loss, predicted, truth, shares, own.null.loss)
    if data.target.task == "multilabel":
        return float(
            np.mean(
                [
                    _share_right(guess, own, weights, code)
                    for guess, own in zip(predicted.T, truth.T, strict=True)
                    for code in np.unique(own)
                ]
            )
        )
    if data.target.task != "regression":
        return float(np.mean([_share_right(predicted, truth, weights, code) for code in np.unique(truth)]))
    # The targets have variance 1 over all rows. That of a few held-out rows would be a poor yardstick, and
    # that of a single one none at all.
    errors = np.square(predicted.reshape(truth.shape) - truth).mean(axis=1)
    return float(1 - np.average(errors, weights=weights))


def _share_right(predicted: NDArray[Any], truth: NDArray[Any], weights: Floats, code: int) -> float:
    """Return the weighted share of the rows of one class that are predicted right."""
    own = truth == code
    return float(np.average(predicted[own] == code, weights=weights[own]))
