"""What a loss of the caller's own makes of a target before any column is looked at.

The best outputs that are the same for all rows are where the networks start. Minus the slopes of the loss
there say of every row in which direction a column would have to move it, and how much: they are the evidence
that columns are associated with, as martingale residuals are of censored times, and for squared error the
target itself. Their sizes tell the units of outputs and loss, so that neither has to be on a known scale.
"""

from collections.abc import Callable
from typing import Any

import jax
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from snelfs.data.loss import Loss, NullModel, OwnLoss
from snelfs.data.splits import share
from snelfs.data.standardisation import Standardisation
from snelfs.data.target import Target
from snelfs.engine.losses import called, losses_and_slopes
from snelfs.foundation.checks import ArgumentError
from snelfs.foundation.types import Floats, Ints

Values = NDArray[np.int32] | NDArray[np.float32]


def encode_own(loss: Loss, values: Values, weights: Floats, strata: Ints, factors: Floats) -> Target:
    """Return a target for a loss of the caller's own, or say what is wrong with the loss.

    Parameters
    ----------
    values : array of shape (rows,)
        What the loss takes as `y`.
    weights, strata, factors : array of shape (rows,)
        Weights of the rows, which rows a split keeps in proportion, and factors of their losses.
    """
    refuse_shapes(loss, values)
    shares = share(weights * factors)
    null, slopes = null_model(loss, values, shares)
    n_free = loss.n_outputs - loss.n_shared
    residuals = -slopes[:, :n_free]
    scale = Standardisation.of(residuals, weights)
    if not scale.varies.any():
        raise ArgumentError(
            "loss", f"has no slope that differs between the {len(values)} rows: there is nothing to learn."
        )
    return Target(
        task="own",
        n_outputs=loss.n_outputs,
        values=values,
        strata=strata,
        factors=factors,
        residuals=scale.apply(residuals)[:, scale.varies].astype(np.float32),
        own=OwnLoss(loss, null),
    )


def refuse_shapes(loss: Loss, values: Values) -> None:
    """Raise unless the function of a loss takes outputs, target and weights, and returns one loss a row."""
    n_rows = len(values)
    outputs = (n_rows, loss.n_outputs)
    struct: Any = jax.ShapeDtypeStruct
    given = struct(outputs, np.float32), struct(values.shape, values.dtype), struct((n_rows,), np.float32)
    shown = (
        f"outputs of the shape {outputs[: None if loss.n_outputs > 1 else 1]}, y and weights of {(n_rows,)}"
    )
    try:
        found: Any = jax.eval_shape(lambda *arrays: called(loss, *arrays), *given)
    except Exception as error:  # whatever the caller's function raises
        said = (str(error).splitlines() or [""])[0].rstrip(".")
        raise ArgumentError("loss", f"failed for {shown}: {type(error).__name__}: {said}.") from error
    got = getattr(found, "shape", None)
    if got != (n_rows,):
        kind = f"a {type(found).__name__}" if got is None else f"the shape {got}"
        raise ArgumentError(
            "loss", f"must return the shape {(n_rows,)}, one loss a row, for {shown}; got {kind}."
        )
    if not np.issubdtype(found.dtype, np.floating):
        raise ArgumentError("loss", f"must return losses as floating numbers, got {found.dtype} for {shown}.")


def null_model(loss: Loss, values: Values, shares: Floats) -> tuple[NullModel, Floats]:
    """Return the best constant outputs with their units, and the slopes of every row's loss there.

    Parameters
    ----------
    shares : array of shape (rows,)
        Weights that sum to 1.
    """
    of = MeanLoss(loss, values, shares)
    _must_be_finite(of.rows(np.zeros(loss.n_outputs))[0], np.zeros(loss.n_outputs))
    centre = of.least(np.zeros(loss.n_outputs))
    losses, weighted = of.rows(centre)
    present = shares > 0
    slopes = np.where(present[:, None], weighted / np.where(present, shares, 1.0)[:, None], 0.0)
    if not (np.isfinite(losses[present]).all() and np.isfinite(slopes).all()):
        raise ArgumentError("loss", f"has no finite slope at its best constant, {_listed(centre)}.")
    sizes = np.sqrt(shares @ np.square(slopes))
    scale = np.array([of.reach(centre, place, size) for place, size in enumerate(sizes)])
    n_free = loss.n_outputs - loss.n_shared
    size = float(np.sqrt(np.square(sizes * scale)[:n_free].sum()))
    # Squared error on the standard scale has slopes of 2 in the mean square.
    factor = 2.0 / size if size > 0 else 1.0
    return NullModel(centre, scale, factor, of(centre)), slopes


