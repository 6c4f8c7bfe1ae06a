"""The one order of all features that a search leads to."""

import numpy as np

from snelfs.data.feature_groups import first_of_each
from snelfs.data.prepared import Prepared
from snelfs.foundation.types import Ints
from snelfs.search.search import Search


def ranked_units(found: Search, data: Prepared) -> Ints:
    """Return all units, best first: columns, or groups of them.

    Kept columns come first and covariates last. Of the others those of the deciding round come first, by
    their scores there, then others by their scores in the first round, then by their associations, and
    constant ones are last. The same decides between equals. Where at most one column of a group is selected,
    the others of each group come behind the best ones of all.
    """
    n_units = data.n_units
    everywhere = np.arange(n_units)
    associated = np.full(n_units, n_units)
    if found.strength is not None:
        associated[data.entries[found.strength.order]] = np.arange(len(data.entries))
    covariates, keep = data.units_of(data.beside.covariates), data.units_of(data.beside.keep)
    keys = (
        associated,
        -found.first.among_all(found.first.scores, n_units),
        -found.last.among_all(found.last.scores, n_units),
        ~np.isin(everywhere, found.last.units),
        ~np.isin(everywhere, data.entries),
        np.isin(everywhere, covariates),
        ~np.isin(everywhere, keep),
    )
    order = np.lexsort(keys)
    if data.units is None or data.units.rivals is None:
        return order
    ranking = np.argsort(order)
    return np.lexsort((ranking, ~first_of_each(ranking, data.units.rivals)))
