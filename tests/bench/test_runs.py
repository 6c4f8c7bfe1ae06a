"""Long runs: nothing is lost, nothing is done twice, nothing runs forever."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from snelfs.bench.journal import Journal
from snelfs.bench.runs import finished, open_trials, run, slow_last
from snelfs.evaluation.trials import Headway, Trial
from work import crash_on_one, fail_on_one, hang_but_for_quick, square

SETTINGS = {"selected": 3}
TRIALS = [Trial(data, method, seed) for data in "ab" for method in ("quick", "other") for seed in range(3)]

# Work for other processes, which import it from a file of its own; each start leaves a trace.
WORK = """
import os, sys, time
from pathlib import Path
from snelfs.bench.journal import Journal
from snelfs.bench.runs import run
from snelfs.evaluation.trials import Trial

FOLDER = Path(__file__).parent
TRIALS = [Trial("a", method, seed) for method in ("sleep", "other") for seed in range(6)]

def compute(trial):
    (FOLDER / f"{trial.method}-{trial.seed}-{os.getpid()}.trace").touch()
    time.sleep(0.3)
    return {"value": trial.seed}

if __name__ == "__main__":
    run(compute, TRIALS, Journal(FOLDER / "run.jsonl", {}), jobs=2)
"""


@pytest.fixture
def journal(tmp_path):
    return Journal(tmp_path / "run.jsonl", SETTINGS)


@pytest.mark.parametrize("jobs", [1, 2])
def test_every_trial_has_its_record(journal, jobs):
    """Whatever the number of processes, each trial is computed once and the progress ends at the total."""
    seen = []
    records = run(square, TRIALS, journal, jobs=jobs, on_progress=seen.append)
    assert [Trial(*(record[key] for key in Trial._fields)) for record in records] == TRIALS
    assert [record["value"] for record in records] == [trial.seed**2 for trial in TRIALS]
    assert [state.done for state in seen] == list(range(len(TRIALS) + 1))
    assert isinstance(seen[-1], Headway)
    assert seen[0].seconds_left is None
    assert seen[-1].seconds_left == 0


def test_a_second_run_computes_nothing(journal):
    """All is in the journal already: a function that would fail is never called."""
    run(square, TRIALS, journal)
    before = journal.path.read_bytes()
    assert [record["status"] for record in run(fail_on_one, TRIALS, journal)] == ["done"] * len(TRIALS)
    assert journal.path.read_bytes() == before


@pytest.mark.parametrize(
    ("compute", "reason"),
    [(fail_on_one, "ArithmeticError: one is"), (crash_on_one, "the process ended with code 7")],
)
def test_a_failure_is_recorded_and_tried_again(journal, compute, reason):
    """An exception or a crash of one trial stops no other, and a later run tries it again."""
    statuses = {record["seed"]: record for record in run(compute, TRIALS[:3], journal)}
    assert {seed: record["status"] for seed, record in statuses.items()} == {
        0: "done",
        1: "failed",
        2: "done",
    }
    assert statuses[1]["reason"].startswith(reason)
    assert open_trials(TRIALS[:3], journal, 600) == [TRIALS[1]]
    assert [record["status"] for record in run(square, TRIALS[:3], journal)] == ["done"] * 3


def test_a_trial_over_its_time_ends_and_its_like_are_not_tried(journal):
    """The limit ends a hanging trial; others of its method on the same data would take as long."""
    started = time.monotonic()
    records = run(hang_but_for_quick, TRIALS, journal, jobs=1, time_limit=1.0)
    assert time.monotonic() - started < 60
    found = {(record["data"], record["method"]): [] for record in records}
    for record in records:
        found[record["data"], record["method"]].append(record["status"])
    assert found["a", "quick"] == found["b", "quick"] == ["done"] * 3
    assert found["a", "other"] == found["b", "other"] == ["too slow", "not tried", "not tried"]
    assert open_trials(TRIALS, journal, 1.0) == []
    assert len(open_trials(TRIALS, journal, 5.0)) == 6, "more time is a reason to try again"


def test_a_killed_run_goes_on(tmp_path):
    """After SIGKILL in the middle, the next run starts no finished trial again and keeps every record."""
    script = tmp_path / "work.py"
    script.write_text(WORK)
    journal = tmp_path / "run.jsonl"
    with subprocess.Popen([sys.executable, script], start_new_session=True) as process:
        deadline = time.monotonic() + 120
        while len(_lines(journal)) < 5 and time.monotonic() < deadline:
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGKILL)
    kept = _lines(journal)
    assert 5 <= len(kept) < 13, "it was killed in the middle"
    subprocess.run([sys.executable, script], check=True)
    assert _lines(journal)[: len(kept)] == kept
    records = Journal(journal, {}).records()
    assert sorted((record["method"], record["seed"]) for record in records) == sorted(
        (method, seed) for method in ("sleep", "other") for seed in range(6)
    )
    started_once = {f"{record['method']}-{record['seed']}" for record in records[: len(kept) - 1]}
    for name in started_once:
        assert len(list(tmp_path.glob(f"{name}-*.trace"))) == 1, f"{name} was computed again"


def test_workers_do_not_outlive_their_run(tmp_path):
    """If only the parent is killed, its processes end at once, in the middle of a long trial."""
    script = tmp_path / "work.py"
    script.write_text(WORK.replace("time.sleep(0.3)", "time.sleep(600)"))
    process = subprocess.Popen([sys.executable, script])
    deadline = time.monotonic() + 120
    while not (traces := list(tmp_path.glob("*.trace"))) and time.monotonic() < deadline:
        time.sleep(0.02)
    process.kill()
    process.wait()
    workers = {int(trace.stem.split("-")[-1]) for trace in traces}
    assert workers
    while any(map(_is_alive, workers)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not any(map(_is_alive, workers))


def _lines(path):
    return path.read_text().splitlines() if path.exists() else []


def _is_alive(pid):
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def test_slow_methods_come_last_and_change_the_data():
    """If the first fold of a set shows that it takes too long, no other fold has started meanwhile."""
    order = slow_last(TRIALS, {"quick"})
    assert [trial.method for trial in order] == ["other"] * 6 + ["quick"] * 6
    assert [(trial.data, trial.seed) for trial in order[6:]] == [(d, s) for s in range(3) for d in "ab"]


def test_finished_takes_the_later_record(journal):
    """A trial that failed and then worked counts as done."""
    for status in ("failed", "done"):
        journal.append({**TRIALS[0]._asdict(), "status": status})
    assert [record["status"] for record in finished(TRIALS, journal)] == ["done"]


@pytest.mark.parametrize(("argument", "value"), [("jobs", 0), ("time_limit", 0.0)])
def test_a_bad_argument_is_named(journal, argument, value):
    """Nothing starts with a number of processes or seconds that makes no sense."""
    with pytest.raises(ValueError, match=f"{argument} must be"):
        run(square, TRIALS, journal, **{argument: value})
