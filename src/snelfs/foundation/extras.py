"""Packages that an extra brings: imported where they are used, or named in one sentence."""

from importlib import import_module
from typing import Any


def require(package: str, extra: str, purpose: str) -> Any:
    """Import a package, or say which extra brings it.

    Parameters
    ----------
    package : str
        The package, or a module of it.
    extra : str
        Its extra in ``pyproject.toml``.
    purpose : str
        What it is needed for, as the beginning of a sentence.

    Raises
    ------
    ImportError
        If it is not there; its `name` is that of the package.

    Examples
    --------
    >>> require("not_there", "plots", "Drawing a figure")
    Traceback (most recent call last):
    ImportError: Drawing a figure needs the extra 'plots': pip install 'snelfs[plots]'.
    """
    try:
        return import_module(package)
    except ModuleNotFoundError as error:
        sentence = f"{purpose} needs the extra {extra!r}: pip install 'snelfs[{extra}]'."
        raise ImportError(sentence, name=package) from error
