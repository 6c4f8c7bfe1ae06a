"""Try an installed package from a folder without its sources: ``python installed.py bare|cli``.

`make test-wheel` runs it in a fresh environment. It is a script, as that environment has no pytest.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

QUICK = {"n_features_to_select": 3, "n_restarts": 2, "steps": 4, "random_state": 0}


def some_table():
    X = np.random.default_rng(0).standard_normal((40, 10))
    return X, np.where(X[:, 2] + X[:, 5] > 0, "high", "low")


def try_bare():
    """Import, fit, the paper's settings and the registry of datasets need no extra."""
    import snelfs
    from snelfs import SNeLClassifier, paper_settings
    from snelfs.datasets import list_microarray, microarray_facts

    assert "site-packages" in snelfs.__file__, snelfs.__file__
    X, y = some_table()
    selector = SNeLClassifier(**QUICK).fit(X, y)
    assert selector.transform(X).shape == (40, 3)
    assert set(selector.predict(X)) <= {"high", "low"}
    assert paper_settings("xor")
    assert all(microarray_facts(name).n_features > 100 for name in list_microarray())


def try_cli():
    """The command says what it does, and selects from a file to a report."""
    command = str(Path(sys.executable).with_name("snelfs"))
    shown = subprocess.run([command, "--help"], check=True, capture_output=True, text=True).stdout
    assert "select" in shown
    X, y = some_table()
    with tempfile.TemporaryDirectory() as folder:
        rows = [",".join([*map(repr, map(float, row)), label]) for row, label in zip(X, y, strict=True)]
        heading = ",".join([*(f"g{place}" for place in range(X.shape[1])), "class"])
        Path(folder, "table.csv").write_text("\n".join([heading, *rows]) + "\n")
        call = [command, "select", "table.csv", "--target", "class", "-k", "3", "--output", "found"]
        subprocess.run(call, check=True, cwd=folder, capture_output=True)
        assert "<html" in Path(folder, "found", "report.html").read_text(encoding="utf-8")


if __name__ == "__main__":
    {"bare": try_bare, "cli": try_cli}[sys.argv[1]]()
    print(f"installed package, {sys.argv[1]}: all well")
