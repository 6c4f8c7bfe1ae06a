"""Groups of columns through the estimators, "auto", q-values, tuning and files; one column of each."""

import numpy as np
import pandas as pd
import pytest

from snelfs import SNeLClassifier, SNeLRegressor, SNeLSurvival, tune
from snelfs.foundation.checks import ArgumentError
from snelfs.foundation.sentences import said_by
from snelfs.selection.model_file import load_model, save_model

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

LABELS = np.array([f"g{place // 3}" if place < 18 else "" for place in range(24)], dtype=object)


@pytest.fixture(scope="module")
def grouped():
    """Return 80 rows of six groups of three columns and six lone ones: g1, g4 and column 20 matter."""
    generator = np.random.default_rng(7)
    X = generator.standard_normal((80, 24))
    across = X[:, 3:6] @ [0.6, -0.6, 0.5] + X[:, 12:15] @ [0.5, 0.6, 0.6]
    return X, across + X[:, 20] + 0.1 * generator.standard_normal(80)


@pytest.fixture(scope="module")
def fitted(grouped, quick):
    """Return a regressor that was told of the groups."""
    return SNeLRegressor(**quick | {"n_features_to_select": 3}, feature_groups=LABELS).fit(*grouped)


def test_groups_are_selected_as_wholes(fitted, grouped):
    """Three units are two groups and a column; ranks and scores are those of the group."""
    assert np.flatnonzero(fitted.support_).tolist() == [3, 4, 5, 12, 13, 14, 20]
    assert fitted.transform(grouped[0]).shape == (80, 7)
    assert sorted(set(fitted.ranking_)) == list(range(1, 13))
    for name in ("g0", "g1", "g4"):
        own = name == LABELS
        for values in (fitted.ranking_, fitted.feature_importances_, fitted.selection_frequency_):
            assert len(set(values[own].tolist())) == 1
        assert (fitted.saliencies_[:, own] == fitted.saliencies_[:, own][:, :1]).all()
    assert fitted.feature_groups_.tolist() == LABELS.tolist()
    assert fitted.score(*grouped) > 0.9  # the network behind has all columns of a group


def test_the_table_of_features_keeps_groups_together(fitted):
    """Columns of a group follow each other, in their own order."""
    names = fitted.ranked_features()["name"][:7].tolist()
    assert names.index("x4") == names.index("x3") + 1 == names.index("x5") - 1


def test_a_mapping_by_names_says_the_same(fitted, grouped, quick):
    """And the model from its file predicts and ranks alike."""
    X, y = grouped
    frame = pd.DataFrame(X, columns=[f"c{place}" for place in range(24)])
    groups = {f"g{group}": [f"c{3 * group + place}" for place in range(3)] for group in range(6)}
    by_name = SNeLRegressor(**quick | {"n_features_to_select": 3}, feature_groups=groups).fit(frame, y)
    np.testing.assert_array_equal(by_name.feature_importances_, fitted.feature_importances_)
    assert list(by_name.get_feature_names_out()) == ["c3", "c4", "c5", "c12", "c13", "c14", "c20"]


def test_a_model_of_groups_comes_back_from_its_file(fitted, grouped, tmp_path):
    """Its ranks are no permutation of the columns, and that is right."""
    again = load_model(save_model(fitted, tmp_path / "model.skops"))
    np.testing.assert_array_equal(again.predict(grouped[0]), fitted.predict(grouped[0]))
    np.testing.assert_array_equal(again.ranking_, fitted.ranking_)


def test_auto_and_q_values_count_groups(grouped, quick):
    """The curve is over numbers of units, and columns of a group share a q-value."""
    X, y = grouped
    asked = quick | {"n_features_to_select": "auto", "n_shuffles": 2, "refine": False, "steps": 2}
    found = SNeLClassifier(**asked, feature_groups=LABELS).fit(X, (y > 0).astype(int))
    assert found.n_features_curve_.n_features.max() == 12
    assert len(set(found.ranking_[found.support_])) == found.n_features_curve_.chosen
    assert len(set(found.q_values_[LABELS == "g2"])) == 1


