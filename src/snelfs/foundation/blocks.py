"""The blocks in which large tables are worked through, so that copies of them stay small."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Values of a block, were it dense: 8 MB of double precision.
BLOCK_VALUES = 2**20


def slices(n_things: int, values_each: int, *, values: int | None = None) -> Iterator[slice]:
    """Yield slices of things of so many values each, as many at a time as a block holds.

    Examples
    --------
    >>> [(block.start, block.stop) for block in slices(3, 2**19)]
    [(0, 2), (2, 3)]
    """
    size = max(1, (values or BLOCK_VALUES) // max(1, values_each))
    for start in range(0, n_things, size):
        yield slice(start, min(start + size, n_things))


def column_blocks(n_rows: int, n_columns: int, *, values: int | None = None) -> Iterator[slice]:
    """Yield slices of the columns of a table.

    Examples
    --------
    >>> [(block.start, block.stop) for block in column_blocks(2**20, 4)]
    [(0, 1), (1, 2), (2, 3), (3, 4)]
    """
    return slices(n_columns, n_rows, values=values)


def dense_columns(X: Any) -> Iterator[NDArray[Any]]:
    """Yield the columns of an array or sparse matrix in dense blocks."""
    columns = X.tocsc() if hasattr(X, "tocsr") else X
    for block in column_blocks(*X.shape):
        part = columns[:, block]
        yield part.toarray() if hasattr(part, "toarray") else np.asarray(part)
