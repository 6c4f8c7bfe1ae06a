"""Every example runs as it stands."""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.py"))


PROMISES = {
    "demo.py": "5 of 5 relevant columns found",
    "pipeline.py": "accuracy in the folds",
}


def test_every_example_has_a_promise():
    """No example goes untested."""
    assert {path.name for path in EXAMPLES} == PROMISES.keys()


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_example_runs(path):
    """It ends well, and what it promises to print is there."""
    shown = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, check=False)
    assert shown.returncode == 0, shown.stderr
    assert PROMISES[path.name] in shown.stdout
