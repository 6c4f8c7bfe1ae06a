"""The public names of things, whatever room they live in."""

from typing import TypeVar

Kind = TypeVar("Kind", bound=type)


def named_in_root(kind: Kind) -> Kind:
    """Let a class be known as one of `snelfs` itself, in files of models as in help texts.

    A class stored by its room would be lost to every file that was written before it moved.

    Examples
    --------
    >>> @named_in_root
    ... class Result: ...
    >>> Result
    <class 'snelfs.Result'>
    """
    kind.__module__ = "snelfs"
    return kind
