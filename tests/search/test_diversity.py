"""Lists of columns that are tied to the target and unlike each other."""

import numpy as np
import pytest

from snelfs.search.diversity import unlike_columns


@pytest.fixture(name="Z")
def columns_in_pairs():
    """Return 150 rows of 12 columns, of which 6 to 11 repeat 0 to 5 but for a little noise."""
    generator = np.random.default_rng(3)
    half = generator.standard_normal((150, 6))
    return np.c_[half, half + 0.2 * generator.standard_normal((150, 6))]


def test_a_column_that_repeats_another_waits(Z):
    """The two that matter most come first; their copies, though tied as strongly, come after the third."""
    y = Z[:, 0] + 0.95 * Z[:, 1] + 0.7 * Z[:, 2]
    found = unlike_columns(Z, y[:, None], np.ones(150), [], 3)
    assert {column % 6 for column in found} == {0, 1, 2}


def test_the_list_starts_with_what_is_given(Z):
    """Likeness to it counts from the first place that is filled."""
    y = Z[:, 0] + 0.9 * Z[:, 1]
    found = unlike_columns(Z, y[:, None], np.ones(150), [6, 4], 3)
    assert found[:2] == [6, 4]
    assert found[2] % 6 == 1


def test_targets_take_turns(Z):
    """Each names its next best: none has all the first places."""
    targets = np.c_[Z[:, 2], Z[:, 5] + 3 * np.random.default_rng(0).standard_normal(150)]
    found = unlike_columns(Z, targets, np.ones(150), [], 2)
    assert [column % 6 for column in found] == [2, 5]


def test_the_list_is_as_long_as_wanted_or_as_there_are_columns(Z):
    """No column twice."""
    y = Z[:, [0]]
    assert len(unlike_columns(Z, y, np.ones(150), [3], 7)) == 7
    assert sorted(unlike_columns(Z, y, np.ones(150), [3], 50)) == list(range(12))
    assert unlike_columns(Z, y, np.ones(150), [3, 4, 5], 2) == [3, 4]


def test_heavy_tails_do_not_matter(Z):
    """Ties and likeness are of ranks: any rising function of a column leaves the list as it is."""
    y = Z[:, 0] + 0.95 * Z[:, 1] + 0.7 * Z[:, 2]
    skewed = np.exp(3 * Z)
    assert unlike_columns(skewed, y[:, None], np.ones(150), [], 5) == unlike_columns(
        Z, y[:, None], np.ones(150), [], 5
    )
