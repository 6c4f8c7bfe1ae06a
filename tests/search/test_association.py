"""Ties of columns with the target, alone and in pairs."""

import numpy as np
import pytest
from scipy import stats

from snelfs.datasets import make_friedman, make_xor
from snelfs.foundation import blocks
from snelfs.search import pair_products
from snelfs.search.association import (
    best_partners,
    beyond_doubt,
    class_targets,
    interaction_strength,
    measure_strength,
)
from snelfs.search.constants import STRONGEST
from snelfs.search.rank_statistics import evidence, normal_scores


@pytest.fixture(scope="module")
def numbers():
    """80 rows of 12 skewed columns, and a target."""
    generator = np.random.default_rng(0)
    return np.exp(generator.standard_normal((80, 12))), generator.standard_normal(80)


def test_every_value_is_that_of_a_plain_loop(numbers):
    """Correlations by scipy, one by one, of normal scores: the columns, their cosines, and all products."""
    X, y = numbers[0][:, :10], numbers[1]  # of so few no partner is among the strongest of many
    Z = np.stack([stats.norm.ppf((stats.rankdata(x) - 0.5) / 80) for x in X.T])
    Z = (Z - Z.mean(axis=1, keepdims=True)) / Z.std(axis=1, keepdims=True)
    found = interaction_strength(X, y)
    y = stats.norm.ppf((stats.rankdata(y) - 0.5) / 80)
    for i in range(10):
        pairs = {j: stats.pearsonr(Z[i] * Z[j], y).pvalue for j in range(10) if j != i}
        partner = min(pairs, key=pairs.get)
        assert found.partner[i] == partner
        assert found.product[i] == pytest.approx(max(0, -np.log10(9 * pairs[partner])), abs=1e-3)
        assert found.linear[i] == pytest.approx(-np.log10(stats.pearsonr(Z[i], y).pvalue), abs=1e-3)
        ranks = (stats.rankdata(X[:, i]) - 0.5) / 80
        waves = [np.cos(np.pi * k * ranks) for k in (2, 3, 4, 5)]
        best = min(stats.pearsonr(wave, y).pvalue for wave in waves)
        assert found.curve[i] == pytest.approx(max(0, -np.log10(4 * best)), abs=1e-3)
    assert np.array_equal(found.score, np.max([found.linear, found.curve, found.product], axis=0))


def test_a_product_with_a_strong_column_is_one_of_few_tries():
    """What the strongest say alone is taken away; scipy knows what another column says beside one of them."""
    generator = np.random.default_rng(1)
    X = generator.standard_normal((120, 30))
    y = 2 * X[:, 4] + X[:, 4] * X[:, 20] + generator.standard_normal(120)
    found = measure_strength(X, y[:, None], np.ones(120), without=["bends", "again"])
    alone = np.maximum(found.linear, found.curve)
    strong = np.argsort(-alone)[:STRONGEST]
    Z, scores = normal_scores(X).astype(float), normal_scores(y[:, None]).ravel().astype(float)
    ranks = stats.rankdata(X[:, 4]) / 120 - 1 / 240
    waves = [np.cos(np.pi * k * ranks) for k in (2, 3, 4, 5)]
    inputs = np.c_[np.ones(120), Z[:, strong], np.stack(waves, axis=1)]
    left = scores - inputs @ np.linalg.lstsq(inputs, scores)[0]
    expected = -np.log10(2 * 2 * STRONGEST * stats.pearsonr(left * Z[:, 4], Z[:, 20]).pvalue)
    assert strong[0] == found.partner[20] == 4
    # Chance may know that p is too small, and never that it is too large.
    assert expected - 3 < found.product[20] < expected + 0.01


def test_a_joint_effect_need_not_be_a_product():
    """A column whose size decides how the strong one counts has no product with it."""
    generator = np.random.default_rng(6)
    X = generator.standard_normal((200, 300))
    y = (X[:, 4] * np.where(np.abs(X[:, 20]) > 0.7, 1.5, 0.1) + generator.standard_normal(200)).round(3)
    found = interaction_strength(X, y)
    assert found.partner[20] == 4
    assert 20 in beyond_doubt(found)
    straight = measure_strength(X, y[:, None], np.ones(200), without=["bends"])
    assert 20 not in beyond_doubt(straight)


