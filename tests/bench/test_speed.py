"""The speed table, and that all candidates train the same."""

import importlib.util
from functools import partial

import numpy as np
import pytest

from snelfs.bench.speed import measure, torch_training
from snelfs.bench.speed.first_epochs import seconds_to_compute
from snelfs.bench.speed.jobs import ALPHA, PENALTY_LIMIT, Shape, make_job
from snelfs.engine.objective import Constants, Problem
from snelfs.engine.training import train

SMALL = Shape(60, 40, 5, n_epochs=30)


@pytest.fixture(scope="module")
def job():
    return make_job(SMALL)


@pytest.fixture(scope="module")
def layer(job):
    """The layer after the engine's last epoch on the job's split."""
    parts = [part / part.sum() for part in (~job.validation, job.validation)]
    weights = [part[None].astype(np.float32) for part in parts]
    problem = Problem(job.X, job.y.astype(np.int32), *weights, *weights)
    constants = Constants(*map(np.float32, (ALPHA, ALPHA, PENALTY_LIMIT)))
    return train(problem, job.start, job.epochs, constants, job.plan).last.W[0]


def test_eager_pytorch_trains_the_same_model(job, layer):
    """What is timed beside the engine is the same training, not a lesser one."""
    _, last = torch_training.train(job)
    assert np.abs(last - job.start.W[0]).max() > 0.05
    np.testing.assert_allclose(last, layer, atol=1e-4)


@pytest.mark.slow
@pytest.mark.skipif(not importlib.util.find_spec("tensorflow"), reason="needs the extra 'keras'")
@pytest.mark.filterwarnings("ignore")  # TensorFlow's own
def test_keras_trains_the_same_model(job, layer):
    """The same for what the paper used, but for Adam's ε, which Keras adds to another quantity."""
    from snelfs.bench.speed import keras_training

    _, last = keras_training.train(job)
    moved, expected = (np.ravel(W - job.start.W[0]) for W in (last, layer))
    assert np.corrcoef(moved, expected)[0, 1] > 0.98


def test_the_best_layer_is_kept(job):
    """A job cut after its first epoch has no admitted model, and keeps the start."""
    best, _ = torch_training.train(job.cut(1))
    np.testing.assert_array_equal(best, job.start.W[0])


@pytest.mark.filterwarnings("ignore:.*penalty_limit")
def test_the_speed_table_has_a_floor_and_ratios(monkeypatch):
    """Every candidate is timed by the epoch and model, and compared with the floor and with ours."""
    monkeypatch.setattr(measure, "_others", partial(_only_torch, measure._others))
    seconds = measure.measure_speed(SMALL, restarts=(1, 8), repetitions=2)
    rows = {row["what"]: row for row in measure.speed_rows("tiny", seconds)}
    assert list(rows) == [
        "products, numpy",
        "products, jax",
        "products, torch",
        "snelfs, 1 restart",
        "snelfs, 8 restarts",
        "eager PyTorch, 1 model",
    ]
    assert rows["snelfs, 8 restarts"]["of ours at 8"] == "1.00 (1.00 to 1.00)"
    assert min(float(rows[f"products, {name}"]["of the floor"].split()[0]) for name in ("numpy", "jax")) >= 1
    assert all((times > 0).all() for times in seconds.values())


def _only_torch(found, job, short):
    return {name: call for name, call in found(job, short).items() if "PyTorch" in name}


@pytest.mark.slow
def test_a_fit_in_a_new_process_is_timed_until_it_computes():
    """Both processes get as far as their first epochs, and say after how many seconds."""
    seconds = seconds_to_compute(rows=40, columns=20, repetitions=1)
    assert list(seconds) == ["first", "second"]
    assert all(0 < value < 100 for value in seconds.values())
