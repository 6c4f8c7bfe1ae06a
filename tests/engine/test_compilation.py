"""Compiled programs are kept for the next process, in a folder of their own."""

import json
import os
import subprocess
import sys

import jax
import pytest

from snelfs.engine import compilation
from snelfs.engine.compilation import program_folder, programs_on_disk

FIT = """
import json, jax
from collections import Counter
from snelfs import SNeLRegressor
import numpy as np
events = Counter()
jax.monitoring.register_event_listener(lambda event, **_: events.update([event.rsplit("/", 1)[-1]]))
X = np.random.default_rng(0).standard_normal((20, 6))
SNeLRegressor(2, n_restarts=2, steps=4, refine=False, random_state=0).fit(X, X[:, 0])
print(json.dumps([events["cache_hits"], events["cache_misses"]]))
"""


@pytest.fixture
def fresh_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("SNELFS_CACHE", str(tmp_path))
    monkeypatch.delenv("JAX_COMPILATION_CACHE_DIR", raising=False)


def fit_in_a_new_process():
    shown = subprocess.run([sys.executable, "-c", FIT], capture_output=True, text=True, check=True)
    assert shown.stderr == ""
    return json.loads(shown.stdout)


@pytest.mark.usefixtures("fresh_cache")
def test_a_second_process_compiles_nothing():
    """The first fills the folder, the second takes every program of the engine from it."""
    assert fit_in_a_new_process()[1] > 0
    kept = sorted(path.name for path in program_folder().glob("*-cache"))
    assert any("run_chunk" in name for name in kept)
    hits, misses = fit_in_a_new_process()
    assert hits >= 2
    assert misses == 0
    assert sorted(path.name for path in program_folder().glob("*-cache")) == kept


@pytest.mark.usefixtures("fresh_cache")
def test_other_programs_are_not_kept():
    """What the user compiles before and after is the user's, and so are the settings."""
    names = (
        "jax_compilation_cache_dir",
        "jax_persistent_cache_min_compile_time_secs",
        "jax_persistent_cache_min_entry_size_bytes",
    )
    before = [getattr(jax.config, name) for name in names]
    with programs_on_disk():
        jax.jit(lambda x: x * 3.25 + 1)(2.0)
    inside = set(program_folder().glob("*-cache"))
    jax.jit(lambda x: x * 4.75 - 1)(2.0)
    assert inside
    assert set(program_folder().glob("*-cache")) == inside
    assert [getattr(jax.config, name) for name in names] == before


@pytest.mark.usefixtures("fresh_cache")
def test_a_users_own_cache_is_left_alone(tmp_path):
    """Programs then go where the user wants all programs to go."""
    own = tmp_path / "own"
    jax.config.update("jax_compilation_cache_dir", str(own))
    try:
        with programs_on_disk():
            assert jax.config.jax_compilation_cache_dir == str(own)
    finally:
        jax.config.update("jax_compilation_cache_dir", None)
    assert not program_folder().exists()


def test_a_folder_that_cannot_be_written_to_means_compiling(tmp_path, monkeypatch):
    """A file stands where the folder should be."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("SNELFS_CACHE", str(tmp_path / "file"))
    with programs_on_disk():
        assert jax.config.jax_compilation_cache_dir is None
        assert float(jax.jit(lambda x: x + 0.125)(1.0)) == 1.125


@pytest.mark.usefixtures("fresh_cache")
def test_the_oldest_programs_go(monkeypatch):
    """The folder does not grow for ever: what was used last stays."""
    monkeypatch.setattr(compilation, "MOST_PROGRAMS", 3)
    folder = program_folder()
    folder.mkdir(parents=True)
    for age in range(5):
        (folder / f"{age}-cache").touch()
        os.utime(folder / f"{age}-cache", (1e9 - age, 1e9 - age))
    with programs_on_disk():
        pass
    assert sorted(path.name for path in folder.glob("*-cache")) == ["0-cache", "1-cache", "2-cache"]
