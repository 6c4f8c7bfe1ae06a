"""Change the mathematics and the decision rules sign by sign, and count what the tests do not notice.

``python tests/mutants.py [module ...]``, as `make test-mutants` calls it, works on a copy of the sources in a
temporary folder with cosmic-ray, and prints for each module how many changes survive, and which.

A change takes a second or two: cosmic-ray's test command only asks this process, which has imported what the
tests import of others, to run them in a copy of itself.
"""

import importlib
import importlib.util
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
TOOLS = Path(sys.executable).parent

# A module and the tests that must notice a change of it.
MODULES = {
    "engine/penalties": "engine/test_penalties.py",
    "engine/schedule": "engine/test_schedule.py",
    "engine/best_epoch": "engine/test_best_epoch.py",
    "engine/saliency": "engine/test_saliency.py",
    "data/splits": "data/test_splits.py data/test_groups.py",
    "search/q_values": "search/test_q_values.py",
    "search/feature_count": "search/test_feature_count.py",
    "evaluation/rivals/mrmr": "evaluation/test_mrmr.py",
    "evaluation/rivals/relief": "evaluation/test_relief.py",
    "evaluation/verdict": "evaluation/test_verdict.py",
}
# What tests import of others. Nothing of it may start a thread: a copy of the process would not have it.
IMPORTED_BEFORE = (
    "hypothesis.extra.numpy",
    "jax.numpy",
    "optax",
    "pandas",
    "pytest",
    "scipy.optimize",
    "scipy.stats",
    "sklearn.ensemble",
    "sklearn.linear_model",
    "sklearn.model_selection",
    "sklearn.neural_network",
    "statsmodels.api",
)
TIME_LIMIT = 120  # seconds; a change may make a loop endless
CONFIG = """[cosmic-ray]
module-path = "src/snelfs/{module}.py"
timeout = {limit}
excluded-modules = []
test-command = "{python} -S {folder}/ask.py"

[cosmic-ray.distributor]
name = "local"

[cosmic-ray.filters.operators-filter]
exclude-operators = ["core/ReplaceBinaryOperator_BitOr_.*"] # the bars of annotations
"""
ASK = """import socket, sys
asking = socket.socket(socket.AF_UNIX)
asking.connect({address!r})
sys.exit(int(asking.makefile().readline() or 1))
"""


def survivors(module, folder, listener):
    """Return what cosmic-ray says of a module: the changes that no test notices, and how many there were."""
    config, session = folder / "mutants.toml", folder / f"{module.replace('/', '-')}.sqlite"
    values = {"module": module, "folder": folder, "python": sys.executable, "limit": TIME_LIMIT + 30}
    config.write_text(CONFIG.format(**values))
    calls = [("cosmic-ray", "baseline", config), ("cosmic-ray", "init", config, session)]
    calls += [("cr-filter-operators", session, config), ("cosmic-ray", "exec", config, session)]
    calls += [("cr-report", "--show-diff", "--surviving-only", session)]
    for tool, *arguments in calls:
        printed = answered(module, folder, listener, [TOOLS / tool, *arguments])
    return printed


def answered(module, folder, listener, call):
    """Return what a tool prints, and run the tests of a module as often as it asks for them."""
    with (folder / "printed").open("w+") as printed:
        tool = subprocess.Popen(call, cwd=folder, stdout=printed, stderr=subprocess.STDOUT)
        while tool.poll() is None:
            try:
                asking = listener.accept()[0]
            except TimeoutError:
                continue
            asking.sendall(f"{outcome(module, folder)}\n".encode())
            asking.close()
        printed.seek(0)
        text = printed.read()
    if tool.returncode:
        raise SystemExit(f"{call[0].name} failed on {module}:\n{text}")
    return text


def outcome(module, folder):
    """Return the exit code of a module's tests, run in a copy of this process."""
    child = os.fork()
    if child:
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        return abs(status)
    signal.alarm(TIME_LIMIT)
    source = folder / "src" / "snelfs" / f"{module}.py"
    # A change of the same length within the same second would not be seen to be one.
    Path(importlib.util.cache_from_source(source)).unlink(missing_ok=True)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    os.chdir(folder)
    import pytest

    arguments = ["-x", "-q", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
    tests = [f"tests/{name}" for name in MODULES[module].split()]
    try:
        os._exit(int(pytest.main([*arguments, *tests, str(source)])))
    finally:  # whatever a change has done, the copy does not go on as if it were this process
        os._exit(70)


def main():
    """Try the modules named, or all."""
    with tempfile.TemporaryDirectory() as temporary, socket.socket(socket.AF_UNIX) as listener:
        folder = Path(temporary)
        for part in ("src", "tests"):
            shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "pyproject.toml", folder)
        (folder / "ask.py").write_text(ASK.format(address=str(folder / "door")))
        sys.path.insert(0, str(folder / "src"))
        os.environ |= {"PYTHONPATH": str(folder / "src"), "SNELFS_CACHE": str(ROOT / ".cache")}
        # Plugins that other packages bring would be imported once more for every change.
        os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
        for name in IMPORTED_BEFORE:
            importlib.import_module(name)
        listener.bind(str(folder / "door"))
        listener.listen()
        listener.settimeout(0.1)
        for module in sys.argv[1:] or MODULES:
            print(f"== {module}\n{survivors(module, folder, listener)}", flush=True)


if __name__ == "__main__":
    main()
