"""No shape of data silently ends in the fallback: the defaults find admitted epochs."""

import numpy as np
import pytest

from snelfs import SNeLClassifier, SNeLRegressor


def make_data(kind, n_rows, n_columns):
    """Return independent, correlated, count or smooth columns, and a target made of the first three."""
    generator = np.random.default_rng(0)
    X = generator.standard_normal((n_rows, n_columns))
    if kind == "correlated":
        X += generator.standard_normal((n_rows, 10)) @ generator.standard_normal((10, n_columns)) / 2
    elif kind == "counts":
        X = generator.binomial(2, generator.uniform(0.05, 0.5, n_columns), (n_rows, n_columns)).astype(float)
    elif kind == "smooth":
        X = np.cumsum(X, axis=1)
    total = X[:, :3].sum(axis=1)
    return X, total / total.std() + generator.standard_normal(n_rows) / 2


def admitted(kind, shape, n_selected, **settings):
    """Tell for a classification and a regression whether enough restarts of the last round were admitted.

    That is all of them. One neuron alone that has several equally good columns to choose from may keep a
    mixture of them in one restart of four.
    """
    X, y = make_data(kind, *shape)
    for estimator, target in ((SNeLClassifier, y > np.median(y)), (SNeLRegressor, y)):
        fitted = estimator(n_selected, n_restarts=2, random_state=0, **settings).fit(X, target)
        yield fitted.history_.admitted.any(axis=1).mean() >= (0.75 if n_selected == 1 else 1.0)


@pytest.mark.filterwarnings("ignore:In the deciding round")  # of one neuron a restart may miss
@pytest.mark.parametrize(("shape", "n_selected"), [((150, 4), 1), ((60, 500), 15)])
def test_small_shapes_are_admitted(shape, n_selected):
    """One neuron for several good columns, and more columns than rows."""
    assert all(admitted("counts", shape, n_selected))


KINDS = ["independent", "correlated", "counts", "smooth"]
WIDE = [((60, 2000), 30), ((100, 3000), 90), ((100, 10_000), 30)]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:In the deciding round")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("shape", "n_selected"),
    [((20, 3), 2), ((150, 4), 1), ((60, 500), 15), ((1000, 50), 10), ((100, 200), 1)],
)
def test_all_shapes_are_admitted(kind, shape, n_selected):
    """From 3 to 500 columns, and from 1 to 15 neurons, in both rounds: a first one would warn."""
    assert all(admitted(kind, shape, n_selected))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:In the first round")  # nine steps are few among a thousand columns
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("shape", "n_selected"), WIDE)
def test_the_deciding_round_is_admitted_of_wide_shapes(kind, shape, n_selected):
    """Up to 10,000 columns, and 90 neurons: any warning of that round fails here."""
    assert all(admitted(kind, shape, n_selected))


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("shape", "n_selected"), WIDE)
def test_twice_the_steps_admit_both_rounds_of_wide_shapes(kind, shape, n_selected):
    """No round warns, as the guide promises to whoever sees the warning of a first round."""
    assert all(admitted(kind, shape, n_selected, steps=18))
