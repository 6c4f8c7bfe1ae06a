"""Long runs: many independent trials, spread over processes, each with a time limit, none done twice."""

import multiprocessing
import multiprocessing.connection
import os
import threading
import time
import warnings
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

from snelfs.arguments import count, positive
from snelfs.records import Journal, Record, commit

Values = dict[str, Any]


class Trial(NamedTuple):
    """Name one result: a method on a data set, for one draw, or for one repetition and fold."""

    data: str
    method: str
    seed: int
    fold: int = 0


@dataclass(frozen=True)
class Progress:
    """Say how far a run is, and how many seconds the rest will take by what the like took."""

    done: int
    total: int
    seconds_left: float | None
    last: Record | None


def trial_of(record: Record) -> Trial:
    """Return which trial a record is about."""
    return Trial(*(record[field] for field in Trial._fields))


def slow_last(trials: Sequence[Trial], slow: Collection[str]) -> list[Trial]:
    """Return the trials with those of slow methods at the end, so that a table soon stands.

    The slow ones change the data set with every trial: where one runs out of time, its like, which are
    then not tried, are not yet under way.
    """
    quick = [trial for trial in trials if trial.method not in slow]
    rest = [trial for trial in trials if trial.method in slow]
    return quick + sorted(rest, key=lambda trial: (trial.seed, trial.fold))


def open_trials(trials: Sequence[Trial], journal: Journal, time_limit: float) -> list[Trial]:
    """Return the trials that still need computing.

    A failed trial is tried again. One that ran out of time is tried again only if it may now take longer, and
    no trial starts whose method ran out of time on the same data: the others would take as long.
    """
    settled = {trial_of(record) for record in journal.records() if _is_settled(record, time_limit)}
    return [trial for trial in dict.fromkeys(trials) if trial not in settled]


def _is_settled(record: Record, time_limit: float) -> bool:
    if record["status"] in ("too slow", "not tried"):
        return bool(record["time_limit"] >= time_limit)
    return bool(record["status"] == "done")


def run(
    compute: Callable[[Trial], Values],
    trials: Sequence[Trial],
    journal: Journal,
    *,
    jobs: int = 1,
    time_limit: float = 600.0,
    on_progress: Callable[[Progress], None] | None = None,
) -> list[Record]:
    """Compute all trials that the journal lacks and return the records of all.

    Parameters
    ----------
    compute : callable
        Takes a trial and returns its values; must be picklable, as it runs in other processes.
    trials : sequence of Trial
        In the order of work.
    jobs : int, default=1
        Number of processes. With more than one, each keeps to one thread: side by side they use the
        machine better than they would with threads of their own.
    time_limit : float, default=600
        Seconds a single trial may take; it is ended then and recorded as too slow.
    """
    count("jobs", jobs, 1)
    show = on_progress or _silent
    positive("time_limit", time_limit)
    total = len(set(trials))
    waiting = dict.fromkeys(open_trials(trials, journal, time_limit))
    known = journal.records()
    show(Progress(total - len(waiting), total, _seconds_left(waiting, known, jobs), None))
    for record in _results(compute, list(waiting), journal, jobs, time_limit):
        journal.append(record)
        known.append(record)
        del waiting[trial_of(record)]
        show(Progress(total - len(waiting), total, _seconds_left(waiting, known, jobs), record))
    return finished(trials, journal)


def _silent(progress: Progress) -> None:
    pass


def finished(trials: Sequence[Trial], journal: Journal) -> list[Record]:
    """Return the records of the given trials, as far as there are any; the later one of a trial counts."""
    latest = {trial_of(record): record for record in journal.records()}
    return [latest[trial] for trial in dict.fromkeys(trials) if trial in latest]


def _seconds_left(waiting: Collection[Trial], records: Sequence[Record], jobs: int) -> float | None:
    """Estimate the time of the rest: a trial takes as long as its method did, on the same data if known."""
    seconds: dict[object, list[float]] = defaultdict(list)
    for record in records:
        for group in ((record["data"], record["method"]), record["method"], None):
            seconds[group].append(record.get("total_seconds", 0.0))
    means = {group: sum(values) / len(values) for group, values in seconds.items()}
    if not means:
        return None
    near = (means.get((trial.data, trial.method), means.get(trial.method, means[None])) for trial in waiting)
    return sum(near) / jobs


def _results(
    compute: Callable[[Trial], Values],
    trials: Sequence[Trial],
    journal: Journal,
    jobs: int,
    time_limit: float,
) -> Iterator[Record]:
    try:
        from pebble import ProcessPool
    except ModuleNotFoundError:
        raise ImportError("Benchmarks need the extra 'bench': pip install 'snelfs[bench]'.") from None

    hopeless = {
        (record["data"], record["method"])
        for record in journal.records()
        if record["status"] == "too slow" and record["time_limit"] >= time_limit
    }
    about: Values = {"time_limit": time_limit, "commit": commit()}
    waiting = list(reversed(trials))
    running: dict[Future[Values], Trial] = {}
    # New processes instead of copies: threads of the numerical libraries do not survive a copy.
    context = multiprocessing.get_context("spawn")
    with _threads_for(jobs), ProcessPool(jobs, context=context, initializer=_end_with_parent) as pool:
        try:
            while waiting or running:
                while waiting and len(running) < jobs:
                    trial = waiting.pop()
                    if (trial.data, trial.method) in hopeless:
                        yield {**trial._asdict(), "status": "not tried", **about}
                        continue
                    running[pool.schedule(_timed, args=[compute, trial], timeout=time_limit)] = trial
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    trial = running.pop(future)
                    outcome = _outcome(future, time_limit)
                    if outcome["status"] == "too slow":
                        hopeless.add((trial.data, trial.method))
                    yield {**trial._asdict(), **outcome, **about}
        except BaseException:
            pool.stop()  # type: ignore[no-untyped-call] # on Ctrl-C, or when the reader of these results fails, nothing is waited for
            raise


def _end_with_parent() -> None:
    """Let this process end as soon as the one that started it does, even in the middle of a trial."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_wait_and_end, args=[parent.sentinel], daemon=True).start()


def _wait_and_end(sentinel: int) -> None:
    multiprocessing.connection.wait([sentinel])
    os._exit(1)


def _outcome(future: Any, time_limit: float) -> Values:
    """Return the values of a finished trial, or how it ended otherwise."""
    from pebble import ProcessExpired

    try:
        return {"status": "done", **future.result()}
    except TimeoutError:
        return {"status": "too slow", "total_seconds": time_limit}
    except ProcessExpired as error:
        return {"status": "failed", "reason": f"the process ended with code {error.exitcode}"}
    except Exception as error:  # whatever a method raises is its result here
        return {"status": "failed", "reason": f"{type(error).__name__}: {error}"}


def _timed(compute: Callable[[Trial], Values], trial: Trial) -> Values:
    started = time.perf_counter()
    values = compute(trial)
    return {**values, "total_seconds": round(time.perf_counter() - started, 3)}


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


@contextmanager
def _threads_for(jobs: int) -> Iterator[None]:
    """Let every process started inside keep to one thread, if there are several."""
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS", "NPROC")
    single = dict.fromkeys(names, "1") if jobs > 1 else {}
    if single:
        single["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_cpu_multi_thread_eigen=false"
    before = {name: os.environ.get(name) for name in single}
    os.environ.update(single)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
