"""The plots of what benchmarks recorded and wrote: methods by their titles, ours in colour."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from snelfs.bench.journal import Record, by_data_and_method
from snelfs.bench.methods import TITLES, is_ours
from snelfs.foundation.checks import choice
from snelfs.plots import BenchmarkDisplay, StabilityDisplay
from snelfs.search.stability import selection_matrix


def benchmark_display(path: str | Path, **options: Any) -> BenchmarkDisplay:
    """Return the plot of a table that `snelfs bench synthetic` or `microarray` wrote.

    Parameters
    ----------
    **options
        As `BenchmarkDisplay.from_rows` takes them.
    """
    ours = [method for method in TITLES if is_ours(method)]
    return BenchmarkDisplay.from_csv(path, **{"titles": TITLES, "ours": ours} | options)


def stability_display(records: Iterable[Record], data: str) -> StabilityDisplay:
    """Return the plot of one data set from the records of `snelfs bench stability`."""
    groups = by_data_and_method(list(records))
    choice("data", data, {name for name, _ in groups})
    chosen = {}
    for (name, method), group in groups.items():
        done = [record for record in group if record["status"] == "done"]
        if name == data and len(done) > 1:
            chosen[method] = selection_matrix([record["selected"] for record in done], done[0]["columns"])
    if not chosen:
        raise ValueError(f"no method has two finished samples of {data!r}, which its stability needs.")
    titles = {method: TITLES.get(method, method) for method in chosen}
    return StabilityDisplay.from_selections(
        {titles[method]: table for method, table in chosen.items()},
        ours=[title for method, title in titles.items() if is_ours(method)],
        title=data,
    )
