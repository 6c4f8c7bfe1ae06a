"""One result of many: which trial it is, how long a method took, and how far a run of trials has come."""

import time
import warnings
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

Values = dict[str, Any]


class Trial(NamedTuple):
    """Name one result: a method on a data set, for one draw, or for one repetition and fold."""

    data: str
    method: str
    seed: int
    fold: int = 0


@dataclass(frozen=True)
class Headway:
    """Say how far a run is, and how many seconds the rest will take by what the like took."""

    done: int
    total: int
    seconds_left: float | None
    last: Mapping[str, Any] | None  # the trial and its values


def seconds_left(
    waiting: Collection[Trial], records: Sequence[Mapping[str, Any]], places: int
) -> float | None:
    """Estimate the time of the rest: a trial takes as long as its method did, on the same data if known."""
    seconds: dict[object, list[float]] = defaultdict(list)
    for record in records:
        for group in ((record["data"], record["method"]), record["method"], None):
            seconds[group].append(record.get("total_seconds", 0.0))
    means = {group: sum(values) / len(values) for group, values in seconds.items()}
    if not means:
        return None
    near = (means.get((trial.data, trial.method), means.get(trial.method, means[None])) for trial in waiting)
    return sum(near) / max(1, places)


@contextmanager
def method_clock() -> Iterator[Values]:
    """Time what happens inside, and keep the warnings it gives; both end up in the dict yielded."""
    measured: Values = {}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        started = time.perf_counter()
        yield measured
        measured["seconds"] = round(time.perf_counter() - started, 3)
    if said := sorted({str(warning.message).splitlines()[0][:200] for warning in caught}):
        measured["warnings"] = said
