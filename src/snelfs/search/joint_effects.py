"""What columns say of a target together with a strong one, whatever the shape of their joint effect.

What the strong columns say alone is taken from the target, and what is left is multiplied by functions of one
of them. Functions of another column are then asked about these products, all of them together: by Pillai's
trace, the sum of the squared correlations of products and functions that are each uncorrelated among
themselves. They are not asked about products of both columns with the target: such products vary the more
with a target that follows one of them, and no p allows for that.
"""

import numpy as np
from numpy.typing import NDArray

from snelfs.foundation.types import Floats, Places, Reals, Singles
from snelfs.search.calibration import LEAST_SHUFFLES, SHUFFLES, Tail, line_through
from snelfs.search.curves import freed_functions
from snelfs.search.rank_statistics import evidence, standardised

# Functions of each of the two columns: itself, and cosines of one and one and a half periods of its ranks.
# With the column alone a joint effect that is no product is lost; five look for more than there mostly is.
BENT = 3

# Shuffled joint effects that show what chance does beside one strong column.
SHUFFLED_EFFECTS = 2**16


def shuffles_of(n_columns: int) -> int:
    """Return in how many shuffles so many columns show enough of what chance does.

    Examples
    --------
    >>> shuffles_of(100), shuffles_of(500), shuffles_of(50_000)
    (256, 131, 19)
    """
    return int(np.clip(SHUFFLED_EFFECTS // n_columns, LEAST_SHUFFLES, SHUFFLES))


def uncorrelated(values: Reals, shares: NDArray[np.float64]) -> Singles:
    """Return columns freed from those before them and standardised; zeros where little is left."""
    found: list[NDArray[np.float64]] = []
    for column in standardised(values, shares).astype(np.float64).T:
        found.append(freed_functions(column[:, None], found, shares))
    return np.concatenate(found, axis=1).astype(np.float32)


class JointEffects:
    """Judge what blocks of columns say together with one strong column, and calibrate it when all are seen.

    Parameters
    ----------
    products : array of shape (rows, products)
        What is left of the target times functions of the strong column, made `uncorrelated`.
    shares : array of shape (rows,)
        Weights that sum to 1.
    shuffled : array of int of shape (shuffles, rows)
        Which row's products each row has in a shuffle.
    degrees : float
        Degrees of freedom of a single correlation.
    """

    def __init__(
        self, products: Singles, shares: NDArray[np.float64], shuffled: Places, n_columns: int, degrees: float
    ) -> None:
        self.n_products = int(products.any(axis=0).sum())
        self.degrees = degrees
        own = (products * shares.astype(np.float32)[:, None]).T  # (products, rows)
        # The products as they are come first, then all shuffles of them.
        self.weighted = np.concatenate([own[None], np.swapaxes(own[:, shuffled], 0, 1)])
        self.found = np.zeros(n_columns)
        self.tail = Tail(len(shuffled) * n_columns)

    def take(self, block: slice, functions: Singles) -> None:
        """Take in functions of a block of columns, of shape (rows, functions, columns)."""
        n_rows, _, n_columns = functions.shape
        across = self.weighted.reshape(-1, n_rows) @ functions.reshape(n_rows, -1)
        shape = (len(self.weighted), -1, n_columns)
        trace = np.square(across, out=across).reshape(shape).sum(axis=1)  # (1 + shuffles, columns)
        counts = functions.any(axis=0).sum(axis=0)  # of two values there is one function, of three two
        # A product and a function more than there are rows to tell of would fit any of them.
        told = (counts > 0) & (counts < self.degrees + 1) & (0 < self.n_products < self.degrees + 1)
        for count in np.unique(counts[told]):
            places = np.flatnonzero(counts == count)
            self.found[block.start + places] = self._evidence(trace[0, places], int(count))
            shuffled = trace[1:, places].ravel()
            kept = min(self.tail.size, len(shuffled))  # the others are not among the largest of all
            largest = np.partition(shuffled, -kept)[-kept:]
            self.tail.take(self._evidence(largest, int(count)).astype(np.float32))

    def _evidence(self, trace: Singles, n_functions: int) -> Floats:
        """Return ``-log10 p`` of Pillai's traces, by the F-distribution that comes near theirs."""
        fewer, more = sorted((self.n_products, n_functions))
        between, within = fewer * more, fewer * (self.degrees + 1 - more)
        return evidence(np.sqrt(trace / fewer), within + between - 1, 1, between)

    def calibrated(self) -> Floats:
        """Return the evidence of all columns that were taken in, as often as shuffles show it."""
        line = line_through(self.tail.values.astype(np.float64), self.tail.tried)
        return line.calibrated(self.found)
