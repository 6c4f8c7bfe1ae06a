"""A round: all restarts trained on some of the columns, and what they say of these."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import jax
import numpy as np
from numpy.typing import NDArray

from snelfs.data.prepared import Prepared
from snelfs.data.splits import share, split_weights
from snelfs.engine import layer, saliency
from snelfs.engine.devices import Placement
from snelfs.engine.layer import with_functions
from snelfs.engine.losses import Units
from snelfs.engine.network import pad_units
from snelfs.engine.objective import Constants, Epoch, Parameters, Plan, Problem
from snelfs.engine.pruning import is_worthwhile
from snelfs.engine.stopping import Vote
from snelfs.engine.training import Training, start_parameters, train
from snelfs.foundation.progress import Progress
from snelfs.foundation.types import Floats, Ints
from snelfs.search.constants import MANY
from snelfs.search.entering import entering
from snelfs.search.options import Options


@dataclass(frozen=True)
class Round:
    """Hold one trained round. Its units are columns, or groups of columns where there are such."""

    units: Ints  # those that took part
    training: Training
    saliencies: NDArray[np.float64]  # (restarts, units)
    scores: NDArray[np.float64]  # one a unit, from those of the restarts

    @classmethod
    def of(
        cls, units: Ints, training: Training, saliencies: NDArray[np.float64], options: Options
    ) -> "Round":
        """Return a round whose restarts are combined as its options say; by their mean if these do not."""
        how = "mean" if options.combine == "auto" else options.combine
        scores = saliency.combine(saliencies, options.dim, how)
        return cls(units, training, saliencies, np.asarray(scores))

    def among_all(self, values: NDArray[np.floating], n_units: int) -> NDArray[np.floating]:
        """Return values of the round's units, the last axis, among all of the table; zero elsewhere."""
        wide = np.zeros((*values.shape[:-1], n_units), values.dtype)
        wide[..., self.units] = values
        return wide


def train_round(
    data: Prepared,
    options: Options,
    shares: Floats,
    seed: int,
    on_progress: Progress | None = None,
    functions: int = 1,
) -> Round:
    """Train all restarts, each on its own split of the rows.

    Parameters
    ----------
    shares : array of shape (units,)
        Share of each unit of the round in the start of a neuron.
    functions : int
        As how many functions of itself a column enters in half of the restarts; 1 is the column alone.
    """
    training = train_side_by_side(data, [options], shares, seed, on_progress, functions)
    saliencies = layer_saliencies(training, data, options, functions)
    return Round.of(data.entries, training, saliencies, options)


def train_side_by_side(
    data: Prepared,
    variants: Sequence[Options],
    shares: Floats,
    seed: int,
    on_progress: Progress | None = None,
    functions: int = 1,
) -> Training:
    """Train the restarts of several variants in one batch, the first variant's restarts first.

    The variants may differ in their penalty ranges, in l1 and l2, and in the sizes of their hidden layers.
    Their restarts have the same splits and differ in nothing else.
    """
    options, inputs = variants[0], entering(data, functions)
    n_trained = len(variants) * options.n_restarts
    plan = replace(_plan(data, variants), straight=inputs.straight(n_trained))
    own = splits(data, options, seed)
    costs = tuple(share(weights * data.target.factors) for weights in own)
    weights = (np.tile(w, (len(variants), 1)).astype(np.float32) for w in (*own, *costs))
    training = train(
        Problem(inputs.X, _answers(data), *weights)._replace(beside=data.C, units=_units(data)),
        _start(shares, variants, plan, seed, inputs.n_functions),
        Epoch(
            _each_restart([v.schedule.lambda_s for v in variants], options.n_restarts),
            _each_restart([v.schedule.lambda_a for v in variants], options.n_restarts),
            options.rates(data.Z.shape[1]),
        ),
        Constants(
            _each_restart([np.array(v.alpha_l1, np.float32) for v in variants], options.n_restarts),
            _each_restart([np.array(v.alpha_l2, np.float32) for v in variants], options.n_restarts),
            np.float32(options.penalty_limit),
        ),
        plan,
        seed,
        on_progress,
        Placement.over(options.devices),
        _prunes(options, plan, data.Z.shape, len(variants)),
        _vote(options),
    )
    return _in_units(training, data)


def splits(data: Prepared, options: Options, seed: int) -> tuple[Floats, Floats]:
    """Return the weights by which rows train and validate in each restart of a round with this seed."""
    return split_weights(
        data.target.strata,
        data.rows.weights,
        options.validation_fraction,
        options.n_restarts,
        seed,
        data.rows.groups,
    )


def _in_units(training: Training, data: Prepared) -> Training:
    """Return a training whose losses and scores are in the units of the caller's loss, if it is one's own."""
    if data.target.own is None:
        return training
    history, factor = training.history, np.float32(data.target.own.null.factor)
    measured = {name: getattr(history, name) / factor for name in ("train_loss", "validation_loss", "score")}
    return replace(training, history=replace(history, **measured))


