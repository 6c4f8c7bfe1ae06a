"""Trials side by side in processes of this machine, each of which keeps to one thread."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager

from snelfs.evaluation.trials import Trial, Values

# Seconds that a process without work stays. Not joblib's own number, so that nobody else is given processes
# of one thread, nor we those of somebody else.
IDLE_SECONDS = 20


def computed(
    compute: Callable[[Trial], Values], trials: Sequence[Trial], jobs: int
) -> Iterator[tuple[Trial, Values]]:
    """Yield every trial with its values as soon as it has ended; the first error ends all.

    Parameters
    ----------
    compute : callable
        Takes a trial and returns its values; with several jobs it must be picklable.
    jobs : int
        Processes side by side; 1 is this process itself.

    Examples
    --------
    >>> trials = [Trial("", "mrmr", 3)]
    >>> [values["square"] for _, values in computed(lambda trial: {"square": trial.seed**2}, trials, 1)]
    [9]
    """
    if jobs == 1:
        yield from ((trial, timed(compute, trial)) for trial in trials)
    else:
        yield from _side_by_side(compute, trials, jobs)


def _side_by_side(
    compute: Callable[[Trial], Values], trials: Sequence[Trial], jobs: int
) -> Iterator[tuple[Trial, Values]]:
    from joblib import Parallel, delayed, parallel_config

    with parallel_config("loky", inner_max_num_threads=1, idle_worker_timeout=IDLE_SECONDS):
        processes = Parallel(jobs, return_as="generator_unordered", batch_size=1)
    with one_thread_a_process(), _quiet_tracker():
        found = processes(delayed(_with_trial)(compute, trial) for trial in trials)
        try:
            while (result := next(found, None)) is not None:
                yield result
        except BrokenProcessPool:
            raise ValueError(
                "A process ended in the middle of its work, perhaps for want of memory: fewer jobs need less."
            ) from None
        finally:
            with warnings.catch_warnings():
                # It warns of work given up, which is meant: whoever asked for it listens no more.
                warnings.simplefilter("ignore")
                found.close()


def _with_trial(compute: Callable[[Trial], Values], trial: Trial) -> tuple[Trial, Values]:
    return trial, timed(compute, trial)


def timed(compute: Callable[[Trial], Values], trial: Trial) -> Values:
    """Return the values of a trial and the seconds that all of it took."""
    started = time.perf_counter()
    values = compute(trial)
    return {**values, "total_seconds": round(time.perf_counter() - started, 3)}


def one_thread_a_process() -> AbstractContextManager[None]:
    """Let the numerical libraries of every process started inside keep to one thread."""
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS", "NPROC")
    flags = os.environ.get("XLA_FLAGS", "") + " --xla_cpu_multi_thread_eigen=false"
    return _variables(dict.fromkeys(names, "1") | {"XLA_FLAGS": flags})


def _quiet_tracker() -> AbstractContextManager[None]:
    """Let the process that tidies up behind joblib's say nothing of what is gone already.

    On Ctrl-C both remove the same files, and the later one would warn on a user's screen, with the path of a
    source.
    """
    asked = filter(None, [os.environ.get("PYTHONWARNINGS"), "ignore:resource_tracker:UserWarning"])
    return _variables({"PYTHONWARNINGS": ",".join(asked)})


@contextmanager
def _variables(values: dict[str, str]) -> Iterator[None]:
    """Set variables of the environment that processes started inside see."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
