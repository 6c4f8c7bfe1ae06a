"""SNeL-FS for censored times: the search with the partial likelihood as its loss."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from types import MappingProxyType
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import Tags
from sklearn.utils.validation import _check_sample_weight, check_consistent_length

from snelfs.data.beside import Beside
from snelfs.data.censored import (
    encode_survival,
    has_strata,
    read_survival,
    strata_of,
    stratified,
    stratum_names,
)
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
from snelfs.foundation.progress import ProgressLine
from snelfs.foundation.types import Floats, Ints, Texts
from snelfs.foundation.words import first_few
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
    baseline_cumulative_hazard_ : ndarray of shape (n_times,) or (n_strata, n_times)
        Breslow's cumulative hazard at these times of a row whose log relative risk is 0, the mean of all; of
        each stratum if there are any.
    strata_ : ndarray of str or None
        The names of the strata in order.

    Notes
    -----
    The target `y` is a structured array with one field of truth values, True where the event was observed,
    and one of numbers, the time, in any order and by any name; or a tuple ``(event, time)``.
    `snelfs.survival_target` makes one. A third field, of text, is the stratum of every row: so strata go with
    the target through folds and pipelines. They may be given apart from it, too.

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

    def fit(
        self,
        X: ArrayLike,
        y: Any,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        strata: ArrayLike | None = None,
    ) -> Self:
        """Train the restarts, rank the columns, select, and refit a network on the selected ones.

        Parameters
        ----------
        X, sample_weight, groups : array-like
            As for `SNeLClassifier`.
        y : structured array or tuple
            Events and times, as `snelfs.survival_target` makes them.
        strata : array-like of shape (n_samples,), optional
            What each row is compared within, such as a centre or a batch, by names or whole numbers; if `y`
            does not say it. Each stratum has risk sets and a baseline of its own. Splits keep large ones in
            proportion, and shuffles for q-values move targets within them.

        Returns
        -------
        self
        """
        on_progress = ProgressLine() if self.verbose else None
        return self._fit(X, stratified(y, strata), sample_weight, groups, on_progress)

    def _validate(self, X: Any, y: Any) -> tuple[NDArray[np.floating] | Source, NDArray[np.generic]]:
        target, codes = read_survival(y), []
        strata: Texts | None = None
        if has_strata(target):
            strata, numbered = np.unique(target["stratum"], return_inverse=True)
            codes = [numbered]
        checked = super()._validate(X, np.stack([target["event"], target["time"], *codes], axis=1))
        self.strata_ = strata
        return checked

    def _columns_beside(self, table: NDArray[np.floating] | Source, target: NDArray[np.generic]) -> Beside:
        return super()._columns_beside(table, target[:, :2])  # a covariate may be like a stratum

    def _encode_target(self, rows: Rows) -> Target:
        return encode_survival(rows.y.astype(np.float64), rows.weights, self.ties)

    def _keep_predictor(self, data: Prepared, options: Options, seed: int) -> None:
        super()._keep_predictor(data, options, seed)
        risks = self._predictor.predict(data.inputs(data.rows.X, self.support_))
        event, time, *strata = data.rows.y.astype(np.float64).T
        self.unique_times_ = np.unique(time)
        codes = strata[0].astype(np.int64) if strata else np.zeros(len(time), np.int64)
        found = PartialLikelihood(event > 0, time, data.rows.weights, strata=codes).baselines(risks)
        # A stratum whose rows all have the weight zero has no hazard that is known.
        hazards = np.full((1 if self.strata_ is None else len(self.strata_), len(self.unique_times_)), np.nan)
        hazards[np.unique(codes)] = [_steps_at(*own, self.unique_times_) for own in found]
        self.baseline_cumulative_hazard_ = hazards if strata else hazards[0]

    def predict(self, X: ArrayLike) -> Floats:
        """Return the log relative risk of every row: the higher, the sooner; 0 is the mean of fitted rows."""
        return self._predict_selected(self._selected_columns(X))

    def _predict_selected(self, selected: NDArray[np.floating]) -> Floats:
        return self._predictor.predict(selected)

    def predict_cumulative_hazard_function(
        self, X: ArrayLike, times: ArrayLike | None = None, strata: ArrayLike | None = None
    ) -> Floats:
        """Return the cumulative hazard of every row at some times.

        Parameters
        ----------
        times : array-like of shape (n_times,), optional
            By default `unique_times_`. After the last of these the hazard stays what it was.
        strata : array-like of shape (n_samples,) or str, optional
            The stratum of every row, or one of all, needed if the model was fitted with strata. In one
            without events the hazard is 0.

        Returns
        -------
        ndarray of shape (n_samples, n_times)
        """
        risks = self.predict(X)
        return np.asarray(np.exp(risks)[:, None] * self._baseline_at(times, self._places(strata, len(risks))))

    def predict_survival_function(
        self, X: ArrayLike, times: ArrayLike | None = None, strata: ArrayLike | None = None
    ) -> Floats:
        """Return the probability of every row to be without event until some times.

        Parameters
        ----------
        times : array-like of shape (n_times,), optional
            By default `unique_times_`.
        strata : array-like of shape (n_samples,) or str, optional
            The stratum of every row, or one of all, needed if the model was fitted with strata.

        Returns
        -------
        ndarray of shape (n_samples, n_times)
        """
        return np.asarray(np.exp(-self.predict_cumulative_hazard_function(X, times, strata)))

    def _places(self, strata: ArrayLike | None, n_rows: int) -> Ints | None:
        """Return the place of every row's stratum among those fitted, or say why there is none."""
        known = getattr(self, "strata_", None)
        if (strata is None) != (known is None):
            need = "were not known to fit: leave them out" if known is None else "must name one for every row"
            raise ArgumentError("strata", f"{need}; the model has {0 if known is None else len(known)}.")
        if strata is None or known is None:
            return None
        given = np.full(n_rows, strata) if np.ndim(strata) == 0 else strata
        names = stratum_names("strata", given, n_rows)
        if len(strangers := np.setdiff1d(names, known)):
            offered = first_few(known.tolist())
            raise ArgumentError(
                "strata", f"has {str(strangers[0])!r}, of which no row was fitted; known are {offered}."
            )
        return np.searchsorted(known, names)

    def _baseline_at(self, times: ArrayLike | None, strata: Ints | None) -> Floats:
        """Return the baseline at some times, for all rows or for each by the place of its stratum."""
        own = self.baseline_cumulative_hazard_
        own = own if strata is None else own[strata]
        if times is None:
            return own
        asked = np.asarray(times)
        if asked.ndim != 1 or asked.dtype.kind not in "iuf" or not np.isfinite(asked).all():
            raise ArgumentError("times", f"must be a list of finite numbers, got {times!r}.")
        return _steps_at(self.unique_times_, own, asked)

    def score(
        self,
        X: ArrayLike,
        y: Any,
        sample_weight: ArrayLike | None = None,
        strata: ArrayLike | None = None,
    ) -> float:
        """Return Harrell's c-index of the risks: 1 is a perfect order, 0.5 that of chance.

        Of every two rows of which one had its event while the other was still observed, the share in which it
        had the higher risk; equal risks count half. With strata, in `y` or given apart from it, two rows of
        one stratum are compared; a model that was fitted with strata does not compare others.
        """
        target, risks = read_survival(stratified(y, strata)), self.predict(X)
        check_consistent_length(risks, target)
        weights = _check_sample_weight(sample_weight, risks, dtype=np.float64, ensure_non_negative=True)
        if getattr(self, "strata_", None) is not None and not has_strata(target):
            raise ArgumentError("strata", "must name one for every row: risks compare within them alone.")
        index = concordance(target["event"], target["time"], risks, weights, strata_of(target))
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


def _steps_at(times: Floats, values: Floats, asked: NDArray[Any]) -> Floats:
    """Return a function of steps, with its values on the last axis, at some times; 0 before its first."""
    before = np.zeros((*values.shape[:-1], 1))
    place = np.searchsorted(times, asked, side="right")
    return np.asarray(np.concatenate([before, values], axis=-1)[..., place])
