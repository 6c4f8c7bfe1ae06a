"""Lists that take turns."""

from collections.abc import Sequence

import numpy as np

from snelfs.foundation.types import Ints, Places


def in_turns(lists: Sequence[Ints | Places], length: int | None = None) -> Ints:
    """Return what lists name in turns, each thing once; all of it, or so many.

    Examples
    --------
    >>> in_turns([np.array([7, 3]), np.array([7, 1, 0])], 3)
    array([7, 3, 1])
    """
    table = np.full((max(map(len, lists)), len(lists)), -1)
    for place, own in enumerate(lists):
        table[: len(own), place] = own
    named = table[table >= 0]  # read turn by turn
    _, first = np.unique(named, return_index=True)
    return np.asarray(named[np.sort(first)][:length], dtype=np.int64)
