"""The whole search: screen, a first round, candidates of two lists, a round that decides, what it leaves.

Columns whose few largest values would drown the rest enter as normal scores of their ranks.

1. Associations with the target, alone or in pairs, screen very many columns.
2. The first round trains the layer on what is left.
3. The layer's first vote and the associations name candidates in turns. What one cannot see the other may: a
   difference of columns that are nearly alike, or a product of columns that say nothing alone.
4. The second round trains the layer on the candidates, and its vote is the ranking: among few columns a
   weak one is no longer drowned. Each restart votes for each column, between 0 and 1, by how surely its
   network uses it more than it uses those that it would not select. Half of its restarts may bend columns,
   so that an effect that neither rises nor falls is seen as well.
5. Of a target of numbers it is asked what these networks leave. Columns that say something of that beyond
   doubt, and are no candidates, take the places of those voted last, and the second round is trained anew.

What is ranked are *units*: columns, or groups of columns that are selected as a whole. All counts are theirs.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from snelfs.data.prepared import Prepared
from snelfs.foundation.progress import Progress, is_over, parts
from snelfs.foundation.types import Floats, Ints
from snelfs.search import association
from snelfs.search.association import Strength
from snelfs.search.constants import FUNCTIONS, REFINED_RESTARTS
from snelfs.search.evidence import as_it_enters, associations, by_association
from snelfs.search.options import Options
from snelfs.search.second_round import Decided, SecondRound, looks_at_errors, n_candidates, refined
from snelfs.search.tails import without_long_tails
from snelfs.search.training_round import Round, train_round
from snelfs.search.turns import in_turns, turns_needed


class Evidence(NamedTuple):
    """Hold what each kind of evidence names, as positions of units or as their numbers, best first."""

    layer: Ints  # the vote of the first round
    association: Ints  # with the target: alone, bent, or in pairs
    residual: Ints = np.empty(0, np.int64)  # with what the networks of the second round left of it

    def without(self, kinds: Collection[str]) -> "Evidence":
        """Return the lists, those of some kinds empty."""
        nothing = np.empty(0, np.int64)
        return self._replace(**{kind: nothing for kind in kinds if kind in self._fields})

    def until(self, length: int) -> "Evidence":
        """Return as much of each list as it takes to name so many columns in turns."""
        turns = turns_needed(self, length)
        return Evidence(*(own[:turns] for own in self))


# What can be left out: what names candidates, parts of the associations, bent columns, the path past hidden
# units, the start by associations, and that tails are cut.
PARTS = (*Evidence._fields, *association.PARTS, "curves", "direct", "start", "tails")


@dataclass(frozen=True)
class Search:
    """Hold what was found on the way to a ranking."""

    strength: Strength | None  # of the units that vary, if anything asked for it
    first: Round
    last: Round  # the one that decides, the first if there is no second
    named: Evidence | None = None  # the units that were candidates, by who named them
    cut_short: bool = False  # whether an end was asked for before what networks leave was followed up


def search(
    data: Prepared,
    options: Options,
    seed: int,
    on_progress: Progress | None = None,
    *,
    without: Collection[str] = (),
) -> Search:
    """Train the first round, and if it is wanted and there is time the second, which then decides.

    Parameters
    ----------
    without : collection of str
        Parts of the search to leave out, of `PARTS`: what each is worth shows in what is found without it.
    """
    on_first, on_second, on_third = parts(on_progress, search_work(data, options, without))
    data = as_it_enters(data, options, without)
    options = replace(options, direct=options.direct and "direct" not in without)
    strength, part, shares = first_columns(data, options, without)
    part = as_it_enters(part, options, without)
    first = train_round(part, options, shares, seed, on_first)
    if strength is None or not options.refine or is_over(on_first):
        return Search(strength, first, first)
    voted = np.argsort(-first.scores, kind="stable")
    places = np.searchsorted(data.entries, part.entries)
    length = n_candidates(len(data.entries), options)
    named = Evidence(places[voted], strength.order).without(without).until(length)
    second = SecondRound(data, refined(options), seed + 1, without)
    decided = Decided(second.trained(np.sort(in_turns(named, length)), by_association(strength), on_second))
    if looks_at_errors(data, options, without):
        decided = second.with_missed(decided.last, strength, on_second, on_third)
    named = Evidence(*(data.entries[units] for units in named._replace(residual=decided.joined)))
    return Search(strength, first, decided.last, named, decided.cut_short)


def filters_alone(data: Prepared, options: Options, seed: int = 0) -> Ints:
    """Return the features that the same search finds with all votes of the layer left out, best first.

    Nothing is trained, so the seed does not matter: what is left are the candidates by association.
    """
    del seed
    data = without_long_tails(data)
    order = associations(data).order[: n_candidates(len(data.entries), options)]
    return data.features_of(data.entries[order])


def search_work(
    data: Prepared, options: Options, without: Collection[str] = ()
) -> tuple[float, float, float]:
    """Return about how much work the rounds are, in epochs of a restart and a hundred columns.

    The third is the second once more, where that is done if need be.
    """
    n_columns, n_units = len(data.kept), len(data.entries)
    if not options.refine:
        return options.n_restarts * (1 + n_columns / 100), 0.0, 0.0
    entering = min(n_columns, options.screen or n_columns)
    inputs = (1 + FUNCTIONS) / 2 * n_candidates(n_units, options)  # half of the restarts bend columns
    first = options.n_restarts * (1 + entering / 100)
    second = REFINED_RESTARTS * options.n_restarts * (1 + inputs / 100)
    return first, second, second if looks_at_errors(data, options, without) else 0.0


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
