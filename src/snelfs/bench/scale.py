"""How time and memory of a default fit grow as rows, columns, neurons and restarts double."""

import multiprocessing
import time
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from snelfs import SNeLClassifier
from snelfs.bench.journal import Record, by_data_and_method
from snelfs.datasets import make_madelon
from snelfs.evaluation.trials import Trial, Values

DENSITY = 0.05  # of a sparse table


@dataclass(frozen=True)
class Size:
    """What a fit is given."""

    rows: int = 200
    columns: int = 2000
    dim: int = 30
    restarts: int = 8
    sparse: bool = False

    def __str__(self) -> str:
        kind = f", {DENSITY:.0%} of it not zero" if self.sparse else ""
        return (
            f"{self.rows:,} × {self.columns:,}{kind}, {self.dim} columns selected, {self.restarts} restarts"
        )


# Three doublings each.
AXES: dict[str, list[Size]] = {
    "rows": [Size(rows=6250 * 2**k) for k in range(4)],
    "columns": [Size(columns=12_500 * 2**k) for k in range(4)],
    "dim": [Size(dim=15 * 2**k) for k in range(4)],
    "restarts": [Size(restarts=4 * 2**k) for k in range(4)],
    # Not a growth: a large expression array, and counts of single cells that are large if dense.
    "array": [Size(106, 22_215)],
    "cells": [Size(50_000, 20_000, sparse=True)],
}
MEMORY = Path("/proc/self/status")


def growth_trials(axes: Iterable[str], seeds: int) -> list[Trial]:
    """Return a trial for every size of an axis; the place of the size stands for the method."""
    return [
        Trial(axis, str(place), seed)
        for seed in range(seeds)
        for axis in axes
        for place in range(len(AXES[axis]))
    ]


def measure_fit(trial: Trial) -> Values:
    """Measure time and memory of a fit in a process of its own, after a small fit that loads everything."""
    size = AXES[trial.data][int(trial.method)]
    with multiprocessing.get_context("spawn").Pool(1) as fresh:
        seconds, peak = fresh.apply(_fit, (size, trial.seed))
    return {"seconds": round(seconds, 3), "peak_mib": round(peak, 1)}


def _fit(size: Size, seed: int) -> tuple[float, float]:
    """Return the seconds of a fit, and by how many MiB the memory grew at its peak."""
    warnings.simplefilter("ignore")
    X, y = _table(size, seed)
    SNeLClassifier(2, n_restarts=2, steps=2).fit(X[:50, :20], y[:50])
    selector = SNeLClassifier(size.dim, n_restarts=size.restarts, random_state=seed)
    before = _reset_peak()
    started = time.perf_counter()
    selector.fit(X, y)
    return time.perf_counter() - started, _memory("VmHWM") - before


def _table(size: Size, seed: int) -> tuple[Any, NDArray[Any]]:
    """Return a table of single precision and its classes."""
    if size.sparse:
        return _counts(size, seed)
    X, y, _ = make_madelon(size.rows, size.columns, random_state=seed)
    return X.astype(np.float32), y


def _counts(size: Size, seed: int) -> tuple[Any, NDArray[Any]]:
    """Return sparse counts of two classes, of which the second has ten columns more often."""
    generator = np.random.default_rng(seed)
    filled = int(DENSITY * size.columns)
    columns = generator.integers(0, size.columns, (size.rows, filled), dtype=np.int32)
    y = generator.integers(0, 2, size.rows)
    markers = generator.choice(size.columns, 10, replace=False)
    columns[:, :10] = np.where(
        (y[:, None] == 1) & (generator.random((size.rows, 10)) < 0.5), markers, columns[:, :10]
    )
    counts = 1 + generator.poisson(1, columns.size).astype(np.float32)
    ends = np.arange(0, columns.size + 1, filled)
    X = sparse.csr_array((counts, columns.ravel(), ends), shape=(size.rows, size.columns))
    X.sum_duplicates()
    return X, y


def _reset_peak() -> float:
    """Forget the peak of the process's memory so far, and return the memory it has now, in MiB."""
    Path("/proc/self/clear_refs").write_text("5")
    return _memory("VmRSS")


def _memory(field: str) -> float:
    line = next(line for line in MEMORY.read_text().splitlines() if line.startswith(field))
    return float(line.split()[1]) / 1024


# -- tables -----------------------------------------------------------------------------------------


def growth_rows(records: Sequence[Record]) -> list[dict[str, object]]:
    """Return a row for every size: median seconds and peak memory, and the bytes of X and of a layer."""
    return [
        {"axis": axis, "size": str(size := AXES[axis][int(place)]), **_figures(group), **_bytes(size)}
        for (axis, place), group in by_data_and_method(records).items()
    ]


def _figures(group: Sequence[Record]) -> dict[str, object]:
    done = [record for record in group if record["status"] == "done"]
    if not done:
        return {"seconds": "over the limit", "peak, MiB": ""}
    return {
        "seconds": f"{np.median([record['seconds'] for record in done]):.1f}",
        "peak, MiB": f"{np.median([record['peak_mib'] for record in done]):.0f}",
    }


def _bytes(size: Size) -> dict[str, object]:
    """Return what X and the layer of one restart on all columns would take, in single precision."""
    return {
        "X, MiB": f"{4 * size.rows * size.columns / 2**20:.1f}",
        "W of a restart, MiB": f"{4 * size.dim * size.columns / 2**20:.1f}",
    }


def exponents(records: Sequence[Record]) -> list[dict[str, object]]:
    """Return for every axis the exponents of time and memory, by least squares in logarithms.

    A peak of 0 MiB, which a small fit may show, counts as 1.
    """
    rows: list[dict[str, object]] = []
    for axis in [axis for axis, sizes in AXES.items() if len(sizes) > 1]:
        done = [record for record in records if record["data"] == axis and record["status"] == "done"]
        if len({record["method"] for record in done}) > 1:
            figures = {"exponent of time": "seconds", "exponent of memory": "peak_mib"}
            rows.append({"axis": axis, **{name: _exponent(done, key) for name, key in figures.items()}})
    return rows


def _exponent(records: Sequence[Record], key: str) -> str:
    doublings = [int(record["method"]) for record in records]
    slope = np.polyfit(doublings, np.log2([max(record[key], 1) for record in records]), 1)[0]
    return f"{slope:z.2f}"  # never -0.00, which rounding makes of nothing
