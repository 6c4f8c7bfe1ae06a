"""How every plot looks: colours for all eyes and papers, text that fits, names shown letter by letter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from snelfs.foundation.extras import require

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.axes._base import _AxesBase
    from matplotlib.backend_bases import RendererBase
    from matplotlib.transforms import Bbox

RGBA = tuple[float, float, float, float]
Style = dict[str, Any]  # keywords of matplotlib

# Okabe and Ito's colours, told apart by colour-blind eyes; without yellow and black, which light or dark
# paper swallows. Shapes tell the same in grey.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
SHAPES = ("o", "^", "s", "D", "v", "P")
BLUE, VERMILION, GREEN = COLOURS[:3]

POINTS = 72  # an inch


def require_matplotlib() -> None:
    """Say what to install where matplotlib is missing."""
    require("matplotlib", "plots", "Drawing a figure")


# -- axes and their size ----------------------------------------------------------------------------


def axes_or_new(ax: Axes | None, height: float) -> Axes:
    """Return the given Axes, or those of a new figure of the usual width and `height` inches."""
    require_matplotlib()
    from matplotlib import rcParams
    from matplotlib.axes import Axes

    if ax is None:
        from matplotlib import pyplot

        width = rcParams["figure.figsize"][0]
        return pyplot.subplots(figsize=(width, height), layout="constrained")[1]
    if not isinstance(ax, Axes):
        raise TypeError(f"ax must be matplotlib Axes or None, got {type(ax).__name__}.")
    return ax


def inches(ax: Axes) -> tuple[float, float]:
    """Return width and height of the Axes as they are now, in inches."""
    box = ax.get_window_extent()
    return box.width / ax.figure.dpi, box.height / ax.figure.dpi


def text_size(ax: Axes, rows: float = 0) -> float:
    """Return points that suit the Axes: 7 in a column of a paper, 9 across a page, never above the usual.

    Where there are `rows` of text one below the other, it is no larger than they are high.
    """
    from matplotlib import rcParams

    width, height = inches(ax)
    size = min(float(rcParams["font.size"]), max(6.5, 5.2 + 0.7 * width))
    # A tenth more than there is now: a constrained layout takes the margins in.
    return min(size, max(3.0, 1.1 * height * POINTS / rows)) if rows else size


def ink(strength: float = 1.0) -> RGBA:
    """Return the colour of text, paler by transparency, so that it suits any background."""
    from matplotlib import rcParams
    from matplotlib.colors import to_rgba

    return to_rgba(rcParams["text.color"], strength)


def tidy(ax: Axes, size: float, title: str = "") -> None:
    """Take the frame's upper and right side away, and give all text its size."""
    ax.spines[["top", "right"]].set_visible(False)
    ax.tick_params(labelsize=size)
    for label in (ax.xaxis.label, ax.yaxis.label, ax.xaxis.get_offset_text(), ax.yaxis.get_offset_text()):
        label.set_fontsize(size)
    if title:
        ax.set_title(title, loc="left", size=size)


@dataclass(frozen=True)
class _Place:
    """Where a panel of a grid is: gaps are points, because they hold text, and the rest is shared out."""

    parent: Axes
    cell: tuple[int, int]
    shape: tuple[int, int]
    gaps: tuple[float, float]  # between rows, between columns

    def __call__(self, panel: _AxesBase, _: RendererBase | None) -> Bbox:
        from matplotlib.transforms import Bbox

        whole, pixels = self.parent.bbox, self.parent.figure.dpi / POINTS
        down, across = (gap * pixels for gap in self.gaps)
        height = max(1.0, (whole.height - down * (self.shape[0] - 1)) / self.shape[0])
        width = max(1.0, (whole.width - across * (self.shape[1] - 1)) / self.shape[1])
        left = whole.x0 + self.cell[1] * (width + across)
        bottom = whole.y1 - self.cell[0] * (height + down) - height
        box = Bbox.from_bounds(left, bottom, width, height)
        return box.transformed(panel.figure.transSubfigure.inverted())


