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


def in_use(W: Array, bends: Array | None) -> Array:
    """Return the weights that a restart may use; those of other functions start at 0 and stay there.

    Parameters
    ----------
    bends : array of shape (restarts, functions) or None
        1 for the functions that a restart may use, 0 for others; None allows all.
    """
    return W if bends is None else W * bends[:, None, :, None]


def forward(X: Array, W: Array) -> Array:
    """Return the outputs of all restarts from one product with the shared `X`."""
    restarts, dim = W.shape[:2]
    outputs = W.reshape(restarts * dim, -1) @ X.reshape(X.shape[0], -1).T
    return outputs.reshape(restarts, dim, X.shape[0])
