"""scikit-learn's own battery of estimator checks, whole and without exceptions."""

import pytest
from sklearn.utils.estimator_checks import estimator_checks_generator, parametrize_with_checks

from snelfs import SNeLClassifier, SNeLRegressor

# One round and a short training: the checks ask for manners, and every new shape is compiled. What a user
# gets by default goes through the same checks among the slow tests.
SHORT = {"n_restarts": 2, "steps": 6, "refine": False}
ESTIMATORS = [SNeLClassifier(**SHORT), SNeLRegressor(**SHORT)]

# The battery fits thirty rows of noise; that some restart may find nothing to settle on is no failure.
pytestmark = pytest.mark.filterwarnings("default::sklearn.exceptions.ConvergenceWarning")


@parametrize_with_checks(ESTIMATORS)
def test_estimator_check(estimator, check):
    """Every check passes; none is expected to fail."""
    check(estimator)


@pytest.mark.slow
@parametrize_with_checks([SNeLClassifier(), SNeLRegressor()])
def test_the_defaults_pass_the_same_checks(estimator, check):
    """Two rounds and all restarts have the same manners."""
    check(estimator)


def score_checks():
    """Yield the checks that hold a classifier to an accuracy, for one that keeps all columns.

    Their bar needs both columns of a two-column set, so the default, which keeps one, is not held to it.
    """
    for estimator, check in estimator_checks_generator(SNeLClassifier(1.0, **SHORT)):
        if check.func.__name__ in ("check_classifiers_train", "check_classifiers_classes"):
            yield pytest.param(estimator, check, id=check.func.__name__)


@pytest.mark.parametrize(("estimator", "check"), list(score_checks()))
def test_the_refitted_network_reaches_the_batterys_accuracy(estimator, check):
    """With all columns kept, the model that predicts is as good as scikit-learn asks for."""
    check(estimator)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=str)
def test_the_battery_is_whole(estimator):
    """The battery has really run: it holds the checks of selectors, models and sample weights."""
    names = [check.func.__name__ for _, check in estimator_checks_generator(estimator)]
    assert len(names) >= 60
    assert {
        "check_sample_weight_equivalence_on_dense_data",
        "check_transformer_general",
        "check_transformer_preserve_dtypes",
        "check_readonly_memmap_input",
        "check_n_features_in_after_fitting",
    } <= set(names)
