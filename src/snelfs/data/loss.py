"""A loss of the caller's own, and what it makes of a target before any column is looked at."""

from collections.abc import Callable
from dataclasses import dataclass

from snelfs.foundation.naming import named_in_root
from snelfs.foundation.types import Array, Floats


@named_in_root
@dataclass(frozen=True)
class Loss:
    """A loss of your own for `SNeLRegressor` and `SNeLClassifier`, with the number of outputs it needs.

    Parameters
    ----------
    function : callable
        ``function(outputs, y, weights)`` returns the loss of every row, of shape (rows,), in operations of
        JAX. The network's outputs have the shape (rows, n_outputs), or (rows,) if there is one of them; `y`,
        of shape (rows,), is the target as it was given in single precision, or the places of the classes in
        `classes_`; the weights, of shape (rows,), sum to 1 over the rows that count, and are 0 elsewhere. The
        mean of the losses by these weights is minimised, so that most functions need not look at them. It
        has to be finite where all outputs are 0.
    n_outputs : int, default=1
        Outputs of the network.
    n_shared : int, default=0
        How many of these, the last ones, are the same number for all rows, such as thresholds or a
        dispersion.
    predict : callable, optional
        ``predict(outputs)`` returns what `predict` of a regressor does, or the probability of every class,
        given outputs of the same shape. By default the outputs that are not shared, and of classes the
        logistic function of one output, or the softmax of as many as there are classes.

    Examples
    --------
    >>> import jax.numpy as jnp
    >>> from snelfs import Loss
    >>> def expectile(outputs, y, weights):
    ...     return jnp.where(y > outputs, 0.9, 0.1) * (y - outputs) ** 2
    >>> Loss(expectile).n_outputs
    1
    """

    function: Callable[[Array, Array, Array], Array]
    n_outputs: int = 1
    n_shared: int = 0
    predict: Callable[[Array], Array] | None = None


@dataclass(frozen=True)
class NullModel:
    """The best outputs that are the same for all rows, and the units in which columns change them."""

    centre: Floats  # (outputs,)
    scale: Floats  # (outputs,)
    factor: float  # of the loss, so that its slopes are those of squared error
    loss: float  # the mean of all rows


@dataclass(frozen=True)
class OwnLoss:
    """A loss, and its model without columns of the rows that are fitted to."""

    loss: Loss
    null: NullModel
