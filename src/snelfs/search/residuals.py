"""What the networks of a round leave of a target of numbers, and the columns that say something of that.

Among very many columns a small part of a sum is drowned by all that the network has not learnt yet. When few
columns are left it has learnt the rest nearly to the end, and what is left is the small part and noise.
"""

import numpy as np

from snelfs.data.prepared import Prepared
from snelfs.engine.training import Training
from snelfs.foundation.types import Floats, Ints, Singles
from snelfs.search.association import Strength, beyond_doubt
from snelfs.search.dense_network import DenseNetwork
from snelfs.search.entering import entering
from snelfs.search.options import Options
from snelfs.search.training_round import splits


def left_by(training: Training, data: Prepared, options: Options, seed: int, functions: int) -> Singles:
    """Return the target less what the networks of a round predict, of shape (rows, targets).

    Each row is predicted by the restarts that it validates; one that validates none by all of them.

    Parameters
    ----------
    data : Prepared
        The columns of the round, and a target of numbers.
    options, seed, functions
        Those of the round.
    """
    validates = splits(data, options, seed)[1] > 0  # (restarts, rows)
    asked = np.where(validates.any(axis=0), validates, True)
    predicted = _predicted(training, data, functions)  # (restarts, rows, targets)
    mean = np.einsum("rnt,rn->nt", predicted, asked) / asked.sum(axis=0)[:, None]
    return np.asarray(data.target.values - mean, dtype=np.float32)


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


def missed(strength: Strength, candidates: Ints, most: int) -> Ints:
    """Return the units whose evidence is beyond doubt and which are no candidates, best first.

    Examples
    --------
    >>> from snelfs.search.association import interaction_strength
    >>> X = np.random.default_rng(0).standard_normal((60, 5))
    >>> strength = interaction_strength(X, X[:, 3] + X[:, 1], task="regression")
    >>> missed(strength, np.array([0, 1]), most=2)
    array([3])
    """
    sure = np.asarray(beyond_doubt(strength), dtype=np.int64)
    return sure[~np.isin(sure, candidates)][:most]
