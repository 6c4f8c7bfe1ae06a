"""A small network of any loss: what fitted estimators predict with where scikit-learn has none."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from snelfs.foundation.naming import named_in_root
from snelfs.foundation.types import Floats

# From outputs of shape (rows, outputs) to a loss, and its slope in each of them.
LossAndSlope = Callable[[Floats], tuple[float, Floats]]


@named_in_root
@dataclass(frozen=True)
class DenseNetwork:
    """A ReLU network."""

    kernels: list[Floats]  # (inputs, units) each
    biases: list[Floats]

    @classmethod
    def least(
        cls,
        X: NDArray[np.floating],
        sizes: Sequence[int],
        loss: LossAndSlope,
        alpha_l2: float,
        seed: int,
        n_shared: int = 0,
    ) -> Self:
        """Minimise a loss plus the squares of all kernels, by L-BFGS from a Glorot start.

        Parameters
        ----------
        sizes : sequence of int
            Units of the hidden layers and of the output; without hidden layers the model is linear.
        loss : callable
            From outputs of shape (rows, outputs) to the loss and its slope.
        n_shared : int, default=0
            How many outputs, the last ones, are the same for all rows.
        """
        shapes = list(pairwise((X.shape[1], *sizes)))
        generator = np.random.default_rng(seed)
        start = []
        for inputs, units in shapes:
            bound = np.sqrt(6.0 / (inputs + units))
            start += [generator.uniform(-bound, bound, inputs * units), np.zeros(units)]

        def objective(flat: Floats) -> tuple[float, Floats]:
            return cls._unpacked(flat, shapes, n_shared)._loss_and_gradient(X, loss, alpha_l2, n_shared)

        options: dict[str, Any] = {"maxiter": 1000, "maxfun": 10_000}
        least: Any = minimize
        found = least(objective, np.concatenate(start), jac=True, method="L-BFGS-B", options=options)
        return cls._unpacked(np.asarray(found.x, np.float64), shapes, n_shared)

    def predict(self, X: NDArray[np.floating]) -> Floats:
        """Return the outputs of every row, (rows, outputs)."""
        return self._outputs(X)[-1]

    def _outputs(self, X: NDArray[np.floating]) -> list[Floats]:
        """Return the inputs, and the outputs of every layer."""
        outputs = [np.asarray(X, np.float64)]
        for place, (kernel, bias) in enumerate(zip(self.kernels, self.biases, strict=True), start=1):
            affine = outputs[-1] @ kernel + bias
            outputs.append(affine if place == len(self.kernels) else np.maximum(affine, 0))
        return outputs

    @classmethod
    def _unpacked(cls, flat: Floats, shapes: Sequence[tuple[int, int]], n_shared: int) -> Self:
        """Return the network whose numbers stand one after the other."""
        kernels, biases, at = [], [], 0
        for inputs, units in shapes:
            middle, end = at + inputs * units, at + inputs * units + units
            kernels.append(flat[at:middle].reshape(inputs, units))
            biases.append(flat[middle:end].copy())
            at = end
        if n_shared:
            kernels[-1] = kernels[-1].copy()
            kernels[-1][:, -n_shared:] = 0.0
        return cls(kernels, biases)

    def _loss_and_gradient(
        self, X: NDArray[np.floating], loss: LossAndSlope, alpha_l2: float, n_shared: int
    ) -> tuple[float, Floats]:
        """Return the objective and its gradient, in the order of `_unpacked`."""
        outputs = self._outputs(X)
        value, delta = loss(outputs[-1])
        parts: list[Floats] = []
        for place in reversed(range(len(self.kernels))):
            kernel = self.kernels[place]
            value += alpha_l2 * float(np.square(kernel).sum())
            slope = outputs[place].T @ delta + 2 * alpha_l2 * kernel
            if n_shared and place == len(self.kernels) - 1:
                slope[:, -n_shared:] = 0.0
            parts = [slope.ravel(), delta.sum(axis=0), *parts]
            if place:
                delta = (delta @ kernel.T) * (outputs[place] > 0)
        return value, np.concatenate(parts)
