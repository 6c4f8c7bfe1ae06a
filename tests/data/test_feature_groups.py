"""Groups of columns: what they are called, what is wrong with some, and what is selected as a whole."""

import numpy as np
import pytest

from snelfs.data.beside import NOTHING, Beside
from snelfs.data.feature_groups import group_codes, refuse_torn_groups, units_of
from snelfs.data.prepared import prepare
from snelfs.data.rows import merge_rows
from snelfs.data.target import standardise_target
from snelfs.foundation.checks import ArgumentError

NAMES = ["age", "sex", "red", "green"]
NUMBERS = np.zeros(4, int)
WHOLE = np.zeros(4, bool)  # columns without gaps


@pytest.mark.parametrize("alone", [None, "", float("nan")])
def test_labels_and_a_mapping_say_the_same(alone):
    """A column without a label is alone."""
    codes, called = group_codes([alone, alone, "colour", "colour"], 4, NAMES)
    mapped = group_codes({"colour": ["green", "red"]}, 4, NAMES)
    assert codes.tolist() == mapped[0].tolist() == [-1, -1, 0, 0]
    assert called == mapped[1] == ["colour"]
    by_place = group_codes({"colour": [2, 3]}, 4, None)[0]
    by_mask = group_codes({"colour": [False, False, True, True]}, 4, None)[0]
    assert by_place.tolist() == by_mask.tolist() == codes.tolist()


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["a", "b"], "one label for each of the 4 columns, or a mapping of names to columns, got 2 labels"),
        ("colour", "got 'colour'"),
        ({"colour": ["grene"]}, "names 'grene', which is no column; the nearest name is 'green'"),
        ({"a": ["age", "sex"], "b": ["sex"]}, "puts the column 'sex' into two groups, 'a' and 'b'"),
        ({1: ["age"], "1": ["sex"]}, "calls two groups '1'"),
        (["a"] * 4, "puts all 4 columns into the group 'a', which leaves nothing to choose from"),
        ({"a": []}, "has no column in the group 'a'"),
        ({"a": [4]}, "positions from 0 to 3"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(asked, said):
    """With the bad value, and the nearest name where there is one."""
    with pytest.raises(ArgumentError, match=said):
        group_codes(asked, 4, NAMES)


def test_without_groups_of_several_there_are_no_units():
    """A table of lone columns is searched as before."""
    assert units_of(np.full(4, -1), NUMBERS, WHOLE, one_each=False) is None
    assert units_of(np.arange(4), NUMBERS, WHOLE, one_each=True) is None
    assert units_of(np.full(4, -1), np.array([0, 3, 0, 0]), WHOLE, one_each=False).levels.tolist() == [
        0,
        3,
        0,
        0,
    ]


def test_columns_that_compete_are_units_of_their_own():
    """Of which at most one a group is selected."""
    units = units_of(np.array([0, -1, 0, -1]), NUMBERS, WHOLE, one_each=True)
    assert units.of.tolist() == [0, 1, 2, 3]
    assert units.rivals.tolist() == [0, 1, 0, 2]


@pytest.mark.parametrize(
    ("keep", "covariates", "one_each", "said"),
    [
        ([], [2], False, "feature_groups holds the covariate 'red'"),
        ([2], [], False, "keep leaves 'green' out of a group"),
        ([2, 3], [], True, "keep names 'red', 'green' of one group, and only one may stay"),
    ],
)
def test_groups_are_not_torn(keep, covariates, one_each, said):
    """Beside the layer there is all of a group or nothing of it."""
    units = units_of(np.array([-1, -1, 0, 0]), NUMBERS, WHOLE, one_each=one_each)
    beside = Beside(np.array(keep, int), np.array(covariates, int), (0,) * len(covariates))
    with pytest.raises(ArgumentError, match=said):
        refuse_torn_groups(units, beside, NAMES)
    refuse_torn_groups(units, NOTHING, NAMES)


def test_units_are_told_from_columns():
    """A group whose first column is constant keeps its place; parts are chosen by units."""
    X = np.random.default_rng(0).standard_normal((30, 5))
    X[:, 0] = 1.0
    rows = merge_rows(X, X[:, 1], np.ones(30))
    units = units_of(np.array([0, -1, 1, 1, 0]), np.zeros(5, int), np.zeros(5, bool), one_each=False)
    data = prepare(rows, standardise_target(rows.y, rows.weights)[1], units=units)
    assert data.kept.tolist() == [1, 2, 3, 4]
    assert data.entries.tolist() == [0, 1, 2]
    assert [own.tolist() for own in data.members] == [[3], [0], [1, 2]]
    part = data.part(np.array([0, 2]))
    assert part.kept.tolist() == [2, 3, 4]
    assert part.entries.tolist() == [0, 2]
    assert data.features_of(np.array([2, 0])).tolist() == [2, 3, 0, 4]
    assert data.rows_where(np.arange(30) < 20).entries.tolist() == [0, 1, 2]
