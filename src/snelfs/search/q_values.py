"""How many of the columns found would be found by chance: q-values from shuffled targets.

If the target is shuffled among the rows nothing can be true of it any more, and whatever a search still
finds it finds by chance. So the first round is repeated on shuffled targets. Where 10 columns score at least
so much with the real target, and 2 in the mean shuffle, about 2 of the 10 are false: the share is 0.2. The
q-value of a column is the least such share among all lists, cut anywhere, that have the column on them. Lists
are made by two statistics, the score of the first round and the association; the better of them counts.

Columns that chance brings up come up together, seldom but many at once, and the best of all lists looks
better than it is. Therefore every shuffle is also judged as if it were the real target, and no q-value is
below the share of targets, the real one among them, whose best lists are at least as good as those of the
real one. If nothing is true of the target it is one like the others, and a q-value up to 0.1 comes up in at
most a tenth of such data, whatever the columns have to do with each other.

What it does not say:

- The q-value is a property of a list: of the columns with q up to 0.1, about a tenth are false. It is not the
  chance that this one column is.
- "False" is a column without any association with the target. A copy or a companion of a relevant column is
  not a false one, though nobody needs it.
- The rows must be exchangeable. Patients measured twice are not, unless they are given as groups: then whole
  groups exchange their targets, or rows within a group where these differ. Series in time or batches are not
  either: the shuffle tears apart what belongs together, and the q-values come out too small. A row of weight
  two is shuffled as one.
- All columns share one null distribution. That is fair to the association, a p-value, and less so to the
  score, where a column with many doubles shares its votes with them.
- Where something is true, the shares are estimates, and no bound. A shuffled target has no signal at all.
  That is too careful in that it takes all columns for false ones, and in that the places which relevant
  columns fill in the real search are all open to chance in the shuffled one. It is too bold in another way:
  the product with a relevant column varies more together with the target than other products do, so that some
  columns owe an association to their partner alone. Shuffled targets do not show that. It is allowed for
  where the partner is one of the five columns that are strongest alone, or of the five by all that is known.
- No q-value is below ``1 / (shuffles + 1)``: 20 shuffles can promise a twentieth, and 10 a tenth, if none of
  them does as well as the real target.
"""

import numpy as np
from numpy.typing import NDArray

from snelfs.data.prepared import Prepared
from snelfs.foundation.progress import Progress, is_over, parts
from snelfs.foundation.types import Floats
from snelfs.search.association import Strength
from snelfs.search.evidence import as_it_enters
from snelfs.search.options import Options
from snelfs.search.search import Search, first_columns
from snelfs.search.training_round import Round, train_round

# Splits and starts draw from generators of (seed, restart): a shuffle must not repeat their permutations.
_SHUFFLES = 1


def q_values(
    data: Prepared,
    options: Options,
    found: Search,
    n_shuffles: int,
    seed: int,
    on_progress: Progress | None = None,
) -> tuple[Floats, int]:
    """Return the q-value of every unit that varies, by repeating the first round on shuffled targets.

    Parameters
    ----------
    found : Search
        What the search found on `data` with the same options and seed. If it measured associations, these are
        a second statistic, and the smaller share is doubled for having asked twice.
    n_shuffles : int
        At least 1; no q-value is below ``1 / (n_shuffles + 1)``.
    on_progress : callable, optional
        Told how much of the whole is done. If it asks for an end, the shuffles that are done have to do.

    Returns
    -------
    array of shape (units that vary,), int
        And how many shuffles they rest on; without any, all are 1.
    """
    data = as_it_enters(data, options)
    targets = [_statistics(data, found.first, found.strength)]
    for shuffle, listener in enumerate(parts(on_progress, np.ones(n_shuffles))):
        other = data.shuffled(shuffle_generator(seed, shuffle))
        # Everything but the target stays as it was, the seed included.
        strength, part, starts = first_columns(other, options)
        first = train_round(as_it_enters(part, options), options, starts, seed, listener)
        if is_over(listener):  # a training that was cut short finds less, and is no measure of chance
            break
        targets.append(_statistics(other, first, strength))
    if len(targets) == 1:
        return np.ones(len(data.entries)), 0
    return judge(np.stack(targets, axis=1)), len(targets) - 1


def shuffle_generator(seed: int, shuffle: int) -> np.random.Generator:
    """Return what draws one shuffle; no permutation by which restarts split the rows comes from it."""
    return np.random.default_rng([seed, shuffle, _SHUFFLES])


def _statistics(data: Prepared, first: Round, strength: Strength | None) -> Floats:
    """Return the score of the first round and the association if known, of shape (statistics, columns)."""
    # A column that was screened out has no score, in the real search as in the shuffled ones.
    score = first.among_all(first.scores, data.n_units)[data.entries]
    return np.stack([score] if strength is None else [score, strength.score])


def judge(statistics: NDArray[np.floating]) -> Floats:
    """Return the q-value of every column for the first of several targets, of which the others are shuffled.

    Parameters
    ----------
    statistics : array of shape (statistics, targets, columns)
        The larger the better; at least two targets.

    Returns
    -------
    array of shape (columns,)
    """
    shares = np.array([false_shares(values) for values in statistics])
    # A target that has something to it shows it in all statistics, one of chance seldom in more than one.
    doubts = shares.min(axis=2).prod(axis=0)
    as_good = np.mean(doubts <= doubts[0])
    return np.asarray(np.clip(len(shares) * shares[:, 0].min(axis=0), as_good, 1))


def false_shares(values: NDArray[np.floating]) -> Floats:
    """Return for every target and column the estimated share of false ones on the best list the column is on.

    Each target is held against all others. Of its columns with a value of at least t, about
    ``(1 + other targets' values of at least t) / other targets`` are false. The 1 is for the value observed,
    itself one of chance if its column is false: without it there would be no doubt at all about a value that
    no other target reached.

    Parameters
    ----------
    values : array of shape (targets, columns)
        A statistic, the larger the better, for at least two targets: the real one and its shuffles.

    Returns
    -------
    array of shape (targets, columns)
        At most 1, and nowhere rising with the statistic.

    Examples
    --------
    The first target has a 9, which the two others do not reach, and a 5, which one value of theirs reaches:

    >>> others = [[6.0, 1.0, 0.0, 0.0], [2.0, 1.0, 0.0, 0.0]]
    >>> false_shares(np.array([[9.0, 5.0, 1.0, 0.0], *others]))[0].round(2)
    array([0.5 , 0.5 , 0.83, 1.  ])
    """
    everywhere = np.sort(values, axis=None)
    return np.array([_shares(own, everywhere, len(values) - 1) for own in values])


def _shares(own: NDArray[np.floating], everywhere: NDArray[np.floating], n_others: int) -> Floats:
    """Return the shares of one target, of whose values and the `n_others`' those of `everywhere` consist."""
    order = np.argsort(own)
    ascending = own[order]
    on_list = own.size - np.searchsorted(ascending, ascending)
    in_all = everywhere.size - np.searchsorted(everywhere, ascending)
    share = np.minimum(1, (1 + in_all - on_list) / n_others / on_list)
    best = np.empty(own.size)
    # A column is on the lists of all thresholds up to its own value.
    best[order] = np.minimum.accumulate(share)
    return best
