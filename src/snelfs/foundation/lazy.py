"""Packages whose public names are loaded on first use: importing one costs nothing."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def loaded_on_use(package: str, modules: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a package that finds each public name in its module.

    Parameters
    ----------
    package : str
        Its ``__name__``.
    modules : mapping of str to str
        The module of every name, as it is called within the package.

    Examples
    --------
    >>> found = loaded_on_use("snelfs", {"tune": "estimators.tuning"})
    >>> found("tunes")
    Traceback (most recent call last):
    AttributeError: module 'snelfs' has no attribute 'tunes'
    """

    def load(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{modules[name]}"), name)

    return load
