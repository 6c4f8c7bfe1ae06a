"""Trainings that end once their vote is settled."""

import numpy as np
import pytest

from snelfs import SNeLRegressor
from snelfs.engine.stopping import Vote, looks
from snelfs.search import training_round

ALL = np.array([True, True])
SETTINGS = {"n_features_to_select": 3, "n_restarts": 4, "steps": 12, "random_state": 0, "refine": False}
COLUMNS = np.random.default_rng(1).standard_normal((100, 48))
SUM = COLUMNS, COLUMNS[:, [4, 11, 17]].sum(axis=1)


@pytest.fixture(scope="module")
def fits():
    """The same fit to the end of the schedule and to a settled vote."""
    return {patience: SNeLRegressor(**SETTINGS, patience=patience).fit(*SUM) for patience in (None, 0.1)}


def layers(*picks):
    """Return layers of one neuron, each with one weight, at the given columns."""
    W = np.zeros((len(picks), 1, 6))
    W[np.arange(len(picks)), 0, list(picks)] = 1.0
    return W


# -- the vote ---------------------------------------------------------------------------------------


def test_a_vote_is_settled_once_it_has_stayed_the_same():
    """It counts from the first look at it, and from every change anew."""
    vote = Vote(10, 2)
    answers = [
        vote.is_settled(layers(*picks), ALL, epoch)
        for picks, epoch in [((3, 3), 50), ((3, 3), 59), ((2, 2), 60), ((2, 2), 69), ((2, 2), 70)]
    ]
    assert answers == [False, False, False, False, True]


def test_a_restart_may_change_if_the_vote_does_not():
    """Two votes against one select the same column whichever the third is."""
    vote = Vote(10, 3)
    admitted = np.ones(3, bool)
    assert not vote.is_settled(layers(3, 3, 1), admitted, 50)
    assert vote.is_settled(layers(3, 3, 2), admitted, 60)


def test_nothing_is_settled_while_a_restart_is_not_admitted():
    """Its vote may be any, and the time counts from when it is."""
    vote = Vote(10, 2)
    one = np.array([True, False])
    assert not vote.is_settled(layers(3, 3), one, 50)
    assert not vote.is_settled(layers(3, 3), one, 60)
    assert not vote.is_settled(layers(3, 3), ALL, 65)
    assert vote.is_settled(layers(3, 3), ALL, 70)


def test_groups_vote_for_themselves():
    """A change in one of two groups is a change, though all four restarts together vote as before."""
    vote = Vote(10, 2)
    admitted = np.ones(4, bool)
    assert not vote.is_settled(layers(3, 3, 3, 1), admitted, 50)
    assert not vote.is_settled(layers(1, 1, 3, 3), admitted, 60)


def test_looks_are_in_the_second_half_only():
    """At equal distances, about twenty of them, however short the schedule is."""
    assert len(looks(2592)) == 20
    assert looks(2592)[0] == 1296
    assert looks(5) == [2, 3, 4]


# -- fits -------------------------------------------------------------------------------------------


def test_the_training_ends_early_and_selects_the_same(fits):
    """An easy sum: the vote is settled long before the end, and right."""
    early, full = fits[0.1], fits[None]
    np.testing.assert_array_equal(early.support_, full.support_)
    assert full.history_.n_epochs / 2 < early.history_.n_epochs < 0.9 * full.history_.n_epochs
    assert early.best_epoch_.max() < early.history_.n_epochs


def test_what_was_trained_is_that_of_the_full_training(fits):
    """Epoch by epoch, the last one included: only the rest is missing."""
    early, full = fits[0.1].history_, fits[None].history_
    for name in ("lambda_s", "lambda_a", "learning_rate", "objective", "score", "admitted"):
        ended = getattr(early, name)
        np.testing.assert_array_equal(ended, getattr(full, name)[..., : early.n_epochs], err_msg=name)


def test_progress_ends_at_the_whole(monkeypatch):
    """Whoever watches is told that nothing is left, though epochs were left out."""
    told = []
    train = training_round.train

    def watched(*given):
        return train(*given[:6], lambda *done: told.append(done), *given[7:])

    monkeypatch.setattr(training_round, "train", watched)
    selector = SNeLRegressor(**SETTINGS, patience=0.1).fit(*SUM)
    assert selector.history_.n_epochs < told[-1][0] == told[-1][1]
    assert told[-2][0] == selector.history_.n_epochs + 1


@pytest.mark.parametrize("patience", [0, 0.6, "long", True])
def test_a_bad_value_is_named(patience):
    """One sentence, before anything is trained."""
    with pytest.raises(ValueError, match=f"patience must be None or a share .* got {patience!r}"):
        SNeLRegressor(1, patience=patience).fit(np.eye(6), np.arange(6.0))
