"""Long runs: many independent trials, spread over processes, each with a time limit, none done twice."""

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from snelfs.bench.journal import Journal, Record
from snelfs.bench.processes import Processes
from snelfs.evaluation.trials import Headway, Trial, Values, seconds_left
from snelfs.foundation.checks import ArgumentError, count, positive
from snelfs.foundation.environment import commit
from snelfs.foundation.extras import require


class Pool(Protocol):
    """Where trials are computed; a future is whatever `submit` returns."""

    def places(self) -> int:
        """Return how many trials can be under way at a time; it may change."""

    def submit(self, compute: Callable[[Any], Values], trial: Any) -> Any:
        """Start a trial, and return its future."""

    def first_done(self, running: Collection[Any]) -> Collection[Any]:
        """Wait until one of these futures or more have ended, and return those."""

    def outcome(self, future: Any) -> Values:
        """Return the values of a trial with its status, "done", "failed" or "too slow"."""


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
    scheduler: str | None = None,
    on_progress: Callable[[Headway], None] | None = None,
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
    scheduler : str, optional
        Address of a Dask scheduler, such as "tcp://host:8786", whose workers compute the trials instead of
        processes of this machine; see `snelfs.bench.cluster`.

    Raises
    ------
    ConnectionError
        If no scheduler answers there, or it has no workers, or it is lost on the way.
    """
    count("jobs", jobs, 1)
    show = on_progress or _silent
    positive("time_limit", time_limit)
    total = len(set(trials))
    waiting = dict.fromkeys(open_trials(trials, journal, time_limit))
    known = journal.records()
    with _opened(jobs, time_limit, scheduler) as pool:
        show(Headway(total - len(waiting), total, seconds_left(waiting, known, pool.places()), None))
        for record in _results(compute, list(waiting), journal, pool, time_limit):
            journal.append(record)
            known.append(record)
            del waiting[trial_of(record)]
            left = seconds_left(waiting, known, pool.places())
            show(Headway(total - len(waiting), total, left, record))
    return finished(trials, journal)


def _opened(jobs: int, time_limit: float, scheduler: str | None) -> AbstractContextManager[Pool]:
    """Return the processes of this machine, or those of a cluster."""
    if scheduler is None:
        return Processes(jobs, time_limit, one_thread_each=jobs > 1)
    if jobs > 1:
        raise ArgumentError("jobs", f"must be left out with a scheduler, whose workers set it; got {jobs}.")
    require("distributed", "cluster", "A cluster")
    from snelfs.bench.cluster import Cluster

    return Cluster(scheduler, time_limit)


def _silent(headway: Headway) -> None:
    pass


def finished(trials: Sequence[Trial], journal: Journal) -> list[Record]:
    """Return the records of the given trials, as far as there are any; the later one of a trial counts."""
    latest = {trial_of(record): record for record in journal.records()}
    return [latest[trial] for trial in dict.fromkeys(trials) if trial in latest]


def _results(
    compute: Callable[[Trial], Values],
    trials: Sequence[Trial],
    journal: Journal,
    pool: Pool,
    time_limit: float,
) -> Iterator[Record]:
    hopeless = {
        (record["data"], record["method"])
        for record in journal.records()
        if record["status"] == "too slow" and record["time_limit"] >= time_limit
    }
    about: Values = {"time_limit": time_limit, "commit": commit()}

    def worth_it(trial: Trial) -> bool:
        return (trial.data, trial.method) not in hopeless

    for trial, outcome in outcomes(compute, trials, pool, worth_it):
        if outcome["status"] == "too slow":
            hopeless.add((trial.data, trial.method))
        yield {**trial._asdict(), **about, **outcome}


def outcomes(
    compute: Callable[[Trial], Values],
    trials: Sequence[Trial],
    pool: Pool,
    worth_it: Callable[[Trial], bool] = lambda _: True,
) -> Iterator[tuple[Trial, Values]]:
    """Yield every trial with its values and status as soon as it has ended.

    Parameters
    ----------
    worth_it : callable, optional
        Asked before a trial starts; where it says no, the status is "not tried".
    """
    waiting = list(reversed(trials))
    running: dict[Any, Trial] = {}
    while waiting or running:
        places = max(1, pool.places())
        while waiting and len(running) < places:
            trial = waiting.pop()
            if worth_it(trial):
                running[pool.submit(compute, trial)] = trial
            else:
                yield trial, {"status": "not tried"}
        for future in pool.first_done(running) if running else ():
            trial = running.pop(future)
            yield trial, pool.outcome(future)
