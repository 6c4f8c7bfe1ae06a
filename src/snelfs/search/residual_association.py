"""What known columns leave unexplained, and which columns are tied to that.

A column with a small part in a sum is drowned by the others until these are accounted for, and one that
matters only together with a known column stands out once few partners are tried.
"""

import numpy as np
from numpy.typing import NDArray

from snelfs.foundation.blocks import column_blocks
from snelfs.foundation.types import Singles
from snelfs.search.association import BEYOND_DOUBT
from snelfs.search.rank_statistics import effective_rows, evidence, normal_scores, standardised

# Numbers of products with known columns held at once: 256 MB.
_MOST_TERMS = 2**26

# Numbers of a matrix product held at once: 64 MB. Smaller ones would be slower.
_PRODUCT = 2**24

# What is left of a deviation of 1 when all of it is explained, in single precision.
_NOTHING = 1e-3


def unexplained(
    Z: NDArray[np.floating],
    targets: NDArray[np.floating],
    weights: NDArray[np.float64],
    known: NDArray[np.integer],
    most: int,
    tried: int | None = None,
) -> NDArray[np.int64]:
    """Return columns that are surely tied to what the known columns leave unexplained, best first.

    Targets, columns, their squares and their products with the known columns are freed (by least squares)
    from the known columns and their products; the column of the largest correlation left is found if its
    evidence is beyond doubt among so many, and is then accounted for as well, up to `most`.

    Parameters
    ----------
    known : array of int
        Columns, the most certain first. Products are looked at only as far as the rows allow.
    tried : int, optional
        Columns that chance had to choose from, if more than are given.

    Examples
    --------
    >>> Z = np.random.default_rng(0).standard_normal((100, 50))
    >>> y = 100 * Z[:, 7] + 10 * Z[:, 3] + Z[:, 5] * Z[:, 7]
    >>> unexplained(Z, y[:, None], np.ones(100), np.array([7]), most=5)
    array([3, 5])
    """
    shares = weights / weights.sum()
    own = np.sqrt(shares, dtype=np.float32)[:, None]
    partners = known[: _affordable_partners(len(known), Z.shape)]
    columns, left = _terms(Z, shares, partners), standardised(targets, shares) * own
    columns *= own
    owners = np.tile(np.arange(Z.shape[1]), 2 + len(partners))
    accounted = np.isin(owners, partners) | np.isin(np.arange(len(owners)), known)
    basis = _directions(columns[:, accounted])
    _free(basis, columns, left)
    columns[:, accounted] = 0
    degrees = effective_rows(weights) - 2 - basis.shape[1]
    tests = (2 + len(partners)) * (tried or Z.shape[1]) * left.shape[1]
    found: list[int] = []
    while len(found) < most and degrees - len(found) > 1:
        correlations = _correlations_left(columns, left)
        best = int(correlations.argmax())
        if evidence(correlations[[best]], degrees - len(found), tests)[0] < BEYOND_DOUBT:
            break
        found.append(int(owners[best]))
        _free(columns[:, [best]] / np.linalg.norm(columns[:, best]), columns, left)
    return np.array([column for column in dict.fromkeys(found) if column not in known], dtype=np.int64)


def indispensable(
    Z: NDArray[np.floating], targets: NDArray[np.floating], weights: NDArray[np.float64], tried: int
) -> NDArray[np.int64]:
    """Return which columns are surely tied to what all the others of `Z` leave unexplained.

    Parameters
    ----------
    Z : array of shape (rows, columns)
        The known columns.
    tried : int
        Columns that they were chosen from.

    Examples
    --------
    >>> Z = np.random.default_rng(0).standard_normal((100, 5))
    >>> Z[:, 2] = Z[:, 1] + 0.01 * Z[:, 2]  # either would do
    >>> y = Z[:, 0] + Z[:, 1] + Z[:, 4] + 0.1 * np.sin(np.arange(100))
    >>> indispensable(Z, y[:, None], np.ones(100), tried=50)
    array([0, 4])
    """
    columns = np.arange(Z.shape[1])
    needed = [
        column
        for column in columns
        if len(unexplained(Z, targets, weights, np.delete(columns, column), most=1, tried=tried))
    ]
    return np.array(needed, dtype=np.int64)


def _affordable_partners(n_known: int, shape: tuple[int, ...]) -> int:
    """Return for how many known columns products are looked at.

    All their pairs and squares take up at most a quarter of the rows, and the products with all columns
    bounded memory.

    Examples
    --------
    >>> _affordable_partners(4, (200, 500)), _affordable_partners(4, (40, 500))
    (4, 3)
    """
    n_rows, n_columns = shape
    spare = max(0, n_rows // 4 - n_known)
    within_rows = int((np.sqrt(1 + 8 * spare) - 1) / 2)
    return min(n_known, within_rows, _MOST_TERMS // (n_rows * n_columns))


def _terms(Z: NDArray[np.floating], shares: NDArray[np.float64], partners: NDArray[np.integer]) -> Singles:
    """Return columns, their squares and their products with each partner side by side, standardised.

    They are by far the largest table of a search on many rows, so there is one of them only.
    """
    S = normal_scores(Z, shares)  # squares and products of skewed columns have tails that swamp everything
    terms = np.empty((len(Z), (2 + len(partners)) * Z.shape[1]), np.float32)
    parts = np.split(terms, 2 + len(partners), axis=1)
    for block in column_blocks(*Z.shape):
        values = S[:, block]
        parts[0][:, block] = standardised(Z[:, block], shares)
        parts[1][:, block] = standardised(values**2, shares)
        for part, partner in zip(parts[2:], partners, strict=True):
            part[:, block] = standardised(values * S[:, [partner]], shares)
    return terms


def _free(basis: Singles, *tables: Singles) -> None:
    """Take the part within the basis out of tables, in place."""
    for table in tables:
        for block in column_blocks(*table.shape, values=_PRODUCT):
            table[:, block] -= basis @ (basis.T @ table[:, block])


def _directions(columns: Singles) -> Singles:
    """Return an orthonormal basis of what the columns span, without what is only rounding."""
    left, sizes, _ = np.linalg.svd(columns, full_matrices=False)
    return np.asarray(left[:, sizes > 1e-3 * max(1.0, sizes.max(initial=0))])


def _correlations_left(columns: Singles, left: Singles) -> Singles:
    """Return each column's largest correlation with a target; 0 where nothing is left of either."""
    blocks = column_blocks(*columns.shape, values=_PRODUCT)
    sizes = np.concatenate([np.linalg.norm(columns[:, block], axis=0) for block in blocks])
    remaining = np.linalg.norm(left, axis=0)
    explained = remaining <= _NOTHING
    products = np.abs(left.T @ columns) / np.where(sizes > _NOTHING, sizes, np.inf)
    return np.asarray((products / np.where(explained, np.inf, remaining)[:, None]).max(axis=0))
