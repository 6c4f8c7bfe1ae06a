"""The commands select, apply and plot: from files to folders, and a sentence for whatever is wrong."""

import csv
import errno
import gzip
import json
import os
import pty
import re
import signal
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from command import FAST, run, words_of
from snelfs.selection.picture_kinds import KINDS
from snelfs.tables import Table, read_table
from snelfs.tables.writing import write_like

NAMES = tuple(f"g{i}" for i in range(20))
FILES = {"features.csv", "model.skops", "report.html", "selection.json"}


def outside(*words):
    """Return the command line of a process of its own."""
    return [sys.executable, "-m", "snelfs", *map(str, words)]


def rows_of(path):
    """Return the rows of a CSV file by their headings."""
    with path.open() as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def classes(table):
    X, y = table
    rows = tuple(f"S{i}" for i in range(60))
    return Table(X, NAMES, rows, np.where(y > 0, "AML", "ALL"), "class", "csv", "sample", ())


@pytest.fixture(scope="module")
def genes(classes, tmp_path_factory):
    return write_like(classes, tmp_path_factory.mktemp("data") / "genes.csv")


@pytest.fixture(scope="module")
def folder(genes, tmp_path_factory):
    """A folder as the command writes it."""
    made = tmp_path_factory.mktemp("made") / "genes-selection"
    shown = run("select", genes, "--target", "class", *FAST, "--output", made)
    assert shown.exit_code == 0, shown.output
    return made


def series_matrix(table, path):
    samples = "\t".join(f'"{name}"' for name in table.row_names)
    groups = "\t".join(f'"class: {label}"' for label in table.y)
    rows = "\n".join(
        f'"{name}"\t' + "\t".join(map(repr, table.X[:, place].tolist()))
        for place, name in enumerate(table.feature_names)
    )
    path.write_text(
        f"!Sample_geo_accession\t{samples}\n!Sample_characteristics_ch1\t{groups}\n"
        f'!series_matrix_table_begin\n"ID_REF"\t{samples}\n{rows}\n!series_matrix_table_end\n'
    )
    return path


def in_format(table, name, folder):
    if "series_matrix" in name:
        return series_matrix(table, folder / name)
    path = write_like(table, folder / name.removesuffix(".gz"))
    if name.endswith(".gz"):
        packed = folder / name
        packed.write_bytes(gzip.compress(path.read_bytes()))
        return packed
    return path


# -- select -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "selected"),
    [
        ("a.csv.gz", "selected.csv"),
        ("a.tsv", "selected.tsv"),
        ("a.parquet", "selected.parquet"),
        ("a.feather", "selected.feather"),
        ("a.xlsx", "selected.xlsx"),
        ("a.npz", "selected.npz"),
        ("a.arff", "selected.arff"),
        ("a.h5ad", "selected.h5ad"),
        ("GSE1_series_matrix.txt", "selected.tsv"),
    ],
)
def test_every_format_goes_from_file_to_folder(classes, folder, tmp_path, name, selected):
    """The same columns are selected from every format, and written in it."""
    path = in_format(classes, name, tmp_path)
    target = [] if name == "a.npz" else ["--target", "class"]
    shown = run("select", path, *target, *FAST, "--output", tmp_path / "out", "--quiet")
    assert shown.exit_code == 0, shown.output
    assert {file.name for file in (tmp_path / "out").iterdir()} == {*FILES, selected}
    found = json.loads((tmp_path / "out" / "selection.json").read_text())
    assert found["selected"] == json.loads((folder / "selection.json").read_text())["selected"]
    again = read_table(tmp_path / "out" / selected, target=None if name == "a.npz" else "class")
    assert list(again.feature_names) == found["selected"]


