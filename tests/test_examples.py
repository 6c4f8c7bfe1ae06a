"""Every example runs as it stands."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.py"))


PROMISES = {
    "demo.py": ["5 of 5 relevant columns found", "Open demo-selection/report.html in a browser"],
    "pipeline.py": ["accuracy in the folds"],
    "survival.py": ["5 of 5 relevant columns found", "c-index in the folds"],
    "pixels.py": ["accuracy with 13 of 64 pixels: 0.", "with as many random ones: 0."],
}


# What they call is tested elsewhere; continuous integration runs them.
SLOW = ("pipeline.py", "pixels.py", "survival.py")


def test_every_example_has_a_promise():
    """No example goes untested."""
    assert {path.name for path in EXAMPLES} == PROMISES.keys()


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, marks=[pytest.mark.slow] if path.name in SLOW else [], id=path.name)
        for path in EXAMPLES
    ],
)
def test_example_runs(path, tmp_path):
    """It ends well, what it promises to print is there, and so is the file that it speaks of."""
    command = [sys.executable, str(path)]
    shown = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert shown.returncode == 0, shown.stderr
    for promise in PROMISES[path.name]:
        assert promise in shown.stdout
    written = re.findall(r"Open (\S+)", shown.stdout)
    assert [name for name in written if not (tmp_path / name).is_file()] == []
