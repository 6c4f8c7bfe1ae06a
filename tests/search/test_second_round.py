"""The second round: what its networks leave of a target of numbers, and what joins candidates for that."""

from dataclasses import replace

import numpy as np
import pytest

from snelfs import SNeLClassifier, SNeLRegressor
from snelfs.data.prepared import prepare
from snelfs.data.rows import merge_rows
from snelfs.data.target import standardise_target
from snelfs.engine import scores
from snelfs.search.association import measure_strength
from snelfs.search.constants import CANDIDATES, FUNCTIONS
from snelfs.search.curves import column_functions
from snelfs.search.evidence import associations
from snelfs.search.options import check_options
from snelfs.search.residuals import (
    best_missed,
    freed_from,
    held_out_errors,
)
from snelfs.search.search import search
from snelfs.search.second_round import SecondRound, looks_at_errors, refined
from snelfs.search.training_round import splits

SMALL = 3  # the column of the smallest part
N_COLUMNS = 120


def a_sum(seed=1):
    """Return 100 rows of 120 columns, of which the first four sum up to the target, one by a small part."""
    X = np.random.default_rng(seed).standard_normal((100, N_COLUMNS))
    return X, X[:, :4] @ np.array([3.0, -2.0, 1.0, 0.1])


def prepared(X, y, groups=None):
    rows = merge_rows(X, y, np.ones(len(y)), groups)
    return prepare(rows, standardise_target(rows.y, rows.weights)[1])


def refined_options(quick, n_columns):
    given = SNeLRegressor(**quick | {"n_features_to_select": 8, "steps": 9}).get_params()
    return refined(check_options(given, n_columns, scores.REGRESSION, "mse"))


@pytest.fixture(scope="module")
def data():
    return prepared(*a_sum())


@pytest.fixture(scope="module")
def options(quick):
    return refined_options(quick, N_COLUMNS)


@pytest.fixture(scope="module")
def second(data, options):
    return SecondRound(data, options, seed=1)


@pytest.fixture(scope="module")
def strength(data):
    return associations(data)


@pytest.fixture(scope="module")
def last(second):
    """The round among candidates that lack the column of the smallest part."""
    candidates = np.delete(np.arange(CANDIDATES + 1), SMALL)
    return second.trained(candidates, np.ones(N_COLUMNS), None)


@pytest.fixture(scope="module")
def anew(second, last, strength):
    return second.with_missed(last, strength, None, None)


def test_what_networks_leave_is_the_target_less_their_predictions_for_rows_they_did_not_train(
    data, options, last
):
    """By hand, from the weights: copies, hidden units, the path past them, and the mean over restarts."""
    part = data.part(last.units)
    X = column_functions(part.Z, part.rows.weights, FUNCTIONS).astype(float)
    training = last.training
    A = np.einsum("nfj,rdfj->rdn", X, training.W)
    hidden = np.maximum(
        np.einsum("rdu,rdn->run", training.layers[0].kernel, A) + training.layers[0].bias[:, :, None], 0
    )
    outputs = np.einsum("ruo,run->ron", training.layers[1].kernel, hidden)
    outputs += training.layers[1].bias[:, :, None] + np.einsum("rdo,rdn->ron", training.direct, A)
    validates = splits(part, options, 1)[1] > 0
    assert validates.any(axis=0).all()
    expected = [
        data.target.values[row, 0] - outputs[validates[:, row], 0, row].mean()
        for row in range(len(data.target.values))
    ]
    found = held_out_errors(training, part, options, 1, FUNCTIONS)
    assert found.shape == (100, 1)
    np.testing.assert_allclose(found[:, 0], expected, atol=1e-4)


def with_admitted(training, restarts):
    """Return the training as if these restarts alone had an admitted epoch."""
    own = np.isin(np.arange(len(training.W)), restarts)
    admitted = np.asarray(training.history.admitted) & own[:, None]
    return replace(training, history=replace(training.history, admitted=admitted))


def test_restarts_without_an_admitted_epoch_predict_nothing(data, options, last):
    """Of two restarts with one the first alone predicts the rows that neither of them validates."""
    part = data.part(last.units)
    found = held_out_errors(with_admitted(last.training, [0]), part, options, 1, FUNCTIONS)
    both = held_out_errors(with_admitted(last.training, [0, 1]), part, options, 1, FUNCTIONS)
    validates = splits(part, options, 1)[1] > 0
    by_first_alone = validates[0] & ~validates[1]
    np.testing.assert_array_equal(both[by_first_alone], found[by_first_alone])
    assert (both[validates[1]] != found[validates[1]]).all()
    assert held_out_errors(with_admitted(last.training, []), part, options, 1, FUNCTIONS) is None


def test_nothing_is_missed_where_no_network_was_admitted(second, last, strength):
    nowhere = replace(last, training=with_admitted(last.training, []))
    decided = second.with_missed(nowhere, strength, None, None)
    assert decided.last is nowhere
    assert not decided.cut_short