def test_what_shows_beside_a_strong_column_may_be_strong_itself():
    """The third column says nothing alone, and bent with the second, which shows beside the first."""
    generator = np.random.default_rng(7)
    X = generator.standard_normal((300, 300))
    bent = np.abs(X[:, 2]) - 0.8
    y = 1.5 * X[:, 0] + X[:, 0] * X[:, 1] + X[:, 1] * bent + 0.5 * generator.standard_normal(300)
    targets, weights = y[:, None], np.ones(300)
    found = measure_strength(X, targets, weights)
    once = measure_strength(X, targets, weights, without=["again"])
    assert found.partner[2] == 1
    assert found.product[2] > once.product[2]


def beside_a_strong_column(kind, generator):
    """Return a table whose target follows a few first columns, but not as a normal linear model has it."""
    X = generator.standard_normal((200, 100))
    noise = generator.standard_normal(200)
    if kind == "rare class":
        y = (np.arange(200) % 20 == 0).astype(int)
        X[y == 1, :5] += 2
        return X, y
    if kind == "six classes":
        y = generator.choice(6, 200, p=[0.6, 0.2, 0.08, 0.05, 0.04, 0.03])
        X[np.arange(200), y % 5] += 2.5
        return X, y
    if kind == "rare variant":
        X = generator.binomial(2, 0.05, (200, 100)).astype(float)
        return X, 2 * X[:, 0] + 0.5 * noise
    y = {
        "alike": X[:, 0] + 0.3 * noise,
        "spread": X[:, 0] + np.abs(X[:, 0]) * noise,
        "factor": X[:, 0] * (1 + noise),
        "long tails": X[:, 0] + 0.05 * generator.standard_cauchy(200),
        "nearly certain class": X[:, 0] + 0.1 * noise > 1.3,
        "sign": np.where(X[:, 0] > 0, X[:, 1], -X[:, 1]) + X[:, 0],
    }
    return X, y[kind]


@pytest.mark.parametrize(
    "kind",
    [
        *("alike", "spread", "factor", "long tails", "rare class", "rare variant"),
        *("six classes", "nearly certain class", "sign"),
    ],
)
def test_noise_beside_a_strong_column_stays_noise(kind):
    """A product with a column that the target follows varies more than others; chance must know it."""
    generator = np.random.default_rng(2)
    tables = [beside_a_strong_column(kind, generator) for _ in range(20)]
    false = [set(beyond_doubt(interaction_strength(X, y))) - set(range(5)) for X, y in tables]
    assert sum(map(bool, false)) <= 4


def test_a_few_heavy_rows_are_told_apart_by_few_functions():
    """Of three rows that weigh nearly everything no joint effect can be told; nothing is divided by them."""
    generator = np.random.default_rng(0)
    X = generator.standard_normal((100, 30))
    y = X[:, 0] + 0.1 * generator.standard_normal(100)
    found = interaction_strength(X, y, sample_weight=np.repeat([1000.0, 1.0], [3, 97]))
    assert np.isfinite(found.score).all()


def test_a_row_that_outweighs_all_others_leaves_no_evidence():
    """Fewer than two rows by weight have no degree of freedom: nothing is said, and nothing warns."""
    generator = np.random.default_rng(0)
    X = generator.standard_normal((40, 30))
    found = interaction_strength(X, X[:, 0], sample_weight=np.repeat([100.0, 1.0], [1, 39]))
    assert not found.score.any()


def test_two_strong_columns_are_partners():
    """Pairs of the strongest are looked at, too."""
    generator = np.random.default_rng(3)
    X = generator.standard_normal((150, 400))
    y = X[:, 0] + X[:, 1] + 0.7 * X[:, 0] * X[:, 1] + generator.standard_normal(150)
    assert interaction_strength(X, y).partner[:2].tolist() == [1, 0]


