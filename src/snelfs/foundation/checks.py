"""Check what callers pass: return it in the expected type, or say in one sentence what is wrong."""

from __future__ import annotations

import math
from collections.abc import Iterable
from numbers import Integral, Real
from typing import Any, TypeAlias

import numpy as np

from snelfs.foundation.memory import too_large
from snelfs.foundation.sentences import Argument, Sentence

LARGEST = 1e18  # of a factor or a penalty: its square is still a number of single precision
Seed: TypeAlias = int | np.random.Generator | np.random.RandomState | None


class ArgumentError(ValueError):
    """Say in one sentence what is wrong with an argument.

    Parameters
    ----------
    argument : str
        What the sentence begins with: the argument as in a call, or a `Sentence` of words around it.
    problem : str
        The rest of it.

    Examples
    --------
    >>> error = ArgumentError("n_restarts", "must be an integer of at least 1, got 0.")
    >>> error.argument, str(error)
    ('n_restarts', 'n_restarts must be an integer of at least 1, got 0.')
    """

    def __init__(self, argument: str, problem: str = "") -> None:
        subject = argument if isinstance(argument, Sentence) else Sentence(Argument(argument))
        super().__init__(Sentence(subject, " ", problem) if problem else subject)

    @property
    def argument(self) -> str:
        """The argument's name."""
        name: str = self.args[0].arguments[0].name
        return name


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
    snelfs.foundation.checks.ArgumentError: n_restarts must be an integer of at least 1, got 0.
    """
    if not is_integer(value) or value < least:
        reason = f" ({why})" if why else ""
        raise ArgumentError(name, f"must be an integer of at least {least}{reason}, got {value!r}.")
    return int(value)


def counts(name: str, value: Any, least: int = 1) -> tuple[int, ...]:
    """Return one integer or a sequence of them as a tuple, or raise as `count` does."""
    if is_integer(value):
        return (count(name, value, least),)
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise ArgumentError(name, f"must be an integer or a sequence of integers, got {value!r}.")
    return tuple(count(each_of(name), item, least) for item in value)


def each_of(name: str) -> Sentence:
    """Return what a check calls the items of an argument.

    Examples
    --------
    >>> str(each_of("steps"))
    'each of steps'
    """
    return Sentence("each of ", Argument(name))


def non_negative(name: str, value: Any) -> float:
    """Return `value` as a float, or raise if it is not a finite number of at least 0."""
    if not is_number(value) or not 0 <= value < math.inf:
        raise ArgumentError(name, f"must be a finite number of at least 0, got {value!r}.")
    return _of_single_precision(name, value)


def positive(name: str, value: Any) -> float:
    """Return `value` as a float, or raise if it is not a finite number above 0."""
    if not is_number(value) or not 0 < value < math.inf:
        raise ArgumentError(name, f"must be a finite number above 0, got {value!r}.")
    return _of_single_precision(name, value)


def _of_single_precision(name: str, value: Any) -> float:
    """Return a number that trainings, which are of single precision, can compute with, or raise."""
    if value > LARGEST:
        raise ArgumentError(name, f"must be at most {LARGEST:g}, got {value!r}.")
    return float(value)


def fraction(name: str, value: Any) -> float:
    """Return `value` as a float, or raise if it is not strictly between 0 and 1."""
    if not is_number(value) or not 0 < float(value) < 1:
        raise ArgumentError(name, f"must be a number between 0 and 1, both excluded, got {value!r}.")
    return float(value)


def interval(name: str, value: Any) -> tuple[float, float]:
    """Return `value` as a pair (low, high) with 0 <= low <= high, or raise.

    Examples
    --------
    >>> interval("lambda_s", (0.2, 0.1))
    Traceback (most recent call last):
    snelfs.foundation.checks.ArgumentError: lambda_s must be a pair (low, high) with 0 <= low <= high,
    got (0.2, 0.1).
    """
    ends = list(value) if isinstance(value, Iterable) and not isinstance(value, str) else []
    if len(ends) != 2 or not all(map(is_number, ends)) or not 0 <= ends[0] <= ends[1] < math.inf:
        raise ArgumentError(name, f"must be a pair (low, high) with 0 <= low <= high, got {value!r}.")
    return _of_single_precision(name, ends[0]), _of_single_precision(name, ends[1])


def choice(name: str, value: Any, accepted: Iterable[str]) -> str:
    """Return `value`, or raise if it is not one of the accepted words.

    Examples
    --------
    >>> choice("saliency", "mean", ["max", "sum"])
    Traceback (most recent call last):
    snelfs.foundation.checks.ArgumentError: saliency must be 'max' or 'sum', got 'mean'.
    """
    words = sorted(accepted)
    if not isinstance(value, str) or value not in words:
        *others, last = [repr(word) for word in words]
        listed = f"{', '.join(others)} or {last}" if others else last
        raise ArgumentError(name, f"must be {listed}, got {value!r}.")
    return value


def flag(name: str, value: Any) -> bool:
    """Return `value` as a bool, or raise if it is none."""
    if not isinstance(value, bool | np.bool_):
        raise ArgumentError(name, f"must be True or False, got {value!r}.")
    return bool(value)


def must_fit(name: str, value: Any, n_bytes: float) -> None:
    """Raise if what an argument asks for takes more memory than there is.

    Examples
    --------
    >>> must_fit("steps", 18, 1e6)
    """
    if reason := too_large(n_bytes):
        raise ArgumentError(Sentence(Argument(name), f"={value}"), f"{reason}.")


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
        raise ArgumentError(
            "random_state",
            "must be None, an integer from 0 to 2**32 - 1, a numpy Generator or a RandomState, "
            f"got {random_state!r}.",
        )
    return np.random.RandomState(int(random_state))
