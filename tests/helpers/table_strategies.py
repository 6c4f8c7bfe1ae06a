"""Tables and files drawn by hypothesis, for every reader and writer."""

import string

import numpy as np
from hypothesis import strategies as st

from snelfs.tables import Table

# Letters that a name may hold in every format; names are stripped, and controls are no text.
_LETTERS = st.characters(codec="utf-8", exclude_categories=["C", "Z"])
# Some begin like a formula: writers guard these, and readers take the guard off. A quotation mark in front is
# the guard itself, or a sign of the formats.
names = st.text(_LETTERS, min_size=1, max_size=6).filter(lambda name: name[0] not in "'\"")
labels = st.text(string.ascii_letters + " ,;'\"%{}\\_é", min_size=1, max_size=5).map(lambda text: f"k{text}k")
numbers = st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def tables(draw, numbers=numbers):
    """Return a table of 2 to 5 rows and 1 to 4 columns, its rows named, its target classes or numbers."""
    n_rows, n_columns = draw(st.integers(2, 5)), draw(st.integers(1, 4))
    columns = draw(st.lists(names, min_size=n_columns, max_size=n_columns, unique=True))
    values = draw(
        st.lists(st.lists(numbers, min_size=n_columns, max_size=n_columns), min_size=n_rows, max_size=n_rows)
    )
    rows = draw(st.lists(labels, min_size=n_rows, max_size=n_rows, unique=True))
    y = draw(
        st.lists(draw(st.sampled_from([labels, numbers])), min_size=n_rows, max_size=n_rows, unique=True)
    )
    return Table(
        np.array(values), tuple(columns), tuple(rows), np.array(y), "the target", "csv", "the id", ()
    )


@st.composite
def damaged(draw, whole):
    """Return bytes like those of a file, some of them cut out, changed or put in."""
    content = bytearray(whole)
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(content)))
        stop = draw(st.integers(start, min(len(content), start + 8)))
        content[start:stop] = draw(st.binary(max_size=8))
    return bytes(content[: draw(st.sampled_from([len(content), len(content) // 2]))])


# Text that is nearly a table: lines of cells, odd signs among them.
_SIGNS = ["", '"', "'", "{", "}", "{0 1}", "\\", "\x00", "\r", "\u2028", "é", "?", "NA", "x", "true"]
_NUMBERS = ["1", "2.5", "-3e5", "1,5", "10_1", "inf", "1e999", "9" * 400, "2020-01-01"]
_KEYWORDS = ["@data", "@attribute", "@attribute a real", "@attribute 'b c' {x,'y'}", "!Sample_title"]
_TABLE = "series_matrix_table"
_CELLS = st.sampled_from([*_SIGNS, *_NUMBERS, *_KEYWORDS, f"!{_TABLE}_begin", f"!{_TABLE}_end"])
_LINES = st.lists(_CELLS, max_size=5).flatmap(
    lambda cells: st.sampled_from([",", "\t", ";", " ", "|", ""]).map(lambda sign: sign.join(cells))
)
texts = st.lists(_LINES, max_size=8).map("\n".join)
