"""The commands of `snelfs bench`."""

import csv

import numpy as np
import pytest
from typer.testing import CliRunner

from snelfs.bench.speed import first_epochs, jobs, measure
from snelfs.cli.app import app
from snelfs.datasets import microarray_facts
from snelfs.evaluation import judges

RUNNER = CliRunner()


@pytest.fixture(scope="module", autouse=True)
def few_trees():
    """What is asked here is what the commands write; their forests may be small."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(judges, "TREES", 20)
        yield


def test_bench_speed_writes_a_table(tmp_path, monkeypatch):
    """The command prints the table and says where it is."""
    monkeypatch.setattr(jobs, "SHAPES", {"T": jobs.Shape(20, 10, 2, 5)})
    monkeypatch.setattr(measure, "_others", lambda *_: {})  # their packages take seconds to import
    monkeypatch.setattr(first_epochs, "seconds_to_compute", lambda repetitions: {"first": 2.0 * repetitions})
    options = ["--shapes", "T", "--repetitions", "1", "--output", str(tmp_path)]
    shown = RUNNER.invoke(app, ["bench", "speed", *options])
    assert shown.exit_code == 0, shown.output
    assert "snelfs, 8 restarts" in shown.output
    written = (tmp_path / "speed.md").read_text()
    assert "T is 20 × 10, dim 2" in written
    assert "| first | 2.00 |" in written


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("--repetitions", "0", "repetitions must be an integer of at least 1, got 0."),
        ("--shapes", "S,Q", "shapes must be of S, C, L, K; got 'Q'."),
    ],
)
def test_a_bad_option_is_named(option, value, said):
    """A wrong value ends with a sentence that names it, and a non-zero exit."""
    shown = RUNNER.invoke(app, ["bench", "speed", option, value])
    assert shown.exit_code == 2
    assert said in " ".join(shown.output.replace("│", " ").split())


def test_bench_synthetic_goes_on_where_it_was(tmp_path):
    """Two runs make one table: the second computes only what the first did not."""
    command = [
        "bench",
        "synthetic",
        "--data",
        "Reg,Fri",
        "--methods",
        "f_score,mrmr",
        "--output",
        str(tmp_path),
    ]
    first = RUNNER.invoke(app, [*command, "--seeds", "1"])
    assert first.exit_code == 0, first.output
    assert "| F score |" in first.output
    journal = tmp_path / "records" / "synthetic.jsonl"
    before = journal.read_text()
    second = RUNNER.invoke(app, [*command, "--seeds", "2"])
    assert second.exit_code == 0, second.output
    assert journal.read_text().startswith(before)
    assert [text.count("\n") for text in (before, journal.read_text())] == [1 + 4, 1 + 8]
    with (tmp_path / "synthetic.csv").open() as file:
        assert [row["draws"] for row in csv.DictReader(file)] == ["2"] * 4
    shown = RUNNER.invoke(app, [*command, "--seeds", "2", "--only-tables"])
    assert "| mRMR |" in shown.output


@pytest.mark.slow  # its forests have a thousand trees
def test_bench_microarray_reads_the_users_folder(tmp_path):
    """The command takes the sets it finds there, and writes scores, calibration and wins."""
    generator = np.random.default_rng(0)
    counts = microarray_facts("srbct").class_counts
    y = np.repeat(list(counts), list(counts.values()))
    X = generator.standard_normal((83, 2308)).astype(np.float32)
    np.savez(tmp_path / "srbct.npz", X=X, y=y)
    command = ["bench", "microarray", "--methods", "f_score", "--repeats", "1"]
    folders = ["--data-home", str(tmp_path), "--output", str(tmp_path / "out")]
    shown = RUNNER.invoke(app, [*command, *folders])
    assert shown.exit_code == 0, shown.output
    assert "| srbct |" in shown.output
    assert "## Calibration" in (tmp_path / "out" / "microarray.md").read_text()


def test_bench_cost_writes_ratios(tmp_path):
    """Times before and after selection, and the paper's beside them."""
    counts = microarray_facts("colon").class_counts
    y = np.repeat(list(counts), list(counts.values()))
    X = np.random.default_rng(0).standard_normal((62, 2000)).astype(np.float32)
    np.savez(tmp_path / "colon.npz", X=X, y=y)
    options = [
        "--data",
        "colon",
        "--repetitions",
        "1",
        "--data-home",
        str(tmp_path),
        "--output",
        str(tmp_path),
    ]
    shown = RUNNER.invoke(app, ["bench", "cost", *options])
    assert shown.exit_code == 0, shown.output
    assert "| kNN |" in (tmp_path / "cost.md").read_text()


def test_bench_saliency_draws_both_measures(tmp_path):
    """A table and a picture; the number of images can be small."""
    shown = RUNNER.invoke(
        app, ["bench", "saliency", "--samples", "90", "--columns", "4", "--output", str(tmp_path)]
    )
    assert shown.exit_code == 0, shown.output
    assert "| max-weight |" in (tmp_path / "saliency.md").read_text()
    assert (tmp_path / "saliency.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (
            ["synthetic", "--data", "Mad,Madd"],
            "data must be of Mad, XOR, Reg, Fri, Mad5k, XOR5k, Reg5k, Fri5k; got 'Madd'.",
        ),
        (["synthetic", "--methods", "magic"], "got 'magic'."),
        (["microarray", "--data", "bone_lesion_anova1660"], "were chosen with its labels"),
        (["microarray", "--data-home", "nowhere"], "No microarray set is here"),
        (["cost", "--data", "colom"], "colon"),
        (["saliency", "--source", "nowhere.npz"], "nowhere.npz"),
        (["synthetic", "--jobs", "0"], "greater than or equal to 1"),
    ],
)
def test_a_bad_benchmark_is_refused_before_it_starts(command, said, tmp_path):
    """One sentence, a non-zero exit, and nothing written."""
    shown = RUNNER.invoke(app, ["bench", *command, "--output", str(tmp_path / "out")])
    assert shown.exit_code == 2
    assert said in " ".join(shown.output.replace("│", " ").split())
    assert not (tmp_path / "out").exists()


def test_tables_without_records_say_so(tmp_path):
    """There is nothing to show yet: a sentence and a non-zero exit."""
    shown = RUNNER.invoke(app, ["bench", "synthetic", "--only-tables", "--output", str(tmp_path)])
    assert shown.exit_code == 1
    assert "There is no record yet in" in shown.output
