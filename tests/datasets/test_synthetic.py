"""The synthetic data sets are what they say, and say truly which columns matter."""

from itertools import pairwise, permutations

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsClassifier

from snelfs.datasets import Sample, make_friedman, make_linear, make_madelon, make_xor

N_RELEVANT = {make_madelon: 5, make_xor: 2, make_linear: 5, make_friedman: 5}
CLASSIFICATION = (make_madelon, make_xor)
REGRESSION = (make_linear, make_friedman)
INFORMATIVE = (make_madelon, make_linear)

every_generator = pytest.mark.parametrize("make", N_RELEVANT)
every_regression = pytest.mark.parametrize("make", REGRESSION)


def same(one, other):
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def friedman1(x1, x2, x3, x4, x5):
    return 10 * np.sin(np.pi * x1 * x2) + 20 * (x3 - 0.5) ** 2 + 10 * x4 + 5 * x5


# What every generator promises


@every_generator
def test_defaults_are_the_small_sets_of_the_paper(make):
    """Without arguments a generator gives 200 rows, 500 columns and the paper's number of relevant ones."""
    X, y, relevant = make()
    assert X.shape == (200, 500)
    assert y.shape == (200,)
    assert relevant.shape == (N_RELEVANT[make],)


@every_generator
@pytest.mark.parametrize("n_samples", [1, 2, 7, 101])
@pytest.mark.parametrize("n_noise", [0, 1, 40])
@pytest.mark.parametrize("seed", [0, 2**32 - 1])
def test_any_size_and_seed_gives_a_sample_of_that_size(make, n_samples, n_noise, seed):
    """Any number of rows, any number of columns from the relevant ones up and any seed are accepted."""
    n_features = N_RELEVANT[make] + n_noise
    sample = make(n_samples, n_features, random_state=seed)
    assert isinstance(sample, Sample)
    assert sample.X.shape == (n_samples, n_features)
    assert sample.y.shape == (n_samples,)
    assert np.isfinite(sample.X).all()
    assert np.isfinite(sample.y).all()


@every_generator
def test_types_are_ready_for_an_estimator(make):
    """X is float64 in row order, y holds integers 0 and 1 or float64, relevant holds integers."""
    X, y, relevant = make(random_state=0)
    assert X.dtype == np.float64
    assert X.flags.c_contiguous
    assert np.issubdtype(relevant.dtype, np.integer)
    if make in CLASSIFICATION:
        assert np.issubdtype(y.dtype, np.integer)
        assert set(y.tolist()) == {0, 1}
    else:
        assert y.dtype == np.float64


@every_generator
@pytest.mark.parametrize("seed", range(5))
def test_relevant_is_sorted_and_names_different_columns(make, seed):
    """The relevant indices increase and lie within the columns."""
    relevant = make(8, 30, random_state=seed).relevant
    assert (np.diff(relevant) > 0).all()
    assert relevant[0] >= 0
    assert relevant[-1] < 30


@pytest.mark.parametrize("make", INFORMATIVE)
@pytest.mark.parametrize("n_informative", [3, 8, 20])
def test_number_of_relevant_columns_can_be_chosen(make, n_informative):
    """As many columns are relevant as n_informative asks for."""
    assert len(make(50, 20, n_informative=n_informative, random_state=0).relevant) == n_informative


def test_one_informative_column_out_of_one_is_enough_for_linear():
    """The smallest linear set, a multiple of its only column, is accepted."""
    X, y, relevant = make_linear(1, 1, n_informative=1, random_state=0)
    assert X.shape == (1, 1)
    assert y.shape == (1,)
    assert relevant.tolist() == [0]


# Random numbers


@every_generator
@pytest.mark.parametrize(
    "seed",
    [lambda: 7, lambda: np.int64(7), lambda: np.random.default_rng(7), lambda: np.random.RandomState(7)],
    ids=["int", "numpy int", "Generator", "RandomState"],
)
def test_same_seed_gives_the_same_sample(make, seed):
    """Two calls with equal random states give equal samples."""
    assert same(make(20, 30, random_state=seed()), make(20, 30, random_state=seed()))


