"""The whole search for columns: screen, a first round, candidates of two lists, and a round that decides.

Columns whose few largest values would drown the rest enter as normal scores of their ranks.

1. Associations with the target, alone or in pairs, screen very many columns.
2. The first round trains the layer on what is left.
3. The layer's first vote and the associations name candidates in turns. What one cannot see the other may: a
   difference of columns that are nearly alike, or a product of columns that say nothing alone.
4. The second round trains the layer on the candidates, and its vote is the ranking: among few columns a
   weak one is no longer drowned. Each restart votes for each column, between 0 and 1, by how surely its
   network uses it more than it uses those that it would not select. Half of its restarts may bend columns,
   so that an effect that neither rises nor falls is seen as well.

What is ranked are *units*: columns, or groups of columns that are selected as a whole. All counts are theirs.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from snelfs.data.groups import told_once
from snelfs.data.prepared import Prepared
from snelfs.foundation.progress import Progress, is_over, parts
from snelfs.foundation.types import Floats, Ints
from snelfs.search import association
from snelfs.search.association import Strength, measure_strength
from snelfs.search.constants import (
    CANDIDATES,
    FUNCTIONS,
    LEAST_SHARE,
    MANY,
    REFINED_RATE,
    REFINED_RESTARTS,
)
from snelfs.search.options import Options
from snelfs.search.tails import without_long_tails
from snelfs.search.training_round import Round, train_round
from snelfs.search.turns import in_turns, turns_needed


class Evidence(NamedTuple):
    """Hold what each kind of evidence names, as positions of units or as their numbers, best first."""

    layer: Ints  # the vote of the first round
    association: Ints  # with the target: alone, bent, or in pairs

    def without(self, kinds: Collection[str]) -> "Evidence":
        """Return the lists, those of some kinds empty."""
        nothing = np.empty(0, np.int64)
        return self._replace(**{kind: nothing for kind in kinds if kind in self._fields})

    def until(self, length: int) -> "Evidence":
        """Return as much of each list as it takes to name so many columns in turns."""
        turns = turns_needed(self, length)
        return Evidence(*(own[:turns] for own in self))


# What can be left out: a list of candidates, parts of the associations, bent columns, the path past hidden
# units, the start by associations, and that tails are cut.
PARTS = (*Evidence._fields, *association.PARTS, "curves", "direct", "start", "tails")


@dataclass(frozen=True)
class Search:
    """Hold what was found on the way to a ranking."""

    strength: Strength | None  # of the units that vary, if anything asked for it
    first: Round
    last: Round  # the one that decides, the first if there is no second
    named: Evidence | None = None  # the units that made up the candidates, by who named them


def search(
    data: Prepared,
    options: Options,
    seed: int,
    on_progress: Progress | None = None,
    *,
    without: Collection[str] = (),
) -> Search:
    """Train the first round, and the second, which then decides, if it is wanted and there is time.

    Parameters
    ----------
    without : collection of str
        Parts of the search to leave out, of `PARTS`: what each is worth shows in what is found without it.
    """
    on_first, on_last = parts(on_progress, search_work(len(data.entries), options))
    data = as_it_enters(data, options, without)
    options = replace(options, direct=options.direct and "direct" not in without)
    strength, part, shares = first_columns(data, options, without)
    part = as_it_enters(part, options, without)
    first = train_round(part, options, shares, seed, on_first)
    if strength is None or not options.refine or is_over(on_first):
        return Search(strength, first, first)
    length = n_candidates(len(data.entries), options)
    voted = np.argsort(-first.scores, kind="stable")
    places = np.searchsorted(data.entries, part.entries)
    named = Evidence(places[voted], strength.order).without(without).until(length)
    chosen = np.sort(in_turns(named, length))
    shares = np.ones(len(chosen)) if "start" in without else by_association(strength)[chosen]
    functions = 1 if "curves" in without else FUNCTIONS
    candidates = as_it_enters(data.part(chosen), options, without)
    last = train_round(candidates, refined(options), shares, seed + 1, on_last, functions)
    return Search(strength, first, last, Evidence(*(data.entries[units] for units in named)))


def filters_alone(data: Prepared, options: Options, seed: int = 0) -> Ints:
    """Return the features that the same search finds with all votes of the layer left out, best first.

    Nothing is trained, so the seed does not matter: what is left are the candidates by association.
    """
    del seed
    data = without_long_tails(data)
    order = associations(data).order[: n_candidates(len(data.entries), options)]
    return data.features_of(data.entries[order])


def search_work(n_columns: int, options: Options) -> tuple[float, float]:
    """Return about how much work the two rounds are, in epochs of a restart and a hundred columns."""
    if not options.refine:
        return options.n_restarts * (1 + n_columns / 100), 0.0
    entering = min(n_columns, options.screen or n_columns)
    inputs = (1 + FUNCTIONS) / 2 * n_candidates(n_columns, options)  # half of the restarts bend columns
    first = options.n_restarts * (1 + entering / 100)
    return first, REFINED_RESTARTS * options.n_restarts * (1 + inputs / 100)


def first_columns(
    data: Prepared, options: Options, without: Collection[str] = ()
) -> tuple[Strength | None, Prepared, Floats]:
    """Return the associations if anything needs them, and data and start shares of the first round."""
    informed = options.column_shares is None
    strength = associations(data, without) if informed or options.refine else None
    taking_part = np.arange(len(data.entries))
    if strength is not None and options.refine:
        taking_part = np.sort(strength.order[: options.screen])
    shares = (
        by_association(strength) if options.column_shares is None else options.column_shares[data.entries]
    )
    return strength, data.part(taking_part), shares[taking_part]


def as_it_enters(data: Prepared, options: Options, without: Collection[str] = ()) -> Prepared:
    """Return the data with long tails cut, as far as it is in memory; a single round takes it as it is."""
    return without_long_tails(data) if options.refine and "tails" not in without else data


# -- associations -----------------------------------------------------------------------------------


def associations(data: Prepared, without: Collection[str] = ()) -> Strength:
    """Return how strongly the units are associated with the target, alone or in pairs.

    Of a table that is not in memory some rows have to do: pairs are many, and what is worth having shows on
    them.
    """
    members = None if data.units is None else data.members
    targets, weights, strata = data.goals, data.rows.weights, data.target.risk_strata
    if isinstance(data.Z, np.ndarray):
        # A group says what it says within one stratum.
        said = targets if strata is None else np.c_[targets, strata]
        Z, said, weights = told_once(data.Z, said, weights, data.rows.groups, data.target.values)
        within = None if strata is None else said[:, -1].round().astype(np.int64)
        return measure_strength(Z, said[:, : targets.shape[1]], weights, within, members, without=without)
    rows = np.unique(np.linspace(0, len(data.Z) - 1, MANY).astype(int))
    some = None if strata is None else strata[rows]
    return measure_strength(data.Z[rows][:, :], targets[rows], weights[rows], some, members, without=without)


def by_association(strength: Strength | None) -> Floats:
    """Return shares in a start that follow associations: the more evidence, the larger.

    The best column for every class has the same share.
    """
    assert strength is not None
    return np.asarray(np.maximum(strength.share * strength.score.max(), LEAST_SHARE))


# -- the second round -------------------------------------------------------------------------------


def n_candidates(n_columns: int, options: Options) -> int:
    """Return how many units take part in the second round: always as many, so that shapes stay alike."""
    return min(n_columns, options.screen or n_columns, max(CANDIDATES, 2 * options.dim))


def refined(options: Options) -> Options:
    """Return the options of the second round."""
    return replace(
        options,
        n_restarts=REFINED_RESTARTS * options.n_restarts,
        learning_rate=REFINED_RATE if options.learning_rate is None else options.learning_rate,
        prune=False,  # among so few columns each one counts, and none costs much
        # Each candidate is asked whether it belongs to the selection, and not how much it does.
        combine="soft" if options.combine == "auto" else options.combine,
    )
