"""How the engine's programs are compiled, and where they are kept for the next process."""

import hashlib
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import jax
from jax.experimental.compilation_cache import compilation_cache

from snelfs.foundation.files import cache_folder

# For the CPU, each tried by itself, since an older or newer XLA may not know it:
_CPU_OPTIONS = {
    # The newer kernels for small products took up to twice the time of the older ones at our shapes
    # (200 × 500 by 15, 60 × 2,000 by 30), and were no faster at any shape tried.
    "xla_cpu_experimental_ynn_fusion_type": "",
    # This pass cuts a sum into windows, which do not fuse with what is summed: the sums of absolute weights
    # took five times as long. Without it the relative error at 100,000 columns is 5e-7, with it 2e-7.
    "xla_disable_hlo_passes": "tree_reduction_rewriter",
}

# Every shape of data has programs of its own, of some 80 kB together.
MOST_PROGRAMS = 1000


@cache
def compiler_options() -> dict[str, str]:
    """Return the options for `jax.jit` on this backend; none that the installed XLA does not know."""
    if jax.default_backend() != "cpu":
        return {}
    return {name: value for name, value in _CPU_OPTIONS.items() if _is_known({name: value})}


def _is_known(options: dict[str, str]) -> bool:
    try:
        jax.jit(lambda x: x, compiler_options=options).lower(0.0).compile()
    except jax.errors.JaxRuntimeError:
        return False
    return True


@contextmanager
def programs_on_disk() -> Iterator[None]:
    """Keep the programs that are compiled inside on disk, and take them from there.

    Only the engine's own programs are kept, and only if the user has no cache of compiled programs, or has
    not turned such caches off: the settings of JAX are those of before afterwards. A folder that
    cannot be written to means compiling, not failing.
    """
    folder = program_folder()
    if (
        _setting("jax_compilation_cache_dir")
        or not _setting("jax_enable_compilation_cache")
        or not _is_writable(folder)
    ):
        yield
        return
    wanted = {
        "jax_compilation_cache_dir": str(folder),
        "jax_persistent_cache_min_compile_time_secs": 0.0,
        "jax_persistent_cache_min_entry_size_bytes": -1,
    }
    before = {name: _setting(name) for name in wanted}
    _configure(wanted)
    try:
        yield
    finally:
        _configure(before)
        _drop_oldest(folder)


def program_folder() -> Path:
    """Return the folder of compiled programs for this JAX on this kind of processor."""
    return cache_folder() / "programs" / f"jax-{jax.__version__}-{_processor()}"


def _setting(name: str) -> object:
    return getattr(jax.config, name)


def _configure(settings: dict[str, object]) -> None:
    for name, value in settings.items():
        jax.config.update(name, value)  # type: ignore[no-untyped-call]
    compilation_cache.reset_cache()  # it looks at the folder once only


@cache
def _processor() -> str:
    """Return a mark of what this processor can do: a program for a newer one would not run."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        can = next(line for line in lines if line.startswith(("flags", "Features")))
    except (OSError, StopIteration):
        can = platform.processor() or platform.machine()
    return hashlib.sha256(can.encode()).hexdigest()[:12]


def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / ".probe"
        probe.touch()
    except OSError:
        return False
    return True


def _drop_oldest(folder: Path) -> None:
    """Keep the folder from growing for ever; another process may be doing the same."""
    programs = sorted(folder.glob("*-cache"), key=_last_use)
    for program in programs[:-MOST_PROGRAMS]:
        program.unlink(missing_ok=True)


def _last_use(path: Path) -> float:
    try:
        return path.stat().st_atime
    except OSError:
        return 0.0
