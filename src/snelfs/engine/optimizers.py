"""The optimisers by name, each made from a learning rate."""

from collections.abc import Callable
from functools import partial

import optax

from snelfs.foundation.types import Array

# Keras' ε for Adam, which the paper trained with (optax's own is 1e-8).
OPTIMIZERS: dict[str, Callable[[Array], optax.GradientTransformation]] = {
    "adabelief": optax.adabelief,
    "adagrad": optax.adagrad,
    "adam": partial(optax.adam, eps=1e-7),
    "adamax": optax.adamax,
    "adamw": partial(optax.adamw, eps=1e-7),
    "lion": optax.lion,
    "momentum": partial(optax.sgd, momentum=0.9),
    "nadam": partial(optax.nadam, eps=1e-7),
    "radam": optax.radam,
    "rmsprop": optax.rmsprop,
    "sgd": optax.sgd,
    "yogi": optax.yogi,
}
