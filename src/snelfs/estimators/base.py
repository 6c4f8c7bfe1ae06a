"""What the estimators share: fit, the ranking and the selection; all but the target."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from types import MappingProxyType
from typing import Any, ClassVar, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import Tags
from sklearn.utils.validation import (
    _check_sample_weight,
    check_consistent_length,
    check_is_fitted,
    validate_data,
)

from snelfs.data.beside import refuse_contradictions
from snelfs.data.feature_groups import FeatureUnits, first_of_each
from snelfs.data.groups import checked_groups
from snelfs.data.prepared import Prepared, prepare
from snelfs.data.rows import Rows, merge_rows
from snelfs.data.sources import Source, is_on_disk
from snelfs.data.target import Target
from snelfs.engine import saliency, scores
from snelfs.estimators.columns import KnowsColumns
from snelfs.estimators.complaints import (
    cut_rounds,
    fallback,
    refuse_objects,
    text_named,
    warn_of_empty,
    warn_of_wide,
)
from snelfs.estimators.losses import USUAL
from snelfs.estimators.notebook import result_html
from snelfs.foundation import checks
from snelfs.foundation.progress import Progress, ProgressLine, Watch, parts
from snelfs.search.association import KINDS
from snelfs.search.feature_count import FOLDS, score_curve
from snelfs.search.options import Options, check_options, usual_number
from snelfs.search.predictor import Network, refit
from snelfs.search.q_values import q_values
from snelfs.search.ranking import ranked_units
from snelfs.search.search import Search, search, search_work
from snelfs.search.stability import agreement

# What scikit-learn lets through as X: missing values are filled inside, infinite ones refused.
_ACCEPTED: Mapping[str, Any] = MappingProxyType(
    {
        "dtype": [np.float64, np.float32],
        "accept_sparse": "csr",
        "ensure_all_finite": "allow-nan",
    }
)


T = TypeVar("T", bound=np.generic)


@dataclass(eq=False, repr=False)
class SNeLSelector(KnowsColumns, SelectorMixin, BaseEstimator):
    """Base of the three estimators, which say how to read and predict the target.

    The fields are the parameters: the constructor that a dataclass has stores them unchanged and does nothing
    else, as scikit-learn wants it. `SNeLClassifier` describes them.
    """

    _scorings: ClassVar[dict[str, scores.Score]]
    _default_scoring: ClassVar[str]
    _network: ClassVar[Network]
    _target_checks: ClassVar[Mapping[str, bool]] = MappingProxyType({})  # scikit-learn's

    n_features_to_select: int | float | str | None = None
    _: KW_ONLY
    keep: ArrayLike | None = None
    covariates: ArrayLike | None = None
    feature_groups: Mapping[str, ArrayLike] | Sequence[Any] | None = None
    one_per_group: bool = False
    categorical: str | ArrayLike | None = "auto"
    add_indicator: bool = False
    threshold: float | None = None
    saliency: str = "used"
    hidden_layer_sizes: int | tuple[int, ...] = (20,)
    lambda_s: tuple[float, float] | str = "auto"
    lambda_a: tuple[float, float] | str = "auto"
    steps: int | tuple[int, int] = 9
    cycles_s: int = 1
    cycles_a: int = 2
    epochs_per_stage: int = 1
    learning_rate: float | str = "auto"
    optimizer: str = "adam"
    alpha_l1: float = 0.003
    alpha_l2: float = 0.02
    batch_size: int | str | None = "auto"
    validation_fraction: float = 0.2
    scoring: str | None = None
    penalty_limit: float = 0.3
    smoothing: float = 0.0
    n_restarts: int = 8
    combine: str = "auto"
    init: str | ArrayLike = "constant"
    refine: bool = True
    screen: int | None = 1000
    prune: bool | str = "auto"
    patience: float | None = None
    max_time: float | None = None
    callback: Callable[[float], object] | None = None
    n_shuffles: int = 0
    devices: int | str | None = None
    random_state: checks.Seed = None
    verbose: int = 0

    # -- fit ----------------------------------------------------------------------------------------

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
    ) -> Self:
        """Train the restarts, rank the columns, select, and refit a network on the selected ones.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Numeric data; it is standardised inside. NaN is a missing value, and filled with the median of its
            column among the rows that train. Sparse matrices, large memory maps, and arrays of h5py, Zarr and
            backed AnnData are read in blocks of rows, and must have no missing values.
        y : array-like of shape (n_samples,)
            Class labels for `SNeLClassifier`, numbers for `SNeLRegressor`. Of shape (n_samples, n_targets)
            several labels a row as zeros and ones, or several numbers.
        sample_weight : array-like of shape (n_samples,), optional
            A weight of 2 equals the same row given twice, a weight of 0 a row left out.
        groups : array-like of shape (n_samples,), optional
            Which rows belong together, such as the samples of a patient, by names or numbers. Rows of a group
            stand on the same side of every split into training and validation or held-out rows, and shuffles
            for q-values move the targets of whole groups, or within groups where these differ.

        Returns
        -------
        self
        """
        return self._fit(X, y, sample_weight, groups, ProgressLine() if self.verbose else None)

    def _fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        on_progress: Progress | None = None,
    ) -> Self:
        """Fit, and tell a listener how much of the whole is done."""
        watch = Watch(on_progress, self.max_time, self.callback)
        data, options, seed = self._question(X, y, sample_weight, groups)
        limited = options.max_time is not None or options.callback is not None
        work = self._work(data, options)
        searching, counting, doubting = parts(watch if limited else on_progress, work)
        found = search(data, options, seed, searching)
        self._warn_offallback(found, options)
        self._settle(found, data, options, seed, counting, doubting)
        self._warn_of_cuts(watch, found, options)
        return self

    def _settle(
        self,
        found: Search,
        data: Prepared,
        options: Options,
        seed: int,
        counting: Progress | None = None,
        doubting: Progress | None = None,
    ) -> None:
        """Keep what was found: layers, ranking, selection, and a network on the selected columns."""
        for name in ("q_values_", "n_features_curve_"):  # of an earlier fit
            self.__dict__.pop(name, None)
        self._keep_layer(found, data)
        self._rank(found, data)
        count = self._how_many(data, options, seed, counting)
        self._select(options, count)
        self._count_picks(found, data, min(options.dim, count))
        self._doubt(found, data, options, seed, doubting)
        self._keep_predictor(data, options, seed)

    def _keep_predictor(self, data: Prepared, options: Options, seed: int) -> None:
        """Keep what predicts: a network on the selected columns alone."""
        self._predictor = refit(
            self._network, data, self.support_, options.hidden_layer_sizes, options.alpha_l2, seed
        )

    def _question(
        self,
        X: ArrayLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
    ) -> tuple[Prepared, Options, int]:
        """Return what a search is asked: prepared rows, checked options and one seed."""
        rows = self._check_rows(X, y, sample_weight, groups)
        options = self._options(rows.X.shape[1], len(self._beside.covariates), self._units)
        names, n_kept = self._column_names(), len(np.unique(self._units_of(self._beside.keep)))
        refuse_contradictions(self._beside, rows.X.shape[1], options.n_selected, names, n_kept)
        seed = int(checks.random_numbers(self.random_state).randint(2**31))
        data = self._prepare(rows)
        warn_of_wide(data, self._group_of, names)
        return data, options, seed

    def _check_rows(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None, groups: ArrayLike | None
    ) -> Rows:
        table, target = self._validate(self._coded(X, learn=True), y)
        self._learn_columns(table, target)
        weights = _check_sample_weight(sample_weight, target, dtype=np.float64, ensure_non_negative=True)
        if weights.max() > checks.LARGEST:
            raise checks.ArgumentError(
                "sample_weight", f"must be at most {checks.LARGEST:g}, got {weights.max():g}."
            )
        rows = merge_rows(table, target, weights, checked_groups(groups, len(target)))
        if len(rows.weights) < 2:
            raise ValueError(
                f"X has {len(rows.weights)} distinct row(s) of positive weight (n_samples={len(target)}); "
                "at least 2 are needed, 1 sample is not enough."
            )
        return rows

    def _options(self, n_features: int, n_covariates: int = 0, units: FeatureUnits | None = None) -> Options:
        scorings = self._scorings, self._default_scoring
        if vars(self).get("loss") not in (None, *USUAL):
            scorings = scores.OWN, "loss"
        return check_options(self.get_params(), n_features, *scorings, n_covariates, units)

    def _prepare(self, rows: Rows) -> Prepared:
        return prepare(rows, self._encode_target(rows), self._beside, self._units)

    def _validate(self, X: Any, y: ArrayLike) -> tuple[NDArray[np.floating] | Source, NDArray[np.generic]]:
        """Return checked rows and target, or raise; a sparse table or one on disk as a `Source`."""
        refuse_objects(X)
        if is_on_disk(X):
            source = Source.of(X)
            validate_data(self, X, y, skip_check_array=True)
            target = validate_data(self, "no_validation", y, **self._target_checks)
            check_consistent_length(source, target)
            return source, target
        with text_named(X):
            rows, target = validate_data(self, X, y, **_ACCEPTED, **self._target_checks)
        if sparse.issparse(rows):
            return Source(rows), target
        warn_of_empty(np.isnan(rows).all(axis=0), getattr(self, "feature_names_in_", None))
        return rows, target

    @abstractmethod
    def _encode_target(self, rows: Rows) -> Target:
        """Return the target as the engine takes it, and keep what predictions need."""

    @abstractmethod
    def _predict_selected(self, selected: NDArray[np.floating]) -> NDArray[Any]:
        """Return predictions for rows that have the selected columns alone."""

    def _warn_offallback(self, found: Search, options: Options) -> None:
        """Warn of every round that has restarts without an admitted epoch."""
        rounds = [("In the first round ", found.first), ("In the deciding round ", found.last)]
        for place, each in rounds if found.last is not found.first else [("", found.first)]:
            if said := fallback(each.training, options.penalty_limit):
                warnings.warn(place + said, ConvergenceWarning, stacklevel=4)  # the line that calls fit

    def _warn_of_cuts(self, watch: Watch, found: Search, options: Options) -> None:
        """Say what an early end has left out, if anything."""
        cut = cut_rounds(found, options)
        if self.n_features_to_select == "auto" and not hasattr(self, "n_features_curve_"):
            count = self.support_.sum()
            cut.append(f"the number of features was not looked for, and {count} selected as usual")
        if options.n_shuffles and self._n_shuffled < options.n_shuffles:
            done = f"rest on {self._n_shuffled}" if self._n_shuffled else "are all 1 for want"
            cut.append(f"q-values {done} of {options.n_shuffles} shuffles")
        if watch.ended_by is not None and cut:
            limit = f"max_time={self.max_time:g}" if watch.ended_by == "max_time" else "the callback"
            warnings.warn(
                f"{limit} ended the fit after {watch.seconds:.1f} s, which holds the best so far: "
                f"{', '.join(cut)}.",
                ConvergenceWarning,
                stacklevel=4,
            )

    def _keep_layer(self, found: Search, data: Prepared) -> None:
        """Keep the layer of the deciding round, with zeros for columns that took no part."""
        last, everywhere = found.last, np.arange(data.rows.X.shape[1])
        self.saliencies_ = self._spread(last.among_all(last.saliencies, data.n_units))
        self.layer_weights_ = self._spread(
            last.among_all(saliency.signed_weights(last.training.W), data.n_units)
        )
        self.history_ = last.training.history
        self.best_epoch_ = last.training.best_epoch
        varying = data.units_of(np.concatenate([data.kept, data.beside.keep]))
        self._varies = np.isin(data.units_of(everywhere), varying)
        self._null_loss = None if data.target.own is None else float(data.target.own.null.loss)

    def _spread(self, values: NDArray[T]) -> NDArray[T]:
        """Return values of units, the last axis, for every feature: those of a group have the group's."""
        return values if self._units is None else values[..., self._units.of]

    def _rank(self, found: Search, data: Prepared) -> None:
        """Keep the scores of the deciding round, and the rank that every feature has by the search."""
        last, n_units, keep = found.last, data.n_units, data.beside.keep
        self.feature_importances_ = self._spread(last.among_all(last.scores, n_units))
        # They are in the network of every restart, though the layer has no part in it.
        self.feature_importances_[keep] = 1.0
        self.evidence_ = self._spread(_who_named(found, data))
        ranks = np.empty(n_units, dtype=np.int64)
        ranks[ranked_units(found, data)] = np.arange(1, n_units + 1)
        self.ranking_ = self._spread(ranks)

    def _count_picks(self, found: Search, data: Prepared, n_picked: int) -> None:
        """Keep which share of the restarts has each feature among so many best, and how they agree."""
        saliencies = found.last.among_all(found.last.saliencies, data.n_units)
        self.selection_frequency_ = self._spread(saliency.pick_frequency(saliencies, n_picked))
        self.selection_frequency_[data.beside.keep] = 1.0  # in the network of every restart
        self.stability_ = agreement(saliencies, n_picked)

    def _work(self, data: Prepared, options: Options) -> list[float]:
        """Return how much work the search is, the number of features and the q-values, in epochs."""
        rounds = search_work(data, options)
        folds = FOLDS if isinstance(self.n_features_to_select, str) else 0
        return [sum(rounds), folds * sum(rounds), options.n_shuffles * rounds[0]]

    def _how_many(self, data: Prepared, options: Options, seed: int, on_progress: Progress | None) -> int:
        """Return how many features to select; "auto" asks rows held out of the search."""
        if not isinstance(self.n_features_to_select, str):
            return options.n_selected
        curve = None
        if not (on_progress is not None and on_progress(0, 1)):
            curve = score_curve(data, options, self._network, seed, on_progress=on_progress)
        if curve is None:
            return min(options.n_selected, usual_number(data.n_units))
        self.n_features_curve_ = curve
        return curve.chosen

    def _select(self, options: Options, count: int) -> None:
        """Select the best; a constant column never is."""
        if options.threshold is None:
            self.support_ = (self.ranking_ <= count) & self._varies
        else:
            self.support_ = (self.feature_importances_ > options.threshold) & self._varies
        if self.n_features_to_select is not None:
            self.support_ &= self.ranking_ <= count
        if self._units is not None and self._units.rivals is not None:
            self.support_ &= first_of_each(self.ranking_, self._units.rivals)
        self.support_[self._beside.keep] = True
        if not self.support_.any():
            raise checks.ArgumentError(
                f"threshold={options.threshold:g}",
                f"leaves no feature: the largest importance is {self.feature_importances_.max():.3g}.",
            )

    def _doubt(
        self, found: Search, data: Prepared, options: Options, seed: int, on_progress: Progress | None
    ) -> None:
        """Keep how many columns would be found by chance, if asked for; a constant one says nothing."""
        if options.n_shuffles:
            all_q = np.ones(data.n_units)
            q, self._n_shuffled = q_values(data, options, found, options.n_shuffles, seed, on_progress)
            all_q[data.entries] = q
            self.q_values_ = self._spread(all_q)

    # -- use ----------------------------------------------------------------------------------------

    def _get_support_mask(self) -> NDArray[np.bool_]:
        check_is_fitted(self)
        return self.support_

    def ranked_features(self) -> NDArray[np.void]:
        """Return one table of all features, best first: name, score, rank, selected.

        The table is a structured array: ``table["name"]`` is a column, ``table[0]`` a row, and
        ``pandas.DataFrame(table)`` a frame.
        """
        check_is_fitted(self)
        order = np.argsort(self.ranking_, kind="stable")
        names = np.asarray(self._column_names(), dtype=str)[order]
        fields = [("name", names.dtype), ("score", "f8"), ("rank", "i8"), ("selected", "?")]
        table = np.empty(len(order), dtype=fields)
        table["name"], table["score"] = names, self.feature_importances_[order]
        table["rank"], table["selected"] = self.ranking_[order], self.support_[order]
        return table

    def transform(self, X: Any) -> Any:
        """Return the selected columns of `X`; of a table on disk as a dense array of single precision.

        Of a frame with categorical columns it is a frame, with these as they are.
        """
        if hasattr(self, "support_") and self._has_categories and hasattr(X, "columns"):
            validate_data(self, X, reset=False, skip_check_array=True)
            return X[[name for name, chosen in zip(X.columns, self.support_, strict=True) if chosen]]
        if not is_on_disk(X):
            coded = hasattr(self, "support_") and hasattr(X, "columns")
            return super().transform(self._coded(X, learn=False) if coded else X)
        check_is_fitted(self)
        validate_data(self, X, reset=False, skip_check_array=True)
        return Source.of(X)[:, self.support_]

    def _selected_columns(self, X: Any) -> NDArray[np.floating]:
        check_is_fitted(self)
        if is_on_disk(X):
            validate_data(self, X, reset=False, skip_check_array=True)
            return self._network_inputs(Source.of(X))
        rows = validate_data(self, self._coded(X, learn=False), reset=False, **_ACCEPTED)
        return self._network_inputs(Source(rows) if sparse.issparse(rows) else rows)

    def _html_repr(self) -> str:
        """Return scikit-learn's diagram, and after a fit what was found below it; notebooks show it."""
        diagram = str(super()._html_repr())
        if not hasattr(self, "support_"):
            return diagram
        table = self.ranked_features()
        frequency = self.selection_frequency_[np.argsort(self.ranking_, kind="stable")]
        return diagram + result_html(table, frequency, str(self.stability_))

    def __sklearn_tags__(self) -> Tags:
        """Say that sparse tables and missing values are welcome."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        return tags


def _who_named(found: Search, data: Prepared) -> NDArray[np.void]:
    """Return for every unit what named it a candidate: the layer, associations, and what networks left."""
    named = np.zeros(data.n_units, dtype=[(kind, np.bool_) for kind in ("layer", *KINDS, "residual")])
    if found.named is None or found.strength is None:
        return named
    named["layer"][found.named.layer] = True
    named["residual"][found.named.residual] = True
    listed = np.isin(data.entries, found.named.association) & (found.strength.score > 0)
    for kind in KINDS:
        named[kind][data.entries[listed & (found.strength.kind == kind)]] = True
    return named
