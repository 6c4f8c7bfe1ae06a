"""Associations of columns with the target: alone, bent, or by their product with another column.

A column whose effect rises and falls has no correlation with the target; a cosine of its ranks has. One that
matters only together with another, as in XOR, has neither; the product of the two has. Looking at all
pairs is three matrix products a block, not a loop over pairs.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_array
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import _check_sample_weight

from snelfs.data.censored import likelihood_of, read_survival, strata_of
from snelfs.data.sources import Source
from snelfs.data.target import class_indicators
from snelfs.foundation.task import checked_task
from snelfs.foundation.types import Ints, Singles
from snelfs.search.chance import Chance
from snelfs.search.pair_products import leading_columns
from snelfs.search.rank_statistics import normal_scores, ranked
from snelfs.search.turns import in_turns

KINDS = ("linear", "curve", "product")

# What can be left out: cosines, pairs of columns, joint effects with strong ones, that these need be no
# products, and that they are looked for once more.
PARTS = ("waves", "pairs", "strongest", "bends", "again")

# Evidence, after all that were tried are counted, of a chance of one in ten.
BEYOND_DOUBT = 1.0


class Strength(NamedTuple):
    """Hold how strongly every column is associated with the target; each field has one value a column.

    Attributes
    ----------
    score : ndarray of float
        The largest of the three below.
    kind : ndarray of str
        Which one that is: "linear", "curve" or "product".
    linear, curve, product : ndarray of float
        ``-log10 p`` of the correlation of the column, of the best of four cosines of its ranks, and of its
        best product with another column, with the target. Each p is multiplied by how many were tried: four
        cosines; the classes if there are more than two; and the partners. Of more than ten columns five are
        the strongest alone, and then five by all that is known. What a column says together with one of these
        is asked for beyond what they say alone, may be any joint effect of both columns bent, and counts
        as one of ten, other products as one of all, and both twice. 0 is no evidence at all. What chance
        shows more often than p says, as a rare class does, counts as often as shuffles of the target show it.
    partner : ndarray of int
        The other column of that best product; -1 if there is none.
    target : ndarray of int
        The class, or the target of several, that the column is most strongly associated with; with two
        classes it is 0 for all.
    share : ndarray of float
        The strongest association as a share of that of the best column for the same class, between 0 and 1.
    order : ndarray of int
        All columns, best first, the classes taking turns: otherwise the class that is easiest to tell would
        have all the first places.
    """

    score: NDArray[np.float64]
    kind: NDArray[np.str_]
    linear: NDArray[np.float64]
    curve: NDArray[np.float64]
    product: NDArray[np.float64]
    partner: NDArray[np.intp]
    target: NDArray[np.intp]
    share: NDArray[np.float64]
    order: NDArray[np.intp]


def interaction_strength(
    X: ArrayLike, y: ArrayLike, *, task: str = "auto", sample_weight: ArrayLike | None = None
) -> Strength:
    """Return how strongly every column is associated with the target, alone or together with another column.

    Unlike a univariate filter it finds columns that matter only in pairs, and says with which partner. The
    columns, and a target of numbers, are turned into normal scores of their ranks first: the products of
    skewed columns have heavy tails that would swamp everything else. For a rare class, or numbers of which
    many are equal, shuffles of the target tell how much Student's p is worth. Up to 40,000 columns all pairs
    are looked at; of m columns more than that, all pairs with one of the 40,000² / m that are associated most
    strongly alone.

    Parameters
    ----------
    X : array-like of shape (rows, columns)
        Finite numbers on any scale. Constant columns have no association.
    y : array-like of shape (rows,)
        Classes of any kind, each then taken against the rest, numbers, or events and times as
        `snelfs.survival_target` makes them, of which martingale residuals are taken. Of shape (rows, labels)
        several labels a row as zeros and ones.
    task : {"auto", "classification", "regression", "survival"}, default="auto"
        "auto" takes numbers with a fractional part for a regression.
    sample_weight : array-like of shape (rows,), optional
        A weight of 2 equals the same row given twice.

    Examples
    --------
    >>> from snelfs.datasets import make_xor
    >>> X, y, relevant = make_xor(200, 100, random_state=0)
    >>> strength = interaction_strength(X, y)
    >>> bool(np.array_equal(np.sort(np.argsort(-strength.score)[:2]), relevant))
    True
    >>> bool(strength.partner[relevant[0]] == relevant[1])
    True
    """
    columns = check_array(X, dtype=np.float64, ensure_min_samples=3)
    weights = _check_sample_weight(sample_weight, columns, dtype=np.float64, ensure_non_negative=True)
    targets = class_targets(np.asarray(y), task, len(columns))
    strata = target_strata(np.asarray(y))
    told_apart = targets if strata is None else np.c_[targets, strata]
    first, totals = _distinct_rows(columns, told_apart, weights)
    of_rows = None if strata is None else strata[first]
    return measure_strength(columns[first], targets[first], totals, of_rows)


def _distinct_rows(
    columns: NDArray[np.float64], targets: NDArray[np.float64], weights: NDArray[np.float64]
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Return one of each row of positive weight, and the weights of all that equal it."""
    present = np.flatnonzero(weights > 0)
    marks = Source(columns[present]).digests(targets[present])
    _, first, group = np.unique(marks, return_index=True, return_inverse=True)
    totals = np.bincount(group, weights[present]).astype(np.float64)
    in_order = np.argsort(first)
    return present[first[in_order]], totals[in_order]


