"""The second round, among candidates: its vote decides, and what its networks leave is looked at again."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from snelfs.data.prepared import Prepared
from snelfs.foundation.progress import Progress, is_over
from snelfs.foundation.types import Floats, Ints, Singles
from snelfs.search.association import Strength
from snelfs.search.constants import CANDIDATES, FUNCTIONS, REFINED_RATE, REFINED_RESTARTS
from snelfs.search.evidence import as_it_enters, associations, by_association
from snelfs.search.options import Options
from snelfs.search.residuals import best_missed, freed_from, held_out_errors
from snelfs.search.training_round import Round, train_round


def n_candidates(n_columns: int, options: Options) -> int:
    """Return how many units take part in the second round: always as many, so that shapes stay alike."""
    return min(n_columns, options.screen or n_columns, max(CANDIDATES, 2 * options.dim))


def refined(options: Options) -> Options:
    """Return the options of the second round."""
    return replace(
        options,
        n_restarts=REFINED_RESTARTS * options.n_restarts,
        learning_rate=REFINED_RATE if options.learning_rate is None else options.learning_rate,
        prune=False,  # among so few columns each one counts, and none costs much
        # Each candidate is asked whether it belongs to the selection, and not how much it does.
        combine="soft" if options.combine == "auto" else options.combine,
    )


def looks_at_errors(data: Prepared, options: Options, without: Collection[str] = ()) -> bool:
    """Tell whether it is looked at what the networks of the second round leave: if columns are left for it.

    It is for squared error alone: networks of classes that are held back are less sure than they could be,
    and what they leave is the classes once more.
    """
    left = n_candidates(len(data.entries), options) < len(data.entries)
    return left and data.target.task == "regression" and "residual" not in without


class Decided(NamedTuple):
    """Hold the round that decides, and how it came to."""

    last: Round
    joined: Ints = np.empty(0, np.int64)  # units that what its networks had left brought in
    cut_short: bool = False  # whether an end was asked for before that was done


@dataclass(frozen=True)
class SecondRound:
    """Train the second round among any candidates: units of the data, by their places among `entries`."""

    data: Prepared
    options: Options  # of this round
    seed: int
    without: Collection[str] = ()

    def trained(self, candidates: Ints, shares: Floats, on_progress: Progress | None) -> Round:
        """Return the round, whose restarts start by shares that all units have."""
        start = np.ones(len(candidates)) if "start" in self.without else shares[candidates]
        part = self._part(candidates)
        return train_round(part, self.options, start, self.seed, on_progress, self._functions)

    def with_missed(
        self, last: Round, strength: Strength, on_last: Progress | None, on_progress: Progress | None
    ) -> Decided:
        """Return the round trained anew with units that say something of what its networks leave.

        These take the places of those voted last. If there are none the round decides as it is.
        """
        candidates = np.searchsorted(self.data.entries, last.units)
        joining, share = self._missed(last, candidates, on_last)
        if is_over(on_last):
            return Decided(last, cut_short=True)
        if not len(joining):
            is_over(on_progress)  # there is no more to do
            return Decided(last)
        staying = candidates[np.argsort(-last.scores, kind="stable")][: len(candidates) - len(joining)]
        shares = np.maximum(by_association(strength), share)
        anew = self.trained(np.sort(np.r_[staying, joining]), shares, on_progress)
        if is_over(on_progress) and anew.training.history.n_epochs < self.options.schedule.n_epochs:
            return Decided(last, cut_short=True)
        return Decided(anew, joining)

    def _missed(self, last: Round, candidates: Ints, on_last: Progress | None) -> tuple[Ints, Floats]:
        """Return units that say beyond doubt what the networks leave, and all units' shares in a start.

        One at a time, and the next is asked about what that leaves: of many columns that are nearly alike one
        joins, and what is left shows more of the others. An end that is asked for ends it.
        """
        joining: list[int] = []
        shares = np.zeros(len(self.data.entries))
        part = self._part(candidates)
        errors = held_out_errors(last.training, part, self.options, self.seed, self._functions)
        if errors is None:
            return np.array(joining, np.int64), shares
        left = errors
        while len(joining) < len(candidates) - self.options.dim and not is_over(on_last):
            strength = self._associated_with(left)
            unit = best_missed(strength, [*candidates, *joining])
            if unit is None:
                break
            joining.append(unit)
            shares[unit] = by_association(strength)[unit]
            left = freed_from(self._part(np.sort(joining)), errors, self._functions)
        return np.array(joining, np.int64), shares

    def _associated_with(self, errors: Singles) -> Strength:
        """Return what units say alone of errors: pairs would cost as much as the search has so far.

        Rows of a group have one error, their mean: what a held-out patient has for itself is in all samples
        of it.
        """
        target = replace(self.data.target, residuals=errors, values=np.zeros_like(errors))
        return associations(replace(self.data, target=target), (*self.without, "pairs"))

    def _part(self, candidates: Ints) -> Prepared:
        return as_it_enters(self.data.part(candidates), self.options, self.without)

    @property
    def _functions(self) -> int:
        return 1 if "curves" in self.without else FUNCTIONS
