"""A round: all restarts trained on some of the columns, and what they say of these.

The first round has all columns. A second one, if wanted, has only the best by the first and by their ties to
the target: among few columns a weak one is no longer drowned, and the training costs little.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from snelfs import saliency
from snelfs.moments import Strength, measure_strength
from snelfs.options import Options
from snelfs.preparation import Floats, Ints, Prepared, share, split_weights
from snelfs.training import Constants, Epoch, Plan, Problem, Training, start_parameters, train

# The second round: more restarts and a looser network than the first, as its columns are few.
REFINED_RESTARTS = 16
REFINED_ALPHA = 0.003
REFINED_RATE = 0.003

# The least share of a column in an informed start: one without any visible tie must be able to come back.
LEAST_TIE = 0.1


@dataclass(frozen=True)
class Round:
    """Hold one trained round."""

    columns: Ints  # the features that took part
    training: Training
    saliencies: NDArray[np.float64]  # (restarts, columns)

    def spread_out(self, values: NDArray[np.floating], n_features: int) -> NDArray[np.floating]:
        """Return values of the round's columns, the last axis, among all features; zero elsewhere."""
        wide = np.zeros((*values.shape[:-1], n_features), values.dtype)
        wide[..., self.columns] = values
        return wide


def train_round(
    data: Prepared,
    options: Options,
    shares: Floats,
    seed: int,
    on_progress: Callable[[int, int], None] | None = None,
) -> Round:
    """Train all restarts, each on its own split of the rows.

    Parameters
    ----------
    shares : array of shape (columns,)
        Share of each column of the round in the start of a neuron.
    """
    n_rows, n_columns = data.Z.shape
    target, fraction = data.target, options.validation_fraction
    splits = split_weights(target.groups, data.rows.weights, fraction, options.n_restarts, seed)
    costs = (share(weights * target.factors) for weights in splits)
    plan = Plan(
        task=target.task,
        n_outputs=target.n_outputs,
        dim=min(options.dim, n_columns),
        hidden_layer_sizes=options.hidden_layer_sizes,
        scoring=options.scoring,
        optimizer=options.optimizer,
        smoothing=options.smoothing,
        batch_rows=_batch_rows(options.batch_size, fraction, n_rows),
    )
    training = train(
        Problem(data.Z, target.values.T, *(w.astype(np.float32) for w in (*splits, *costs))),
        start_parameters(shares, options.n_restarts, plan, seed),
        Epoch(*options.schedule, options.rates(n_columns)),
        Constants(*map(np.float32, (options.alpha_l1, options.alpha_l2, options.penalty_limit))),
        plan,
        seed,
        on_progress,
    )
    return Round(data.kept, training, _saliencies(training, data, options))


def _saliencies(training: Training, data: Prepared, options: Options) -> NDArray[np.float64]:
    if options.saliency == "max":
        return saliency.max_weight(training.W).astype(np.float64)
    A = training.W @ data.Z.T  # (restarts, dim, rows)
    deviations = np.sqrt(np.square(A) @ share(data.rows.weights))
    return saliency.sum_weight(training.W, deviations).astype(np.float64)


def _batch_rows(batch_size: int | None, validation_fraction: float, n_rows: int) -> int | None:
    """Return how many rows hold `batch_size` training rows on average; None if that is all of them."""
    if batch_size is None or batch_size >= n_rows * (1 - validation_fraction):
        return None
    return max(1, round(batch_size / (1 - validation_fraction)))


# -- ties to the target -----------------------------------------------------------------------------


def ties(data: Prepared) -> Strength:
    """Return how strongly the columns of a round are tied to its target, alone or in pairs."""
    values = data.target.values
    if data.target.task == "regression":
        targets = values.astype(np.float64)
    else:
        codes = np.arange(1 if data.target.task == "binary" else 0, values.max() + 1)
        targets = (values[:, None] == codes).astype(np.float64)
    return measure_strength(data.Z, targets, data.rows.weights)


def informed_shares(strength: Strength) -> Floats:
    """Return shares of a start that follow the ties: the more evidence, the larger."""
    return np.maximum(strength.score, LEAST_TIE)


# -- the second round -------------------------------------------------------------------------------


def refine(data: Prepared, options: Options, first: Round, strength: Strength, seed: int) -> Round:
    """Train again on the best columns of the first round and those with the strongest ties."""
    importances = saliency.combine(first.saliencies, options.dim, options.combine)
    chosen = candidates(importances, strength.score, options.dim)
    few = replace(data, kept=data.kept[chosen], Z=np.ascontiguousarray(data.Z[:, chosen]))
    looser = replace(
        options,
        n_restarts=REFINED_RESTARTS,
        alpha_l1=REFINED_ALPHA,
        alpha_l2=REFINED_ALPHA,
        learning_rate=REFINED_RATE,
    )
    return train_round(few, looser, np.ones(len(chosen)), seed + 1)


def candidates(importances: NDArray[np.floating], strength: Floats, dim: int) -> Ints:
    """Return ``2 dim`` columns in rising order: the best `dim` by each list, then more by importance.

    Examples
    --------
    >>> candidates(np.array([0.9, 0.0, 0.8, 0.7, 0.1]), np.array([5.0, 9.0, 0.0, 0.0, 0.0]), 2)
    array([0, 1, 2, 3])
    """
    by_importance, by_strength = np.argsort(-importances, kind="stable"), np.argsort(-strength, kind="stable")
    wanted = [*by_importance[:dim], *by_strength[:dim], *by_importance[dim:]]
    return np.sort(list(dict.fromkeys(int(column) for column in wanted))[: 2 * dim])
