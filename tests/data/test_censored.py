"""Censored times as callers pass them: every accepted form, and one sentence for what is none."""

import datetime

import numpy as np
import pandas as pd
import pytest

from snelfs import survival_target
from snelfs.data.censored import encode_survival, kept_in_proportion, read_survival, strata_of, stratified
from snelfs.data.concordance import concordance
from snelfs.data.partial_likelihood import PartialLikelihood

EVENT, TIME = [True, False, True, True], [4.0, 2.5, 3.0, 0.0]


@pytest.mark.parametrize(
    "given",
    [
        survival_target(EVENT, TIME),
        np.array(list(zip(TIME, EVENT, strict=True)), dtype=[("days", "f4"), ("dead", "?")]),
        (EVENT, TIME),
        (np.array([1, 0, 1, 1]), np.array(TIME)),
        pd.DataFrame({"weeks": TIME, "status": EVENT}),
    ],
    ids=["survival_target", "other order and names", "tuple", "zeros and ones", "frame"],
)
def test_events_and_times_are_found_by_their_types(given):
    """The order of the fields and their names do not matter."""
    found = read_survival(given)
    assert found["event"].tolist() == EVENT
    assert found["time"].tolist() == TIME


@pytest.mark.parametrize(
    "given",
    [
        np.column_stack([EVENT, TIME]),
        np.array(TIME),
        [EVENT, TIME],
        np.array(list(zip(TIME, TIME, strict=True)), dtype=[("a", "f8"), ("b", "f8")]),
        np.array(list(zip(EVENT, TIME, TIME, strict=True)), dtype=[("a", "?"), ("b", "f8"), ("c", "f8")]),
    ],
    ids=["two columns", "numbers", "list", "two numbers", "three fields"],
)
def test_what_does_not_say_which_is_the_event_is_refused(given):
    """The sentence names the function that makes the right one."""
    with pytest.raises(
        ValueError, match=r"^y must be a structured array .*snelfs\.survival_target\(event, time\)"
    ):
        read_survival(given)


@pytest.mark.parametrize(
    ("event", "time", "said"),
    [
        (["yes", "no", "yes", "no"], TIME, r"event must be True .* got 'yes'"),
        ([1, 2, 1, 2], TIME, "event must be 0 or 1, True or False, got 2"),
        ([1.0, np.nan, 1, 0], TIME, r"event is missing in 1 row"),
        ([EVENT], TIME, r"event must have one value a row, got the shape \(1, 4\)"),
        (EVENT, [1, -2.0, 3, 4], "time must be at least 0, got -2"),
        (EVENT, [1, np.nan, np.nan, 4], r"time is missing in 2 row"),
        (EVENT, [1, np.inf, 3, 4], "time must be finite"),
        (EVENT, ["a", "b", "c", "d"], "time must be numbers, got 'a'"),
        (EVENT, np.array(["2020-01-01"] * 4, dtype="datetime64[D]"), "got dates such as '2020-01-01'"),
        (EVENT, [datetime.date(2020, 1, 1)] * 4, "got dates such as '2020-01-01'"),
        (EVENT, [1.0, 2.0], r"event has 4 value\(s\) and time 2"),
    ],
)
def test_bad_values_are_refused_in_a_sentence(event, time, said):
    """Each names the value and what is accepted."""
    with pytest.raises(ValueError, match=said):
        survival_target(event, time)


@pytest.mark.parametrize(
    ("event", "time", "said"),
    [
        ([0, 0, 0, 0], TIME, "y has no event: every row is censored"),
        ([0, 1, 0, 0], TIME, "y has one event only"),
        (EVENT, [3.0, 3, 3, 3], "y has one time only, 3 in every row"),
        ([0, 0, 1, 1], [1.0, 2, 3, 3], "y has no event before the last time"),
    ],
)
def test_targets_that_teach_nothing_are_refused(event, time, said):
    """No event, one event, all times equal, nobody outlived."""
    y = np.column_stack([np.array(event, float), time])
    with pytest.raises(ValueError, match=said):
        encode_survival(y, np.ones(4), "breslow")


def test_the_encoded_target_holds_order_event_and_residual():
    """Splits keep the events in proportion, and evidence is gathered on the residuals."""
    y = np.column_stack([np.array(EVENT, float), TIME])
    target = encode_survival(y, np.ones(4), "breslow")
    assert target.values[:, 0].tolist() == [3, 1, 2, 0]
    assert target.values[:, 1].tolist() == [1, 0, 1, 1]
    residuals = PartialLikelihood(np.array(EVENT), np.array(TIME)).residuals()
    np.testing.assert_allclose(target.indicators[:, 0], residuals, rtol=1e-6)
    with pytest.raises(ValueError, match="ties must be 'breslow' or 'efron', got 'exact'"):
        encode_survival(y, np.ones(4), "exact")


