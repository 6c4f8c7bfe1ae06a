"""JMI and DISR: the choices of plain loops, and of another package."""

import numpy as np
import pytest
from sklearn.metrics import mutual_info_score

from snelfs.evaluation.rivals.joint_information import joint_information
from snelfs.foundation import blocks


@pytest.fixture(scope="module")
def states():
    generator = np.random.default_rng(0)
    states = generator.integers(0, 3, (120, 10))
    return states, (states[:, 2] + states[:, 7] + generator.integers(0, 2, 120)) % 3


def plain_choice(states, target, n_features, *, relative):
    """Return the choice by loops over scikit-learn's mutual information."""
    alone = [mutual_info_score(column, target) for column in states.T]
    chosen = [int(np.argmax(alone))]
    while len(chosen) < n_features:
        worth = {}
        for column in set(range(states.shape[1])) - set(chosen):
            terms = []
            for other in chosen:
                pair = states[:, column] * 3 + states[:, other]
                whole = pair * 3 + target
                shares = np.unique(whole, return_counts=True)[1] / len(target)
                entropy = -(shares * np.log(shares)).sum() if relative else 1.0
                terms.append(mutual_info_score(pair, target) / entropy)
            worth[column] = sum(terms)
        chosen.append(max(worth, key=worth.get))
    return chosen


@pytest.mark.parametrize("relative", [False, True])
def test_choice_is_that_of_plain_loops(states, relative):
    table, target = states
    expected = plain_choice(table, target, 6, relative=relative)
    assert joint_information(table, target, 6, relative=relative) == expected


def test_a_column_that_matters_only_with_another_follows_it():
    """The target is the one that shows, turned by the other, which shows nothing alone."""
    generator = np.random.default_rng(1)
    table = generator.integers(0, 2, (400, 8))
    shown, hidden = table[:, 3], table[:, 5]
    target = np.where(generator.random(400) < 0.3, shown, shown ^ hidden)
    assert joint_information(table, target, 2) == [3, 5]


def test_blocks_do_not_change_the_choice(states, monkeypatch):
    whole = joint_information(*states, 5)
    monkeypatch.setattr(blocks, "BLOCK_VALUES", 3 * 120)
    assert joint_information(*states, 5) == whole
