"""How a command shows how far it is: by a bar with the time left, or by a line now and then."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

import typer

from snelfs.cli import endings
from snelfs.foundation.progress import TimeLeft

if TYPE_CHECKING:
    from snelfs.evaluation.trials import Headway  # not at run time: its room imports JAX


@contextmanager
def progress_bar(title: str, *, quiet: bool = False) -> Iterator[Callable[[Headway], None]]:
    """Show a bar with the time left on a terminal, and a line a minute elsewhere; nothing if quiet."""
    from rich import progress
    from rich.console import Console

    console, last_line = Console(stderr=True), float("-inf")
    columns = (
        progress.TextColumn(title),
        progress.BarColumn(),
        progress.MofNCompleteColumn(),
        progress.TimeElapsedColumn(),
        progress.TextColumn("{task.fields[left]}"),
    )
    bar = progress.Progress(*columns, console=console)
    with bar if console.is_terminal and not quiet else nullcontext():
        task = bar.add_task(title, left="")

        def show(state: Headway) -> None:
            nonlocal last_line
            endings.raise_if_asked()
            left = "" if state.seconds_left is None else time_left(state.seconds_left)
            bar.update(task, completed=state.done, total=state.total, left=left)
            due = time.monotonic() - last_line > 60 or state.done == state.total
            if due and not quiet and not console.is_terminal:
                last_line = time.monotonic()
                typer.echo(f"{title}: {state.done} of {state.total} {left}".rstrip(), err=True)

        yield show


def time_left(seconds: float) -> str:
    """Return a time in words, in seconds or minutes.

    Examples
    --------
    >>> time_left(31.4), time_left(200)
    ('about 31 s left', 'about 3 min left')
    """
    return f"about {seconds:.0f} s left" if seconds < 90 else f"about {seconds / 60:.0f} min left"


@contextmanager
def percent_bar(title: str, *, quiet: bool = False) -> Iterator[Callable[[float, float], None]]:
    """Show how much of one long computation is done; away from a terminal only once a minute."""
    from rich import progress
    from rich.console import Console

    console, left, last_line = Console(stderr=True), TimeLeft(), time.monotonic()
    columns = (
        progress.TextColumn(title),
        progress.BarColumn(),
        progress.TaskProgressColumn(),
        progress.TimeElapsedColumn(),
        progress.TextColumn("{task.fields[left]}"),
    )
    bar = progress.Progress(*columns, console=console, transient=True)
    with bar if console.is_terminal and not quiet else nullcontext():
        task = bar.add_task(title, left="")

        def listen(done: float, total: float) -> None:
            nonlocal last_line
            endings.raise_if_asked()
            seconds = left(done, total)
            words = "" if seconds is None else time_left(seconds)
            bar.update(task, completed=done, total=total, left=words)
            if time.monotonic() - last_line > 60 and not quiet and not console.is_terminal:
                last_line = time.monotonic()
                typer.echo(f"{title}: {100 * done / total:.0f} % {words}".rstrip(), err=True)

        yield listen
