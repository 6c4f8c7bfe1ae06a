"""Every selector that the benchmarks compare: those of an evaluation, and ours at other settings."""

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from snelfs import SNeLClassifier, SNeLRegressor, paper_settings, tune
from snelfs.data.prepared import Prepared
from snelfs.estimators.interface import ranked_by
from snelfs.evaluation import methods
from snelfs.evaluation.rivals.registry import RIVALS
from snelfs.foundation.checks import choice
from snelfs.foundation.types import Ints
from snelfs.search.evidence import as_it_enters
from snelfs.search.options import Options
from snelfs.search.ranking import ranked_units
from snelfs.search.search import PARTS, first_columns, search
from snelfs.search.second_round import n_candidates
from snelfs.search.turns import in_turns

# In all tables beside rivals: ours as the paper has it, our filters without the layer, and ours as it comes.
COMPARED = ("snel_paper", methods.FILTERS_ALONE, methods.SNEL)
# The default with one part left out each, and what else tells who decides.
LEFT_OUT = {f"snel_without_{part}": part for part in PARTS}
STEPS = {
    "snel_rate": "paper settings, rate by the rule",
    "snel_one_round": "one round: the first vote decides",
    "snel_without_layer": "without the layer's list of candidates",
    "snel_without_association": "without the list by associations",
    "snel_without_residual": "what the networks leave is not looked at",
    "snel_without_pairs": "associations see no pairs of columns",
    "snel_without_waves": "associations see no bent columns",
    "snel_without_strongest": "no joint effects with strong columns",
    "snel_without_bends": "joint effects with strong columns are products alone",
    "snel_without_again": "strong columns are those strongest alone",
    "snel_without_curves": "no restart bends columns",
    "snel_without_direct": "numbers have no path past the hidden units",
    "snel_without_start": "second round from a constant start",
    "snel_without_tails": "long tails stay as they are",
    "snel_shares": "restarts' shares are averaged, whatever they select",
    "snel_counted": "restarts count what is copied, used or not",
    "snel_noise": "votes of the second round drawn at random",
    "snel_all_noise": "votes of both rounds drawn at random",
    "snel_tuned": "SNeL-FS, default tuned within the rows",
}
# In the order of tables.
TITLES = {
    **{name: methods.TITLES[name] for name in RIVALS},
    "snel_paper": "SNeL-FS, paper settings",
    methods.FILTERS_ALONE: methods.TITLES[methods.FILTERS_ALONE],
    methods.SNEL: methods.TITLES[methods.SNEL],
    **STEPS,
}
METHODS = (*RIVALS, *COMPARED)
SLOW = frozenset(name for name, rival in RIVALS.items() if rival.slow)


def is_ours(method: str) -> bool:
    """Tell whether a method of the benchmarks is SNeL-FS at some setting; its filters alone are not."""
    return method in ("snel_paper", methods.SNEL) or method in STEPS


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
    kind = SNeLRegressor if regression else SNeLClassifier
    selector = kind(min(n_features, X.shape[1]), random_state=seed)
    if method in LEFT_OUT:
        return ranked_by(selector, X, y, partial(_ranked_without, LEFT_OUT[method]))[:n_features]
    if method in NOISE:
        return ranked_by(selector, X, y, NOISE[method])[:n_features]
    settings = _settings(method, paper_name)
    if method == "snel_tuned":
        settings = tune(selector.set_params(n_restarts=2), X, y).best_params
    return methods.choose_columns(
        methods.SNEL if is_ours(method) else method,
        X,
        y,
        regression=regression,
        n_features=n_features,
        seed=seed,
        settings=settings,
    )


def _ranked_without(part: str, data: Prepared, options: Options, seed: int) -> Ints:
    """Return the ranking of a search that lacks one of its parts."""
    return ranked_units(search(data, options, seed, without=[part]), data)


def _ranked_by_noise(data: Prepared, options: Options, seed: int) -> Ints:
    """Return the candidates of a search in random order: what is left of it if its votes say nothing."""
    found = search(data, options, seed, without=["residual"])  # which is for the votes to show
    return np.random.default_rng(seed).permutation(found.last.units)


def _ranked_by_noise_alone(data: Prepared, options: Options, seed: int) -> Ints:
    """Return candidates in random order of which the layer has named its own at random, too."""
    strength, part, _ = first_columns(as_it_enters(data, options), options)
    assert strength is not None
    generator = np.random.default_rng(seed)
    named = (generator.permutation(part.entries), data.entries[strength.order])
    return generator.permutation(in_turns(named, n_candidates(len(data.entries), options)))


# What is left of the search if votes of the layer say nothing.
NOISE = {"snel_noise": _ranked_by_noise, "snel_all_noise": _ranked_by_noise_alone}


def _settings(method: str, paper_name: str) -> dict[str, Any]:
    """Return what one of our methods sets; the default sets nothing."""
    match method:
        case "snel_paper":
            return paper_settings(paper_name)
        case "snel_rate":
            return paper_settings(paper_name) | {"learning_rate": "auto"}
        case "snel_shares":
            return {"combine": "mean"}
        case "snel_counted":
            return {"saliency": "max", "combine": "vote"}
        case "snel_one_round":
            return {"refine": False}
        case _:
            return {}
