"""SNeL-FS for censored times: the search with the partial likelihood as its loss."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import Tags
from sklearn.utils.validation import _check_sample_weight, check_consistent_length

from snelfs.data.censored import encode_survival, read_survival
from snelfs.data.concordance import concordance
from snelfs.data.partial_likelihood import PartialLikelihood
from snelfs.data.prepared import Prepared
from snelfs.data.rows import Rows
from snelfs.data.sources import Source
from snelfs.data.target import Target
from snelfs.engine import scores
from snelfs.estimators.base import SNeLSelector
from snelfs.foundation.checks import ArgumentError
from snelfs.foundation.naming import named_in_root
from snelfs.foundation.types import Floats
from snelfs.search.cox_network import CoxNetwork
from snelfs.search.options import Options


@named_in_root
@dataclass(eq=False, repr=False)
class SNeLSurvival(SNeLSelector):
    """Select features for censored times, as of relapse or death, with a sparse neural network layer.

    The search is that of `SNeLClassifier` with Cox's partial likelihood as its loss: hazards are
    proportional, and the network's output is the log relative risk. The best epoch is chosen by the partial
    likelihood of all rows less that of the training rows, splits keep the events in proportion, and
    associations are those with martingale residuals of a model without columns. All parameters and attributes
    are those of `SNeLClassifier` but for `class_weight`, `classes_` and these:

    Parameters
    ----------
    ties : {"breslow", "efron"}, default="breslow"
        How events of equal times count. By Breslow's way a weight of 2 is just the row twice; Efron's is
        closer to the exact likelihood where very many events have equal times.
    scoring : {"loss"}, default="loss"
        Validation score of the best epoch: minus the held-out partial likelihood's loss.

    Attributes
    ----------
    unique_times_ : ndarray of shape (n_times,)
        The distinct times of the rows, rising: where survival functions are given by default.
    baseline_cumulative_hazard_ : ndarray of shape (n_times,)
        Breslow's cumulative hazard at these times of a row whose log relative risk is 0, the mean of all.

    Notes
    -----
    The target `y` is a structured array with one field of truth values, True where the event was observed,
    and one of numbers, the time, in any order and by any name; or a tuple ``(event, time)``.
    `snelfs.survival_target` makes one.

    Examples
    --------
    >>> from snelfs import SNeLSurvival
    >>> from snelfs.datasets import make_survival
    >>> X, y, relevant = make_survival(150, 20, censored=0.3, random_state=96_000)
    >>> quick = {"n_restarts": 4, "steps": 10, "refine": False, "combine": "mean"}
    >>> selector = SNeLSurvival(n_features_to_select=5, **quick, random_state=0).fit(X, y)
    >>> len(set(relevant) & set(selector.get_support(indices=True))) >= 4
    True
    >>> bool(selector.score(X, y) > 0.75)
    True
    """

    _scorings = scores.SURVIVAL
    _default_scoring = "loss"
    _network = CoxNetwork
    _target_checks = MappingProxyType({"multi_output": True, "y_numeric": True})

    _: KW_ONLY
    ties: str = "breslow"

    def _validate(self, X: Any, y: Any) -> tuple[NDArray[np.floating] | Source, NDArray[np.generic]]:
        target = read_survival(y)
        return super()._validate(X, np.stack([target["event"], target["time"]], axis=1))

    def _encode_target(self, rows: Rows) -> Target:
        return encode_survival(rows.y.astype(np.float64), rows.weights, self.ties)

    def _keep_predictor(self, data: Prepared, options: Options, seed: int) -> None:
        super()._keep_predictor(data, options, seed)
        risks = self._predictor.predict(data.beside.inputs(data.rows.X, self.support_))
        y = data.rows.y.astype(np.float64)
        likelihood = PartialLikelihood(y[:, 0] > 0, y[:, 1], data.rows.weights)
        self.unique_times_, self.baseline_cumulative_hazard_ = likelihood.baseline(risks)

    def predict(self, X: ArrayLike) -> Floats:
        """Return the log relative risk of every row: the higher, the sooner; 0 is the mean of fitted rows."""
        return self._predict_selected(self._selected_columns(X))

    def _predict_selected(self, selected: NDArray[np.floating]) -> Floats:
        return self._predictor.predict(selected)

    def predict_cumulative_hazard_function(self, X: ArrayLike, times: ArrayLike | None = None) -> Floats:
        """Return the cumulative hazard of every row at some times.

        Parameters
        ----------
        times : array-like of shape (n_times,), optional
            By default `unique_times_`. After the last of these the hazard stays what it was.

        Returns
        -------
        ndarray of shape (n_samples, n_times)
        """
        risks = self.predict(X)
        return np.asarray(np.exp(risks)[:, None] * self._baseline_at(times))

    def predict_survival_function(self, X: ArrayLike, times: ArrayLike | None = None) -> Floats:
        """Return the probability of every row to be without event until some times.

        Parameters
        ----------
        times : array-like of shape (n_times,), optional
            By default `unique_times_`.

        Returns
        -------
        ndarray of shape (n_samples, n_times)
        """
        return np.asarray(np.exp(-self.predict_cumulative_hazard_function(X, times)))

    def _baseline_at(self, times: ArrayLike | None) -> Floats:
        if times is None:
            return self.baseline_cumulative_hazard_
        asked = np.asarray(times)
        if asked.ndim != 1 or asked.dtype.kind not in "iuf" or not np.isfinite(asked).all():
            raise ArgumentError("times", f"must be a list of finite numbers, got {times!r}.")
        place = np.searchsorted(self.unique_times_, asked, side="right")
        return np.asarray(np.concatenate([[0.0], self.baseline_cumulative_hazard_])[place])

    def score(self, X: ArrayLike, y: Any, sample_weight: ArrayLike | None = None) -> float:
        """Return Harrell's c-index of the risks: 1 is a perfect order, 0.5 that of chance.

        Of every two rows of which one had its event while the other was still observed, the share in which it
        had the higher risk; equal risks count half.
        """
        target, risks = read_survival(y), self.predict(X)
        check_consistent_length(risks, target)
        weights = _check_sample_weight(sample_weight, risks, dtype=np.float64, ensure_non_negative=True)
        index = concordance(target["event"], target["time"], risks, weights)
        if np.isnan(index):
            raise ValueError(
                "y has no two rows of which one had its event first; there is no c-index of them."
            )
        return index

    def __sklearn_tags__(self) -> Tags:
        """Say that there is no selection without a target."""
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags
