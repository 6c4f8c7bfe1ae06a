"""Processes of this machine that compute trials, each within a time limit."""

import multiprocessing
import multiprocessing.connection
import os
import threading
from collections.abc import Callable, Collection
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from contextlib import nullcontext
from types import TracebackType
from typing import Any

from snelfs.evaluation.processes import one_thread_a_process, timed
from snelfs.evaluation.trials import Values
from snelfs.foundation.extras import require


class Processes:
    """Compute trials side by side in processes that stay from trial to trial.

    Parameters
    ----------
    jobs : int
        Number of processes.
    time_limit : float
        Seconds a single trial may take; its process is ended then, and another one started.
    one_thread_each : bool
        Whether the numerical libraries in each process keep to one thread.
    """

    def __init__(self, jobs: int, time_limit: float, *, one_thread_each: bool) -> None:
        pebble = require("pebble", "bench", "A run of many trials")
        self._jobs = jobs
        self._time_limit = time_limit
        self._environment = one_thread_a_process() if one_thread_each else nullcontext()
        # New processes instead of copies: threads of the numerical libraries do not survive a copy.
        context = multiprocessing.get_context("spawn")
        self._pool = pebble.ProcessPool(jobs, context=context, initializer=_end_with_parent)

    def __enter__(self) -> "Processes":
        self._environment.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self._pool.close()
            else:
                # On Ctrl-C, or when the reader of the results fails, nothing is waited for.
                self._pool.stop()
            self._pool.join()
        finally:
            self._environment.__exit__(kind, error, trace)

    def places(self) -> int:
        """Return how many trials can be under way at a time."""
        return self._jobs

    def submit(self, compute: Callable[[Any], Values], trial: Any) -> Future[Values]:
        """Start a trial, and return what will hold its values."""
        started: Future[Values] = self._pool.schedule(timed, args=[compute, trial], timeout=self._time_limit)
        return started

    def first_done(self, running: Collection[Future[Values]]) -> Collection[Future[Values]]:
        """Wait until one of the trials or more have ended, and return those."""
        return wait(running, return_when=FIRST_COMPLETED).done

    def outcome(self, future: Future[Values]) -> Values:
        """Return the values of a trial, or how it ended otherwise; one under way is waited for."""
        from pebble import ProcessExpired

        try:
            return {"status": "done", **future.result()}
        except CancelledError:
            raise  # whoever gave it up knows why
        except TimeoutError:
            return {"status": "too slow", "total_seconds": self._time_limit}
        except ProcessExpired as error:
            return {"status": "failed", "reason": f"the process ended with code {error.exitcode}"}
        except Exception as error:  # whatever a method raises is its result here
            return {"status": "failed", "reason": f"{type(error).__name__}: {error}"}


def _end_with_parent() -> None:
    """Let this process end as soon as the one that started it does, even in the middle of a trial."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_wait_and_end, args=[parent.sentinel], daemon=True).start()


def _wait_and_end(sentinel: int) -> None:
    multiprocessing.connection.wait([sentinel])
    os._exit(1)
