"""Mini-batches: some of the rows, the same ones for all restarts."""

import jax
import jax.numpy as jnp

from snelfs.engine.objective import Problem
from snelfs.foundation.types import Array


def shuffled_batches(key: Array, n_rows: int, batch_rows: int | None) -> Array:
    """Deal the rows into batches; all restarts share them, so that they share the product with X."""
    assert batch_rows is not None
    n_batches = count_batches(n_rows, batch_rows)
    order = jax.random.permutation(key, n_rows)
    padding = jnp.full(n_batches * batch_rows - n_rows, -1, order.dtype)  # -1: no row
    return jnp.concatenate([order, padding]).reshape(n_batches, batch_rows)


def count_batches(n_rows: int, batch_rows: int) -> int:
    """Return how many batches hold all rows; the last one may not be full."""
    return -(-n_rows // batch_rows)


def take_rows(problem: Problem, rows: Array) -> Problem:
    """Return the problem on some rows, with weights that sum to 1 again."""
    present = rows >= 0

    def reweigh(weights: Array) -> Array:
        part = weights[:, rows] * present
        total = part.sum(axis=1, keepdims=True)
        return part / jnp.where(total > 0, total, 1.0)

    return Problem(problem.X[rows], problem.y[..., rows], *map(reweigh, problem[2:]))
