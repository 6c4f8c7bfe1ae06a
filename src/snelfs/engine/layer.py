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


def forward(X: Array, W: Array) -> Array:
    """Return the outputs of all restarts from one product with the shared `X`."""
    restarts, dim, columns = W.shape
    return (W.reshape(restarts * dim, columns) @ X.T).reshape(restarts, dim, X.shape[0])
