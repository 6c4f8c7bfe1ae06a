"""The layer in networks of skorch, which are scikit-learn selectors."""

import copy
from functools import partial
from typing import Any

import numpy as np
import torch
from sklearn.feature_selection import SelectorMixin
from skorch import NeuralNetClassifier, NeuralNetRegressor

from snelfs.foundation.types import Flags
from snelfs.layer.best_selection import BestSelection
from snelfs.layer.schedules import PenaltySchedule, RateSchedule
from snelfs.torch.layer import FSLayer
from snelfs.torch.parameters import layer_in, parameter_groups, set_rate


class _SelectingNet(SelectorMixin):
    def __init__(
        self,
        *args: Any,
        n_features_to_select: int | None = None,
        schedule: PenaltySchedule | None = None,
        penalty_limit: float = 0.3,
        **kwargs: Any,
    ) -> None:
        self.n_features_to_select, self.schedule = n_features_to_select, schedule
        self.penalty_limit = penalty_limit
        super().__init__(*args, **kwargs)

    @property
    def layer_(self) -> FSLayer:
        return layer_in(self.module_)

    def get_params_for_optimizer(self, prefix: str, named_parameters: Any) -> tuple[Any, dict[str, Any]]:
        _, kwargs = super().get_params_for_optimizer(prefix, named_parameters)
        return (parameter_groups(self.module_, kwargs["lr"]),), kwargs

    def on_train_begin(self, net: Any, X: Any = None, y: Any = None, **kwargs: Any) -> None:
        super().on_train_begin(net, X=X, y=y, **kwargs)
        self.best_ = BestSelection(self.penalty_limit)
        self.layer_.standardise(torch.as_tensor(X))
        self.schedule_, self.step_ = self.schedule or PenaltySchedule(self.layer_.n_neurons), 0

    def on_epoch_begin(self, net: Any, dataset_train: Any = None, **kwargs: Any) -> None:
        super().on_epoch_begin(net, dataset_train=dataset_train, **kwargs)
        of_epoch = 1 if self.batch_size < 0 else -(-len(dataset_train) // self.batch_size)
        self.n_steps_ = self.max_epochs * of_epoch

    def get_loss(self, y_pred: Any, y_true: Any, X: Any = None, training: bool = False) -> Any:
        loss = super().get_loss(y_pred, y_true, X=X, training=training)
        if not training:
            return loss
        set_rate(self.optimizer_, self.layer_, RateSchedule(X.shape[1], self.n_steps_)(self.step_))
        self.weights_ = self.schedule_.within(self.step_, self.n_steps_)
        self.omegas_ = self.layer_.penalties()
        self.step_ += 1
        return loss + self.weights_[0] * self.omegas_[0] + self.weights_[1] * self.omegas_[1]

    def on_epoch_end(self, net: Any, **kwargs: Any) -> None:
        super().on_epoch_end(net, **kwargs)
        batches = self.history[-1]["batches"]
        kind = "valid" if any("valid_loss" in batch for batch in batches) else "train"
        seen = [batch for batch in batches if f"{kind}_loss" in batch]
        sizes = [batch[f"{kind}_batch_size"] for batch in seen]
        score = -np.average([batch[f"{kind}_loss"] for batch in seen], weights=sizes)
        kept = partial(copy.deepcopy, self.module_.state_dict())
        self.best_.update(self.layer_.weight, self.omegas_, score, penalty_weights=self.weights_, state=kept)

    def on_train_end(self, net: Any, X: Any = None, y: Any = None, **kwargs: Any) -> None:
        super().on_train_end(net, X=X, y=y, **kwargs)
        self.module_.load_state_dict(self.best_.state)

    def _get_support_mask(self) -> Flags:
        k = self.n_features_to_select or self.layer_.n_neurons
        return np.isin(np.arange(self.layer_.in_features), self.best_.selected(k))


class FSNetClassifier(_SelectingNet, NeuralNetClassifier):
    """A classifier of skorch whose module has an `FSLayer`: also a scikit-learn selector.

    It takes the parameters of `skorch.NeuralNetClassifier`. The columns are standardised by the rows fitted,
    the whole schedule is run through in `max_epochs`, and the module ends with the best epoch, `best_`.

    Parameters
    ----------
    n_features_to_select : int, optional
        By default as many as the layer has neurons.
    schedule : PenaltySchedule, optional
        By default that of as many neurons.
    penalty_limit : float, default=0.3
        Up to which both penalties a neuron admit an epoch.
    """


class FSNetRegressor(_SelectingNet, NeuralNetRegressor):
    """A regressor of skorch whose module has an `FSLayer`; otherwise as `FSNetClassifier`."""
