"""The ablation's table: one row a step, means over what all steps have."""

from snelfs.bench.ablation import STEPS, ablation_rows
from snelfs.bench.microarray_tables import collect
from snelfs.search.search import PARTS


def drawn(data, method, success, status="done"):
    return {"data": data, "method": method, "status": status, "success": success, "seconds": 2.0}


def folded(data, method, fold, f1):
    scores = dict.fromkeys(("NB", "SVC", "RF", "kNN"), f1)
    kept = {"status": "done", "scores": scores, "selected": [1], "seconds": 1.0}
    return {"data": data, "method": method, "seed": 0, "fold": fold, **kept}


def test_a_step_has_its_means():
    """Synthetic success by set and over the four; F1 over the folds that every step has."""
    recovered = [drawn(name, step, 0.5) for name in ("Mad", "XOR", "Reg", "Fri") for step in STEPS]
    recovered += [drawn("Mad", "snel", 1.0), drawn("Mad", "snel_rate", None, status="too slow")]
    assessed = [folded("colon", step, 0, 0.8) for step in STEPS]
    assessed += [folded("colon", "snel", 1, 0.2), folded("srbct", "snel", 0, 0.9)]
    rows = ablation_rows(recovered, collect(assessed))
    first = rows[0]
    assert (first["step"], rows[-1]["step"]) == ("SNeL-FS, default", "SNeL-FS, paper settings")
    assert first["Mad"].startswith("0.75")
    assert first["mean of the four"] == "0.562"
    assert first["seconds at 200 x 500"] == "2.0"
    assert (first["colon"], first["mean F1"]) == ("0.800", "0.800")
    assert "srbct" not in first


def test_a_step_without_records_has_empty_cells():
    """A run that was stopped early still has a table."""
    rows = ablation_rows([drawn("Mad", "snel", 1.0)], collect([]))
    assert rows[-1]["Mad"] == rows[-1]["mean of the four"] == rows[-1]["mean F1"] == ""
    assert rows[0]["mean of the four"] == ""


def test_every_part_is_left_out_once_the_layer_too():
    assert {f"snel_without_{part}" for part in PARTS} < set(STEPS)
    assert {"filters_alone", "snel_noise"} < set(STEPS)
