"""Families of problems that no part of the search was made for, each with known relevant columns.

A family says of what kind a problem is: how the columns hang together, and how the target hangs on some of
them. Each generator draws the relevant columns first; `draw` puts rows and columns in random order.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from snelfs.datasets import Sample
from snelfs.foundation.types import Floats


class Drawn(NamedTuple):
    """Hold a table whose first columns, so many as are relevant, determine the target."""

    X: Floats
    y: np.ndarray
    n_relevant: int


class Family(NamedTuple):
    """Describe a family: how to draw it, whether its target is a number, and what it is in a few words."""

    generate: Callable[[np.random.Generator, int, int], Drawn]
    regression: bool
    title: str


def draw(family: Family, n_rows: int, n_columns: int, seed: int) -> Sample:
    """Return a table of a family, its rows and columns in random order."""
    generator = np.random.default_rng(seed)
    X, y, n_relevant = family.generate(generator, n_rows, n_columns)
    rows, columns = generator.permutation(n_rows), generator.permutation(n_columns)
    return Sample(X[rows][:, columns], y[rows], np.flatnonzero(columns < n_relevant))


def _noise(generator: np.random.Generator, n_rows: int, signal: Floats, share: float = 0.1) -> Floats:
    """Return a signal with so much noise that it is this share of the whole variance."""
    scale = np.sqrt(share / (1 - share)) * signal.std()
    return np.asarray(signal + scale * generator.standard_normal(n_rows))


def _suppressors(generator: np.random.Generator, n_rows: int, n_columns: int) -> Drawn:
    """Draw two pairs of columns correlated at 0.95, whose differences matter."""
    X = generator.standard_normal((n_rows, n_columns))
    for column in (0, 2):
        X[:, column + 1] = 0.95 * X[:, column] + np.sqrt(1 - 0.95**2) * X[:, column + 1]
    apart = X[:, 0] - X[:, 1] + X[:, 2] - X[:, 3]
    return Drawn(X, _noise(generator, n_rows, apart), 4)


def _in_a_row(generator: np.random.Generator, n_rows: int, n_columns: int) -> Drawn:
    """Draw columns that follow each other as in a series, correlated at 0.8, with alternating signs."""
    steps = generator.standard_normal((n_rows, n_columns))
    X = steps.copy()
    for column in range(1, n_columns):
        X[:, column] = 0.8 * X[:, column - 1] + 0.6 * steps[:, column]
    relevant = np.arange(6) * 2  # with one column between each two
    X = X[:, [*relevant, *np.setdiff1d(np.arange(n_columns), relevant)]]
    return Drawn(X, _noise(generator, n_rows, X[:, :6] @ np.array([1, -1, 1, -1, 1, -1])), 6)


def _blocks(generator: np.random.Generator, n_rows: int, n_columns: int) -> Drawn:
    """Draw blocks of ten columns correlated at 0.7; one column of each of five blocks matters."""
    shared = generator.standard_normal((n_rows, n_columns // 10))
    own = generator.standard_normal((n_rows, n_columns))
    X = np.sqrt(0.7) * np.repeat(shared, 10, axis=1) + np.sqrt(0.3) * own
    relevant = np.arange(5) * 10
    X = X[:, [*relevant, *np.setdiff1d(np.arange(n_columns), relevant)]]
    return Drawn(X, _noise(generator, n_rows, X[:, :5].sum(axis=1)), 5)


def _sines(generator: np.random.Generator, n_rows: int, n_columns: int) -> Drawn:
    """Draw a sum of four sines of two whole periods, each begun at random: no column is monotone."""
    X = generator.uniform(-1, 1, (n_rows, n_columns))
    begun = generator.uniform(0, 2 * np.pi, 4)
    return Drawn(X, _noise(generator, n_rows, np.sin(2 * np.pi * X[:, :4] + begun).sum(axis=1)), 4)


def _tree(generator: np.random.Generator, n_rows: int, n_columns: int) -> Drawn:
    """Draw the steps of a tree of depth three with four columns."""
    X = generator.standard_normal((n_rows, n_columns))
    left = np.where(X[:, 1] > 0.3, 2.0, np.where(X[:, 2] > 0, 0.0, -1.0))
    right = np.where(X[:, 2] > -0.3, 1.0, np.where(X[:, 3] > 0, -2.0, 3.0))
    return Drawn(X, _noise(generator, n_rows, np.where(X[:, 0] > 0, left, right)), 4)


def _weak(generator: np.random.Generator, n_rows: int, n_columns: int) -> Drawn:
    """Draw ten weak effects that together make up half of the variance."""
    X = generator.standard_normal((n_rows, n_columns))
    return Drawn(X, _noise(generator, n_rows, X[:, :10].sum(axis=1), share=0.5), 10)


def _four_classes(generator: np.random.Generator, n_rows: int, n_columns: int) -> Drawn:
    """Draw four classes, each raised in two columns of its own."""
    X = generator.standard_normal((n_rows, n_columns))
    y = np.arange(n_rows) % 4
    for column in range(8):
        X[y == column // 2, column] += 1.0
    return Drawn(X, y, 8)


def _gate(generator: np.random.Generator, n_rows: int, n_columns: int) -> Drawn:
    """Draw a column that says which of two others decides the class."""
    X = generator.standard_normal((n_rows, n_columns))
    return Drawn(X, (np.where(X[:, 0] > 0, X[:, 1], X[:, 2]) > 0).astype(int), 3)


def _lognormal(generator: np.random.Generator, n_rows: int, n_columns: int) -> Drawn:
    """Draw columns and a target with long tails: a product of powers."""
    Z = generator.standard_normal((n_rows, n_columns))
    return Drawn(np.exp(Z), np.exp(_noise(generator, n_rows, Z[:, :5] @ np.array([1, -1, 1, -1, 1]))), 5)


def _rare_class(generator: np.random.Generator, n_rows: int, n_columns: int) -> Drawn:
    """Draw one row of twenty that is ill, with four columns raised."""
    X = generator.standard_normal((n_rows, n_columns))
    y = (np.arange(n_rows) % 20 == 0).astype(int)
    X[y == 1, :4] += 1.5
    return Drawn(X, y, 4)


def _recessive(generator: np.random.Generator, n_rows: int, n_columns: int) -> Drawn:
    """Draw doses of genes (0, 1 or 2 copies), of which two copies alone matter, at four places."""
    dose = generator.binomial(2, 0.4, (n_rows, n_columns)).astype(float)
    risk = (dose[:, :4] == 2).sum(axis=1) - 4 * 0.4**2
    return Drawn(dose, (_noise(generator, n_rows, risk, share=0.3) > 0).astype(int), 4)


def _parity(generator: np.random.Generator, n_rows: int, n_columns: int) -> Drawn:
    """Draw three coins, of which an even or odd number show heads."""
    X = generator.integers(0, 2, (n_rows, n_columns)).astype(float)
    return Drawn(X, X[:, :3].sum(axis=1).astype(int) % 2, 3)


def _larger_of_two(generator: np.random.Generator, n_rows: int, n_columns: int) -> Drawn:
    """Draw pairs of columns that go together, and a class that says which of each is larger."""
    X = generator.standard_normal((n_rows, n_columns))
    for column in (0, 2):
        X[:, column + 1] = 0.8 * X[:, column] + 0.6 * X[:, column + 1]
    score = np.sign(X[:, 0] - X[:, 1]) + np.sign(X[:, 2] - X[:, 3])
    y = (score + 0.5 * generator.standard_normal(n_rows) > 0).astype(int)
    return Drawn(np.exp(X * np.exp(generator.standard_normal(n_columns) / 2)), y, 4)


def _at_least_two(generator: np.random.Generator, n_rows: int, n_columns: int) -> Drawn:
    """Draw a class that says whether at least two of five columns are high."""
    X = generator.standard_normal((n_rows, n_columns))
    return Drawn(X, ((X[:, :5] > 0.5).sum(axis=1) >= 2).astype(int), 5)


FAMILIES = {
    "suppressors": Family(_suppressors, True, "differences of columns correlated at 0.95"),
    "series": Family(_in_a_row, True, "neighbours correlated at 0.8, alternating signs"),
    "blocks": Family(_blocks, True, "one of each of five correlated blocks"),
    "sines": Family(_sines, True, "a sum of four sines"),
    "tree": Family(_tree, True, "steps of a tree"),
    "weak": Family(_weak, True, "ten weak effects"),
    "classes": Family(_four_classes, False, "four classes, two columns each"),
    "gate": Family(_gate, False, "a column that says which other decides"),
    "lognormal": Family(_lognormal, True, "lognormal columns and target"),
    "rare": Family(_rare_class, False, "one row of twenty is ill"),
    "recessive": Family(_recessive, False, "two copies of a gene matter, one does not"),
    "parity": Family(_parity, False, "three-way parity"),
    "larger": Family(_larger_of_two, False, "which of two columns is larger"),
    "at_least_two": Family(_at_least_two, False, "at least two of five columns are high"),
}
