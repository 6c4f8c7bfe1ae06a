"""From the user's rows to what the engine trains on: merge, standardise, encode, split.

A row given twice is the same as a row of weight two, and the order of the rows means nothing: equal
rows are merged and all rows put in an order of their own before anything random happens. So a
repeated row cannot sit on both sides of a split either.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from snelfs.data.sources import Source, Standardised, column_blocks
from snelfs.engine.network import Task
from snelfs.foundation.checks import non_negative

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
ClassWeight = Mapping[object, float] | str | None


@dataclass(frozen=True)
class Standardisation:
    """Weighted mean and standard deviation of every column, and which columns vary at all."""

    mean: Floats
    scale: Floats  # 1 for constant columns
    varies: NDArray[np.bool_]

    @classmethod
    def of(cls, X: NDArray[np.floating] | Source, weights: Floats) -> "Standardisation":
        """Measure the columns of `X`, whose rows have `weights`."""
        if isinstance(X, Source):
            mean, variance, varies = X.moments(weights)
            return cls(mean, np.where(varies, np.sqrt(variance), 1.0), varies)
        shares = weights / weights.sum()
        parts = [_column_moments(X[:, block], shares) for block in column_blocks(*X.shape)]
        mean, scale, varies = (np.concatenate(values) for values in zip(*parts, strict=True))
        return cls(mean, np.where(varies, scale, 1.0), varies)

    def of_columns(self, columns: Ints | slice) -> "Standardisation":
        """Return that of some of the columns."""
        return Standardisation(self.mean[columns], self.scale[columns], self.varies[columns])

    def apply(self, X: NDArray[np.floating]) -> Floats:
        """Return the columns with mean 0 and variance 1."""
        return np.asarray((X - self.mean) / self.scale)

    def undo(self, Z: NDArray[np.floating]) -> Floats:
        """Return standardised values to the scale of the data."""
        return np.asarray(Z * self.scale + self.mean)


def _column_moments(X: NDArray[np.floating], shares: Floats) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Return mean and deviation of every column, and whether it varies at all."""
    mean = shares @ X
    # A constant such as 0.1 has a spread of rounding errors around its computed mean.
    varies = np.ptp(X, axis=0) > 10 * np.finfo(X.dtype).eps * np.abs(X).max(axis=0)
    return mean, np.sqrt(shares @ np.square(X - mean)), varies


@dataclass(frozen=True)
class Rows:
    """Distinct rows in an order that depends on nothing but the rows."""

    X: NDArray[np.floating] | Source
    y: NDArray[np.generic]
    weights: Floats


def merge_rows(X: NDArray[np.floating] | Source, y: NDArray[np.generic], weights: Floats) -> Rows:
    """Drop rows of weight zero, merge equal ones adding their weights, and order the rest.

    Rows are ordered by their distance from the centre of the standardised data, which neither the
    order of the columns nor their units change; what they were given as breaks ties.
    """
    present = weights > 0
    X, y, weights = X[present], y[present], weights[present]
    marks = _digests(X, y)
    _, first, group = np.unique(marks, return_index=True, return_inverse=True)
    totals = np.bincount(group, weights).astype(np.float64)
    distances = _distances(X[first], Standardisation.of(X[first], totals))
    order = np.lexsort((marks[first], distances))
    return Rows(X[first[order]], y[first[order]], totals[order])


def _distances(X: NDArray[np.floating] | Source, columns: Standardisation) -> Floats:
    """Return the squared distance of every row from the centre, on the standard scale."""
    if isinstance(X, Source):
        return X.distances(columns.mean, columns.scale)
    distances = np.zeros(len(X))
    for block in column_blocks(*X.shape):
        distances += np.square(columns.of_columns(block).apply(X[:, block])).sum(axis=1)
    return distances


def _digests(X: NDArray[np.floating] | Source, y: NDArray[np.generic]) -> NDArray[np.str_]:
    """Return a digest of every row with its target: equal just where all values are equal."""
    _, codes = np.unique(y, return_inverse=True, axis=None if y.ndim == 1 else 0)
    return (X if isinstance(X, Source) else Source(X)).digests(codes)


