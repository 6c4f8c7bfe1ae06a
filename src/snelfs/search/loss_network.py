"""The refitted network of a loss of the caller's own."""

from collections.abc import Sequence

import numpy as np

from snelfs.data.loss import OwnLoss
from snelfs.foundation.types import Floats
from snelfs.search.dense_network import DenseNetwork
from snelfs.search.null_model import MeanLoss, Values


def loss_network(
    Z: Floats,
    own: OwnLoss,
    values: Values,
    shares: Floats,
    hidden_layer_sizes: Sequence[int],
    alpha_l2: float,
    seed: int,
) -> DenseNetwork:
    """Return the network of the least loss on standardised columns, its outputs in the units of the loss.

    Parameters
    ----------
    shares : array of shape (rows,)
        Weights that sum to 1.
    """
    loss, null = own.loss, own.null

    def scaled(outputs: Floats) -> tuple[float, Floats]:
        of = MeanLoss(loss, values, shares, null.scale * outputs)
        losses, slopes = of.rows(null.centre)
        return null.factor * float(shares @ losses), null.factor * null.scale * slopes

    sizes = (*hidden_layer_sizes, loss.n_outputs)
    network = DenseNetwork.least(Z, sizes, scaled, alpha_l2, seed, loss.n_shared)
    network.kernels[-1] = network.kernels[-1] * null.scale
    network.biases[-1] = null.centre + null.scale * network.biases[-1]
    # A loss with kinks stops the descent early; the level, at least, is then the best.
    nothing = np.zeros(loss.n_outputs)
    network.biases[-1] += MeanLoss(loss, values, shares, network.predict(Z)).least(nothing)
    return network
