"""What a notebook shows of a fitted estimator: the first features of the ranking, everything escaped."""

from __future__ import annotations

from html import escape

import numpy as np
from numpy.typing import NDArray

from snelfs.foundation.words import percent

SHOWN = 10  # features

_STYLE = (
    ".snelfs-result{font-size:.9em;margin:.5em 0}.snelfs-result table{border-collapse:collapse}"
    ".snelfs-result td,.snelfs-result th{padding:.1em .6em;text-align:right}"
    ".snelfs-result td:nth-child(2),.snelfs-result th:nth-child(2){text-align:left;max-width:24em;"
    "overflow-wrap:anywhere}.snelfs-result caption{text-align:left;padding:.2em .6em}"
)


def result_html(table: NDArray[np.void], frequency: NDArray[np.floating], stability: str) -> str:
    """Return a small table of the first features.

    Parameters
    ----------
    table : structured array
        Name, score, rank and whether selected, best first, as `ranked_features` gives them.
    frequency : ndarray of float
        Share of the restarts that have each among their best, in the same order.
    stability : str
        How much the restarts agree.

    Examples
    --------
    >>> fields = [("name", "U9"), ("score", "f8"), ("rank", "i8"), ("selected", "?")]
    >>> table = np.array([("<b>", 0.9, 1, True)], dtype=fields)
    >>> "&lt;b&gt;" in result_html(table, np.array([1.0]), "0.80 (0.70 to 0.90)")
    True
    """
    rows = "".join(
        f"<tr><td>{row['rank']}</td><td>{escape(str(row['name']))}</td><td>{row['score']:.3f}</td>"
        f"<td>{percent(share)}</td><td>{'yes' if row['selected'] else 'no'}</td></tr>"
        for row, share in zip(table[:SHOWN], frequency[:SHOWN], strict=True)
    )
    caption = (
        f"{int(table['selected'].sum()):,} of {len(table):,} columns selected; stability of the restarts "
        f"{escape(stability)}"
    )
    return (
        f'<div class="snelfs-result"><style>{_STYLE}</style><table><caption>{caption}</caption><thead><tr>'
        "<th>rank</th><th>feature</th><th>score</th><th>picked by</th><th>selected</th></tr></thead>"
        f"<tbody>{rows}</tbody></table></div>"
    )
