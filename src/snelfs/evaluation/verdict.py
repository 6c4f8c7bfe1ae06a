"""One plain sentence on an evaluation: whether our selection helps, and whether a simple filter would do.

The rule. A score counts as better than chance if its whole interval lies above what chance gives, and two
methods differ if the interval of their paired differences over folds excludes 0. Where it includes 0, no
difference is claimed; of such a method whose mean is at most 0.01 below ours it is said that it does as well.
The intervals are not widened for the number of methods compared.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from snelfs.evaluation.intervals import Interval
from snelfs.evaluation.methods import ALL_COLUMNS, SNEL, TITLES

# No rivals: one takes all columns, the other draws them.
_CONTROLS = (ALL_COLUMNS, "random")
_AS_WELL = 0.01
_FILTERS = ("f_score", "mutual_information", "mrmr", "relieff")


@dataclass(frozen=True)
class Standing:
    """Hold what a verdict rests on.

    Attributes
    ----------
    metric : str
        What the score is called.
    chance : float
        The score of guessing.
    scores : mapping of str to Interval
        The mean score of every method, ours among them.
    differences : mapping of str to Interval
        Our score minus that of every other method, paired by folds.
    """

    metric: str
    chance: float
    scores: Mapping[str, Interval]
    differences: Mapping[str, Interval]

    def best(self, methods: list[str]) -> str:
        """Return which of some methods has the highest mean."""
        return max(methods, key=lambda method: self.scores[method].mean)

    @property
    def rivals(self) -> list[str]:
        """Return the other selections."""
        return [method for method in self.differences if method not in _CONTROLS]


def verdict(standing: Standing) -> str:
    """Return one sentence that claims no more than the intervals show.

    Examples
    --------
    >>> good, poor = Interval(0.9, 0.8, 1.0), Interval(0.7, 0.6, 0.8)
    >>> gain = {"no_fs": Interval(0.2, 0.1, 0.3)}
    >>> print(verdict(Standing("AUC", 0.5, {"snel": good, "no_fs": poor}, gain)))
    Selection by SNeL-FS helps here: AUC 0.900 against 0.700 with all columns (difference +0.200, 95 %
    interval +0.100 to +0.300).
    """
    scores = standing.scores
    able = [method for method in scores if scores[method].low > standing.chance]
    if not able:
        best = standing.best(list(scores))
        return (
            f"Nothing here is shown to predict better than chance ({standing.metric} {standing.chance:g}): "
            f"the best, {_named(best)}, has {_score(scores[best])}."
        )
    if SNEL not in able:
        best = standing.best(able)
        return (
            f"SNeL-FS is not shown to predict better than chance here ({standing.metric} "
            f"{_score(scores[SNEL])}), while {_named(best)} is ({_score(scores[best])})."
        )
    against_all, against_rivals = _against_all(standing), _against_rivals(standing)
    return f"{against_all}{'; ' if against_all and against_rivals else ''}{against_rivals}."


def _against_all(standing: Standing) -> str:
    """Say how our selection stands against all columns, if they were tried."""
    difference = standing.differences.get(ALL_COLUMNS)
    if difference is None:
        return f"Selection by SNeL-FS predicts better than chance here: {_ours(standing)}"
    if difference.low > 0:
        claim = "Selection by SNeL-FS helps here"
    elif difference.high < 0:
        claim = "Selection by SNeL-FS loses something here"
    else:
        claim = "Selection by SNeL-FS makes no difference here that these folds can show"
    theirs = standing.scores[ALL_COLUMNS].mean
    return f"{claim}: {_ours(standing)} against {theirs:.3f} with all columns ({_difference(difference)})"


def _against_rivals(standing: Standing) -> str:
    """Say how our selection stands against the others, if any were tried."""
    rivals, found = standing.rivals, standing.differences
    if not rivals:
        return ""
    better = [method for method in rivals if found[method].high < 0]
    if better:
        best = standing.best(better)
        return f"{_named(best)} does better, with {_shown(standing, best)}"
    equal = [method for method in rivals if not found[method].low > 0]
    if not equal:
        best = standing.best(rivals)
        others = "the other" if len(rivals) == 1 else "every other"
        return f"it does better than {others} selection tried, {_named(best)} with {_shown(standing, best)}"
    best = standing.best(equal)
    kind = "a simple filter" if best in _FILTERS else "another selection"
    if found[best].mean <= _AS_WELL:
        return f"{kind} does as well here, {_named(best)} with {_shown(standing, best)}"
    return f"it is not shown to do better than {kind}, {_named(best)} with {_shown(standing, best)}"


def _ours(standing: Standing) -> str:
    return f"{standing.metric} {standing.scores[SNEL].mean:.3f}"


def _shown(standing: Standing, method: str) -> str:
    return f"{standing.scores[method].mean:.3f} ({_difference(standing.differences[method])})"


def _named(method: str) -> str:
    return {SNEL: "SNeL-FS"}.get(method, TITLES[method])


def _score(interval: Interval) -> str:
    return f"{interval.mean:.3f}, 95 % interval {interval.low:.3f} to {interval.high:.3f}"


def _difference(interval: Interval) -> str:
    return f"difference {interval.mean:+.3f}, 95 % interval {interval.low:+.3f} to {interval.high:+.3f}"
