"""Which rows train, and which validate or are held out."""

import numpy as np
from numpy.typing import NDArray

from snelfs.data.groups import units_of
from snelfs.foundation.checks import ArgumentError
from snelfs.foundation.sentences import Argument, Sentence
from snelfs.foundation.types import Floats, Ints


def split_rows(
    strata: Ints,
    weights: Floats,
    fraction: float,
    generator: np.random.Generator,
    groups: Ints | None = None,
    before: Ints | None = None,
) -> NDArray[np.bool_]:
    """Draw the validation rows: about `fraction` of the weight of every stratum, and whole groups.

    A stratum always keeps a row for training, so a class of one row, or of one group, is only trained on. If
    no stratum can spare a row there is nothing to validate on, and the mask is empty.

    Parameters
    ----------
    before : array of int, optional
        How often each row was drawn before: those that were drawn less often come first.
    """
    units = units_of(strata, weights, groups)
    often = np.zeros(len(units.strata), np.int64)
    if before is not None:
        np.maximum.at(often, units.of_row, before)
    drawn = _drawn_units(units.strata, units.weights, fraction, generator, often)
    if groups is not None:
        drawn = _with_a_unit_of_each(strata, units.of_row, drawn)
    return drawn[units.of_row]


def _drawn_units(
    strata: Ints, weights: Floats, fraction: float, generator: np.random.Generator, often: Ints
) -> NDArray[np.bool_]:
    """Draw units for validation, those drawn less often before all others, one of each stratum left out."""
    validation = np.zeros(len(strata), dtype=bool)
    sizes = np.bincount(strata)
    for stratum in np.flatnonzero(sizes):
        rows = generator.permutation(np.flatnonzero(strata == stratum))
        most, n_rows = fraction * weights[rows].sum(), len(rows)
        # What is too heavy to be drawn at all would wait at the head for ever.
        rows = rows[weights[rows] / 2 < most]
        rows = rows[np.argsort(often[rows], kind="stable")]
        taken = np.count_nonzero(np.cumsum(weights[rows]) - weights[rows] / 2 < most)
        validation[rows[: min(taken, n_rows - 1)]] = True
    if not validation.any() and sizes.max() > 1:
        spare = np.flatnonzero(sizes[strata] == sizes.max())
        validation[generator.choice(spare[often[spare] == often[spare].min()])] = True
    return validation


def _with_a_unit_of_each(strata: Ints, of_row: Ints, drawn: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return drawn units less those that training needs to see every stratum.

    A stratum may be spread over groups that count for other, rarer strata, and all of these be drawn.
    """
    for stratum in np.unique(strata):
        holders = np.unique(of_row[strata == stratum])
        if drawn[holders].all():
            drawn = drawn & (np.arange(len(drawn)) != holders[0])
    return drawn


def split_weights(
    strata: Ints, weights: Floats, fraction: float, n_restarts: int, seed: int, groups: Ints | None = None
) -> tuple[Floats, Floats]:
    """Return training and validation weights of shape (restarts, rows), each summing to 1.

    All rows validate about equally often, so that restarts together depend less on which rows were drawn.
    With too few rows to validate on, the training rows validate.
    """
    masks = np.zeros((n_restarts, len(strata)), dtype=bool)
    for restart in range(n_restarts):
        generator, before = np.random.default_rng([seed, restart]), masks.sum(axis=0)
        masks[restart] = split_rows(strata, weights, fraction, generator, groups, before)
    train = weights * ~masks
    validation = np.where(masks.any(axis=1, keepdims=True), weights * masks, train)
    return share(train), share(validation)


def share(weights: Floats) -> Floats:
    """Scale non-negative weights so that they sum to 1 over the rows, the last axis."""
    total = weights.sum(axis=-1, keepdims=True)
    return np.asarray(weights / np.where(total > 0, total, 1.0))


# Two rows lie on a line whatever the columns: a search has nothing to learn from fewer than three.
_LEAST_TRAINING = 3


def draw_folds(strata: Ints, folds: int, seed: int, groups: Ints | None = None) -> Ints:
    """Return the fold that holds each row out; -1 for the only row of a stratum, which is always trained on.

    Folds differ by one row at most, in all and in every stratum, so that few shapes need compiling. Rows of a
    group share their fold; folds then differ by one group at most, and the only group of a stratum is trained
    on.

    Examples
    --------
    >>> fold_of = draw_folds(np.array([0, 0, 0, 0, 1, 1, 1, 2]), 2, seed=0)
    >>> np.bincount(fold_of[:4]).tolist(), sorted(np.bincount(fold_of[4:7]).tolist()), int(fold_of[7])
    ([2, 2], [1, 2], -1)
    """
    units = units_of(strata, np.ones(len(strata)), groups)
    fold_of = np.full(len(units.strata), -1)
    spared = np.flatnonzero(units.holders[units.strata] > 1)
    if len(spared):
        n_folds = max(2, min(folds, units.holders[units.holders > 1].min()))
        # A stream of its own: those of the restarts' splits start with the seed and one more number.
        generator = np.random.default_rng([seed, 0, 1])
        shuffled = generator.permutation(spared)
        # Dealt out stratum by stratum, the largest groups first, going on with the next stratum where the
        # last one ended.
        dealt = shuffled[np.lexsort((-units.sizes[shuffled], units.strata[shuffled]))]
        fold_of[dealt] = np.arange(len(dealt)) % n_folds
    held_out = np.bincount(fold_of[spared], units.sizes[spared], minlength=1).max()
    if not len(spared) or len(strata) - held_out < _LEAST_TRAINING:
        of_groups = "" if groups is None else f" in {len(units.strata)} group(s)"
        raise ArgumentError(
            Sentence(Argument("n_features_to_select"), "='auto'"),
            f"holds rows out, but of {len(strata)} distinct row(s){of_groups} none can be spared; more rows, "
            "or a number of features, are needed.",
        )
    return fold_of[units.of_row]
