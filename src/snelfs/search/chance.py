"""Associations judged by what chance shows of the same columns with the target shuffled."""

from collections.abc import Callable, Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from snelfs.foundation.blocks import column_blocks
from snelfs.foundation.types import Flags, Floats, Ints, Places, Reals, Singles
from snelfs.search.calibration import (
    SHUFFLES,
    Tail,
    line_through,
    needs_shuffles,
    pairs_to_shuffle,
    shuffled_rows,
)
from snelfs.search.constants import FUNCTIONS, STRONGEST
from snelfs.search.curves import functions_of, rank_waves
from snelfs.search.directions import directions
from snelfs.search.joint_effects import BENT, JointEffects, shuffles_of, uncorrelated
from snelfs.search.pair_products import LEAST_VARIANCE, best_products
from snelfs.search.rank_statistics import Ranked, effective_rows, evidence, standardised

# Cosines by which a column is bent, as many as in the layer.
WAVES = FUNCTIONS - 1

# Evidence that differs by less is equal: the order of rows and columns must not choose the strongest.
EQUAL = 1e-3


class Chance:
    """Judge associations with targets by what chance shows of the same columns with the targets shuffled.

    Each answer is calibrated evidence of shape (targets, columns). Columns and targets are normal scores:
    Student's p of a normal target is right whatever the columns, and classes remain what they are.
    """

    def __init__(
        self, columns: Ranked, Y: Singles, weights: NDArray[np.float64], strata: Ints | None = None
    ) -> None:
        self.Z, self.ranks = columns
        self.Y, self.weights, self.strata = Y, weights, strata
        self.shares = weights / weights.sum()
        self.degrees = effective_rows(weights) - 2
        self.T = self._weighted(Y)
        # Columns and residuals may both vary more in one stratum than in another: no p allows for that.
        doubtful = np.flatnonzero(
            [strata is not None or needs_shuffles(target, self.shares) for target in Y.T]
        )
        self.shuffled = self._shuffled(Y, doubtful) if len(doubtful) else {}

    def _weighted(self, Y: Singles) -> Singles:
        """Return targets as rows whose product with a standardised column is their correlation."""
        return np.asarray(standardised(Y, self.shares).T * self.shares.astype(np.float32))

    def _shuffled(self, Y: Singles, targets: NDArray[np.intp]) -> dict[int, Singles]:
        """Return some targets, each in all shuffles, which do not depend on the order of the rows."""
        rows = shuffled_rows(self._rank(), len(targets), self.strata)
        return {target: self._weighted(Y[rows, target]) for target in targets.tolist()}

    def _rank(self) -> Places:
        """Return the rows in an order that does not depend on how they were given."""
        return np.lexsort((*self.Y.T, np.einsum("ij,ij->i", self.Z, self.Z, dtype=np.float64)))

    def linear(self, columns: NDArray[np.intp] | slice) -> NDArray[np.float64]:
        """Return the evidence of columns alone."""
        Z = self.Z[:, columns]
        return self._judged(np.abs(self.T @ Z), lambda block: Z[:, block], Z.shape[1])

    def curve(self, columns: NDArray[np.intp] | slice) -> NDArray[np.float64]:
        """Return the evidence of the best cosine of each column's ranks."""
        ranks = self.ranks[:, columns]

        def waves(block: slice) -> Singles:
            return np.concatenate(
                [_scaled(wave, self.shares) for wave in rank_waves(ranks[:, block], WAVES)], axis=1
            )

        found = [np.abs(self.T @ waves(block)) for block in column_blocks(*ranks.shape)]
        best = [values.reshape(len(self.T), WAVES, -1).max(axis=1) for values in found]
        return self._judged(np.concatenate(best, axis=1), waves, ranks.shape[1], tries=WAVES)

    def product(
        self, leaders: Places, order: Places, alone: Floats, without: Collection[str] = ()
    ) -> tuple[Floats, Places]:
        """Return the evidence of every column's best product, and its partner.

        With a strong column any joint effect counts, whether it is a product or not.

        Parameters
        ----------
        leaders : array of int
            Columns of which one must be in a pair.
        order : array of int
            All columns, in an order that does not depend on how they were given.
        alone : array of shape (targets, columns)
            Evidence of the columns alone, by which some are the strongest.
        without : collection of str
            What to leave out: "bends" or "again", see `snelfs.search.association`.
        """
        strong = strongest_columns(alone)
        first, second = pairs_to_shuffle(order[np.isin(order, leaders)], order, len(self.Z))

        def products(block: slice) -> Singles:
            return _scaled(self.Z[:, first[block]] * self.Z[:, second[block]], self.shares)

        correlation, partner = best_products(self.Z, self.T, self.shares.astype(np.float32), leaders, strong)
        tests = max(1, len(order) - 1)
        if not strong.any():
            return self._judged(correlation, products, len(first), tests=tests), partner
        judged = self._judged(correlation, products, len(first), tests=2 * tests)
        bent = 1 if "bends" in without else BENT
        beside = self._beside(strong, strong, bent)
        found = _with_strongest(judged, partner, beside)
        if "again" in without:
            return found
        # Once more: what shows beside a strong column may be the strong one of another.
        by_now = strongest_columns(np.maximum(alone, found[0]))
        beside |= self._beside(by_now & ~strong, by_now | strong, bent)
        return _with_strongest(judged, partner, beside)

    def _beside(self, strong: Flags, known: Flags, bent: int) -> dict[tuple[int, int], Floats]:
        """Return the evidence of all columns together with each strong one of a target, by target and column.

        What the columns that are `known` to be strong say alone is taken from the target first. Of both
        columns so many functions are looked at as `bent` says.
        """
        shuffled = shuffled_rows(self._rank(), max(1, int(strong.sum()) * bent), self.strata)
        shuffled = shuffled[:, : shuffles_of(strong.shape[1])].T
        found: dict[tuple[int, int], Floats] = {}
        for target in np.flatnonzero(strong.any(axis=1)).tolist():  # at a time: shuffles of all are large
            columns = np.flatnonzero(strong[target]).tolist()
            effects = self._effects(target, columns, known[target], shuffled, bent)
            found |= {(target, column): own for column, own in zip(columns, effects, strict=True)}
        return found

    def _effects(
        self, target: int, columns: list[int], known: Flags, shuffled: Places, bent: int
    ) -> list[Floats]:
        """Return the evidence of all columns together with each strong one of one target."""
        effects, n_columns = [], self.Z.shape[1]
        for column in columns:
            left = self._left_by(column, known, target)
            products = self._within_strata(left[:, None] * self._functions([column], bent)[:, :, 0])
            products = uncorrelated(products, self.shares)
            effects.append(JointEffects(products, self.shares, shuffled, n_columns, self.degrees))
        for block in column_blocks(bent * max(len(self.Z), len(shuffled)), n_columns):
            functions = self._functions(block, bent)
            for effect in effects:
                effect.take(block, functions)
        return [effect.calibrated() for effect in effects]

    def _functions(self, columns: list[int] | slice, n_functions: int) -> Singles:
        """Return columns as functions of themselves, of shape (rows, functions, columns)."""
        return functions_of(self.Z[:, columns], self.ranks[:, columns], self.shares, n_functions)

    def _left_by(self, column: int, others: Flags, target: int) -> Singles:
        """Return what a column, straight and bent, and others leave of a target; no rounding."""
        own = self._functions([column], FUNCTIONS)[:, :, 0]
        inputs, roots = np.c_[own, self.Z[:, others]], np.sqrt(self.shares)[:, None]
        y = self.Y[:, [target]]
        said = inputs @ np.linalg.lstsq(inputs * roots, y * roots)[0]
        return standardised(self._within_strata(y - said), self.shares)[:, 0]

    def _within_strata(self, values: Reals) -> Reals:
        """Return values less their means in each stratum, if there are any."""
        if self.strata is None:
            return values
        masses = np.bincount(self.strata, self.shares)
        means = [np.bincount(self.strata, self.shares * column) / masses for column in values.T]
        return np.asarray(values - np.stack(means, axis=1)[self.strata])

    def together(self, members: Sequence[Ints]) -> NDArray[np.float64]:
        """Return the evidence of groups of columns by their multiple correlations with the targets."""
        found = [self._multiple(own) for own in members]
        tests = np.log10(len(self.T))
        judged = np.stack([evidence for evidence, _ in found], axis=-1)
        for target in self.shuffled:
            largest = np.concatenate([shuffled[target] for _, shuffled in found])
            tail = Tail(len(largest))
            tail.take(largest.astype(np.float32))
            judged[target] = line_through(tail.values.astype(np.float64), tail.tried).calibrated(
                judged[target]
            )
        return np.asarray(np.maximum(0, judged - tests))

    def _multiple(self, columns: Ints) -> tuple[NDArray[np.float64], dict[int, NDArray[np.float64]]]:
        """Return the evidence of one group for every target, and what shuffles of some targets show."""
        across = directions(self.Z[:, columns], self.shares).astype(np.float32)

        def judged(targets: Singles) -> NDArray[np.float64]:
            together = np.sqrt(np.square(targets @ across).sum(axis=1))
            return evidence(together, self.degrees, 1, across.shape[1])

        return judged(self.T), {target: judged(own) for target, own in self.shuffled.items()}

    def _judged(
        self,
        correlation: Singles,
        terms: Callable[[slice], Singles],
        n_terms: int,
        *,
        tests: int = 1,
        tries: int = 1,
    ) -> NDArray[np.float64]:
        """Return calibrated evidence, given blocks of terms whose shuffles show what chance does.

        Each of the terms may be several tries, of which a correlation is the best.
        """
        tails = {target: Tail(tries * n_terms * len(own)) for target, own in self.shuffled.items()}
        for block in column_blocks(max(len(self.Z), SHUFFLES), n_terms) if tails else ():
            term = terms(block)
            for target, tail in tails.items():
                tail.take(np.abs(self.shuffled[target] @ term))
        found = evidence(correlation, self.degrees, 1)
        for target, tail in tails.items():
            line = line_through(evidence(tail.values, self.degrees, 1), tail.tried)
            found[target] = line.calibrated(found[target])
        return np.asarray(np.maximum(0, found - np.log10(tests * tries * len(self.T))))