@dataclass(frozen=True)
class Target:
    """The target as the engine takes it."""

    task: Task
    n_outputs: int
    values: NDArray[np.int32] | NDArray[np.float32]  # (rows,) class codes or (rows, targets)
    groups: Ints  # which rows a split keeps in proportion
    factors: Floats  # of the rows' losses


@dataclass(frozen=True)
class Prepared:
    """Rows and target ready for training, on the columns that vary."""

    rows: Rows
    target: Target
    kept: Ints  # indices of the columns that vary
    Z: NDArray[np.float32] | Standardised  # (rows, kept columns), standardised


def prepare(rows: Rows, target: Target) -> Prepared:
    """Standardise the columns that vary; the others take no part."""
    columns = Standardisation.of(rows.X, rows.weights)
    kept = np.flatnonzero(columns.varies)
    if not len(kept):
        raise ValueError(f"X has no column that varies: all {rows.X.shape[1]} feature(s) are constant.")
    if isinstance(rows.X, Source):
        return Prepared(rows, target, kept, Standardised(rows.X, kept, columns.mean, columns.scale))
    Z = np.empty((len(rows.X), len(kept)), np.float32)
    for block in column_blocks(*Z.shape):
        chosen = kept[block]
        Z[:, block] = columns.of_columns(chosen).apply(rows.X[:, chosen])
    return Prepared(rows, target, kept, Z)


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
        groups=codes,
        factors=class_factors(codes, weights, class_weight, classes),
    )


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
        groups=np.zeros(len(y), dtype=np.int64),
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
            raise ValueError(
                f"class_weight names {strangers[0]!r}, which is none of the classes {list(known)}."
            )
        by_code = np.ones(len(classes))
        for label, factor in class_weight.items():
            by_code[known[label]] = non_negative(f"class_weight[{label!r}]", factor)
        return np.asarray(by_code[codes])
    if class_weight != "balanced":
        raise ValueError(f"class_weight must be None, 'balanced' or a dict of factors, got {class_weight!r}.")
    present = np.bincount(codes, weights, minlength=len(classes))
    return np.asarray((weights.sum() / (len(classes) * present))[codes])


def split_rows(
    groups: Ints, weights: Floats, fraction: float, generator: np.random.Generator
) -> NDArray[np.bool_]:
    """Draw the validation rows: about `fraction` of the weight of every group.

    A group always keeps a row for training, so a class of one row is only trained on. If no group
    can spare a row there is nothing to validate on, and the mask is empty.
    """
    validation = np.zeros(len(groups), dtype=bool)
    sizes = np.bincount(groups)
    for group in np.flatnonzero(sizes):
        rows = generator.permutation(np.flatnonzero(groups == group))
        middles = np.cumsum(weights[rows]) - weights[rows] / 2
        taken = np.count_nonzero(middles < fraction * weights[rows].sum())
        validation[rows[: min(taken, len(rows) - 1)]] = True
    if not validation.any() and sizes.max() > 1:
        rows = np.flatnonzero(groups == sizes.argmax())
        validation[generator.choice(rows)] = True
    return validation


def split_weights(
    groups: Ints, weights: Floats, fraction: float, n_restarts: int, seed: int
) -> tuple[Floats, Floats]:
    """Return training and validation weights of shape (restarts, rows), each summing to 1.

    With too few rows to validate on, the training rows validate.
    """
    generators = [np.random.default_rng([seed, restart]) for restart in range(n_restarts)]
    masks = np.stack([split_rows(groups, weights, fraction, g) for g in generators])
    train = weights * ~masks
    validation = np.where(masks.any(axis=1, keepdims=True), weights * masks, train)
    return share(train), share(validation)


def share(weights: Floats) -> Floats:
    """Scale non-negative weights so that they sum to 1 over the rows, the last axis."""
    total = weights.sum(axis=-1, keepdims=True)
    return np.asarray(weights / np.where(total > 0, total, 1.0))
