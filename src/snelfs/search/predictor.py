"""An ordinary network on the selected columns alone: what the fitted estimators predict with."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier, MLPRegressor
from threadpoolctl import threadpool_limits

from snelfs.data.censored import target_likelihood
from snelfs.data.prepared import Prepared
from snelfs.data.splits import share
from snelfs.data.standardisation import Standardisation
from snelfs.foundation.naming import named_in_root
from snelfs.foundation.types import Floats
from snelfs.search.cox_network import CoxNetwork, chance_penalty
from snelfs.search.dense_network import DenseNetwork
from snelfs.search.loss_network import loss_network
from snelfs.search.rank_statistics import effective_rows

# Of L-BFGS at most. Held-out rows of eight tables of classes and nine of numbers are predicted as well as
# after 1,000 of them (balanced accuracy 0.811, 0.809 then), in a third of the time.
STEPS = 200

Network: TypeAlias = type[MLPClassifier] | type[MLPRegressor] | type[DenseNetwork]


@named_in_root
@dataclass(frozen=True)
class Predictor:
    """A network and the scale of the columns it was trained on."""

    columns: Standardisation
    network: MLPClassifier | MLPRegressor | DenseNetwork

    def predict(self, X: NDArray[np.floating]) -> NDArray[Any]:
        """Return class codes, standardised targets, log relative risks, or outputs of a caller's loss."""
        return np.asarray(self.network.predict(self.columns.apply(X)))

    def predict_proba(self, X: NDArray[np.floating]) -> Floats:
        """Return the probability of every class for rows of selected columns."""
        assert isinstance(self.network, MLPClassifier)
        return np.asarray(self.network.predict_proba(self.columns.apply(X)))


def refit(
    network: Network,
    data: Prepared,
    support: NDArray[np.bool_],
    hidden_layer_sizes: Sequence[int],
    alpha_l2: float,
    seed: int,
) -> Predictor:
    """Train a network of the same shape and l2 penalty on all rows of the selected columns and covariates.

    Of censored times the penalty is that of `chance_penalty`, if that is more.
    """
    rows, target = data.rows, data.target
    X = data.inputs(rows.X, support)
    columns = Standardisation.of(X, rows.weights, fill=True)  # new rows may have gaps that these have not
    if target.task == "survival":
        return Predictor(columns, _refit_cox(columns.apply(X), data, hidden_layer_sizes, alpha_l2, seed))
    shares = share(rows.weights * target.factors)
    if target.own is not None:
        given = columns.apply(X), target.own, target.values, shares
        with threadpool_limits(1, user_api="blas"):
            return Predictor(columns, loss_network(*given, hidden_layer_sizes, alpha_l2, seed))
    kind: Any = network
    model = kind(
        hidden_layer_sizes=hidden_layer_sizes,
        solver="lbfgs",
        alpha=2 * alpha_l2,  # scikit-learn's penalty is alpha/2 · Σw² over the sum of the weights, 1 here
        max_iter=STEPS,
        max_fun=10 * STEPS,
        random_state=seed,
    )
    y: NDArray[Any] = target.values
    if target.task == "regression" and target.n_outputs == 1:
        y = y[:, 0]
    elif target.task == "multilabel":
        y = y.astype(np.int64)
    # Products of so few columns are too small to share out: threads only wait for each other, and on a busy
    # machine for seconds.
    with warnings.catch_warnings(), threadpool_limits(1, user_api="blas"):
        # A bound on the iterations is as good a stop as the tolerance of the gradient.
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(columns.apply(X), y, sample_weight=shares)
    return Predictor(columns, model)


def _refit_cox(
    Z: Floats, data: Prepared, hidden_layer_sizes: Sequence[int], alpha_l2: float, seed: int
) -> CoxNetwork:
    """Train a network of censored times on standardised columns, which were chosen of all that vary."""
    likelihood = target_likelihood(data.target, data.rows.weights)
    least = chance_penalty(len(data.kept), effective_rows(likelihood.weights[likelihood.happened]))
    with threadpool_limits(1, user_api="blas"):
        return CoxNetwork.fitted(Z, likelihood, hidden_layer_sizes, max(alpha_l2, least), seed)
