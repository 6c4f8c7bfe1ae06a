"""What a figure was measured with: the commit, the versions, the machine."""

import os
import platform
import subprocess
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

USED = ("snelfs", "jax", "numpy", "scipy", "scikit-learn", "optax")  # by every selection
PACKAGES = (
    *USED,
    *("torch", "tensorflow_cpu", "lassonet", "boruta", "skrebate", "fast-select", "matplotlib"),
)


def environment(packages: Sequence[str] = PACKAGES) -> dict[str, str]:
    """Return what a figure was measured with: commit, versions of packages that are there, and machine."""
    return {
        "commit": commit(),
        "python": platform.python_version(),
        **{name: found for name in packages if (found := _version(name))},
        "cpu": _cpu(),
        "cores": str(os.cpu_count()),
    }


def commit() -> str:
    """Return the commit of the running source, marked if more than results was changed since."""
    try:
        name = _git("describe", "--always", "--abbrev=12", "--exclude=*")
        changed = _git("status", "--porcelain", "--", ":/", ":(exclude,top)results")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return f"{name}-dirty" if changed else name


def _git(*words: str) -> str:
    command = ["git", "-C", str(Path(__file__).parent), *words]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