@every_generator
def test_integer_seed_means_what_it_means_to_scikit_learn(make):
    """An integer gives the same sample as a fresh RandomState seeded with it."""
    assert same(make(20, 30, random_state=7), make(20, 30, random_state=np.random.RandomState(7)))


@every_generator
@pytest.mark.parametrize("source", [np.random.default_rng, np.random.RandomState])
def test_shared_source_moves_on(make, source):
    """Calls in a row that share a source of random numbers give different samples."""
    shared = source(0)
    assert not same(make(20, 30, random_state=shared), make(20, 30, random_state=shared))


@every_generator
def test_no_seed_gives_fresh_data(make):
    """Without a random state every call gives different data."""
    assert not np.array_equal(make(20, 30).X, make(20, 30).X)


@every_generator
def test_different_seeds_give_different_relevant_columns(make):
    """Ten seeds give ten different sets of relevant columns and ten different tables."""
    samples = [make(8, 500, random_state=seed) for seed in range(10)]
    assert len({tuple(sample.relevant.tolist()) for sample in samples}) == 10
    assert len({sample.X.tobytes() for sample in samples}) == 10


@every_generator
@pytest.mark.parametrize(
    "seed", [None, 3, np.random.default_rng(3), np.random.RandomState(3)], ids=lambda s: type(s).__name__
)
def test_global_random_state_is_left_alone(make, seed):
    """The global NumPy generator does not move."""
    before = np.random.get_state(legacy=False)  # noqa: NPY002 (the global state is the subject)
    make(20, 30, random_state=seed)
    after = np.random.get_state(legacy=False)  # noqa: NPY002 (the global state is the subject)
    assert before["state"]["pos"] == after["state"]["pos"]
    assert np.array_equal(before["state"]["key"], after["state"]["key"])
    assert (before["has_gauss"], before["gauss"]) == (after["has_gauss"], after["gauss"])


# Where the relevant columns lie


@every_generator
def test_relevant_columns_lie_anywhere(make):
    """Over many seeds every column is relevant about equally often, first and last ones too."""
    n_seeds, n_features = 400, 10
    hits = np.zeros(n_features)
    for seed in range(n_seeds):
        hits[make(1, n_features, random_state=seed).relevant] += 1
    share = N_RELEVANT[make] / n_features
    standard_error = np.sqrt(share * (1 - share) / n_seeds)
    assert np.abs(hits / n_seeds - share).max() < 4 * standard_error


@pytest.mark.parametrize("make", CLASSIFICATION)
def test_rows_are_in_random_order(make):
    """The class changes from row to row about half the time, and the classes are balanced."""
    y = make(2000, 8, random_state=0).y
    changes = np.mean([a != b for a, b in pairwise(y)])
    assert changes == pytest.approx(0.5, abs=0.05)
    assert y.mean() == pytest.approx(0.5, abs=0.05)


# The relevant columns determine y, by the definition of each set


@pytest.mark.parametrize("seed", range(5))
def test_xor_class_is_the_xor_of_the_relevant_columns(seed):
    """The class is 1 exactly where the two relevant columns differ."""
    X, y, (first, second) = make_xor(random_state=seed)
    assert np.array_equal(y, np.logical_xor(X[:, first], X[:, second]))


def test_xor_columns_are_fair_coins_each_independent_of_the_class():
    """Every column is 0 or 1 with equal chances and by itself says nothing about the class."""
    X, y, _ = make_xor(5000, 50, random_state=0)
    assert set(np.unique(X).tolist()) == {0.0, 1.0}
    assert np.abs(X.mean(axis=0) - 0.5).max() < 0.03
    assert np.abs(X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0)).max() < 0.06


