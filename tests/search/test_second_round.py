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
from snelfs.search.residuals import ROWS_A_COLUMN, held_out_errors, missed, without_best
from snelfs.search.search import search
from snelfs.search.second_round import SecondRound, looks_at_errors, refined
from snelfs.search.training_round import splits

SMALL = 3  # the column of the smallest part
N_COLUMNS = 120


def a_sum(seed=1):
    """Return 100 rows of 120 columns, of which the first four sum up to the target, one by a small part."""
    X = np.random.default_rng(seed).standard_normal((100, N_COLUMNS))
    return X, X[:, :4] @ np.array([3.0, -2.0, 1.0, 0.1])


@pytest.fixture(scope="module")
def data():
    X, y = a_sum()
    rows = merge_rows(X, y, np.ones(len(y)))
    return prepare(rows, standardise_target(rows.y, rows.weights)[1])


@pytest.fixture(scope="module")
def options(quick):
    given = SNeLRegressor(**quick | {"n_features_to_select": 8, "steps": 9}).get_params()
    return refined(check_options(given, N_COLUMNS, scores.REGRESSION, "mse"))


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


def test_what_a_column_of_the_networks_left_brings_in_none_that_resemble_it(data):
    """The networks' errors still follow one of their columns, and so one that resembles it."""
    part = data.part(np.arange(CANDIDATES))
    own = part.Z[:, 7]
    errors = (own + 0.1 * np.random.default_rng(0).standard_normal(100)).astype(np.float32)[:, None]
    scores = np.zeros(CANDIDATES)
    scores[7] = 1
    left = without_best(errors, part, scores)
    alike = own + 0.3 * np.random.default_rng(1).standard_normal(100)
    assert abs(np.corrcoef(errors[:, 0], alike)[0, 1]) > 0.9
    assert abs(np.corrcoef(left[:, 0], alike)[0, 1]) < 0.4
    # So many columns are taken away as rows allow, by the vote.
    taken = np.abs(part.Z.T @ left / 100) < 1e-5
    assert taken.sum() == 100 // ROWS_A_COLUMN
    assert taken[7]


def test_what_networks_have_not_learnt_of_a_column_brings_in_none_that_resemble_it(options):
    """Networks that take up a fifth less of the first column leave what any other like it tells as well."""
    X, y = a_sum()
    X[:, 60] = X[:, 0] + 0.3 * X[:, 60]
    rows = merge_rows(X, y, np.ones(len(y)))
    data = prepare(rows, standardise_target(rows.y, rows.weights)[1])
    second = SecondRound(data, options, seed=1)
    last = second.trained(np.arange(CANDIDATES), np.ones(N_COLUMNS), None)
    unlearnt = replace(last.training, direct=0.8 * np.asarray(last.training.direct))
    decided = second.with_missed(replace(last, training=unlearnt), associations(data), None, None)
    assert decided.joined.tolist() == []


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
        rows = merge_rows(X, y, np.ones(200), groups)
        prepared = prepare(rows, standardise_target(rows.y, rows.weights)[1])
        second = SecondRound(prepared, options, seed=1)
        last = second.trained(np.arange(CANDIDATES), np.ones(N_COLUMNS), None)
        joined.append(second.with_missed(last, associations(prepared), None, None).joined.tolist())
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


def test_what_is_missed_is_no_candidate_and_beyond_doubt(data):
    """Best first, and no more than there are places for."""
    of_target = measure_strength(data.Z, data.goals, np.ones(100))
    assert missed(of_target, np.array([5]), most=9).tolist() == [0, 1]
    assert missed(of_target, np.array([5]), most=1).tolist() == [0]
    assert missed(of_target, np.arange(2), most=9).tolist() == []


@pytest.mark.parametrize("task", ["binary", "multiclass", "multilabel", "survival", "own"])
def test_it_is_for_squared_error_where_columns_are_left(data, options, task):
    assert looks_at_errors(data, options)
    assert not looks_at_errors(replace(data, target=replace(data.target, task=task)), options)
    assert not looks_at_errors(data.part(np.arange(CANDIDATES)), options)


def test_a_search_says_what_the_networks_missed(data, options):
    """The list can be left out, and is none of the candidates' before."""
    found = search(data, replace(options, n_restarts=4), 0)
    assert not found.cut_short
    assert not set(found.named.residual) & (set(found.named.layer) | set(found.named.association))
    without = search(data, replace(options, n_restarts=4), 0, without=["residual"])
    assert not len(without.named.residual)


def wide_sum():
    """Return a sum whose smallest part is missed by the layer and associations among 400 columns."""
    X = np.random.default_rng(6).standard_normal((120, 400))
    return X, X[:, :5] @ np.array([3.0, -2.0, 1.0, 1.0, 0.1])


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
