"""The blocks in which large tables are worked through, so that copies of them stay small."""

from collections.abc import Iterator

# Values of a block, were it dense: 8 MB of double precision.
BLOCK_VALUES = 2**20


def column_blocks(n_rows: int, n_columns: int, *, values: int = BLOCK_VALUES) -> Iterator[slice]:
    """Yield slices of columns in which a dense table is worked through, so that copies of it stay small.

    Examples
    --------
    >>> [(block.start, block.stop) for block in column_blocks(2**20, 4)]
    [(0, 1), (1, 2), (2, 3), (3, 4)]
    """
    size = max(1, values // max(1, n_rows))
    for start in range(0, n_columns, size):
        yield slice(start, min(start + size, n_columns))
