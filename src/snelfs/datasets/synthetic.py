"""The paper's four synthetic generators.

Every generator draws a table of which only a few columns determine the target, and says which ones.
Rows and columns come in random order: with the relevant columns first, ties in a ranking would count as hits.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.datasets import make_classification, make_friedman1, make_regression

from snelfs.foundation.checks import Seed, count, non_negative, random_numbers
from snelfs.foundation.types import Floats, Ints


class Sample(NamedTuple):
    """Hold a synthetic data set; unpacks as ``X, y, relevant``.

    Attributes
    ----------
    X : ndarray of shape (n_samples, n_features), float64
        The columns to select from.
    y : ndarray of shape (n_samples,)
        Classes 0 and 1 as integers, the regression target as float64, or events and times.
    relevant : ndarray of shape (n_relevant,), integer
        Indices of the columns of `X` that determine `y`, in increasing order. Which part a column plays
        in the formula of `y` is not recorded.
    """

    X: Floats
    y: npt.NDArray[Any]
    relevant: npt.NDArray[np.intp]


def make_madelon(
    n_samples: int = 200,
    n_features: int = 500,
    *,
    n_informative: int = 5,
    random_state: Seed = None,
) -> Sample:
    """Draw the Madelon data: two classes, each four normal clusters at vertices of a hypercube.

    The hypercube has edges of length 4, with vertices {-2, 2}^n_informative; eight different ones are drawn
    as cluster centres and given to the classes in turn. Each cluster has its own random covariance.
    The other columns are standard normal noise; no label is flipped.

    Parameters
    ----------
    n_samples : int, default=200
        Number of rows, at least 1.
    n_features : int, default=500
        Number of columns, at least `n_informative`.
    n_informative : int, default=5
        Dimension of the hypercube, at least 3, as eight clusters need eight vertices.
    random_state : int, Generator, RandomState or None, default=None
        Seed or source of the random numbers; None draws fresh entropy.

    Returns
    -------
    Sample
        `X`, the classes `y`, and `relevant`, the columns that span the hypercube.

    See Also
    --------
    sklearn.datasets.make_classification : The generator behind it.

    Examples
    --------
    >>> from snelfs.datasets import make_madelon
    >>> X, y, relevant = make_madelon(random_state=0)
    >>> X.shape, y.mean().item(), len(relevant)
    ((200, 500), 0.5, 5)
    """
    n_samples = count("n_samples", n_samples, 1)
    n_informative = count("n_informative", n_informative, 3, "eight clusters need eight vertices")
    n_features = count("n_features", n_features, n_informative, "the number of relevant columns")
    rng = random_numbers(random_state)
    # Paper: clusters have standard deviation 1. scikit-learn starts from that, then multiplies each cluster
    # by a random matrix; the paper words its data as scikit-learn does, so we take that generator whole.
    X, y = make_classification(
        n_samples,
        n_features,
        n_informative=n_informative,
        n_redundant=0,
        n_clusters_per_class=4,
        flip_y=0.0,
        class_sep=2.0,
        hypercube=True,
        shift=0.0,
        scale=1.0,
        shuffle=False,
        random_state=rng,
    )
    return _shuffled(X, y, np.arange(n_informative), rng)


def make_xor(n_samples: int = 200, n_features: int = 500, *, random_state: Seed = None) -> Sample:
    """Draw the XOR data: fair coins, and a class that says whether two of them differ.

    All columns are independent and Bernoulli(1/2), and ``y = x_1 XOR x_2``. Any single column is independent
    of the class, so that no method that looks at one column at a time can find the two.

    Parameters
    ----------
    n_samples : int, default=200
        Number of rows, at least 1.
    n_features : int, default=500
        Number of columns, at least 2.
    random_state : int, Generator, RandomState or None, default=None
        Seed or source of the random numbers; None draws fresh entropy.

    Returns
    -------
    Sample
        `X` of zeros and ones, the classes `y`, and `relevant`, the two columns of the formula.

    Examples
    --------
    >>> from snelfs.datasets import make_xor
    >>> X, y, (first, second) = make_xor(random_state=0)
    >>> bool(((X[:, first] != X[:, second]) == y).all())
    True
    """
    n_samples = count("n_samples", n_samples, 1)
    n_features = count("n_features", n_features, 2, "the number of relevant columns")
    rng = random_numbers(random_state)
    X = rng.randint(2, size=(n_samples, n_features), dtype=np.int64)
    return _shuffled(X.astype(np.float64), X[:, 0] ^ X[:, 1], np.arange(2), rng)


def make_linear(
    n_samples: int = 200,
    n_features: int = 500,
    *,
    n_informative: int = 5,
    noise: float = 0.0,
    random_state: Seed = None,
) -> Sample:
    """Draw the linear regression data: a weighted sum of a few standard normal columns.

    All columns are independent and standard normal, and ``y = sum_j c_j x_j + noise * N(0, 1)`` with
    `n_informative` non-zero coefficients, uniform on (0, 100).

    Parameters
    ----------
    n_samples : int, default=200
        Number of rows, at least 1.
    n_features : int, default=500
        Number of columns, at least `n_informative`.
    n_informative : int, default=5
        Number of non-zero coefficients, at least 1.
    noise : float, default=0.0
        Standard deviation of the noise in `y`. It changes neither `X` nor `relevant`.
    random_state : int, Generator, RandomState or None, default=None
        Seed or source of the random numbers; None draws fresh entropy.

    Returns
    -------
    Sample
        `X`, the target `y`, and `relevant`, the columns with a non-zero coefficient.

    See Also
    --------
    sklearn.datasets.make_regression : The generator behind it.

    Examples
    --------
    >>> import numpy as np
    >>> from snelfs.datasets import make_linear
    >>> X, y, relevant = make_linear(random_state=0)
    >>> coef, *_ = np.linalg.lstsq(X[:, relevant], y)
    >>> bool(np.allclose(X[:, relevant] @ coef, y))
    True
    """
    n_samples = count("n_samples", n_samples, 1)
    n_informative = count("n_informative", n_informative, 1)
    n_features = count("n_features", n_features, n_informative, "the number of relevant columns")
    noise = non_negative("noise", noise)
    rng = random_numbers(random_state)
    X, y, coef = make_regression(
        n_samples, n_features, n_informative=n_informative, coef=True, shuffle=False, random_state=rng
    )
    # Drawn here because scikit-learn draws none for noise = 0: the columns' order stays whatever the noise.
    y = y + noise * rng.standard_normal(n_samples)
    return _shuffled(X, y, np.flatnonzero(coef), rng)


def make_friedman(
    n_samples: int = 200,
    n_features: int = 500,
    *,
    noise: float = 0.0,
    random_state: Seed = None,
) -> Sample:
    """Draw the Friedman data: a regression with a product, a square and two linear terms.

    All columns are independent and uniform on [0, 1], and
    ``y = 10 sin(pi x_1 x_2) + 20 (x_3 - 1/2)^2 + 10 x_4 + 5 x_5 + noise * N(0, 1)``.
    The column x_3 is uncorrelated with `y`.

    Parameters
    ----------
    n_samples : int, default=200
        Number of rows, at least 1.
    n_features : int, default=500
        Number of columns, at least 5.
    noise : float, default=0.0
        Standard deviation of the noise in `y`. It changes neither `X` nor `relevant`.
    random_state : int, Generator, RandomState or None, default=None
        Seed or source of the random numbers; None draws fresh entropy.

    Returns
    -------
    Sample
        `X`, the target `y`, and `relevant`, the columns x_1 to x_5, sorted by index and not by their part
        in the formula.

    See Also
    --------
    sklearn.datasets.make_friedman1 : The generator behind it.

    Examples
    --------
    >>> from snelfs.datasets import make_friedman
    >>> X, y, relevant = make_friedman(random_state=0)
    >>> X.shape, len(relevant), bool(0 <= y.min() <= y.max() <= 30)
    ((200, 500), 5, True)
    """
    n_samples = count("n_samples", n_samples, 1)
    n_features = count("n_features", n_features, 5, "the number of relevant columns")
    noise = non_negative("noise", noise)
    rng = random_numbers(random_state)
    X, y = make_friedman1(n_samples, n_features, noise=noise, random_state=rng)
    return _shuffled(X, y, np.arange(5), rng)


def _shuffled(
    X: Floats, y: Ints | Floats, relevant: npt.NDArray[np.intp], rng: np.random.RandomState
) -> Sample:
    """Put rows and columns in random order and follow the relevant columns to their new places."""
    rows = rng.permutation(X.shape[0])
    columns = rng.permutation(X.shape[1])  # the old index of every new column
    return Sample(X[np.ix_(rows, columns)], y[rows], np.flatnonzero(np.isin(columns, relevant)))
