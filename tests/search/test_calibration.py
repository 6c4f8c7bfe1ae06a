"""Evidence keeps its promise: of ten tables of pure noise, one has a column that is beyond doubt."""

import numpy as np
import pytest

from snelfs import survival_target
from snelfs.data.groups import told_once
from snelfs.search.association import beyond_doubt, class_targets, interaction_strength, measure_strength
from snelfs.search.calibration import AS_IT_IS, Tail, line_through, needs_shuffles
from snelfs.selection.effects import partners

NUMBERS = {
    "normal": lambda generator, n: generator.standard_normal(n),
    "lognormal 1": lambda generator, n: np.exp(generator.standard_normal(n)),
    "lognormal 2": lambda generator, n: np.exp(2 * generator.standard_normal(n)),
    "t2": lambda generator, n: generator.standard_t(2, n),
    "counts": lambda generator, n: generator.negative_binomial(1, 0.2, n).astype(float),
    "counts, most of them 0": lambda generator, n: generator.negative_binomial(0.3, 0.2, n).astype(float),
}
# Rows, share of the rare class, and minor allele frequency if the columns are gene variants.
CLASSES = {
    "50:50": (200, 0.5, None),
    "95:5": (200, 0.05, None),
    "95:5 of 40": (40, 0.05, None),
    "rare variants, 50:50": (200, 0.5, 0.03),
    "rare variants, 95:5": (200, 0.05, 0.03),
    "variants, 50:50": (200, 0.5, 0.3),
    "variants, 95:5": (200, 0.05, 0.3),
}


def noise(kind, seed, columns=500):
    """Return columns, a target that has nothing to do with them, and the task."""
    generator = np.random.default_rng([81_000, seed])
    if kind in NUMBERS:
        X = generator.standard_normal((200, columns))
        return X, NUMBERS[kind](generator, 200), "regression"
    n, rare, frequency = CLASSES[kind]
    X = generator.standard_normal((n, columns))
    if frequency is not None:
        X = generator.binomial(2, frequency, (n, columns)).astype(float)
    return X, generator.permutation(np.arange(n) < rare * n), "classification"


def false_tables(kind, seeds, columns=500):
    """Count the tables with a column beyond doubt, and those with a partner."""
    certain = paired = 0
    for seed in seeds:
        X, y, task = noise(kind, seed, columns)
        strength = interaction_strength(X, y, task=task)
        certain += bool(beyond_doubt(strength))
        paired += bool(partners(X, y, task, np.sort(strength.order[:50])))
    return certain, paired


@pytest.mark.parametrize("kind", ["lognormal 2", "counts", "95:5 of 40", "rare variants, 95:5"])
def test_little_of_noise_is_beyond_doubt(kind):
    """Where Student's p alone has something in most tables, two of six at most have anything."""
    certain, paired = false_tables(kind, range(6), columns=200)
    assert certain <= 2
    assert paired <= 2


@pytest.mark.slow
@pytest.mark.parametrize("kind", [*NUMBERS, *CLASSES])
def test_one_table_of_ten_has_a_false_column(kind):
    """Of 20 tables of 500 columns four at most, for every shape of target and column."""
    certain, paired = false_tables(kind, range(20))
    assert certain <= 4
    assert paired <= 4


def censored_noise(share, strata, seed):
    """Return columns, and times of which a share is censored; of strata of which all differ."""
    generator = np.random.default_rng([81_500, seed, int(100 * share)])
    X = generator.standard_normal((200, 500))
    time, end = generator.exponential(size=200), generator.exponential(size=200) * (1 - share) / share
    if not strata:
        return X, survival_target(time <= end, np.minimum(time, end))
    stratum = np.arange(200) % strata
    return X + stratum[:, None], survival_target(time <= end, np.minimum(time, end) * 10.0**stratum, stratum)


@pytest.mark.slow
@pytest.mark.parametrize("strata", [0, 3])
@pytest.mark.parametrize("share", [0.3, 0.7, 0.9])
def test_censored_times_keep_the_promise(share, strata):
    """Of 20 tables two at most have a column beyond doubt, however many rows are censored."""
    tables = [censored_noise(share, strata, seed) for seed in range(20)]
    assert sum(bool(beyond_doubt(interaction_strength(X, y))) for X, y in tables) <= 2


def rare_class(shift=0.0):
    """Return 120 rows of 40 columns and a class of ten rows, in which the eighth column is shifted."""
    generator = np.random.default_rng(3)
    X, y = generator.standard_normal((120, 40)), np.arange(120) < 10
    X[y, 7] += shift
    return X, y


def test_what_marks_a_rare_class_is_beyond_doubt():
    assert beyond_doubt(interaction_strength(*rare_class(shift=2.5))) == [7]


