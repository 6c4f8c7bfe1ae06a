"""Shorter ways against the full run."""

import os

import numpy as np

from shared import SHARED_DATA
from snelfs.bench import shortcuts
from snelfs.evaluation.trials import Trial


def record(way, selected, seconds, seed=0, **values):
    about = {"data": "Mad", "method": way, "seed": seed, "fold": 0, "status": "done"}
    return about | {"selected": selected, "seconds": seconds} | values


def test_rows_compare_with_the_full_run_of_the_same_draw():
    """Shares of the selection in common, draws with the very same one, and the time as a ratio."""
    records = [
        record("full", [1, 2], 10.0, found=1.0),
        record("full", [3, 4], 10.0, seed=1, found=0.5),
        record("pruned", [1, 2], 6.0, found=1.0),
        record("pruned", [3, 9], 8.0, seed=1, found=0.5),
    ]
    full, pruned = shortcuts.shortcut_rows(records)
    assert full["in common with the full run"] == "1.000"
    assert pruned["in common with the full run"] == "0.750"
    assert pruned["the same selection"] == "0.50"
    assert pruned["time, of the full run"] == "0.70"
    assert pruned["relevant found"] == "0.75"


def test_a_way_is_taken(monkeypatch):
    """A fit with the way's settings on the draw of the trial, and what it selects."""
    monkeypatch.setattr(shortcuts, "_ROWS", 60)
    monkeypatch.setattr(shortcuts, "_COLUMNS", 20)
    monkeypatch.setattr(shortcuts, "_SELECTED", 5)
    monkeypatch.setitem(shortcuts.WAYS, "full", {"prune": False, "steps": 10, "n_restarts": 4})
    values = shortcuts.take_way(Trial("Reg", "full", 0))
    assert len(values["selected"]) == 5
    assert 0 <= values["found"] <= 1
    assert values["seconds"] > 0


def test_a_draw_of_a_real_set_is_a_part_of_its_rows(microarray):
    """Each draw has other rows, and all ways of a draw the same."""
    X, y = microarray("colon")
    folder = os.environ.get("SNELFS_DATA", str(SHARED_DATA))
    first = shortcuts._sample(Trial("colon", "full", 0), folder)
    again = shortcuts._sample(Trial("colon", "pruned", 0), folder)
    np.testing.assert_array_equal(first[0], again[0])
    assert first[0].shape == (4 * len(y) // 5, X.shape[1])
