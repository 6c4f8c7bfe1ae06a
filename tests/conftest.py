"""Shared data. All small tests use one shape, so that the engine compiles once for them."""

import os
from pathlib import Path

# scikit-learn's battery skips its check of foreign arrays unless scipy is told so before its import.
os.environ.setdefault("SCIPY_ARRAY_API", "1")

# Typer breaks its messages at this width; tests look for whole sentences in them.
os.environ.setdefault("TERMINAL_WIDTH", "1000")

# Compiled programs stay beside the project, for the next run of the tests.
os.environ.setdefault("SNELFS_CACHE", str(Path(__file__).parents[1] / ".cache"))

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

from shared import QUICK, SHARED_DATA

# How long an example takes is the machine's affair.
settings.register_profile(
    "unhurried", settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("unhurried")


@pytest.fixture(scope="session")
def quick():
    return dict(QUICK)


@pytest.fixture(scope="session")
def table():
    """60 rows of 20 columns, of which 4, 11 and 17 sum up to the target."""
    X = np.random.default_rng(0).standard_normal((60, 20))
    return X, X[:, [4, 11, 17]].sum(axis=1)


@pytest.fixture(scope="session")
def microarray():
    """Return a loader of real data, or skip where there is none (fail if they are required)."""
    folder = Path(os.environ.get("SNELFS_DATA", SHARED_DATA))

    def load(name):
        path = folder / f"{name}.npz"
        if not path.exists():
            reason = f"no {name}.npz in the folder that SNELFS_DATA names"
            if os.environ.get("SNELFS_REQUIRE_ALL"):
                pytest.fail(reason)
            pytest.skip(reason)
        with np.load(path) as stored:
            return stored["X"], stored["y"]

    return load
