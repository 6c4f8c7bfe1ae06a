"""Every selector that the benchmarks compare: those of an evaluation, and ours at other settings."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from snelfs import SNeLClassifier, SNeLRegressor, paper_settings, tune
from snelfs.evaluation import methods
from snelfs.evaluation.rivals.registry import RIVALS
from snelfs.foundation.checks import choice

# Ours in all tables: as the paper has it, and as it comes.
COMPARED = ("snel_paper", methods.SNEL)
# Between the paper's settings and the default: what the ablation adds, step by step.
STEPS = {
    "snel_rate": "paper settings, rate by the rule",
    "snel_vote": "one setting for all, 8 restarts, vote",
    "snel_moments": "the same from the moment start",
    "snel_tuned": "SNeL-FS, default tuned within the rows",
}
# In the order of tables.
TITLES = {
    **{name: methods.TITLES[name] for name in RIVALS},
    "snel_paper": "SNeL-FS, paper settings",
    methods.SNEL: methods.TITLES[methods.SNEL],
    **STEPS,
}
METHODS = (*RIVALS, *COMPARED)
SLOW = frozenset(name for name, rival in RIVALS.items() if rival.slow)


def is_ours(method: str) -> bool:
    """Tell whether a method of the benchmarks is SNeL-FS at some setting."""
    return method in COMPARED or method in STEPS


def choose_columns(
    method: str,
    X: NDArray[np.floating],
    y: NDArray[np.generic],
    *,
    regression: bool,
    n_features: int,
    seed: int,
    paper_name: str = "",
) -> NDArray[np.intp]:
    """Return the columns a method chooses, best first.

    Parameters
    ----------
    method : str
        One of `TITLES`.
    paper_name : str, optional
        The data set whose settings "snel_paper" takes, one of `paper_names`.
    """
    choice("method", method, TITLES)
    settings = _settings(method, paper_name)
    if method == "snel_tuned":
        kind = SNeLRegressor if regression else SNeLClassifier
        few = kind(min(n_features, X.shape[1]), n_restarts=2, random_state=seed)
        settings = tune(few, X, y).best_params
    return methods.choose_columns(
        methods.SNEL if is_ours(method) else method,
        X,
        y,
        regression=regression,
        n_features=n_features,
        seed=seed,
        settings=settings,
    )


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
