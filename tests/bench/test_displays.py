"""Plots of benchmarks call methods by their titles and know which are ours."""

from pathlib import Path

import pytest

from snelfs.bench.displays import benchmark_display, stability_display

RESULTS = Path(__file__).parents[2] / "results"


def test_the_stability_of_records_is_sorted():
    """The steadiest method comes first; those with a single sample have no index."""
    records = [
        {"data": "colon", "method": method, "status": status, "selected": selected, "columns": 6}
        for method, status, selected in [
            ("f_score", "done", [0, 1]),
            ("f_score", "done", [2, 3]),
            ("snel", "done", [0, 1]),
            ("snel", "done", [0, 1]),
            ("lassonet", "too slow", []),
        ]
    ]
    display = stability_display(records, "colon")
    assert display.names == ["SNeL-FS, default", "F score"]
    assert display.ours == [True, False]
    assert display.plot().get_title("left") == "colon"
    with pytest.raises(ValueError, match="data must be 'colon', got 'lung'"):
        stability_display(records, "lung")
    with pytest.raises(
        ValueError, match="no method has two finished samples of 'colon', which its stability"
    ):
        stability_display(records[-1:], "colon")


@pytest.mark.parametrize("name", ["synthetic", "microarray"])
def test_a_table_of_results_becomes_a_plot(name):
    """Ours are in colour, and rivals are not; some methods alone can be asked for."""
    display = benchmark_display(RESULTS / f"{name}.csv")
    colours = dict(zip(display.methods, display.ours, strict=True))
    assert colours["SNeL-FS, paper settings"]
    assert not colours["F score"]
    assert benchmark_display(RESULTS / f"{name}.csv", methods=["mrmr"]).methods == ["mRMR"]
