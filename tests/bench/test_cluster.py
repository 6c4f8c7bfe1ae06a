"""A cluster of other processes gives what this machine alone gives, whatever becomes of its workers."""

import json
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import cloudpickle
import joblib
import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_validate
from typer.testing import CliRunner

import snelfs.bench.cluster
from snelfs import SNeLClassifier
from snelfs.bench.journal import Journal
from snelfs.bench.runs import finished, run
from snelfs.bench.synthetic import recover, recovery_trials
from snelfs.cli.app import app
from snelfs.datasets import microarray_facts
from snelfs.evaluation.trials import Trial
from work import end_as_told, hang, hang_on_the_victim, wait_for_the_first

RUNNER = CliRunner()
LONG = 120  # seconds that a loaded machine may need to start a process or two
NOWHERE = "tcp://127.0.0.1:9"  # the port of "discard", where no Dask scheduler listens


class Dask:
    """A scheduler and workers, each a process of its own."""

    def __init__(self, folder):
        self.folder = folder
        self.file = folder / "scheduler.json"
        self.processes = []
        self.scheduler = self.start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-show")
        self.address = json.loads(wait_for(self.file))["address"]

    def start(self, kind, *options):
        command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", "--scheduler-file", self.file]
        with (self.folder / "log").open("a") as log:
            process = subprocess.Popen([*command, "--no-dashboard", *options], stdout=log, stderr=log)
        self.processes.append(process)
        return process

    def start_worker(self):
        return self.start("worker", "--nthreads", "1", "--no-nanny", "--host", "127.0.0.1")

    def wait_for_workers(self, number):
        with snelfs.bench.cluster.Client(self.address, timeout=LONG, set_as_default=False) as client:
            client.wait_for_workers(number, timeout=LONG)

    def stop(self):
        for process in reversed(self.processes):
            process.terminate()
        for process in self.processes:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def wait_for(path):
    """Return the text of a file that another process is going to write."""
    deadline = time.monotonic() + LONG
    while not (path.exists() and path.read_text()):
        assert time.monotonic() < deadline, f"{path} never came"
        time.sleep(0.05)
    return path.read_text()


@pytest.fixture(scope="module")
def dask(tmp_path_factory):
    """Two workers that cannot import the work: it comes to them by value."""
    cloudpickle.register_pickle_by_value(sys.modules["work"])
    cluster = Dask(tmp_path_factory.mktemp("dask"))
    try:
        cluster.start_worker(), cluster.start_worker()
        cluster.wait_for_workers(2)
        yield cluster
    finally:
        cluster.stop()
        cloudpickle.unregister_pickle_by_value(sys.modules["work"])


@pytest.fixture
def journal(tmp_path):
    return Journal(tmp_path / "run.jsonl", {})


def but_for_time_and_place(records):
    varying = ("seconds", "total_seconds", "commit", "host")
    return [{key: value for key, value in record.items() if key not in varying} for record in records]


# -- trials -----------------------------------------------------------------------------------------


def test_records_are_those_of_one_machine(dask, journal, tmp_path):
    """Values, failures and crashes are recorded alike, and where they were computed on top."""
    trials = [Trial("a", method, seed) for seed, method in enumerate(("works", "works", "fails", "crashes"))]
    there = run(end_as_told, trials, journal, scheduler=dask.address)
    here = run(end_as_told, trials, Journal(tmp_path / "here.jsonl", {}), jobs=2)
    assert but_for_time_and_place(there) == but_for_time_and_place(here)
    assert [record["status"] for record in there] == ["done"] * 2 + ["failed"] * 2
    assert [record["commit"] for record in there] == [record["commit"] for record in here]
    assert all(record["host"] for record in there)


def test_a_trial_over_its_time_ends_and_its_like_are_not_tried(dask, journal):
    """The worker ends its process: the two under way are too slow, and the third does not start."""
    trials = [Trial("a", "hangs", seed) for seed in range(3)]
    records = run(hang, trials, journal, time_limit=1.0, scheduler=dask.address)
    assert [record["status"] for record in records] == ["too slow", "too slow", "not tried"]


def test_results_are_recorded_as_they_come(dask, journal, tmp_path):
    """The first record is in the journal while the second trial is still under way."""
    recorded = []

    def look(progress):
        recorded.append([record["seed"] for record in journal.records()])
        if progress.done == 1:
            (tmp_path / "seen").touch()

    trials = [Trial(str(tmp_path), "waits", seed) for seed in range(2)]
    run(wait_for_the_first, trials, journal, scheduler=dask.address, on_progress=look)
    assert recorded == [[], [0], [0, 1]]


def test_a_killed_worker_loses_nothing(dask, journal, tmp_path):
    """Its trial is done again by another, every trial has one record, and no process stays behind."""
    victim = dask.start_worker()
    dask.wait_for_workers(3)
    (tmp_path / "victim").write_text(str(victim.pid))

    def kill_when_caught():
        wait_for(tmp_path / "caught")
        victim.send_signal(signal.SIGKILL)

    killer = threading.Thread(target=kill_when_caught)
    killer.start()
    trials = [Trial(str(tmp_path), "works", seed) for seed in range(8)]
    records = run(hang_on_the_victim, trials, journal, scheduler=dask.address)
    killer.join()
    assert victim.wait() == -signal.SIGKILL
    assert [(record["status"], record["value"]) for record in records] == [("done", n) for n in range(8)]
    assert sorted(record["seed"] for record in journal.records()) == list(range(8))
    deadline = time.monotonic() + LONG
    while is_alive(int((tmp_path / "caught").read_text())) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not is_alive(int((tmp_path / "caught").read_text()))


