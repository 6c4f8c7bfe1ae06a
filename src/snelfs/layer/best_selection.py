"""Which epoch of a training is kept, by the rule of section III-C and any score."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from snelfs.engine.best_epoch import SCORE_TIE
from snelfs.foundation import checks
from snelfs.foundation.types import Ints, Reals
from snelfs.layer.functions import saliency, selected


class Look(NamedTuple):
    """One epoch as it was looked at."""

    sum_penalty: float  # Ω_S / n_neurons
    variance_penalty: float  # Ω_A / n_neurons
    score: float
    objective: float
    admitted: bool
    lambda_s: float
    lambda_a: float

    @property
    def violation(self) -> float:
        """Return the larger of the two penalties a neuron; infinity where something is not a number."""
        numbers = (self.sum_penalty, self.variance_penalty, self.score, self.objective)
        return math.inf if any(map(math.isnan, numbers)) else max(numbers[:2])


class BestSelection:
    """Keep the layer of the best admissible epoch; the last epoch need not be one.

    The penalty weights go up and down, so that most epochs are no selection. An epoch is a candidate if both
    penalties a neuron are within `limit`. Among candidates the higher score wins, and between equal scores
    the smaller objective; as long as there is none, the smallest violation is kept.

    Parameters
    ----------
    limit : float, default=0.3
        Up to which both penalties a neuron admit an epoch (section III-C).

    Attributes
    ----------
    epoch : int or None
        Which call of `update` was the best, from 0.
    weights : ndarray of shape (n_neurons, n_columns) or None
        The layer of that epoch, a copy.
    state : object
        What `state` returned there, e.g. the weights of the whole network.
    looks : list of Look
        All epochs, as they were looked at.

    Examples
    --------
    >>> best = BestSelection()
    >>> best.update(np.array([[0.5, 0.5]]), penalties=(0.0, 0.5), score=0.9)  # no selection
    True
    >>> best.update(np.array([[0.0, 1.0]]), penalties=(0.0, 0.0), score=0.8)
    True
    >>> best.update(np.array([[1.0, 0.0]]), penalties=(0.0, 0.0), score=0.7)
    False
    >>> best.epoch, best.is_admitted, best.selected(1).tolist()
    (1, True, [1])
    """

    def __init__(self, limit: float = 0.3) -> None:
        self.limit = checks.positive("limit", limit)
        self.epoch: int | None = None
        self.weights: Reals | None = None
        self.state: Any = None
        self.looks: list[Look] = []

    def update(
        self,
        weights: Any,
        penalties: tuple[Any, Any],
        score: Any,
        *,
        objective: Any = 0.0,
        penalty_weights: tuple[float, float] = (0.0, 0.0),
        state: Callable[[], Any] | None = None,
    ) -> bool:
        """Look at the layer after an epoch, and tell whether it is the best so far.

        Parameters
        ----------
        weights : array or tensor of shape (n_neurons, n_columns)
            Of the layer; copied if they are the best.
        penalties : (float, float)
            Ω_S and Ω_A of the layer, best over all training rows; each framework's layer returns them.
        score : float
            On rows that were not trained on; higher is better. Of a loss take the negative.
        objective : float, default=0.0
            Decides between equal scores; the smaller is better.
        penalty_weights : (float, float), optional
            λ_S and λ_A of the epoch, for plots.
        state : callable, optional
            Called where the epoch is the best; what it returns is kept, e.g.
            ``lambda: copy.deepcopy(model.state_dict())``.
        """
        look = self._look(len(weights), penalties, score, objective, penalty_weights)
        self.looks.append(look)
        if self.epoch is not None and not _beats(look, self.looks[self.epoch]):
            return False
        self.epoch, self.weights = len(self.looks) - 1, _copied(weights)
        self.state = None if state is None else state()
        return True

    def _look(
        self, n_neurons: int, omegas: tuple[Any, Any], score: Any, objective: Any, lambdas: Any
    ) -> Look:
        omega_s, omega_a = (_number(value) / n_neurons for value in omegas)
        weights = (_number(value) for value in lambdas)
        look = Look(omega_s, omega_a, _number(score), _number(objective), False, *weights)
        return look._replace(admitted=look.violation <= self.limit and math.isfinite(look.objective))

    @property
    def score(self) -> float:
        """Return the score of the best epoch, minus infinity before the first."""
        return -math.inf if self.epoch is None else self.looks[self.epoch].score

    @property
    def is_admitted(self) -> bool:
        """Tell whether the best epoch is close enough to a selection to be one."""
        return self.epoch is not None and self.looks[self.epoch].admitted

    def saliency(self) -> Reals:
        """Return the max-weight saliency of every column in the best layer (Eq. 22)."""
        return saliency(self._kept())

    def selected(self, k: int) -> Ints:
        """Return the `k` most salient columns of the best layer, best first."""
        return selected(self._kept(), k)

    def _kept(self) -> Reals:
        if self.weights is None:
            raise RuntimeError("No epoch was looked at yet: call update after each of them.")
        return self.weights


def _beats(new: Look, best: Look) -> bool:
    if new.admitted != best.admitted:
        return new.admitted
    if not new.admitted:
        return new.violation < best.violation
    ahead = new.score - best.score
    return ahead > SCORE_TIE or (abs(ahead) <= SCORE_TIE and new.objective < best.objective)


def _copied(weights: Any) -> Reals:
    """Return a copy of an array or of a tensor, which may be on another device and of a short precision."""
    if hasattr(weights, "detach"):
        weights = weights.detach().double().cpu().numpy()
    return np.array(weights)


def _number(value: Any) -> float:
    return float(value.detach() if hasattr(value, "detach") else value)
