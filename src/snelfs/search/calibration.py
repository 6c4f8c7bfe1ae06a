"""What chance shows of an association when the target is shuffled, by which evidence is calibrated.

Student's p of a correlation is right for a target of normal scores, whatever the column, and for two classes
of equal size. With few rows of a class, or of a rare gene variant, one or two rows make an association: large
evidence is then far more common than it says. Shuffles of the target show how common. The logarithm of the
number of shuffled associations falls with their evidence about along a straight line, so that some millions
of them tell how rare those are that none of them reaches.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from snelfs.foundation.types import Ints, Places, Singles

# Of a target with no more skewness and no more kurtosis Student's p needs no shuffles: normal scores without
# many equals (0 and 3), and two classes of up to 52 to 48 (0.1 and 1).
MOST_SKEWNESS = 0.1
MOST_KURTOSIS = 3.1

# Shuffles of the target; for many rows or targets fewer, so that all shuffled targets have at most so many
# numbers (16 MB), but as many as an exact test at one in twenty takes.
SHUFFLES = 256
LEAST_SHUFFLES = 19
SHUFFLED_VALUES = 2**22

# Numbers of the products that are shuffled: 40,000 pairs of columns at 100 rows, a tenth of a second.
PAIR_VALUES = 2**22

# The line starts at the largest of ten thousand shuffled associations, or with 300 above it if those are
# more, but no more than a tenth of all. Its slope is the largest up to a place between the tenth of them and
# the median: rare variants make stairs (one, two, three rows), and a mean slope within a stair lets pure
# noise pass in a quarter of the tables.
TAIL_SHARE = 1e-4
TAIL_SIZE = 300
MOST_TAIL_SHARE = 0.1
FIRST_PLACE = 10


def needs_shuffles(target: Singles, shares: NDArray[np.float64]) -> bool:
    """Tell whether Student's p is wrong for the shape of a standardised target, or the weights of its rows.

    Examples
    --------
    >>> equal = np.full(10, 0.1)
    >>> rare = np.repeat([3, -1 / 3], [1, 9])
    >>> needs_shuffles(np.repeat([1, -1], 5), equal), needs_shuffles(rare, equal)
    (False, True)
    """
    weighted = np.ptp(shares) > 1e-6 * shares.max()
    skewed = abs(shares @ target**3) > MOST_SKEWNESS
    return bool(weighted or skewed or shares @ target**4 > MOST_KURTOSIS)


class Line(NamedTuple):
    """Hold how rare evidence is under shuffles: at `start` it is ``10**-level``, and beyond ever rarer.

    Attributes
    ----------
    start, level : float
        Evidence that is exceeded by a share of ``10**-level`` of the shuffled associations.
    stretch : float
        How much evidence makes an association ten times as rare; 1 if it keeps its promise.
    """

    start: float
    level: float
    stretch: float

    def calibrated(self, evidence: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return evidence that means what it says: never more than given, and in the same order.

        Examples
        --------
        >>> Line(6.0, 4.0, 2.0).calibrated(np.array([3.0, 6.0, 10.0]))
        array([2., 4., 6.])
        """
        below = evidence * (self.level / self.start if self.start > 0 else 1.0)
        beyond = self.level + (evidence - self.start) / max(self.stretch, 1.0)
        return np.minimum(evidence, np.where(evidence <= self.start, below, beyond))


# Of evidence that needs no calibration.
AS_IT_IS = Line(0.0, 0.0, 1.0)


def line_through(largest: NDArray[np.float64], tried: int) -> Line:
    """Return the line through the largest evidence of so many shuffled associations as were tried.

    Examples
    --------
    >>> evidence = -np.log10(np.arange(1, 1001) / 10_000)  # as it should be
    >>> line = line_through(evidence, tried=10_000)
    >>> round(line.start, 2), round(line.level, 2), round(line.stretch, 1)
    (1.0, 1.0, 1.0)
    """
    size, falling = len(largest), -np.sort(-largest)
    if size < 2:
        return AS_IT_IS
    places = np.arange(min(FIRST_PLACE, size // 2), size // 2 + 1)
    slopes = (falling[places - 1] - falling[-1]) / np.log10(size / places)
    return Line(float(falling[-1]), float(np.log10(tried / size)), float(slopes.max()))


def tail_size(tried: int) -> int:
    """Return how many of the shuffled associations the line is laid through.

    Examples
    --------
    >>> tail_size(500), tail_size(50_000), tail_size(5_000_000)
    (50, 300, 500)
    """
    return max(1, int(min(max(TAIL_SHARE * tried, TAIL_SIZE), MOST_TAIL_SHARE * tried)))


class Tail:
    """The largest of a number of shuffled associations, which come in blocks."""

    def __init__(self, tried: int) -> None:
        self.tried, self.size = tried, tail_size(tried)
        self.values = np.empty(0, np.float32)

    def take(self, found: Singles) -> None:
        """Keep what is among the largest so far; zeros, those of what is constant, never."""
        least = self.values.min() if len(self.values) == self.size else 0
        self.values = np.concatenate([self.values, found[found > least]])
        if len(self.values) > self.size:
            self.values = np.partition(self.values, -self.size)[-self.size :]


def shuffled_rows(rank: Places, n_targets: int, strata: Ints | None = None) -> Places:
    """Return for every shuffle which row's target each row has, of shape (rows, shuffles).

    Parameters
    ----------
    rank : array of int
        All rows, in an order that does not depend on how they were given.
    strata : array of int, optional
        Rows of different ones exchange nothing.
    """
    n_rows = len(rank)
    n_shuffles = np.clip(SHUFFLED_VALUES // (n_rows * n_targets), LEAST_SHUFFLES, SHUFFLES)
    shuffled = np.empty((n_rows, n_shuffles), dtype=rank.dtype)
    generator = np.random.default_rng(0)
    parts = [rank] if strata is None else [rank[strata[rank] == code] for code in np.unique(strata)]
    for part in parts:
        places = np.tile(np.arange(len(part))[:, None], (1, n_shuffles))
        shuffled[part] = part[generator.permuted(places, axis=0)]
    return shuffled


def pairs_to_shuffle(leaders: Places, columns: Places, n_rows: int) -> tuple[Places, Places]:
    """Return pairs of a leader and another column: all if they are few, otherwise as many as affordable.

    Examples
    --------
    >>> pairs_to_shuffle(np.arange(3), np.arange(3), n_rows=9)
    (array([0, 0, 1]), array([1, 2, 2]))
    """
    most = max(len(columns), PAIR_VALUES // n_rows)
    if len(leaders) * len(columns) <= 2 * most:
        first, second = np.repeat(leaders, len(columns)), np.tile(columns, len(leaders))
        once = (first < second) | ~np.isin(second, leaders)
    else:
        generator = np.random.default_rng(0)
        first, second = (some[generator.integers(len(some), size=most)] for some in (leaders, columns))
        once = first != second
    return first[once], second[once]
