"""What the networks of a round leave of a target of numbers, and the columns that say something of that.

Among very many columns a small part of a sum is drowned by all that the network has not learnt yet. When few
columns are left it has learnt most of the rest. What it has not is mostly its own inputs once more, which are
taken away as well, so that columns that resemble one of these do not take its place.
"""

import numpy as np

from snelfs.data.beside import freed
from snelfs.data.prepared import Prepared
from snelfs.engine.training import Training
from snelfs.foundation.types import Floats, Ints, Singles
from snelfs.search.association import Strength, beyond_doubt
from snelfs.search.dense_network import DenseNetwork
from snelfs.search.entering import entering
from snelfs.search.options import Options
from snelfs.search.training_round import splits

# So many rows for each column of the network's own that is taken away.
ROWS_A_COLUMN = 10


def held_out_errors(
    training: Training, data: Prepared, options: Options, seed: int, functions: int
) -> Singles | None:
    """Return the target less what the networks of a round predict, (rows, targets); None without networks.

    Each row is predicted by the restarts that it validates; one that validates none by all of them. Restarts
    without an admitted epoch predict nothing.

    Parameters
    ----------
    data : Prepared
        The columns of the round, and a target of numbers.
    options, seed, functions
        Those of the round.
    """
    admitted = np.asarray(training.history.admitted.any(axis=1))[:, None]
    if not admitted.any():
        return None
    validates = admitted & (splits(data, options, seed)[1] > 0)  # (restarts, rows)
    asked = np.where(validates.any(axis=0), validates, admitted)
    predicted = np.nan_to_num(_predicted(training, data, functions))  # (restarts, rows, targets)
    mean = np.einsum("rnt,rn->nt", predicted, asked) / asked.sum(axis=0)[:, None]
    return np.asarray(data.target.values - mean, dtype=np.float32)


def without_best(errors: Singles, data: Prepared, scores: Floats) -> Singles:
    """Return errors less what the columns voted first say of them straight, as many as the rows allow.

    Parameters
    ----------
    data : Prepared
        The columns of the round.
    scores : array of shape (units,)
        The vote of the round.
    """
    best = np.argsort(-scores, kind="stable")[: len(errors) // ROWS_A_COLUMN]
    Z = data.part(np.sort(best)).Z
    assert isinstance(Z, np.ndarray)  # as all that is trained on
    return freed(errors, Z, data.rows.weights).astype(np.float32)


def _predicted(training: Training, data: Prepared, functions: int) -> Floats:
    """Return what the best network of every restart says of every row; to compile it would take longer."""
    X, W = entering(data, functions).X, training.W
    assert isinstance(X, np.ndarray)  # only what is in memory is trained on
    A = np.tensordot(X, W, (range(1, X.ndim), range(2, W.ndim)))  # (rows, restarts, dim)
    beside = np.empty((len(A), 0)) if data.C is None else data.C
    found = []
    for restart in range(len(W)):
        inputs = np.c_[A[:, restart], beside]
        kernels, biases = zip(
            *((kernel[restart], bias[restart]) for kernel, bias in training.layers), strict=True
        )
        outputs = DenseNetwork(list(kernels), list(biases)).predict(inputs)
        found.append(outputs if training.direct is None else outputs + inputs @ training.direct[restart])
    return np.stack(found)


def missed(strength: Strength | None, candidates: Ints, most: int) -> Ints:
    """Return the units whose evidence, if there is any, is beyond doubt and which are no candidates.

    The best come first.

    Examples
    --------
    >>> from snelfs.search.association import interaction_strength
    >>> X = np.random.default_rng(0).standard_normal((60, 5))
    >>> strength = interaction_strength(X, X[:, 3] + X[:, 1], task="regression")
    >>> missed(strength, np.array([0, 1]), most=2)
    array([3])
    """
    sure = np.asarray([] if strength is None else beyond_doubt(strength), dtype=np.int64)
    return sure[~np.isin(sure, candidates)][:most]
