"""A vote that no longer changes: the training may end before its schedule does.

In the second half of the schedule the penalty on sums falls again, and models are compared that differ
little. Where the restarts have long been voting for the same columns, the rest of the schedule seldom tells
more. It is not nothing, though: what fills up a selection may still change.
"""

import numpy as np
from numpy.typing import NDArray

from snelfs.engine.saliency import combine, max_weight, pick_frequency

LOOKS = 40  # at equal distances over the whole schedule, of which the second half is looked at


def looks(n_epochs: int) -> list[int]:
    """Return the numbers of epochs after which the vote is looked at, from the middle on.

    Examples
    --------
    >>> looks(80)[:3], looks(80)[-1]
    ([40, 42, 44], 78)
    """
    return list(range(n_epochs // 2, n_epochs, -(-n_epochs // LOOKS)))


class Vote:
    """Follow what the restarts vote for, and tell when that has stayed the same for long enough.

    Parameters
    ----------
    patience : int
        Epochs for which the vote must be the same.
    n_restarts : int
        Restarts that vote together; of several such groups, one after the other, each has its own vote.
    """

    def __init__(self, patience: int, n_restarts: int) -> None:
        self.patience = patience
        self.n_restarts = n_restarts
        self.since = 0
        self.last: NDArray[np.bool_] | None = None

    def is_settled(self, W: NDArray[np.floating], admitted: NDArray[np.bool_], n_epochs: int) -> bool:
        """Tell whether the training may end after `n_epochs`.

        Parameters
        ----------
        W : array of shape (restarts, dim, columns)
            The layers of the best epochs so far.
        admitted : array of shape (restarts,)
            Which of them are admitted. As long as one is not, nothing is settled.
        """
        dim = W.shape[1]
        groups = np.split(np.asarray(max_weight(W), np.float64), len(W) // self.n_restarts)
        scores = np.array([combine(saliencies, dim, "vote") for saliencies in groups])
        vote = np.array([pick_frequency(own[None], dim) > 0 for own in scores])
        if self.last is None or (self.last != vote).any() or not admitted.all():
            self.last, self.since = vote, n_epochs
        return n_epochs - self.since >= self.patience