def test_partners_in_reports_rest_on_the_same_evidence():
    """A column that is beyond doubt beside a strong one has that one for a partner."""
    generator = np.random.default_rng(3)
    X = generator.standard_normal((150, 400))
    y = 2 * X[:, 4] + X[:, 4] * X[:, 20] + generator.standard_normal(150)
    assert 20 in beyond_doubt(interaction_strength(X, y))
    listed = np.arange(3, 25)
    assert best_partners(normal_scores(X), y[:, None], listed)[listed == 20] == 4


def test_two_rare_values_of_a_strong_column_are_told_apart():
    """Beside one with 160, 22 and 18 rows a value, a column that the second and third turn round shows."""
    found = []
    for seed in range(4):
        generator = np.random.default_rng(seed)
        strong = generator.permutation(np.repeat([0.0, 1.0, 2.0], [160, 22, 18]))
        X = generator.standard_normal((200, 60))
        X[:, 0] = strong
        turned = (strong == 1) * 1.0 - (strong == 2)
        y = 0.8 * strong + 1.6 * X[:, 1] * turned + 0.6 * generator.standard_normal(200)
        strength = interaction_strength(X, y)
        assert strength.partner[1] == 0
        found.append(strength.product[1])
    assert np.median(found) > 2


def test_every_target_has_its_own_strongest_columns():
    """However many there are, and in whatever order."""
    generator = np.random.default_rng(4)
    X = generator.standard_normal((200, 100))
    targets = X[:, :7] + generator.standard_normal((200, 7))
    targets[:, 6] += X[:, 6] * X[:, 40]
    found = measure_strength(X, targets, np.ones(200))
    turned = measure_strength(X, targets[:, ::-1], np.ones(200))
    assert found.partner[40] == 6
    assert found.product[40] > 5
    np.testing.assert_allclose(turned.score, found.score, rtol=1e-4, atol=1e-4)


def test_ties_do_not_choose_the_strongest():
    """Coins are often equally strong: the order of rows and columns changes nothing."""
    generator = np.random.default_rng(5)
    y = np.arange(40) % 2
    for _ in range(5):
        X = generator.integers(0, 2, (40, 100)).astype(float)
        rows, columns = generator.permutation(40), generator.permutation(100)
        score = interaction_strength(X, y).score
        np.testing.assert_allclose(interaction_strength(X[rows], y[rows]).score, score, atol=1e-4)
        np.testing.assert_allclose(interaction_strength(X[:, columns], y).score, score[columns], atol=1e-4)


def test_blocks_do_not_change_the_result(numbers, monkeypatch):
    """Memory is bounded by looking at a few columns at a time; the result is the same."""
    whole = interaction_strength(*numbers)
    monkeypatch.setattr(blocks, "BLOCK_VALUES", 25)
    parts = interaction_strength(*numbers)
    assert np.array_equal(whole.partner, parts.partner)
    np.testing.assert_allclose(whole.score, parts.score, rtol=1e-4)


def test_xor_is_found_with_its_partner():
    """Neither column is tied to the class alone; together they decide it."""
    X, y, (first, second) = make_xor(200, 300, random_state=1)
    found = interaction_strength(X, y)
    assert set(np.argsort(-found.score)[:2]) == {first, second}
    assert (found.partner[first], found.partner[second]) == (second, first)
    assert found.kind[first] == "product"
    assert found.linear[first] < 3


def test_a_square_is_found():
    """Friedman's third column enters as a parabola."""
    generator = np.random.default_rng(0)
    X = generator.standard_normal((200, 50))
    found = interaction_strength(X, X[:, 7] ** 2)
    assert found.score.argmax() == 7
    assert found.kind[7] == "curve"


@pytest.mark.parametrize("start", [0.0, 0.8, 1.6])
def test_a_wave_is_found_wherever_it_begins(start):
    """Two periods, of which no straight line and no parabola sees anything."""
    X = np.random.default_rng(3).uniform(-1, 1, (200, 50))
    found = interaction_strength(X, np.sin(2 * np.pi * X[:, 7] + start))
    assert found.score.argmax() == 7
    assert found.curve[7] > 10