def panels(ax: Axes, n: int, n_columns: int, gaps: tuple[float, float]) -> list[Axes]:
    """Return `n` panels in place of the Axes, row by row; they are its `child_axes` and move with it."""
    ax.set_axis_off()
    shape = (-(-n // n_columns), n_columns)
    grid = []
    for index in range(n):
        panel = ax.inset_axes((0, 0, 1, 1))
        panel.set_axes_locator(_Place(ax, divmod(index, n_columns), shape, gaps))
        grid.append(panel)
    return grid


def square_columns(ax: Axes, n: int, gaps: tuple[float, float]) -> int:
    """Return how many of `n` panels side by side make them nearest to squares, and leave few places empty."""
    width, height = (length * POINTS for length in inches(ax))

    def shape(n_columns: int) -> float:
        n_rows = -(-n // n_columns)
        wide = max(1.0, (width - gaps[1] * (n_columns - 1)) / n_columns)
        high = max(1.0, (height - gaps[0] * (n_rows - 1)) / n_rows)
        return abs(float(np.log(wide / high))) + 1.5 * (n_rows * n_columns / n - 1)

    return min(range(1, n + 1), key=shape)


# -- text -------------------------------------------------------------------------------------------


def shown(name: object, length: int = 20) -> str:
    r"""Return a name as matplotlib is to draw it: on one line, shortened in its middle, never as mathematics.

    Examples
    --------
    >>> print(shown("price in $"), shown("AFFX-HUMGAPDH/M33197_5_at", 15))
    price in \$ AFFX-HU…97_5_at
    """
    text = " ".join(str(name).split())
    text = "".join(letter if letter.isprintable() else "?" for letter in text)
    if len(text) > length:
        tail = (length - 1) // 2
        text = f"{text[: length - 1 - tail]}…{text[len(text) - tail :]}"
    return text.replace("$", r"\$")


def name_length(ax: Axes, size: float, share: float = 0.36) -> int:
    """Return how many letters of a name fit into a share of the Axes' width."""
    return int(np.clip(share * inches(ax)[0] * POINTS / (0.6 * size), 8, 40))


def key(ax: Axes, handles: Sequence[Artist], words: Sequence[str], size: float, lines: int = 0) -> None:
    """Explain colours in one frameless line above the Axes, or so many `lines` up; words stay as they are."""
    from matplotlib.transforms import ScaledTranslation

    up = ScaledTranslation(0, 1.8 * lines * size / POINTS, ax.figure.dpi_scale_trans)
    look: Style = {
        "loc": "lower left",
        "bbox_to_anchor": (0, 1),
        "bbox_transform": ax.transAxes + up,
        "ncols": len(words),
        "frameon": False,
        "fontsize": size,
        "borderpad": 0.1,
        "borderaxespad": 0.1,
        "handlelength": 1.0,
        "handletextpad": 0.4,
        "columnspacing": 1.0,
        "scatterpoints": 1,
    }
    # A label that begins with "_" would be left out.
    legend = ax.legend(handles, ["x"] * len(words), **look)
    for text, word in zip(legend.get_texts(), words, strict=True):
        text.set_text(word)


def spread(n: int) -> NDArray[np.float64]:
    """Return `n` numbers within ±½ that lie evenly however many there are, for dots side by side.

    Examples
    --------
    >>> spread(3).round(2).tolist()
    [0.0, -0.38, 0.24]
    """
    golden = (np.sqrt(5) - 1) / 2
    return np.asarray((np.arange(n) * golden + 0.5) % 1 - 0.5)


def other_spread(n: int) -> NDArray[np.float64]:
    """Return such numbers without any order, the same ones every time, for dots that are spread both ways."""
    return np.random.default_rng(0).uniform(-0.5, 0.5, n)
