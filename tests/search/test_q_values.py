"""The q-values: what shuffled targets say of the columns found."""

from dataclasses import replace

import numpy as np
import pytest

from snelfs import SNeLRegressor
from snelfs.data.prepared import prepare
from snelfs.data.rows import merge_rows
from snelfs.data.target import encode_classes, standardise_target
from snelfs.engine import scores
from snelfs.search.evidence import associations
from snelfs.search.options import check_options
from snelfs.search.q_values import false_shares, judge, q_values, shuffle_generator
from snelfs.search.search import search

RELEVANT = [4, 11, 17]
SHUFFLES = 12


@pytest.fixture(scope="module")
def data(table):
    X, y = table
    rows = merge_rows(X, y, np.ones(len(y)))
    return prepare(rows, standardise_target(rows.y, rows.weights)[1])


@pytest.fixture(scope="module")
def options(quick):
    selector = SNeLRegressor(**quick, combine="vote", init="moments", refine=False)
    return check_options(selector.get_params(), 20, scores.REGRESSION, "mse")


@pytest.fixture(scope="module")
def found(data, options):
    return search(data, options, 0)


# -- the share of false ones ------------------------------------------------------------------------


def test_shares_are_those_of_a_count_by_hand():
    """Four lists of 1, 2, 3 and 5 columns, against 1, 1, 3 and 8 values of four shuffles, plus one."""
    observed = [2.0, 8.0, 1.0, 9.0, 1.0]
    null = [[9.0, 0, 0, 0, 1], [3, 1, 1, 0, 0], [2, 0, 0, 0, 1], [1, 0, 0, 0, 0]]
    shares = false_shares(np.array([observed, *null]))
    assert shares[0] == pytest.approx([4 / 12, 2 / 8, 9 / 20, 2 / 8, 9 / 20])


def test_every_share_is_that_of_a_plain_loop():
    """With ties between values, over all thresholds up to the column's own, for every target."""
    values = np.random.default_rng(0).integers(0, 8, (4, 40))
    shares = false_shares(values)
    for place, own in enumerate(values):
        others = np.delete(values, place, axis=0)
        lists = {t: (1 + (others >= t).sum()) / 3 / (own >= t).sum() for t in own}
        expected = [min([1, *(share for t, share in lists.items() if t <= value)]) for value in own]
        assert shares[place] == pytest.approx(expected)


def test_a_share_never_rises_with_the_statistic_nor_above_one():
    """Whatever the values, and it is never nothing: there were only so many shuffles."""
    generator = np.random.default_rng(1)
    for signal in (0, 1, 4):
        values = generator.standard_normal((6, 300))
        values[0, :30] += signal
        share = false_shares(values)[0]
        assert (np.diff(share[np.argsort(values[0])]) <= 0).all()
        assert share.max() <= 1
        assert share.min() >= 1 / (5 * 300)


# -- the verdict on all targets ---------------------------------------------------------------------


def clusters(generator, signal=0.0, n_signal=20):
    """Return two statistics of 21 targets and 200 columns in ten clusters that rise and fall together."""
    shared = generator.standard_normal((2, 21, 10)).repeat(20, axis=2)
    values = 0.9 * shared + np.sqrt(1 - 0.9**2) * generator.standard_normal((2, 21, 200))
    values[:, 0, :n_signal] += signal
    return values


def test_chance_keeps_within_what_is_promised():
    """Of 400 tables without any signal, at most the promised share, and three standard errors, has a find."""
    generator = np.random.default_rng(2)
    tables = [clusters(generator) for _ in range(400)]
    least = np.array([judge(table).min() for table in tables])
    for promise in (0.05, 0.1, 0.2):
        allowed = promise + 3 * np.sqrt(promise * (1 - promise) / len(tables))
        assert np.mean(least <= promise) <= allowed


@pytest.mark.parametrize(("signal", "n_signal"), [(6.0, 1), (4.0, 20)])
def test_a_signal_is_kept(signal, n_signal):
    """One column far above all others, or many above most: nearly always a promise of a tenth."""
    generator = np.random.default_rng(3)
    kept = [judge(clusters(generator, signal, n_signal))[0] <= 0.1 for _ in range(50)]
    assert np.mean(kept) > 0.9


def test_no_value_is_below_the_share_of_targets_as_good():
    """Of four targets the real one is best by one statistic, until a shuffle is better by the other."""
    values = np.zeros((2, 4, 50))
    values[0, 0, :5] = 9
    assert judge(values)[:5].tolist() == [1 / 4] * 5  # twice the share of 1/15 would be less
    values[1, 2, :10] = 9
    assert judge(values)[:5].tolist() == [2 / 4] * 5
    assert judge(np.zeros((2, 4, 50))).tolist() == [1.0] * 50