def test_friedmans_columns_come_first():
    """All five within the best ten of 500, the parabola's among them."""
    sample = make_friedman(1000, 500, random_state=0)
    found = interaction_strength(sample.X, sample.y)
    assert set(sample.relevant) <= set(np.argsort(-found.score)[:10])


def test_noise_gives_little_evidence():
    """The correction for many partners holds: of 400 columns of noise, few reach p = 0.01."""
    generator = np.random.default_rng(0)
    found = interaction_strength(generator.standard_normal((100, 400)), generator.integers(0, 2, 100))
    assert (found.product > 2).mean() < 0.03
    assert (found.linear > 2).mean() < 0.03


def test_each_class_is_taken_against_the_rest():
    """A column that marks one of three classes, named by words, is found; two classes are one test."""
    generator = np.random.default_rng(0)
    y = np.array(["a", "b", "c"])[np.arange(90) % 3]
    X = generator.standard_normal((90, 30))
    X[:, 4] += 2 * (y == "b")
    assert interaction_strength(X, y).score.argmax() == 4
    assert class_targets(np.array(["u", "v", "v"]), "auto", 3).shape == (3, 1)


def test_a_weight_of_two_is_the_row_twice(numbers):
    """Ranks, moments and the number of rows all count a row as often as its weight says."""
    X, y = numbers
    X = np.round(X, 1)  # with ties
    weights = np.random.default_rng(2).integers(0, 4, len(y))
    weighted = interaction_strength(X, y, sample_weight=weights)
    repeated = interaction_strength(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    np.testing.assert_allclose(weighted.score, repeated.score, rtol=1e-3, atol=1e-5)
    assert np.array_equal(weighted.partner, repeated.partner)


def test_the_scale_of_small_weights_does_not_matter(numbers):
    """Weights that sum to 1 mean the same as equal weights of 1."""
    X, y = numbers
    found = interaction_strength(X, y, sample_weight=np.full(len(y), 1 / len(y)))
    np.testing.assert_allclose(found.score, interaction_strength(X, y).score, rtol=1e-5)


def test_any_monotone_change_of_a_column_is_the_same(numbers):
    """Only ranks count: logarithms, units and outliers change nothing."""
    X, y = numbers
    assert np.array_equal(interaction_strength(np.log(X), y).score, interaction_strength(1000 * X, y).score)


def test_permuting_columns_permutes_the_scores(numbers):
    """No column is preferred for its place, and partners follow."""
    X, y = numbers
    order = np.random.default_rng(1).permutation(12)
    found, moved = interaction_strength(X, y), interaction_strength(X[:, order], y)
    np.testing.assert_allclose(moved.score, found.score[order], rtol=1e-4)
    partner = np.where(moved.partner < 0, -1, order[moved.partner])
    assert np.array_equal(partner, found.partner[order])


def test_constant_columns_have_no_tie(numbers):
    """Neither alone nor as a partner; a single column has none."""
    X, y = numbers
    X = X.copy()
    X[:, 3] = 5.0
    found = interaction_strength(X, y)
    assert found.score[3] == 0
    assert found.partner[3] == -1
    assert 3 not in found.partner
    assert interaction_strength(X[:, :1], y).partner[0] == -1


def test_normal_scores_share_ties():
    """Equal values have equal scores, and a constant column is 0."""
    scores = normal_scores(np.array([[1.0, 2.0], [1.0, 2.0], [9.0, 2.0]]))
    assert scores[0, 0] == scores[1, 0]
    assert not scores[:, 1].any()


@pytest.mark.parametrize(
    ("y", "task", "said"),
    [
        (np.zeros(3), "auto", "one value for each of the 4 rows"),
        (["a"] * 4, "auto", "at least two classes, got"),
        (
            [0, 1, 0, 1],
            "ranking",
            "task must be 'auto', 'classification', 'regression' or 'survival', got 'ranking'",
        ),
    ],
)
def test_a_bad_target_is_named(y, task, said):
    """One sentence says what is wrong."""
    with pytest.raises(ValueError, match=said):
        interaction_strength(np.eye(4), y, task=task)


def test_classes_in_turns():
    """A class that is easy to tell has not all the first places: every class has its own best among them."""
    generator = np.random.default_rng(0)
    X, y = generator.standard_normal((90, 30)), np.repeat([0, 1, 2], 30)
    X[y == 0, :10] += 4  # ten columns for the first class
    X[y == 1, 10] += 1.5
    X[y == 2, 11] += 1.5
    found = interaction_strength(X, y)
    assert {10, 11} <= set(found.order[:4])
    assert found.target[[0, 10, 11]].tolist() == [0, 1, 2]
    assert found.share[[10, 11]].tolist() == [1, 1]
    assert sorted(found.order) == list(range(30))
    assert set(np.argsort(-found.score)[:10]) == set(range(10))


def test_evidence_stays_a_number_where_p_does_not():
    """A perfect tie over many rows has a p that no double holds: the logarithm goes on without a step."""
    r = np.array([0.99, 0.995, 0.9975, 0.99875, 1.0], dtype=np.float32)
    found = evidence(r, degrees=398, tests=1)
    assert np.isfinite(found).all()
    assert (np.diff(found) > 50).all()
    # Every row more at a given correlation adds the same, once the rows are many.
    more = [evidence(r[:1], degrees, 1)[0] for degrees in (298, 348, 398)]
    assert more[2] - more[1] == pytest.approx(more[1] - more[0], rel=1e-3)
    X, y, relevant = make_xor(800, 10, random_state=0)
    found = interaction_strength(X, y)
    assert np.isfinite(found.score).all()
    assert found.share[relevant] == pytest.approx([1, 1], rel=1e-3)


def test_many_columns_are_paired_with_the_leading_ones(monkeypatch):
    """Beyond a number of columns, a pair is found if one of the two shows something alone."""
    generator = np.random.default_rng(5)
    X = generator.standard_normal((200, 300))
    y = X[:, 3] + X[:, 3] * X[:, 40] + X[:, 50] * X[:, 51]
    monkeypatch.setattr(pair_products, "ALL_PAIRS", 25)  # leaves 625 / 300 columns to lead
    strength = interaction_strength(X, y)
    assert strength.partner[40] == 3
    assert strength.partner[3] == 40
    assert strength.partner[50] != 51
    monkeypatch.undo()
    assert interaction_strength(X, y).partner[50] == 51


def test_a_group_is_judged_by_all_its_columns_together():
    """Five weak columns say much together; a group of noise is no better than its number of tries allows."""
    generator = np.random.default_rng(5)
    X = generator.standard_normal((200, 50))
    y = X[:, :5].sum(axis=1) + 4 * generator.standard_normal(200)
    members = list(np.arange(50).reshape(10, 5))
    groups = measure_strength(X, y[:, None], np.ones(200), members=members)
    alone = measure_strength(X, y[:, None], np.ones(200))
    assert groups.order[0] == 0
    assert groups.score.shape == (10,)
    assert groups.linear[0] > alone.linear[:5].max()
    assert groups.product[3] <= alone.product[15:20].max()
    assert set(groups.partner) <= set(range(10))


@pytest.mark.parametrize("rare", [False, True])
def test_evidence_of_groups_keeps_its_promise(rare):
    """Of noise a tenth shows more than 1, also where a rare class needs shuffles."""
    generator = np.random.default_rng(6)
    found = []
    for _ in range(4):
        X = generator.standard_normal((60, 300))
        y = (np.arange(60) < (6 if rare else 30)).astype(float)
        members = list(np.arange(300).reshape(100, 3))
        found.append(measure_strength(X, y[:, None], np.ones(60), members=members).linear)
    assert np.mean(np.concatenate(found) > 1) < 0.13
