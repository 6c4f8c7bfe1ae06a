"""Which rows train, and which validate or are held out."""

import numpy as np
from numpy.typing import NDArray

from snelfs.foundation.checks import ArgumentError
from snelfs.foundation.sentences import Argument, Sentence
from snelfs.foundation.types import Floats, Ints


def split_rows(
    strata: Ints, weights: Floats, fraction: float, generator: np.random.Generator
) -> NDArray[np.bool_]:
    """Draw the validation rows: about `fraction` of the weight of every stratum.

    A stratum always keeps a row for training, so a class of one row is only trained on. If no stratum
    can spare a row there is nothing to validate on, and the mask is empty.
    """
    validation = np.zeros(len(strata), dtype=bool)
    sizes = np.bincount(strata)
    for stratum in np.flatnonzero(sizes):
        rows = generator.permutation(np.flatnonzero(strata == stratum))
        middles = np.cumsum(weights[rows]) - weights[rows] / 2
        taken = np.count_nonzero(middles < fraction * weights[rows].sum())
        validation[rows[: min(taken, len(rows) - 1)]] = True
    if not validation.any() and sizes.max() > 1:
        rows = np.flatnonzero(strata == sizes.argmax())
        validation[generator.choice(rows)] = True
    return validation


def split_weights(
    strata: Ints, weights: Floats, fraction: float, n_restarts: int, seed: int
) -> tuple[Floats, Floats]:
    """Return training and validation weights of shape (restarts, rows), each summing to 1.

    With too few rows to validate on, the training rows validate.
    """
    generators = [np.random.default_rng([seed, restart]) for restart in range(n_restarts)]
    masks = np.stack([split_rows(strata, weights, fraction, g) for g in generators])
    train = weights * ~masks
    validation = np.where(masks.any(axis=1, keepdims=True), weights * masks, train)
    return share(train), share(validation)


def share(weights: Floats) -> Floats:
    """Scale non-negative weights so that they sum to 1 over the rows, the last axis."""
    total = weights.sum(axis=-1, keepdims=True)
    return np.asarray(weights / np.where(total > 0, total, 1.0))


# Two rows lie on a line whatever the columns: a search has nothing to learn from fewer than three.
_LEAST_TRAINING = 3


def draw_folds(strata: Ints, folds: int, seed: int) -> Ints:
    """Return the fold that holds each row out; -1 for the only row of a stratum, which is always trained on.

    Folds differ by one row at most, in all and in every stratum, so that few shapes need compiling.

    Examples
    --------
    >>> fold_of = draw_folds(np.array([0, 0, 0, 0, 1, 1, 1, 2]), 2, seed=0)
    >>> np.bincount(fold_of[:4]).tolist(), sorted(np.bincount(fold_of[4:7]).tolist()), int(fold_of[7])
    ([2, 2], [1, 2], -1)
    """
    counts = np.bincount(strata)
    fold_of = np.full(len(strata), -1)
    spared = np.flatnonzero(counts[strata] > 1)
    if len(spared):
        n_folds = max(2, min(folds, counts[counts > 1].min()))
        # A stream of its own: those of the restarts' splits start with the seed and one more number.
        generator = np.random.default_rng([seed, 0, 1])
        shuffled = generator.permutation(spared)
        # Dealt out stratum by stratum, going on with the next where the last stratum ended.
        dealt = shuffled[np.argsort(strata[shuffled], kind="stable")]
        fold_of[dealt] = np.arange(len(dealt)) % n_folds
    held_out = np.bincount(fold_of[spared], minlength=1).max()
    if not len(spared) or len(strata) - held_out < _LEAST_TRAINING:
        raise ArgumentError(
            Sentence(Argument("n_features_to_select"), "='auto'"),
            f"holds rows out, but of {len(strata)} distinct row(s) none can be spared; more rows, or a "
            "number of features, are needed.",
        )
    return fold_of
