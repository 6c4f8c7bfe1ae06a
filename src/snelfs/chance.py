"""How many of the columns found would be found by chance: q-values from shuffled targets.

If the target is shuffled among the rows nothing can be true of it any more, and whatever a search still
finds it finds by chance. So the first round is repeated on shuffled targets. Where 10 columns score at least
so much with the real target, and 2 in the mean shuffle, about 2 of the 10 are false: the share is 0.2. The
q-value of a column is the least such share among all lists, cut anywhere, that have the column on them. Lists
are made by two statistics, the score of the first round and the tie to the target; the better of them counts.

What it does not say:

- The q-value is a property of a list: of the columns with q up to 0.1, about a tenth are false. It is not the
  chance that this one column is.
- "False" is a column without any tie to the target. A copy or a companion of a relevant column is not a false
  one, though nobody needs it.
- The rows must be exchangeable. Patients measured twice, series in time or batches are not: the shuffle tears
  apart what belongs together, and the q-values come out too small. A row of weight two is shuffled as one.
- All columns share one null distribution. That is fair to the tie, which is a p-value, and less so to the
  score, where a column with many doubles shares its votes with them.
- A shuffled target has no signal at all. That is too careful in that it takes all columns for false ones, and
  in that the places which relevant columns fill in the real search are all open to chance in the shuffled
  one. It is too bold in another way: in a regression, the product with a relevant column varies more together
  with the target than other products do, so that some columns owe a tie to their partner alone. Shuffled
  targets do not show that.
- Measured on shuffled targets, where every find is false, 5 of 20 draws had a find at q up to 0.1: columns
  that chance brings up together count as independent. Where nothing else shows a signal, read 0.1 as 0.25.
- No q-value is below ``1 / (shuffles + 1)``: 20 shuffles can promise a tenth, 50 a twentieth.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from snelfs.moments import Strength
from snelfs.options import Options
from snelfs.preparation import Floats, Prepared
from snelfs.progress import Progress, parts
from snelfs.rounds import Round, train_round
from snelfs.search import Search, first_columns

# Splits and starts draw from generators of (seed, restart): a shuffle must not repeat their permutations.
_SHUFFLES = 1


def q_values(
    data: Prepared,
    options: Options,
    found: Search,
    n_shuffles: int,
    seed: int,
    on_progress: Progress | None = None,
) -> Floats:
    """Return the q-value of every column that varies, by repeating the first round on shuffled targets.

    Parameters
    ----------
    found : Search
        What the search found on `data` with the same options and seed. If it measured the ties, these are a
        second statistic, and the smaller q-value is doubled for having asked twice.
    n_shuffles : int
        At least 1; no q-value is below ``1 / (n_shuffles + 1)``.
    on_progress : callable, optional
        Told how much of the whole is done.

    Returns
    -------
    array of shape (columns that vary,)
    """
    observed = _statistics(data, options, found.first, found.strength)
    null = np.empty((len(observed), n_shuffles, len(data.kept)))
    for shuffle, listener in enumerate(parts(on_progress, np.ones(n_shuffles))):
        other = shuffled(data, seed, shuffle)
        # Everything but the target stays as it was, the seed included.
        strength, part, starts = first_columns(other, options)
        first = train_round(part, options, starts, seed, listener)
        null[:, shuffle] = _statistics(other, options, first, strength)
    shares = [false_share(*pair) for pair in zip(observed, null, strict=True)]
    # Columns that move together are found by chance together, seldom but many at once: what has not happened
    # in any shuffle may still happen in one of so many and one.
    return np.asarray(np.clip(len(shares) * np.min(shares, axis=0), 1 / (n_shuffles + 1), 1))


def shuffled(data: Prepared, seed: int, shuffle: int) -> Prepared:
    """Return the data with the target shuffled among the rows; the rows keep their weights."""
    target = data.target
    order = np.random.default_rng([seed, shuffle, _SHUFFLES]).permutation(len(target.values))
    together = replace(
        target, values=target.values[order], groups=target.groups[order], factors=target.factors[order]
    )
    return replace(data, rows=replace(data.rows, y=data.rows.y[order]), target=together)


def _statistics(data: Prepared, options: Options, first: Round, strength: Strength | None) -> Floats:
    """Return the score of the first round, and the tie if it is known, of shape (statistics, columns)."""
    # A column that was screened out has no score, in the real search as in the shuffled ones.
    score = first.spread_out(first.scores(options), data.rows.X.shape[1])[data.kept]
    return np.stack([score] if strength is None else [score, strength.score])


def false_share(observed: NDArray[np.floating], null: NDArray[np.floating]) -> Floats:
    """Return for every column the estimated share of false ones on the best list that it is on.

    Of the columns with a value of at least t, about ``(1 + null values of at least t) / shuffles`` are false.
    The 1 is for the value observed, itself one of chance if its column is false: without it there would be no
    doubt at all about a value that no shuffle reached.

    Parameters
    ----------
    observed : array of shape (columns,)
        A statistic, the larger the better.
    null : array of shape (shuffles, columns)
        The same statistic with shuffled targets, at least one.

    Returns
    -------
    array of shape (columns,)
        At most 1, and nowhere rising with the statistic.

    Examples
    --------
    Nothing reaches 9 by chance, and one value in two shuffles reaches 5:

    >>> null = np.array([[6.0, 1.0, 0.0, 0.0], [2.0, 1.0, 0.0, 0.0]])
    >>> false_share(np.array([9.0, 5.0, 1.0, 0.0]), null).round(2)
    array([0.5 , 0.5 , 0.83, 1.  ])
    """
    by_chance = np.sort(null, axis=None)
    real = np.sort(observed)
    false = (1 + by_chance.size - np.searchsorted(by_chance, observed)) / len(null)
    share = np.minimum(1, false / (real.size - np.searchsorted(real, observed)))
    # A column is on the lists of all thresholds up to its own value.
    order = np.argsort(observed)
    best = np.empty(len(observed))
    best[order] = np.minimum.accumulate(share[order])
    return best