def test_the_order_of_rows_and_columns_does_not_matter():
    """The shuffles are of rows in an order of their own; so many columns have all their pairs shuffled."""
    X, y = rare_class(shift=1.0)
    generator = np.random.default_rng(1)
    rows, columns = generator.permutation(120), generator.permutation(40)
    found = interaction_strength(X, y)
    moved = interaction_strength(X[rows], y[rows])
    np.testing.assert_allclose(moved.score, found.score, rtol=1e-3, atol=1e-3)
    turned = interaction_strength(X[:, columns], y)
    np.testing.assert_allclose(turned.score, found.score[columns], rtol=1e-3, atol=1e-3)
    assert np.array_equal(interaction_strength(X, y).score, found.score)


def test_a_rare_variant_in_many_rows_has_no_waves():
    """Of 3,000 rows 11 carry each: the spread of a cosine must not be lost beside its mean."""
    generator = np.random.default_rng(81_300)
    X = np.zeros((3000, 60))
    for column in X.T[5:]:
        column[generator.choice(3000, 11, replace=False)] = 1
    X[:, :5] = generator.standard_normal((3000, 5))
    y, rows = generator.standard_normal(3000), generator.permutation(3000)
    strength = interaction_strength(X, y)
    assert beyond_doubt(strength) == []
    assert (strength.curve <= strength.linear + 1)[5:].all()
    np.testing.assert_allclose(interaction_strength(X[rows], y[rows]).curve, strength.curve, atol=1e-3)


def test_any_monotone_change_of_the_target_is_the_same():
    """Numbers count by their ranks, as columns do."""
    X, y, _ = noise("normal", 0, columns=30)
    assert np.array_equal(interaction_strength(X, np.exp(y)).score, interaction_strength(X, y).score)


def test_each_target_is_calibrated_by_itself():
    """A rare class among several loses evidence of curves; a column's tie to a large one keeps its own."""
    generator = np.random.default_rng(0)
    X = generator.standard_normal((200, 60))
    y = np.repeat([0, 1, 2], [100, 94, 6])
    X[y == 0, 3] += 1.5
    found = interaction_strength(X, y)
    targets = class_targets(y, "classification", 200)
    assert found.order[0] == 3
    alone = measure_strength(X, targets[:, :1], np.ones(200)).linear[3] - np.log10(3)
    assert found.linear[3] == pytest.approx(alone, abs=1e-3)


def test_weights_that_differ_are_shuffled_for():
    """A few heavy rows make ties as a rare class does: no p for so many effective rows allows for that."""
    target, shares = np.tile([1.0, -1.0], 50), np.full(100, 0.01)
    assert not needs_shuffles(target, shares)
    assert needs_shuffles(target, np.r_[0.505, np.full(99, 0.005)])


def test_a_line_never_adds_evidence_nor_changes_its_order():
    """Neither where shuffles show less than Student's p promises nor where they show more."""
    evidence = np.linspace(0, 50, 200)
    for largest in (np.linspace(1, 2, 50), np.linspace(6, 30, 50), np.full(50, 3.0), np.empty(0)):
        calibrated = line_through(largest, tried=5000).calibrated(evidence)
        assert (calibrated <= evidence).all()
        assert (np.diff(calibrated) > 0).all()
    assert np.array_equal(AS_IT_IS.calibrated(evidence), evidence)


def test_a_tail_is_the_same_in_blocks():
    values = np.random.default_rng(0).random(20_000, dtype=np.float32)
    tail = Tail(len(values))
    for block in np.split(values, 8):
        tail.take(block)
    assert np.array_equal(np.sort(tail.values), np.sort(values)[-300:])


def patients(seed, columns=200):
    """Return 30 patients of 6 samples each: their own levels of all columns, a class, and who they are."""
    generator = np.random.default_rng([82_000, seed])
    who = np.repeat(np.arange(30), 6)
    X = generator.standard_normal((30, columns))[who] + 0.5 * generator.standard_normal((180, columns))
    return X, (generator.permutation(30) < 15)[who], who


def test_samples_of_a_patient_are_no_witnesses_of_each_other():
    """Where every row counts all tables of noise have a column beyond doubt; where patients do, few have."""
    certain = {"rows": 0, "patients": 0}
    for seed in range(6):
        X, y, who = patients(seed)
        goals, alone = y[:, None].astype(float), np.ones(len(y))
        for name, groups in (("rows", None), ("patients", who)):
            certain[name] += bool(beyond_doubt(measure_strength(*told_once(X, goals, alone, groups, y))))
    assert certain["rows"] == 6
    assert certain["patients"] <= 2
    assert partners(X, y, "classification", np.arange(20), who) == {}


def test_both_targets_of_a_patient_are_told():
    """Samples before and after a treatment say two things, each once."""
    Z, y = np.arange(6.0)[:, None], np.array([0, 0, 1, 1, 0, 1])
    told = told_once(Z, y[:, None].astype(float), np.ones(6), np.array([3, 3, 3, 3, 5, 5]), y)
    assert [part.ravel().tolist() for part in told] == [
        [0.5, 2.5, 4.0, 5.0],
        [0.0, 1.0, 0.0, 1.0],
        [4 / 3, 4 / 3, 2 / 3, 2 / 3],
    ]
