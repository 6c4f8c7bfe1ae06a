"""Columns that enter beside the layer: found by name, coded, and what they leave of others."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from snelfs.data.beside import (
    NOTHING,
    Beside,
    category_strata,
    chosen_columns,
    design,
    freed,
    refuse_contradictions,
    refuse_useless,
)
from snelfs.data.groups import shuffled_rows
from snelfs.data.prepared import prepare
from snelfs.data.rows import Rows, merge_rows
from snelfs.data.sources import Source
from snelfs.data.target import standardise_target

NAMES = ["age", "sex", "gene 1", "gene 2"]


def places(*numbers):
    return np.array(numbers, dtype=np.int64)


@pytest.mark.parametrize("asked", [["sex", "gene 2"], [1, 3], [False, True, False, True], np.array([1, 3])])
def test_columns_are_named_numbered_or_marked(asked):
    """Each way finds the same."""
    assert chosen_columns("keep", asked, 4, NAMES).tolist() == [1, 3]
    assert chosen_columns("keep", "sex", 4, NAMES).tolist() == [1]
    assert chosen_columns("keep", None, 4, NAMES).tolist() == []


@pytest.mark.parametrize(
    ("asked", "names", "said"),
    [
        (["gene1"], NAMES, "names 'gene1', which is no column; the nearest names are 'gene 1', 'gene 2'"),
        (["age"], None, "names 'age', but X has no names: give positions or a mask"),
        ([4], NAMES, "positions from 0 to 3 or a mask of the columns, got 4"),
        ([-1], NAMES, "got -1"),
        ([True, False], NAMES, "must mark each of the 4 columns in a mask, got 2 marks"),
        ([1, 1], NAMES, "names 1 more than once"),
        ([0.5], NAMES, "got 0.5"),
    ],
)
def test_what_is_no_column_is_said(asked, names, said):
    """With the argument it was given for."""
    with pytest.raises(ValueError, match=f"^covariates .*{said}"):
        chosen_columns("covariates", asked, 4, names)


@pytest.mark.parametrize(
    ("keep", "covariates", "n_selected", "said"),
    [
        (places(0), places(0, 1), 2, "keep names 'age', and so does covariates: choose one"),
        (places(0, 1, 2, 3), places(), 4, "keep leaves none of the 4 columns"),
        (places(), places(0, 1, 2, 3), 1, "covariates leaves none of the 4 columns"),
        (
            places(0, 1),
            places(),
            2,
            r"keep names 2 of 2 column\(s\) to select, which leaves none to look for",
        ),
    ],
)
def test_contradictions_are_said(keep, covariates, n_selected, said):
    """Before anything is trained."""
    with pytest.raises(ValueError, match=said):
        refuse_contradictions(Beside(keep, covariates, (0,) * len(covariates)), 4, n_selected, NAMES)
    refuse_contradictions(Beside(places(0), places(1), (0,)), 4, 2, NAMES)
    refuse_contradictions(NOTHING, 4, 4, NAMES)


@pytest.mark.parametrize(
    ("column", "target", "said"),
    [
        (np.ones(6), np.arange(6.0), "'c', which is constant"),
        (np.array([5.0, 5, 7, 7, 5, 7]), np.array(list("aabbab")), "says the same as the target"),
        (3 - 2 * np.arange(6.0), np.arange(6.0), "says the same as the target"),
    ],
)
def test_useless_covariates_are_said(column, target, said):
    """A constant, and the target under another name; gaps do not hide them."""
    with pytest.raises(ValueError, match=f"covariates names .*{said}"):
        refuse_useless(column[:, None], target, ["c"])
    gapped = np.append(column, np.nan)
    with pytest.raises(ValueError, match=said):
        refuse_useless(gapped[:, None], np.append(target, target[:1]), ["c"])
    refuse_useless(np.array([[1.0], [2], [2], [1], [1], [2]]), np.array(list("aabbab")), ["c"])


def test_what_is_freed_has_nothing_to_do_with_its_inputs():
    """Under the weights given, and of a column that the inputs make up nothing is left."""
    generator = np.random.default_rng(0)
    C, weights = generator.standard_normal((40, 2)), generator.random(40) + 0.1
    Z = np.c_[generator.standard_normal(40) + C[:, 0], C @ [1.0, -2.0] + 3]
    left = freed(Z, C, weights)
    np.testing.assert_allclose((weights[:, None] * left).T @ np.c_[np.ones(40), C], 0, atol=1e-9)
    assert np.abs(left[:, 1]).max() < 1e-9
    assert left[:, 0].std() > 0.5


def test_prepared_columns_are_freed_and_the_given_ones_apart():
    """Covariates and kept columns take no part; a copy of one has nothing left to say."""
    generator = np.random.default_rng(1)
    X = generator.standard_normal((50, 5))
    X[:, 3] = 2 * X[:, 0] - 1
    y = X[:, 0] + X[:, 1]
    rows = merge_rows(X, y, np.ones(50))
    beside = Beside(places(1), places(0), (0,))
    data = prepare(rows, standardise_target(rows.y, rows.weights)[1], beside)
    assert data.kept.tolist() == [2, 4]
    assert data.C.shape == (50, 2)
    np.testing.assert_allclose(data.Z.mean(axis=0), 0, atol=1e-6)
    np.testing.assert_allclose(data.Z.std(axis=0), 1, atol=1e-5)
    np.testing.assert_allclose(data.Z.T @ data.C, 0, atol=1e-4)
    assert np.abs(data.goals).max() < 1e-5  # the target is all theirs
    part = data.rows_where(np.arange(50) < 30)
    assert part.C.shape == (30, 2)
    assert part.kept.tolist() == [2, 4]


def test_categories_are_strata_of_shuffles():
    """Rows of one batch exchange their targets with their like; numbers make no strata."""
    values = np.c_[np.arange(12.0), np.arange(12) % 3]
    strata = category_strata(values, [0, 3])
    assert strata.tolist() == [0, 1, 2] * 4
    assert category_strata(values, [0, 0]) is None
    for groups in (None, np.arange(12) // 2):
        order = shuffled_rows(np.arange(12), groups, np.random.default_rng(0), strata)
        assert (order % 3 == np.arange(12) % 3).all()
    assert not np.array_equal(order, np.arange(12)) or groups is not None
    assert design(values[:2], [0, 3]).tolist() == [[0, 0, 0], [1, 1, 0]]


def test_what_is_missing_is_a_category_of_its_own():
    """Two values and gaps are a category, and all gaps are one."""
    values = np.array([[0.0], [1.0], [np.nan], [1.0], [0.0], [np.nan]])
    assert (
        category_strata(values, [0]).tolist() == category_strata(values, [2]).tolist() == [0, 1, 2, 1, 0, 2]
    )


def test_one_column_named_and_numbered_is_named_twice():
    with pytest.raises(ValueError, match="keep names 'sex' more than once"):
        chosen_columns("keep", ["sex", 1], 4, NAMES)


def test_a_copy_of_any_target_is_refused():
    """Of the second label as well as of the first."""
    targets = np.random.default_rng(0).integers(0, 2, (20, 2))
    with pytest.raises(ValueError, match="says the same as the target"):
        refuse_useless(targets[:, [1]].astype(float), targets, ["age"])


@given(seed=st.integers(0, 200), power=st.sampled_from([0, 150, -150]))
def test_columns_are_freed_alike_in_blocks_and_at_once(seed, power):
    """What is left of them is that of weighted least squares, with a deviation of 1, whatever their scale."""
    generator = np.random.default_rng(seed)
    X = np.where(generator.random((30, 6)) < 0.4, 0.0, generator.standard_normal((30, 6)))
    X[:, 1] = X[:, 0] + 0.5 * X[:, 1]
    X[:, 5] = 0.5  # constant
    X[:, 2] *= 10.0**power
    weights = generator.uniform(0.5, 2, 30)
    beside = Beside(np.array([3]), np.array([0]), (0,))
    both = [
        prepare(Rows(table, np.zeros(30), weights), standardise_target(X[:, 4], weights)[1], beside)
        for table in (X, Source(sparse.csr_array(X)))
    ]
    whole, parts = both
    np.testing.assert_array_equal(whole.kept, parts.kept)
    some = np.array([4, 7, 2])
    np.testing.assert_allclose(parts.Z[:, :], whole.Z, atol=2e-5)
    np.testing.assert_allclose(parts.Z[some][:, [1]], whole.Z[some][:, [1]], atol=2e-5)
    np.testing.assert_allclose(np.average(np.square(parts.Z[:, :]), axis=0, weights=weights), 1, rtol=1e-4)


def test_inputs_that_follow_from_others_take_nothing_more_away():
    """Centres of nested batches, copies, and indicators of what is in no row."""
    generator = np.random.default_rng(0)
    Z, weights = generator.standard_normal((40, 6)), generator.uniform(0.5, 2, 40)
    batch = (np.arange(40)[:, None] % 12 == np.arange(1, 12)).astype(float)
    centre = np.stack([batch[:, :4].sum(axis=1), batch[:, 4:8].sum(axis=1)], axis=1)
    alone = freed(Z, batch, weights)
    for more in (centre, batch, np.zeros((40, 3))):
        given = np.c_[batch, more].astype(np.float32)
        np.testing.assert_allclose(freed(Z, given, weights), alone, atol=1e-6)
    wide = freed(Z, np.c_[batch, generator.standard_normal((40, 60))], weights)
    np.testing.assert_allclose(wide, 0, atol=1e-8)  # as many directions as rows leave nothing