def is_alive(pid):
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def test_a_lost_scheduler_is_named(journal, tmp_path):
    """The run ends with one sentence and keeps what it has."""
    dask = Dask(tmp_path)
    try:
        dask.start_worker()

        def kill_after_the_first(progress):
            if progress.done == 1:
                dask.scheduler.kill()

        trials = [Trial("a", "works", seed) for seed in range(3)]
        with pytest.raises(ConnectionError, match=f"{dask.address} was lost"):
            run(end_as_told, trials, journal, scheduler=dask.address, on_progress=kill_after_the_first)
    finally:
        dask.stop()
    assert [record["seed"] for record in journal.records()] == [0]


def test_a_scheduler_without_workers_is_named(dask, journal, monkeypatch):
    """Nothing is waited for that may never come."""

    def wait_in_vain(*_, **__):
        raise TimeoutError

    monkeypatch.setattr(snelfs.bench.cluster.Client, "wait_for_workers", wait_in_vain)
    with pytest.raises(ConnectionError, match=f"{dask.address} has no workers: start some by 'dask worker"):
        run(end_as_told, [Trial("a", "works", 0)], journal, scheduler=dask.address)


def test_processes_of_this_machine_are_not_asked_for_as_well(journal):
    """The workers say how many trials run side by side."""
    with pytest.raises(ValueError, match=r"jobs must be left out with a scheduler, .* got 2"):
        run(end_as_told, [], journal, jobs=2, scheduler=NOWHERE)


def test_without_its_extra_a_cluster_says_what_to_install(journal, monkeypatch):
    """Everything else works without Dask."""
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.delitem(sys.modules, "snelfs.bench.cluster")
    with pytest.raises(ImportError, match=r"pip install 'snelfs\[cluster\]'"):
        run(end_as_told, [], journal, scheduler=NOWHERE)


# -- the command line -------------------------------------------------------------------------------


def test_bench_synthetic_on_a_cluster(dask, tmp_path):
    """The command records what the methods choose here, and says where they chose it."""
    command = ["bench", "synthetic", "--data", "Reg,XOR", "--methods", "f_score,mrmr", "--seeds", "2"]
    shown = RUNNER.invoke(app, [*command, "--scheduler", dask.address, "--output", str(tmp_path)])
    assert shown.exit_code == 0, shown.output
    trials = recovery_trials(["Reg", "XOR"], ["f_score", "mrmr"], 2, 1, 1)
    there = finished(trials, Journal(tmp_path / "records" / "synthetic.jsonl", {"selected": 15}))
    here = [{**trial._asdict(), "status": "done", "time_limit": 300.0, **recover(trial)} for trial in trials]
    assert but_for_time_and_place(there) == but_for_time_and_place(here)
    assert "computed on a cluster of" in (tmp_path / "synthetic.md").read_text()


def test_bench_stability_finds_the_data_from_elsewhere(dask, tmp_path, monkeypatch):
    """A folder given relative to this process is found by workers that were started in another one."""
    counts = microarray_facts("srbct").class_counts
    y = np.repeat(list(counts), list(counts.values()))
    X = np.random.default_rng(0).standard_normal((83, 2308)).astype(np.float32)
    np.savez(tmp_path / "srbct.npz", X=X, y=y)
    monkeypatch.chdir(tmp_path)
    command = ["bench", "stability", "--data", "srbct", "--methods", "f_score", "--samples", "2"]
    shown = RUNNER.invoke(app, [*command, "--data-home", ".", "--output", ".", "--scheduler", dask.address])
    assert shown.exit_code == 0, shown.output
    assert "| srbct | F score | 2 |" in (tmp_path / "stability.md").read_text()


@pytest.mark.parametrize("command", ["synthetic", "microarray", "ablation", "stability"])
@pytest.mark.parametrize("address", [NOWHERE, "nonsense"])
def test_an_address_without_a_scheduler_is_refused(command, address, tmp_path):
    """One sentence, a non-zero exit, and nothing written."""
    options = ["--data", "Mad" if command == "synthetic" else "colon", "--output", str(tmp_path / "out")]
    shown = RUNNER.invoke(app, ["bench", command, *options, "--scheduler", address])
    assert shown.exit_code == 2
    said = " ".join(shown.output.replace("│", " ").split())
    assert f"No Dask scheduler answers at '{address}': start one by 'dask scheduler'" in said
    assert not (tmp_path / "out").exists()


# -- scikit-learn -----------------------------------------------------------------------------------


@pytest.mark.slow  # each worker compiles for itself
def test_cross_validation_is_spread_by_joblib(dask, table, quick):
    """Folds and candidates are fitted by the workers, and give the scores and models of this machine."""
    X, y = table[0], table[1] > 0
    classifier = SNeLClassifier(refine=False, **quick)
    one_split = [next(StratifiedKFold(3).split(X, y))]
    search = GridSearchCV(classifier, {"alpha_l1": [0.001, 0.1]}, cv=one_split, refit=False)

    def all_scores(n_jobs):
        folds = cross_validate(classifier, X, y, cv=3, return_estimator=True, n_jobs=n_jobs)
        candidates = search.set_params(n_jobs=n_jobs).fit(X, y).cv_results_["mean_test_score"]
        rankings = [model.ranking_.tolist() for model in folds["estimator"]]
        return folds["test_score"].tolist(), rankings, candidates.tolist()

    with snelfs.bench.cluster.Client(dask.address), joblib.parallel_config("dask", scatter=[X, y]):
        there = all_scores(n_jobs=2)
    assert there == all_scores(n_jobs=None)