def levels_and_samples(seed=0):
    """Return three samples of each of 100 patients; 40 columns measure one level of theirs, and err."""
    generator = np.random.default_rng(seed)
    patients = np.repeat(np.arange(100), 3)
    X = generator.standard_normal((300, N_COLUMNS))
    level = generator.standard_normal(100)[patients]
    X[:, 60:100] = (level + X[:, 60])[:, None] + 0.1 * X[:, 60:100]
    return X, X[:, 0] - X[:, 1] + level + 0.1 * generator.standard_normal(300), patients


def test_of_many_that_measure_patients_alike_few_join(options):
    """Samples err, and their slope is too small for the patients' means: these are asked, as in evidence."""
    data = prepared(*levels_and_samples())
    second = SecondRound(data, options, seed=1)
    last = second.trained(np.arange(CANDIDATES), np.ones(N_COLUMNS), None)
    joined = second.with_missed(last, associations(data), None, None).joined
    assert ((joined >= 60) & (joined < 100)).any()
    assert len(joined) < 6


def test_all_that_joined_is_taken_away_and_no_more_joins_than_there_are_places(options):
    """Three columns with copies: were the last one alone taken away, copies of the first would be back."""
    X = np.random.default_rng(4).standard_normal((300, N_COLUMNS))
    X[:, 60:90] = X[:, np.repeat([50, 51, 52], 10)] + 0.2 * X[:, 60:90]
    copied = prepared(X, X[:, 50] + X[:, 51] + X[:, 52])
    few = replace(options, n_restarts=2)
    second = SecondRound(copied, few, seed=1)
    last = second.trained(np.arange(CANDIDATES), np.ones(N_COLUMNS), None)
    joined = second.with_missed(last, associations(copied), None, None).joined
    for column, copies in ((50, range(60, 70)), (51, range(70, 80)), (52, range(80, 90))):
        assert set(joined) & {column, *copies}
    assert len(joined) < 10
    narrow = SecondRound(copied, replace(few, dim=CANDIDATES - 2), seed=1)
    assert len(narrow.with_missed(last, associations(copied), None, None).joined) == 2


@pytest.mark.parametrize("functions", [1, FUNCTIONS])
def test_what_a_column_says_is_taken_from_errors_bent_too(data, functions):
    part = data.part(np.array([7, 9]))
    own = part.Z[:, 0]
    errors = np.c_[own - 2 * part.Z[:, 1], np.square(own)].astype(np.float32)
    left = freed_from(part, errors, functions)
    assert np.abs(left[:, 0]).max() < 1e-4
    bent = np.corrcoef(left[:, 1], np.square(own))[0, 1]
    assert (bent < 0.7) == (functions > 1)


def test_samples_of_a_patient_are_one_error(options):
    """A column that tells patients apart follows what one of them has for itself: that proves nothing."""
    generator = np.random.default_rng(3)
    patients = np.repeat(np.arange(20), 10)
    X = generator.standard_normal((200, N_COLUMNS))
    X[:, 60] = generator.standard_normal(20)[patients] + 0.05 * X[:, 60]  # one value a patient
    own = 0.8 * X[::10, 60][patients] + generator.standard_normal(20)[patients]
    y = X[:, 0] + own + 0.1 * generator.standard_normal(200)
    joined = []
    for groups in (None, patients):
        data = prepared(X, y, groups)
        second = SecondRound(data, options, seed=1)
        last = second.trained(np.arange(CANDIDATES), np.ones(N_COLUMNS), None)
        joined.append(second.with_missed(last, associations(data), None, None).joined.tolist())
    assert 60 in joined[0]
    assert 60 not in joined[1]


def test_a_small_part_that_no_candidate_has_joins(last, anew):
    """It takes the place of the candidate voted last, and the vote then has it among the first."""
    decided, joined, cut_short = anew
    assert joined.tolist() == [SMALL]
    assert not cut_short
    assert len(decided.units) == len(last.units) == CANDIDATES
    assert np.setdiff1d(last.units, decided.units).tolist() == [last.units[last.scores.argmin()]]
    assert set(decided.units[np.argsort(-decided.scores)[:4]]) == {0, 1, 2, SMALL}


def test_nothing_joins_where_nothing_is_missed(second, strength, anew):
    """The round that has all four columns leaves nothing: it decides as it is."""
    decided, joined, cut_short = second.with_missed(anew[0], strength, None, None)
    assert decided is anew[0]
    assert not len(joined)
    assert not cut_short


@pytest.mark.parametrize("ended", ["before", "meanwhile"])
def test_an_end_leaves_the_round_that_is_there(second, last, strength, ended):
    """Half a training is no reason to change a selection, and the search says that it was cut short."""

    def end(*_):
        return True

    on_last, on_progress = (end, None) if ended == "before" else (None, end)
    assert second.with_missed(last, strength, on_last, on_progress)[0] is last
    assert second.with_missed(last, strength, on_last, on_progress)[2]


def test_what_is_missed_is_not_known_and_beyond_doubt(data):
    of_target = measure_strength(data.Z, data.goals, np.ones(100))
    assert best_missed(of_target, [5]) == 0
    assert best_missed(of_target, [5, 0]) == 1
    assert best_missed(of_target, range(2)) is None


