"""The sentence on an evaluation claims what the intervals show, and no more."""

import pytest

from snelfs.evaluation.intervals import Interval
from snelfs.evaluation.verdict import Standing, verdict

HIGH, MIDDLE, GUESS = Interval(0.9, 0.8, 1.0), Interval(0.75, 0.6, 0.9), Interval(0.52, 0.4, 0.64)
ABOVE, SAME, BELOW = Interval(0.15, 0.05, 0.25), Interval(0.0, -0.1, 0.1), Interval(-0.15, -0.25, -0.05)
UNSURE = Interval(0.06, -0.04, 0.16)
EQUAL = Interval(-0.002, -0.012, 0.008)  # ours is at most 0.01 better, as far as the interval shows
UP_FROM_ZERO, DOWN_TO_ZERO = Interval(0.1, 0.0, 0.2), Interval(-0.1, -0.2, 0.0)
JUST_EQUAL = Interval(0.0, -0.01, 0.01)


def sentence(ours, **others):
    scores = {"snel": ours} | {method: score for method, (score, _) in others.items()}
    return verdict(Standing("AUC", 0.5, scores, {method: gain for method, (_, gain) in others.items()}))


@pytest.mark.parametrize(
    ("gain", "claim"),
    [
        (ABOVE, "Selection by SNeL-FS helps here: AUC 0.900 against 0.750 with all columns"),
        (BELOW, "Selection by SNeL-FS loses something here: "),
        (SAME, "Selection by SNeL-FS makes no difference here that these folds can show: "),
        (UNSURE, "Selection by SNeL-FS makes no difference here that these folds can show: "),
        (UP_FROM_ZERO, "Selection by SNeL-FS makes no difference here that these folds can show: "),
        (DOWN_TO_ZERO, "Selection by SNeL-FS makes no difference here that these folds can show: "),
    ],
)
def test_a_gain_over_all_columns_is_claimed_only_if_its_interval_excludes_zero(gain, claim):
    assert sentence(HIGH, no_fs=(MIDDLE, gain)).startswith(claim)


@pytest.mark.parametrize(
    ("others", "said"),
    [
        ({"mrmr": (HIGH, EQUAL)}, "; a simple filter does as well here, mRMR with 0.900 ("),
        ({"l1": (HIGH, EQUAL)}, "; another selection does as well here, L1 linear model with 0.900 ("),
        # Equal means are no proof of equality: the interval reaches to where ours is better by 0.1.
        ({"mrmr": (HIGH, SAME)}, "; it is not shown to do better than a simple filter, mRMR with 0.900 ("),
        (
            {"mrmr": (MIDDLE, UNSURE)},
            "; it is not shown to do better than a simple filter, mRMR with 0.750 (",
        ),
        ({"mrmr": (HIGH, JUST_EQUAL)}, "; a simple filter does as well here, mRMR with 0.900 ("),
        ({"mrmr": (HIGH, DOWN_TO_ZERO)}, "; a simple filter does as well here, mRMR with 0.900 ("),
        ({"mrmr": (MIDDLE, UP_FROM_ZERO)}, "; it is not shown to do better than a simple filter, mRMR with "),
        ({"mrmr": (HIGH, BELOW)}, "; mRMR does better, with 0.900 ("),
        ({"mrmr": (MIDDLE, ABOVE)}, "; it does better than the other selection tried, mRMR with 0.750 ("),
        (
            {"mrmr": (MIDDLE, ABOVE), "f_score": (GUESS, ABOVE)},
            "; it does better than every other selection tried, mRMR with 0.750 (",
        ),
        # One of them is not beaten, though its mean is lower than that of the one that is.
        (
            {"mrmr": (HIGH, ABOVE), "relieff": (MIDDLE, UNSURE)},
            "; it is not shown to do better than a simple filter, ReliefF with 0.750 (",
        ),
    ],
)
def test_the_other_selections_are_named_as_they_stand(others, said):
    assert said in sentence(HIGH, no_fs=(MIDDLE, ABOVE), **others)


def test_nothing_is_claimed_where_no_method_is_better_than_chance():
    """Not even if ours is ahead of all columns: both may be guessing."""
    said = sentence(GUESS, no_fs=(GUESS, ABOVE), mrmr=(GUESS, SAME))
    assert said.startswith("Nothing here is shown to predict better than chance (AUC 0.5): ")
    assert "helps" not in said
    from_chance = Interval(0.6, 0.5, 0.7)
    assert sentence(from_chance, no_fs=(from_chance, SAME)).startswith("Nothing here is shown to predict")


def test_a_method_that_sees_what_ours_does_not_is_named():
    said = sentence(GUESS, no_fs=(GUESS, SAME), mrmr=(HIGH, BELOW))
    assert said == (
        "SNeL-FS is not shown to predict better than chance here (AUC 0.520, 95 % interval 0.400 to 0.640), "
        "while mRMR is (0.900, 95 % interval 0.800 to 1.000)."
    )


def test_random_columns_are_no_rival():
    """They are a control: a draw of columns is not a method to recommend."""
    said = sentence(HIGH, no_fs=(MIDDLE, ABOVE), random=(HIGH, SAME))
    assert "random" not in said
    assert said.endswith(").")


def test_without_all_columns_the_sentence_still_stands():
    assert sentence(HIGH, mrmr=(HIGH, SAME)).startswith("Selection by SNeL-FS predicts better than chance")
