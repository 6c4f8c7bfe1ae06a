"""Score columns by what they say of the target beyond their correlations: CAT and CAR scores.

The t-scores of all columns (Zuber and Strimmer 2009), or their correlations with a number (2011), are
multiplied by the inverse root of the correlation matrix, which is shrunk towards none (Schäfer and Strimmer
2005): there are fewer rows than columns.
"""

from __future__ import annotations

import numpy as np

from snelfs.foundation.types import Floats, Places, Reals

# A column that is constant within every class would divide by 0: of its deviation so much is left at least.
LEAST_DEVIATION = 1e-6

# Columns that are all copies of one another leave nothing to shrink; the root must exist all the same.
LEAST_SHRINKAGE = 1e-3


def cat_scores(X: Floats, y: Places) -> Floats:
    """Return the sum of squared correlation-adjusted t-scores of every column over the classes.

    Parameters
    ----------
    X : array of shape (rows, columns)
        None of them constant.
    y : array of int, shape (rows,)
        Classes from 0.

    Examples
    --------
    >>> X = np.random.default_rng(0).standard_normal((100, 5))
    >>> y = (X[:, 2] > 0).astype(int)
    >>> int(cat_scores(X, y).argmax())
    2
    """
    sizes = np.bincount(y)
    means = np.stack([X[y == code].mean(axis=0) for code in range(len(sizes))])
    within = X - means[y]
    deviation = np.sqrt(np.square(within).sum(axis=0) / max(1, len(y) - len(sizes)))
    deviation = np.maximum(deviation, LEAST_DEVIATION * X.std(axis=0))
    scale = np.sqrt(np.maximum(1 / sizes - 1 / len(y), 1e-12))[:, None]
    t = (means - X.mean(axis=0)) / (deviation * scale)  # (classes, columns)
    return np.asarray(np.square(_decorrelate(within, t)).sum(axis=0))


def car_scores(X: Floats, y: Floats) -> Floats:
    """Return the squared correlation-adjusted correlation of every column with a number.

    Examples
    --------
    >>> X = np.random.default_rng(0).standard_normal((100, 5))
    >>> int(car_scores(X, X[:, 2] + 0.1 * X[:, 0]).argmax())
    2
    """
    centred = X - X.mean(axis=0)
    goal = (y - y.mean()) / y.std()
    correlation = goal @ (centred / centred.std(axis=0)) / len(y)
    return np.asarray(np.square(_decorrelate(centred, correlation[None]))[0])


def _decorrelate(centred: Floats, values: Floats) -> Floats:
    """Return values of columns, of shape (..., columns), times the inverse root of their correlations."""
    deviation = centred.std(axis=0)
    Z = centred / np.where(deviation > 0, deviation, 1)
    kept = shrinkage(Z)
    _, roots, V = np.linalg.svd(Z / np.sqrt(len(Z)), full_matrices=False)
    # Of R = λ I + (1 - λ) V' d² V the inverse root is known from V alone.
    spread = 1 / np.sqrt(kept + (1 - kept) * roots**2) - 1 / np.sqrt(kept)
    return np.asarray(values / np.sqrt(kept) + ((values @ V.T) * spread) @ V)


def shrinkage(Z: Reals) -> float:
    """Return how far the correlations of standardised columns are shrunk towards none, from 0 to 1.

    It is the sum of the variances of all correlations over that of their squares. Both are sums over pairs of
    columns that follow from the products of rows.

    Examples
    --------
    >>> Z = np.random.default_rng(0).standard_normal((50, 200))
    >>> shrinkage((Z - Z.mean(axis=0)) / Z.std(axis=0)) > 0.9
    True
    """
    n = len(Z)
    squares = np.square(Z)
    rows = Z @ Z.T
    mean_squares = np.square(rows).sum() / n**2 - np.square(squares.mean(axis=0)).sum()  # Σ w̄²
    all_squares = np.square(squares.sum(axis=1)).sum() - np.square(squares).sum()  # Σ w²
    if n < 2 or mean_squares <= 0:
        return 1.0
    variance = n / (n - 1) ** 3 * (all_squares - n * mean_squares)
    return float(np.clip(variance / ((n / (n - 1)) ** 2 * mean_squares), LEAST_SHRINKAGE, 1.0))
