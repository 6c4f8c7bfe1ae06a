"""A Dask cluster that computes trials as processes of one machine do."""

import multiprocessing
import platform
import socket
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager, suppress
from types import TracebackType
from typing import Any
from uuid import uuid4

import cloudpickle
from distributed import Client, Future, KilledWorker, Reschedule, Worker, WorkerPlugin, get_worker, wait
from distributed.comm.addressing import get_address_host_port

from snelfs.bench.processes import Processes
from snelfs.evaluation.trials import Values
from snelfs.foundation.environment import commit

# Seconds until an address without an answer is given up, and a scheduler that is there but says nothing or
# has no workers.
PATIENCE = 5.0
LONG_PATIENCE = 20.0


class Cluster:
    """Compute trials on the workers of a Dask cluster.

    Every thread of a worker has one trial at a time, and computes it in a process beside the worker that
    keeps to one thread and stays from trial to trial. So a trial over its time limit is ended as it is on one
    machine, and a crash takes no worker with it. The trials of a lost worker are done again by others.

    Parameters
    ----------
    address : str
        Of the scheduler, such as "tcp://host:8786".
    time_limit : float
        Seconds a single trial may take.
    """

    def __init__(self, address: str, time_limit: float) -> None:
        self._address = address
        self._trials = _Trials(time_limit)
        self._client: Client
        self._under_way: set[Future[Values]] = set()
        self._lost = False

    def __enter__(self) -> "Cluster":
        try:
            _knock(self._address)
            self._client = Client(self._address, timeout=LONG_PATIENCE, set_as_default=False)
        except (OSError, ValueError, OverflowError) as error:
            raise ConnectionError(
                f"No Dask scheduler answers at {self._address!r}: start one by 'dask scheduler' and name the "
                "address it prints, such as tcp://host:8786."
            ) from error
        try:
            self._meet_workers()
        except BaseException:
            self._client.close()
            raise
        return self

    def _meet_workers(self) -> None:
        try:
            self._client.wait_for_workers(1, timeout=LONG_PATIENCE)
        except TimeoutError as error:
            raise ConnectionError(
                f"The scheduler at {self._address} has no workers: start some by "
                f"'dask worker {self._address}'."
            ) from error
        try:
            self._client.register_plugin(self._trials, name=self._trials.name)
        except Exception as error:  # whatever a worker lacks
            raise self._unable(error) from error

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self._lost:
            # A worker may be lost in this moment; its processes end with it.
            with suppress(Exception):
                self._client.cancel(list(self._under_way))
                self._client.unregister_worker_plugin(self._trials.name)
        self._client.close()

    def places(self) -> int:
        """Return how many threads all workers have at present."""
        with self._connected():
            return sum(self._client.nthreads().values())

    def submit(self, compute: Callable[[Any], Values], trial: Any) -> "Future[Values]":
        """Send a trial to the scheduler, and return what will hold its outcome."""
        # In pickled form up to the process that needs it: a worker loads no numerical library by itself.
        work = cloudpickle.dumps(compute)
        with self._connected():
            future = self._client.submit(_on_worker, self._trials.name, work, trial, pure=False)
        self._under_way.add(future)
        return future

    def first_done(self, running: Collection["Future[Values]"]) -> Collection["Future[Values]"]:
        """Wait until one of the trials or more have ended, and return those."""
        with self._connected(), self._client.as_current():
            return set(wait(list(running), return_when="FIRST_COMPLETED").done)

    def outcome(self, future: "Future[Values]") -> Values:
        """Return the values of a trial, or how it ended otherwise."""
        with self._connected():
            error = future.exception()
            self._under_way.discard(future)
            if error is None:
                return future.result()
        if isinstance(error, KilledWorker):
            lost = error.allowed_failures + 1
            return {"status": "failed", "reason": f"{lost} workers in turn were lost with this trial"}
        raise self._unable(error)

    @contextmanager
    def _connected(self) -> Iterator[None]:
        """Say in one sentence that the scheduler was lost."""
        try:
            yield
        except (OSError, CancelledError) as error:
            self._lost = True
            raise ConnectionError(
                f"The scheduler at {self._address} was lost: when it is back, the same run goes on."
            ) from error

    def _unable(self, error: BaseException) -> ConnectionError:
        said = f"The workers of {self._address} cannot compute trials: {type(error).__name__}: {error}"
        return ConnectionError(said)


def _knock(address: str) -> None:
    """Raise an OSError soon if nobody listens at an address; Dask itself would try again and again."""
    host, port = get_address_host_port(address)
    socket.create_connection((host, port), timeout=PATIENCE).close()


class _Trials(WorkerPlugin):
    """What one run leaves with every worker while it lasts: the processes for its trials."""

    def __init__(self, time_limit: float) -> None:
        self.name = f"snelfs-{uuid4().hex}"
        self._time_limit = time_limit

    def setup(self, worker: Worker) -> None:
        # A worker under a nanny is marked as a daemon, which may not start processes. Ours end with it.
        multiprocessing.current_process().daemon = False
        self._origin = {"commit": commit(), "host": platform.node()}
        self._running: set[Any] = set()
        self._open = ExitStack()
        self._processes = self._open.enter_context(
            Processes(worker.state.nthreads, self._time_limit, one_thread_each=True)
        )

    def teardown(self, worker: Worker) -> None:  # noqa: ARG002 # Dask passes it by this name
        for future in list(self._running):
            future.cancel()
        self._open.close()

    def compute(self, work: bytes, trial: Any) -> Values:
        future = self._processes.submit(_Unpickled(work), trial)
        self._running.add(future)
        try:
            return {**self._processes.outcome(future), **self._origin}
        except CancelledError:
            raise Reschedule from None  # this worker is being shut down, another one begins anew
        finally:
            self._running.discard(future)


def _on_worker(plugin: str, work: bytes, trial: Any) -> Values:
    trials = get_worker().plugins[plugin]
    assert isinstance(trials, _Trials)
    return trials.compute(work, trial)


class _Unpickled:
    """A function in pickled form, that is unpickled when it is called."""

    def __init__(self, content: bytes) -> None:
        self._content = content

    def __call__(self, trial: Any) -> Values:
        values: Values = cloudpickle.loads(self._content)(trial)
        return values
