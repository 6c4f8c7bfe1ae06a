"""Text that a spreadsheet would take for a formula, written so that it does not, and read back as it was.

A cell of a text file that begins with ``=``, ``+``, ``-``, ``@``, a tab or a carriage return is computed when
a spreadsheet opens the file, and may call other programs. An apostrophe before it makes it text, as OWASP
advises and spreadsheets do themselves. Numbers are left alone.
"""

import re

_SIGNS = r"=+\-@\t\r"
_FORMULA = re.compile(rf"'*[{_SIGNS}]")
_GUARDED = re.compile(rf"'(?='*[{_SIGNS}])")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-](inf|nan)")


def guarded(text: str) -> str:
    """Return a text as it may stand in a file that spreadsheets open.

    Text that looks guarded already gets another apostrophe, so that `unguarded` gives it back.

    Examples
    --------
    >>> guarded("=1+1"), guarded("-1.5e3"), guarded("-a"), guarded("'=1"), guarded("gene")
    ("'=1+1", '-1.5e3', "'-a", "''=1", 'gene')
    """
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def unguarded(text: str) -> str:
    """Return the text that `guarded` was given.

    Examples
    --------
    >>> unguarded("'=1+1"), unguarded("''=1"), unguarded("'quoted'")
    ('=1+1', "'=1", "'quoted'")
    """
    return text[1:] if _GUARDED.match(text) else text


def is_guarded(text: str) -> bool:
    """Tell whether a whole file may hold guarded text, at its beginning or anywhere in it."""
    return _GUARDED.search(text) is not None
