"""What the tests of evaluations share."""

import pytest

from snelfs.evaluation import judges


@pytest.fixture(scope="module", autouse=True)
def few_trees():
    """What is asked here is what becomes of the judges' scores; their forests may be small."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(judges, "TREES", 20)
        patch.setattr(judges, "REGRESSION_TREES", 20)
        yield