class MeanLoss:
    """The mean loss of all rows by constant outputs, or by constants added to given ones.

    Parameters
    ----------
    shares : array of shape (rows,)
        Weights that sum to 1.
    given : array of shape (rows, outputs), optional
        Outputs that the constants are added to.
    """

    def __init__(self, loss: Loss, values: Values, shares: Floats, given: Floats | None = None) -> None:
        self.loss, self.values, self.shares = loss, values, shares
        self.given = np.zeros((len(values), loss.n_outputs)) if given is None else given

    def rows(self, constants: Floats) -> tuple[Floats, Floats]:
        """Return the loss of every row, and the slopes of their mean in its outputs, (rows, outputs)."""
        outputs = (self.given + constants).astype(np.float32)
        shares = self.shares.astype(np.float32)
        losses, slopes = losses_and_slopes(self.loss, outputs, self.values, shares)
        return np.asarray(losses, np.float64), np.asarray(slopes, np.float64)

    def __call__(self, constants: Floats) -> float:
        """Return the mean loss; a sum in double precision, so that small steps can be told apart."""
        return self._mean(self.rows(constants)[0])

    def _mean(self, losses: Floats) -> float:
        mean = float((self.shares * np.where(self.shares > 0, losses, 0.0)).sum())
        return mean if np.isfinite(mean) else np.inf

    def least(self, start: Floats) -> Floats:
        """Return the constants of the least mean loss: first by slopes, then without, for losses of kinks."""

        def value_and_slope(constants: Floats) -> tuple[float, Floats]:
            losses, slopes = self.rows(constants)
            return self._mean(losses), slopes.sum(axis=0)

        search: Any = minimize
        first = search(value_and_slope, start, jac=True, method="L-BFGS-B")
        begin = first.x if np.isfinite(first.fun) else start
        found = search(self, begin, method="Powell", options={"xtol": 1e-6, "ftol": 1e-9})
        tried = [start, begin, np.atleast_1d(found.x)]
        return np.asarray(min(tried, key=self), np.float64)

    def reach(self, centre: Floats, place: int, size: float) -> float:
        """Return by how much an output has to move until the loss is so much larger as slopes of a size say.

        For squared error that is the deviation of the target, for other smooth losses size over curvature.
        """
        step = np.zeros(len(centre))
        step[place] = 1.0
        least = self(centre)

        def gain(by: float) -> float:
            return (self(centre + by * step) + self(centre - by * step)) / 2 - least

        if size == 0:
            return 1.0
        found = _crossing(lambda by: gain(by) >= size * by / 2)
        if found is None and least > 0:  # a kink just there is steep at any distance
            found = _crossing(lambda by: gain(by) >= least)
        return 1.0 if found is None else found


def _crossing(is_beyond: Callable[[float], bool]) -> float | None:
    """Return where a number becomes large enough, to a tenth; None if that is nowhere or everywhere."""
    high = 1.0
    while not is_beyond(high):
        high *= 2
        if high > 2.0**60:
            return None
    while is_beyond(high / 2):
        high /= 2
        if high < 2.0**-40:
            return None
    low = high / 2
    for _ in range(4):
        middle = (low * high) ** 0.5
        low, high = (low, middle) if is_beyond(middle) else (middle, high)
    return high


def _must_be_finite(losses: Floats, outputs: Floats) -> None:
    wrong = np.flatnonzero(~np.isfinite(losses))
    if len(wrong):
        raise ArgumentError(
            "loss",
            f"must be finite, got {losses[wrong[0]]} in {len(wrong)} of {len(losses)} rows at "
            f"outputs of {_listed(outputs)}, from which its best constant is looked for.",
        )


def _listed(numbers: Floats) -> str:
    return ", ".join(f"{number:.3g}" for number in numbers)


def saved_share(
    loss: Loss, outputs: Floats, values: Values, shares: Floats, null: float | None = None
) -> float:
    """Return which share of the loss of the best constant outputs save: 1 is no loss, 0 the constant's.

    For squared error it is R². Where the best constant has no positive loss it is the difference by its size.

    Parameters
    ----------
    null : float, optional
        Loss of the best constant; by default that of these rows.
    """
    if null is None:
        of_constants = MeanLoss(loss, values, shares)
        null = of_constants(of_constants.least(np.zeros(loss.n_outputs)))
    own = MeanLoss(loss, values, shares, outputs)(np.zeros(loss.n_outputs))
    return float((null - own) / (abs(null) or 1.0))
