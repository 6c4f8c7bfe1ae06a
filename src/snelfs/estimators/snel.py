"""SNeL-FS as scikit-learn estimators: selectors that are also models."""

from __future__ import annotations

import warnings
from dataclasses import KW_ONLY, dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.utils import Tags
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import _check_sample_weight, check_consistent_length, column_or_1d

from snelfs.data.groups import lonely_strata
from snelfs.data.loss import Loss
from snelfs.data.rows import Rows
from snelfs.data.sources import Source
from snelfs.data.splits import share
from snelfs.data.target import (
    ClassWeight,
    Target,
    encode_classes,
    encode_labels,
    standardise_target,
)
from snelfs.engine import scores
from snelfs.estimators.base import SNeLSelector
from snelfs.estimators.losses import (
    USUAL,
    LossLike,
    loss_of_classes,
    loss_of_numbers,
    must_predict,
    predicted_numbers,
    predicted_probabilities,
    refuse_target,
    target_scale,
)
from snelfs.foundation.naming import named_in_root
from snelfs.foundation.types import Floats
from snelfs.foundation.words import first_few
from snelfs.search.null_model import encode_own, saved_share


@named_in_root
@dataclass(eq=False, repr=False)
class SNeLClassifier(ClassifierMixin, SNeLSelector):
    """Select features for telling classes apart with a sparse neural network layer.

    A linear layer of as many neurons as features are wanted stands in front of a small dense
    network. Two penalties, whose weights cycle during training, push every neuron to copy a single
    column; the columns copied are the selection. Several restarts, each with its own start and its
    own validation rows, are trained together and vote; a second round among the best decides.

    Unlike a univariate filter it sees columns that matter only together, and unlike an embedded
    penalty it needs no path of models. The columns are standardised inside.

    Parameters
    ----------
    n_features_to_select : int, float, "auto" or None, default=None
        How many features to select: a number, a share of the columns, or None for 30, or a third of
        the columns if that is less.
        The layer has as many neurons, and of two rounds no fewer than 15, or 3 % of the columns if that is
        fewer. "auto" trains a layer of 50 and selects the smallest number of features that predicts held-out
        rows within one standard error of the best; the search is repeated in five folds for it.
    keep : sequence of str or int, or mask, optional
        Columns that are selected in any case and count in `n_features_to_select`: by names, positions, or a
        mask of all columns. They are in the network from the first epoch, and the layer looks for what they
        leave unexplained. Their importance is 1.
    covariates : sequence of str or int, or mask, optional
        Columns to adjust for, such as age, sex or batch: they enter the network directly and unpenalised, are
        never selected, and are needed by `predict`. Columns and evidence are freed from them, and shuffles
        for q-values stay within their categories. In a frame they may hold text or categories.
    feature_groups : sequence of labels, or mapping of names to columns, optional
        Columns that belong together, such as one-hot codes, the genes of a pathway or a window of a spectrum:
        one label a column, missing or empty for one that is alone, or the columns of each group by names,
        positions or a mask. A group is selected or not as a whole: it counts once in `n_features_to_select`,
        a neuron chooses a group and a direction in it, and its columns share rank and scores.
    one_per_group : bool, default=False
        Whether columns of a group compete instead: at most one of each group is selected.
    categorical : "auto", sequence of str or int, mask or None, default="auto"
        Columns of categories. Each is coded inside as a group of indicators, of which what is missing is one,
        and selected as a whole under its own name. "auto" takes the columns of a frame that hold text or what
        the frame calls categories; of an array they are named. None takes all columns for numbers.
    add_indicator : bool, default=False
        Whether a column with missing values enters together with a mark of them, as a group of the two: a
        neuron then sees by itself what being missing tells of the target.
    threshold : float, optional
        Select the features whose importance is above it instead, and at most
        `n_features_to_select` of them if that is given.
    saliency : {"used", "max", "sum"}, default="used"
        How weights become scores: "used" is the share of the column in what the network behind the layer
        takes in; "max" asks whether some neuron copies the column (Eq. 22), "sum" how much of all neurons'
        output it makes up (Eq. 21).
    hidden_layer_sizes : int or sequence of int, default=(20,)
        ReLU units of the layers behind the FS layer. Few rows want few units. For squared error (no
        `loss` is given) the networks of a search of two rounds also have a path past them, straight and
        unpenalised; the network that predicts has none.
    lambda_s, lambda_a : "auto" or (low, high), default="auto"
        Ranges of the two penalty weights: for weights that sum to more than 1, and for outputs
        whose variance is below 1. "auto" is 0.01 to 3 over the number of neurons.
    steps : int or (int, int), default=9
        Values in half a cycle, for both penalty weights or each.
    cycles_s, cycles_a : int, default=1 and 2
        Cycles of the first weight, and cycles of the second at each of its values.
    epochs_per_stage : int, default=1
        Epochs at every pair of penalty weights. Many rows may want more.
    learning_rate : "auto" or float, default="auto"
        Step of the optimiser. "auto" derives one for every epoch from the number of columns: a rate
        that does not fall with their number breaks the first condition on wide data.
    optimizer : str, default="adam"
        One of "adabelief", "adagrad", "adam", "adamax", "adamw", "lion", "momentum", "nadam",
        "radam", "rmsprop", "sgd" and "yogi".
    alpha_l1, alpha_l2 : float, default=0.003 and 0.02
        Penalties on the kernels behind the FS layer, but for those past all hidden units; the network that
        predicts has the second.
    batch_size : int, "auto" or None, default="auto"
        Rows per gradient step; the variance is taken over them. An epoch has as many steps as it takes to see
        all rows; None is the full batch. "auto" is the full batch, too, up to 1,000 rows; of more, every
        epoch takes one step on so many of them.
    validation_fraction : float, default=0.2
        Share of the rows on which the best epoch is chosen.
    scoring : {"accuracy", "balanced_accuracy", "f1", "loss"}, default="loss"
        Validation score of the best epoch. "f1" is that of ``classes_[1]`` for two classes, else
        the support-weighted mean.
    penalty_limit : float, default=0.3
        Only epochs whose two penalties per neuron are within it are candidates.
    smoothing : float, default=0.0
        Width of a smooth maximum in both penalties; 0 is the paper's hinge.
    n_restarts : int, default=8
        Models trained together in the first round; the second has twice as many.
    combine : {"auto", "mean", "soft", "vote"}, default="auto"
        How the restarts' saliencies become one score: "mean" is their mean; "soft" the mean of how surely
        each restart picks the column, between 0 and 1, and one half at the border of its selection; "vote"
        the number of restarts that have the column among their best, with the mean between equals. "auto" is
        "soft" for a second round, which decides, and "mean" for a first.
    init : "constant", "moments" or array-like of shape (n_features,), default="constant"
        Start of the layer in the first round: all columns alike, by their associations with the target, alone
        or in pairs (see `snelfs.search.association`), or in the given proportions.
    refine : bool, default=True
        Whether to train a second round, whose vote alone decides, on candidates that the restarts of the
        first round and associations with the target name in turns. Half of its restarts may bend the columns.
        Of numbers it is looked at once more what its networks leave, and trained anew if a column was missed.
    screen : int or None, default=1000
        The most columns that enter the first of two rounds, those of the strongest associations; None is all
        of them.
    prune : "auto" or bool, default="auto"
        Whether columns whose weights have fallen to nothing in all restarts leave the first round halfway;
        "auto" is where that saves seconds.
    patience : float or None, default=None
        A round ends when the vote of its restarts has been the same for this share of the schedule, in the
        second half of it; None trains to the end.
    max_time : float, optional
        Seconds after which the fit ends with the best that it has: the round under way is cut short, what
        should follow is left out, and a warning says what that was. It is looked at about twice a second, so
        that every fit trains a few epochs at least.
    callback : callable, optional
        Called about twice a second with the share of the fit that is done, from 0 to 1. A true answer ends
        the fit in the same way.
    n_shuffles : int, default=0
        Shuffles of the target for `q_values_`, each at the cost of a first round; none by default. No q-value
        is below ``1 / (n_shuffles + 1)``.
    devices : int, "all" or None, default=None
        Over how many of JAX's devices, those of joined processes included, the columns are shared out; None
        is one device.
    class_weight : dict, "balanced" or None, default=None
        Factors of the rows' losses by class.
    loss : "ordinal", callable, Loss or None, default=None
        What the networks minimise and the best epoch is chosen by; None, or "log_loss", is cross-entropy.
        "ordinal" is that of proportional odds, for classes that are numbers in their order. A function
        ``(outputs, y, weights)`` of JAX returns the loss of every row; `snelfs.Loss` says how many
        outputs it needs. With one of these, `scoring` is "loss".
    random_state : int, Generator, RandomState or None, default=None
        Seed of starts, splits and mini-batches. The global generators are never touched.
    verbose : int, default=0
        Show progress on standard error if not 0.

    Attributes
    ----------
    support_ : ndarray of shape (n_features,)
        Mask of the selected features.
    ranking_ : ndarray of shape (n_features,)
        Rank of every feature; 1 is the best. Columns of a group have the rank of the group.
    feature_importances_ : ndarray of shape (n_features,)
        Score of every feature, as `combine` says; zero for constant columns and for those that took no part
        in the last round.
    selection_frequency_ : ndarray of shape (n_features,)
        Share of the restarts that have the feature among their own best, as many as are selected and no more
        than there are neurons.
    evidence_ : structured ndarray of shape (n_features,)
        What named the feature a candidate of the second round: "layer" (the vote of the first round), and of
        its associations with the target the strongest: "linear" (the column itself), "curve" (the column
        bent) or "product" (with another column, whatever the shape of their joint effect). "residual" is what
        the networks of the second round left of a target of numbers: the column says something of that, and
        the round was trained anew with it. The second round's vote alone decided between candidates.
    feature_groups_ : ndarray of str, shape (n_features,)
        Only with `feature_groups`: the group of every feature, empty for one that is alone.
    q_values_ : ndarray of shape (n_features,)
        Only with `n_shuffles`: among the features with a value up to 0.1, about a tenth are false finds, as
        the same search on shuffled targets says. If nothing is true of the target, a value up to 0.1 comes up
        in at most a tenth of such data. The first round and associations are judged: a column that shows only
        in what networks leave ("residual" in `evidence_`) has the value 1.
    n_features_curve_ : Curve
        Only with "auto": scores on held-out rows by the number of features, and the number chosen.
    stability_ : Stability
        How much the restarts' own selections agree: 1 if they are the same, 0 as by chance, with a 95 %
        interval. Restarts share most rows, so other data would agree less.
    saliencies_ : ndarray of shape (n_restarts, n_features)
        Saliency in each restart of the last round.
    layer_weights_ : ndarray of shape (n_restarts, n_neurons, n_features)
        Weights of the layer at each restart's best epoch; of a group the norm, at each of its columns.
    history_ : History
        What every epoch was trained with and how its model measured.
    best_epoch_ : ndarray of shape (n_restarts,)
        Index of each restart's best epoch.
    classes_ : ndarray of shape (n_classes,)
        The class labels; of several labels a row the numbers of the columns of `y`, or their names where
        `snelfs select` knows them.
    n_features_in_ : int
        Number of columns seen in `fit`.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the columns, where `X` had string names.

    References
    ----------
    P. Bugata and P. Drotár, "Feature Selection Based on a Sparse Neural Network Layer with
    Normalizing Constraints", arXiv:2012.06365.

    Examples
    --------
    >>> from snelfs import SNeLClassifier
    >>> from snelfs.datasets import make_xor
    >>> X, y, relevant = make_xor(500, 20, random_state=0)
    >>> selector = SNeLClassifier(n_features_to_select=5, random_state=0).fit(X, y)
    >>> sorted(selector.ranking_[relevant].tolist())
    [1, 2]
    """

    _scorings = scores.CLASSIFICATION
    _default_scoring = "loss"
    _network = MLPClassifier
    _target_checks = MappingProxyType({"multi_output": True})

    _: KW_ONLY
    class_weight: ClassWeight = None
    loss: LossLike = None

    def _validate(self, X: Any, y: ArrayLike) -> tuple[NDArray[np.floating] | Source, NDArray[np.generic]]:
        rows, target = super()._validate(X, y)
        check_classification_targets(target)
        if target.ndim > 1 and target.shape[1] > 1:
            if type_of_target(target) != "multilabel-indicator":
                raise ValueError("y of several columns must hold 0 and 1, a column for each label.")
            return rows, target
        return rows, column_or_1d(target, warn=True)

    def _encode_target(self, rows: Rows) -> Target:
        if self.loss not in (None, *USUAL):
            refuse_target(self.loss, rows.y)
        if rows.y.ndim > 1:
            self.classes_, target = encode_labels(rows.y, self.class_weight)
            return target
        self.classes_, target = encode_classes(rows.y, rows.weights, self.class_weight)
        loss = loss_of_classes(self.loss, len(self.classes_))
        if loss is not None:
            must_predict(loss, target.values, len(self.classes_))
            target = encode_own(loss, target.values, rows.weights, target.strata, target.factors)
        lonely = [str(label) for label in self.classes_[lonely_strata(target.strata, rows.groups)]]
        if lonely:
            verb = "is the class" if len(lonely) == 1 else "are the classes"
            warnings.warn(
                f"{first_few(lonely)} {verb} of one group only, which is always trained on and never held "
                "out: nothing here says how such rows of a new group are told.",
                UserWarning,
                stacklevel=6,  # the line that calls fit
            )
        return target

    def predict(self, X: ArrayLike) -> NDArray[np.generic]:
        """Return the class that the refitted network finds most likely for every row, or its labels."""
        return self._predict_selected(self._selected_columns(X))

    def _predict_selected(self, selected: NDArray[np.floating]) -> NDArray[np.generic]:
        if self._own_loss is not None:
            return np.asarray(self.classes_[self._probabilities(selected).argmax(axis=1)])
        found = self._predictor.predict(selected)
        return found if found.ndim > 1 else np.asarray(self.classes_[found])

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Return the probability of every class, in the order of `classes_`, or of every label."""
        return self._probabilities(self._selected_columns(X))

    def _probabilities(self, selected: NDArray[np.floating]) -> Floats:
        """Return probabilities for rows that have the selected columns alone."""
        loss = self._own_loss
        if loss is None:
            return self._predictor.predict_proba(selected)
        return predicted_probabilities(loss, self._predictor.predict(selected))

    @property
    def _own_loss(self) -> Loss | None:
        """The loss in place of cross-entropy, of the classes that were fitted to."""
        return loss_of_classes(self.loss, len(self.classes_))

    def __sklearn_tags__(self) -> Tags:
        """Say that a selection of some columns may not reach the accuracy of all of them."""
        tags = super().__sklearn_tags__()
        # scikit-learn's bar is set on two columns that are both needed to clear it.
        tags.classifier_tags.poor_score = self.n_features_to_select != 1.0
        tags.classifier_tags.multi_label = True
        return tags


@named_in_root
@dataclass(eq=False, repr=False)
class SNeLRegressor(RegressorMixin, SNeLSelector):
    """Select features for predicting one or several numbers with a sparse neural network layer.

    Targets are standardised inside and predictions mapped back. All parameters and attributes are
    those of `SNeLClassifier` but for `class_weight`, `classes_` and the scores:

    Parameters
    ----------
    scoring : {"mse", "r2", "loss"}, default="mse"
        Validation score of the best epoch, on the standardised scale; "loss" is "mse".
    loss : str, callable, Loss or None, default=None
        What the networks minimise and the best epoch is chosen by, and so what `predict` returns.
        None, or "squared_error", is the mean; "quantile:0.9" that quantile, "quantile" the median; "huber" a
        mean that outliers do not move, with errors linear from 1.35 robust deviations of the target on,
        "huber:2" from 2; "poisson" the mean of counts, whose logarithm is the network's output. A function
        ``(outputs, y, weights)`` of JAX returns the loss of every row; `snelfs.Loss` says how many outputs it
        needs, and what they mean. With one of these, `scoring` is "loss", and `score` returns which share of
        the loss of the best constant is saved: R² for squared error, D² for quantiles and counts.

    Examples
    --------
    >>> from snelfs import SNeLRegressor
    >>> from snelfs.datasets import make_linear
    >>> X, y, relevant = make_linear(200, 20, random_state=0)
    >>> selector = SNeLRegressor(n_features_to_select=5, random_state=0).fit(X, y)
    >>> selector.get_support(indices=True).tolist() == relevant.tolist()
    True
    """

    _scorings = scores.REGRESSION
    _default_scoring = "mse"
    _network = MLPRegressor
    _target_checks = MappingProxyType({"multi_output": True, "y_numeric": True})

    _: KW_ONLY
    loss: LossLike = None

    def _validate(self, X: Any, y: ArrayLike) -> tuple[NDArray[np.floating] | Source, NDArray[np.generic]]:
        rows, target = super()._validate(X, y)
        self._single_target = target.ndim == 1
        return rows, target

    def _encode_target(self, rows: Rows) -> Target:
        self._target_scale, target = standardise_target(rows.y, rows.weights)
        loss = loss_of_numbers(self.loss)
        if loss is None:
            return target
        refuse_target(self.loss, rows.y)
        y = rows.y.reshape(-1).astype(np.float64)
        self._target_scale = target_scale(self.loss, y, rows.weights, self._target_scale)
        values = self._target_scale.apply(y[:, None])[:, 0].astype(np.float32)
        must_predict(loss, values)
        return encode_own(loss, values, rows.weights, target.strata, target.factors)

    def predict(self, X: ArrayLike) -> Floats:
        """Return what the refitted network predicts for every row: by default the mean, on the scale of `y`.

        With a loss of several outputs it is all of them, or what its `predict` makes of them.
        """
        return self._predict_selected(self._selected_columns(X))

    def _predict_selected(self, selected: NDArray[np.floating]) -> Floats:
        loss = loss_of_numbers(self.loss)
        if loss is not None:
            found = self._target_scale.undo(predicted_numbers(loss, self._predictor.predict(selected)))
            return found if found.ndim > 1 or self._single_target else found[:, None]
        standardised = self._predictor.predict(selected).reshape(len(selected), -1)
        predicted = self._target_scale.undo(standardised)
        return predicted[:, 0] if self._single_target else predicted

    def score(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """Return R², or with another loss which share of that of the best constant of these rows is saved."""
        loss = loss_of_numbers(self.loss)
        if loss is None:
            return float(super().score(X, y, sample_weight))
        outputs = self._predictor.predict(self._selected_columns(X))
        given = column_or_1d(np.asarray(y, np.float64))
        check_consistent_length(outputs, given)
        weights = _check_sample_weight(sample_weight, given, dtype=np.float64, ensure_non_negative=True)
        refuse_target(self.loss, given)
        values = self._target_scale.apply(given[:, None])[:, 0].astype(np.float32)
        return saved_share(loss, outputs, values, share(weights))

    def __sklearn_tags__(self) -> Tags:
        """Say that several targets are welcome."""
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags
