"""The microarray benchmark, from folds to tables."""

import os

import numpy as np
import pytest

from shared import SHARED_DATA
from snelfs.bench import microarray
from snelfs.bench.microarray import accuracy_trials, assess, n_folds
from snelfs.bench.microarray_tables import (
    accuracy_rows,
    accuracy_sections,
    calibration_rows,
    collect,
    win_rows,
)
from snelfs.datasets import Microarray, microarray_facts
from snelfs.evaluation.judges import CLASSIFIERS, f1, split
from snelfs.evaluation.trials import Trial


@pytest.fixture
def tiny(monkeypatch):
    """Put a small table in the place of colon: 40 rows, 35 columns, of which the third tells the classes."""
    generator = np.random.default_rng(0)
    y = np.array(["t"] * 24 + ["n"] * 16)
    X = generator.standard_normal((40, 35)).astype(np.float32)
    X[:, 2] += 4 * (y == "n")
    names = np.array([f"x{j}" for j in range(35)])
    tiny = Microarray(X, y, names, microarray_facts("colon"))
    monkeypatch.setattr(microarray, "_load", lambda name, data_home: tiny)  # noqa: ARG005 (its signature)
    return tiny


def record(data, method, seed, fold, scores, **more):
    scores = dict(zip(CLASSIFIERS, scores, strict=True))
    return {
        "data": data,
        "method": method,
        "seed": seed,
        "fold": fold,
        "status": "done",
        "scores": scores,
        "seconds": 1.0,
        "selected": list(range(30)),
        **more,
    }


@pytest.mark.usefixtures("tiny")
def test_a_fold_is_chosen_trained_and_tested():
    """A column that tells the classes is chosen first and classifies the test rows."""
    values = assess(Trial("colon", "f_score", 0, 3))
    assert values["selected"][0] == 2
    assert len(values["selected"]) == 30
    assert set(values["scores"]) == set(CLASSIFIERS)
    assert all(0 <= score <= 1 for score in values["scores"].values())
    assert values["scores"]["RF"] == 1.0


def test_the_choice_never_sees_the_test_rows(tiny):
    """Changing the test rows beyond recognition changes neither choice nor trained scale."""
    trial = Trial("colon", "f_score", 0, 0)
    before = assess(trial)["selected"]
    _, test = split(tiny.y, 10, 0)[0]
    tiny.X[test] = 1e3 * np.random.default_rng(1).standard_normal((len(test), 35))
    assert assess(trial)["selected"] == before


@pytest.mark.usefixtures("tiny")
def test_without_selection_all_columns_are_used():
    """The record names no columns then: all of them would say nothing."""
    assert assess(Trial("colon", "no_fs", 0, 0))["selected"] == []


def test_the_folds_of_a_repetition_part_the_rows(tiny):
    """Every row is tested once, the classes are spread evenly, and another repetition parts them anew."""
    folds = split(tiny.y, 10, 0)
    assert sorted(np.concatenate([test for _, test in folds])) == list(range(40))
    assert all(1 <= (tiny.y[test] == "n").sum() <= 2 for _, test in folds)
    assert any(list(one[1]) != list(other[1]) for one, other in zip(folds, split(tiny.y, 10, 1), strict=True))


def test_f1_takes_the_papers_positive_class():
    """Two classes: F1 of the second one; more: the average weighted by rows."""
    truth, predicted = np.array(["t", "t", "n", "n"]), np.array(["t", "n", "n", "t"])
    assert f1(truth, predicted, "n") == pytest.approx(0.5)
    assert f1(np.array(["a", "a", "b"]), np.array(["a", "a", "a"]), None) == pytest.approx(0.8 * 2 / 3)
    assert f1(np.array(["t", "t"]), np.array(["t", "t"]), "n") == 0.0


