"""Numbers written as text: decimal commas, thousands separators, truth values, and what is none of these.

A comma may be a decimal sign or separate thousands, and ``1,234`` alone does not tell. One cell of the file
that can mean only one of them (``0,5``, ``12,34``, ``1.234,5``; ``1,234.5``, ``1,234,567``) decides for all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from snelfs.foundation.sentences import Argument
from snelfs.tables.sheet import Frame, TableError, pandas

# What stands for a missing value. "None" is not among them: it is a class of many a study.
MISSING = [
    "",
    "NA",
    "N/A",
    "#N/A",
    "#NA",
    "<NA>",
    "na",
    "n/a",
    "NaN",
    "-NaN",
    "nan",
    "NULL",
    "null",
    "?",
    ".",
]

# The one grammar of numbers: what a spreadsheet takes for one. Python's own is wider (``10_1``, ``１２``).
_EXPONENT = r"(?:[eE][+-]?[0-9]+)?"
_PLAIN = re.compile(rf"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+){_EXPONENT}")
_INFINITE = re.compile(r"[+-]?inf(?:inity)?", re.IGNORECASE)
_WITH_COMMAS = {
    ",": re.compile(rf"[+-]?(?:[0-9]{{1,3}}(?:\.[0-9]{{3}})+(?:,[0-9]+)?|[0-9]*,[0-9]+|[0-9]+){_EXPONENT}"),
    ".": re.compile(rf"[+-]?[1-9][0-9]{{0,2}}(?:,[0-9]{{3}})+(?:\.[0-9]*)?{_EXPONENT}"),
}
_NOTATION = {",": (_WITH_COMMAS[","], _INFINITE), ".": (_WITH_COMMAS["."], _PLAIN, _INFINITE)}
_EITHER = re.compile(r"[+-]?[1-9][0-9]{0,2},[0-9]{3}")
_DATE = re.compile(
    r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:[ T].*)?|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2})(?: .*)?"
)
_MISSING_SET = set(MISSING)
_TRUTH = {"true": 1.0, "false": 0.0}


def decimal_sign(cells: Iterable[str]) -> str | None:
    """Return the decimal sign that the cells give away, or None if none does or they contradict each other.

    Examples
    --------
    >>> decimal_sign(["1,234", "0,5"]), decimal_sign(["1,234", "1,234.5"]), decimal_sign(["1,234"])
    (',', '.', None)
    """
    signs: set[str] = set()
    for cell in cells:
        if "," not in cell or _EITHER.fullmatch(cell):
            continue
        signs.update(sign for sign, form in _WITH_COMMAS.items() if form.fullmatch(cell))
    return signs.pop() if len(signs) == 1 else None


def stored_numbers(frame: Frame) -> Any:
    """Return columns of numbers and truth values as one array, in the least precision that holds them."""
    dtypes = [dtype if isinstance(dtype, np.dtype) else np.dtype(float) for dtype in set(frame.dtypes)]
    return frame.to_numpy(dtype=np.result_type(np.float32, *dtypes), na_value=np.nan)


def texts(column: Any) -> Any:
    """Return the cells of a column as stripped text in an array, missing ones as None."""
    values = np.asarray(column, dtype=object)
    missing = np.asarray(pandas().isna(column))
    shown = [None if gone else str(value).strip() for value, gone in zip(values, missing, strict=True)]
    return np.array([None if text in _MISSING_SET else text for text in shown], dtype=object)


def number(cell: str, decimal: str | None = None) -> float | None:
    """Return the number that a text is, or None if a spreadsheet would take it for text.

    Examples
    --------
    >>> number("1e3"), number("1,5", ","), number("1,500", "."), number("10_1")
    (1000.0, 1.5, 1500.0, None)
    """
    if decimal and _WITH_COMMAS[decimal].fullmatch(cell):
        cell = cell.replace(".", "").replace(",", ".") if decimal == "," else cell.replace(",", "")
    return float(cell) if _PLAIN.fullmatch(cell) or _INFINITE.fullmatch(cell) else None


def numbers(cells: Any, decimal: str | None, name: str) -> Any:
    """Return text cells as numbers, missing ones as NaN, or None if they are not all numbers.

    Parameters
    ----------
    cells : ndarray of str or None
        As `texts` gives them.
    decimal : {".", ",", None}
        The decimal sign; with "." a comma separates thousands. None is an error where it matters.
    name : str
        The column's name, for that error.
    """
    found = [cell for cell in cells if cell is not None]
    if not found:
        return np.full(len(cells), np.nan)
    if all(cell.lower() in _TRUTH for cell in found):
        return np.array([np.nan if cell is None else _TRUTH[cell.lower()] for cell in cells])
    # A column is of one notation: beside 1.5 the point of 1.234 separates no thousands.
    plain, is_text = each_number(cells, None)
    if decimal == "," or is_text.any():
        forms = _NOTATION[decimal or "."]
        if all(any(form.fullmatch(cell) for form in forms) for cell in found):
            _must_be_told(decimal, found, name)
            return each_number(cells, decimal)[0]
    return None if is_text.any() else plain


def _must_be_told(decimal: str | None, found: list[str], name: str) -> None:
    """Raise if nobody said what the commas in a column mean."""
    if decimal is None:
        example = next(cell for cell in found if "," in cell)
        raise TableError(
            f"The column {name!r} holds numbers such as {example!r}, of which the comma may be a decimal "
            "sign or separate thousands: pass ",
            Argument('decimal=","'),
            " or ",
            Argument('decimal="."'),
            ".",
        )


def each_number(cells: Any, decimal: str | None) -> tuple[Any, Any]:
    """Return every text cell as a number, and which cells are text of another kind; those are NaN.

    Examples
    --------
    >>> each_number(np.array(["1.5", "case", None], dtype=object), None)
    (array([1.5, nan, nan]), array([False,  True, False]))
    """
    read = [None if cell is None else number(cell, decimal) for cell in cells]
    is_text = np.array(
        [value is None and cell is not None for value, cell in zip(read, cells, strict=True)], bool
    )
    return np.array([np.nan if value is None else value for value in read], np.float64), is_text


def reason_to_leave_out(cells: Any) -> str:
    """Return why a column of text is no feature: what it holds."""
    found = [cell for cell in cells if cell is not None]
    if all(_DATE.fullmatch(cell) for cell in found):
        return "dates"
    plain = [number(cell) is not None for cell in found]
    if 2 * sum(plain) > len(found):
        return f"numbers mixed with text such as {found[plain.index(False)]!r}"
    if len(set(found)) == len(cells) and len(cells) > 2:
        return "ids, no value twice"
    return "text"
