"""The results that the paper prints, read from `published.toml`, for the tables that show them beside ours.

Each function returns a fresh, plain object: changing it changes nothing here.
"""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

# Our name of a method to its name in the paper's tables.
IN_PAPER = {
    "no_fs": "no_fs",
    "mrmr": "mrmr",
    "relieff": "relieff",
    "f_score": "f_score",
    "snel_paper": "snel_fs",
}


def published_success() -> dict[str, dict[str, float]]:
    """Return Table II, the index of success on the eight synthetic data sets.

    Returns
    -------
    dict
        Data set, then method ("mrmr", "relieff", "f_score", "snel_fs"), to the index.

    Examples
    --------
    >>> published_success()["Fri"]
    {'mrmr': 0.8, 'relieff': 0.99, 'f_score': 0.8, 'snel_fs': 0.8}
    """
    methods = _published()["methods"]["success"]
    return {name: dict(zip(methods, row, strict=True)) for name, row in _published()["success"].items()}


def published_scores() -> dict[str, dict[str, dict[str, tuple[float, float]]]]:
    """Return Table IV, the cross-validated F1 on the twelve real data sets.

    Returns
    -------
    dict
        Data set, then classifier ("NB", "SVC", "RF", "kNN", and "avg" for their average), then method
        ("no_fs", "mrmr", "relieff", "f_score", "snel_fs"), to mean and standard deviation.

    Examples
    --------
    >>> published_scores()["colon"]["avg"]["snel_fs"]
    (0.7907, 0.1704)
    """
    methods = _published()["methods"]["scores"]
    return {
        name: {
            classifier: dict(zip(methods, map(tuple, row), strict=True)) for classifier, row in rows.items()
        }
        for name, rows in _published()["scores"].items()
    }


def published_cost() -> dict[str, dict[str, float]]:
    """Return Table V, the training times before and after selecting 30 columns of the breast cancer data.

    Returns
    -------
    dict
        Classifier ("NB", "SVC", "RF", "kNN"), then "before" and "after" (seconds) and "ratio".

    Examples
    --------
    >>> published_cost()["RF"]
    {'before': 5.25366, 'after': 0.98497, 'ratio': 5.33}
    """
    return {classifier: dict(row) for classifier, row in _published()["cost"].items()}


@cache
def _published() -> dict[str, Any]:
    """Read `published.toml` once."""
    return tomllib.loads(files("snelfs.bench").joinpath("published.toml").read_text(encoding="utf-8"))
