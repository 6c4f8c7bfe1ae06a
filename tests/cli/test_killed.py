"""Commands killed at any moment, and many at once: whole folders only, no record lost, the next run works."""

import json
import random
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from snelfs.bench.journal import Journal
from snelfs.selection import load_model
from snelfs.tables import Table
from snelfs.tables.writing import write_like

SELECTED = {"features.csv", "model.skops", "report.html", "selected.csv", "selection.json"}
EVALUATED = {"evaluation.csv", "evaluation.json", "evaluation.png"}
SHORT = ["--n-restarts", "4", "--steps", "6"]
DRAWN = "f_score,random,mutual_information"
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def genes(table, tmp_path_factory):
    X, y = table
    names, rows = tuple(f"g{i}" for i in range(20)), tuple(f"S{i}" for i in range(60))
    labels = np.where(y > 0, "AML", "ALL")
    path = tmp_path_factory.mktemp("data") / "genes.csv"
    return write_like(Table(X, names, rows, labels, "class", "csv", "sample", ()), path)


def start(*words):
    command = [sys.executable, "-m", "snelfs", *map(str, words)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def killed_somewhere(words, chance, longest):
    """Start the real command and end it by a random signal at a random moment; tell the signal."""
    process = start(*words)
    time.sleep(chance.uniform(0.1, longest))
    number = chance.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
    process.send_signal(number)
    said = process.communicate(timeout=120)[0]
    assert "Traceback" not in said
    return number


def works(words):
    process = start(*words)
    said = process.communicate(timeout=300)[0]
    assert process.returncode == 0, said


def assert_whole(folder, names):
    """All files or none, and nothing beside the folder."""
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]
    assert {path.name for path in folder.iterdir()} == names


@pytest.mark.parametrize("draw", range(17))
def test_a_killed_selection_leaves_a_whole_folder_or_none(genes, tmp_path, draw):
    """With an older selection there, that one or the new one."""
    chance, out = random.Random(draw), tmp_path / "here" / "out"
    words = ["select", genes, "--target", "class", "-k", "5", *SHORT, "--output", out, "--force"]
    if draw % 2:
        works(words)
    number = killed_somewhere(words, chance, 7)
    if draw % 2 and number != signal.SIGKILL:
        assert_whole(out, SELECTED)
    if out.exists():
        assert {path.name for path in out.iterdir()} == SELECTED
        assert json.loads((out / "selection.json").read_text())["selected"]
    works(words)
    assert_whole(out, SELECTED)
    assert load_model(out / "model.skops").support_.sum() == 5


@pytest.mark.parametrize("draw", range(17))
def test_a_killed_evaluation_leaves_a_whole_folder_or_none(genes, tmp_path, draw):
    """Its processes end with it, and the next one works."""
    chance, out = random.Random(100 + draw), tmp_path / "here" / "out"
    words = ["evaluate", genes, "--target", "class", "-k", "5", "--methods", "no_fs,f_score"]
    words += ["--folds", "2", "--repeats", "1", "--jobs", "2", "--output", out, "--force"]
    killed_somewhere(words, chance, 12)
    if out.exists():
        assert {path.name for path in out.iterdir()} == EVALUATED
        assert json.loads((out / "evaluation.json").read_text())["verdict"]
    works(words)
    assert_whole(out, EVALUATED)


@pytest.mark.parametrize("draw", range(16))
def test_a_killed_benchmark_loses_no_record(tmp_path, draw):
    """What was recorded stays to the letter, the next run does the rest, and the table is whole."""
    chance, journal = random.Random(200 + draw), tmp_path / "records" / "synthetic.jsonl"
    words = ["bench", "synthetic", "--data", "Reg,XOR", "--methods", DRAWN, "--seeds", "6", "--jobs", "2"]
    words += ["--output", tmp_path]
    killed_somewhere(words, chance, 12)
    kept = journal.read_text() if journal.exists() else ""
    whole = kept[: kept.rfind("\n") + 1]
    works(words)
    assert journal.read_text().startswith(whole)
    assert len(Journal(journal, {"selected": 15}).records()) == 2 * 3 * 6
    assert (tmp_path / "synthetic.md").read_text().count("| F score |") == 1


def test_twenty_runs_into_five_folders_leave_five_whole_ones(genes, tmp_path):
    """Half of them forced; whoever comes second says so in a sentence."""
    words = ["select", genes, "--target", "class", "-k", "5", *SHORT]
    runs = []
    for number in range(20):
        forced = ["--force"] if number % 2 else []
        out = tmp_path / f"out{number % 5}"
        runs.append(start(*words, "--seed", number, "--output", out, *forced))
        if number % 4 == 3:  # four at a time are enough for two cores
            time.sleep(2)
    said = [run.communicate(timeout=600)[0] for run in runs]
    assert all(run.returncode in (0, 1, 2) for run in runs)
    assert not any("Traceback" in each for each in said)
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"out{number}" for number in range(5)]
    for number in range(5):
        folder = tmp_path / f"out{number}"
        assert {path.name for path in folder.iterdir()} == SELECTED
        assert load_model(folder / "model.skops").support_.sum() == 5
