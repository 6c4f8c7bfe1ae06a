"""What columns say together with a strong one."""

import numpy as np
import pytest
from statsmodels.multivariate.multivariate_ols import _MultivariateOLS

from snelfs.search.curves import column_functions
from snelfs.search.joint_effects import BENT, JointEffects, shuffles_of, uncorrelated
from snelfs.search.rank_statistics import normal_scores

SHARES = np.full(150, 1 / 150)


def joint(products, Z, bent=BENT, shuffled=None, blocks=1):
    """Return the judge of some columns, which were taken in by so many blocks."""
    rows = np.empty((0, len(Z)), np.intp) if shuffled is None else shuffled
    effects = JointEffects(products, SHARES, rows, Z.shape[1], len(Z) - 2)
    for part in np.array_split(np.arange(Z.shape[1]), blocks):
        block = slice(part[0], part[-1] + 1)
        effects.take(block, column_functions(Z[:, block], SHARES, bent))
    return effects


def products_with(left, Z):
    """Return what is left of a target times each function of the first column."""
    return left[:, None] * column_functions(Z[:, [0]], SHARES, BENT)[:, :, 0]


@pytest.fixture(scope="module")
def table():
    """Columns as normal scores, and what is left of a target times functions of one of them."""
    generator = np.random.default_rng(0)
    Z = normal_scores(generator.standard_normal((150, 40)))
    left = generator.standard_normal(150) + (np.abs(Z[:, 3]) - 0.8) * Z[:, 0]
    return Z, uncorrelated(products_with(left, Z), SHARES)


def test_evidence_is_that_of_a_multivariate_test(table):
    """Pillai's trace and its F-test by statsmodels, for one, two and three functions of a column."""
    Z, products = table
    for bent in (1, 2, BENT):
        found = joint(products, Z, bent).found
        for column in (1, 3, 17):
            functions = column_functions(Z[:, [column]], SHARES, bent)[:, :, 0].astype(float)
            model = _MultivariateOLS(products.astype(float), np.c_[np.ones(150), functions]).fit()
            contrast = np.eye(bent + 1)[1:]
            rows = model.mv_test([("functions", contrast)]).results["functions"]["stat"]
            p = float(rows.loc["Pillai's trace", "Pr > F"])
            assert found[column] == pytest.approx(-np.log10(p), rel=1e-3, abs=1e-4)


def test_blocks_of_columns_change_nothing(table):
    """Evidence and what shuffles show are the same however the columns come."""
    Z, products = table
    generator = np.random.default_rng(1)
    shuffled = np.stack([generator.permutation(150) for _ in range(30)])
    whole, parts = (joint(products, Z, shuffled=shuffled, blocks=n) for n in (1, 7))
    np.testing.assert_allclose(parts.calibrated(), whole.calibrated(), rtol=1e-5, atol=1e-6)
    assert whole.calibrated()[1:].argmax() == 2
    assert whole.calibrated()[3] > 2


def test_columns_of_two_and_three_values_have_fewer_functions():
    """A coin is asked about one function, a dose about two, and constants about nothing."""
    generator = np.random.default_rng(2)
    coins = generator.integers(0, 2, (150, 5)).astype(float)
    doses = generator.binomial(2, 0.4, (150, 5)).astype(float)
    Z = normal_scores(np.c_[coins, doses, np.ones(150)])
    products = uncorrelated(products_with(generator.standard_normal(150), Z), SHARES)
    assert products.any(axis=0).tolist() == [True, False, False]
    found = joint(products, Z).found
    assert found[10] == 0
    np.testing.assert_allclose(found[:5], joint(products, Z, bent=1).found[:5], rtol=1e-5)
    np.testing.assert_allclose(found[5:10], joint(products, Z, bent=2).found[5:10], rtol=1e-5)


def test_products_are_uncorrelated(table):
    """And of variance 1: the sum of squared correlations is then a trace."""
    _, products = table
    np.testing.assert_allclose(products.T @ products / 150, np.eye(BENT), atol=1e-4)


def test_many_columns_need_few_shuffles():
    """Never fewer than an exact test takes, and never more than were drawn."""
    assert shuffles_of(1) == shuffles_of(256) == 256
    assert shuffles_of(10**6) == 19
