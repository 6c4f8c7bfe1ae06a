"""Which epoch of a restart is kept."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from snelfs.engine.best_epoch import Best, keep_better
from snelfs.engine.network import Dense
from snelfs.engine.objective import Measures, Parameters


def model(score=0.0, objective=1.0, omega_s=0.0, omega_a=0.0):
    values = (0.0, 0.0, omega_s, omega_a, score, objective)
    return Measures(*(jnp.float32([v]) for v in values))


def filled(value):
    """Return a layer of one weight, and a network of one unit behind it, all weights alike."""
    return Parameters(
        jnp.full((1, 1, 1), value), [Dense(jnp.full((1, 1, 1), value), jnp.full((1, 1), value))]
    )


def none_yet():
    inf = jnp.float32([jnp.inf])
    return Best(filled(0.0), jnp.int32([0]), jnp.array([False]), inf, -inf, inf)


def winner_of(*models, limit=0.3):
    """Return the index of the model that the rule keeps."""
    best = none_yet()
    for i, measures in enumerate(models):
        best = keep_better(best, filled(float(i)), measures, jnp.float32(limit), jnp.int32(i + 1))
    for weights in jax.tree.leaves(best.parameters):
        assert weights.item() == best.epoch[0] - 1, "weights and epoch must belong together"
    return int(best.epoch[0]) - 1


@pytest.mark.parametrize(
    ("models", "expected"),
    [
        ([model(score=0.5), model(score=0.7), model(score=0.6)], 1),
        ([model(score=0.9, omega_s=0.31), model(score=0.2)], 1),
        ([model(score=0.2), model(score=0.9, omega_a=0.31)], 0),
        ([model(score=0.5, objective=2.0), model(score=0.5, objective=1.5)], 1),
        ([model(score=0.5, objective=1.5), model(score=0.5 + 1e-7, objective=2.0)], 0),
        ([model(omega_s=0.9), model(omega_a=0.5), model(omega_s=0.7)], 1),
        ([model(score=0.5), model(score=0.5)], 0),
        ([model(omega_s=0.3, omega_a=0.3), model(score=-1.0)], 0),
        ([model(score=np.nan, objective=np.nan), model(score=-5.0)], 1),
        ([model(omega_s=0.2), model(score=np.nan, objective=np.nan)], 0),
        ([model(score=0.9, objective=2.0), model(score=0.2, objective=1.0)], 0),
        ([model(score=1e-6, objective=2.0), model(score=0.0, objective=1.0)], 1),
        ([model(score=0.0, objective=1.0), model(score=1e-6, objective=2.0)], 0),
        ([model(omega_s=0.5), model(omega_a=0.5)], 0),
        ([model(score=0.2), model(score=0.9, omega_s=0.31, omega_a=0.31)], 0),
        ([model(score=0.2), model(score=0.9, objective=np.inf, omega_a=0.31)], 0),
    ],
    ids=[
        "higher score",
        "admitted beats a better score",
        "not admitted never beats admitted",
        "tie by objective",
        "rounding is a tie",
        "least violating",
        "first of equals",
        "limits are inclusive",
        "not finite",
        "not finite never beats admitted",
        "a lower objective never beats a better score",
        "the bound of a tie is inclusive",
        "the bound of a tie is inclusive on either side",
        "first of equal violations",
        "two wrongs make no right",
        "nor do a wrong and no finite number",
    ],
)
def test_the_best_model_rule(models, expected):
    """Admission, then score, then objective; the smaller violation if none is admitted."""
    assert winner_of(*models) == expected


def test_the_start_itself_is_never_the_best_model():
    """A model counts only after an epoch of training."""
    kept = keep_better(none_yet(), filled(1.0), model(score=1.0), jnp.float32(0.3), jnp.int32(0))
    assert kept.parameters.W.item() == 0


def test_every_restart_keeps_its_own_weights():
    """Of three restarts the first and the last improve; all weights of the second stay."""

    def weights(value):
        return Parameters(
            jnp.full((3, 2, 4), value), [Dense(jnp.full((3, 2, 2), value), jnp.full((3, 2), value))]
        )

    def three(measures):
        return jax.tree.map(lambda value: jnp.repeat(value, 3), measures)

    new = three(model())._replace(score=jnp.float32([0.6, 0.4, 0.9]))
    kept = three(none_yet()._replace(parameters=None))._replace(parameters=weights(0.0))
    kept = keep_better(kept, weights(1.0), three(model(score=0.5)), jnp.float32(0.3), jnp.int32(1))
    kept = keep_better(kept, weights(2.0), new, jnp.float32(0.3), jnp.int32(2))
    assert kept.epoch.tolist() == [2, 1, 2]
    np.testing.assert_allclose(kept.score, [0.6, 0.5, 0.9])
    for array in jax.tree.leaves(kept.parameters):
        assert [set(own.ravel().tolist()) for own in array] == [{2.0}, {1.0}, {2.0}]
