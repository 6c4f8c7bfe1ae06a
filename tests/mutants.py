"""Change the mathematics and the decision rules sign by sign, and count what the tests do not notice.

``python tests/mutants.py [module ...]``, as `make test-mutants` calls it, works on a copy of the sources in a
temporary folder with cosmic-ray, and prints for each module how many changes survive, and which.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]

# A module and the tests that must notice a change of it.
MODULES = {
    "engine/penalties": "engine/test_penalties.py",
    "engine/schedule": "engine/test_schedule.py",
    "engine/best_epoch": "engine/test_best_epoch.py",
    "engine/saliency": "engine/test_saliency.py",
    "data/splits": "data/test_splits.py",
    "search/q_values": "search/test_q_values.py",
    "search/feature_count": "search/test_feature_count.py",
    "evaluation/rivals/mrmr": "evaluation/test_mrmr.py",
    "evaluation/rivals/relief": "evaluation/test_relief.py",
    "evaluation/verdict": "evaluation/test_verdict.py",
}
CONFIG = """[cosmic-ray]
module-path = "src/snelfs/{module}.py"
timeout = 240
excluded-modules = []
test-command = "{python} -m pytest -x -q -p no:cacheprovider tests/{tests} src/snelfs/{module}.py"

[cosmic-ray.distributor]
name = "local"

[cosmic-ray.filters.operators-filter]
exclude-operators = ["core/ReplaceBinaryOperator_BitOr_.*"] # the bars of annotations
"""
TOOLS = Path(sys.executable).parent


def survivors(module, folder):
    """Return what cosmic-ray says of a module: the changes that no test notices, and how many there were."""
    config, session = folder / "mutants.toml", folder / f"{module.replace('/', '-')}.sqlite"
    config.write_text(CONFIG.format(module=module, tests=MODULES[module], python=sys.executable))
    called(folder, "cosmic-ray", "baseline", config)
    called(folder, "cosmic-ray", "init", config, session)
    called(folder, "cr-filter-operators", session, config)
    called(folder, "cosmic-ray", "exec", config, session)
    return called(folder, "cr-report", "--show-diff", "--surviving-only", session)


def called(folder, tool, *arguments):
    """Return what one of the tools prints when called in a folder."""
    environment = os.environ | {"PYTHONPATH": str(folder / "src")}
    call = [TOOLS / tool, *arguments]
    done = subprocess.run(call, cwd=folder, env=environment, check=True, capture_output=True, text=True)
    return done.stdout


def main():
    """Try the modules named, or all."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for part in ("src", "tests"):
            shutil.copytree(ROOT / part, folder / part)
        shutil.copy(ROOT / "pyproject.toml", folder)
        for module in sys.argv[1:] or MODULES:
            print(f"== {module}\n{survivors(module, folder)}", flush=True)


if __name__ == "__main__":
    main()
