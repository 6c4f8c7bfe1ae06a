"""The best epoch of a training that runs elsewhere."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from snelfs.engine.best_epoch import Best, keep_better
from snelfs.engine.objective import Measures, Parameters
from snelfs.layer import BestSelection


def kept_by_the_engine(looks, limit):
    """Return the index of the epoch that the compiled loop keeps."""
    inf = jnp.float32([jnp.inf])
    nothing = Parameters(jnp.zeros((1, 1, 1)), [])
    best = Best(nothing, jnp.int32([0]), jnp.array([False]), inf, -inf, inf)
    keep = jax.jit(keep_better)
    for i, (omega_s, omega_a, score, objective) in enumerate(looks):
        measures = Measures(*(jnp.float32([v]) for v in (0, 0, omega_s, omega_a, score, objective)))
        best = keep(best, nothing, measures, jnp.float32(limit), jnp.int32(i + 1))
    return int(best.epoch[0]) - 1


@pytest.mark.parametrize("scale", [0.45, 2.0], ids=["some admitted", "few admitted"])
@pytest.mark.parametrize("seed", range(4))
def test_the_rule_is_that_of_the_engine(seed, scale):
    """On the same measures the same epoch is kept; scores are coarse, so that the objective decides some."""
    generator = np.random.default_rng(seed)
    looks = np.column_stack(
        [
            *(scale * generator.random((2, 25))),
            generator.integers(0, 4, 25) / 4,
            generator.random(25),
        ]
    ).astype(np.float32)
    best = BestSelection(limit=0.3)
    for i, (omega_s, omega_a, score, objective) in enumerate(looks):
        best.update(np.full((2, 3), i), (2 * omega_s, 2 * omega_a), score, objective=objective)
    assert best.epoch == kept_by_the_engine(looks, 0.3)
    assert (best.weights == best.epoch).all()
    assert best.is_admitted == bool((looks[best.epoch, :2] <= 0.3).all())


def test_a_copy_is_kept_with_what_belongs_to_it():
    """What is done to the weights afterwards changes nothing, and the state is asked for only if needed."""
    best, weights, asked = BestSelection(), np.eye(2), []
    assert best.update(weights, (0.0, 0.0), 1.0, state=lambda: asked.append("first") or "first")
    weights[:] = 7
    assert not best.update(weights, (0.0, 0.0), 0.5, state=lambda: asked.append("second") or "second")
    assert best.weights.tolist() == [[1, 0], [0, 1]]
    assert (best.state, asked, best.score) == ("first", ["first"], 1.0)


def test_an_epoch_that_is_not_a_number_is_no_candidate():
    best = BestSelection()
    best.update(np.zeros((1, 1)), (np.nan, np.nan), np.nan)
    assert not best.is_admitted
    assert best.update(np.ones((1, 1)), (0.9, 0.0), 0.0)
    assert not best.update(np.zeros((1, 1)), (0.0, 0.0), np.nan)
    assert best.update(np.ones((1, 1)), (0.0, 0.0), -5.0)


def test_before_the_first_epoch_there_is_nothing_to_select():
    best = BestSelection()
    assert best.score == -np.inf
    with pytest.raises(RuntimeError, match="No epoch was looked at yet"):
        best.selected(3)
    with pytest.raises(ValueError, match=r"^limit must be a finite number above 0, got 0\.$"):
        BestSelection(limit=0)
