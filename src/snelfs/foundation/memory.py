"""What fits into memory: asked before it is allocated, because a system may end the process instead."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

_UNITS = ("bytes", "kB", "MB", "GB", "TB", "PB", "EB")


def memory_bytes() -> int | None:
    """Return how much memory this process may have in all: the machine's, or its container's if less."""
    sizes = []
    try:
        sizes.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, OSError, ValueError):  # not on every system
        return None
    with suppress(OSError, ValueError):  # no container, or "max"
        sizes.append(int(Path("/sys/fs/cgroup/memory.max").read_text()))
    return min(sizes)


def too_large(n_bytes: float) -> str | None:
    """Return in words why so many bytes cannot be had; None if they can, or if nobody knows.

    Examples
    --------
    >>> too_large(1000) is None
    True
    >>> str(too_large(8e18)).partition(", ")[0]
    'takes about 8 EB of memory'
    """
    there = memory_bytes()
    if there is None or n_bytes <= there:
        return None
    return f"takes about {in_units(n_bytes)} of memory, and there are {in_units(there)}"


def in_units(n_bytes: float) -> str:
    """Return a number of bytes in the unit that leaves few digits.

    Examples
    --------
    >>> in_units(12_400), in_units(1.6e13), in_units(1e30)
    ('12 kB', '16 TB', '1000000000000 EB')
    """
    size, place = n_bytes, 0
    while size >= 1000 and place < len(_UNITS) - 1:
        size, place = size / 1000, place + 1
    return f"{size:.0f} {_UNITS[place]}"
