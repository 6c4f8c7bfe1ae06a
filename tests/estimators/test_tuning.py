"""Tuning on inner validation, all candidates in one batch."""

import numpy as np
import pytest

from snelfs import SNeLRegressor, tune
from snelfs.estimators.base import SNeLSelector
from snelfs.estimators.tuning import Tuning, default_candidates
from snelfs.search.search import first_columns
from snelfs.search.training_round import train_round, train_side_by_side

SMALL = {"alpha_l1": 0.001, "alpha_l2": 0.001, "hidden_layer_sizes": (4,)}
LARGE = {"alpha_l1": 0.01, "alpha_l2": 0.02, "hidden_layer_sizes": (10,), "lambda_s": (0.02, 0.5)}


def setting_out(table, quick, **settings):
    """Return the prepared data and the options of a regressor."""
    X, y = table
    model: SNeLSelector = SNeLRegressor(**quick | settings, refine=False)
    return model._question(X, y)[:2]


def test_a_candidate_trains_as_if_alone(table, quick):
    """Beside another one, with other penalties and a wider network, it ends up with the same layer."""
    data, small = setting_out(table, quick, **SMALL)
    large = setting_out(table, quick, **LARGE)[1]
    shares = first_columns(data, small)[2]
    both = train_side_by_side(data, [small, large], shares, seed=5)
    for place, options in enumerate([small, large]):
        alone = train_round(data, options, shares, seed=5).training
        mine = slice(4 * place, 4 * place + 4)
        np.testing.assert_allclose(
            both.history.validation_loss[mine, :100], alone.history.validation_loss[:, :100], rtol=1e-3
        )
        assert np.array_equal(both.W[mine].shape, alone.W.shape)
    assert both.history.lambda_s.shape == (both.history.n_epochs, 8)


def test_a_strangled_network_loses(table, quick):
    """An l1 of 10 leaves no weight to predict with: in a search some would go past the hidden units."""
    found = tune(SNeLRegressor(**quick), *table, [{"alpha_l1": 10.0}, {"alpha_l1": 0.001}])
    assert found.best_params == {"alpha_l1": 0.001}
    assert found.validation_loss.shape == (2, 4)
    assert found.mean_loss[1] < 0.5 * found.mean_loss[0]


def test_the_default_candidates_cover_every_pair_of_levels():
    """Nine of 27 combinations: each two settings meet in all their levels."""
    candidates = default_candidates(15)
    settings = [(one["lambda_s"], one["alpha_l1"], one["hidden_layer_sizes"]) for one in candidates]
    for first, second in [(0, 1), (0, 2), (1, 2)]:
        assert len({(one[first], one[second]) for one in settings}) == 9


def test_the_estimator_is_left_alone(table, quick):
    """Neither its settings nor its being unfitted change."""
    model = SNeLRegressor(**quick)
    before = model.get_params()
    tune(model, *table, [{"alpha_l1": 10.0}, {"alpha_l1": 0.001}])
    assert model.get_params() == before
    assert not hasattr(model, "ranking_")


@pytest.mark.parametrize(
    ("candidates", "said"),
    [
        ([], "candidates must hold at least one dict of settings, got none"),
        ([{"steps": 3}], "candidates may set lambda_s, lambda_a, .*, got 'steps'"),
        (
            [{"hidden_layer_sizes": (3,)}, {"hidden_layer_sizes": (3, 3)}],
            r"hidden_layer_sizes of all candidates must have as many layers, got \[1, 2\]",
        ),
        ([{"alpha_l1": -1.0}], "alpha_l1 must be"),
    ],
)
def test_bad_candidates_are_named(table, quick, candidates, said):
    """One sentence, before anything is trained."""
    with pytest.raises(ValueError, match=said):
        tune(SNeLRegressor(**quick), *table, candidates)


def test_a_result_is_printed_in_a_line():
    """The best settings and how many were tried, not every loss."""
    found = Tuning(
        {"alpha_l1": 0.1}, [{"alpha_l1": 0.1}, {"alpha_l1": 1}], np.array([[0.5, 0.7], [1.0, 2.0]])
    )
    assert repr(found) == "Tuning(best_params={'alpha_l1': 0.1}, mean_loss=0.6, 2 candidates of 2 restarts)"


def test_tuning_trains_on_what_a_fit_trains_on(table, quick, monkeypatch):
    """Long tails are cut in both."""
    entered = []

    def recorded(data, variants, *rest, **more):
        entered.append(data.Z)
        return train_side_by_side(data, variants, *rest, **more)

    monkeypatch.setattr("snelfs.estimators.tuning.train_side_by_side", recorded)
    X, y = table
    tune(SNeLRegressor(**quick), np.exp(3 * X), y, [{"alpha_l1": 0.001}])
    assert np.abs(entered[0]).max() < 3
