"""How plots look: text that fits, panels within their Axes, names letter by letter."""

import numpy as np
import pytest
from matplotlib import rc_context
from matplotlib.figure import Figure

from plotted import ODD_NAMES
from snelfs.plots.style import panels, shown, text_size


def test_text_grows_with_the_width_up_to_the_usual_size():
    """7 points in a column of a paper, 9 across a page, and smaller where rows are narrow."""
    narrow, wide = (Figure(figsize=(width, 3)).add_subplot() for width in (3.3, 7))
    assert 6.5 <= text_size(narrow) <= 7.2
    assert 8.8 <= text_size(wide) <= 9.2
    assert text_size(wide, rows=50) < 4
    with rc_context({"font.size": 5}):
        assert text_size(wide) == 5


def test_panels_fill_their_axes_with_gaps_between():
    """Wherever the Axes are, the panels of a grid lie within, and those of a row side by side."""
    figure = Figure(figsize=(5, 4))
    ax = figure.add_axes((0.3, 0.2, 0.5, 0.6))
    first, second, third = panels(ax, 3, 2, (36, 18))
    figure.draw_without_rendering()
    box, right, below = (panel.get_position() for panel in (first, second, third))
    np.testing.assert_allclose([box.x0, box.y1, right.x1, below.y0], [0.3, 0.8, 0.8, 0.2])
    assert right.x0 - box.x1 == pytest.approx(18 / 72 / 5)
    assert box.y0 - below.y1 == pytest.approx(36 / 72 / 4)


def test_names_are_shown_letter_by_letter(ax):
    """No name is read as mathematics or broken into lines, and a long one keeps both its ends."""
    for name in ODD_NAMES:
        text = ax.text(0, 0, shown(name, 30))
        drawn, is_mathematics = text._preprocess_math(text.get_text())
        assert (drawn, is_mathematics) == (" ".join(name.split()), False)
    assert shown("AFFX-HUMGAPDH/M33197_5_at", 11) == "AFFX-…_5_at"
    assert shown("a\x00b") == "a?b"
