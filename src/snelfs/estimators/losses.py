"""What `loss=` may be: a name, a name with a number, a function, or a `snelfs.Loss`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, softmax

from snelfs.data.loss import Loss
from snelfs.data.standardisation import Standardisation, weighted_medians
from snelfs.engine.losses import (
    Huber,
    Ordinal,
    Pinball,
    Poisson,
    as_taken,
    means_of_counts,
    ordinal_probabilities,
)
from snelfs.foundation.checks import ArgumentError
from snelfs.foundation.types import Floats
from snelfs.search.null_model import Values

LossLike: TypeAlias = str | Callable[..., Any] | Loss | None

USUAL = ("squared_error", "log_loss")  # what None is for numbers and for classes
_NORMAL = 1.4826  # deviations of a normal column in its median absolute deviation


class _Named(NamedTuple):
    """A loss that comes with a name and at most one number."""

    make: Callable[[float], Loss]
    number: float | None  # the usual one; None: it takes none
    accepted: str = ""  # in words
    is_accepted: Callable[[float], bool] = np.isfinite
    standardised: bool = False  # whether another unit of the target only changes the unit of the loss


_OF_NUMBERS: Mapping[str, _Named] = MappingProxyType(
    {
        "quantile": _Named(
            lambda level: Loss(Pinball(level)), 0.5, "between 0 and 1", lambda level: 0 < level < 1, True
        ),
        "huber": _Named(
            lambda delta: Loss(Huber(delta)),
            1.35,
            "above 0",
            lambda delta: 0 < delta < np.inf,
            True,
        ),
        "poisson": _Named(lambda _: Loss(Poisson(), predict=means_of_counts), None),
    }
)


def is_of_numbers(asked: Any) -> bool:
    """Tell whether a loss is one of those by name that take numbers and no classes.

    Examples
    --------
    >>> is_of_numbers("quantile:0.9"), is_of_numbers("squared_error"), is_of_numbers("ordinal")
    (True, True, False)
    """
    return isinstance(asked, str) and asked.partition(":")[0] in (USUAL[0], *_OF_NUMBERS)


def loss_of_numbers(asked: Any) -> Loss | None:
    """Return the loss of a regressor; None is squared error."""
    if asked is None or asked == USUAL[0]:
        return None
    if not isinstance(asked, str):
        return _own(asked, f"{USUAL[0]!r}, {_listed(_OF_NUMBERS)}")
    name, _, number = asked.partition(":")
    if name not in _OF_NUMBERS:
        raise _unknown(asked, f"{USUAL[0]!r}, {_listed(_OF_NUMBERS)}")
    known = _OF_NUMBERS[name]
    return known.make(_number(asked, name, number, known))


def loss_of_classes(asked: Any, n_classes: int) -> Loss | None:
    """Return the loss of a classifier; None is cross-entropy."""
    if asked is None or asked == USUAL[1]:
        return None
    if isinstance(asked, str):
        if asked != "ordinal":
            raise _unknown(asked, f"{USUAL[1]!r}, 'ordinal'")
        return Loss(Ordinal(), n_classes, n_classes - 1, ordinal_probabilities)
    loss = _own(asked, f"{USUAL[1]!r}, 'ordinal'")
    if loss.predict is not None:
        return loss
    if loss.n_outputs - loss.n_shared == (1 if n_classes == 2 else n_classes):
        return replace(loss, predict=_two_classes if n_classes == 2 else _softmax)
    raise ArgumentError(
        "loss",
        f"of {loss.n_outputs} output(s) needs Loss(predict=), which makes {n_classes} probabilities of them.",
    )


def _number(asked: str, name: str, number: str, known: _Named) -> float:
    """Return the number behind the name of a loss, or the usual one."""
    if not number and not asked.endswith(":"):
        return 0.0 if known.number is None else known.number
    try:
        value = float(number)
    except ValueError:
        value = np.nan
    if known.number is None or not known.is_accepted(value):
        wanted = "takes no number" if known.number is None else f"takes a number {known.accepted}"
        raise ArgumentError("loss", f"{name!r} {wanted}, got {asked!r}.")
    return value


def _own(asked: Any, names: str) -> Loss:
    """Return a loss of the caller's, or say what it lacks."""
    loss = asked if isinstance(asked, Loss) else Loss(asked) if callable(asked) else None
    if loss is None or not callable(loss.function):
        raise _unknown(asked, names)
    for name, least, most in (("n_outputs", 1, None), ("n_shared", 0, loss.n_outputs)):
        number = getattr(loss, name)
        if not isinstance(number, int) or number < least or (most is not None and number >= most):
            upto = "" if most is None else f" and below its {most} output(s)"
            raise ArgumentError(
                "loss", f"must have {name} as an integer of at least {least}{upto}, got {number!r}."
            )
    try:
        hash(loss)
    except TypeError:
        raise ArgumentError(
            "loss", f"must be hashable, as functions are, got {loss.function!r}: programs are kept by it."
        ) from None
    return loss


