"""The settings of the SNeL-FS paper and what it says of its data sets, read from `paper.toml`.

Each function returns a fresh, plain object: changing it changes nothing here.
"""

import tomllib
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import Any

__all__ = [
    "ours",
    "paper_facts",
    "paper_names",
    "paper_settings",
    "paper_task",
]


def paper_names() -> tuple[str, ...]:
    """Return the names of the paper's 20 data sets: eight synthetic ones, then twelve real ones.

    Returns
    -------
    tuple of str
        The names, in the order of Tables I and III.

    Examples
    --------
    >>> paper_names()[:4]
    ('Mad', 'XOR', 'Reg', 'Fri')
    """
    return tuple(_paper()["data"])


def paper_settings(name: str) -> dict[str, Any]:
    """Return the settings of the paper's run on one data set, as keyword arguments of the estimators.

    Where the paper gives no value, the one returned is ours: see `ours`. F1 of two classes is that of the
    second in order; on colon, prostate and bone lesion the positive class of the paper comes first by name,
    so give these labels as 0 and 1, as ``snelfs bench`` does.

    Parameters
    ----------
    name : str
        One of `paper_names`, in upper or lower case.

    Returns
    -------
    dict
        Keyword arguments of `SNeLClassifier` or, where `paper_task` is "regression", of `SNeLRegressor`.

    Examples
    --------
    >>> settings = paper_settings("MLL")
    >>> settings["lambda_s"], settings["lambda_a"], settings["steps"]
    ((0.01, 0.2), (0.01, 0.1), (19, 18))
    """
    entry = _data_set(name)
    layers = [*_shared(entry), entry.get("settings", {})]
    return {key: _frozen(value) for layer in layers for key, value in layer.items() if key != "ours"}


def ours(name: str) -> frozenset[str]:
    """Return the settings of one data set for which the paper gives no value.

    Parameters
    ----------
    name : str
        One of `paper_names`, in upper or lower case.

    Returns
    -------
    frozenset of str
        Names of estimator arguments.

    Examples
    --------
    >>> sorted(ours("Mad"))
    ['batch_size', 'learning_rate']
    """
    entry = _data_set(name)
    return frozenset(key for layer in [*_shared(entry), entry] for key in layer.get("ours", []))


def paper_task(name: str) -> str:
    """Return the task of one data set: "binary", "multiclass" or "regression".

    Parameters
    ----------
    name : str
        One of `paper_names`, in upper or lower case.

    Returns
    -------
    str
        The task.

    Examples
    --------
    >>> paper_task("srbct")
    'multiclass'
    """
    return str(_data_set(name)["task"])


def paper_facts(name: str) -> dict[str, Any]:
    """Return what Tables I and III print about one data set.

    Parameters
    ----------
    name : str
        One of `paper_names`, in upper or lower case.

    Returns
    -------
    dict
        `rows` and `columns`, and either `relevant`, the number of relevant columns of a synthetic data set,
        or `class_counts`, the rows of each class of a real one.

    Examples
    --------
    >>> paper_facts("colon")
    {'rows': 62, 'columns': 2000, 'class_counts': (40, 22)}
    """
    entry = _data_set(name)
    return {
        key: _frozen(entry[key]) for key in ("rows", "columns", "relevant", "class_counts") if key in entry
    }


@cache
def _paper() -> dict[str, Any]:
    """Read `paper.toml` once."""
    return tomllib.loads(files("snelfs.estimators").joinpath("paper.toml").read_text(encoding="utf-8"))


def _data_set(name: str) -> dict[str, Any]:
    """Return the table of one data set, or say which names there are."""
    spelled = {key.casefold(): key for key in paper_names()}
    folded = name.casefold()
    if folded not in spelled:
        near = "".join(f" (nearest: {spelled[key]!r})" for key in get_close_matches(folded, spelled, n=1))
        raise ValueError(
            f"{name!r} is no data set of the paper{near}; accepted are {', '.join(paper_names())}."
        )
    table: dict[str, Any] = _paper()["data"][spelled[folded]]
    return table


def _shared(entry: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the two tables a data set inherits from, the general one first."""
    shared = _paper()["shared"]
    return shared["all"], shared[entry["group"]]


def _frozen(value: Any) -> Any:
    """Turn a list into a tuple, so that no caller can change what was read, and the word none into None."""
    if value == "none":
        return None
    return tuple(value) if isinstance(value, list) else value
