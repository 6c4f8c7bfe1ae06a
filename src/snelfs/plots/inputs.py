"""What the plots take from estimators and data, checked."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import validate_data

from snelfs.engine.saliency import pick_frequency
from snelfs.estimators.base import SNeLSelector
from snelfs.foundation.checks import count
from snelfs.foundation.types import Flags, Ints, Reals, Texts


def fitted(estimator: object) -> SNeLSelector:
    """Return the estimator, or say in one sentence why it cannot be plotted."""
    if not isinstance(estimator, SNeLSelector):
        kind = type(estimator).__name__
        raise TypeError(
            f"estimator must be a fitted SNeLClassifier, SNeLRegressor or SNeLSurvival, got {kind}."
        )
    if not hasattr(estimator, "support_"):
        raise NotFittedError(f"This {type(estimator).__name__} is not fitted; call fit before plotting it.")
    return estimator


def column_names(selector: SNeLSelector) -> Texts:
    """Return the name of every column; "x0", "x1" … where the data had none."""
    table = selector.ranked_features()
    names = np.empty_like(table["name"])
    names[np.argsort(selector.ranking_)] = table["name"]
    return names


def best_columns(selector: SNeLSelector, n_features: int) -> Ints:
    """Return the columns of the first ranks, best first; all of them where there are fewer."""
    return np.argsort(selector.ranking_)[: count("n_features", n_features, 1)]


def picks(selector: SNeLSelector) -> Flags:
    """Return which columns each restart picks, of shape (restarts, columns)."""
    n_picked = selector.layer_weights_.shape[1]
    return np.stack([pick_frequency(row[None], n_picked) > 0 for row in selector.saliencies_])


def rows_of(selector: SNeLSelector, X: ArrayLike, y: ArrayLike) -> tuple[Reals, NDArray[Any]]:
    """Return data of the columns that the selector knows, and one target value for each row."""
    rows = np.asarray(validate_data(selector, X, dtype=[np.float64, np.float32], reset=False))
    return rows, one_target(y, len(rows))


def one_target(y: ArrayLike, n_rows: int) -> NDArray[Any]:
    """Return the target, or raise if it has not one value for each row."""
    target = np.asarray(y)
    if target.shape != (n_rows,):
        raise ValueError(
            f"y must have one value for each of the {n_rows} rows, got the shape {target.shape}."
        )
    return target


def check_lengths(display: object, *fields: str) -> None:
    """Raise if fields of a display that describe the same things differ in number."""
    lengths = {field: len(getattr(display, field)) for field in fields}
    if len(set(lengths.values())) > 1:
        listed = ", ".join(f"{field} {length}" for field, length in lengths.items())
        raise ValueError(f"{type(display).__name__} takes fields of one length, got {listed}.")
