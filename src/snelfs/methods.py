"""Every selector the benchmarks compare, rivals and ours, behind one call."""

import numpy as np
from numpy.typing import NDArray

from snelfs import SNeLClassifier, SNeLRegressor, paper_settings
from snelfs.arguments import choice
from snelfs.baselines import RIVALS, choose

OURS = {"snel_paper": "SNeL-FS, paper settings", "snel": "SNeL-FS, default"}
TITLES = {**{name: rival.title for name, rival in RIVALS.items()}, **OURS}
METHODS = tuple(TITLES)
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
    n_features: int,
    seed: int,
    paper_name: str,
) -> NDArray[np.intp]:
    """Return the columns a method chooses, best first.

    Parameters
    ----------
    method : str
        One of `METHODS`.
    paper_name : str
        The data set whose settings "snel_paper" takes, one of `paper_names`.
    """
    choice("method", method, METHODS)
    if method in RIVALS:
        return choose(method, X, y, "regression" if regression else "classification", n_features, seed)
    settings = paper_settings(paper_name) if method == "snel_paper" else {}
    settings |= {"n_features_to_select": min(n_features, X.shape[1]), "random_state": seed}
    estimator = SNeLRegressor if regression else SNeLClassifier
    ranking = estimator(**settings).fit(X, y).ranking_
    return np.argsort(ranking, kind="stable")[:n_features]
