"""The target as the engine takes it: class codes, or numbers on the standard scale."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from snelfs.data.loss import OwnLoss
from snelfs.data.standardisation import Standardisation
from snelfs.foundation.checks import ArgumentError, non_negative
from snelfs.foundation.sentences import Argument, Sentence
from snelfs.foundation.task import Task
from snelfs.foundation.types import Flags, Floats, Ints, Places

ClassWeight = Mapping[object, float] | str | None


@dataclass(frozen=True)
class Target:
    """The target as the engine takes it."""

    task: Task
    n_outputs: int
    # (rows,) as a loss of the caller's own takes it or class codes, (rows, targets), or (rows, 2 or 3)
    # as `encode_survival` makes them
    values: NDArray[np.int32] | NDArray[np.float32]
    strata: Ints  # which rows a split keeps in proportion
    factors: Floats  # of the rows' losses
    ties: str = "breslow"  # of events at the same time
    # (rows, outputs): how a model without columns errs, where that is what evidence is gathered on
    residuals: NDArray[np.float32] | None = None
    own: OwnLoss | None = None  # in place of the task's loss

    def rows(self, chosen: Flags | Places) -> "Target":
        """Return the target of some of the rows, in the order chosen."""
        residuals = None if self.residuals is None else self.residuals[chosen]
        return replace(
            self,
            values=self.values[chosen],
            strata=self.strata[chosen],
            factors=self.factors[chosen],
            residuals=residuals,
        )

    @property
    def risk_strata(self) -> Ints | None:
        """Within what rows of censored times are compared; None if all of them are."""
        if self.task != "survival" or self.values.shape[1] < 3:
            return None
        return self.values[:, 2].astype(np.int64)

    @property
    def indicators(self) -> Floats:
        """The target as numbers, of shape (rows, targets): one for two classes, one a class for more."""
        if self.residuals is not None:
            return self.residuals.astype(np.float64)
        if self.task in ("multilabel", "regression"):
            return self.values.astype(np.float64)
        return class_indicators(self.values, 2 if self.task == "binary" else self.n_outputs)


def class_indicators(codes: NDArray[np.integer | np.floating], n_classes: int) -> Floats:
    """Return a column of zeros and ones for each class against the rest, one for two classes.

    Examples
    --------
    >>> class_indicators(np.array([0, 2, 1]), 3).tolist(), class_indicators(np.array([0, 1]), 2).tolist()
    ([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]], [[0.0], [1.0]])
    """
    classes = np.arange(1 if n_classes == 2 else 0, n_classes)
    return np.asarray(codes[:, None] == classes, dtype=np.float64)


def encode_classes(
    y: NDArray[np.generic], weights: Floats, class_weight: ClassWeight
) -> tuple[NDArray[np.generic], Target]:
    """Return the classes in order, and codes for them."""
    classes, codes = np.unique(y, return_inverse=True)
    if len(classes) < 2:
        raise ValueError(f"y has only one class, {classes.tolist()[0]!r}; at least two classes are needed.")
    binary = len(classes) == 2
    return classes, Target(
        task="binary" if binary else "multiclass",
        n_outputs=1 if binary else len(classes),
        values=codes.astype(np.int32),
        strata=codes,
        factors=class_factors(codes, weights, class_weight, classes),
    )


def encode_labels(y: NDArray[np.generic], class_weight: ClassWeight) -> tuple[NDArray[np.generic], Target]:
    """Return the numbers of several labels, and a target of zeros and ones for each.

    A row counts for the rarest label it has, or for none, where a split keeps rows in proportion.
    """
    if class_weight is not None:
        raise ArgumentError("class_weight", f"must be None for several labels a row, got {class_weight!r}.")
    labels = y.astype(np.float32)
    frequency = labels.sum(axis=0)
    constant = np.flatnonzero((frequency == 0) | (frequency == len(labels)))
    if len(constant):
        raise ValueError(
            f"Label {constant[0]} of y is {labels[0, constant[0]]:g} in every row: nothing is to be told."
        )
    return np.arange(labels.shape[1]), Target(
        task="multilabel",
        n_outputs=labels.shape[1],
        values=labels,
        strata=rarest_label(labels),
        factors=np.ones(len(labels)),
    )


def rarest_label(labels: NDArray[np.number]) -> Ints:
    """Return the label of every row that the fewest rows have, or that it has none, as numbers from 0.

    Examples
    --------
    >>> rarest_label(np.array([[1, 0], [1, 1], [0, 0], [1, 0]]))
    array([0, 1, 2, 0])
    """
    rarity = np.where(labels > 0, labels.sum(axis=0), np.inf)
    strata = np.where(labels.any(axis=1), rarity.argmin(axis=1), labels.shape[1])
    return np.asarray(np.unique(strata, return_inverse=True)[1])


def standardise_target(y: NDArray[np.generic], weights: Floats) -> tuple[Standardisation, Target]:
    """Return the scale of numeric targets, and the targets on the standard scale."""
    columns = y.reshape(len(y), -1).astype(np.float64)
    scale = Standardisation.of(columns, weights)
    if not scale.varies.all():
        constant = columns[0, ~scale.varies][0]
        raise ValueError(f"y is constant: every value is {constant:g}; there is nothing to predict.")
    return scale, Target(
        task="regression",
        n_outputs=columns.shape[1],
        values=scale.apply(columns).astype(np.float32),
        strata=np.zeros(len(y), dtype=np.int64),
        factors=np.ones(len(y)),
    )


def class_factors(
    codes: Ints,
    weights: Floats,
    class_weight: Mapping[object, float] | str | None,
    classes: NDArray[np.generic],
) -> Floats:
    """Return the factor by which each row's loss is multiplied for its class."""
    if class_weight is None:
        return np.ones(len(codes))
    if isinstance(class_weight, Mapping):
        known = {label.item(): code for code, label in enumerate(classes)}
        strangers = [label for label in class_weight if label not in known]
        if strangers:
            raise ArgumentError(
                "class_weight", f"names {strangers[0]!r}, which is none of the classes {list(known)}."
            )
        by_code = np.ones(len(classes))
        for label, factor in class_weight.items():
            named = Sentence(Argument("class_weight"), f"[{label!r}]")
            by_code[known[label]] = non_negative(named, factor)
        return np.asarray(by_code[codes])
    if class_weight != "balanced":
        raise ArgumentError(
            "class_weight", f"must be None, 'balanced' or a dict of factors, got {class_weight!r}."
        )
    present = np.bincount(codes, weights, minlength=len(classes))
    return np.asarray((weights.sum() / (len(classes) * present))[codes])
