"""Settings, files and models that cannot be: one sentence each, at once, and no traceback."""

import errno
import json
import os
import re
import shutil
import subprocess
import sys
import warnings

import numpy as np
import pytest
from typer.testing import CliRunner

from snelfs.cli import options
from snelfs.cli.app import app
from snelfs.tables import Table, read_table
from snelfs.tables.writing import write_like

FAST = ["-k", "5", "--n-restarts", "4", "--steps", "10", "--refine", "false", "--quiet"]
NAMES = tuple(f"g{i}" for i in range(20))


def run(*words):
    """Return exit code and what was said, on one line; a traceback is an error of the test."""
    shown = CliRunner().invoke(app, [str(word) for word in words])
    if shown.exception is not None and not isinstance(shown.exception, SystemExit):
        raise shown.exception
    return shown.exit_code, " ".join(shown.output.replace("│", " ").split())


@pytest.fixture(scope="module")
def classes(table):
    X, y = table
    rows = tuple(f"S{i}" for i in range(60))
    return Table(X, NAMES, rows, np.where(y > 0, "AML", "ALL"), "class", "csv", "sample", ())


@pytest.fixture(scope="module")
def genes(classes, tmp_path_factory):
    return write_like(classes, tmp_path_factory.mktemp("data") / "genes.csv")


@pytest.fixture(scope="module")
def made(genes, tmp_path_factory):
    folder = tmp_path_factory.mktemp("made") / "out"
    code, said = run("select", genes, "--target", "class", *FAST, "--output", folder)
    assert code == 0, said
    return folder


@pytest.fixture
def folder(made, tmp_path):
    """A folder of a selection that may be spoilt."""
    return shutil.copytree(made, tmp_path / "made")


# -- settings ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("target = 5", "target in settings.toml must be text in quotation marks, got 5."),
        ('labels = ["a"]', "labels in settings.toml must be text in quotation marks, got ['a']."),
        ("id_column = {a = 1}", "id_column in settings.toml must be text in quotation marks"),
        ("layer = 2020-01-01", "layer in settings.toml must be text in quotation marks"),
        ("task = nan", "task in settings.toml must be text in quotation marks, got nan."),
        ('transpose = "yes"', "transpose in settings.toml must be true or false, got 'yes'."),
        ("class_weight = 3", "--class-weight must be None, 'balanced' or a dict of factors, got 3."),
        ("steps = [[1], 2]", "each of --steps must be an integer"),
        ("k = 2020-01-01", "-k must be None, 'auto', an integer"),
    ],
)
def test_a_value_of_the_wrong_type_is_named(genes, tmp_path, monkeypatch, line, said):
    """By its key, its file and what it is."""
    monkeypatch.chdir(tmp_path)
    target = "" if line.startswith("target") else 'target = "class"\n'
    (tmp_path / "settings.toml").write_text(f"{target}{line}\n")
    code, shown = run("select", genes, "--config", "settings.toml")
    assert code == 2
    assert said in shown


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--steps", "1000000"], "--steps=1000000 takes about 512 TB of memory, and there are"),
        (["--epochs-per-stage", "100000000000"], "--epochs-per-stage=100000000000 takes about"),
        (["--n-restarts", "100000000000"], "--n-restarts=100000000000 takes about"),
        (["--hidden-layer-sizes", "1000000000"], "--hidden-layer-sizes=(1000000000,) takes about"),
        (["--hidden-layer-sizes", "900000,900000"], "--hidden-layer-sizes=(900000, 900000) takes about"),
        (["--learning-rate", "1e308"], "--learning-rate must be at most 1e+18, got 1e+308."),
        (["--class-weight", "AML=1e308"], "--class-weight['AML'] must be at most 1e+18, got 1e+308."),
        (["--lambda-s", "0,1e308"], "--lambda-s must be at most 1e+18, got 1e+308."),
        (["--alpha-l1", "1" + "0" * 400], "--alpha-l1 must be at most 1e+18"),
    ],
)
def test_what_cannot_be_computed_is_refused_before_it_is_allocated(genes, tmp_path, words, said):
    """With the figure, and nothing is written."""
    code, shown = run("select", genes, "--target", "class", *words, "--output", tmp_path / "out")
    assert code == 2
    assert said in shown
    assert list(tmp_path.iterdir()) == []


