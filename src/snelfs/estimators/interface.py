"""What other rooms may ask of an estimator beside scikit-learn's methods."""

from typing import Any

from numpy.typing import ArrayLike, NDArray

from snelfs.estimators.base import SNeLSelector
from snelfs.estimators.snel import SNeLClassifier
from snelfs.foundation.progress import Progress
from snelfs.foundation.types import Floats, Reals


def fit_watched(selector: SNeLSelector, X: ArrayLike, y: ArrayLike, on_progress: Progress | None) -> None:
    """Fit, and tell a listener how much of the whole is done."""
    selector._fit(X, y, on_progress=on_progress)


def predict_selected(selector: SNeLSelector, columns: Reals) -> NDArray[Any]:
    """Return predictions for rows that have the selected columns alone, in the order of the data."""
    return selector._predict_selected(columns)


def selected_probabilities(selector: SNeLClassifier, columns: Reals) -> Floats:
    """Return the probability of every class for rows that have the selected columns alone."""
    return selector._predictor.predict_proba(columns)


def selected_deviations(selector: SNeLSelector, columns: Reals) -> Floats:
    """Return how many standard deviations of the fitted rows the selected columns are from their means."""
    return selector._predictor.columns.apply(columns)
