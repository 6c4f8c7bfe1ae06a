"""How soon a fit computes in a new process: without compiled programs on disk, and with them."""

import os
import subprocess
import sys
import tempfile

import numpy as np

from snelfs.foundation.checks import count

# Everything is imported and the data are there; what is timed is `fit` until its first epochs are done.
_PROGRAM = """
import time
from snelfs import SNeLClassifier
from snelfs.datasets import make_madelon
from snelfs.estimators.interface import fit_watched

class Computing(Exception):
    pass

def first_report(*_):
    raise Computing

X, y, _ = make_madelon({rows}, {columns}, random_state=0)
selector = SNeLClassifier(15, random_state=0)
started = time.perf_counter()
try:
    fit_watched(selector, X, y, first_report)
except Computing:
    print(time.perf_counter() - started)
"""


def seconds_to_compute(rows: int = 200, columns: int = 500, repetitions: int = 5) -> dict[str, float]:
    """Return the median seconds from the call of `fit` to its first epochs, in new processes.

    "first" is with an empty folder of programs, "second" with what the first left there.
    """
    count("repetitions", repetitions, 1)
    seconds: dict[str, list[float]] = {"first": [], "second": []}
    for _ in range(repetitions):
        with tempfile.TemporaryDirectory() as folder:
            for times in seconds.values():
                times.append(_start(rows, columns, folder))
    return {which: float(np.median(times)) for which, times in seconds.items()}


def _start(rows: int, columns: int, folder: str) -> float:
    """Return the seconds of one new process whose compiled programs are in a folder."""
    shown = subprocess.run(
        [sys.executable, "-c", _PROGRAM.format(rows=rows, columns=columns)],
        env=os.environ | {"SNELFS_CACHE": folder},
        capture_output=True,
        text=True,
        check=True,
    )
    return float(shown.stdout)
