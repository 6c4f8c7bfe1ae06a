"""What the networks of a round leave of a target of numbers, and the columns that say something of that.

Among very many columns a small part of a sum is drowned by all that the network has not learnt yet. When few
columns are left it has learnt the rest nearly to the end, and what is left is the small part and noise.
"""

from collections.abc import Collection

import numpy as np

from snelfs.data.beside import freed
from snelfs.data.groups import group_means
from snelfs.data.prepared import Prepared
from snelfs.engine.training import Training
from snelfs.foundation.types import Floats, Singles
from snelfs.search.association import Strength, beyond_doubt
from snelfs.search.dense_network import DenseNetwork
from snelfs.search.entering import entering
from snelfs.search.options import Options
from snelfs.search.training_round import splits


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


def freed_from(data: Prepared, errors: Singles, functions: int) -> Singles:
    """Return errors less what some columns say of them, as functions of themselves.

    Of a group the means say it, as they do in associations: what a column says of patients shows less in the
    single samples of these.
    """
    X = entering(data, functions).X
    assert isinstance(X, np.ndarray)  # of few columns
    weights, groups = data.rows.weights, data.rows.groups
    errors, known = (group_means(own, weights, groups) for own in (errors, X.reshape(len(X), -1)))
    return freed(errors, known, weights).astype(np.float32)


def _predicted(training: Training, data: Prepared, functions: int) -> Floats:
    """Return what the best network of every restart says of every row; to compile it would take longer."""
    X = entering(data, functions).X
    assert isinstance(X, np.ndarray)  # only what is in memory is trained on
    beside = np.empty((len(X), 0)) if data.C is None else data.C
    found = []
    for restart, W in enumerate(training.W):
        copies = np.tensordot(X, W, (range(1, X.ndim), range(1, W.ndim)))  # (rows, dim)
        inputs = np.c_[copies, beside]
        kernels, biases = zip(
            *((kernel[restart], bias[restart]) for kernel, bias in training.layers), strict=True
        )
        outputs = DenseNetwork(list(kernels), list(biases)).predict(inputs)
        found.append(outputs if training.direct is None else outputs + inputs @ training.direct[restart])
    return np.stack(found)


def best_missed(strength: Strength, known: Collection[int]) -> int | None:
    """Return the unit of most evidence among those beyond doubt that are not known; None if there is none.

    Examples
    --------
    >>> from snelfs.search.association import interaction_strength
    >>> X = np.random.default_rng(0).standard_normal((60, 5))
    >>> strength = interaction_strength(X, X[:, 3] + X[:, 1], task="regression")
    >>> best_missed(strength, [0, 1]), best_missed(strength, [1, 3])
    (3, None)
    """
    left_out = set(known)
    return next((unit for unit in beyond_doubt(strength) if unit not in left_out), None)
