"""Every selector the benchmarks compare, rivals and ours, behind one call."""

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from snelfs import SNeLClassifier, SNeLRegressor, paper_settings, tune
from snelfs.evaluation.rivals.registry import RIVALS, choose
from snelfs.foundation.checks import choice, count

OURS = {"snel_paper": "SNeL-FS, paper settings", "snel": "SNeL-FS, default"}
# Between the paper's settings and the default: what the ablation adds, step by step.
STEPS = {
    "snel_rate": "paper settings, rate by the rule",
    "snel_vote": "one setting for all, 8 restarts, vote",
    "snel_moments": "the same from the moment start",
    "snel_tuned": "SNeL-FS, default tuned within the rows",
}
TITLES = {**{name: rival.title for name, rival in RIVALS.items()}, **OURS, **STEPS}
METHODS = (*RIVALS, *OURS)
# Our name of a method to its name in the paper's tables.
IN_PAPER = {
    "no_fs": "no_fs",
    "mrmr": "mrmr",
    "relieff": "relieff",
    "f_score": "f_score",
    "snel_paper": "snel_fs",
}
SLOW = frozenset(name for name, rival in RIVALS.items() if rival.slow)


def choose_columns(
    method: str,
    X: NDArray[np.floating],
    y: NDArray[np.generic],
    *,
    regression: bool,
    n_features: int | Literal["auto"],
    seed: int,
    paper_name: str = "",
    settings: Mapping[str, Any] | None = None,
) -> NDArray[np.intp]:
    """Return the columns a method chooses, best first.

    Parameters
    ----------
    method : str
        One of `TITLES`.
    n_features : int or "auto"
        How many; only ours can find the number itself.
    paper_name : str, optional
        The data set whose settings "snel_paper" takes, one of `paper_names`.
    settings : mapping, optional
        What ours set beyond that.
    """
    choice("method", method, TITLES)
    if method in RIVALS:
        wanted = count("n_features", n_features, 1)
        return choose(method, X, y, "regression" if regression else "classification", wanted, seed)
    fixed = {"n_features_to_select": _at_most(n_features, X.shape[1]), "random_state": seed}
    options = _settings(method, paper_name) | dict(settings or {}) | fixed
    selector = (SNeLRegressor if regression else SNeLClassifier)(**options)
    if method == "snel_tuned":
        selector.set_params(**tune(clone(selector).set_params(n_restarts=2), X, y).best_params)
    selector.fit(X, y)
    found = int(selector.support_.sum()) if isinstance(n_features, str) else n_features
    return np.argsort(selector.ranking_, kind="stable")[:found]


def _at_most(n_features: int | str, n_columns: int) -> int | str:
    return n_features if isinstance(n_features, str) else min(n_features, n_columns)


def _settings(method: str, paper_name: str) -> dict[str, Any]:
    """Return what one of our methods sets; the default sets nothing."""
    match method:
        case "snel_paper":
            return paper_settings(paper_name)
        case "snel_rate":
            return paper_settings(paper_name) | {"learning_rate": "auto"}
        case "snel_vote":
            return {"refine": False}
        case "snel_moments":
            return {"refine": False, "init": "moments"}
        case _:
            return {}
