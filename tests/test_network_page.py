"""The programs of the page "Your own network" run as they stand, and find the columns."""

import re
import warnings
from pathlib import Path

import numpy as np
import pytest

PAGE = Path(__file__).parents[1] / "docs" / "network.md"
PROGRAMS = dict(
    re.findall(r"<!-- program: (\w+) -->\n```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
)


def run(name, tmp_path, monkeypatch):
    """Run a program in an empty folder, and return its names."""
    monkeypatch.chdir(tmp_path)
    names = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Lightning's advice on workers and devices
        exec(compile(PROGRAMS[name], f"{PAGE.name}:{name}", "exec"), names)
    return names


def test_every_program_is_run():
    assert set(PROGRAMS) == {"torch", "lightning", "skorch", "flax", "equinox"}


def test_the_program_in_pytorch_is_short_and_finds_madelons_columns(tmp_path, monkeypatch):
    """At most 25 lines; the five relevant columns come first."""
    lines = [line for line in PROGRAMS["torch"].splitlines() if line.strip()]
    assert len(lines) <= 25
    names = run("torch", tmp_path, monkeypatch)
    assert names["best"].is_admitted
    assert sorted(names["best"].selected(5).tolist()) == sorted(names["relevant"].tolist())


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 5))
def test_the_program_in_pytorch_finds_the_columns_of_other_draws(seed, tmp_path, monkeypatch):
    """The page says so of draws 0 to 4."""
    drawn = PROGRAMS["torch"].replace("random_state=0", f"random_state={seed}")
    assert drawn != PROGRAMS["torch"]
    monkeypatch.setitem(PROGRAMS, "torch", drawn)
    names = run("torch", tmp_path, monkeypatch)
    assert sorted(names["best"].selected(5).tolist()) == sorted(names["relevant"].tolist())


@pytest.mark.parametrize(
    "name",
    ["flax", "skorch", *(pytest.param(name, marks=pytest.mark.slow) for name in ("equinox", "lightning"))],
)
def test_the_program_finds_the_columns_of_a_sum(name, tmp_path, monkeypatch):
    names = run(name, tmp_path, monkeypatch)
    if name == "skorch":
        found = names["model"][0].get_support(indices=True)
    else:
        best = names["callback"].best if name == "lightning" else names["best"]
        found = np.sort(best.selected(3))
    assert found.tolist() == [4, 11, 17]
