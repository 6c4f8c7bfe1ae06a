"""Rows that belong together, through both estimators, tuning, "auto", q-values and metadata routing."""

import numpy as np
import pytest
import sklearn
from sklearn.base import clone
from sklearn.linear_model import Ridge
from sklearn.model_selection import GroupKFold, cross_validate
from sklearn.pipeline import make_pipeline

import snelfs.data.prepared
import snelfs.data.splits
from snelfs import SNeLClassifier, SNeLRegressor, tune

GROUPS = np.repeat(np.arange(15), 4)

# Trainings are too short to settle; what they are told of groups is all that is asked here.
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
SHORT = {"steps": 4, "refine": False}


@pytest.fixture
def parted(monkeypatch):
    """Return a list that takes the groups every split is told of."""
    told = []

    def recorded(strata, weights, groups):
        told.append(groups)
        return units_of(strata, weights, groups)

    units_of = snelfs.data.splits.units_of
    monkeypatch.setattr(snelfs.data.splits, "units_of", recorded)
    return told


@pytest.mark.parametrize("kind", [SNeLClassifier, SNeLRegressor])
def test_every_split_of_a_fit_knows_the_groups(kind, table, quick, parted):
    """Of both rounds, of the folds of "auto" and of tuning; without groups none does."""
    X, y = table
    y = y if kind is SNeLRegressor else (y > 0).astype(int)
    selector = kind(**quick | SHORT | {"n_features_to_select": "auto"})
    selector.fit(X, y, groups=GROUPS)
    assert len(parted) > 12
    assert all(len(np.unique(groups)) >= 11 for groups in parted)
    parted.clear()
    tune(kind(**quick | SHORT), X, y, [{"alpha_l1": 0.01}, {"alpha_l1": 0.1}], groups=GROUPS)
    assert parted
    assert all(len(np.unique(groups)) == 15 for groups in parted)
    parted.clear()
    kind(**quick | SHORT).fit(X, y)
    assert parted
    assert all(groups is None for groups in parted)


def test_groups_of_one_row_each_change_nothing(table, quick):
    """To the last bit: a row alone in its group is a row."""
    X, y = table
    alone = SNeLRegressor(**quick).fit(X, y, groups=[f"p{row}" for row in range(60)])
    plain = SNeLRegressor(**quick).fit(X, y)
    np.testing.assert_array_equal(alone.layer_weights_, plain.layer_weights_)
    np.testing.assert_array_equal(alone.ranking_, plain.ranking_)
    other = SNeLRegressor(**quick).fit(X, y, groups=GROUPS)
    assert not np.array_equal(other.layer_weights_, plain.layer_weights_)


def test_the_order_of_rows_does_not_matter_with_groups(table, quick):
    """Rows, targets and groups moved together give the same bits."""
    X, y = table
    order = np.random.default_rng(1).permutation(60)
    first = SNeLRegressor(**quick).fit(X, y, groups=GROUPS)
    second = SNeLRegressor(**quick).fit(X[order], y[order], groups=GROUPS[order])
    np.testing.assert_array_equal(first.layer_weights_, second.layer_weights_)


def test_shuffles_for_q_values_know_the_groups(table, quick, monkeypatch):
    """Whole patients exchange their targets, and none is torn apart."""
    X, _ = table
    y = np.repeat(np.arange(15) % 2, 4)
    told = []

    def recorded(values, groups, generator, strata):
        order = shuffled_rows(values, groups, generator, strata)
        told.append((groups, values[order]))
        return order

    shuffled_rows = snelfs.data.prepared.shuffled_rows
    monkeypatch.setattr(snelfs.data.prepared, "shuffled_rows", recorded)
    selector = SNeLClassifier(**quick | SHORT | {"n_shuffles": 2}).fit(X, y, groups=GROUPS)
    assert selector.q_values_.min() >= 1 / 3
    assert len(told) == 2
    for groups, shuffled in told:
        assert all(len(set(shuffled[groups == group])) == 1 for group in range(15))
    assert not np.array_equal(told[0][1], told[1][1])


def test_a_class_of_one_group_is_said(table, quick):
    """It is trained on and never held out, and the sentence says what follows."""
    X, _ = table
    y = np.where(GROUPS == 3, "rare", np.where(GROUPS % 2, "odd", "even"))
    with pytest.warns(UserWarning, match="'rare' is the class of one group only, which is always trained on"):
        SNeLClassifier(**quick | SHORT).fit(X, y, groups=GROUPS)


def test_auto_needs_groups_to_spare(table, quick):
    """Two groups of a class each leave nothing to hold out."""
    X, _ = table
    halves = np.repeat(["a", "b"], 30)
    selector = SNeLClassifier(**quick | SHORT | {"n_features_to_select": "auto"})
    with (
        pytest.warns(UserWarning, match="'a', 'b' are the classes of one group only"),
        pytest.raises(ValueError, match=r"of 60 distinct row\(s\) in 2 group\(s\) none can be spared"),
    ):
        selector.fit(X, halves, groups=halves)


def test_metadata_is_routed(table, quick, parted):
    """scikit-learn hands groups through cross-validation and a pipeline to the selector."""
    X, y = table
    with sklearn.config_context(enable_metadata_routing=True):
        selector = SNeLRegressor(**quick | SHORT).set_fit_request(groups=True)
        pipeline = make_pipeline(selector, Ridge())
        found = cross_validate(clone(pipeline), X, y, cv=GroupKFold(2), params={"groups": GROUPS})
    assert found["test_score"].shape == (2,)
    assert parted
    assert all(len(np.unique(groups)) in (7, 8) for groups in parted)