def test_the_real_command_prints_a_ranking_and_where_the_report_is(genes, tmp_path):
    """In a process of its own, with the usual folder and the settings of a file; what is typed wins."""
    (tmp_path / "settings.toml").write_text(
        'target = "class"\nk = 3\nn_restarts = 4\nsteps = 10\nrefine = false\n'
    )
    command = outside("select", genes, "--config", "settings.toml", "-k", "5")
    shown = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert shown.returncode == 0, shown.stderr
    made = tmp_path / "genes-selection"
    assert {file.name for file in made.iterdir()} == {*FILES, "selected.csv"}
    assert "higher in AML" in shown.stdout
    assert "5 of 20 columns selected" in shown.stdout
    assert f"report: {made.name}/report.html" in shown.stdout
    assert "The first column, 'sample', holds the rows' names." in shown.stderr
    assert "Traceback" not in shown.stderr
    record = json.loads((made / "selection.json").read_text())
    given = "--target class --task classification -k 5 --n-restarts 4 --steps 10 --refine false"
    assert record["command"] == f"snelfs select {genes} {given}"


def test_the_command_in_the_record_repeats_the_selection(folder, tmp_path):
    """Run as it stands, it makes the same list."""
    record = json.loads((folder / "selection.json").read_text())
    shown = run(*record["command"].split()[1:], "--output", tmp_path / "again")
    assert shown.exit_code == 0, shown.output
    assert (tmp_path / "again" / "features.csv").read_bytes() == (folder / "features.csv").read_bytes()


def test_quiet_says_only_the_result(genes, tmp_path):
    """Notes, progress and warnings are left out."""
    shown = run("select", genes, "--target", "class", *FAST, "--quiet", "--output", tmp_path / "out")
    assert shown.exit_code == 0
    assert shown.stderr == ""
    assert "5 of 20 columns selected" in shown.stdout


CSV = "id,a,b,c,class\n" + "".join(f"S{i},{i % 7},{i * i % 11},{i % 3},{'xy'[i % 2]}\n" for i in range(12))


