"""Tables that are not, or should not be, in memory as one dense array: sparse ones, and tables on disk.

They are read in blocks of rows. What is dense in the end are the columns that take part in a training, of
single precision; where that cannot hold them, of double.
"""

import hashlib
import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from snelfs.foundation.blocks import slices
from snelfs.foundation.powers import unit_factors
from snelfs.foundation.types import Floats, Ints, Singles

# A memory map of fewer bytes is taken into memory: joblib passes arrays on as such.
LARGE = 2**30

# Packages whose arrays lie on disk and give rows as arrays, or as sparse matrices.
_ON_DISK = ("h5py", "zarr", "anndata")


def is_on_disk(X: object) -> bool:
    """Tell whether `X` is a large memory map of NumPy's, or an array of h5py, Zarr or a backed AnnData."""
    if isinstance(X, np.memmap):
        return X.nbytes >= LARGE
    return type(X).__module__.split(".")[0] in _ON_DISK


class Moments(NamedTuple):
    """Weighted statistics of every column."""

    mean: Floats
    deviation: Floats
    varies: NDArray[np.bool_]


class Source:
    """Rows of a table that is read in blocks.

    Indexing is NumPy's as far as it is needed: ``source[rows]`` is a source of these rows in this order, and
    ``source[:, columns]`` a dense array, of double precision if single cannot hold a column or its spread.

    Examples
    --------
    >>> source = Source(sparse.csr_array([[0.0, 1.0, 0.0], [2.0, 0.0, 3.0]]))
    >>> source[:, [2, 0]].tolist(), source[np.array([1])].shape
    ([[0.0, 0.0], [3.0, 2.0]], (1, 3))
    """

    def __init__(self, table: Any, rows: Ints | None = None) -> None:
        self.table = table
        self.rows = np.arange(table.shape[0]) if rows is None else rows

    @classmethod
    def of(cls, X: Any) -> "Source":
        """Return a table on disk as a source, or say what it lacks."""
        shape, dtype = getattr(X, "shape", None), np.dtype(getattr(X, "dtype", object))
        if shape is None or len(shape) != 2 or dtype.kind not in "fiub":
            raise ValueError(f"X on disk must be a table of numbers, got the shape {shape} of {dtype}.")
        if getattr(X, "format", "csr") != "csr":
            raise ValueError("A sparse X on disk must be stored by rows (CSR), got one stored by columns.")
        return cls(X)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.rows), int(self.table.shape[1])

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, key: Any) -> Any:
        if not isinstance(key, tuple):
            return Source(self.table, self.rows[key])
        columns = np.arange(self.shape[1])[key[1]]
        dense = np.empty((len(self), len(columns)), np.float32)
        if not len(columns):
            return dense  # nothing to read the table for
        low, high = np.full(len(columns), np.inf), np.full(len(columns), -np.inf)
        with np.errstate(over="ignore"):
            for places, block in self.blocks(len(columns)):
                part = _dense(block[:, columns])
                dense[places] = part
                low, high = np.minimum(low, part.min(axis=0)), np.maximum(high, part.max(axis=0))
        return dense if _fits_single(low, high) else self._double(columns)

    def _double(self, columns: Ints) -> Floats:
        dense = np.empty((len(self), len(columns)))
        for places, block in self.blocks(len(columns)):
            dense[places] = _dense(block[:, columns])
        return dense

    def standardised(self, columns: Ints, mean: Floats, scale: Floats) -> Singles:
        """Return columns on the standard scale, of single precision, whatever their size and offset."""
        dense, factor = np.empty((len(self), len(columns)), np.float32), unit_factors(scale)
        for places, block in self.blocks(len(columns)):
            dense[places] = (_dense(block[:, columns]) * factor - mean * factor) / (scale * factor)
        return dense

    def products(self, given: Floats, factors: Floats) -> Floats:
        """Return the products of given columns with all of the table, these multiplied by factors."""
        total = np.zeros((given.shape[1], self.shape[1]))
        for places, block in self.blocks():
            total += np.asarray((_times(block, factors).T @ given[places]).T)
        return total

    def blocks(self, n_dense: int = 0) -> Iterator[tuple[Ints, Any]]:
        """Yield rows as dense arrays or CSR matrices, with their places, in the order of the table.

        A sparse block has as many rows as hold what is stored of a dense one, unless so many columns of it as
        `n_dense` are to be made dense: what is done once a block for each column would take most of the time.
        """
        order = np.argsort(self.rows, kind="stable")
        positions = self.rows[order]
        for part in slices(self.table.shape[0], max(n_dense, _values_each_row(self.table))):
            low, high = np.searchsorted(positions, [part.start, part.stop])
            if high > low:
                block, wanted = _rows(self.table, part), positions[low:high] - part.start
                is_whole = np.array_equal(wanted, np.arange(block.shape[0]))
                yield order[low:high], block if is_whole else block[wanted]

    def moments(self, weights: Floats) -> Moments:
        """Return mean, standard deviation and whether there is any, of all columns in one pass."""
        n_columns = self.shape[1]
        total, mean, spread = 0.0, np.zeros(n_columns), np.zeros(n_columns)
        low, high = np.full(n_columns, np.inf), np.full(n_columns, -np.inf)
        factor = unit_factors(np.zeros(n_columns))
        for places, block in self.blocks():
            own = weights[places]
            low, high = _with_extremes(block, low, high)
            largest = np.maximum(np.abs(low), np.abs(high))
            finer, factor = factor, unit_factors(largest)
            mean, spread = mean * (factor / finer), spread * np.square(factor / finer)
            weight, centre, around = own.sum(), *_centre_and_spread(_times(block, factor), own)
            # Two parts make a whole: Chan, Golub and LeVeque's update.
            apart, share = centre - mean, weight / (total + weight)
            spread += around + apart**2 * total * share
            mean += apart * share
            total += weight
        varies = high * factor - low * factor > 10 * np.finfo(np.float64).eps * (largest * factor)
        # The zeros of a sparse column that has none may weigh a little less than nothing.
        return Moments(mean / factor, np.sqrt(np.maximum(spread, 0) / total) / factor, varies)

    def distances(self, mean: Floats, scale: Floats) -> Floats:
        """Return the squared distance of every row from the centre, on the standard scale."""
        squared, factor = np.empty(len(self)), unit_factors(scale)
        for places, block in self.blocks():
            squared[places] = _distances(_times(block, factor), mean * factor, scale * factor)
        return squared

    def digests(self, targets: NDArray[np.generic], *, gaps: bool = False) -> NDArray[np.str_]:
        """Return a digest of every row with its target; raise if a value is infinite, or a gap not meant."""
        marks = np.empty(len(self), dtype="<U32")
        for places, block in self.blocks():
            _refuse_what_is_not_finite(block, gaps)
            marks[places] = [
                _digest(row + targets[place].tobytes())
                for place, row in zip(places, _row_bytes(block), strict=True)
            ]
        return marks


