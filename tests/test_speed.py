"""The speed table."""

import pytest

from snelfs.speed import Shape, measure_speed


@pytest.mark.filterwarnings("ignore:.*penalty_limit")
def test_the_speed_table_has_a_floor_and_ratios():
    """Every candidate is timed, and the faster of the floors has a ratio of at most 1 to itself."""
    rows = measure_speed(Shape(20, 10, 2, steps=2), restarts=(1, 2), repetitions=2)
    assert [row["what"] for row in rows] == [
        "two products, numpy",
        "two products, jax",
        "training, 1 restart(s)",
        "training, 2 restart(s)",
    ]
    assert rows[2]["of one restart"] == "1.00 (1.00 to 1.00)"
    assert all(float(row["seconds"]) >= 0 for row in rows)
