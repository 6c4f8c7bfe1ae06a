"""The whole search for columns: ties to the target, a first round, and a second among the best.

The first round has all columns, or the most strongly tied of very many. The second has those that the
restarts of the first agree on, filled up with strongly tied ones: among few columns a weak one is no longer
drowned, and the training costs little. Where rows are few the restarts agree on little; there a short list
of what they do agree on, and of tied columns that are unlike each other, comes before their vote.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from snelfs.data.prepared import Prepared
from snelfs.engine import saliency
from snelfs.foundation.progress import Progress, parts
from snelfs.foundation.types import Floats, Ints
from snelfs.search.association import Strength, beyond_doubt, measure_strength
from snelfs.search.diversity import unlike_columns
from snelfs.search.neighbour_association import neighbour_losses
from snelfs.search.options import Options
from snelfs.search.residual_association import indispensable, unexplained
from snelfs.search.training_round import Round, train_round

# Rows that the ties of a table that is not in memory are taken from.
TIE_ROWS = 1000

# The least share of a column in an informed start: one without any visible tie must be able to come back.
LEAST_TIE = 0.1

# The share of restarts that must pick a column to be believed: most of them on few rows, where a network's
# choice is largely chance, a quarter at 200 rows, and ever fewer as rows make it certain.
ROWS_PER_DOUBT = 50
MOST_DOUBT, LEAST_DOUBT = 3 / 4, 1 / 8

# Columns are accounted for if that share of the restarts picks them, as far as they are few for the rows.
UNANIMOUS = 7 / 8
ROWS_PER_KNOWN = 5

# A third of the places may go to columns that show only together with several known ones.
PLACES_PER_NEARBY = 3

# The short list is drawn up among so many columns at most.
POOL = 5000

# From so many rows on the vote decides alone; on half of them and fewer the short list comes first.
MOST_ROWS_OF_DOUBT = 200

# The second round: candidates for each place, more restarts and a looser network than the first.
CANDIDATES_PER_PLACE = 2
REFINED_RESTARTS = 2  # times those of the first
REFINED_ALPHA = 0.3  # times that of the first
REFINED_RATE = 0.003


@dataclass(frozen=True)
class Search:
    """Hold what was found on the way to a ranking."""

    strength: Strength | None  # of the columns that vary, if anything asked for it
    first: Round
    last: Round  # the one that decides, the first if there is no second
    certain: Ints  # features that take their places by evidence, whatever the last round says of them
    listed: Ints  # as many features as are wanted, the choice where rows are too few for a vote
    doubt: float = 0.0  # in the vote: 1 on few rows, where the list comes first, 0 on many

    def scores(self, options: Options) -> NDArray[np.float64]:
        """Return one score for each column of the last round, from votes; a certain one has them all.

        As far as the vote is in doubt, being on the list counts like all votes once more.
        """
        scores = self.last.scores(options)
        if options.combine == "vote":
            certain, listed = (np.isin(self.last.columns, some) for some in (self.certain, self.listed))
            n_restarts, mean = len(self.last.saliencies), self.last.saliencies.mean(axis=0)
            everybody = (n_restarts + mean) / (n_restarts + 1)
            scores = np.where(certain, np.maximum(scores, everybody), scores)
            scores = (scores + self.doubt * listed) / (1 + self.doubt)
        return scores


def search(data: Prepared, options: Options, seed: int, on_progress: Progress | None = None) -> Search:
    """Train the first round, and the second if it is wanted."""
    on_first, on_last = parts(on_progress, search_work(len(data.kept), options))
    strength, part, shares = first_columns(data, options)
    first = train_round(part, options, shares, seed, on_first)
    if strength is None or not options.refine:
        nothing = np.empty(0, np.int64)
        return Search(strength, first, first, nothing, nothing)
    told = believed(data, first, strength, options)
    listed = short_list(data, told, strength.order, options.dim)
    chosen = candidates(listed, strength.order, options.dim)
    shares = by_ties(strength)
    shares[told.shown] = shares.max()
    last = train_round(data.columns(chosen), loosened(options), shares[chosen], seed + 1, on_last)
    doubt = float(np.clip(MOST_ROWS_OF_DOUBT / len(data.Z) - 1, 0, 1))
    return Search(strength, first, last, data.kept[told.certain], data.kept[listed], doubt)


def search_work(n_columns: int, options: Options) -> tuple[float, float]:
    """Return about how much work the two rounds are, in epochs of a restart and a hundred columns."""
    if not options.refine:
        return options.n_restarts * (1 + n_columns / 100), 0.0
    entering = min(n_columns, options.screen or n_columns)
    refined = min(n_columns, CANDIDATES_PER_PLACE * options.dim)
    first = options.n_restarts * (1 + entering / 100)
    return first, REFINED_RESTARTS * options.n_restarts * (1 + refined / 100)


def first_columns(data: Prepared, options: Options) -> tuple[Strength | None, Prepared, Floats]:
    """Return the ties if anything needs them, the data of the first round, and its columns' start shares."""
    informed = options.column_shares is None
    strength = ties(data) if informed or options.refine else None
    taking_part = np.arange(len(data.kept))
    if strength is not None and options.refine:
        taking_part = np.sort(strength.order[: options.screen])
    shares = by_ties(strength) if options.column_shares is None else options.column_shares[data.kept]
    return strength, data.columns(taking_part), shares[taking_part]


