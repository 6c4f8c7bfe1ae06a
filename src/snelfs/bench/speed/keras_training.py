"""The training in Keras on TensorFlow, which the paper used: a layer with penalties, callbacks, and `fit`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from snelfs.bench.speed.jobs import ALPHA, HIDDEN, PENALTY_LIMIT, Job


def train(job: Job) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Train one model, one step an epoch; return the layers of the best admitted epoch and of the last."""
    return trainer(job)()


def trainer(job: Job) -> Callable[[], tuple[NDArray[np.float32], NDArray[np.float32]]]:
    """Return a call that trains; from the second on it finds a compiled program and goes on from the last."""
    import keras

    model, layer = _model(job)
    model.compile(
        optimizer=keras.optimizers.Adam(epsilon=1e-7),
        loss=keras.losses.BinaryCrossentropy(from_logits=True),
    )
    held, y = job.validation, job.y.astype(np.float32)

    def run() -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        watch = _watch(job, layer)
        model.fit(
            job.X[~held],
            y[~held],
            batch_size=int((~held).sum()),
            epochs=job.n_epochs,
            validation_data=(job.X[held], y[held]),
            validation_batch_size=int(held.sum()),
            callbacks=[watch],
            shuffle=False,
            verbose=0,
        )
        return watch.best_layer, np.asarray(layer.kernel).T

    return run


def _model(job: Job) -> tuple[Any, Any]:
    """Return the network and its first layer, with the start values of the job."""
    import keras

    dim, columns = job.start.W[0].shape
    layer = _selection_layer(dim)
    decay = keras.regularizers.L1L2(ALPHA, ALPHA)
    hidden = [keras.layers.Dense(units, "relu", kernel_regularizer=decay) for units in HIDDEN]
    output = keras.layers.Dense(1, kernel_regularizer=decay)
    model = keras.Sequential([keras.Input((columns,)), layer, *hidden, output])
    dense = [array for start in job.start.layers for array in (start.kernel[0], start.bias[0])]
    layer.kernel.assign(job.start.W[0].T)
    for module, kernel, bias in zip([*hidden, output], dense[::2], dense[1::2], strict=True):
        module.set_weights([np.asarray(kernel), np.asarray(bias)])
    return model, layer


def _selection_layer(dim: int) -> Any:
    """Return the layer ``A = X W`` that adds its two penalties, by weights that callbacks set (Eq. 13)."""
    import keras
    from keras import ops

    class Selection(keras.layers.Layer):
        def build(self, shape: tuple[int, ...]) -> None:
            self.kernel = self.add_weight(shape=(shape[-1], dim), name="kernel")
            self.lambda_s = self.add_weight(shape=(), trainable=False, name="lambda_s")
            self.lambda_a = self.add_weight(shape=(), trainable=False, name="lambda_a")
            self.violation = self.add_weight(shape=(), trainable=False, name="violation")

        def call(self, X: Any, training: bool = False) -> Any:
            A = ops.matmul(X, self.kernel)
            omega_s = ops.sum(ops.relu(ops.sum(ops.abs(self.kernel), axis=0) - 1.0))
            omega_a = ops.sum(ops.relu(1.0 - ops.mean(ops.square(A), axis=0)))
            if training:
                self.violation.assign(ops.maximum(omega_s, omega_a) / dim)
                self.add_loss(self.lambda_s * omega_s + self.lambda_a * omega_a)
            return A

    return Selection()


def _watch(job: Job, layer: Any) -> Any:
    """Return the callback that sets what an epoch is trained with, and keeps the best layer."""
    import keras

    class Watch(keras.callbacks.Callback):
        best_loss, best_layer = np.inf, np.asarray(job.start.W[0])

        def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:  # noqa: ARG002
            layer.lambda_s.assign(job.epochs.lambda_s[epoch])
            layer.lambda_a.assign(job.epochs.lambda_a[epoch])
            self.model.optimizer.learning_rate = job.epochs.rate[epoch]

        def on_epoch_end(self, epoch: int, logs: Any = None) -> None:  # noqa: ARG002
            if float(layer.violation) <= PENALTY_LIMIT and logs["val_loss"] < self.best_loss:
                self.best_loss = logs["val_loss"]
                self.best_layer = np.asarray(layer.kernel).T.copy()

    return Watch()
