"""The benchmark of studies: what is drawn, one tiny trial of each kind, and the table."""

import numpy as np
import pytest

from snelfs.bench import adjusted_survival, grouped_columns, studies
from snelfs.bench.survival import load_study
from snelfs.evaluation import judges
from snelfs.evaluation.trials import Trial

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@pytest.fixture
def tiny(monkeypatch):
    """60 rows of 20 columns, as other tests have, and few epochs."""
    sizes = {"PATIENTS": 15, "NEW_PATIENTS": 10, "RELEVANT": 3, "PERSONAL": 7, "NOISE": 10}
    for name, value in (sizes | {"ROWS": 60, "COLUMNS": 20, "SELECTED": 5, "BATCHED": 6}).items():
        monkeypatch.setattr(studies, name, value)
    monkeypatch.setattr(studies, "SETTINGS", {"n_restarts": 4, "steps": 4, "refine": False})
    monkeypatch.setattr(judges, "TREES", 5)


@pytest.mark.usefixtures("tiny")
def test_patients_are_drawn_as_said():
    """Personal columns hardly vary within a patient; new patients are others, with the columns in place."""
    study = studies.draw_patients(15, 0)
    assert study.X.shape == (60, 20)
    within = np.stack([study.X[study.patients == who].std(axis=0) for who in range(15)]).mean(axis=0)
    assert within[np.union1d(study.personal, study.relevant)].max() < 0.5
    assert np.delete(within, np.union1d(study.personal, study.relevant)).min() > 0.5
    assert all(len(set(study.y[study.patients == who])) == 1 for who in range(15))
    apart = study.X[study.y == 1].mean(axis=0) - study.X[study.y == 0].mean(axis=0)
    assert apart[study.relevant].min() > 0.5
    new = studies.draw_patients(15, 0, first_patient=15)
    assert new.relevant.tolist() == study.relevant.tolist()
    assert set(new.patients) == set(range(15, 30))
    assert not np.array_equal(new.X, study.X)


@pytest.mark.usefixtures("tiny")
def test_batches_are_drawn_as_said():
    """The batch is the last column and agrees with the target in about four rows of five."""
    study = studies.draw_batches(0)
    batch = study.X[:, -1]
    assert study.X.shape == (60, 21)
    assert 0.6 < (batch == study.y).mean() < 0.95
    apart = study.X[batch == 1].mean(axis=0) - study.X[batch == 0].mean(axis=0)
    assert apart[study.personal].min() > 2
    assert not set(study.personal) & set(study.relevant)


@pytest.mark.usefixtures("tiny")
def test_a_tiny_trial_of_each_kind():
    """Each has what the table shows."""
    with_groups = studies.ask(Trial("patients", "with groups", 0))
    assert 0 <= with_groups["found"] <= 1
    assert with_groups["promised"][1] <= with_groups["promised"][0] <= with_groups["promised"][2]
    assert 0 <= with_groups["kept"] <= 1
    assert with_groups["sure"] <= 5
    assert with_groups["falsely_sure"] >= 0
    for method in studies.METHODS["batches"]:
        values = studies.ask(Trial("batches", method, 0))
        assert 0 <= values["found"] <= 1
        assert 0 <= values["false"] <= 5
    told = {method: studies.ask(Trial("linear gaps", method, 0)) for method in studies.METHODS["linear gaps"]}
    assert [values["said"] for values in told.values()] == [False, False, True, False, False]
    assert told["complete, L1"]["found"] > 0.5


@pytest.fixture
def tiny_groups(monkeypatch):
    """60 rows of seven groups of three columns, two of them relevant."""
    for name, value in {"ROWS": 60, "GROUPS": 7, "WIDTH": 3, "RELEVANT": 2}.items():
        monkeypatch.setattr(grouped_columns, name, value)


@pytest.mark.usefixtures("tiny", "tiny_groups")
def test_groups_of_columns_are_drawn_and_asked_for():
    """Columns stand anywhere, and every method chooses as many groups as matter."""
    study = grouped_columns.draw_groups(1)
    assert study.X.shape == (60, 21)
    assert np.bincount(study.groups).tolist() == [3] * 7
    assert not np.array_equal(study.groups, np.sort(study.groups))
    within = np.corrcoef(study.X[:, study.groups == 0].T)
    assert within[np.triu_indices(3, 1)].mean() > 0.1
    for method in (grouped_columns.TOLD, grouped_columns.UNTOLD, grouped_columns.FILTER):
        assert studies.ask(Trial("columns in groups", method, 0))["found"] in (0.0, 0.5, 1.0)


def test_the_table_has_a_row_for_every_way_of_telling():
    """Failed draws do not count."""
    patients = {"found": 0.5, "false": 3, "promised": [0.7, 0.6, 0.8], "kept": 0.65, "status": "done"}
    patients |= {"sure": 5, "falsely_sure": 2}
    records = [
        {**Trial("patients", "without", 0)._asdict(), **patients},
        {**Trial("patients", "without", 1)._asdict(), **patients, "kept": 0.5},
        {**Trial("patients", "without", 2)._asdict(), "status": "failed"},
        {**Trial("linear gaps", "complete", 0)._asdict(), "found": 1.0, "said": False, "status": "done"},
        {**Trial("linear gaps", "missing at random", 0)._asdict(), "status": "failed"},
    ]
    first, second, third = studies.study_rows(records)
    assert first["draws"] == 2
    assert first["within its interval"] == "1 of 2"
    assert first["false at q ≤ 0.1"] == "2.00 ± 0.00"
    assert second["gaps said"] == "0 of 1"
    assert third["relevant found"] == ""
    assert len(studies.study_trials(studies.METHODS, 2)) == 38


def test_a_real_study_is_adjusted_for_its_covariate(tmp_path, monkeypatch):
    """Columns that follow the covariate alone are left when it is told."""
    generator = np.random.default_rng(3)
    X, level = generator.standard_normal((80, 20)), generator.integers(0, 4, 80)
    X[:, :4] += 2.0 * level[:, None]
    time = np.exp(-0.8 * level - X[:, 10] + 0.1 * generator.standard_normal(80))
    parts = {"X": X.astype(np.float32), "time": time, "event": np.ones(80, bool)}
    np.savez(tmp_path / "gse3143.npz", **parts, clinical=level.astype(str)[:, None])
    monkeypatch.setattr(adjusted_survival, "N_SELECTED", 3)
    monkeypatch.setattr(studies, "SETTINGS", {"n_restarts": 2, "steps": 4, "refine": False})
    load_study.cache_clear()
    records = [
        {**trial._asdict(), **studies.ask(trial, str(tmp_path)), "status": "done"}
        for trial in studies.study_trials(["gse3143"], 1)
    ]
    load_study.cache_clear()
    told, untold = records
    assert told["followed"] < 0.4 < untold["followed"]
    assert told["c_index"] > 0.8
    told_row, _ = adjusted_survival.adjusted_rows(records)
    assert (told_row["receptor"], told_row["repetitions"]) == ("with the covariate", 1)
    assert list(studies.study_sections(records)) == [
        "Bild and others (2006), breast cancer, 3 columns selected"
    ]
