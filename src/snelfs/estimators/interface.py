"""What other rooms may ask of an estimator beside scikit-learn's methods."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from snelfs.data.beside import design
from snelfs.data.inputs import feature_inputs
from snelfs.data.prepared import Prepared
from snelfs.estimators.base import SNeLSelector
from snelfs.estimators.snel import SNeLClassifier
from snelfs.foundation.progress import Progress
from snelfs.foundation.types import Floats, Ints, Reals
from snelfs.search.options import Options


def fit_watched(
    selector: SNeLSelector,
    X: ArrayLike,
    y: ArrayLike,
    on_progress: Progress | None,
    groups: ArrayLike | None = None,
) -> None:
    """Fit, and tell a listener how much of the whole is done."""
    selector._fit(X, y, groups=groups, on_progress=on_progress)


def name_columns(
    selector: SNeLSelector, names: Sequence[str], categories: Mapping[str, Sequence[str]]
) -> None:
    """Give the columns of a selector that was fitted to an array, and the codes in it, their names."""
    selector.feature_names_in_ = np.array(names, dtype=object)
    known = vars(selector).get("_categories", {})
    coded = {f"x{names.index(name)}": name for name in categories}
    selector._categories = {
        coded.get(name, name): list(categories[coded[name]]) if name in coded else levels
        for name, levels in known.items()
    }


def known_categories(selector: SNeLSelector) -> dict[str, list[str]]:
    """Return the categories of columns that may be selected, by their names."""
    names, units = selector._column_names(), selector._units
    if units is None:
        return {}
    return {names[place]: selector._categories[names[place]] for place in np.flatnonzero(units.levels)}


def group_of_columns(selector: SNeLSelector) -> list[str | None]:
    """Return the name of every column's group; None for one that is alone."""
    return [str(name) or None for name in selector._group_of]


def needed_columns(selector: SNeLSelector) -> Ints:
    """Return the places of the columns that predictions need: the selected ones, then the covariates."""
    return np.concatenate([np.flatnonzero(selector.support_), selector._beside.covariates])


def covariate_categories(selector: SNeLSelector) -> dict[str, list[str]]:
    """Return the categories of the covariates that a frame held as such, by their names."""
    known, names = vars(selector).get("_categories", {}), selector._column_names()
    covariates = [names[place] for place in selector._beside.covariates]
    return {name: list(known[name]) for name in covariates if name in known}


def predict_selected(selector: SNeLSelector, columns: Reals) -> NDArray[Any]:
    """Return predictions for rows that have the columns needed alone, in the order of `needed_columns`."""
    return selector._predict_selected(_inputs(selector, columns))


def selected_probabilities(selector: SNeLClassifier, columns: Reals) -> Floats:
    """Return the probability of every class for rows that have the columns needed alone."""
    return selector._probabilities(_inputs(selector, columns))


def own_loss(selector: SNeLSelector) -> tuple[str, float] | None:
    """Return what a loss in place of the usual one is called, and that of its best constant."""
    null = vars(selector).get("_null_loss")
    if null is None:
        return None
    asked = selector.get_params()["loss"]
    return asked if isinstance(asked, str) else "one of its own", null


def _inputs(selector: SNeLSelector, columns: Reals) -> Reals:
    """Return the columns needed as the network takes them: with indicators and marks, then covariates."""
    n_selected, units = int(selector.support_.sum()), selector._units
    features, beside = columns[:, :n_selected], columns[:, n_selected:]
    if units is not None:
        features = feature_inputs(features, units.levels[selector.support_], units.marked[selector.support_])
    if not beside.shape[1]:
        return features
    return np.concatenate([features, design(beside, selector._beside.levels)], axis=1)


def has_units(selector: SNeLSelector) -> bool:
    """Tell whether columns belong together, compete, or enter as several, so that each is not a plain one."""
    return selector._units is not None


def n_units(selector: SNeLSelector) -> int:
    """Return how many columns and groups of columns were ranked."""
    return selector.n_features_in_ if selector._units is None else selector._units.n_units


def ranks_of_units(selector: SNeLSelector) -> Ints:
    """Return the ranks of all columns and groups of columns, rising; those of a group must agree."""
    if selector._units is None:
        return np.sort(selector.ranking_)
    return np.sort([rank for _, rank in {*zip(selector._units.of, selector.ranking_, strict=True)}])


def ranked_by(
    selector: SNeLSelector,
    X: ArrayLike,
    y: ArrayLike,
    rank: Callable[[Prepared, Options, int], Ints],
    groups: ArrayLike | None = None,
) -> Ints:
    """Return the features in the order that another ranking gives them, on rows prepared as in `fit`.

    Parameters
    ----------
    rank : callable
        Takes the prepared rows, the options of the selector and its seed, and returns features, best first.
    groups : array-like, optional
        As for `fit`.
    """
    return rank(*selector._question(X, y, groups=groups))


def selected_deviations(selector: SNeLSelector, columns: Reals) -> Floats:
    """Return how many standard deviations of the fitted rows the selected columns are from their means.

    Of the columns needed, covariates are left out; a category is never far from others.
    """
    units = selector._units
    n_selected = int(selector.support_.sum())
    levels = np.zeros(n_selected, np.int64) if units is None else units.levels[selector.support_]
    found = selector._predictor.columns.apply(_inputs(selector, columns))
    first = np.cumsum(np.maximum(levels - 1, 1)) - np.maximum(levels - 1, 1)
    return np.asarray(np.where(levels > 0, 0.0, found[:, np.minimum(first, found.shape[1] - 1)]))
