"""The survival benchmark: a tiny run of both kinds of data, and its tables."""

import numpy as np
import pytest
from typer.testing import CliRunner

from snelfs.bench.survival import (
    DRAWN,
    FOLDS,
    TITLES,
    assess,
    choose,
    survival_rows,
    survival_sections,
    survival_trials,
)
from snelfs.cli.app import app
from snelfs.datasets import make_survival
from snelfs.evaluation.trials import Trial


@pytest.fixture(scope="module")
def studies(tmp_path_factory):
    """A folder with a small study of a known name."""
    folder = tmp_path_factory.mktemp("studies")
    X, y, _ = make_survival(100, 40, random_state=0)
    X[:, 7] *= 100
    np.savez(folder / "nsbcd.npz", X=X.astype(np.float32), time=y["time"], event=y["event"])
    return folder


def test_trials_are_draws_of_simulated_data_and_folds_of_studies():
    """No selection is not asked to find anything."""
    trials = survival_trials(["linear 30", "nsbcd"], ["no_fs", "random"], seeds=3, repeats=2)
    assert sum(trial.data == "linear 30" for trial in trials) == 3
    assert sum(trial.data == "nsbcd" for trial in trials) == 2 * 2 * FOLDS


def test_one_column_at_a_time_finds_linear_effects_and_not_interactions():
    """As they are meant: the benchmark tells the two apart."""
    linear = assess(Trial("linear 30", "univariate_cox", 0))
    assert linear["found"] >= 0.8
    assert len(linear["selected"]) == 15
    together = [assess(Trial("interaction 30", "univariate_cox", seed))["found"] for seed in range(3)]
    assert np.mean(together) <= 0.8


def test_a_study_is_judged_on_held_out_rows(studies):
    """Columns found one at a time order them better than chance; the variance sees raw columns."""
    scores = {
        method: np.mean(
            [
                assess(Trial("nsbcd", method, 0, fold), str(studies))["scores"]["ridge Cox"]["c_index"]
                for fold in range(2)
            ]
        )
        for method in ("univariate_cox", "no_fs")
    }
    assert scores["univariate_cox"] > 0.6
    assert scores["no_fs"] > 0.55
    X, y, _ = make_survival(100, 40, random_state=0)
    X[:, 7] *= 100
    assert choose("variance", X, y, 1, 0).tolist() == [7]
    with pytest.raises(FileNotFoundError, match=r"dbcd\.npz is not in .* SurvSet"):
        assess(Trial("dbcd", "random", 0), str(studies))


def test_the_command_runs_records_and_shows_tables(studies, tmp_path):
    """Simulated data and a study in one go, and again from the records alone."""
    words = ["bench", "survival", "--data", "linear 70,nsbcd", "--methods", "random,univariate_cox"]
    words += ["--seeds", "2", "--repeats", "1", "--data-home", str(studies), "--output", str(tmp_path)]
    shown = CliRunner().invoke(app, words)
    assert shown.exit_code == 0, shown.output
    again = CliRunner().invoke(app, [*words, "--only-tables"])
    assert again.exit_code == 0, again.output
    text = (tmp_path / "survival.md").read_text()
    assert "Share of relevant columns found" in text
    assert "c-index on held-out rows" in text
    assert TITLES["univariate_cox"] in text


def test_leads_are_of_the_same_folds():
    """A fold that one of the two has not done is left out."""
    records = [
        {"data": "nsbcd", "method": method, "status": "done", "seconds": 1.0, "seed": 0, "fold": fold}
        | {"scores": {"ridge Cox": {"c_index": c, "brier_skill": 0.1}}}
        for method, indices in (("snel", (0.7, 0.8, 0.6)), ("univariate_cox", (0.6, 0.65)))
        for fold, c in enumerate(indices)
    ]
    shown = survival_sections(records)[
        "c-index of SNeL-FS less that of the method on the same folds, 95 % interval"
    ]
    assert "+0.125 (" in shown
    assert shown.count("\n") == 2, "one rival"


def test_rows_say_what_came_of_a_method():
    """With an interval where there are folds, and blanks where nothing was done."""
    folds = [
        {"data": "nsbcd", "method": "snel", "status": "done", "seconds": 1.0}
        | {"scores": {"ridge Cox": {"c_index": c, "brier_skill": 0.1}}}
        for c in (0.6, 0.7)
    ]
    failed = {"data": "linear 30", "method": "snel", "status": "failed"}
    rows = survival_rows([*folds, failed])
    assert rows[0]["c_index"] == 0.65
    assert rows[0]["low"] < 0.65 < rows[0]["high"]
    assert rows[1]["found"] == ""
    assert set(DRAWN) >= {"linear 30", "interaction 70"}