def test_one_of_many_that_are_alike_joins_and_leaves_places_to_others(options):
    """Copies of a column that is missed do not drive out a candidate, nor what shows when they are gone."""
    X = np.random.default_rng(2).standard_normal((200, N_COLUMNS))
    X[:, 60:100] = X[:, [60]] + 0.2 * X[:, 60:100]
    y = X[:, 0] - X[:, 1] + 0.5 * X[:, 60] + 0.15 * X[:, 110] + 0.05 * X[:, 50]
    data = prepared(X, y)
    second = SecondRound(data, options, seed=1)
    last = second.trained(np.arange(CANDIDATES), np.ones(N_COLUMNS), None)
    decided = second.with_missed(last, associations(data), None, None)
    assert 110 in decided.joined
    assert ((decided.joined >= 60) & (decided.joined < 100)).any()
    assert len(decided.joined) < 10
    chosen = decided.last.units[np.argsort(-decided.last.scores)[:8]]
    assert {0, 1, 110} <= set(chosen)


@pytest.mark.parametrize("task", ["binary", "multiclass", "multilabel", "survival", "own"])
def test_it_is_for_squared_error_where_columns_are_left(data, options, task):
    assert looks_at_errors(data, options)
    assert not looks_at_errors(replace(data, target=replace(data.target, task=task)), options)
    assert not looks_at_errors(data.part(np.arange(CANDIDATES)), options)


def wide_sum():
    """Return a sum whose smallest part is missed by the layer and associations among 400 columns."""
    X = np.random.default_rng(6).standard_normal((120, 400))
    return X, X[:, :5] @ np.array([3.0, -2.0, 1.0, 1.0, 0.1])


def test_a_search_says_what_the_networks_missed(quick):
    """It can be left out; what it names was named by no other."""
    data = prepared(*wide_sum())
    first = replace(refined_options(quick, 400), n_restarts=4)
    found = search(data, first, 0)
    assert 4 in found.named.residual
    assert not found.cut_short
    assert not set(found.named.residual) & (set(found.named.layer) | set(found.named.association))
    without = search(data, first, 0, without=["residual"])
    assert not len(without.named.residual)
    assert 4 not in without.last.units


def test_a_column_that_networks_leave_is_selected_and_said_to_be(quick):
    """Neither the first vote nor associations name it; sparse tables are asked in the same way."""
    from scipy import sparse

    X, y = wide_sum()
    settings = {**quick, "n_features_to_select": 8, "steps": 9}
    for table in (X, sparse.csr_array(X)):
        found = SNeLRegressor(**settings).fit(table, y)
        assert found.evidence_["residual"][4]
        assert not found.evidence_["layer"][4]
        assert not found.evidence_["linear"][4]
        assert set(np.argsort(found.ranking_)[:5]) == {0, 1, 2, 3, 4}


def test_it_is_told_of_in_the_progress_and_of_what_an_end_cut(quick):
    """Shares rise to 1 with a third round or without; an end before it is said."""
    X, y = wide_sum()
    settings = {**quick, "n_features_to_select": 8, "steps": 9}
    told = []
    SNeLRegressor(**settings, callback=told.append).fit(X, y)
    assert told == sorted(told)
    assert told[-1] == pytest.approx(1)
    told_of_classes = []
    SNeLClassifier(**settings, callback=told_of_classes.append).fit(X, y > 0)
    assert told_of_classes == sorted(told_of_classes)
    assert told_of_classes[-1] == pytest.approx(1)
    with pytest.warns(UserWarning, match="what the networks leave was not followed up"):
        early = SNeLRegressor(**settings, callback=lambda share: share > 0.9).fit(X, y)
    assert not early.evidence_["residual"].any()


def test_groups_of_columns_and_covariates_join_as_units(quick):
    """A group joins as a whole, and a covariate stands beside the networks whose errors are looked at."""
    X, y = wide_sum()
    groups = np.arange(400)
    groups[5] = 4  # the column of the smallest part, and one of noise
    X[:, 399] = np.random.default_rng(0).integers(0, 2, 120)
    settings = {**quick, "n_features_to_select": 8, "steps": 9}
    found = SNeLRegressor(**settings, feature_groups=groups, covariates=[399]).fit(X, y + 2 * X[:, 399])
    assert found.support_[[0, 1, 2, 3, 4, 5]].all()
    assert found.evidence_["residual"][4] == found.evidence_["residual"][5]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["normal", "lognormal"])
def test_noise_joins_in_few_tables(kind):
    """What is beyond doubt in what networks leave is false in one of ten tables: at most 4 of 20."""
    joined = 0
    for seed in range(20):
        generator = np.random.default_rng(seed)
        X = generator.standard_normal((100, 300))
        y = generator.standard_normal(100)
        found = SNeLRegressor(15, n_restarts=4, random_state=seed).fit(
            X, np.exp(y) if kind != "normal" else y
        )
        joined += found.evidence_["residual"].any()
    assert joined <= 4
