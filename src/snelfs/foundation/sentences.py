"""Sentences that mention arguments, which Python and the command line call by different names."""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Callable
from typing import Any


class Argument(str):
    """An argument in a sentence, written as in a call: ``n_shuffles``, ``transpose=True`` or ``layer=``.

    Examples
    --------
    >>> argument = Argument('impute="median"')
    >>> argument.name, argument.value
    ('impute', 'median')
    """

    __slots__ = ()

    @property
    def name(self) -> str:
        """What Python calls it."""
        return self.partition("=")[0]

    @property
    def value(self) -> Any:
        """The value it is given in the sentence; None if there is none."""
        written = self.partition("=")[2]
        return literal_eval(written) if written else None


class Sentence(str):
    """A text that knows which of its parts are arguments.

    It is what Python says: a string like any other, which can be compared, pickled and written to a file.
    Formatted or added to another it is plain text; as a part of another sentence it keeps its arguments.

    Parameters
    ----------
    *parts : str
        Text, arguments and sentences, in their order.

    Examples
    --------
    >>> sentence = Sentence("if each row is a feature, pass ", Argument("transpose=True"), ".")
    >>> print(sentence)
    if each row is a feature, pass transpose=True.
    >>> sentence.spelled(lambda argument: f"--{argument.name}")
    'if each row is a feature, pass --transpose.'
    """

    parts: tuple[str, ...]

    def __new__(cls, *parts: str) -> Sentence:
        """Join the parts."""
        sentence = super().__new__(cls, "".join(parts))
        sentence.parts = tuple(
            inner for part in parts for inner in (part.parts if isinstance(part, Sentence) else (part,))
        )
        return sentence

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """The arguments it mentions, in their order."""
        return tuple(part for part in self.parts if isinstance(part, Argument))

    def spelled(self, spelling: Callable[[Argument], str]) -> str:
        """Return the text with every argument as `spelling` writes it."""
        return "".join(spelling(part) if isinstance(part, Argument) else part for part in self.parts)


def said_by(error: BaseException) -> str:
    """Return what an error says: its sentence, if it was raised with one, else its text.

    Examples
    --------
    >>> said_by(ValueError(Sentence("Drop ", Argument("transpose"), "."))).arguments
    ('transpose',)
    """
    first = error.args[0] if error.args else None
    return first if isinstance(first, Sentence) else str(error)
