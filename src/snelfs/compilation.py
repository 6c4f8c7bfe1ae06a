"""How the engine's programs are compiled."""

from functools import cache

import jax

# XLA's newer kernels for small products on the CPU took up to twice the time of its older ones at
# our shapes (200 × 500 by 15, 60 × 2,000 by 30), and were no faster at any shape tried.
_CPU_OPTIONS = {"xla_cpu_experimental_ynn_fusion_type": ""}


@cache
def compiler_options() -> dict[str, str]:
    """Return the options for `jax.jit` on this backend; none where the installed XLA does not know them."""
    if jax.default_backend() != "cpu":
        return {}
    try:
        jax.jit(lambda x: x, compiler_options=_CPU_OPTIONS).lower(0.0).compile()
    except jax.errors.JaxRuntimeError:
        return {}
    return _CPU_OPTIONS
