"""How a command ends that is told to: by Ctrl-C or SIGTERM, within seconds, and with nothing half written.

Python raises KeyboardInterrupt wherever the main thread happens to be, and that may be a place from which no
exception gets out: JAX asks to be called by the garbage collector, which drops whatever is raised there.
Compiled code does not let Python act at all until it returns. So the wish is also kept, for whoever looks
(`raise_if_asked`), and a second thread ends the process if the first has not done so in time.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType

from snelfs.foundation.files import SWAPPING, remove_unfinished

SIGNALS = (signal.SIGINT, signal.SIGTERM)
GRACE = 1.0  # seconds in which a command ends by itself

_ASKED: list[int] = []  # the signal that asked for the end
_PLACES: dict[Path, tuple[int, int] | None] = {}  # what a command writes, as it was before


# -- what was written -------------------------------------------------------------------------------


def watch(*places: Path) -> None:
    """Remember how the files and folders that a command writes are before it does."""
    _PLACES.update((place, _state(place)) for place in places)


def forget() -> None:
    """Begin another command."""
    _PLACES.clear()


def written() -> list[Path]:
    """Return the places that are not as they were."""
    return [place for place, before in _PLACES.items() if _state(place) != before]


def what_was_written() -> str:
    """Return in a clause what the command has written so far; nothing if it is not known."""
    if not _PLACES:
        return ""
    done = written()
    return f"{', '.join(map(str, done))} was written" if done else "nothing was written"


def _state(place: Path) -> tuple[int, int] | None:
    try:
        found = place.lstat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns


def stopped() -> str:
    """Return the sentence with which a command ends that was told to."""
    return "; ".join(filter(None, ["Stopped", what_was_written()])) + "."


# -- the end ----------------------------------------------------------------------------------------


def is_asked() -> bool:
    """Tell whether the command was told to end."""
    return bool(_ASKED)


def raise_if_asked() -> None:
    """Raise KeyboardInterrupt if the command was told to end, once more if it was lost."""
    if _ASKED:
        raise KeyboardInterrupt


@contextmanager
def on_request() -> Iterator[None]:
    """End the process within two seconds of Ctrl-C or SIGTERM, with the code that shells give them."""
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)
    before = {number: signal.signal(number, _ask) for number in SIGNALS}
    signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
    hook, sys.unraisablehook = sys.unraisablehook, _silent_if_known
    threading.Thread(target=_end_in_time, args=[ours], daemon=True).start()
    try:
        yield
    finally:
        if _ASKED:
            _leave(128 + _ASKED[0])
        signal.set_wakeup_fd(-1)
        for number, handler in before.items():
            signal.signal(number, handler)
        sys.unraisablehook = hook
        theirs.close()


def _ask(number: int, _frame: FrameType | None) -> None:
    _ASKED.append(number)
    if len(_ASKED) == 1:  # another would disturb whoever cleans up
        raise KeyboardInterrupt


def _silent_if_known(lost: sys.UnraisableHookArgs) -> None:
    """Say nothing of an exception that could not be raised if it is known without it.

    That is so of the wish to end, which is kept, and of a full disk, which fails once more when what was
    being written is thrown away.
    """
    if not _ASKED and not isinstance(lost.exc_value, OSError):
        sys.__unraisablehook__(lost)


def _end_in_time(wishes: socket.socket) -> None:
    """Wait for a signal, then for the command to end, and end it if it does not."""
    while wish := wishes.recv(1):
        if wish[0] in SIGNALS:
            time.sleep(GRACE)
            with SWAPPING:  # renamings, which do not take long
                remove_unfinished()
                with suppress(OSError):
                    shown = "\x1b[?25h\n" if sys.stderr.isatty() else ""  # a bar has hidden the cursor
                    os.write(2, f"{shown}{stopped()}\n".encode())
                _leave(128 + wish[0])


def _leave(code: int) -> None:
    """End the process and those it has started, whatever they do."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):
            stream.flush()
    for child in multiprocessing.active_children():
        child.kill()
    os._exit(code)
