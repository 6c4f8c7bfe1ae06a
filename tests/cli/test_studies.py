"""Tables of studies on the command line: which rows belong together."""

import json

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from command import FAST, run, words_of


@pytest.fixture(scope="module")
def samples(table, tmp_path_factory):
    """Write 60 samples of 15 patients with 20 genes and a class."""
    X, y = table
    path = tmp_path_factory.mktemp("studies") / "samples.csv"
    lines = [",".join(["sample", "patient", *(f"g{column}" for column in range(20)), "state"])]
    for row, values in enumerate(X):
        state = "ill" if y[row] > 0 else "well"
        lines.append(",".join([f"S{row}", f"P{row // 4}", *map(str, values.round(6)), state]))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_patients_are_kept_together_from_file_to_report(samples, tmp_path):
    """The record, the command that repeats it and the report say so; the folder is read again by plot."""
    folder = tmp_path / "out"
    shown = run("select", samples, "--target", "state", "--groups", "patient", *FAST, "--output", folder)
    assert shown.exit_code == 0, shown.output
    record = json.loads((folder / "selection.json").read_text(encoding="utf-8"))
    assert record["data"]["groups"] == "patient"
    assert record["data"]["n_groups"] == 15
    assert "--groups patient" in record["command"]
    assert "looks like ids" not in shown.stderr
    report = (folder / "report.html").read_text(encoding="utf-8")
    assert "from 60 rows of 15 groups (patient), which no split parts" in report
    drawn = run("plot", folder, "distribution", "--output", tmp_path / "d.png")
    assert drawn.exit_code == 0, drawn.output


def test_an_id_of_patients_is_pointed_out_as_the_command_line_calls_it(samples, tmp_path):
    """Before anything is fitted: here the fit is refused for another reason."""
    shown = run("select", samples, "--target", "state", "-k", "0", "--output", tmp_path / "out")
    assert shown.exit_code == 2
    assert "looks like ids of 15 patients" in words_of(shown)
    assert "pass --groups patient" in words_of(shown)


@pytest.mark.parametrize(
    ("command", "more", "said"),
    [
        ("select", ["--groups", "patinet"], "has no column 'patinet'; the nearest name is 'patient'"),
        ("select", ["--groups", "state"], "'state' is the target and cannot be the --groups as well"),
        (
            "evaluate",
            ["--groups", "patient", "--folds", "16"],
            "--folds must be at most the number of groups, 15",
        ),
        ("evaluate", ["--groups", "sample"], "'sample' holds the rows' names, each once"),
    ],
)
def test_bad_groups_are_one_sentence_and_nothing_is_written(samples, tmp_path, command, more, said):
    """With the option's name and the exit code of a wrong option."""
    shown = run(command, samples, "--target", "state", *more, "--output", tmp_path / "out")
    assert shown.exit_code == 2
    assert said in words_of(shown)
    assert not (tmp_path / "out").exists()


def test_an_evaluation_says_how_many_groups(samples, monkeypatch):
    """The groups reach the cross-validation by name, and the table's title counts them."""
    from snelfs.evaluation import cross_validation, judges

    monkeypatch.setattr(judges, "TREES", 10)
    monkeypatch.setattr(
        cross_validation, "choose_columns", lambda *_, n_features, **__: np.arange(n_features)
    )
    words = ["--target", "state", "--groups", "patient", "--methods", "f_score", "-k", "3", "--folds", "3"]
    shown = run("evaluate", samples, *words, "--quiet")
    assert shown.exit_code == 0, shown.output
    assert "60 rows of 15 groups, 20 columns" in shown.stdout


@pytest.fixture(scope="module")
def adjusted(samples, tmp_path_factory):
    """A folder of a selection adjusted for one gene and the patients' half, with another gene kept."""
    lines = samples.read_text(encoding="utf-8").splitlines()
    with_sex = [f"{lines[0]},sex", *(f"{line},{'fm'[row % 2]}" for row, line in enumerate(lines[1:]))]
    path = tmp_path_factory.mktemp("adjusted") / "with_sex.csv"
    path.write_text("\n".join(with_sex) + "\n", encoding="utf-8")
    folder = path.parent / "out"
    more = ["--covariates", "sex,g3", "--keep", "g7", *FAST]
    shown = run("select", path, "--target", "state", "--groups", "patient", *more, "--output", folder)
    assert shown.exit_code == 0, shown.output
    return path, folder


def test_the_report_says_what_was_adjusted_for_and_kept(adjusted):
    """So does the record; the command repeats it."""
    _, folder = adjusted
    record = json.loads((folder / "selection.json").read_text(encoding="utf-8"))
    assert record["data"]["covariates"] == ["sex=m", "g3"]
    assert record["selected"][0] == "g7"
    assert "--covariates sex,g3" in record["command"]
    assert "--keep g7" in record["command"]
    report = (folder / "report.html").read_text(encoding="utf-8")
    assert "All is adjusted for sex=m and g3" in report
    assert "g7 was kept as asked for" in report