# -- the q-values of a search -----------------------------------------------------------------------


def test_relevant_columns_stand_out(data, options, found):
    """The three that make up the target have small values, most others none that say anything."""
    heard = []
    q, n_shuffled = q_values(data, options, found, SHUFFLES, 0, lambda *told: heard.append(told))
    assert n_shuffled == SHUFFLES
    assert q[RELEVANT].max() <= 0.1
    assert np.median(np.delete(q, RELEVANT)) > 0.3
    # Progress is that of all shuffles: it never goes back, and ends at the whole.
    done, totals = zip(*heard, strict=True)
    assert list(done) == sorted(done)
    assert {done[-1]} == set(totals)
    assert done[0] < done[-1] / SHUFFLES


def test_nothing_is_promised_of_a_shuffled_target(data, options):
    """The relevant columns are still there, but no longer relevant."""
    other = data.shuffled(shuffle_generator(5, 0))
    q, _ = q_values(other, options, search(other, options, 0), SHUFFLES, 0)
    assert q.min() > 0.1


def test_two_statistics_are_doubled_and_one_is_not(data, options):
    """From a constant start only a second round asks for ties; then shuffles have them, too."""
    constant = replace(options, column_shares=np.ones(20))
    first_only = search(data, constant, 0)
    assert first_only.strength is None
    by_score, _ = q_values(data, constant, first_only, 3, 0)
    twice = replace(constant, refine=True)
    strength = associations(data)
    shuffles = [data.shuffled(shuffle_generator(0, shuffle)) for shuffle in range(3)]
    by_tie = false_shares(np.array([strength.score, *(associations(other).score for other in shuffles)]))[0]
    both, _ = q_values(data, twice, replace(first_only, strength=strength), 3, 0)
    assert np.array_equal(both, np.clip(2 * np.minimum(by_score, by_tie), 1 / 4, 1))
    assert not np.array_equal(both, np.clip(2 * by_score, 1 / 4, 1))
    assert both.min() == 1 / 4


def test_same_seed_same_values(data, options, found):
    """And another seed shuffles otherwise."""
    one, same, other = (q_values(data, options, found, 3, seed)[0] for seed in (0, 0, 1))
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)


def test_shuffles_that_were_done_have_to_do(data, options, found):
    """An end in the third of four leaves two, and no fourth; one in the first leaves nothing to say."""
    heard = []
    ended, n_shuffled = q_values(
        data, options, found, 4, 0, lambda done, _: heard.append(done) or done >= 2.5
    )
    assert n_shuffled == 2
    assert max(heard) == 3
    assert np.array_equal(ended, q_values(data, options, found, 2, 0)[0])
    assert q_values(data, options, found, 1, 0)[1] == 1
    nothing, n_shuffled = q_values(data, options, found, 4, 0, lambda *_: True)
    assert (nothing.tolist(), n_shuffled) == ([1.0] * 20, 0)


# -- the shuffle ------------------------------------------------------------------------------------


def test_a_row_keeps_its_weight_and_a_target_its_factor(table):
    """Classes, their groups and their factors move together; columns and weights stay."""
    X, y = table
    rows = merge_rows(X, np.where(y > 1, "high", "low"), np.arange(1.0, 61.0))
    data = prepare(rows, encode_classes(rows.y, rows.weights, {"high": 3.0})[1])
    other = data.shuffled(shuffle_generator(0, 0))
    assert not np.array_equal(other.target.values, data.target.values)
    assert sorted(other.target.values) == sorted(data.target.values)
    assert np.array_equal(other.target.strata, other.target.values)
    assert np.array_equal(other.target.factors, np.where(other.rows.y == "high", 3.0, 1.0))
    assert np.array_equal(other.rows.weights, rows.weights)
    assert other.Z is data.Z


def test_every_shuffle_is_another(data):
    """Also from the permutations by which the restarts split the rows."""
    orders = [data.shuffled(shuffle_generator(0, shuffle)).target.values.ravel() for shuffle in range(3)]
    splits = [np.random.default_rng([0, r]).permutation(data.target.values).ravel() for r in range(3)]
    assert len({tuple(values) for values in (*orders, *splits)}) == 6


def test_a_seed_and_a_number_draw_the_same_shuffle_in_every_version():
    """From a stream that ends with a 1."""
    expected = np.random.default_rng([7, 3, 1]).permutation(20)
    assert np.array_equal(shuffle_generator(7, 3).permutation(20), expected)
