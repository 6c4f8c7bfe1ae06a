"""A small network for censored times: what a fitted `SNeLSurvival` predicts with."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from snelfs.data.partial_likelihood import PartialLikelihood
from snelfs.foundation.naming import named_in_root
from snelfs.foundation.types import Floats
from snelfs.search.dense_network import DenseNetwork


@named_in_root
@dataclass(frozen=True)
class CoxNetwork(DenseNetwork):
    """A ReLU network whose output is the log relative risk, with mean 0 over the rows it was fitted to."""

    @classmethod
    def fitted(
        cls,
        X: NDArray[np.floating],
        likelihood: PartialLikelihood,
        hidden_layer_sizes: Sequence[int],
        alpha_l2: float,
        seed: int,
    ) -> "CoxNetwork":
        """Minimise ``-ℓ`` by event plus the squares of all kernels.

        Without hidden layers it is Cox's linear model with a ridge penalty.
        """

        def by_event(outputs: Floats) -> tuple[float, Floats]:
            loss, slope = likelihood.loss_and_slope(outputs[:, 0])
            return loss / likelihood.n_events, slope[:, None] / likelihood.n_events

        network = cls.least(X, (*hidden_layer_sizes, 1), by_event, alpha_l2, seed)
        network.biases[-1] -= np.average(network.predict(X), weights=likelihood.weights)
        return network

    def predict(self, X: NDArray[np.floating]) -> Floats:
        """Return the log relative risk of every row."""
        return self._outputs(X)[-1][:, 0]
