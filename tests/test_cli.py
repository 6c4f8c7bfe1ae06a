"""The command line."""

import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import snelfs
from snelfs.cli import app

RUNNER = CliRunner()


def test_version():
    """`snelfs --version` says the version and nothing else."""
    shown = RUNNER.invoke(app, ["--version"])
    assert shown.exit_code == 0
    assert shown.output == f"snelfs {snelfs.__version__}\n"


def test_bench_speed_writes_a_table(tmp_path):
    """The command prints the table and says where it is."""
    small = ["--rows", "20", "--columns", "10", "--dim", "2", "--steps", "2", "--repetitions", "1"]
    shown = RUNNER.invoke(app, ["bench", "speed", *small, "--output", str(tmp_path)])
    assert shown.exit_code == 0, shown.output
    assert "training, 8 restart(s)" in shown.output
    assert (tmp_path / "speed.md").read_text().startswith("# Speed at 20 × 10, dim 2")


@pytest.mark.parametrize(("option", "least"), [("--rows", 10), ("--steps", 1), ("--repetitions", 1)])
def test_a_bad_option_is_named(option, least):
    """A wrong value ends with a sentence that names it, and a non-zero exit."""
    shown = RUNNER.invoke(app, ["bench", "speed", option, "0"])
    assert shown.exit_code == 2
    said = " ".join(shown.output.replace("│", " ").split())
    assert f"{option[2:]} must be an integer of at least {least}, got 0." in said


def test_the_installed_command_answers():
    """The script that the package installs runs."""
    command = Path(sys.executable).with_name("snelfs")
    shown = subprocess.run([command, "--help"], capture_output=True, text=True, check=True)
    assert "bench" in shown.stdout


def test_without_its_extra_the_command_says_what_to_install():
    """A plain installation gives one sentence and a non-zero exit, not a traceback."""
    code = "import sys; sys.modules['typer'] = None; from snelfs.__main__ import main; main()"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert shown.returncode == 1
    assert shown.stderr == "snelfs: the command line needs the extra 'cli': pip install 'snelfs[cli]'\n"