def _with_strongest(
    judged: Floats, partner: Places, beside: dict[tuple[int, int], Floats]
) -> tuple[Floats, Places]:
    """Return evidence and partners of products, those with the strong columns of each target included.

    Beside a strong column another has few partners to try. The strong one itself gains nothing by that:
    beside noise that happens to be among the strongest, a column that the target follows in a way of its own
    shows at once, and what that column is asked says nothing of the noise.
    """
    judged, partner = judged.copy(), partner.copy()
    few = np.log10(2 * 2 * STRONGEST * len(judged))
    for (target, column), found in beside.items():
        better = found - few > judged[target]
        better[column] = False
        judged[target, better] = found[better] - few
        partner[target, better] = column
    return judged, partner


def strongest_columns(alone: Floats) -> Flags:
    """Tell which columns are the strongest alone for each target: five, or fewer where the next is as strong.

    Examples
    --------
    >>> alone = np.r_[9.0, 8.0, 7.0, 7.0, 7.0, 7.0, np.zeros(6)][None]
    >>> np.flatnonzero(strongest_columns(alone)[0])
    array([0, 1])
    """
    if alone.shape[1] <= 2 * STRONGEST:
        return np.zeros(alone.shape, dtype=bool)
    next_best = np.partition(alone, -STRONGEST - 1, axis=1)[:, [-STRONGEST - 1]]
    return np.asarray(alone > next_best + EQUAL)


def _scaled(terms: Singles, shares: NDArray[np.float64]) -> Singles:
    """Return terms of mean 0 and variance 1, or 0 without spread."""
    own = shares.astype(np.float32)
    # The mean goes first: that of a wave of a rare variant is large, and its spread is lost beside it.
    terms = terms - own @ terms
    variance = own @ np.square(terms)
    variance[variance < LEAST_VARIANCE] = np.inf
    return np.asarray(terms / np.sqrt(variance), dtype=np.float32)