def slow_concordance(event, time, risks, weights):
    """Return the c-index pair by pair, as it is defined."""
    right = pairs = 0.0
    for i in range(len(time)):
        for j in range(len(time)):
            outlived = time[j] > time[i] or (time[j] == time[i] and not event[j])
            if event[i] and i != j and outlived:
                pairs += weights[i] * weights[j]
                right += weights[i] * weights[j] * ((risks[i] > risks[j]) + (risks[i] == risks[j]) / 2)
    return right / pairs


def test_the_c_index_counts_pairs_as_it_is_defined():
    """With ties in times and risks, and weights; NaN where no pair can be compared."""
    generator = np.random.default_rng(0)
    time, risks = generator.integers(0, 8, 50) * 1.0, generator.integers(0, 5, 50) * 1.0
    event, weights = generator.random(50) < 0.5, generator.integers(1, 4, 50) * 1.0
    found = concordance(event, time, risks, weights)
    assert found == pytest.approx(slow_concordance(event, time, risks, weights), rel=1e-12)
    repeated = np.repeat(np.arange(50), weights.astype(int))
    again = concordance(event[repeated], time[repeated], risks[repeated])
    # A row is not compared with its own copies: both had their event at the same time.
    assert again == pytest.approx(found, rel=1e-12)
    assert np.isnan(concordance(np.zeros(50, bool), time, risks))


def test_the_c_index_is_that_of_scikit_survival():
    """Where it is installed: an outside program, which the package never imports."""
    metrics = pytest.importorskip("sksurv.metrics")
    generator = np.random.default_rng(1)
    time, risks = generator.integers(1, 9, 80) * 1.0, generator.integers(0, 6, 80) * 1.0
    event = generator.random(80) < 0.6
    theirs = metrics.concordance_index_censored(event, time, risks)[0]
    assert concordance(event, time, risks) == pytest.approx(theirs, rel=1e-12)


CENTRES = ["b", "a", "b", "a"]


@pytest.mark.parametrize(
    "given",
    [
        survival_target(EVENT, TIME, CENTRES),
        (EVENT, TIME, CENTRES),
        pd.DataFrame({"centre": pd.Categorical(CENTRES), "weeks": TIME, "status": EVENT}),
        stratified((EVENT, TIME), CENTRES),
        stratified(survival_target(EVENT, TIME), np.array(CENTRES, dtype=object)),
    ],
    ids=["survival_target", "tuple", "frame", "apart from a tuple", "apart from an array"],
)
def test_a_field_of_text_is_the_stratum(given):
    """By its type, as event and time are; numbers are names, too."""
    found = read_survival(given)
    assert found["stratum"].tolist() == CENTRES
    assert strata_of(found).tolist() == [1, 0, 1, 0]
    assert survival_target(EVENT, TIME, [2, 1.0, 2, 10])["stratum"].tolist() == ["2", "1", "2", "10"]


@pytest.mark.parametrize(
    ("strata", "said"),
    [
        (["a", "b"], r"strata must hold one value for each of the 4 rows, got the shape \(2,\)"),
        (["a", None, "b", "a"], r"strata must name a stratum for every row; 1 row\(s\) have none"),
        ([1.0, np.nan, 2, 1], "must name a stratum for every row"),
    ],
)
def test_strata_that_name_none_are_refused(strata, said):
    """In a sentence, and so are strata that are given twice."""
    with pytest.raises(ValueError, match=said):
        stratified((EVENT, TIME), strata)
    with pytest.raises(ValueError, match="strata are in y already"):
        stratified((EVENT, TIME, CENTRES), CENTRES)


def test_strata_that_teach_nothing_are_refused():
    """If in each of them the only event is at the last time no row outlived another of its own."""
    y = np.column_stack([[0, 1, 0, 1], [1.0, 2, 3, 4], [0, 0, 1, 1]])
    with pytest.raises(ValueError, match="no event before the last time of its stratum"):
        encode_survival(y, np.ones(4), "breslow")
    learnt = encode_survival(np.column_stack([[1, 0, 0, 1], y[:, 1:]]), np.ones(4), "breslow")
    assert learnt.risk_strata.tolist() == [0, 0, 1, 1]
    assert learnt.indicators[2:, 0].tolist() == [0, 0], "nothing was to be expected otherwise"


def test_splits_keep_large_strata_in_proportion_and_share_out_small_ones():
    """Pairs of rows would otherwise leave no row to hold out."""
    event = np.arange(60) % 2 == 0
    large = kept_in_proportion(event, np.repeat([0, 1], 30))
    assert np.bincount(large).tolist() == [15] * 4
    assert np.bincount(kept_in_proportion(event, np.arange(60) // 2)).tolist() == [30, 30]


def test_the_c_index_of_strata_compares_within_them():
    """Pairs of all strata count alike."""
    generator = np.random.default_rng(2)
    time, risks, strata = generator.random(40), generator.random(40), np.arange(40) % 3
    event = generator.random(40) < 0.6
    right = pairs = 0.0
    for code in range(3):
        own = strata == code
        n_pairs = sum((time[own] > at).sum() for at in time[own & event])
        right += n_pairs * concordance(event[own], time[own], risks[own])
        pairs += n_pairs
    assert concordance(event, time, risks, strata=strata) == pytest.approx(right / pairs, rel=1e-12)
