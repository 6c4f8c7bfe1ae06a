"""Columns of categories: which they are, their categories, and these as numbers from 0.

A category enters the search as its indicators, a group of columns that is selected as a whole.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from snelfs.data.beside import chosen_columns
from snelfs.data.groups import missing_names
from snelfs.data.standardisation import Standardisation
from snelfs.foundation.checks import ArgumentError
from snelfs.foundation.types import Floats, Ints
from snelfs.foundation.words import counted

# What is missing is a category of its own among those of a feature.
MISSING = ""

# A column of more categories, or of more than half as many as rows, is rather names or text.
MOST_CATEGORIES = 20


def is_category(column: Any) -> bool:
    """Tell whether a column of a frame holds categories: text, or what the frame itself calls so."""
    called = str(column.dtype).lower()
    return called.startswith(("categor", "enum")) or np.asarray(column).dtype.kind not in "biuf"


def categories(column: Any) -> list[str]:
    """Return the categories of a column in order, missing values left out."""
    values = np.asarray(column, dtype=object)
    return sorted({_name(value) for value in values[~missing_names(values)]})


def _name(value: Any) -> str:
    """Return what a category is called: a whole number is the same whatever type a gap gives its column.

    Examples
    --------
    >>> _name(2.0), _name(np.int64(2)), _name("b")
    ('2', '2', 'b')
    """
    is_whole = isinstance(value, float | np.floating) and float(value).is_integer()
    return str(int(value)) if is_whole else str(value)


def category_codes(column: Any, known: Sequence[str]) -> Floats:
    """Return the places of values among known categories; NaN for others."""
    values = np.asarray(column, dtype=object)
    place_of = {name: float(place) for place, name in enumerate(known)}
    missing = missing_names(values)
    return np.array(
        [
            place_of.get(MISSING if gap else _name(value), np.nan)
            for value, gap in zip(values, missing, strict=True)
        ]
    )


def most_categories(n_rows: int) -> int:
    """Return how many categories a feature of so many rows may have: more could not be told apart."""
    return min(MOST_CATEGORIES, max(2, n_rows // 2))


def feature_categories(column: Any, name: str) -> list[str]:
    """Return the categories of a feature, or raise if they are too many.

    Missing values and empty text are one of them, the last.
    """
    values = np.asarray(column, dtype=object)
    named = categories(values)
    has_gaps = MISSING in named or bool(missing_names(values).any())
    found = _as_numbers([name for name in named if name != MISSING]) + [MISSING] * has_gaps
    refuse_too_many(name, len(found), len(values))
    return found


def refuse_too_many(name: str, n_categories: int, n_rows: int) -> None:
    """Raise if a feature has more categories than so many rows can tell apart."""
    most = most_categories(n_rows)
    if n_categories > most:
        raise ValueError(
            f"The column {name!r} has {counted(n_categories, 'category', 'categories')} in "
            f"{counted(n_rows, 'row')}, more than the {most} that can be told apart: leave it out, or "
            "merge the rare ones."
        )


def refuse_twins(names: Sequence[str]) -> None:
    """Raise if two columns of a frame have one name: which of them is meant could not be told."""
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"X has more than one column called {twice!r}: give each its own name.")


def _as_numbers(found: list[str]) -> list[str]:
    """Return categories in the order of numbers, if all of them are."""
    try:
        return sorted(found, key=float)
    except ValueError:
        return found


def holds_categories(dtype: Any) -> bool:
    """Tell by its type whether a column of a frame may hold categories: text, or what a frame calls so.

    Examples
    --------
    >>> [holds_categories(name) for name in ("category", "object", "String", "float64", "datetime64[ns]")]
    [True, True, True, False, False]
    """
    return str(dtype).lower().startswith(("categor", "enum", "object", "str", "utf8"))


def is_text_or_category(column: Any) -> bool:
    """Tell whether a column of such a type does: numbers that are stored as objects are numbers."""
    if str(column.dtype).lower().startswith(("categor", "enum")):
        return True
    try:
        np.asarray(column, dtype=np.float64)
    except (TypeError, ValueError):
        return all(isinstance(value, str) for value in set(_present(column)))
    return False


def categorical_places(X: Any, asked: Any, names: Sequence[str] | None) -> Ints:
    """Return where the columns of categories are: those asked for, or with "auto" what a frame holds of them.

    Parameters
    ----------
    asked : "auto", None or columns
        By names, positions or a mask; None is none.
    names : sequence of str or None
        What the columns are called, if they have names.
    """
    if isinstance(asked, str) and asked != "auto":
        raise ArgumentError("categorical", f"must be 'auto', None or columns of the table, got {asked!r}.")
    if not isinstance(asked, str):
        return chosen_columns("categorical", asked, X.shape[1], names)
    if not hasattr(X, "columns"):
        return np.empty(0, np.int64)
    likely = [place for place, dtype in enumerate(X.dtypes) if holds_categories(dtype)]
    found = [place for place in likely if is_text_or_category(X[X.columns[place]])]
    return np.array(found, dtype=np.int64)


def _present(column: Any) -> list[Any]:
    values = np.asarray(column, dtype=object)
    return list(values[~missing_names(values)])


def indicators(codes: NDArray[np.floating], n_levels: int, weights: Floats) -> Floats:
    """Return an indicator of every category that is there and is not all, standardised.

    Examples
    --------
    >>> indicators(np.array([0.0, 1.0, 1.0, 0.0]), 3, np.ones(4)).tolist()
    [[1.0, -1.0], [-1.0, 1.0], [-1.0, 1.0], [1.0, -1.0]]
    """
    given = (codes[:, None] == np.arange(n_levels)).astype(np.float64)
    columns = Standardisation.of(given, weights)
    return columns.of_columns(np.flatnonzero(columns.varies)).apply(given[:, columns.varies])


def with_column(frame: Any, name: Any, values: Floats) -> Any:
    """Return a frame of pandas or polars with other values in a column; the frame given stays as it is."""
    if hasattr(frame, "with_columns"):
        return frame.with_columns(type(frame[name])(name, values))
    copy = frame.copy(deep=False)
    copy[name] = values
    return copy
