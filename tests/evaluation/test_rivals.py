import importlib.util
import os
import sys
from dataclasses import replace

import numpy as np
import pytest

from snelfs.evaluation.rivals import gates, registry
from snelfs.evaluation.rivals.registry import RIVALS, choose

TASKS = ["classification", "regression"]
RELEVANT = {4, 11, 17}
SEEDED = sorted(RIVALS.keys() - {"no_fs"})
JUDGING = sorted(RIVALS.keys() - {"no_fs", "random"})
# Those whose scores do not depend on the place of a column, but for the last bits.
PLACELESS = ["f_score", "l1", "mrmr", "relieff"]


@pytest.fixture(autouse=True)
def short_trainings(monkeypatch):
    """Train the networks just long enough to find easy columns."""
    path = {"lambda_start": 0.1, "path_multiplier": 1.5, "n_iters": (300, 20), "hidden_dims": (10,)}
    monkeypatch.setattr(registry, "LASSONET", path)
    for name in ("CLASSIFICATION", "REGRESSION"):
        monkeypatch.setattr(gates, name, replace(getattr(gates, name), hidden=(20,), n_epochs=400))


@pytest.fixture
def ready():
    """Return a check that a rival's packages are there: else skip, or fail if all are required."""

    def check(name):
        for package in RIVALS[name].needs:
            if importlib.util.find_spec(package) is None:
                reason = f"{name} needs {package}, of the extra bench"
                if os.environ.get("SNELFS_REQUIRE_ALL"):
                    pytest.fail(reason)
                pytest.skip(reason)
        if "torch" in RIVALS[name].needs:
            import torch

            # Networks this small only wait for more threads.
            torch.set_num_threads(1)

    return check


@pytest.fixture(scope="module")
def columns():
    """200 rows of 20 columns on different scales; 4, 11 and 17 will make the target, and 7 is constant."""
    X = np.random.default_rng(0).standard_normal((200, 20))
    X[:, 7] = 0
    return X * np.geomspace(0.1, 100, 20) + 3


def target(X, task, n_classes=2):
    sums = ((X - X.mean(axis=0)) / np.geomspace(0.1, 100, 20))[:, sorted(RELEVANT)].sum(axis=1)
    if task == "regression":
        return sums
    cuts = np.quantile(sums, np.arange(1, n_classes) / n_classes)
    return np.array(["low", "top", "mid"])[np.digitize(sums, cuts)]


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("name", JUDGING)
def test_finds_the_relevant_columns(name, task, columns, ready):
    """Each rival, on columns of unlike scales, with classes named by words."""
    ready(name)
    assert set(choose(name, columns, target(columns, task), task, 3)) == RELEVANT


@pytest.mark.parametrize("name", JUDGING)
def test_finds_the_relevant_columns_of_three_classes(name, columns, ready):
    ready(name)
    chosen = choose(name, columns, target(columns, "classification", 3), "classification", 6)
    assert set(chosen) >= RELEVANT


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("name", SEEDED)
def test_same_seed_same_choice_and_constant_columns_last(name, task, columns, ready):
    """All columns, each once; the constant one in the last place."""
    ready(name)
    first, second = (choose(name, columns, target(columns, task), task, 99, seed=3) for _ in range(2))
    np.testing.assert_array_equal(first, second)
    assert sorted(first) == list(range(20))
    if name != "random":
        assert first[-1] == 7


@pytest.mark.parametrize("n_features", [1, 5, 20])
@pytest.mark.parametrize("name", ["random", "f_score", "mrmr", "relieff", "l1"])
def test_returns_the_promised_count(name, n_features, columns):
    chosen = choose(name, columns, target(columns, "classification"), "classification", n_features)
    assert len(set(chosen)) == len(chosen) == n_features
    assert chosen.dtype == np.intp


def test_no_selection_returns_all_columns_in_their_order(columns):
    chosen = choose("no_fs", columns, target(columns, "regression"), "regression", 3)
    np.testing.assert_array_equal(chosen, np.arange(20))


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("name", PLACELESS)
def test_permuting_columns_permutes_the_choice(name, task, columns):
    order = np.random.default_rng(1).permutation(20)
    y = target(columns, task)
    moved = choose(name, columns[:, order], y, task, 5)
    np.testing.assert_array_equal(order[moved], choose(name, columns, y, task, 5))


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("name", ["f_score", "mrmr", "relieff", "random"])
def test_equal_columns_are_ordered_at_random(name, task, columns):
    """Of twenty copies of one column the first must not win by its place."""
    X = np.repeat(columns[:, [4]], 20, axis=1)
    y = target(columns, task)
    firsts = {int(choose(name, X, y, task, 1, seed=seed)[0]) for seed in range(20)}
    assert len(firsts) > 5


@pytest.mark.parametrize("name", SEEDED)
def test_a_table_of_constants_still_gets_a_choice(name, ready):
    ready(name)
    assert len(set(choose(name, np.ones((10, 4)), [0, 1] * 5, "classification", 3))) == 3


