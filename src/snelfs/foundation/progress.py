"""How much of a fit is done: listeners to parts of a whole, and one line for whoever waits."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable
from itertools import accumulate

# Told what is done, and of how much; a true answer asks for an end, and is given from then on.
Progress = Callable[[float, float], object]


def parts(on_progress: Progress | None, work: Iterable[float]) -> list[Progress | None]:
    """Return one listener for each part of a whole; what it is told it tells `on_progress` of the whole.

    Parameters
    ----------
    on_progress : callable or None
        Told what is done and of how much.
    work : iterable of float
        How much of the whole each part is.

    Examples
    --------
    >>> first, second = parts(lambda done, total: print(f"{done / total:.0%}"), [3, 1])
    >>> first(50, 100)
    38%
    >>> second(8, 8)
    100%
    """
    amounts = [float(amount) for amount in work]
    if on_progress is None:
        return [None] * len(amounts)
    # A part ends with the very bits that the next begins with, so that the share never falls by rounding.
    *begun, total = accumulate(amounts, initial=0.0)
    return [_part(on_progress, *part, total) for part in zip(begun, amounts, strict=True)]


def _part(on_progress: Progress, before: float, amount: float, whole: float) -> Progress:
    def listen(done: float, total: float) -> object:
        return on_progress(before + amount * (done / total), whole)

    return listen


def is_over(on_progress: Progress | None) -> bool:
    """Tell whether a listener that has heard that its part is done asks for an end.

    Examples
    --------
    >>> is_over(None), is_over(lambda done, total: done == total)
    (False, True)
    """
    return on_progress is not None and bool(on_progress(1, 1))


class Watch:
    """A listener that passes on what it hears, and asks for an end when time is up or a caller wants it.

    Parameters
    ----------
    listener : callable or None
        Told what is done and of how much.
    max_time : float or None
        Seconds from now.
    callback : callable or None
        Told the share that is done, from 0 to 1; a true answer asks for an end.

    Attributes
    ----------
    ended_by : str or None
        "max_time" or "callback", once an end was asked for.

    Examples
    --------
    >>> watch = Watch(None, None, lambda share: share > 0.4)
    >>> watch(1, 4), watch(2, 4), watch(2, 4), watch.ended_by
    (False, True, True, 'callback')
    """

    def __init__(
        self,
        listener: Progress | None,
        max_time: float | None,
        callback: Callable[[float], object] | None,
    ) -> None:
        self.listener, self.max_time, self.callback = listener, max_time, callback
        self.started = time.perf_counter()
        self.ended_by: str | None = None

    @property
    def seconds(self) -> float:
        """How long it has been watching."""
        return time.perf_counter() - self.started

    def __call__(self, done: float, total: float) -> bool:
        """Pass on what is done, and tell whether that is enough."""
        if self.listener is not None:
            self.listener(done, total)
        if self.ended_by is None and self.max_time is not None and self.seconds >= self.max_time:
            self.ended_by = "max_time"
        if self.ended_by is None and self.callback is not None and self.callback(min(1.0, done / total)):
            self.ended_by = "callback"
        return self.ended_by is not None


class TimeLeft:
    """Judge how long the rest takes by the pace since the first report: compilation comes before it."""

    def __init__(self) -> None:
        self.first: tuple[float, float] | None = None

    def __call__(self, done: float, total: float) -> float | None:
        """Return the seconds left, None as long as nothing is known."""
        now = time.perf_counter()
        if self.first is None or done < self.first[0]:
            self.first = done, now
        past = done - self.first[0]
        return (now - self.first[1]) / past * (total - done) if past > 0 else None


class ProgressLine:
    """One line on standard error, written over as the fit goes on if a person is watching.

    A terminal and a notebook both go back to the start of the line at a carriage return; spaces cover what
    stood there, because not every notebook knows the terminal's code for it. In a file there is one line.
    """

    def __init__(self) -> None:
        self.started = time.perf_counter()
        self.time_left = TimeLeft()
        self.length = 0
        self.finished = False

    def __call__(self, done: float, total: float) -> None:
        """Show what is done; the last report ends the line."""
        left = self.time_left(done, total)
        if self.finished:
            return
        if done >= total * (1 - 1e-9):
            self.finished = True
            self._write(f"snelfs: done in {time.perf_counter() - self.started:.1f} s", "\n")
        elif is_watched():
            rest = "" if left is None else f", about {left:.0f} s left"
            self._write(f"snelfs: {100 * done / total:.0f} %{rest}")

    def _write(self, text: str, end: str = "") -> None:
        sys.stderr.write(f"\r{text.ljust(self.length)}{end}" if is_watched() else f"{text}{end}")
        sys.stderr.flush()
        self.length = len(text)


def is_watched() -> bool:
    """Tell whether standard error is a terminal or a notebook, where a line can be written over."""
    return sys.stderr.isatty() or type(sys.stderr).__module__.startswith("ipykernel.")