@pytest.mark.parametrize(
    ("text", "more", "said"),
    [
        (None, [], "does not exist."),
        ("", [], "is empty."),
        ("\x00\x01\x02", [], "data.csv"),
        (CSV, ["--target", "clas"], "has no column 'clas'; the nearest name is 'class'."),
        (CSV, ["--target", ""], "There is no target"),
        ("id,a,b,class\nS1,u,v,x\nS2,w,u,y\n", [], "No column holds numbers"),
        (CSV.replace("S3,3,", "S3,,"), [], "1 missing value in 1 column, in row 'S3', column 'a'"),
        (CSV.replace("S3,3,", "S3,,"), [], "pass --impute median"),
        (CSV.replace("id,a,b", "id,a,a"), [], "'a' is the name of more than one column"),
        (re.sub("y\n", "x\n", CSV), [], "The target 'class' is 'x' in every row: nothing to learn."),
        ("id,a,b,class\nS1,1,2,x\n", [], "nothing to learn."),
        (CSV, ["-k", "9"], "-k=9 is more than X has: 3 feature(s)."),
        (CSV, ["-k", "few"], "-k must be None, 'auto', an integer"),
        (CSV, ["--task", "both"], "'both'"),
        (CSV, ["--task", "regression"], "needs numbers"),
        (CSV, ["--scoring", "r2"], "--scoring must be"),
        (CSV, ["--class-weight", "z=3"], "--class-weight names 'z'"),
        (CSV, ["--impute", "mean"], "impute must be 'median', got 'mean'."),
        (CSV, ["--labels", "none.csv"], "none.csv does not exist."),
        (CSV, ["--config", "none.toml"], "none.toml does not exist."),
        (CSV, ["--seed", "-1"], "Invalid value for '--seed'"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(tmp_path, text, more, said):
    """Exit code 2, no traceback, and nothing written."""
    path = tmp_path / "data.csv"
    if text is not None:
        path.write_text(text)
    target = [] if "--target" in more else ["--target", "class"]
    before = set(tmp_path.iterdir())
    shown = run("select", path, *target, *more, "--output", tmp_path / "out")
    assert shown.exit_code == 2, shown.output
    assert isinstance(shown.exception, SystemExit)
    assert said in words_of(shown)
    assert set(tmp_path.iterdir()) == before


def test_missing_values_can_be_filled(tmp_path):
    """With --impute median the command goes on, and says what it did."""
    path = tmp_path / "data.csv"
    path.write_text(CSV.replace("S3,3,", "S3,,"))
    more = ["--impute", "median", "-k", "1", "--n-restarts", "2", "--steps", "10", "--refine", "false"]
    shown = run("select", path, "--target", "class", *more, "--output", tmp_path / "out")
    assert shown.exit_code == 0, shown.output
    assert (
        "1 missing or infinite value was filled with the column's median among the rows that train."
        in shown.stderr
    )


def test_an_unknown_key_of_the_settings_names_the_nearest(genes, tmp_path):
    (tmp_path / "settings.toml").write_text("n_restart = 3\n")
    shown = run("select", genes, "--config", tmp_path / "settings.toml", "--output", tmp_path / "out")
    assert shown.exit_code == 2
    assert "unknown key 'n_restart'; the nearest name is 'n_restarts'" in words_of(shown)


def test_a_full_folder_is_refused_before_anything_is_read(folder):
    """It is left as it was, and the sentence says what to do."""
    before = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    shown = run("select", "nowhere.csv", "--target", "class", "--output", folder)
    assert shown.exit_code == 2
    assert "holds files already: choose another folder, or replace it by --force." in words_of(shown)
    assert {path: path.stat().st_mtime_ns for path in folder.iterdir()} == before


def test_a_place_that_can_hold_no_folder_is_refused(genes, tmp_path):
    """A file stands where a folder should: told before the selection, not after."""
    (tmp_path / "file").write_text("here")
    for place in (tmp_path / "file", tmp_path / "file" / "out"):
        shown = run("select", genes, "--target", "class", "--output", place)
        assert shown.exit_code == 2
        assert "is a file" in words_of(shown)
    assert list(tmp_path.iterdir()) == [tmp_path / "file"]


def test_a_full_disk_is_one_sentence(genes, tmp_path, monkeypatch):
    """Exit code 1, and neither a folder nor a temporary one is left."""

    def full(*_, **__):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "model.skops")

    monkeypatch.setattr("skops.io.dump", full)
    shown = run("select", genes, "--target", "class", *FAST, "--quiet", "--output", tmp_path / "out")
    assert shown.exit_code == 1
    assert shown.output == "Nothing was written: model.skops: No space left on device.\n"
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_in_the_middle_ends_at_once(genes, tmp_path):
    """In a terminal: a bar with the time left, then exit code 130, one line, and nothing written."""
    master, slave = pty.openpty()
    command = outside("select", genes, "--target", "class", "--steps", "600", "--output", tmp_path / "out")
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "100"}
    process = subprocess.Popen(command, stdout=slave, stderr=slave, env=environment, start_new_session=True)
    os.close(slave)
    text = ""
    while not re.search(r"\d%.*left", text):
        text += os.read(master, 4096).decode(errors="replace")
    process.send_signal(signal.SIGINT)
    rest = everything(master)
    assert process.wait(timeout=60) == 130
    assert "Stopped; nothing was written." in rest
    assert "Traceback" not in text + rest
    assert list(tmp_path.iterdir()) == []


def everything(descriptor):
    """Return all that comes from a terminal until its other end is closed."""
    text = ""
    while True:
        try:
            part = os.read(descriptor, 4096)
        except OSError:  # so Linux says that the other end is closed
            part = b""
        if not part:
            os.close(descriptor)
            return text
        text += part.decode(errors="replace")


@pytest.mark.parametrize(("name", "n_columns"), [("colon", 2000), ("leukemia", 7129)])
def test_genes_in_rows_and_labels_in_a_second_file_take_one_command(microarray, tmp_path, name, n_columns):
    """Real data as they are often kept go from file to folder at once."""
    X, y = microarray(name)
    samples = [f"sample {i}" for i in range(len(y))]
    with (tmp_path / f"{name}.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["gene", *samples])
        writer.writerows([f"gene {place}", *values.tolist()] for place, values in enumerate(X.T))
    with (tmp_path / "labels.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["sample", "state"])
        writer.writerows(zip(samples[::-1], y[::-1].tolist(), strict=True))
    more = ["--labels", tmp_path / "labels.csv", "--steps", "4", "--n-restarts", "2", "--penalty-limit", "9"]
    shown = run("select", tmp_path / f"{name}.csv", "--transpose", *more, "--output", tmp_path / "out")
    assert shown.exit_code == 0, shown.output
    record = json.loads((tmp_path / "out" / "selection.json").read_text())
    assert record["data"]["columns"] == n_columns
    assert record["data"]["rows"] == len(y)
    assert len(record["selected"]) == 30
    assert record["task"] == "classification"


# -- apply ------------------------------------------------------------------------------------------


def test_predictions_need_only_the_selected_columns_in_any_order(folder, classes, tmp_path):
    """Shuffled columns, none of the others, or gaps and words elsewhere: the predictions are the same."""
    chosen = json.loads((folder / "selection.json").read_text())["selected"]
    whole = run("apply", folder, write_like(classes, tmp_path / "all.csv"), "--output", tmp_path / "1.csv")
    assert whole.exit_code == 0, whole.output
    few = write_like(classes, tmp_path / "few.parquet", chosen[::-1])
    model = folder / "model.skops"
    assert run("apply", model, few, "--output", tmp_path / "2.csv").exit_code == 0
    lines = (tmp_path / "all.csv").read_text().splitlines()
    unneeded = lines[0].split(",").index(next(name for name in NAMES if name not in chosen))
    cells = [line.split(",") for line in lines]
    cells[1][unneeded], cells[2][unneeded] = "", "word"
    (tmp_path / "gaps.csv").write_text("\n".join(map(",".join, cells)) + "\n")
    assert run("apply", folder, tmp_path / "gaps.csv", "--output", tmp_path / "3.csv").exit_code == 0
    first, second, third = (rows_of(tmp_path / f"{i}.csv") for i in (1, 2, 3))
    assert list(first[0]) == ["sample", "probability of ALL", "probability of AML", "predicted"]
    assert [row["predicted"] for row in first] == [row["predicted"] for row in second]
    assert first == third
    right = np.mean([row["predicted"] == label for row, label in zip(first, classes.y, strict=True)])
    assert right > 0.8


def test_transform_writes_the_selected_columns(folder, genes, tmp_path, monkeypatch):
    """Best first, with the rows' names, beside where the command is run."""
    monkeypatch.chdir(tmp_path)
    shown = run("apply", folder, genes, "--transform")
    assert shown.exit_code == 0, shown.output
    assert shown.stdout == "written: genes-selected.csv\n"
    got = read_table(tmp_path / "genes-selected.csv")
    assert list(got.feature_names) == json.loads((folder / "selection.json").read_text())["selected"]
    assert got.row_names[:2] == ("S0", "S1")
    again = run("apply", folder, genes, "--transform")
    assert again.exit_code == 2
    assert "is there already" in words_of(again)
    assert run("apply", folder, genes, "--transform", "--force").exit_code == 0


def test_missing_columns_are_named(folder, classes, tmp_path):
    """One sentence, a non-zero exit, and no file."""
    chosen = json.loads((folder / "selection.json").read_text())["selected"]
    others = [name for name in NAMES if name != chosen[1]]
    path = write_like(classes, tmp_path / "new.csv", others)
    shown = run("apply", folder, path, "--output", tmp_path / "out.csv")
    assert shown.exit_code == 2
    assert f"lacks 1 of the 5 columns needed: {chosen[1]!r}." in words_of(shown)
    assert not (tmp_path / "out.csv").exists()


def test_a_file_that_is_no_model_is_refused(genes, tmp_path):
    shown = run("apply", genes, genes, "--output", tmp_path / "out.csv")
    assert shown.exit_code == 2
    assert "is no model that snelfs wrote" in words_of(shown)
    assert "model.skops does not exist" in words_of(run("apply", tmp_path, genes))


def test_a_regression_predicts_numbers(table, tmp_path):
    """On the scale of the target; what a new file says of the target is not looked at."""
    X, y = table
    rows = tuple(str(i + 1) for i in range(60))
    numbers = Table(X, NAMES, rows, 100 + y, "dose", "csv", None, ())
    path = write_like(numbers, tmp_path / "doses.npz")
    out = tmp_path / "out"
    assert run("select", path, *FAST, "--output", out, "--quiet").exit_code == 0
    shown = run("apply", out, path, "--output", tmp_path / "predicted.csv")
    assert shown.exit_code == 0, shown.output
    got = [float(row["predicted"]) for row in rows_of(tmp_path / "predicted.csv")]
    assert np.corrcoef(got, y)[0, 1] > 0.9
    assert abs(np.mean(got) - 100) < 1
    same = write_like(replace(numbers, y=np.ones(60)), tmp_path / "unknown.npz")
    assert run("apply", out, same, "--output", tmp_path / "unknown.csv").exit_code == 0
    assert rows_of(tmp_path / "unknown.csv") == rows_of(tmp_path / "predicted.csv")


# -- plot -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("size", "survival")])
def test_every_kind_is_drawn_from_the_folder(folder, tmp_path, kind):
    """Those of the data read them again as the selection did."""
    suffix, magic = {"ranking": (".pdf", b"%PDF"), "layer": (".svg", b"<?xml")}.get(
        kind, (".png", b"\x89PNG")
    )
    path = tmp_path / f"{kind}{suffix}"
    shown = run("plot", folder, kind, "--output", path)
    assert shown.exit_code == 0, shown.output
    assert path.read_bytes().startswith(magic)


def test_data_can_be_named(folder, classes, tmp_path):
    """A model file alone does not say where its data are, but takes them from another file."""
    (tmp_path / "model.skops").write_bytes((folder / "model.skops").read_bytes())
    path = write_like(classes, tmp_path / "other.parquet")
    refused = run("plot", tmp_path / "model.skops", "distribution", "--output", tmp_path / "a.png")
    assert refused.exit_code == 2
    assert "needs a data file" in words_of(refused)
    given = [path, "--target", "class", "-n", "2", "--output", tmp_path / "a.png"]
    shown = run("plot", tmp_path / "model.skops", "distribution", *given)
    assert shown.exit_code == 0, shown.output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["pie"], "KIND must be one of ranking, frequency"),
        (["size"], "needs a selection with -k auto, and this was one with -k 5."),
        (["survival"], "'survival' is of censored times, and this is a classification."),
        (["ranking", "--output", "a.txt"], "a.txt must end in .pdf, .png or .svg."),
    ],
)
def test_what_cannot_be_drawn_is_said_in_a_sentence(folder, tmp_path, monkeypatch, words, said):
    monkeypatch.chdir(tmp_path)
    shown = run("plot", folder, *words)
    assert shown.exit_code == 2
    assert said in words_of(shown)
    assert list(tmp_path.iterdir()) == []


# -- light ------------------------------------------------------------------------------------------


def test_help_loads_nothing_heavy():
    """Help comes at once: what computes, reads tables or draws is imported by its command."""
    heavy = ["jax", "sklearn", "pandas", "matplotlib", "skops", "jinja2", "scipy"]
    code = (
        "import sys; from snelfs.cli.app import app\n"
        "try: app(['select', '--help'])\nexcept SystemExit: pass\n"
        f"print([name for name in {heavy} if name in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.splitlines()[-1] == "[]"
    assert "Example: snelfs select genes.csv --target class -k 20" in shown.stdout
