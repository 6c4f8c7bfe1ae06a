"""What a figure was measured with."""

from snelfs.foundation.environment import environment


def test_the_environment_names_commit_versions_and_machine():
    """A figure can be traced to what made it."""
    found = environment()
    assert {"commit", "python", "jax", "numpy", "scikit-learn", "cpu", "cores"} <= found.keys()
    assert all(found.values())
