"""What speaks against trusting a ranking, each in one sentence."""

import numpy as np
import pytest
from scipy import sparse

from snelfs.search.stability import Stability
from snelfs.selection.caveats import caveats

STEADY = Stability(0.9, 0.8, 1.0)


def noise(rows=100, columns=6, seed=0):
    return np.random.default_rng(seed).standard_normal((rows, columns))


def said(X, y, task="classification", agreement=STEADY, selected=None, frequency=None):
    names = tuple(f"g{i}" for i in range(X.shape[1]))
    everything = np.ones(len(names), bool)
    chosen, picked = (everything if given is None else given for given in (selected, frequency))
    return caveats(X, y, task, names, agreement, chosen, picked.astype(float))


def test_nothing_is_said_of_sound_data():
    assert said(noise(), np.arange(100) % 2) == []


@pytest.mark.parametrize(
    ("rows", "y", "agreement", "words"),
    [
        (30, np.arange(30) % 2, STEADY, "The table has 30 rows"),
        (100, np.arange(100) % 2, Stability(0.2, 0.1, 0.3), "stability 0.20"),
        (100, np.arange(100) < 10, STEADY, "class 'True' has 10 rows, class 'False' has 90"),
    ],
)
def test_each_caveat_is_one_sentence(rows, y, agreement, words):
    (sentence,) = said(noise(rows), y, agreement=agreement)
    assert words in sentence
    assert sentence.endswith(".")


def test_copies_are_told():
    """Equal rows, and equal columns if one of them is selected, dense or sparse; 0 is -0."""
    X = noise(60)
    X[7] = X[8]
    X[:, 3] = X[:, 1]
    X[0, 1], X[0, 3] = 0.0, -0.0
    y = np.arange(60) // 30
    for table in (X, sparse.csr_array(X)):
        rows, columns = said(table, y)
        assert rows.startswith("1 row is an exact copy of another row")
        assert "'g1', 'g3' have exactly the same values" in columns
        assert len(said(table, y, selected=np.arange(6) == 0)) == 1


def test_what_no_restart_picked_is_not_selected_without_a_word():
    """It makes up the number that was asked for, and the sentence names it."""
    frequency = np.array([1.0, 0.5, 0.0, 0.0])
    selected = np.array([True, True, True, False])
    (sentence,) = said(noise(100, 4), np.arange(100) % 2, selected=selected, frequency=frequency)
    assert (
        sentence == "1 selected column was picked by no restart and only makes up the number asked for: 'g2'."
    )


def test_what_few_restarts_picked_is_not_selected_without_a_word():
    """Half of them is not few."""
    frequency = np.array([0.5, 0.4, 0.3, 0.2])
    selected = np.array([True, True, True, False])
    (sentence,) = said(noise(100, 4), np.arange(100) % 2, selected=selected, frequency=frequency)
    assert sentence == (
        "2 selected columns were picked by fewer than half of the restarts and make up the end of the list: "
        "'g1', 'g2'."
    )
