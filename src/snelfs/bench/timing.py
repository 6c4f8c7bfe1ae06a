"""Time things so that they can be compared on a noisy machine: in turns, and as ratios."""

import time
from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray


def time_in_turns(
    candidates: Mapping[str, Callable[[], object]], repetitions: int
) -> dict[str, NDArray[np.float64]]:
    """Return the seconds of every candidate, one for each repetition.

    All take turns in every repetition, so that whatever slows the machine slows them alike. A first turn that
    warms up, and compiles, is not counted.
    """
    seconds: dict[str, list[float]] = {name: [] for name in candidates}
    for candidate in candidates.values():
        candidate()
    for _ in range(repetitions):
        for name, candidate in candidates.items():
            started = time.perf_counter()
            candidate()
            seconds[name].append(time.perf_counter() - started)
    return {name: np.array(times) for name, times in seconds.items()}
