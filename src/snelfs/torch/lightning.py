"""The layer in trainings by Lightning."""

import copy
from typing import Any

from lightning.pytorch import Callback, LightningModule, Trainer
from torch import Tensor

from snelfs.foundation import checks
from snelfs.layer.best_selection import BestSelection
from snelfs.layer.schedules import PenaltySchedule, RateSchedule
from snelfs.torch.parameters import layer_in, set_rate


class FSCallback(Callback):
    """Train the `FSLayer` of a module: add its penalties to the loss, set its rate, keep the best epoch.

    The whole schedule is run through in the whole training, whatever the number of epochs. At the end the
    module has the weights of the best epoch, `best`. Let `configure_optimizers` use `parameter_groups`, so
    that only the layer has the rate that falls with its columns.

    Parameters
    ----------
    monitor : str, default="val_loss"
        A metric that the module logs in validation.
    mode : {"min", "max"}, default="min"
        Whether less of it is better.
    schedule : PenaltySchedule, optional
        By default that of as many neurons.
    limit : float, default=0.3
        Up to which both penalties a neuron admit an epoch.
    """

    def __init__(
        self,
        monitor: str = "val_loss",
        mode: str = "min",
        schedule: PenaltySchedule | None = None,
        limit: float = 0.3,
    ) -> None:
        self.monitor, self.schedule, self.best = monitor, schedule, BestSelection(limit)
        self._sign = -1.0 if checks.choice("mode", mode, ["max", "min"]) == "min" else 1.0

    def on_fit_start(self, trainer: Trainer, pl_module: LightningModule) -> None:
        """Find the layer, and count the steps to come."""
        self.layer, self._n_steps = layer_in(pl_module), max(int(trainer.estimated_stepping_batches), 1)
        self._schedule = self.schedule or PenaltySchedule(self.layer.n_neurons)
        self._rate = RateSchedule(self.layer.in_features, self._n_steps)

    def on_train_batch_start(self, trainer: Trainer, *_: Any) -> None:
        """Set what the step is trained with."""
        self._weights = self._schedule.within(trainer.global_step, self._n_steps)
        for optimizer in trainer.optimizers:
            set_rate(optimizer, self.layer, self._rate(trainer.global_step))

    def on_before_backward(self, trainer: Trainer, _: LightningModule, loss: Tensor) -> None:
        """Add the penalties to the loss, as it is scaled for mixed precision and gradient accumulation."""
        self._omegas = self.layer.penalties()
        penalty = sum(weight * omega for weight, omega in zip(self._weights, self._omegas, strict=True))
        scaler = getattr(trainer.precision_plugin, "scaler", None)
        loss += (penalty if scaler is None else scaler.scale(penalty)) / trainer.accumulate_grad_batches

    def on_train_epoch_end(self, trainer: Trainer, pl_module: LightningModule) -> None:
        """Look at the epoch; Lightning has validated it by now."""
        if self.monitor not in trainer.callback_metrics:
            logged = sorted(trainer.callback_metrics)
            raise checks.ArgumentError("monitor", f"must be one of {logged}, got {self.monitor!r}.")
        score = self._sign * float(trainer.callback_metrics[self.monitor])
        kept = lambda: copy.deepcopy(pl_module.state_dict())  # noqa: E731, it is called here alone
        weight = self.layer.weight
        self.best.update(weight, self._omegas, score, penalty_weights=self._weights, state=kept)

    def on_train_end(self, _: Trainer, pl_module: LightningModule) -> None:
        """Return to the best epoch."""
        if self.best.state is not None:
            pl_module.load_state_dict(self.best.state)
