"""How commands end: two into one folder, places that cannot be written, Ctrl-C and SIGTERM at any moment."""

import os
import random
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from snelfs.cli import endings
from snelfs.cli.app import app
from snelfs.foundation import files
from snelfs.tables import Table
from snelfs.tables.writing import write_like

FAST = ["--target", "class", "-k", "5", "--n-restarts", "4", "--steps", "10", "--refine", "false"]
OURS = {"features.csv", "model.skops", "report.html", "selected.csv", "selection.json"}


@pytest.fixture(scope="module")
def genes(table, tmp_path_factory):
    X, y = table
    names, rows = tuple(f"g{i}" for i in range(20)), tuple(f"S{i}" for i in range(60))
    labels = np.where(y > 0, "AML", "ALL")
    path = tmp_path_factory.mktemp("data") / "genes.csv"
    return write_like(Table(X, names, rows, labels, "class", "csv", "sample", ()), path)


def start(*words, **given):
    """Start the real command."""
    command = [sys.executable, "-m", "snelfs", *map(str, words)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **given)


def end(process):
    """Return exit code and what was said, on one line."""
    said = process.communicate(timeout=120)
    return process.returncode, " ".join(" ".join(said).replace("│", " ").split())


# -- one folder -------------------------------------------------------------------------------------


def test_of_two_runs_into_one_new_folder_one_wins(genes, tmp_path):
    """The other says so in a sentence and with a non-zero exit; the folder is one run's as a whole."""
    runs = [start("select", genes, *FAST, "--seed", seed, "--output", tmp_path / "out") for seed in (1, 2)]
    ends = sorted(map(end, runs))
    assert [code for code, _ in ends] in ([0, 1], [0, 2])
    assert "in the meantime" in ends[1][1] or "holds files already" in ends[1][1]
    assert "Traceback" not in ends[1][1]
    assert {path.name for path in (tmp_path / "out").iterdir()} == OURS
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_folder_written_in_the_meantime_is_not_replaced(genes, tmp_path, monkeypatch):
    """Another run comes first while this one writes: its files stay, and nothing else is left."""
    from snelfs.selection import folder

    def come_first(_, inside):
        (tmp_path / "out").mkdir()
        (tmp_path / "out" / "theirs").write_text("first")
        (inside / "report.html").write_text("second")

    monkeypatch.setattr(folder, "_write_report", come_first)
    shown = CliRunner().invoke(app, ["select", str(genes), *FAST, "--output", str(tmp_path / "out")])
    assert shown.exit_code == 1
    assert "out: was written by another run in the meantime." in shown.output
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["theirs"]
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("force", [[], ["--force"]])
@pytest.mark.parametrize(
    ("place", "said"),
    [
        (".", "is the folder you are in, or above it"),
        ("..", "is the folder you are in, or above it"),
        ("link", "is a link"),
        ("/proc/out", "may not be written to"),
        ("/proc", "may not be written to"),
    ],
)
def test_a_place_that_cannot_be_replaced_is_refused_at_once(tmp_path, monkeypatch, place, said, force):
    """Before the file is read, forced or not, and nothing is touched."""
    (tmp_path / "inner" / "real").mkdir(parents=True)
    (tmp_path / "inner" / "link").symlink_to("real")
    monkeypatch.chdir(tmp_path / "inner")
    if place == "/proc" and not force:
        said = "holds files already"
    shown = CliRunner().invoke(app, ["select", "nowhere.csv", "--output", place, *force])
    assert shown.exit_code == 2
    assert said in " ".join(shown.output.replace("│", " ").split())
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["inner", "link", "real"]


def test_only_what_was_not_written_is_called_so(tmp_path):
    """A place that has changed since the command began is named."""
    endings.forget()
    assert endings.stopped() == "Stopped."
    endings.watch(tmp_path / "out")
    assert endings.stopped() == "Stopped; nothing was written."
    (tmp_path / "out").mkdir()
    assert endings.stopped() == f"Stopped; {tmp_path / 'out'} was written."
    endings.forget()


# -- Ctrl-C and SIGTERM -----------------------------------------------------------------------------


def stopped_in_time(genes, folder, number, wait):
    """Send a signal some seconds into a long selection, and see how it ends."""
    output = folder / "deep" / "out"
    process = start("select", genes, "--target", "class", "--steps", "400", "--output", output)
    time.sleep(wait)
    process.send_signal(number)
    sent = time.perf_counter()
    code, said = end(process)
    seconds = time.perf_counter() - sent
    assert code == 128 + number, said
    assert "Traceback" not in said
    assert "Exception ignored" not in said
    assert list(folder.iterdir()) == []
    return seconds


@pytest.mark.parametrize(("number", "wait"), [(signal.SIGINT, 3.0), (signal.SIGTERM, 4.0)])
def test_a_signal_ends_the_command(genes, tmp_path, number, wait):
    """With the code of shells, without a traceback, and with nothing left, hidden or not."""
    stopped_in_time(genes, tmp_path, number, wait)


