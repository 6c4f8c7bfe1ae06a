"""The benchmark of the q-values: what is counted, and how it is told."""

import pytest

from snelfs.bench.chance import PROMISES, chance_trials, count_finds, table_rows
from snelfs.evaluation.trials import Trial


def counted(target, found, true, status="done"):
    trial = Trial("Mad", target, 0)._asdict()
    relevant = 5 if target == "real" else 0
    return {**trial, "status": status, "found": found, "true": true, "relevant": relevant}


def test_a_draw_has_both_targets():
    """The shuffled one says what is false, the real one what is still found."""
    assert chance_trials(["Mad"], 2) == [
        ("Mad", "shuffled", 0, 0),
        ("Mad", "shuffled", 1, 0),
        ("Mad", "real", 0, 0),
        ("Mad", "real", 1, 0),
    ]


def test_shares_are_means_over_draws():
    """A draw without a find has no false share; one of shuffled targets that finds anything is all false."""
    records = [counted("shuffled", [0, 0, 2], [0, 0, 0]), counted("shuffled", [0, 1, 4], [0, 0, 0])]
    records += [counted("real", [4, 5, 8], [4, 5, 4])]
    rows = table_rows(records)
    assert [row["q up to"] for row in rows] == [*PROMISES] * 2
    assert [row["share false"] for row in rows] == ["0.000", "0.500", "1.000", "0.000", "0.000", "0.500"]
    assert [row["draws with any"] for row in rows] == [0, 1, 2, 1, 1, 1]
    assert [row["relevant found"] for row in rows] == ["", "", "", "0.80", "1.00", "0.80"]


def test_a_failed_draw_is_not_counted():
    rows = table_rows([counted("real", None, None, status="failed")])
    assert {row["draws"] for row in rows} == {0}
    assert {row["share false"] for row in rows} == {""}


@pytest.mark.slow
@pytest.mark.parametrize("target", ["shuffled", "real"])
def test_counting_goes_by_the_estimators_q_values(target):
    """A linear target: shuffled, hardly anything is promised; as it is, most columns are found."""
    values = count_finds(Trial("Reg", target, 90))
    if target == "shuffled":
        assert values["true"] == [0, 0, 0]
        assert values["found"][1] <= 2
    else:
        assert values["true"][1] >= 3
