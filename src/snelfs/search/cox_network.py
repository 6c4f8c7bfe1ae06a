"""A small network for censored times: what a fitted `SNeLSurvival` predicts with."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from snelfs.data.partial_likelihood import PartialLikelihood
from snelfs.foundation.naming import named_in_root
from snelfs.foundation.types import Floats


@named_in_root
@dataclass(frozen=True)
class CoxNetwork:
    """A ReLU network whose output is the log relative risk, with mean 0 over the rows it was fitted to."""

    kernels: list[Floats]  # (inputs, units) each
    biases: list[Floats]

    @classmethod
    def fitted(
        cls,
        X: NDArray[np.floating],
        likelihood: PartialLikelihood,
        hidden_layer_sizes: Sequence[int],
        alpha_l2: float,
        seed: int,
    ) -> "CoxNetwork":
        """Minimise ``-ℓ`` by event plus the squares of all kernels, by L-BFGS from a Glorot start.

        Without hidden layers it is Cox's linear model with a ridge penalty.
        """
        shapes = list(pairwise((X.shape[1], *hidden_layer_sizes, 1)))
        generator = np.random.default_rng(seed)
        start = []
        for inputs, units in shapes:
            bound = np.sqrt(6.0 / (inputs + units))
            start += [generator.uniform(-bound, bound, inputs * units), np.zeros(units)]

        def objective(flat: Floats) -> tuple[float, Floats]:
            return _loss_and_gradient(_unpacked(flat, shapes), X, likelihood, alpha_l2)

        options: dict[str, Any] = {"maxiter": 1000, "maxfun": 10_000}
        least: Any = minimize
        found = least(objective, np.concatenate(start), jac=True, method="L-BFGS-B", options=options)
        network = _unpacked(np.asarray(found.x, np.float64), shapes)
        network.biases[-1] -= np.average(network.predict(X), weights=likelihood.weights)
        return network

    def predict(self, X: NDArray[np.floating]) -> Floats:
        """Return the log relative risk of every row."""
        return self._outputs(X)[-1][:, 0]

    def _outputs(self, X: NDArray[np.floating]) -> list[Floats]:
        """Return the inputs, and the outputs of every layer."""
        outputs = [np.asarray(X, np.float64)]
        for place, (kernel, bias) in enumerate(zip(self.kernels, self.biases, strict=True), start=1):
            affine = outputs[-1] @ kernel + bias
            outputs.append(affine if place == len(self.kernels) else np.maximum(affine, 0))
        return outputs


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


def _unpacked(flat: Floats, shapes: Sequence[tuple[int, int]]) -> CoxNetwork:
    """Return the network whose numbers stand one after the other."""
    kernels, biases, at = [], [], 0
    for inputs, units in shapes:
        middle, end = at + inputs * units, at + inputs * units + units
        kernels.append(flat[at:middle].reshape(inputs, units))
        biases.append(flat[middle:end].copy())
        at = end
    return CoxNetwork(kernels, biases)


def _loss_and_gradient(
    network: CoxNetwork, X: NDArray[np.floating], likelihood: PartialLikelihood, alpha_l2: float
) -> tuple[float, Floats]:
    """Return the objective and its gradient, in the order of `_unpacked`."""
    outputs = network._outputs(X)
    loss, slope = likelihood.loss_and_slope(outputs[-1][:, 0])
    loss /= likelihood.n_events
    delta = slope[:, None] / likelihood.n_events
    parts: list[Floats] = []
    for place in reversed(range(len(network.kernels))):
        kernel = network.kernels[place]
        loss += alpha_l2 * float(np.square(kernel).sum())
        parts = [(outputs[place].T @ delta + 2 * alpha_l2 * kernel).ravel(), delta.sum(axis=0), *parts]
        if place:
            delta = (delta @ kernel.T) * (outputs[place] > 0)
    return loss, np.concatenate(parts)
