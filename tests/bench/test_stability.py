"""The stability benchmark: bootstrap samples, and the table of agreement."""

import numpy as np

from snelfs.bench.stability import bootstrap_rows, bootstrap_trials, choose_from_sample, table_rows
from snelfs.evaluation.trials import Trial


def picked(method, seed, columns, status="done"):
    kept = {"status": status, "seconds": 1.0, "time_limit": 60.0}
    return {"data": "colon", "method": method, "seed": seed, "selected": columns, "columns": 100, **kept}


def test_a_sample_keeps_the_classes_and_repeats_rows():
    """As many rows of each class as before, drawn with replacement, and by the seed."""
    y = np.repeat(["a", "b"], [30, 10])
    rows = bootstrap_rows(y, seed=3)
    assert (y[rows] == "a").sum() == 30
    assert len(np.unique(rows)) < 40
    assert np.array_equal(rows, bootstrap_rows(y, seed=3))
    assert not np.array_equal(rows, bootstrap_rows(y, seed=4))


def test_agreement_is_told_and_so_is_a_limit():
    """The same columns twice are an index of 1; a method over the limit has a note in its place."""
    records = [picked("snel", seed, [1, 2, 3]) for seed in range(3)]
    records += [picked("f_score", 0, [1, 2]), picked("f_score", 1, [3, 4])]
    records += [picked("lassonet", 0, [], status="too slow")]
    same, other, slow = table_rows(records)
    assert same["stability"].startswith("1.00")
    assert float(other["stability"].split()[0]) < 0
    assert (slow["method"], slow["samples"], slow["stability"]) == ("LassoNet", 0, "over 60 s")


def test_slow_trials_come_last():
    """LassoNet may take all the time there is, so the others are done before."""
    trials = bootstrap_trials(["colon", "srbct"], ["lassonet", "snel"], 2)
    assert [trial.method for trial in trials] == ["snel"] * 4 + ["lassonet"] * 4


def test_a_method_chooses_from_the_sample(tmp_path):
    """From real files: 30 columns of as many as the set has, the planted one among them."""
    generator = np.random.default_rng(0)
    y = np.repeat(["t", "n"], [40, 22])
    X = generator.standard_normal((62, 2000)).astype(np.float32)
    X[y == "n", 7] += 5
    np.savez(tmp_path / "colon.npz", X=X, y=y)
    values = choose_from_sample(Trial("colon", "f_score", 0), str(tmp_path))
    assert len(values["selected"]) == 30
    assert values["selected"][0] == 7
    assert values["columns"] == 2000
