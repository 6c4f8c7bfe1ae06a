"""Check what callers pass: return it in the expected type, or say in one sentence what is wrong."""

from __future__ import annotations

import math
from collections.abc import Iterable
from numbers import Integral, Real
from typing import Any, TypeAlias

import numpy as np

Seed: TypeAlias = int | np.random.Generator | np.random.RandomState | None


def is_integer(value: object) -> bool:
    """Tell whether `value` is a Python or NumPy integer; True and False are not."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def is_number(value: object) -> bool:
    """Tell whether `value` is a real number; True and False are not."""
    return isinstance(value, Real) and not isinstance(value, bool)


def count(name: str, value: Any, least: int, why: str = "") -> int:
    """Return `value` as an int, or raise if it is not an integer of at least `least`.

    Examples
    --------
    >>> count("n_restarts", 0, 1)
    Traceback (most recent call last):
    ValueError: n_restarts must be an integer of at least 1, got 0.
    """
    if not is_integer(value) or value < least:
        reason = f" ({why})" if why else ""
        raise ValueError(f"{name} must be an integer of at least {least}{reason}, got {value!r}.")
    return int(value)


def counts(name: str, value: Any, least: int = 1) -> tuple[int, ...]:
    """Return one integer or a sequence of them as a tuple, or raise as `count` does."""
    if is_integer(value):
        return (count(name, value, least),)
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise ValueError(f"{name} must be an integer or a sequence of integers, got {value!r}.")
    return tuple(count(f"each of {name}", item, least) for item in value)


def non_negative(name: str, value: Any) -> float:
    """Return `value` as a float, or raise if it is not a finite number of at least 0."""
    if not is_number(value) or not 0 <= float(value) < math.inf:
        raise ValueError(f"{name} must be a finite number of at least 0, got {value!r}.")
    return float(value)


def positive(name: str, value: Any) -> float:
    """Return `value` as a float, or raise if it is not a finite number above 0."""
    if not is_number(value) or not 0 < float(value) < math.inf:
        raise ValueError(f"{name} must be a finite number above 0, got {value!r}.")
    return float(value)


def fraction(name: str, value: Any) -> float:
    """Return `value` as a float, or raise if it is not strictly between 0 and 1."""
    if not is_number(value) or not 0 < float(value) < 1:
        raise ValueError(f"{name} must be a number between 0 and 1, both excluded, got {value!r}.")
    return float(value)


def interval(name: str, value: Any) -> tuple[float, float]:
    """Return `value` as a pair (low, high) with 0 <= low <= high, or raise.

    Examples
    --------
    >>> interval("lambda_s", (0.2, 0.1))
    Traceback (most recent call last):
    ValueError: lambda_s must be a pair (low, high) with 0 <= low <= high, got (0.2, 0.1).
    """
    ends = list(value) if isinstance(value, Iterable) and not isinstance(value, str) else []
    if len(ends) != 2 or not all(map(is_number, ends)) or not 0 <= ends[0] <= ends[1] < math.inf:
        raise ValueError(f"{name} must be a pair (low, high) with 0 <= low <= high, got {value!r}.")
    return float(ends[0]), float(ends[1])


def choice(name: str, value: Any, accepted: Iterable[str]) -> str:
    """Return `value`, or raise if it is not one of the accepted words.

    Examples
    --------
    >>> choice("saliency", "mean", ["max", "sum"])
    Traceback (most recent call last):
    ValueError: saliency must be 'max' or 'sum', got 'mean'.
    """
    words = sorted(accepted)
    if not isinstance(value, str) or value not in words:
        *others, last = [repr(word) for word in words]
        listed = f"{', '.join(others)} or {last}" if others else last
        raise ValueError(f"{name} must be {listed}, got {value!r}.")
    return value


def flag(name: str, value: Any) -> bool:
    """Return `value` as a bool, or raise if it is none."""
    if not isinstance(value, bool | np.bool_):
        raise ValueError(f"{name} must be True or False, got {value!r}.")
    return bool(value)


def random_numbers(random_state: Seed) -> np.random.RandomState:
    """Return the source meant by `random_state` in the form scikit-learn takes, never the global one.

    An integer means what it means to scikit-learn. A Generator is drawn from, so that calls in a row differ.
    """
    if isinstance(random_state, np.random.RandomState):
        return random_state
    if isinstance(random_state, np.random.Generator):
        return np.random.RandomState(random_state.bit_generator)
    if random_state is None:
        return np.random.RandomState()
    if not is_integer(random_state) or not 0 <= random_state < 2**32:
        raise ValueError(
            "random_state must be None, an integer from 0 to 2**32 - 1, a numpy Generator or a RandomState, "
            f"got {random_state!r}."
        )
    return np.random.RandomState(int(random_state))