def measure_strength(
    X: NDArray[np.floating],
    targets: NDArray[np.floating],
    weights: NDArray[np.float64],
    strata: Ints | None = None,
    members: Sequence[Ints] | None = None,
    *,
    without: Collection[str] = (),
) -> Strength:
    """Return the associations of columns with targets of shape (rows, targets), without checks.

    Chance is what shuffles within strata show, if there are any.

    Parameters
    ----------
    members : sequence of arrays of int, optional
        The columns of each group; all that is returned is then of groups. A group has the evidence of its
        best column, for as many tries as it has columns, or of all its columns together.
    without : collection of str
        What to leave out, of `PARTS`.
    """
    shares = weights / weights.sum()
    chance = Chance(ranked(X, shares), normal_scores(targets, shares), weights, strata)
    linear = chance.linear(slice(None))
    curve = np.zeros_like(linear) if "waves" in without else chance.curve(slice(None))
    alone = np.maximum(linear, curve)
    if "pairs" in without:
        product, partner = np.zeros_like(alone), np.full(alone.shape, -1)
    else:
        # The columns in an order of their own, not as they were given.
        in_order = np.argsort(-linear.max(axis=0), kind="stable")
        leaders = leading_columns(alone.max(axis=0))
        known = np.zeros_like(alone) if "strongest" in without else alone
        product, partner = chance.product(leaders, in_order, known, without)
    found = np.stack([linear, curve, product])
    if members is None or len(members) == X.shape[1]:
        order = slice(None) if members is None else np.concatenate(members)
        return _summary(found[..., order], partner[..., order])
    return _summary(*_of_groups(found, partner, chance.together(members), members))


