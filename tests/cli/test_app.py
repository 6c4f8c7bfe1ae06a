"""The command line as a whole."""

import subprocess
import sys
from pathlib import Path

from typer.testing import CliRunner

import snelfs
from snelfs.cli.app import app

RUNNER = CliRunner()


def test_version():
    """`snelfs --version` says the version and nothing else."""
    shown = RUNNER.invoke(app, ["--version"])
    assert shown.exit_code == 0
    assert shown.output == f"snelfs {snelfs.__version__}\n"


def test_help_loads_neither_the_benchmarks_nor_anything_heavy():
    """`bench` is listed with its line of help, and imported when it is called."""
    code = (
        "import sys\nfrom typer.testing import CliRunner\nfrom snelfs.cli.app import app\n"
        "shown = CliRunner().invoke(app, ['--help']).output\n"
        "assert 'Measure, and write the figures to a folder.' in shown, shown\n"
        "print([name for name in ('snelfs.bench', 'jax', 'sklearn', 'pandas') if name in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (shown.stdout, shown.returncode) == ("[]\n", 0), shown.stderr


def test_bench_lists_its_commands():
    """Each has a module of its name."""
    shown = RUNNER.invoke(app, ["bench", "--help"])
    folder = Path(snelfs.__file__).parent / "bench"
    for name in ("synthetic", "microarray", "ablation", "stability", "chance", "cost", "saliency", "images",
                 "speed", "peers", "scale", "shortcuts"):  # fmt: skip
        assert f"│ {name} " in shown.output
        assert (folder / name).is_dir() or (folder / f"{name}.py").is_file()


def test_commands_can_be_completed(monkeypatch):
    """A shell asks in this way what may follow `snelfs bench s`."""
    command = [sys.executable, "-m", "snelfs"]
    for name, value in {"_SNELFS_COMPLETE": "complete_bash", "COMP_WORDS": "snelfs bench s"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("COMP_CWORD", "2")
    shown = subprocess.run(command, capture_output=True, text=True, check=True)
    offered = {"synthetic", "survival", "studies", "stability", "saliency", "speed", "scale", "shortcuts"}
    assert set(shown.stdout.split()) == offered


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
