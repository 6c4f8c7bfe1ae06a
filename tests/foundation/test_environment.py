"""What a figure was measured with."""

import subprocess

from snelfs.foundation import environment as environment_module
from snelfs.foundation.environment import environment


def test_the_environment_names_commit_versions_and_machine():
    """A figure can be traced to what made it."""
    found = environment()
    assert {"commit", "python", "jax", "numpy", "scikit-learn", "cpu", "cores"} <= found.keys()
    assert all(found.values())


def test_new_results_alone_do_not_make_a_tree_dirty(tmp_path, monkeypatch):
    """A run writes its records while it goes on; a change of the source is marked."""

    def git(*words):
        subprocess.run(["git", "-C", tmp_path, *words], check=True, capture_output=True)

    source, results = tmp_path / "src", tmp_path / "results"
    source.mkdir()
    results.mkdir()
    (source / "module.py").write_text("one\n")
    (results / "table.md").write_text("one\n")
    git("init")
    git("add", ".")
    git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-m", "first")
    monkeypatch.setattr(environment_module, "__file__", str(source / "module.py"))
    clean = environment_module.commit()
    (results / "table.md").write_text("two\n")
    (results / "new.md").write_text("two\n")
    assert environment_module.commit() == clean
    (source / "module.py").write_text("two\n")
    assert environment_module.commit() == f"{clean}-dirty"
