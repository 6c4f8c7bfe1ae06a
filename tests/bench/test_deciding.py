"""The deciding benchmark: what is asked of a table, and what is said of votes at random and another seed."""

import numpy as np
import pytest

from snelfs.bench.deciding import (
    METHODS,
    assess,
    deciding_rows,
    deciding_sections,
    deciding_trials,
    problems,
    tables_in,
)
from snelfs.evaluation import judges
from snelfs.evaluation.trials import Trial


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Three tables: of two classes and one row of a third, of three, and of numbers."""
    home = tmp_path_factory.mktemp("tables")
    generator = np.random.default_rng(0)
    X = generator.standard_normal((60, 50))
    X[:, 9] = 1  # which does not vary
    two = np.array(["rare"] + ["ill"] * 22 + ["well"] * 37)
    three = np.repeat(["a", "b", "c"], [9, 21, 30])
    X[two == "ill", 3] += 4
    X[three == "b", 5] += 4
    np.savez(home / "two.npz", X=X, y=two)
    np.savez(home / "three.npz", X=X, y=three)
    np.savez(home / "numbers.npz", X=X, y=generator.standard_normal(60))
    return home


def recorded(problem, method, fold, selected, f1):
    scores = dict.fromkeys(judges.CLASSIFIERS, f1)
    kept = {"seed": 0, "fold": fold, "status": "done", "seconds": 1.0, "time_limit": 60.0}
    first = dict.fromkeys(judges.CLASSIFIERS, f1 / 2)
    scored = {"scores": scores, "first_scores": first}
    return {"data": problem, "method": method, "selected": selected, **scored, **kept}


def test_classes_of_rows_enough_are_told_from_the_rest(folder):
    """Numbers are left out; of two classes there is one question, and a class of few rows has none."""
    assert tables_in(folder) == ["three", "two"]
    assert problems(["three", "two"], str(folder)) == ["three", "three: b", "three: c", "two"]


def test_a_folder_without_tables_is_named(tmp_path):
    """A folder of numbers alone, an empty one and a file that is none each end in a sentence."""
    with pytest.raises(ValueError, match="classes y"):
        tables_in(tmp_path)
    np.savez(tmp_path / "one.npz", X=np.ones((9, 2)), y=np.repeat("a", 9))
    with pytest.raises(ValueError, match="two classes of 5 rows or more, got 'one'"):
        problems(["one"], str(tmp_path))
    (tmp_path / "broken.npz").write_text("no")
    with pytest.raises(ValueError, match="no readable npz file"):
        tables_in(tmp_path)


def test_the_default_is_always_compared_with():
    """Whatever methods are asked for, the default is tried, once, in every fold."""
    trials = deciding_trials(["two"], ["mrmr"], repeats=1)
    assert [(trial.method, trial.fold) for trial in trials] == [
        (method, fold) for method in ("snel", "mrmr") for fold in range(5)
    ]
    assert len(deciding_trials(["two"], METHODS, repeats=2)) == 2 * 5 * len(METHODS)


@pytest.mark.parametrize("problem", ["two", "three", "three: b"])
def test_a_fold_is_judged_by_the_smaller_class(folder, monkeypatch, problem):
    """The planted column comes first, and tells the class of held-out rows."""
    monkeypatch.setattr(judges, "TREES", 20)
    values = assess(Trial(problem, "f_score", 0, 0), str(folder))
    assert values["selected"][0] == {"two": 3}.get(problem, 5)
    assert len(values["selected"]) == 30
    assert set(values["scores"]) == set(values["first_scores"]) == set(judges.CLASSIFIERS)
    assert problem == "three" or values["scores"]["RF"] > 0.7


def test_another_seed_is_another_search(folder, monkeypatch):
    """It is the default on the same rows, and may select other columns; votes at random do."""
    monkeypatch.setattr(judges, "TREES", 20)
    methods = ("snel", "snel_other_seed", "snel_noise", "snel_all_noise")
    chosen = {m: assess(Trial("two", m, 0, 0), str(folder))["selected"] for m in methods}
    assert chosen["snel"][0] == chosen["snel_other_seed"][0] == 3
    assert all(len(set(columns)) == 30 for columns in chosen.values())
    assert len({tuple(columns) for columns in chosen.values()}) == len(methods)


def test_differences_are_told_over_problems_and_over_tables():
    """A table with many classes counts once over tables; columns are compared fold by fold."""
    records = [
        recorded(problem, method, fold, [1, 2, 3] if method == "snel" else [1, 2, 4 + fold], f1)
        for problem, lost in [("a", 0.3), ("a: x", 0.1), ("a: y", 0.3), ("b", 0.4)]
        for method, f1 in [("snel", 0.9), ("snel_noise", 0.9 - lost)]
        for fold in range(2)
    ]
    sections = deciding_sections(records)
    of_two = "3 two classes, or each of several against the rest"
    assert list(sections) == [
        "All 30 columns: 2 tables as they are",
        f"All 30 columns: {of_two}",
        "The first 10 of them: 2 tables as they are",
        f"The first 10 of them: {of_two}",
    ]
    default, noise = (line.split(" | ") for line in sections[f"All 30 columns: {of_two}"].splitlines()[2:])
    assert default[:3] == ["| SNeL-FS, default", "0.900", "0.0"]
    assert noise[1:3] == ["0.633", "1.0"]
    assert noise[3].startswith("-0.267 (")  # of 0.1, 0.3 and 0.4
    assert noise[4].startswith("-0.300 (")  # of a's 0.2 and b's 0.4
    rows = [row for row in deciding_rows(records) if row["method"] == "snel_noise"]
    assert [(row["problem"], row["F1"]) for row in rows if row["columns"] == "All 30 columns"] == [
        ("a", "0.600"),
        ("a: x", "0.800"),
        ("a: y", "0.600"),
        ("b", "0.500"),
    ]
    assert {row["F1"] for row in rows} == {"0.600", "0.800", "0.500", "0.300", "0.400", "0.250"}


@pytest.mark.parametrize("change", [{"status": "too slow"}, {"fold": 7}])
def test_a_problem_that_a_method_has_not_ended_is_left_out(change):
    """Means over some folds are not those over others: nothing is said of it until all have it."""
    records = [
        recorded(problem, method, fold, [1, 2, 3], 0.9)
        for problem in ("a", "b")
        for method in ("snel", "snel_noise")
        for fold in range(2)
    ]
    records[-1] |= change
    assert [row["problem"] for row in deciding_rows(records)] == ["a"] * 4
    assert "All 30 columns: 1 tables as they are" in deciding_sections(records)
    without_default = [record for record in records if record["method"] != "snel"]
    assert deciding_sections(without_default) == {}
