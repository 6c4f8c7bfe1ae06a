"""What every epoch was trained with, and how its model measured."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from snelfs.foundation.naming import named_in_root


@named_in_root
@dataclass(frozen=True)
class History:
    """Every epoch of every restart: what it was trained with and how its model measured.

    The first three have shape ``(epochs,)``, the others ``(restarts, epochs)``; if the restarts were trained
    with penalty weights of their own, these have ``(epochs, restarts)``. Penalties are per neuron; scores are
    on the validation rows and higher is better (losses enter with a minus sign).
    """

    lambda_s: NDArray[np.float32]
    lambda_a: NDArray[np.float32]
    learning_rate: NDArray[np.float32]
    train_loss: NDArray[np.float32]
    validation_loss: NDArray[np.float32]
    sum_penalty: NDArray[np.float32]  # Ω_S / dim
    variance_penalty: NDArray[np.float32]  # Ω_A / dim
    score: NDArray[np.float32]
    objective: NDArray[np.float32]  # F on the validation rows
    admitted: NDArray[np.bool_]

    @property
    def n_epochs(self) -> int:
        """Count the epochs trained."""
        return len(self.lambda_s)
