"""A time budget and a callback: a fit that ends early holds the best so far, and says what was cut."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from snelfs import SNeLClassifier, SNeLRegressor


class After:
    """Ask for an end at a share of the fit, and keep what was told."""

    def __init__(self, share):
        self.share, self.told = share, []

    def __call__(self, share):
        self.told.append(share)
        return share >= self.share


def test_a_callback_that_asks_for_nothing_changes_nothing(table, quick):
    """It hears rising shares up to 1, and the bits are the same."""
    X, y = table
    told = []
    watched = SNeLRegressor(**quick, callback=told.append, max_time=1e6).fit(X, y)
    plain = SNeLRegressor(**quick).fit(X, y)
    np.testing.assert_array_equal(watched.layer_weights_, plain.layer_weights_)
    np.testing.assert_array_equal(watched.ranking_, plain.ranking_)
    assert told == sorted(told)
    assert told[-1] == pytest.approx(1)
    assert len(told) > 2


@pytest.mark.parametrize("kind", [SNeLClassifier, SNeLRegressor])
def test_a_callback_ends_the_first_round(kind, table, quick):
    """There is no second one; what is there selects and predicts."""
    X, y = table
    y = y if kind is SNeLRegressor else (y > 0).astype(int)
    selector = kind(**quick, callback=After(0.0))
    with pytest.warns(ConvergenceWarning) as caught:
        selector.fit(X, y)
    said = str(caught[-1].message)
    assert said.startswith("the callback ended the fit after ")
    assert "the first round has 2 of 800 epochs, there is no second round" in said
    assert selector.history_.n_epochs == 2
    assert selector.layer_weights_.shape[0] == quick["n_restarts"]
    assert selector.support_.sum() == 5
    assert selector.predict(X).shape == (60,)


def test_what_follows_an_early_end_is_left_out(table, quick):
    """The number of features is then the usual one, and q-values are all 1."""
    X, y = table
    settings = quick | {"n_features_to_select": "auto", "n_shuffles": 2}
    shares = After(0.001)
    with pytest.warns(ConvergenceWarning) as caught:
        selector = SNeLRegressor(**settings, callback=shares).fit(X, y)
    said = str(caught[-1].message)
    assert "the number of features was not looked for, and 6 selected as usual" in said
    assert "q-values are all 1 for want of 2 shuffles" in said
    assert not hasattr(selector, "n_features_curve_")
    assert selector.q_values_.tolist() == [1.0] * 20
    assert selector.support_.sum() == 6


def test_a_second_fit_forgets_the_curve_of_the_first(table, quick):
    """What was not looked for this time is not there."""
    X, y = table
    selector = SNeLRegressor(**quick | {"n_features_to_select": "auto", "refine": False, "steps": 4})
    selector.n_features_curve_ = "of an earlier fit"
    selector.set_params(max_time=1e-9)
    with pytest.warns(ConvergenceWarning) as caught:
        selector.fit(X, y)
    assert str(caught[-1].message).startswith("max_time=1e-09 ended the fit")
    assert not hasattr(selector, "n_features_curve_")


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ({"max_time": 0}, "max_time must be a finite number above 0, got 0"),
        ({"max_time": "soon"}, "max_time must be .* got 'soon'"),
        ({"callback": 5}, "callback must be None or a function of the share done, got 5"),
    ],
)
def test_what_is_no_limit_is_said(table, setting, said):
    """Before anything is trained."""
    with pytest.raises(ValueError, match=said):
        SNeLRegressor(**setting).fit(*table)


def test_a_callback_is_cloned_and_not_stored(table, quick, tmp_path):
    """A file holds data, and never code."""
    from snelfs.selection.model_file import load_model, save_model

    callback = After(2)
    selector = SNeLRegressor(**quick, callback=callback).fit(*table)
    assert isinstance(clone(selector).callback, After)
    again = load_model(save_model(selector, tmp_path / "model.skops"))
    assert again.callback is None
    np.testing.assert_array_equal(again.predict(table[0]), selector.predict(table[0]))
    assert selector.callback is callback
