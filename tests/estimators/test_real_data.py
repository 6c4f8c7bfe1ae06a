"""Real gene-expression data: wide, short, skewed and unscaled."""

import numpy as np
import pytest

from snelfs import SNeLClassifier


@pytest.mark.parametrize("name", ["colon", "srbct"])
def test_every_restart_of_a_default_fit_ends_in_a_selection(microarray, name):
    """All restarts have admitted epochs, so no warning (which would fail this test) and 30 named columns."""
    X, y = microarray(name)
    selector = SNeLClassifier(n_features_to_select=30, n_restarts=2, random_state=0).fit(X, y)
    assert selector.history_.admitted.any(axis=1).all()
    assert selector.support_.sum() == 30
    assert np.isfinite(selector.history_.objective).all()
    assert selector.score(X, y) > 0.9


@pytest.mark.slow
@pytest.mark.parametrize("name", ["leukemia", "prostate", "glioma_10367", "breast"])
def test_wide_data_end_in_a_selection_too(microarray, name):
    """At 7,000 to 22,000 columns the derived learning rate still lets every restart settle."""
    X, y = microarray(name)
    selector = SNeLClassifier(n_features_to_select=30, n_restarts=2, random_state=0).fit(X, y)
    assert selector.history_.admitted.any(axis=1).all()
