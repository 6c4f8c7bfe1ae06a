"""The feature-selection layer: ``A = X W``, linear and without bias (section II-A).

===========  ==============================  ===============================================
symbol       shape                           meaning
===========  ==============================  ===============================================
``X``        ``(rows, columns)``             standardised data, shared by all restarts
``W``        ``(restarts, dim, columns)``    weights; each of the ``dim`` neurons of a restart
                                             shall end up copying one column
``A``        ``(restarts, dim, rows)``       outputs
===========  ==============================  ===============================================

A neuron's weights lie side by side in memory, and so do its outputs: sums over columns and over
rows, which is most of what is done with them, then run along the memory.

A column may also enter as several functions of itself (see `snelfs.search.curves`). Then ``X`` is
``(rows, functions, columns)`` and ``W`` is ``(restarts, dim, functions, columns)``, and wherever the plain
layer has the absolute weight of a column, this one has the norm of the column's weights. A group of columns
that is chosen as a whole enters in the same way, as directions in the space of its columns.
"""

from typing import NamedTuple

import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from snelfs.foundation.checks import ArgumentError
from snelfs.foundation.types import Array


def start_weights(column_shares: NDArray[np.floating], n_restarts: int, dim: int) -> NDArray[np.float32]:
    """Return start weights in which every neuron's weights sum to one half (section III-B).

    Equal shares give the paper's constant ``1/(2m)``. All neurons start alike; only the random
    weights of the next layer tell them apart.

    Parameters
    ----------
    column_shares : array of shape (columns,)
        Non-negative shares of the columns in a neuron's start, on any scale.

    Examples
    --------
    >>> start_weights(np.ones(4), n_restarts=1, dim=2)[0, 0].tolist()
    [0.125, 0.125, 0.125, 0.125]
    """
    if not column_shares.any():
        raise ArgumentError("init", "gives no share to any column that varies; at least one must have some.")
    column = (0.5 * column_shares / column_shares.sum()).astype(np.float32)
    return np.broadcast_to(column, (n_restarts, dim, len(column))).copy()


def with_functions(W: NDArray[np.float32], functions: int) -> NDArray[np.float32]:
    """Return start weights for columns that enter as several functions: all weight is on the first.

    So the layer starts as the plain one; the other functions take part as soon as the loss asks for them.
    With one function the weights stay as they are.
    """
    if functions == 1:
        return W
    wide = np.zeros((*W.shape[:2], functions, W.shape[2]), W.dtype)
    wide[:, :, 0] = W
    return wide


class Straight(NamedTuple):
    """Which restarts use some functions of a column alone: the first so many of both.

    Their weights of other functions start at 0 and stay there.
    """

    n_restarts: int
    n_functions: int


def forward(X: Array, W: Array, straight: Straight | None = None) -> Array:
    """Return the outputs of all restarts from one product with the shared `X`.

    Restarts that use fewer functions of a column have a product of their own, which is as much smaller.
    """
    if straight is None:
        return _product(X, W)
    first, functions = straight
    return jnp.concatenate([_product(X[:, :functions], W[:first, :, :functions]), _product(X, W[first:])])


def _product(X: Array, W: Array) -> Array:
    restarts, dim = W.shape[:2]
    outputs = W.reshape(restarts * dim, -1) @ X.reshape(X.shape[0], -1).T
    return outputs.reshape(restarts, dim, X.shape[0])