def test_columns_without_a_coefficient_follow_by_their_f_score(columns):
    y = target(columns, "regression")
    table = registry._Candidates(np.delete(columns, 7, axis=1), y, False, 0)
    coefficients, f_scores = registry._l1(table)
    order = registry._best_first(np.stack([coefficients, f_scores]))
    n_used = np.count_nonzero(coefficients)
    assert 3 <= n_used < 19
    assert (coefficients[order[:n_used]] > 0).all()
    assert (np.diff(f_scores[order[n_used:]]) <= 0).all()


@pytest.mark.parametrize("name", ["f_score", "cat", "mutual_information", "relieff", "random_forest", "l1"])
@pytest.mark.parametrize("seed", range(5))
def test_a_column_that_is_the_class_comes_first(name, seed):
    """Nothing varies within the classes but by rounding, and no score may suffer from that."""
    generator = np.random.default_rng(seed)
    X, y = generator.standard_normal((39, 6)), generator.integers(0, 2, 39)
    X[:, 3] = (y - y.mean()) / y.std()
    assert choose(name, X, y, "classification", 1)[0] == 3


def test_a_perfect_column_scores_infinitely_and_comes_first():
    X = np.random.default_rng(0).standard_normal((20, 5))
    y = np.arange(20) % 2
    X[:, 3] = y
    assert choose("f_score", X, y, "classification", 1) == [3]


@pytest.mark.parametrize("name", ["lassonet", "stochastic_gates"])
def test_networks_leave_the_global_generator_alone_and_print_nothing(name, columns, ready, capsys):
    ready(name)
    import torch

    before = torch.get_rng_state()
    choose(name, columns, target(columns, "regression"), "regression", 3)
    assert torch.equal(torch.get_rng_state(), before)
    assert capsys.readouterr() == ("", "")


def test_lassonet_takes_a_class_too_rare_for_both_its_splits(columns, ready):
    """Its training rows may miss the one row of the last class."""
    ready("lassonet")
    y = np.where(np.arange(200) < 100, "a", "b")
    y[5] = "z"
    assert len(choose("lassonet", columns, y, "classification", 3)) == 3
    classes = registry._common_last(np.unique(y, return_inverse=True)[1])
    np.testing.assert_array_equal(np.unique(classes, return_counts=True)[1], [1, 99, 100])


def test_gates_of_needed_columns_open(columns, ready):
    """Their means rise above the start, and those of noise stay below them."""
    ready("stochastic_gates")
    X = np.delete(columns, 7, axis=1)
    X = ((X - X.mean(axis=0)) / X.std(axis=0)).astype(np.float32)
    y = target(columns, "regression")
    mu = gates.gate_means(X, y / y.std(), 0, gates.REGRESSION)
    relevant = np.isin(np.delete(np.arange(20), 7), sorted(RELEVANT))
    assert mu[relevant].min() > max(0, mu[~relevant].max())


@pytest.mark.parametrize(("name", "package"), [("lassonet", "lassonet"), ("stochastic_gates", "torch")])
def test_a_missing_package_is_named_with_the_extra(name, package, columns, monkeypatch):
    """`None` in sys.modules is how Python itself marks a package that cannot be imported."""
    monkeypatch.setitem(sys.modules, package, None)
    message = rf"^The rival '{name}' needs the extra 'bench': pip install 'snelfs\[bench\]'\.$"
    with pytest.raises(ImportError, match=message) as raised:
        choose(name, columns, target(columns, "regression"), "regression", 3)
    assert raised.value.name == package


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"name": "relief"},
            r"^name must be one of 'no_fs', .*, got 'relief' \(did you mean 'relieff'\?\)\.$",
        ),
        ({"task": "ranking"}, "^task must be 'classification' or 'regression', got 'ranking'"),
        ({"n_features": 0}, "^n_features must be an integer of at least 1, got 0"),
        ({"seed": -1}, "^seed must be an integer of at least 0, got -1"),
        ({"X": [[np.nan], [1.0]]}, "^X must be a table of finite numbers"),
        ({"y": [1, 2, 3]}, r"^y must have one value for each of the 2 rows, got \(3,\)"),
        ({"y": [1, 1]}, "^y must have at least two values"),
    ],
)
def test_wrong_arguments_are_named(changes, message):
    arguments = {
        "name": "f_score",
        "X": [[0.0], [1.0]],
        "y": [0, 1],
        "task": "classification",
        "n_features": 1,
    }
    with pytest.raises(ValueError, match=message):
        choose(**arguments | changes)


def test_the_table_lists_the_rivals_in_its_order():
    assert list(RIVALS) == [
        "no_fs",
        "random",
        "f_score",
        "mutual_information",
        "mrmr",
        "jmi",
        "disr",
        "cat",
        "relieff",
        "random_forest",
        "forest_permuted",
        "l1",
        "three_lists",
        "lassonet",
        "stochastic_gates",
    ]
    assert all(rival.name == name and rival.title for name, rival in RIVALS.items())
    assert [name for name, rival in RIVALS.items() if rival.slow] == ["lassonet", "stochastic_gates"]