def test_a_want_of_memory_is_a_sentence(genes, tmp_path, monkeypatch):
    """Wherever it shows."""

    def full(*_, **__):
        return np.empty(2**50)

    monkeypatch.setattr("snelfs.tables.reading.read_sheet", full)
    code, shown = run("select", genes, "--output", tmp_path / "out")
    assert code == 1
    assert shown.startswith(
        "Nothing was written: this takes more memory than there is. Unable to allocate 8.00 PiB"
    )


def test_one_name_for_the_number_of_features(genes, tmp_path):
    """What evaluate called --columns is still understood."""
    for option in ("-k", "--features", "--columns"):
        for command in ("select", "evaluate"):
            code, shown = run(
                command, genes, "--target", "class", option, "few", "--output", tmp_path / "out"
            )
            assert code == 2
            assert "-k must be" in shown


def test_warnings_have_no_paths(capsys):
    """They are sentences on standard error."""
    with options.warnings_without_paths():
        warnings.simplefilter("always")
        warnings.warn("overflow encountered in cast", RuntimeWarning, stacklevel=1)
        warnings.warn("Mind the gap.", UserWarning, stacklevel=1)
        warnings.warn("old", DeprecationWarning, stacklevel=1)
    said = "A computation was not exact: overflow encountered in cast.\nMind the gap.\n"
    assert capsys.readouterr().err == said


def test_no_name_commands_the_terminal(genes, tmp_path):
    """Neither in an error nor in the table."""
    path = tmp_path / "genes.csv"
    path.write_text(genes.read_text().replace("g17", "g\x1b[31m17"))
    shown = CliRunner().invoke(app, ["select", str(path), "--target", "\x1b[2J"])
    assert "\x1b[2J" not in shown.output
    shown = CliRunner().invoke(
        app, ["select", str(path), "--target", "class", *FAST, "--output", str(tmp_path / "o")]
    )
    assert shown.exit_code == 0, shown.output
    assert "g�[31m17" in shown.output


# -- models and records -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "record",
    [
        "[" * 100_000 + "]" * 100_000,
        '{"reading": ' * 100_000 + "1" + "}" * 100_000,
        "[]",
        "7",
        '{"reading": 5, "selected": 7, "settings": [], "data": []}',
        '{"reading": {"file": 5, "transpose": "x", "target": []}, "selected": [1], "data": {"format": 1}}',
        "\x00",
    ],
)
def test_a_spoilt_record_does_no_harm(folder, genes, tmp_path, record):
    """The model alone is enough to predict, and a plot of data says what it needs."""
    (folder / "selection.json").write_text(record)
    assert run("apply", folder, genes, "--output", tmp_path / "a.csv")[0] == 0
    code, shown = run("plot", folder, "distribution", "--output", tmp_path / "a.png")
    assert code == 2
    assert "needs a data file" in shown


def test_a_record_of_other_columns_does_not_deceive(folder, genes, tmp_path):
    """The model knows what it needs."""
    record = json.loads((folder / "selection.json").read_text())
    (folder / "selection.json").write_text(json.dumps(record | {"selected": ["g0"]}))
    assert run("apply", folder, genes, "--output", tmp_path / "a.csv")[0] == 0
    assert len(read_table(tmp_path / "a.csv", target="predicted").y) == 60