def test_new_data_need_the_covariates(adjusted, tmp_path):
    """Text is coded as it was; the columns alone go without them."""
    path, folder = adjusted
    shown = run("apply", folder, path, "--output", tmp_path / "predicted.csv", "--quiet")
    assert shown.exit_code == 0, shown.output
    assert len((tmp_path / "predicted.csv").read_text(encoding="utf-8").splitlines()) == 61
    shown = run("apply", folder, path, "--transform", "--output", tmp_path / "columns.csv", "--quiet")
    assert shown.exit_code == 0, shown.output
    heading = (tmp_path / "columns.csv").read_text(encoding="utf-8").splitlines()[0]
    assert "g3" not in heading.split(",")
    assert "g7" in heading.split(",")
    lines = [line.rsplit(",", 1)[0] for line in path.read_text(encoding="utf-8").splitlines()]
    without = tmp_path / "without.csv"
    without.write_text("\n".join(lines) + "\n", encoding="utf-8")
    shown = run("apply", folder, without, "--output", tmp_path / "none.csv")
    assert shown.exit_code == 2
    assert "'sex=m'" in words_of(shown)


def test_covariates_of_new_data_may_be_in_a_second_file(adjusted, tmp_path):
    """In any order of rows; the predictions are the same."""
    path, folder = adjusted
    lines = [line.rsplit(",", 1) for line in path.read_text(encoding="utf-8").splitlines()]
    genes, clinic = tmp_path / "genes.csv", tmp_path / "clinic.csv"
    genes.write_text("\n".join(first for first, _ in lines) + "\n", encoding="utf-8")
    told = [f"{first.split(',')[0]},{last}" for first, last in lines]
    clinic.write_text("\n".join([told[0], *told[:0:-1]]) + "\n", encoding="utf-8")
    shown = run("apply", folder, genes, "--labels", clinic, "--output", tmp_path / "two.csv", "--quiet")
    assert shown.exit_code == 0, shown.output
    run("apply", folder, path, "--output", tmp_path / "one.csv", "--quiet")
    assert (tmp_path / "two.csv").read_text() == (tmp_path / "one.csv").read_text()


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--keep", "g33"], "--keep names 'g33', which is no column; the nearest names are"),
        (["--keep", "g3", "--covariates", "g3"], "--keep names 'g3', and so does covariates: choose one"),
        (["--covariates", "state"], "'state' is the target and cannot be one of the --covariates"),
        (["--keep", "g1,g2,g3,g4,g5", "-k", "5"], "--keep names 5 of 5 column(s) to select"),
    ],
)
def test_bad_columns_beside_are_one_sentence(samples, tmp_path, more, said):
    """With the option's name and the exit code of a wrong option; nothing is written."""
    shown = run("select", samples, "--target", "state", *more, "--output", tmp_path / "out")
    assert shown.exit_code == 2
    assert said in words_of(shown)
    assert not (tmp_path / "out").exists()


def test_what_is_typed_to_be_kept_is_a_name(samples, tmp_path):
    """A number is no position: the fourth column is not kept by `--keep 3`."""
    words = ["select", samples, "--target", "state", "--groups", "patient", *FAST, "--keep", "3"]
    shown = run(*words, "--output", tmp_path / "out")
    assert shown.exit_code == 2
    assert "--keep names '3', which is no column" in words_of(shown)
    assert not (tmp_path / "out").exists()


def test_sparse_counts_are_adjusted_for_the_batch_of_their_cells(tmp_path):
    """It stands in the table of the cells, and is a category."""
    anndata = pytest.importorskip("anndata")
    generator = np.random.default_rng(2)
    batch, kind = np.arange(80) % 2, generator.integers(0, 2, 80)
    counts = generator.poisson(1.0, (80, 12)) * (generator.random((80, 12)) < 0.7)
    counts[:, :5] += 4 * batch[:, None]
    counts[:, 7] += 5 * kind
    kind = np.where(generator.random(80) < 0.3, batch, kind)
    about = {
        "batch": np.where(batch, "B", "A").astype(object),
        "kind": np.where(kind, "T", "N").astype(object),
    }
    obs = pd.DataFrame(about, index=pd.Index([f"c{row}" for row in range(80)], dtype=object), dtype=object)
    var = pd.DataFrame(index=pd.Index([f"g{place}" for place in range(12)], dtype=object))
    thin = sparse.csr_matrix(counts.astype(np.float32))
    anndata.AnnData(thin, obs, var).write_h5ad(tmp_path / "cells.h5ad", convert_strings_to_categoricals=False)
    asked = ["--target", "kind", "--covariates", "batch"]
    folder = tmp_path / "out"
    shown = run("select", tmp_path / "cells.h5ad", *asked, *FAST, "-k", "2", "--output", folder)
    assert shown.exit_code == 0, shown.output
    record = json.loads((folder / "selection.json").read_text(encoding="utf-8"))
    assert record["selected"][0] == "g7"
    assert "batch=B" not in record["selected"]
    applied = run("apply", folder, tmp_path / "cells.h5ad", "--output", tmp_path / "predicted.csv")
    assert applied.exit_code == 0, applied.output
