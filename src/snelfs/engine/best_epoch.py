"""Which epoch of a restart is kept: the best-model rule (section III-C)."""

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp

from snelfs.engine.objective import Measures, Parameters
from snelfs.foundation.types import Array

# Two scores closer than this are a tie: equal shares of right rows differ in their last bits when
# the rows are others, and rounding must not choose the model.
SCORE_TIE = 1e-6


class Best(NamedTuple):
    """The best model so far of every restart, and why it is the best."""

    parameters: Parameters  # W of shape (restarts, dim, columns)
    epoch: Array  # (restarts,) epochs trained, 0 = none yet
    admitted: Array
    violation: Array
    score: Array
    objective: Array


def admit(measures: Measures, limit: Array) -> Array:
    """Tell which models are close enough to a selection to be candidates (section III-C)."""
    return (
        (measures.sum_penalty <= limit)
        & (measures.variance_penalty <= limit)
        & jnp.isfinite(measures.objective)
    )


def keep_better(best: Best, parameters: Parameters, measures: Measures, limit: Array, epoch: Array) -> Best:
    """Replace the best models that the new ones beat.

    An admitted model beats one that is not. Among admitted ones the higher validation score wins,
    then the smaller validation objective; among the others the smaller violation.
    """
    admitted = admit(measures, limit)
    violation = jnp.maximum(measures.sum_penalty, measures.variance_penalty)
    ahead = measures.score - best.score
    tied_but_lower = (jnp.abs(ahead) <= SCORE_TIE) & (measures.objective < best.objective)
    beats_admitted = (ahead > SCORE_TIE) | tied_but_lower
    among_equals = jnp.where(admitted, beats_admitted, violation < best.violation)
    better = jnp.where(admitted == best.admitted, among_equals, admitted) & (epoch > 0)

    def pick(new: Array, old: Array) -> Array:
        return jnp.where(better, new, old)

    # Most epochs improve nothing: the copy of the largest array is made only when one does.
    kept = jax.lax.cond(
        better.any(),
        lambda: jax.tree.map(partial(_of_restarts, better), parameters, best.parameters),
        lambda: best.parameters,
    )
    return Best(
        parameters=kept,
        epoch=pick(epoch, best.epoch),
        admitted=pick(admitted, best.admitted),
        violation=pick(violation, best.violation),
        score=pick(measures.score, best.score),
        objective=pick(measures.objective, best.objective),
    )


def _of_restarts(chosen: Array, weights: Array, others: Array) -> Array:
    """Return the weights of the chosen restarts, and `others` of the rest."""
    return jnp.where(chosen.reshape(-1, *[1] * (weights.ndim - 1)), weights, others)