def _of_groups(
    found: NDArray[np.float64],
    partner: NDArray[np.intp],
    together: NDArray[np.float64],
    members: Sequence[Ints],
) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Return evidence and partners of groups, given those of columns and of the columns of each together."""
    groups = np.stack([found[..., own].max(axis=-1) - np.log10(len(own)) for own in members], axis=-1)
    best = [own[found[KINDS.index("product")][:, own].argmax(axis=-1)] for own in members]
    partners = np.stack([partner[np.arange(len(partner)), own] for own in best], axis=-1)
    group_of = np.empty(found.shape[-1], np.intp)
    for group, own in enumerate(members):
        group_of[own] = group
    several = np.array([len(own) > 1 for own in members])
    alone = KINDS.index("linear")
    # A group has two tries at it: by its best column, and by all of them.
    groups[alone] = np.maximum(groups[alone], together) - np.log10(2) * several
    return np.maximum(groups, 0), np.where(partners < 0, -1, group_of[partners])


def best_partners(
    Z: Singles,
    targets: NDArray[np.floating],
    columns: NDArray[np.intp],
    strata: Ints | None = None,
) -> NDArray[np.intp]:
    """Return for some columns the other one together with which it tells of the target beyond chance.

    That may be their product or, beside a strong column, any joint effect.

    Unlike `interaction_strength` it looks at the pairs of these columns alone, which is cheap however many
    others there are. A product counts if it says more than the column alone, straight or bent, and if chance
    would show so much in one of ten tables of so many columns.

    Parameters
    ----------
    Z : array of shape (rows, all columns)
        Normal scores of the columns.
    targets : array of shape (rows, targets)
        One or several targets as numbers.
    columns : array of int
        The columns to find partners of.
    strata : array of int, optional
        Shuffles that show what chance does are within them.

    Returns
    -------
    array of int
        One partner for each of `columns`; -1 where there is none.
    """
    n_rows, n_columns = Z.shape
    chance = Chance(ranked(Z), normal_scores(targets), np.ones(n_rows), strata)
    alone = np.zeros((targets.shape[1], n_columns))
    alone[:, columns] = np.maximum(chance.linear(columns), chance.curve(columns))
    product, partner = (found[:, columns] for found in chance.product(columns, np.arange(n_columns), alone))
    best = product.argmax(axis=0)
    largest = product.max(axis=0)
    counts = (largest > alone[:, columns].max(axis=0)) & (largest >= _sure(n_columns))
    return np.where(counts, np.take_along_axis(partner, best[None], axis=0)[0], -1)


def _summary(found: NDArray[np.float64], partner: NDArray[np.intp]) -> Strength:
    """Return the strongest over kinds and targets, given evidence of shape (kinds, targets, columns)."""
    by_target = found.max(axis=0)
    best = by_target.max(axis=1, keepdims=True)
    product = found[KINDS.index("product")]
    return Strength(
        score=by_target.max(axis=0),
        kind=np.array(KINDS)[found.max(axis=1).argmax(axis=0)],
        linear=found[0].max(axis=0),
        curve=found[1].max(axis=0),
        product=product.max(axis=0),
        partner=np.take_along_axis(partner, product.argmax(axis=0)[None], axis=0)[0],
        target=by_target.argmax(axis=0),
        share=np.asarray((by_target / np.where(best > 0, best, 1)).max(axis=0)),
        order=in_turns(list(np.argsort(-by_target, axis=1, kind="stable"))),
    )


def beyond_doubt(strength: Strength) -> list[int]:
    """Return the columns of so much evidence as chance shows in one of ten such tables, best first."""
    certain = strength.score >= _sure(len(strength.score))
    return [int(column) for column in strength.order if certain[column]]


def _sure(n_columns: int) -> float:
    """Return the evidence that chance shows in one of ten tables: a column has one try for each kind."""
    return BEYOND_DOUBT + float(np.log10(len(KINDS) * n_columns))


def class_targets(y: NDArray[np.generic], task: str, n_rows: int) -> NDArray[np.float64]:
    """Return numbers as one column, or a column for each class against the rest (one for two classes).

    Of censored times it is the martingale residuals of a model without columns, and several labels a row are
    columns already.
    """
    if y.ndim == 2 and len(y) == n_rows and np.isin(y, (0, 1)).all():
        return y.astype(np.float64)
    if y.shape != (n_rows,):
        raise ValueError(f"y must have one value for each of the {n_rows} rows, got the shape {y.shape}.")
    if checked_task(task) == "survival" or y.dtype.names:
        return likelihood_of(read_survival(y)).residuals()[:, None]
    if checked_task(task) == "regression" or (task == "auto" and type_of_target(y) == "continuous"):
        return y.astype(np.float64)[:, None]
    classes, codes = np.unique(y, return_inverse=True)
    if len(classes) < 2:
        raise ValueError(f"y must have at least two classes, got {classes[0]!r} alone.")
    return class_indicators(codes, len(classes))


def target_strata(y: NDArray[np.generic]) -> Ints | None:
    """Return within what rows of censored times are compared; None if all are, or of another target."""
    return strata_of(read_survival(y)) if y.dtype.names else None
