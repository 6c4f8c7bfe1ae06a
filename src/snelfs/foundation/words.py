"""Numbers, names and lists in a sentence."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence
from difflib import get_close_matches


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun, in the plural where there are several.

    Examples
    --------
    >>> counted(1, "column"), counted(22000, "column")
    ('1 column', '22,000 columns')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def percent(share: float) -> str:
    """Return a share in whole per cent, a half rounded up as a browser does.

    Examples
    --------
    >>> percent(0.125), percent(1)
    ('13 %', '100 %')
    """
    return f"{math.floor(100 * share + 0.5)} %"


def first_few(names: Sequence[object], most: int = 3) -> str:
    """Return the first names in quotation marks, and how many more there are.

    Examples
    --------
    >>> first_few(["a", "b", "c", "d", "e"])
    "'a', 'b', 'c' and 2 more"
    """
    shown = ", ".join(repr(str(name)) for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most:,} more"


def nearest(name: str, names: Sequence[str]) -> str:
    """Return a clause with the names most like a wrong one, or with the first ones if none is like it."""
    folded: dict[str, str] = {}
    for known in names:
        folded.setdefault(known.casefold(), known)
    close = [folded[match] for match in get_close_matches(name.casefold(), list(folded))]
    if close:
        return f"the nearest {'name is' if len(close) == 1 else 'names are'} {first_few(close)}"
    return f"there are {first_few(names)}" if names else "there is none"


def printable(text: str) -> str:
    r"""Return a text without signs that command a terminal.

    Examples
    --------
    >>> printable("red \x1b[31m gene\n")
    'red �[31m gene\n'
    """
    return "".join(sign if sign in "\n\t" or unicodedata.category(sign) != "Cc" else "�" for sign in text)


def shortened(text: object, length: int) -> str:
    """Return a text that any file can hold, without its middle if it is too long.

    Examples
    --------
    >>> shortened("AFFX-HUMGAPDH/M33197_5_at", 15)
    'AFFX-HU…97_5_at'
    """
    # Half a surrogate pair cannot be written as UTF-8.
    whole = str(text).encode("utf-8", "replace").decode()
    tail = (length - 1) // 2
    return whole if len(whole) <= length else f"{whole[: length - 1 - tail]}…{whole[len(whole) - tail :]}"


def listed(words: Sequence[str]) -> str:
    """Return words as a list in a sentence.

    Examples
    --------
    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    return " and ".join(part for part in (", ".join(words[:-1]), words[-1]) if part)