def test_what_is_refused_is_refused_before_jax_is_loaded(folder, genes, tmp_path):
    """Missing columns, files that are there, and plots that cannot be."""
    code = (
        "import sys; from typer.testing import CliRunner; from snelfs.cli.app import app\n"
        "shown = CliRunner().invoke(app, sys.argv[1:])\n"
        "print(shown.exit_code, 'jax' in sys.modules, 'skops' in sys.modules)"
    )
    (tmp_path / "few.csv").write_text("g0,g1\n1,2\n")
    (tmp_path / "there.csv").write_text("")
    for words in (
        ["apply", folder, tmp_path / "few.csv"],
        ["apply", folder, tmp_path / "none.csv"],
        ["apply", tmp_path / "none", genes],
        ["apply", folder, genes, "--output", tmp_path / "there.csv"],
        ["plot", folder, "size"],
        ["plot", folder, "pie"],
        ["plot", folder, "distribution", tmp_path / "none.csv"],
    ):
        command = [sys.executable, "-c", code, *map(str, words)]
        shown = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=True)
        assert shown.stdout == "2 False False\n", words


# -- new data ---------------------------------------------------------------------------------------


def test_rows_far_outside_are_told(made, classes, tmp_path):
    """On another scale predictions are guesses, and somebody should know."""
    usual = write_like(classes, tmp_path / "usual.csv")
    assert "far outside" not in run("apply", made, usual, "--output", tmp_path / "1.csv")[1]
    X = classes.X.copy()
    X[7] *= 1e4
    one = write_like(Table(**{**vars(classes), "X": X}), tmp_path / "one.csv")
    shown = run("apply", made, one, "--output", tmp_path / "2.csv")[1]
    assert "1 of 60 rows lie far outside what the model was fitted to" in shown
    assert "of row 'S7'" in shown
    shifted = write_like(Table(**{**vars(classes), "X": classes.X + 8}), tmp_path / "shifted.csv")
    assert "60 of 60 rows lie far outside" in run("apply", made, shifted, "--output", tmp_path / "3.csv")[1]


def test_a_table_on_its_side_is_known_by_the_folder(classes, tmp_path):
    """Patients stand under their own header, not under that of genes, and apply needs no --transpose."""
    genes = tmp_path / "genes.csv"
    lines = [["gene", *classes.row_names]]
    lines += [[name, *map(repr, classes.X[:, place].tolist())] for place, name in enumerate(NAMES)]
    lines += [["class", *classes.y]]
    genes.write_text("\n".join(map(",".join, lines)) + "\n")
    out = tmp_path / "out"
    code, said = run("select", genes, "--transpose", "--target", "class", *FAST, "--output", out)
    assert code == 0, said
    assert (out / "selected.csv").read_text().startswith("id,")
    upright = write_like(classes, tmp_path / "upright.csv")
    for file in (genes, upright):
        code, said = run("apply", out, file, "--output", tmp_path / "a.csv", "--force")
        assert code == 0, said
        assert read_table(tmp_path / "a.csv", target="predicted").row_names == classes.row_names


# -- the disk ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", [pytest.param("csv", marks=pytest.mark.slow), "xlsx"])
def test_a_full_disk_is_a_sentence(classes, made, tmp_path, suffix):
    """No file may grow beyond some bytes: exit code 1, and nothing is left."""
    path = write_like(classes, tmp_path / f"genes.{suffix}")
    out = tmp_path / "out"
    code = (
        "import resource, runpy, sys\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))\n"
        "sys.argv = ['snelfs', *sys.argv[1:]]\n"
        "runpy.run_module('snelfs', run_name='__main__')\n"
    )
    output = out / f"a.{suffix}"
    out.mkdir()
    command = [sys.executable, "-c", code, "apply", made, path, "--transform", "--output", output]
    shown = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    assert shown.returncode == 1, shown.stderr
    assert "Traceback" not in shown.stderr
    assert "Exception ignored" not in shown.stderr
    assert re.search(rf"Nothing was written: .*{os.strerror(errno.EFBIG)}\.\n$", shown.stderr)
    assert list(out.iterdir()) == []