def test_groups_reach_tuning_and_other_targets(grouped, quick):
    """`tune` trains units, and so do censored times, covariates and kept groups."""
    X, y = grouped
    model = SNeLRegressor(**quick, feature_groups=LABELS, init=np.ones(24))
    assert tune(model, X, y, [{"alpha_l1": 0.001}]).validation_loss.shape == (1, quick["n_restarts"])
    beside = quick | {"n_features_to_select": 3, "refine": False, "keep": [0, 1, 2], "covariates": [23]}
    times = (np.ones(80, bool), np.exp(-y))
    survival = SNeLSurvival(**beside, feature_groups=LABELS).fit(X, times)
    assert survival.support_[:3].all()
    assert not survival.support_[23]
    assert len(set(survival.ranking_[survival.support_])) == 3


@pytest.mark.parametrize("saliency", ["max", "sum"])
def test_other_saliencies_are_by_norms_too(grouped, quick, saliency):
    """The paper's measures, with one round."""
    asked = quick | {"n_features_to_select": 3, "refine": False, "saliency": saliency}
    found = SNeLRegressor(**asked, feature_groups=LABELS).fit(*grouped)
    assert found.support_[LABELS == "g4"].all()


def test_one_per_group_selects_the_best_column_of_each(grouped, quick):
    """At most one of a group, and others of it come behind the best of all."""
    X, y = grouped
    found = SNeLRegressor(
        **quick | {"n_features_to_select": 6}, feature_groups=LABELS, one_per_group=True
    ).fit(X, y)
    chosen = LABELS[found.support_]
    assert found.support_.sum() == 6
    assert pd.Series(chosen[chosen != ""]).is_unique
    assert sorted(found.ranking_) == list(range(1, 25))
    assert found.support_[20]
    plain = SNeLRegressor(**quick | {"n_features_to_select": 6}).fit(X, y)
    np.testing.assert_array_equal(found.feature_importances_, plain.feature_importances_)


def test_one_per_group_counts_groups(grouped, quick):
    """Six groups and six lone columns leave twelve to select."""
    model = SNeLRegressor(**quick | {"n_features_to_select": 13}, feature_groups=LABELS, one_per_group=True)
    with pytest.raises(ArgumentError, match="13 is more than X has: 12 feature"):
        model.fit(*grouped)
    with pytest.raises(ArgumentError, match="one_per_group needs feature_groups") as raised:
        SNeLRegressor(**quick, one_per_group=True).fit(*grouped)
    assert said_by(raised.value).arguments == ("one_per_group", "feature_groups")


def test_a_group_of_too_many_columns_is_told_of(quick):
    """Its leading directions stand for it, and it is still selected as a whole."""
    X = np.random.default_rng(3).standard_normal((40, 16))
    labels = ["wide"] * 12 + [None] * 4
    model = SNeLRegressor(**quick | {"n_features_to_select": 1, "refine": False}, feature_groups=labels)
    with pytest.warns(UserWarning, match="1 group of columns has more than the 10 directions .* 'wide'"):
        model.fit(X, X[:, :12].sum(axis=1))
    assert model.support_.sum() in (1, 12)


@pytest.mark.slow
def test_groups_are_found_where_no_column_stands_out():
    """Of 100 groups of five columns the four that matter, on draws of their own."""
    found = []
    for seed in range(5):
        generator = np.random.default_rng(99_190 + seed)
        X = generator.standard_normal((200, 100, 5))
        y = np.einsum("rgw,gw->r", X[:, :4], generator.standard_normal((4, 5)))
        labels = np.repeat(np.arange(100), 5)
        selector = SNeLRegressor(4, feature_groups=labels, random_state=seed)
        selector.fit(X.reshape(200, -1), y + generator.standard_normal(200))
        found.append(np.mean(np.unique(labels[selector.support_]) < 4))
    assert np.mean(found) >= 0.95
