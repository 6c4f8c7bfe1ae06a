"""Joint mutual information: by hand, and against a plain count of all combinations."""

from itertools import product

import numpy as np
import pytest

from snelfs.search.redundancy import joint_information, parts_of_ranks

N_ROWS = 90


def entropy(*columns):
    _, counts = np.unique(np.stack(columns), axis=1, return_counts=True)
    shares = counts / counts.sum()
    return -(shares * np.log(shares)).sum()


def slow_list(states, target, length):
    """Return the list by the definition: the sum of I(x, s; y) over the listed s."""
    alone = [entropy(x) + entropy(target) - entropy(x, target) for x in states.T]
    found = [int(np.argmax(alone))]
    while len(found) < length:
        worth = [
            -np.inf
            if j in found
            else sum(
                entropy(x, states[:, s]) + entropy(target) - entropy(x, states[:, s], target) for s in found
            )
            for j, x in enumerate(states.T)
        ]
        found.append(int(np.argmax(np.round(worth, 9))))
    return found


@pytest.mark.parametrize("n_classes", [2, 4])
def test_the_list_is_that_of_the_definition(n_classes):
    """Classes by indicators, columns by thirds."""
    generator = np.random.default_rng(n_classes)
    Z = generator.standard_normal((N_ROWS, 12))
    y = generator.integers(0, n_classes, N_ROWS)
    Z[:, :3] += 0.8 * y[:, None]
    targets = (y[:, None] == np.arange(n_classes)).astype(float)
    states = parts_of_ranks(Z, np.full(N_ROWS, 1 / N_ROWS))
    assert joint_information(Z, targets, np.ones(N_ROWS), 6) == slow_list(states, y, 6)


def test_a_row_of_weight_two_is_the_row_twice():
    """Information is of weighted rows."""
    generator = np.random.default_rng(0)
    Z = generator.standard_normal((N_ROWS, 10))
    y = (Z[:, [0]] + Z[:, [1]] > 0).astype(float)
    weights = np.where(np.arange(N_ROWS) < 20, 2.0, 1.0)
    twice = np.r_[np.arange(N_ROWS), np.arange(20)]
    expected = joint_information(Z[twice], y[twice], np.ones(len(twice)), 5)
    assert joint_information(Z, y, weights, 5) == expected


def test_all_columns_can_be_listed():
    """Each once."""
    grid = np.array(list(product([0.0, 1.0], repeat=3)))
    assert sorted(joint_information(grid, grid[:, [1]], np.ones(8), 9)) == [0, 1, 2]