def row_digests(table: Any) -> list[str]:
    """Return a digest of every row of an array or sparse matrix, equal where all values are.

    Examples
    --------
    >>> first, second, third = row_digests(np.array([[0.0, 1.0], [-0.0, 1.0], [0.0, 2.0]]))
    >>> first == second, first == third
    (True, False)
    """
    return [_digest(row) for row in _row_bytes(table.tocsr().copy() if _is_sparse(table) else table)]


class Freed(NamedTuple):
    """How columns are freed from others: what these say of each is taken away, and the rest made as large."""

    basis: Floats  # (rows, directions) of what is taken away
    slopes: Floats  # (directions, columns) how much of each
    left: Floats  # (columns,) the deviation that is left


class Standardised:
    """Columns of a source on the standard scale, worked out where they are asked for.

    Parameters
    ----------
    freed : Freed, optional
        From what else the columns are freed, those of `kept` in their order.
    """

    def __init__(
        self, source: Source, kept: Ints, mean: Floats, scale: Floats, freed: Freed | None = None
    ) -> None:
        self.source, self.kept, self.mean, self.scale, self.freed = source, kept, mean, scale, freed

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and kept columns."""
        return len(self.source), len(self.kept)

    def __len__(self) -> int:
        return len(self.source)

    def __getitem__(self, key: Any) -> Any:
        """Return ``[:, columns]`` as a dense array, and ``[rows]`` as the same columns of some rows."""
        if not isinstance(key, tuple):
            freed = None if self.freed is None else self.freed._replace(basis=self.freed.basis[key])
            return Standardised(self.source[key], self.kept, self.mean, self.scale, freed)
        columns = self.kept[key[1]]
        dense = self.source.standardised(columns, self.mean[columns], self.scale[columns])
        if self.freed is not None:
            dense -= (self.freed.basis @ self.freed.slopes[:, key[1]]).astype(np.float32)
            dense /= self.freed.left[key[1]].astype(np.float32)
        return dense

    def products(self, given: Floats) -> Floats:
        """Return the products of given columns with the kept ones on the standard scale, in one pass."""
        factor = np.where(self.scale > 0, unit_factors(self.scale), 1.0)
        total = self.source.products(given, factor) - given.sum(axis=0)[:, None] * (self.mean * factor)
        return np.asarray(total[:, self.kept] / (self.scale * factor)[self.kept])


# -- blocks, dense or sparse ------------------------------------------------------------------------


def _is_sparse(block: Any) -> bool:
    return bool(sparse.issparse(block))


def _values_each_row(table: Any) -> int:
    """Return how many values of a row are stored, on average."""
    n_rows, n_columns = table.shape
    n_stored = n_rows * n_columns
    if hasattr(table, "group"):
        n_stored = table.group["indices"].shape[0]
    elif _is_sparse(table):
        n_stored = table.nnz
    return math.ceil(int(n_stored) / max(1, int(n_rows)))


def _rows(table: Any, part: slice) -> Any:
    """Return rows as a dense array or a CSR matrix of their own, in which each value is stored once."""
    if hasattr(table, "group"):  # a sparse matrix that AnnData keeps on disk
        block = _stored_rows(table.group, part.start, part.stop, table.shape[1])
    else:
        block = table[part]
    if not _is_sparse(block):
        return np.asarray(block)
    block = sparse.csr_array(block)
    block.sum_duplicates()
    return block


def _stored_rows(group: Any, start: int, stop: int, n_columns: int) -> Any:
    """Return rows of a CSR matrix from its three arrays on disk.

    AnnData's own indexing leans on inner parts of SciPy, and breaks with them.
    """
    ends = np.asarray(group["indptr"][start : stop + 1])
    stored = slice(int(ends[0]), int(ends[-1]))
    parts = np.asarray(group["data"][stored]), np.asarray(group["indices"][stored]), ends - ends[0]
    return sparse.csr_array(parts, shape=(stop - start, n_columns))


def _dense(block: Any) -> NDArray[Any]:
    return np.asarray(block.toarray() if _is_sparse(block) else block)


def _times(block: Any, factors: Floats) -> Any:
    """Return a block with every column multiplied by its factor, in double precision."""
    if not _is_sparse(block):
        return block * factors
    return sparse.csr_array(
        (block.data * factors[block.indices], block.indices, block.indptr), shape=block.shape
    )


def _fits_single(low: Floats, high: Floats) -> bool:
    """Tell whether single precision holds columns, and three digits of what they vary by, by their bounds."""
    range_ = np.finfo(np.float32)
    with np.errstate(over="ignore"):
        largest, spread = np.maximum(abs(low), abs(high)), high - low
        sized = (largest == 0) | ((largest > range_.tiny / range_.eps) & (largest <= range_.max))
        told_apart = (spread == 0) | (spread > 1e3 * range_.eps * largest)
    return bool((sized & told_apart).all())


def _centre_and_spread(block: Any, weights: Floats) -> tuple[Floats, Floats]:
    """Return the weighted means, and the weighted sums of squares around them."""
    total = weights.sum()
    if not _is_sparse(block):
        mean = weights @ block / total
        return mean, weights @ np.square(block - mean)
    mean = np.asarray(block.T @ weights, dtype=np.float64) / total
    stored = block.tocoo()
    own = weights[stored.row]
    squares = own * np.square(stored.data - mean[stored.col])
    spread = np.bincount(stored.col, squares, minlength=len(mean))
    zeros = total - np.bincount(stored.col, own, minlength=len(mean))
    return mean, spread + zeros * mean**2


def _with_extremes(block: Any, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Return the least and the largest values of columns so far, those of a block included."""
    if not _is_sparse(block):
        return np.minimum(low, block.min(axis=0)), np.maximum(high, block.max(axis=0))
    # SciPy would sort the whole block by its columns, once for each of the two.
    is_full = np.bincount(block.indices, minlength=len(low)) == block.shape[0]
    zero = np.where(is_full, np.inf, 0.0)
    low, high = np.minimum(low, zero), np.maximum(high, -zero)
    at, values = block.indices.astype(np.intp), block.data.astype(np.float64)  # others take NumPy's slow path
    np.minimum.at(low, at, values)
    np.maximum.at(high, at, values)
    return low, high