@pytest.mark.parametrize("seed", range(5))
def test_linear_target_is_an_exact_sum_of_the_relevant_columns(seed):
    """Least squares on the relevant columns leaves nothing over, and leaving one of them out does."""
    X, y, relevant = make_linear(random_state=seed)
    model = LinearRegression(fit_intercept=False).fit(X[:, relevant], y)
    np.testing.assert_allclose(model.predict(X[:, relevant]), y, rtol=0, atol=1e-9)
    assert ((model.coef_ > 0) & (model.coef_ < 100)).all()
    for column in relevant:
        others = X[:, relevant[relevant != column]]
        assert LinearRegression(fit_intercept=False).fit(others, y).score(others, y) < 1 - 1e-6


def test_linear_columns_are_standard_normal():
    """Every column, relevant or not, has mean 0, variance 1 and the tails of a normal one."""
    X = make_linear(5000, 50, random_state=0).X
    assert np.abs(X.mean(axis=0)).max() < 0.06
    assert np.abs(X.var(axis=0) - 1).max() < 0.1
    assert np.abs((X**4).mean(axis=0) - 3).max() < 0.7


@pytest.mark.parametrize("seed", range(5))
def test_friedman_target_follows_the_formula_in_one_order_of_the_relevant_columns(seed):
    """Exactly two orders of the relevant columns, which swap the factors x1 and x2, give y by the formula."""
    X, y, relevant = make_friedman(random_state=seed)
    fitting = [order for order in permutations(relevant) if np.allclose(friedman1(*X[:, order].T), y)]
    assert len(fitting) == 2
    assert fitting[0][:2] == fitting[1][1::-1]
    assert fitting[0][2:] == fitting[1][2:]


def test_friedman_columns_are_uniform():
    """Every column lies in [0, 1] with the mean and variance of the uniform distribution."""
    X = make_friedman(5000, 50, random_state=0).X
    assert X.min() >= 0
    assert X.max() <= 1
    assert np.abs(X.mean(axis=0) - 1 / 2).max() < 0.02
    assert np.abs(X.var(axis=0) - 1 / 12).max() < 0.005


@pytest.mark.parametrize("seed", range(3))
def test_madelon_classes_are_told_apart_by_the_relevant_columns_only(seed):
    """Neighbours in the relevant columns share their class; neighbours in the others do so by chance."""
    X, y, relevant = make_madelon(2000, 20, random_state=seed)

    def accuracy(columns):
        train, test = slice(0, 1000), slice(1000, None)
        model = KNeighborsClassifier(15).fit(columns[train], y[train])
        return model.score(columns[test], y[test])

    assert accuracy(X[:, relevant]) > 0.8
    assert accuracy(np.delete(X, relevant, axis=1)) == pytest.approx(0.5, abs=0.06)


@pytest.mark.parametrize("seed", range(3))
def test_madelon_noise_is_standard_normal_and_the_rest_wider(seed):
    """Irrelevant columns are standard normal; the relevant ones, spread over the hypercube, vary more."""
    X, _, relevant = make_madelon(5000, 50, random_state=seed)
    noise = np.delete(X, relevant, axis=1)
    assert np.abs(noise.mean(axis=0)).max() < 0.06
    assert np.abs(noise.var(axis=0) - 1).max() < 0.1
    assert np.abs((noise**4).mean(axis=0) - 3).max() < 0.7
    assert X[:, relevant].var(axis=0).min() > 2


@pytest.mark.parametrize("seed", range(3))
def test_madelon_is_scikit_learns_up_to_the_order_of_rows_and_columns(seed):
    """With one seed, make_classification with edges of 4 and 4 clusters a class has the same values."""
    X, y, relevant = make_madelon(100, 20, random_state=seed)
    theirs, classes = make_classification(
        100,
        20,
        n_informative=5,
        n_redundant=0,
        n_clusters_per_class=4,
        class_sep=2.0,
        flip_y=0.0,
        shuffle=False,
        random_state=seed,
    )
    place = {value: (row, column) for (row, column), value in np.ndenumerate(theirs)}
    rows = [place[value][0] for value in X[:, 0]]
    columns = [place[value][1] for value in X[0]]
    assert np.array_equal(X, theirs[np.ix_(rows, columns)])
    assert np.array_equal(y, classes[rows])
    assert sorted(columns[j] for j in relevant) == [0, 1, 2, 3, 4]


