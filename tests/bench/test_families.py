"""Families of problems: what they are made of, and the table of who finds it."""

import numpy as np
import pytest

from snelfs.bench.families import (
    METHODS,
    data_name,
    family_rows,
    family_sections,
    family_trials,
    find,
    layer_adds,
)
from snelfs.bench.family_data import FAMILIES, draw
from snelfs.evaluation.trials import Trial


@pytest.mark.parametrize("name", FAMILIES)
def test_a_draw_is_finite_shuffled_and_the_same_for_a_seed(name):
    family = FAMILIES[name]
    sample, again, other = (draw(family, 120, 50, seed) for seed in (1, 1, 2))
    assert sample.X.shape == (120, 50)
    assert np.isfinite(sample.X).all()
    assert len(np.unique(sample.y)) >= 2
    assert (len(np.unique(sample.y)) > 20) == family.regression
    assert np.array_equal(sample.X, again.X)
    assert not np.array_equal(sample.relevant, other.relevant)
    assert sample.relevant.tolist() != list(range(len(sample.relevant)))


@pytest.mark.parametrize("name", FAMILIES)
def test_the_target_follows_from_the_relevant_columns(name):
    """A forest on them alone predicts what it cannot from as many others."""
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
    from sklearn.model_selection import cross_val_score

    family = FAMILIES[name]
    sample = draw(family, 600, 50, seed=3)
    model = (RandomForestRegressor if family.regression else RandomForestClassifier)(60, random_state=0)
    scoring = "r2" if family.regression else "balanced_accuracy"
    others = np.setdiff1d(np.arange(50), sample.relevant)[: len(sample.relevant)]
    y = np.argsort(np.argsort(sample.y)) if family.regression else sample.y  # by rank: tails are long
    ours, theirs = (
        cross_val_score(model, sample.X[:, columns], y, cv=3, scoring=scoring).mean()
        for columns in (sample.relevant, others)
    )
    assert ours > theirs + 0.1


def test_a_trial_counts_what_was_found():
    values = find(Trial(data_name("weak", 300), "f_score", 0))
    assert len(values["selected"]) == 15
    assert values["found"] == np.isin(values["relevant"], values["selected"]).mean()
    assert values["found"] > 0.5


def _first_cells(table: str) -> list[str]:
    return [line.split("|")[1].strip() for line in table.splitlines()[2:]]


def test_tables_have_the_best_mean_first_and_say_what_the_layer_adds():
    records = [
        {
            **Trial(data_name(family, 300), method, seed)._asdict(),
            "status": "done",
            "found": found,
            "seconds": 1,
        }
        for family in ("gate", "sines")
        for method, found in (
            ("f_score", 0.25),
            ("filters_alone", 0.5),
            ("snel", 1.0),
            ("snel_without_curves", 0.75),
        )
        for seed in range(2)
    ]
    table, parts = family_sections(records).values()
    default, filters = "SNeL-FS, default", "filters alone: the search without its layer"
    assert _first_cells(table) == [default, filters, "F score"]
    assert _first_cells(parts) == [default, filters, "no restart bends columns"]
    assert "1.00 ± 0.00" in table
    assert {row["draws"] for row in family_rows(records)} == {2}
    alone = [record for record in records if record["method"].startswith("snel_")]
    assert len(family_sections(alone)) == 1  # parts by themselves have no table of rivals
    assert layer_adds(records) == {"gate 300": 0.5, "sines 300": 0.5}


def test_parts_are_compared_on_the_draws_that_all_have():
    """A default of more draws is shown beside them on theirs alone, and beside rivals on all."""
    found = {("snel", 0): 1.0, ("snel", 1): 0.0, ("snel_without_curves", 0): 0.75}
    records = [
        {**Trial(data_name("gate", 300), method, seed)._asdict(), "status": "done", "found": share}
        for (method, seed), share in found.items()
    ]
    table, parts = family_sections(records).values()
    assert "0.500" in table
    assert "1.000" in parts
    assert "0.750" in parts
    assert "0.500" not in parts


def test_every_family_meets_every_method():
    trials = family_trials(["gate"], [300], METHODS, 2)
    assert (
        {trial.method for trial in trials} == set(METHODS) >= {"snel", "filters_alone", "jmi", "three_lists"}
    )
    assert "no_fs" not in METHODS
    assert len(trials) == 2 * len(METHODS)
