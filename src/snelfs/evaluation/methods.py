"""The ways to choose columns that an evaluation compares, ours and its rivals, behind one call."""

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from snelfs import SNeLClassifier, SNeLRegressor, SNeLSurvival
from snelfs.estimators.interface import has_units, ranked_by
from snelfs.evaluation.label_judges import choose_for_labels
from snelfs.evaluation.rivals.registry import RIVALS, choose
from snelfs.evaluation.rivals.survival import l1_cox, univariate_cox
from snelfs.foundation.checks import ArgumentError, choice, count
from snelfs.foundation.types import Ints
from snelfs.search.association import class_targets
from snelfs.search.search import filters_alone

SNEL, FILTERS_ALONE, ALL_COLUMNS, RANDOM = "snel", "filters_alone", "no_fs", "random"
SURVIVAL_RIVALS = {"univariate_cox": univariate_cox, "l1_cox": l1_cox}
TITLES = {
    "univariate_cox": "Cox, one column at a time",
    "l1_cox": "L1 Cox path",
    **{name: rival.title for name, rival in RIVALS.items()},
    FILTERS_ALONE: "filters alone: the search without its layer",
    SNEL: "SNeL-FS, default",
}


def choose_columns(
    method: str,
    X: NDArray[np.floating],
    y: NDArray[Any],
    *,
    regression: bool,
    n_features: int | Literal["auto"],
    seed: int,
    settings: Mapping[str, Any] | None = None,
    groups: Ints | None = None,
) -> NDArray[np.intp]:
    """Return the columns a method chooses, best first.

    Parameters
    ----------
    method : str
        One of `TITLES`.
    y : array of shape (rows,) or (rows, labels)
        Classes, numbers, or events and times as two fields; `regression` then does not matter. Of several
        labels a method that knows one target lists columns for each, and these lists take turns.
    n_features : int or "auto"
        How many; only ours can find the number itself. Of columns that `settings` put together ours chooses
        so many groups, and our filters alone list all that they name.
    settings : mapping, optional
        Arguments of our estimators beyond their defaults.
    groups : array of int, optional
        Which rows belong together; only ours can make use of it.
    """
    choice("method", method, TITLES)
    if y.dtype.names is None and method in SURVIVAL_RIVALS:
        raise ArgumentError("methods", f"has {method!r}, which is for censored times alone.")
    if method in SURVIVAL_RIVALS:
        return SURVIVAL_RIVALS[method](np.asarray(X, np.float64), y, count("n_features", n_features, 1))
    if method in RIVALS:
        task = "regression" if regression else "classification"
        if y.dtype.names:  # other methods know nothing of censored times; they are given residuals
            y, task = class_targets(y, "survival", len(y))[:, 0], "regression"
        number = count("n_features", n_features, 1)
        if y.ndim > 1 and method != ALL_COLUMNS:
            return choose_for_labels(lambda one: choose(method, X, one, task, number, seed), y, number)
        return choose(method, X, y[:, 0] if y.ndim > 1 else y, task, number, seed)
    wanted = n_features if isinstance(n_features, str) else min(n_features, X.shape[1])
    fixed = {"n_features_to_select": wanted, "random_state": seed}
    kind = SNeLRegressor if regression else SNeLClassifier
    selector = (SNeLSurvival if y.dtype.names else kind)(**dict(settings or {}) | fixed)
    if method == FILTERS_ALONE:
        listed = ranked_by(selector, X, y, filters_alone, groups)
        return listed if has_units(selector) else listed[:n_features]
    selector.fit(X, y, groups=groups)
    order = np.argsort(selector.ranking_, kind="stable")
    if isinstance(n_features, str) or has_units(selector):
        return order[selector.support_[order]]
    return order[:n_features]