# Noise in the target


@every_regression
def test_noise_adds_its_standard_deviation_to_the_target_and_changes_nothing_else(make):
    """With noise, y differs from the clean one by a normal error of that size; X and relevant stay."""
    clean, noisy = (make(5000, 8, noise=noise, random_state=0) for noise in (0.0, 3.0))
    error = noisy.y - clean.y
    assert error.mean() == pytest.approx(0, abs=0.15)
    assert error.std() == pytest.approx(3, rel=0.05)
    assert np.array_equal(noisy.X, clean.X)
    assert np.array_equal(noisy.relevant, clean.relevant)


# Errors


@every_generator
@pytest.mark.parametrize("bad", [0, -3, 2.0, "20", None, True])
def test_bad_number_of_rows_is_named(make, bad):
    """A number of rows that is no integer of at least 1 is refused by name and value."""
    with pytest.raises(ValueError, match=rf"^n_samples must be an integer of at least 1, got {bad!r}\.$"):
        make(bad, 30)


@every_generator
@pytest.mark.parametrize("bad", [0, 1, 30.0, "30", None, True])
def test_bad_number_of_columns_is_named(make, bad):
    """Columns fewer than the relevant ones, or no integer, are refused with what is accepted."""
    accepted = rf"at least {N_RELEVANT[make]} \(the number of relevant columns\)"
    with pytest.raises(ValueError, match=rf"^n_features must be an integer of {accepted}, got {bad!r}\.$"):
        make(20, bad)


@pytest.mark.parametrize("make", INFORMATIVE)
def test_more_informative_columns_than_columns_are_refused(make):
    """Informative columns that do not fit are refused, not silently fewer."""
    with pytest.raises(ValueError, match=r"^n_features must be an integer of at least 21 .*, got 20\.$"):
        make(20, 20, n_informative=21)


@pytest.mark.parametrize(("make", "least"), [(make_madelon, 3), (make_linear, 1)])
@pytest.mark.parametrize("bad", [-1, 0, 5.0, "5"])
def test_bad_number_of_informative_columns_is_named(make, least, bad):
    """A number of informative columns below what the set needs, or no integer, is refused."""
    with pytest.raises(
        ValueError, match=rf"^n_informative must be an integer of at least {least}.* got {bad!r}\.$"
    ):
        make(20, 30, n_informative=bad)


def test_eight_clusters_need_three_dimensions():
    """A Madelon square has too few vertices for its clusters, and the error says so."""
    with pytest.raises(ValueError, match=r"at least 3 \(eight clusters need eight vertices\), got 2\.$"):
        make_madelon(n_informative=2)


@every_regression
@pytest.mark.parametrize("bad", [-0.1, float("nan"), float("inf"), "1", None, True])
def test_bad_noise_is_named(make, bad):
    """Noise that is no finite number of at least 0 is refused by name and value."""
    with pytest.raises(ValueError, match=rf"^noise must be a finite number of at least 0, got {bad!r}\.$"):
        make(20, 30, noise=bad)


@every_generator
@pytest.mark.parametrize("bad", [-1, 2**32, 0.5, "seed", True, np.random])
def test_bad_random_state_is_named(make, bad):
    """A random state of another kind, the global one among them, is refused with what is accepted."""
    with pytest.raises(
        ValueError, match=r"^random_state must be None, an integer from 0 to 2\*\*32 - 1, .* got "
    ):
        make(20, 30, random_state=bad)