def _distances(block: Any, mean: Floats, scale: Floats) -> Floats:
    if not _is_sparse(block):
        return np.asarray(np.square((block - mean) / scale).sum(axis=1))
    at_zero = np.square(mean / scale)
    stored = block.tocoo()
    apart = np.square((stored.data - mean[stored.col]) / scale[stored.col]) - at_zero[stored.col]
    return np.asarray(at_zero.sum() + np.bincount(stored.row, apart, minlength=block.shape[0]))


def _digest(row: bytes) -> str:
    return hashlib.blake2b(row, digest_size=16).hexdigest()


def _row_bytes(block: Any) -> Iterator[bytes]:
    """Yield what tells a row from others: its values, or those that are not zero and where they are."""
    if not _is_sparse(block):
        yield from ((row + 0.0).astype(np.float64).tobytes() for row in block)  # -0.0 + 0.0 is 0.0
        return
    block.sum_duplicates()
    block.eliminate_zeros()
    for start, stop in zip(block.indptr[:-1], block.indptr[1:], strict=True):
        values = block.data[start:stop].astype(np.float64)
        yield block.indices[start:stop].astype(np.int64).tobytes() + values.tobytes()


def _refuse_what_is_not_finite(block: Any, gaps: bool) -> None:
    values = block.data if _is_sparse(block) else block
    if not np.isfinite(values).all() and not (gaps and not np.isinf(values).any()):
        kind = "NaN" if np.isnan(values).any() else "infinity"
        raise ValueError(
            f"Input X contains {kind}; only finite numbers are accepted of a table that is sparse or on disk."
        )