def _prunes(options: Options, plan: Plan, shape: tuple[int, int], n_variants: int) -> bool:
    """Tell whether columns that are given up leave the training."""
    if options.prune is not None:
        return options.prune
    weights = n_variants * options.n_restarts, plan.dim, shape[1]
    return is_worthwhile(plan.batch_rows or shape[0], weights, options.schedule.n_epochs)


def _vote(options: Options) -> Vote | None:
    """Return what ends the training early, if anything may."""
    if options.patience is None:
        return None
    return Vote(round(options.patience * options.schedule.n_epochs), options.n_restarts)


def _plan(data: Prepared, variants: Sequence[Options]) -> Plan:
    """Return what to compile: hidden layers wide enough for every variant."""
    options, n_rows = variants[0], len(data.Z)
    return Plan(
        task=data.target.task,
        n_outputs=data.target.n_outputs,
        dim=min(options.dim, len(data.entries)),
        hidden_layer_sizes=tuple(
            max(sizes) for sizes in zip(*(v.hidden_layer_sizes for v in variants), strict=True)
        ),
        scoring=options.scoring,
        optimizer=options.optimizer,
        smoothing=options.smoothing,
        batch_rows=_batch_rows(options, n_rows),
        one_batch=options.batch_size == "auto",
        ties=data.target.ties,
        n_beside=0 if data.C is None else data.C.shape[1],
        loss=None if data.target.own is None else data.target.own.loss,
        # Without hidden units the network is that path already.
        direct=options.direct and data.target.task == "regression" and bool(options.hidden_layer_sizes),
    )


def _answers(data: Prepared) -> NDArray[np.int32] | NDArray[np.float32]:
    """Return the target with the rows last; of censored times with the weights that risk sets count by."""
    if data.target.task != "survival":
        return data.target.values.T
    weights = share(data.rows.weights) * len(data.rows.weights)
    place, event, *strata = data.target.values.T
    return np.stack([place, event, weights.astype(np.float32), *strata])


def _units(data: Prepared) -> Units | None:
    """Return what the network's outputs mean to a loss of the caller's own."""
    if data.target.own is None:
        return None
    null = data.target.own.null
    return Units(null.centre.astype(np.float32), null.scale.astype(np.float32), np.float32(null.factor))


def _start(
    shares: Floats, variants: Sequence[Options], plan: Plan, seed: int, functions: int = 1
) -> Parameters:
    """Return the untrained weights of all variants, smaller networks padded to the plan's sizes."""
    parts = []
    for variant in variants:
        own = replace(plan, hidden_layer_sizes=variant.hidden_layer_sizes)
        start = start_parameters(shares, variant.n_restarts, own, seed)
        W = with_functions(start.W, functions)
        parts.append(start._replace(W=W, layers=pad_units(start.layers, plan.sizes)))
    return parts[0] if len(parts) == 1 else jax.tree.map(lambda *arrays: np.concatenate(arrays), *parts)


def _each_restart(values: Sequence[NDArray[np.float32]], n_restarts: int) -> NDArray[np.float32]:
    """Return the variants' common value, or if they differ one for each restart along the last axis."""
    if all(np.array_equal(value, values[0]) for value in values):
        return values[0]
    return np.repeat(np.stack(values, axis=-1), n_restarts, axis=-1)


def layer_saliencies(
    training: Training, data: Prepared, options: Options, functions: int = 1
) -> NDArray[np.float64]:
    """Return the saliency of every unit in each layer, of shape (restarts, units)."""
    if options.saliency == "used":
        return saliency.used_weight(training.W, _taken_up(training)).astype(np.float64)
    if options.saliency == "max":
        return saliency.max_weight(training.W).astype(np.float64)
    assert isinstance(data.Z, np.ndarray)  # only what is in memory is trained on
    A = np.asarray(layer.forward(entering(data, functions).X, training.W))  # (restarts, dim, rows)
    deviations = np.sqrt(np.square(A) @ share(data.rows.weights))
    return saliency.sum_weight(training.W, deviations).astype(np.float64)


def _taken_up(training: Training) -> NDArray[np.float32]:
    """Return the weights by which the network takes up each neuron, those past its hidden units included."""
    kernel = training.layers[0].kernel
    kernel = kernel if training.direct is None else np.concatenate([kernel, training.direct], axis=2)
    return kernel[:, : training.W.shape[1]]  # behind the neurons come inputs beside the layer


def _batch_rows(options: Options, n_rows: int) -> int | None:
    """Return how many rows hold a batch of training rows on average; None if that is all of them."""
    if options.batch_size == "auto":
        # Variances and validation scores of some rows are as good as those of all.
        return None if n_rows <= MANY else MANY
    trained_on = 1 - options.validation_fraction
    if options.batch_size is None or int(options.batch_size) >= n_rows * trained_on:
        return None
    return max(1, round(int(options.batch_size) / trained_on))