@pytest.mark.slow
@pytest.mark.parametrize("draw", range(25))
def test_a_signal_at_any_moment_ends_the_command_in_time(genes, tmp_path, draw):
    """While it imports, reads, compiles, trains: within two seconds."""
    chance = random.Random(draw)
    number = chance.choice([signal.SIGINT, signal.SIGTERM])
    assert stopped_in_time(genes, tmp_path, number, chance.uniform(0.5, 12)) < 2


SWALLOWED = """
import gc, signal, sys, time
from snelfs.cli import endings
with endings.on_request():
    def drop(*_):
        signal.raise_signal(signal.SIGINT)
    gc.callbacks.append(drop)
    gc.collect()
    gc.callbacks.remove(drop)
    print("swallowed", flush=True)
    {then}
"""


@pytest.mark.parametrize(
    "then",
    [
        "endings.raise_if_asked()",
        "time.sleep(60)",
        "import numpy; numpy.linalg.svd(numpy.random.rand(6000, 6000))",
    ],
)
def test_a_wish_that_no_exception_can_carry_is_kept(then):
    """The garbage collector drops what its callbacks raise: whoever looks raises it again, or time is up."""
    command = [sys.executable, "-c", SWALLOWED.format(then=then)]
    started = time.perf_counter()
    shown = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert shown.returncode == 130
    assert shown.stdout == "swallowed\n"
    assert "Exception ignored" not in shown.stderr
    assert time.perf_counter() - started < 30


@pytest.mark.parametrize("place", range(1, 5))
def test_ctrl_c_while_a_folder_takes_its_place_loses_nothing(tmp_path, monkeypatch, place):
    """After any of the renamings the old folder is back, or the new one there with what is the user's."""
    folder, calls = tmp_path / "out", []
    folder.mkdir()
    for name in ("mine", "also mine", "old"):
        (folder / name).write_text(name)

    def interrupted(rename):
        def renamed(path, target):
            done = rename(path, target)
            calls.append(path)
            if len(calls) == place:
                raise KeyboardInterrupt
            return done

        return renamed

    for name in ("rename", "replace"):
        monkeypatch.setattr(Path, name, interrupted(getattr(Path, name)))
    with (
        pytest.raises(KeyboardInterrupt),
        files.folder_written_whole(folder, force=True, former=["old"]) as inside,
    ):
        (inside / "new").write_text("new")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    left = {path.name for path in folder.iterdir()}
    assert left in ({"mine", "also mine", "old"}, {"mine", "also mine", "new"})


@pytest.mark.parametrize("place", range(1, 5))
def test_what_a_killed_process_left_comes_back(tmp_path, place):
    """Killed after any of the renamings, and the next run finds nothing missing."""
    code = """
import os, sys
from pathlib import Path
from snelfs.foundation import files
calls = []
def killed(rename):
    def renamed(path, target):
        done = rename(path, target)
        calls.append(path)
        if len(calls) == int(sys.argv[1]):
            os.kill(os.getpid(), 9)
        return done
    return renamed
for name in ("rename", "replace"):
    setattr(Path, name, killed(getattr(Path, name)))
with files.folder_written_whole(Path("out"), force=True, former=["old"]) as inside:
    (inside / "new").write_text("new")
"""
    (tmp_path / "out").mkdir()
    for name in ("mine", "also mine", "old"):
        (tmp_path / "out" / name).write_text(name)
    shown = subprocess.run([sys.executable, "-c", code, str(place)], cwd=tmp_path, check=False)
    assert shown.returncode == -signal.SIGKILL
    with files.folder_written_whole(tmp_path / "out", force=True) as inside:
        (inside / "newer").write_text("newer")
    left = {path.name for path in (tmp_path / "out").iterdir()}
    assert {"mine", "also mine", "newer"} <= left
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_what_another_process_is_about_to_do_is_left_to_it(tmp_path):
    """Its old folder is hidden for a moment, and comes back by itself."""
    hidden = tmp_path / f".out-{socket.gethostname()}-{os.getpid()}-abc-earlier"
    hidden.mkdir()
    (hidden / "theirs").touch()
    with files.folder_written_whole(tmp_path / "out") as inside:
        (inside / "new").touch()
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["new"]
    assert (hidden / "theirs").exists()


def test_a_folder_that_takes_its_place_is_waited_for(tmp_path):
    """The process is ended from another thread, and not between the renamings."""
    code = """
import os, signal, sys, time
from pathlib import Path
from snelfs.cli import endings
from snelfs.foundation import files
with endings.on_request():
    original = Path.rename
    def slow(path, target):
        try:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.1)
        except KeyboardInterrupt:
            pass
        time.sleep(0.6)
        return original(path, target)
    Path.rename = slow
    with files.folder_written_whole(Path("out"), force=True) as inside:
        (inside / "new").write_text("new")
"""
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine").write_text("mine")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", code]
    shown = subprocess.run(command, capture_output=True, cwd=tmp_path, env=environment, check=False)
    assert shown.returncode == 130
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"mine", "new"}
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
