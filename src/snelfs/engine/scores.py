"""Validation scores, computed on the device for all restarts at once; higher is better."""

from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp

from snelfs.foundation.task import Task
from snelfs.foundation.types import Array


class Outcome(NamedTuple):
    """What the networks of all restarts made of the rows."""

    task: Task
    outputs: Array  # (restarts, units, rows), raw
    losses: Array  # (restarts, rows)
    y: Array  # (rows,) class codes, or (targets, rows) numbers or labels
    weights: Array  # (restarts, rows) of the validation rows, summing to 1 in a restart

    @property
    def predicted(self) -> Array:
        """Return the class codes predicted, of shape (restarts, rows); of labels (restarts, labels, rows)."""
        if self.task == "multilabel":
            return (self.outputs > 0).astype(jnp.int32)
        if self.task == "binary":
            return (self.outputs[:, 0] > 0).astype(jnp.int32)
        return self.outputs.argmax(axis=1).astype(jnp.int32)

    @property
    def correct(self) -> Array:
        """Return 1.0 where the class is right, or the share of labels that are, of shape (restarts, rows)."""
        right = (self.predicted == self.y).astype(jnp.float32)
        return right.mean(axis=1) if self.task == "multilabel" else right

    def one_hot(self, codes: Array) -> Array:
        """Return class codes as indicators, with the classes on the last axis."""
        return jax.nn.one_hot(codes, 2 if self.task == "binary" else self.outputs.shape[1])

    def by_label(self) -> tuple[Array, Array, Array]:
        """Return the weight of rows that have a label, are said to, and both: (restarts, labels) each."""
        present = jnp.einsum("rn,ln->rl", self.weights, self.y)
        guessed = jnp.einsum("rn,rln->rl", self.weights, self.predicted.astype(jnp.float32))
        hits = jnp.einsum("rn,rln,ln->rl", self.weights, self.predicted.astype(jnp.float32), self.y)
        return present, guessed, hits


Score = Callable[[Outcome], Array]


def negative_loss(of: Outcome) -> Array:
    """Return minus the weighted mean loss (cross-entropy, squared error, or one of the caller's own)."""
    return -(of.weights * of.losses).sum(axis=1)


def accuracy(of: Outcome) -> Array:
    """Return the weighted share of rows whose class is right."""
    return (of.weights * of.correct).sum(axis=1)


def balanced_accuracy(of: Outcome) -> Array:
    """Return the mean over the classes present of the share of their rows that is right; labels averaged."""
    if of.task == "multilabel":
        present, guessed, hits = of.by_label()
        absent = 1.0 - present
        recalls = jnp.stack([hits, absent - guessed + hits])
        sizes = jnp.stack([present, absent])
        shares = recalls / jnp.where(sizes > 0, sizes, 1.0)
        return (shares.sum(axis=0) / (sizes > 0).sum(axis=0)).mean(axis=1)
    truth = of.one_hot(of.y)  # (rows, classes)
    support = jnp.einsum("rn,nc->rc", of.weights, truth)
    hits = jnp.einsum("rn,nc->rc", of.weights * of.correct, truth)
    recall = hits / jnp.where(support > 0, support, 1.0)
    return recall.sum(axis=1) / (support > 0).sum(axis=1)


def f1(of: Outcome) -> Array:
    """Return F1 of the second class for two classes, else the mean over classes by support, or of labels."""
    if of.task == "multilabel":
        present, guessed, hits = of.by_label()
        union = present + guessed
        return (2 * hits / jnp.where(union > 0, union, 1.0)).mean(axis=1)
    truth = of.one_hot(of.y)  # (rows, classes)
    guess = of.one_hot(of.predicted)  # (restarts, rows, classes)
    support = jnp.einsum("rn,nc->rc", of.weights, truth)
    guessed = jnp.einsum("rn,rnc->rc", of.weights, guess)
    hits = jnp.einsum("rn,rnc,nc->rc", of.weights, guess, truth)
    union = support + guessed
    by_class = 2 * hits / jnp.where(union > 0, union, 1.0)
    return by_class[:, 1] if of.task == "binary" else (support * by_class).sum(axis=1)


def r2(of: Outcome) -> Array:
    """Return the coefficient of determination, averaged uniformly over the targets."""
    errors = jnp.einsum("rn,rtn->rt", of.weights, jnp.square(of.outputs - of.y))
    centre = jnp.einsum("rn,tn->rt", of.weights, of.y)
    spread = jnp.einsum("rn,rtn->rt", of.weights, jnp.square(of.y - centre[:, :, None]))
    return (1.0 - errors / jnp.where(spread > 0, spread, 1.0)).mean(axis=1)


CLASSIFICATION: dict[str, Score] = {
    "accuracy": accuracy,
    "balanced_accuracy": balanced_accuracy,
    "f1": f1,
    "loss": negative_loss,
}
REGRESSION: dict[str, Score] = {"loss": negative_loss, "mse": negative_loss, "r2": r2}
# A c-index of the few events that are held out is no more than a coin.
SURVIVAL: dict[str, Score] = {"loss": negative_loss}
# What else than its own value a loss of the caller's is judged by is not known here.
OWN: dict[str, Score] = {"loss": negative_loss}
