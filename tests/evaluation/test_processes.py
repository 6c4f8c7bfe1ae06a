"""Trials side by side: each process has one thread, and none outlives an error or Ctrl-C."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from snelfs.evaluation.processes import computed
from snelfs.evaluation.trials import Trial

TRIALS = [Trial("", "any", seed) for seed in range(5)]

# A run of two processes that are busy for long, each of which leaves a trace.
WORK = """
import os, time
from pathlib import Path
from snelfs.evaluation.processes import computed
from snelfs.evaluation.trials import Trial

def compute(trial):
    (Path(__file__).parent / f"{os.getpid()}.trace").touch()
    time.sleep(600)

if __name__ == "__main__":
    list(computed(compute, [Trial("", "any", seed) for seed in range(4)], jobs=2))
"""


def surroundings(trial):
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NPROC", "XLA_FLAGS")
    return {"seed": trial.seed, "process": os.getpid(), **{name: os.environ.get(name) for name in names}}


def end_as_told(trial):
    if trial.seed == 3:
        raise ArithmeticError("three is not allowed")
    if trial.seed == 4:
        os._exit(7)
    return {}


def test_every_trial_comes_back_from_processes_of_one_thread():
    """The numerical libraries are told so before they are loaded; this process stays as it was."""
    before = dict(os.environ)
    found = dict(computed(surroundings, TRIALS, jobs=2))
    assert [found[trial]["seed"] for trial in TRIALS] == list(range(5))
    for values in found.values():
        assert values["process"] != os.getpid()
        assert {values[name] for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NPROC")} == {"1"}
        assert "--xla_cpu_multi_thread_eigen=false" in values["XLA_FLAGS"]
        assert values["total_seconds"] >= 0
    assert dict(os.environ) == before


def test_one_job_is_this_process():
    assert [values["process"] for _, values in computed(surroundings, TRIALS, jobs=1)] == [os.getpid()] * 5


def test_an_error_in_a_process_is_raised_here():
    with pytest.raises(ArithmeticError, match="three is not allowed"):
        list(computed(end_as_told, TRIALS[:4], jobs=2))


def test_a_process_that_dies_is_told_in_a_sentence():
    with pytest.raises(
        ValueError, match=r"^A process ended in the middle of its work, .* fewer jobs need less\.$"
    ):
        list(computed(end_as_told, TRIALS[4:], jobs=2))


def test_whoever_listens_no_more_gives_the_rest_up():
    """Without a warning, and with the environment as it was."""
    before = dict(os.environ)
    running = computed(surroundings, TRIALS, jobs=2)
    next(running)
    running.close()
    assert dict(os.environ) == before


def test_control_c_ends_all_processes(tmp_path):
    """Even where it reaches the first one alone, in the middle of long trials."""
    script = tmp_path / "work.py"
    script.write_text(WORK)
    process = subprocess.Popen([sys.executable, script], stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while len(traces := list(tmp_path.glob("*.trace"))) < 2 and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert process.returncode != 0
    assert said.rstrip().endswith("KeyboardInterrupt")
    assert len(traces) == 2
    while any(is_alive(trace.stem) for trace in traces) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(is_alive(trace.stem) for trace in traces)


def is_alive(process):
    try:
        return "\nState:\tZ" not in Path(f"/proc/{process}/status").read_text()
    except OSError:
        return False
