"""Whole fits of other packages beside ours."""

import pytest

from snelfs.bench import peers
from snelfs.evaluation.trials import Trial


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(peers, "ROWS", 150)
    monkeypatch.setattr(peers, "COLUMNS", 16)
    monkeypatch.setattr(peers, "N_SELECTED", 8)


BORUTA = pytest.param("boruta", marks=pytest.mark.slow)  # a hundred forests


@pytest.mark.parametrize("method", ["mrmr", "l1", "relieff", "fast_select", "skrebate", BORUTA])
def test_every_peer_finds_what_is_plain(method):
    """Each is called the right way round: among eight columns are both of XOR's, or four of five."""
    data = "XOR" if method == "fast_select" else "Reg"
    values = peers.time_peer(Trial(data, method, 0))
    assert len(values["selected"]) == 8
    assert values["seconds"] > 0
    assert values["found"] >= values["relevant"] - (data == "Reg")


def test_trials_keep_to_their_tasks():
    """A method of classes is not asked for a number, and real data are fitted once."""
    trials = peers.peer_trials(["Mad", "Reg", "colon"], ["snel", "fast_select", "lassonet"], 3, 1)
    assert Trial("Reg", "fast_select", 0) not in trials
    assert sum(trial.data == "colon" for trial in trials) == 3
    assert sum(trial[:2] == ("Mad", "snel") for trial in trials) == 3
    assert sum(trial[:2] == ("Mad", "lassonet") for trial in trials) == 1


def record(method, status="done", seed=0, **values):
    about = {"data": "Mad", "method": method, "seed": seed, "fold": 0, "status": status}
    return about | {"time_limit": 1800.0, "commit": "c"} | values


def test_the_table_compares_with_ours():
    """Medians of seconds, as multiples of ours; one that did not end is over its limit."""
    records = [
        record("snel", seconds=9.0, found=5, relevant=5),
        record("snel", seed=1, seconds=11.0, found=4, relevant=5),
        record("mrmr", seconds=20.0, found=1, relevant=5),
        record("lassonet", "too slow"),
    ]
    rows = {row["method"]: row for row in peers.peer_rows(records)}
    assert rows["snel"]["seconds"] == "10.0"
    assert rows["snel"]["relevant found"].startswith("0.90")
    assert rows["mrmr"]["times ours"] == "2.0"
    assert rows["lassonet"]["seconds"] == "over 1800"
    assert rows["lassonet"]["times ours"] == "over 180"
    (shown,) = peers.peer_sections(records).values()
    assert "LassoNet's path" in shown
