"""The losses benchmark: what its draws are made of, and its table."""

import numpy as np
import pytest
from typer.testing import CliRunner

from snelfs.bench.losses import TITLES, draw_tails, find_tails, loss_rows, loss_trials
from snelfs.cli.app import app
from snelfs.evaluation.trials import Trial


def test_the_stretching_columns_move_the_upper_quantile_and_not_the_mean():
    """Nor the lower quantiles, as seen in very many rows."""
    X, y, stretching, shifting = draw_tails(99_020, 60_000, 8)
    assert sorted({*stretching, *shifting}) == sorted([*stretching, *shifting])
    stretch = X[:, stretching].sum(axis=1)
    noise = y - 0.4 * X[:, shifting].sum(axis=1) / np.sqrt(2)
    high, low = noise[stretch > 1.4], noise[stretch < -1.4]
    assert np.quantile(high, 0.9) > np.quantile(low, 0.9) + 0.3
    assert high.mean() == pytest.approx(low.mean(), abs=0.06)
    assert np.quantile(high, 0.1) == pytest.approx(np.quantile(low, 0.1), abs=0.06)
    assert np.array_equal(draw_tails(99_020).y, draw_tails(99_020).y)


def test_a_trial_counts_both_kinds(monkeypatch):
    """On a small draw by the filters, which train nothing."""
    monkeypatch.setattr("snelfs.bench.losses.draw_tails", lambda seed: draw_tails(99_000 + seed, 400, 30))
    values = find_tails(Trial("upper tail", "quantile_filters", 0))
    assert len(values["selected"]) == 10
    assert 0 <= values["found"] <= 1
    assert values["found_of_all"] == 1


def test_the_table_has_a_row_for_every_method():
    records = [
        {**trial._asdict(), "status": "done", "found": 1.0, "found_of_all": 0.5, "seconds": 1.0}
        for trial in loss_trials(TITLES, 2)
    ]
    rows = loss_rows(records)
    assert [row["method"] for row in rows] == list(TITLES.values())
    assert rows[0]["stretch the upper half"] == "1.00 ± 0.00"
    assert rows[0]["move the mean"] == "0.50 ± 0.00"


def test_the_command_says_where_there_is_nothing_to_show(tmp_path):
    shown = CliRunner().invoke(app, ["bench", "losses", "--only-tables", "--output", str(tmp_path)])
    assert shown.exit_code == 1
    assert "There is no record yet" in shown.output
