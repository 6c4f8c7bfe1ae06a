"""The one order of all features that a search leads to."""

import numpy as np

from snelfs.data.prepared import Prepared
from snelfs.foundation.types import Ints
from snelfs.search.options import Options
from snelfs.search.search import Search


def ranked_features(found: Search, data: Prepared, options: Options) -> Ints:
    """Return all features, best first.

    Kept columns come first and covariates last. Of the others those of the deciding round come first, by
    their scores there, then others by their scores in the first round, then by their associations, and
    constant ones are last. The same decides between equals.
    """
    n_features = data.rows.X.shape[1]
    everywhere = np.arange(n_features)
    associated = np.full(n_features, n_features)
    if found.strength is not None:
        associated[data.kept[found.strength.order]] = np.arange(len(data.kept))
    keys = (
        associated,
        -found.first.among_all(found.first.scores(options), n_features),
        -found.last.among_all(found.scores(options), n_features),
        ~np.isin(everywhere, found.last.columns),
        ~np.isin(everywhere, data.kept),
        np.isin(everywhere, data.beside.covariates),
        ~np.isin(everywhere, data.beside.keep),
    )
    return np.lexsort(keys)
