"""The units of a table mean nothing: any finite table gives what its rescaled twin gives."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from snelfs import SNeLClassifier, SNeLRegressor
from snelfs.data.prepared import prepare
from snelfs.data.rows import merge_rows
from snelfs.data.sources import Source
from snelfs.data.standardisation import Standardisation
from snelfs.data.target import standardise_target

ROWS, COLUMNS = 12, 4
FORMS = {"dense": np.asarray, "sparse": lambda X: Source(sparse.csr_array(X)), "on disk": Source}

scales = st.lists(st.floats(1e-300, 1e300), min_size=COLUMNS, max_size=COLUMNS).map(np.array)
seeds = st.integers(0, 2**32 - 1)
every_form = pytest.mark.parametrize("form", FORMS)


def plain_table(seed):
    """Return a table of ordinary size with zeros, a constant column and a row given twice."""
    generator = np.random.default_rng(seed)
    X = generator.standard_normal((ROWS, COLUMNS)) * (generator.random((ROWS, COLUMNS)) < 0.7)
    X[:, 2] = 0.1
    X[1] = X[0]
    return X


def target_of(X):
    """Return a target that is the same for equal rows: else their order would depend on what they hold."""
    return X @ [1.0, -2.0, 3.0, 0.5]


def whole(X):
    return np.asarray(X[:, :])


@every_form
@settings(max_examples=60, deadline=None)
@given(seed=seeds, scale=scales)
def test_moments_have_the_units_of_their_columns(form, seed, scale):
    """Mean and deviation are those of the twin in other units; what varies in one varies in the other."""
    X, weights = plain_table(seed), np.random.default_rng(seed).random(ROWS)
    twin = Standardisation.of(FORMS[form](X * scale), weights)
    own = Standardisation.of(FORMS[form](X), weights)
    np.testing.assert_array_equal(twin.varies, own.varies)
    np.testing.assert_allclose(twin.scale[own.varies], (own.scale * scale)[own.varies], rtol=1e-9)
    np.testing.assert_allclose(twin.mean / scale, own.mean, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(twin.apply(X * scale)[:, own.varies], own.apply(X)[:, own.varies], atol=1e-9)
    np.testing.assert_allclose(
        twin.undo(twin.apply(X * scale))[:, own.varies] / scale[own.varies], X[:, own.varies], atol=1e-9
    )


@every_form
@settings(max_examples=60, deadline=None)
@given(seed=seeds, scale=scales, unit=st.floats(1e-300, 1e300))
def test_rows_are_prepared_alike_in_any_units(form, seed, scale, unit):
    """The same rows in the same order, the same columns and targets on the standard scale."""
    X, y = plain_table(seed), target_of(plain_table(seed))
    found = []
    for table, target in ((X, y), (X * scale, y * unit)):
        rows = merge_rows(FORMS[form](table), target, np.ones(ROWS))
        found.append(prepare(rows, standardise_target(rows.y, rows.weights)[1]))
    own, twin = found
    assert own.rows.weights.tolist() == twin.rows.weights.tolist()
    np.testing.assert_allclose(twin.rows.y / unit, own.rows.y, rtol=1e-9)
    np.testing.assert_array_equal(twin.kept, own.kept)
    np.testing.assert_allclose(whole(twin.Z), whole(own.Z), atol=1e-5)
    np.testing.assert_allclose(twin.target.values, own.target.values, atol=1e-5)
    np.testing.assert_allclose(whole(twin.rows.X) / scale, whole(own.rows.X), rtol=1e-6)


@every_form
@settings(max_examples=60, deadline=None)
@given(seed=seeds, powers=st.lists(st.integers(-900, 900), min_size=COLUMNS, max_size=COLUMNS))
def test_units_that_are_powers_of_two_leave_every_bit(form, seed, powers):
    """Nothing is rounded on the way."""
    X, y, factor = plain_table(seed), target_of(plain_table(seed)), np.ldexp(1.0, powers)
    found = []
    for table in (X, X * factor):
        rows = merge_rows(FORMS[form](table), y, np.ones(ROWS))
        found.append(prepare(rows, standardise_target(rows.y, rows.weights)[1]))
    np.testing.assert_array_equal(whole(found[0].Z), whole(found[1].Z))
    np.testing.assert_array_equal(found[0].rows.y, found[1].rows.y)


@every_form
def test_the_ends_of_double_precision_are_no_exception(form):
    """The largest numbers of both signs, and the smallest that have all their digits."""
    largest, least = np.finfo(float).max, np.finfo(float).tiny
    signs = np.where(np.arange(ROWS) % 3 == 0, -1.0, 1.0)
    X = np.column_stack([signs * largest, (signs + 1) * least, signs, signs])
    rows = merge_rows(FORMS[form](X), np.arange(float(ROWS)), np.ones(ROWS))
    Z = whole(prepare(rows, standardise_target(rows.y, rows.weights)[1]).Z)
    np.testing.assert_allclose(Z[:, 0], Z[:, 2], rtol=1e-6)
    np.testing.assert_allclose(Z[:, 1], Z[:, 2], rtol=1e-6)


@pytest.mark.parametrize("weight", [1e308, 1e-308])
def test_weights_of_any_size_are_shares(weight):
    """Their sum does not overflow, and rows of equal weight stay so."""
    X = plain_table(0)
    rows = merge_rows(X, np.arange(float(ROWS)), np.full(ROWS, weight))
    shares = rows.weights / rows.weights.sum()
    np.testing.assert_allclose(shares, 1 / ROWS)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("unit", [1e160, 1e-165, 1e300, 1e-300])
def test_a_selection_does_not_depend_on_units(form, unit, table, quick):
    """Columns and target of any size give the twin's ranking, and predictions in the target's units."""
    X, y = table
    mixed = np.ones(X.shape[1])
    mixed[[4, 7]] = unit
    own = SNeLRegressor(**quick).fit(form(X), y)
    twin = SNeLRegressor(**quick).fit(form(X * mixed), y * unit)
    assert set(np.argsort(twin.ranking_)[:3]) == {4, 11, 17}
    np.testing.assert_array_equal(np.argsort(twin.ranking_)[:3], np.argsort(own.ranking_)[:3])
    predicted = twin.predict(form(X * mixed)) / unit
    assert np.corrcoef(predicted, y)[0, 1] > 0.99
    np.testing.assert_allclose(twin.transform(X * mixed) / mixed[twin.support_], X[:, twin.support_])


def test_classes_do_not_depend_on_units(table, quick):
    """Bit for bit, where the units are powers of two."""
    X, y = table
    factor = np.ldexp(1.0, np.linspace(-990, 990, X.shape[1]).astype(int))
    labels = np.where(y > 0, "high", "low")
    own, twin = (SNeLClassifier(**quick).fit(table, labels) for table in (X, X * factor))
    np.testing.assert_array_equal(twin.feature_importances_, own.feature_importances_)
    np.testing.assert_array_equal(twin.predict_proba(X * factor), own.predict_proba(X))
