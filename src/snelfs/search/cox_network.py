"""A small network for censored times: what a fitted `SNeLSurvival` predicts with."""

import math
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


def chance_penalty(n_columns: int, n_events: float) -> float:
    """Return the l2 penalty under which the best of so many columns of noise has next to nothing to say.

    A hidden unit of kernels u and v costs at least ``2 α |u| |v|`` under the penalty ``α (u² + v²)``: so α
    works as an L1 penalty on what columns do. Of m columns of noise the steepest slope of ``-ℓ`` by event is
    about ``√(2 log m / events)``, the universal threshold of Donoho and Johnstone (1994), and α is that over
    √2. The columns were chosen on the rows that they are fitted to, and cross-validation among these rows
    does not see it: it asks for half as much, and predicts risks twice as far apart as they turn out.

    Examples
    --------
    >>> round(chance_penalty(500, 100), 3), round(chance_penalty(5000, 10_000), 3)
    (0.249, 0.029)
    """
    return math.sqrt(math.log(max(n_columns, 1)) / n_events)
