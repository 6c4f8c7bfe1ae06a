"""The second round, among candidates: its vote decides, and what its networks leave is looked at again."""

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np

from snelfs.data.prepared import Prepared
from snelfs.foundation.progress import Progress, is_over
from snelfs.foundation.types import Floats, Ints, Singles
from snelfs.search.association import Strength
from snelfs.search.constants import CANDIDATES, FUNCTIONS, REFINED_RATE, REFINED_RESTARTS
from snelfs.search.evidence import as_it_enters, associations, by_association
from snelfs.search.options import Options
from snelfs.search.residuals import left_by, missed
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


def asks_again(data: Prepared, options: Options) -> bool:
    """Tell whether what the networks of the second round leave is looked at, where columns are left for it.

    It is for squared error alone: networks of classes that are held back are less sure than they could be,
    and what they leave is the classes once more.
    """
    return data.target.task == "regression" and n_candidates(len(data.entries), options) < len(data.entries)


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

    def once_more(
        self, last: Round, strength: Strength, on_last: Progress | None, on_progress: Progress | None
    ) -> tuple[Round, Ints, bool]:
        """Return the round that decides, what joined its candidates, and whether an end came before.

        Units that say something of what the round leaves take the places of those voted last.
        """
        nothing = np.empty(0, np.int64)
        if is_over(on_last):
            return last, nothing, True
        candidates = np.searchsorted(self.data.entries, last.units)
        left = left_by(last.training, self._part(candidates), self.options, self.seed, self._functions)
        of_left = self._associated_with(left)
        joining = missed(of_left, candidates, len(candidates) - self.options.dim)
        if not len(joining):
            is_over(on_progress)  # there is no more to do
            return last, nothing, False
        staying = candidates[np.argsort(-last.scores, kind="stable")][: len(candidates) - len(joining)]
        shares = np.maximum(by_association(strength), by_association(of_left))
        anew = self.trained(np.sort(np.r_[staying, joining]), shares, on_progress)
        return (last, nothing, True) if is_over(on_progress) else (anew, joining, False)

    def _associated_with(self, left: Singles) -> Strength:
        """Return what units say alone of what is left: pairs would cost as much as the search has so far."""
        target = replace(self.data.target, residuals=left)
        return associations(replace(self.data, target=target), (*self.without, "pairs"))

    def _part(self, candidates: Ints) -> Prepared:
        return as_it_enters(self.data.part(candidates), self.options, self.without)

    @property
    def _functions(self) -> int:
        return 1 if "curves" in self.without else FUNCTIONS