# -- ties to the target -----------------------------------------------------------------------------


def ties(data: Prepared) -> Strength:
    """Return how strongly the columns are tied to the target, alone or in pairs.

    Of a table that is not in memory some rows have to do: pairs are many, and ties worth having show on
    them.
    """
    targets, weights = data.target.indicators, data.rows.weights
    if isinstance(data.Z, np.ndarray):
        return measure_strength(data.Z, targets, weights)
    rows = np.unique(np.linspace(0, len(data.Z) - 1, TIE_ROWS).astype(int))
    return measure_strength(data.Z[rows][:, :], targets[rows], weights[rows])


def by_ties(strength: Strength | None) -> Floats:
    """Return shares in a start that follow the ties: the more evidence, the larger.

    The best column for every class has the same share.
    """
    assert strength is not None
    return np.asarray(np.maximum(strength.share * strength.score.max(), LEAST_TIE))


# -- the second round -------------------------------------------------------------------------------


class Believed(NamedTuple):
    """Hold positions of columns that are believed after the first round, the best first."""

    known: Ints  # nearly all restarts pick them, or their tie is beyond doubt
    certain: Ints  # tied beyond doubt to what all the other known ones leave unexplained
    paired: Ints  # known by a square or a product
    unanimous: Ints  # nearly all restarts pick them
    nearby: Ints  # together with the known ones they tell best which rows are alike
    agreed: Ints  # enough restarts pick them

    @property
    def shown(self) -> Ints:
        """All that more than a first round speaks for."""
        return np.concatenate([self.known, self.certain, self.nearby])

    @property
    def places(self) -> list[int]:
        """All that take part in the second round before others, the surest first."""
        return list(dict.fromkeys(np.concatenate(self[1:]).tolist()))


def believed(data: Prepared, first: Round, strength: Strength, options: Options) -> Believed:
    """Return the columns that the first round and the ties speak for."""
    best_first = np.argsort(-first.scores(options), kind="stable")
    columns = np.searchsorted(data.kept, first.columns)[best_first]
    frequency = saliency.pick_frequency(first.saliencies, options.dim)[best_first]
    Z, targets, weights = data.Z[:, columns], data.target.indicators, data.rows.weights
    known = _known(columns, frequency, strength)[: min(options.dim, len(Z) // ROWS_PER_KNOWN)]
    hidden = unexplained(Z, targets, weights, known, options.dim)
    sure = np.concatenate([known, hidden])
    needed = sure[indispensable(Z[:, sure], targets, weights, tried=len(data.kept))]
    losses = neighbour_losses(Z, targets, weights, known)
    nearby = _others(np.argsort(losses, kind="stable"), sure)[: options.dim // PLACES_PER_NEARBY]
    doubt = np.clip(ROWS_PER_DOUBT / len(Z), LEAST_DOUBT, MOST_DOUBT)
    places = (
        known,
        np.union1d(needed, hidden),
        known[strength.kind[columns[known]] != "linear"],
        np.flatnonzero(frequency >= UNANIMOUS),
        nearby,
        np.flatnonzero(frequency >= doubt),
    )
    return Believed(*(columns[part] for part in places))


def _known(columns: Ints, frequency: NDArray[np.floating], strength: Strength) -> Ints:
    """Return the places of columns that nearly all restarts pick or whose ties are beyond doubt."""
    place_of = {int(column): place for place, column in enumerate(columns)}
    certain = [*columns[frequency >= UNANIMOUS].tolist(), *beyond_doubt(strength)]
    return np.array([place_of[c] for c in dict.fromkeys(certain) if c in place_of], dtype=np.int64)


def _others(places: Ints, *taken: Ints) -> Ints:
    return places[~np.isin(places, np.concatenate(taken))]


def short_list(data: Prepared, told: Believed, tied: Ints, dim: int) -> Ints:
    """Return as many columns as are wanted: the believed, then tied columns that are unlike each other."""
    taken = told.places[:dim]
    if len(taken) == dim:
        return np.array(taken, dtype=np.int64)
    # Of very many columns the most strongly tied will do.
    pool = np.union1d(taken, tied[:POOL]).astype(np.int64)
    given = data.Z[:, pool], data.target.indicators, data.rows.weights
    return np.asarray(pool[unlike_columns(*given, np.searchsorted(pool, taken), dim)])


def candidates(listed: Ints, tied: Ints, dim: int) -> Ints:
    """Return ``2 dim`` columns in rising order: those listed, then the most strongly tied.

    Examples
    --------
    >>> candidates(np.array([7]), np.array([3, 7, 1, 0, 5]), 2)
    array([0, 1, 3, 7])
    """
    wanted = dict.fromkeys([*listed.tolist(), *tied.tolist()])
    return np.sort(list(wanted)[: CANDIDATES_PER_PLACE * dim])


def loosened(options: Options) -> Options:
    """Return the options of the second round."""
    return replace(
        options,
        n_restarts=REFINED_RESTARTS * options.n_restarts,
        alpha_l1=REFINED_ALPHA * options.alpha_l1,
        alpha_l2=REFINED_ALPHA * options.alpha_l2,
        learning_rate=REFINED_RATE if options.learning_rate is None else options.learning_rate,
        prune=False,  # among so few columns each one counts, and none costs much
    )
