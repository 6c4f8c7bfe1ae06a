"""The engine's speed against the two matrix products that it cannot do without, and against others."""

import importlib.util
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import jax
import numpy as np
from numpy.typing import NDArray

from snelfs.bench.speed.jobs import ALPHA, PENALTY_LIMIT, VALIDATION_FRACTION, Job, Shape, make_job
from snelfs.bench.timing import time_in_turns
from snelfs.data.splits import split_weights
from snelfs.engine.compilation import compiler_options
from snelfs.engine.objective import Constants, Problem
from snelfs.engine.training import start_parameters, train
from snelfs.foundation.checks import count
from snelfs.foundation.types import Array

Candidates = dict[str, Callable[[], object]]
Times = Mapping[str, NDArray[np.float64]]  # seconds of an epoch and model, one for every repetition

RESTARTS = (1, 4, 8, 16)
TARGET_RESTARTS = 8  # where other frameworks are compared with ours
KERAS_SHARE = 40  # Keras takes this many times fewer epochs: each costs it many milliseconds


def measure_speed(
    shape: Shape, restarts: Sequence[int] = RESTARTS, repetitions: int = 10, seed: int = 0
) -> dict[str, NDArray[np.float64]]:
    """Time the products alone, our training, and the same training in other frameworks.

    All candidates take turns in every repetition, so that a noisy machine slows them alike; the
    compared figures are ratios within a repetition. Compilation is left out.

    Returns
    -------
    dict
        Candidate to the seconds of an epoch and model, one for every repetition.
    """
    count("repetitions", repetitions, 1)
    job = make_job(shape, seed)
    short = job.cut(max(1, job.n_epochs // KERAS_SHARE))
    candidates = {
        **_products(job),
        **{_title(n): _training(job, n) for n in restarts},
        **_others(job, short),
    }
    work = dict.fromkeys(candidates, job.n_epochs)
    work |= {_title(n): n * job.n_epochs for n in restarts}
    work["Keras, 1 model"] = short.n_epochs
    return {name: times / work[name] for name, times in time_in_turns(candidates, repetitions).items()}


def speed_rows(shape: str, seconds: Times) -> list[dict[str, object]]:
    """Return a row for every candidate: the time of an epoch and model, its ratio to the floor and to ours.

    The floor is the fastest of the products alone for one model, in the same repetition.
    """
    floor = np.min([times for name, times in seconds.items() if name.startswith("products")], axis=0)
    ours = seconds.get(_title(TARGET_RESTARTS))
    return [
        {
            "shape": shape,
            "what": name,
            "ms per epoch and model": f"{1e3 * np.median(times):.3f}",
            "of the floor": _spread(times / floor),
            f"of ours at {TARGET_RESTARTS}": "" if ours is None else _spread(times / ours),
        }
        for name, times in seconds.items()
    ]


def _title(n_restarts: int) -> str:
    return f"snelfs, {n_restarts} restart{'s' * (n_restarts > 1)}"


def _spread(ratios: NDArray[np.float64]) -> str:
    return f"{np.median(ratios):.2f} ({ratios.min():.2f} to {ratios.max():.2f})"


# -- candidates -------------------------------------------------------------------------------------


def _products(job: Job) -> Candidates:
    """Return the two products of an epoch for one model, in every library there is."""
    found: Candidates = {
        "products, numpy": partial(_products_numpy, job),
        "products, jax": _products_jax(job),
    }
    if importlib.util.find_spec("torch"):
        from snelfs.bench.speed import torch_training

        found["products, torch"] = partial(torch_training.products, job)
    return found


def _products_numpy(job: Job) -> None:
    W = job.start.W[0]
    for _ in range(job.n_epochs):
        _ = (W @ job.X.T) @ job.X


def _products_jax(job: Job) -> Callable[[], object]:
    @partial(jax.jit, compiler_options=compiler_options())
    def run(X: Array, W: Array) -> Array:
        # Each pass uses the last one's result, or the compiler would do the work once.
        return jax.lax.fori_loop(0, job.n_epochs, lambda _, W: W + 1e-12 * ((W @ X.T) @ X), W)

    X, W = jax.device_put(job.X), jax.device_put(job.start.W[0])
    return lambda: np.asarray(run(X, W))


def _training(job: Job, n_restarts: int) -> Callable[[], object]:
    splits = split_weights(job.y, np.ones(len(job.y)), VALIDATION_FRACTION, n_restarts, 0)
    weights = [part.astype(np.float32) for part in splits]
    problem = Problem(job.X, job.y.astype(np.int32), *weights, *weights)
    start = start_parameters(np.ones(job.X.shape[1]), n_restarts, job.plan)
    constants = Constants(*map(np.float32, (ALPHA, ALPHA, PENALTY_LIMIT)))
    return lambda: train(problem, start, job.epochs, constants, job.plan)


def _others(job: Job, short: Job) -> Candidates:
    """Return the same training of one model in the frameworks that are installed."""
    found: Candidates = {}
    if importlib.util.find_spec("torch"):
        from snelfs.bench.speed import torch_training

        found["eager PyTorch, 1 model"] = partial(torch_training.train, job)
    if importlib.util.find_spec("tensorflow"):
        from snelfs.bench.speed import keras_training

        found["Keras, 1 model"] = keras_training.trainer(short)
    return found