def test_trials_put_whole_repetitions_first_and_slow_methods_last():
    """Slow methods have their own number of repetitions."""
    trials = accuracy_trials(["colon", "srbct"], ["lassonet", "f_score"], repeats=2, slow_repeats=1)
    assert n_folds("colon") == 10
    assert n_folds("srbct") == 5
    assert len(trials) == 2 * 15 + 15
    assert [trial.seed for trial in trials[:30]] == [0] * 15 + [1] * 15
    assert {trial.method for trial in trials[30:]} == {"lassonet"}


def test_a_set_filtered_by_its_labels_is_refused():
    """No accuracy is claimed on it, unless forced."""
    with pytest.raises(ValueError, match="'bone_lesion_anova1660' were chosen with its labels"):
        accuracy_trials(["colon", "bone_lesion_anova1660"], ["f_score"], 1, 1)
    assert len(accuracy_trials(["bone_lesion_anova1660"], ["f_score"], 1, 1, force=True)) == 10


def test_tables_by_hand():
    """Two folds of two methods: means, deviations, paired differences and notes."""
    scores = collect(
        [
            record("colon", "snel_paper", 0, 0, [0.5, 0.7, 0.9, 0.7]),
            record("colon", "snel_paper", 0, 1, [0.7, 0.7, 0.9, 0.9]),
            record("colon", "f_score", 0, 0, [0.6, 0.6, 0.6, 0.6]),
            record("colon", "f_score", 0, 1, [0.7, 0.7, 0.7, 0.7]),
            {
                "data": "colon",
                "method": "lassonet",
                "seed": 0,
                "fold": 0,
                "status": "too slow",
                "time_limit": 60,
            },
        ]
    )
    rows = {(row["method"], row["classifier"]): row for row in accuracy_rows(scores)}
    assert rows["snel_paper", "NB"]["mean"] == 0.6
    assert rows["snel_paper", "NB"]["sd"] == 0.1
    assert rows["snel_paper", "avg"]["mean"] == 0.75
    assert rows["snel_paper", "avg"]["sd"] == 0.05, "the mean of the classifiers' deviations"
    assert rows["snel_paper", "avg"]["paper mean"] == 0.7907
    assert list(scores.paired("colon", "snel_paper", "f_score")) == pytest.approx([0.1, 0.1])
    assert win_rows(scores, "snel_paper")[0]["win/tie/loss"] == "1/0/0"
    text = "\n".join(accuracy_sections(scores).values())
    assert "| colon | 0.650 ± 0.050 [0.782] | over 60 s | 0.750 ± 0.050 [0.791] |" in text
    assert "| colon | 1.00 (1.00 to 1.00) |  | 1.00 (1.00 to 1.00) |" in text, (
        "the same columns in both folds"
    )


def test_calibration_says_when_the_harness_is_off():
    """Within one of the paper's deviations or not, for the columns that need no neural network."""
    scores = collect(
        [
            record("colon", "f_score", 0, 0, [0.78] * 4),
            record("leukemia", "f_score", 0, 0, [0.2] * 4),
            record("colon", "mrmr", 0, 0, [0.2] * 4),
        ]
    )
    verdicts = [row["within the paper's deviation"] for row in calibration_rows(scores)]
    assert verdicts == ["yes", "NO"]


def test_reduced_sets_are_marked():
    """Nobody takes a score on a part of the columns for one on all."""
    text = accuracy_sections(collect([record("glioma_10367", "f_score", 0, 0, [0.5] * 4)]))
    assert "glioma_10367 †" in text["Marks"]
    assert "full set" in text["Marks"]


def test_real_data_reach_the_benchmark(microarray):
    """A fold of the real colon data runs from the file to the four scores."""
    X, _ = microarray("colon")
    values = assess(Trial("colon", "mrmr", 0, 0), data_home=os.environ.get("SNELFS_DATA", str(SHARED_DATA)))
    assert len(set(values["selected"])) == 30
    assert max(values["selected"]) < X.shape[1]