def _unknown(asked: Any, names: str) -> ArgumentError:
    return ArgumentError(
        "loss", f"must be None, {names}, a function (outputs, y, weights) or snelfs.Loss, got {asked!r}."
    )


def _listed(known: Mapping[str, _Named]) -> str:
    names = [
        repr(name) if loss.number is None else f"'{name}' or '{name}:{loss.number:g}'"
        for name, loss in known.items()
    ]
    return ", ".join(names)


# -- targets ----------------------------------------------------------------------------------------


def target_scale(asked: Any, y: Floats, weights: Floats, usual: Standardisation) -> Standardisation:
    """Return the scale on which a loss takes the target; most losses take it as it is.

    Where the unit of the target is only that of the loss, it is the deviation by the median of absolute ones,
    which a few large values do not move; that is what `delta` of Huber's loss counts in.
    """
    name = asked.partition(":")[0] if isinstance(asked, str) else ""
    if name not in _OF_NUMBERS or not _OF_NUMBERS[name].standardised:
        return replace(usual, mean=np.zeros(1), scale=np.ones(1))
    centre = weighted_medians(y[:, None], weights)
    spread = _NORMAL * weighted_medians(np.abs(y[:, None] - centre), weights)
    return replace(usual, mean=centre, scale=np.where(spread > 0, spread, usual.scale))


def refuse_target(asked: Any, y: NDArray[Any]) -> None:
    """Raise if a loss cannot take a target: of several columns, of no counts, or of text without order."""
    if y.ndim > 1 and y.shape[1] > 1:
        raise ArgumentError("loss", f"is of one target, got y of the shape {y.shape}.")
    if asked == "poisson" and (y < 0).any():
        raise ArgumentError("loss", f"'poisson' takes y of at least 0, got {y.min():g}.")
    if asked == "ordinal" and y.dtype.kind not in "biuf":
        raise ArgumentError(
            "loss", f"'ordinal' takes classes that are numbers in their order, got {str(y.flat[0])!r}."
        )


# -- predictions ------------------------------------------------------------------------------------


def predicted_numbers(loss: Loss, outputs: Floats) -> Floats:
    """Return what outputs of shape (rows, outputs) mean: (rows,), or (rows, numbers) of several."""
    if loss.predict is not None:
        return np.asarray(loss.predict(as_taken(loss, outputs)), np.float64)
    free = outputs[:, : loss.n_outputs - loss.n_shared]
    return free[:, 0] if free.shape[1] == 1 else free


def predicted_probabilities(loss: Loss, outputs: Floats) -> Floats:
    """Return the probability of every class, given outputs of shape (rows, outputs)."""
    assert loss.predict is not None
    return np.asarray(loss.predict(as_taken(loss, outputs)), np.float64)


def must_predict(loss: Loss, values: Values, n_classes: int | None = None) -> None:
    """Raise unless the predictions of a loss have one row for each, and as many columns as classes."""
    if loss.predict is None:
        return
    n_rows = min(len(values), 3)
    wanted = "one prediction a row" if n_classes is None else f"the shape {(n_rows, n_classes)}"
    outputs = np.zeros((n_rows, loss.n_outputs))
    try:
        got = np.shape(loss.predict(as_taken(loss, outputs)))
    except Exception as error:  # whatever the caller's function raises
        raise ArgumentError(
            "loss", f"has a function predict that failed for outputs of the shape {outputs.shape}: {error}."
        ) from error
    if got[:1] != (n_rows,) or (n_classes is not None and got != (n_rows, n_classes)):
        raise ArgumentError(
            "loss",
            f"must predict {wanted} from outputs of the shape {outputs.shape}, got the shape {got}.",
        )


def _two_classes(outputs: Floats) -> Floats:
    first = np.asarray(outputs)
    second = expit(first if first.ndim == 1 else first[:, 0])
    return np.stack([1 - second, second], axis=1)


def _softmax(outputs: Floats) -> Floats:
    return np.asarray(softmax(outputs, axis=1))
