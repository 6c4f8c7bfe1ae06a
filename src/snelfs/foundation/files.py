"""Files and folders written whole or not at all, and where things are kept between runs."""

import csv
import errno
import glob
import io
import os
import shutil
import socket
import tempfile
import threading
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from platformdirs import user_cache_path

from snelfs.foundation.sentences import Argument, Sentence
from snelfs.foundation.spreadsheets import guarded


def cache_folder() -> Path:
    """Return the folder for what can be had again: the one that SNELFS_CACHE names, or the user's own.

    It need not exist.
    """
    if named := os.environ.get("SNELFS_CACHE"):
        return Path(named).expanduser()
    # Without an author's folder above and a "Cache" below, which Windows would have.
    return user_cache_path("snelfs", appauthor=False, opinion=False)


Row = Mapping[str, object]


def csv_table(rows: Sequence[Row]) -> str:
    r"""Return rows of equal keys as the text of a CSV file; what looks like a formula is guarded.

    Examples
    --------
    >>> csv_table([{"a": 1, "b": "x"}])
    'a,b\n1,x\n'
    """
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    for cells in (rows[0], *(row.values() for row in rows)):
        writer.writerow([guarded(cell) if isinstance(cell, str) else cell for cell in cells])
    return table.getvalue()


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """Give a temporary file beside `path` that takes its place when the block ends well, and else is removed.

    Examples
    --------
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with written_whole(Path(folder) / "a.txt") as file:
    ...         _ = file.write_text("all of it")
    ...     [found.name for found in Path(folder).iterdir()]
    ['a.txt']
    """
    with tempfile.NamedTemporaryFile(dir=path.parent, suffix=path.suffix, delete=False) as file:
        temporary = Path(file.name)
    with _unfinished(temporary):
        yield temporary
        temporary.chmod(0o644)
        temporary.replace(path)


@contextmanager
def folder_written_whole(
    folder: Path, *, force: bool = False, former: Collection[str] = ()
) -> Iterator[Path]:
    """Give a temporary folder that becomes `folder` when the block ends well; else nothing is left of it.

    A folder that is there and holds something is refused unless forced. Then the new one takes its place as
    a whole: of the old one go the files whose names the new one has and those in `former`; all others stay.

    Examples
    --------
    >>> with tempfile.TemporaryDirectory() as parent:
    ...     with folder_written_whole(Path(parent) / "found") as inside:
    ...         _ = (inside / "a.txt").write_text("all of it")
    ...     [str(path.relative_to(parent)) for path in Path(parent).rglob("*")]
    ['found', 'found/a.txt']
    """
    _finish_for_the_dead(folder)
    refuse_full_folder(folder, force=force)
    with _room_beside(folder) as room:
        inside = room / folder.name
        inside.mkdir()
        yield inside
        with SWAPPING:
            # Not within the room, which is removed whatever happens.
            earlier = room.with_name(room.name + _EARLIER)
            try:
                _put_in_place(inside, folder, earlier, force=force)
            finally:
                try:
                    _carry_over(earlier, folder, former)
                except KeyboardInterrupt:
                    _carry_over(earlier, folder, former)
                    raise


def _put_in_place(inside: Path, folder: Path, earlier: Path, *, force: bool) -> None:
    """Rename a new folder to its place; if forced, an old one is renamed to `earlier` before.

    A folder can only be renamed to what is not there or is empty, so that of two runs one comes first.
    """
    while True:
        try:
            inside.replace(folder)
            return
        except OSError as error:
            if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                raise
            # With an old one taken away already, this is another run's.
            if not force or earlier.exists():
                said = "was written by another run in the meantime"
                raise FileExistsError(errno.EEXIST, said, str(folder)) from None
        with suppress(FileNotFoundError):  # another run has just taken it away
            folder.rename(earlier)


def _carry_over(earlier: Path, folder: Path, former: Collection[str]) -> None:
    """Move what is not replaced from an old folder to the new one in its place, and remove the rest.

    If there is no new one, the old one comes back.
    """
    if not earlier.is_dir():
        return
    if not folder.exists():
        earlier.rename(folder)
        return
    for path in earlier.iterdir():
        if path.name not in former and not os.path.lexists(folder / path.name):
            path.rename(folder / path.name)
    shutil.rmtree(earlier, ignore_errors=True)


def _finish_for_the_dead(folder: Path) -> None:
    """Tidy up after processes of this machine that were killed while they wrote the folder.

    What was not finished goes. An old folder that was taken away comes back, or what is left of it goes into
    the new one.
    """
    for left in folder.parent.glob(f"{glob.escape(_hidden(folder))}*"):
        pid = left.name.removeprefix(_hidden(folder)).split("-")[0]
        if not pid.isdecimal() or _is_running(int(pid)):
            continue
        if left.name.endswith(_EARLIER):
            _carry_over(left, folder, ())
        else:
            _remove(left)


def _hidden(folder: Path) -> str:
    """Return how the name of what is written for a folder on this machine begins; the process is next."""
    return f".{folder.name}-{socket.gethostname()}-"


def _is_running(pid: int) -> bool:
    """Tell whether a process of this machine may still be there."""
    if os.name != "posix":  # elsewhere the question would be a signal
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # it is somebody else's
        return True
    return True


@contextmanager
def _room_beside(folder: Path) -> Iterator[Path]:
    """Give a hidden folder beside one that is to be written, and leave nothing of it behind."""
    made = [path for path in folder.absolute().parents if not path.exists()]
    folder.parent.mkdir(parents=True, exist_ok=True)
    try:
        with _unfinished(
            Path(tempfile.mkdtemp(dir=folder.parent, prefix=f"{_hidden(folder)}{os.getpid()}-"))
        ) as room:
            yield room
    finally:
        for path in made:  # the innermost first, and only what nobody has put anything into
            with suppress(OSError):
                path.rmdir()


# What the hidden name of an old folder ends with while its successor takes its place.
_EARLIER = "-earlier"

# What is not finished yet, and a lock on the moment in which a new folder takes an old one's place: whoever
# ends the process from another thread removes the one and waits for the other.
_UNFINISHED: set[Path] = set()
SWAPPING = threading.Lock()


@contextmanager
def _unfinished(path: Path) -> Iterator[Path]:
    """Remove a temporary file or folder, however the block ends."""
    _UNFINISHED.add(path)
    try:
        yield path
    finally:
        _remove(path)
        _UNFINISHED.discard(path)


def remove_unfinished() -> None:
    """Remove all that is being written and not finished, for a process that is about to end."""
    for path in tuple(_UNFINISHED):
        _remove(path)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def refuse_full_folder(folder: Path, *, force: bool) -> None:
    """Raise if a folder cannot be written, or holds something and is not forced; before anything is computed.

    Forced it is replaced as a whole, so it must be a folder of its own: no link to one, not the one that the
    process is in nor one above it, and no place where a disk is mounted.
    """
    if folder.is_symlink():
        raise ValueError(f"{folder} is a link, and a folder is to be written: name what it points to.")
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{folder} is a file, and a folder is to be written: choose another name.")
    if Path.cwd().is_relative_to(folder.resolve()):
        raise ValueError(f"{folder} is the folder you are in, or above it: name a new one to be written.")
    if not force and folder.is_dir() and any(folder.iterdir()):
        raise ValueError(
            Sentence(f"{folder} holds files already: choose another folder, or ", Argument("force it"), ".")
        )
    _must_be_writable(folder)


def _must_be_writable(folder: Path) -> None:
    """Raise unless a folder can be put there: tried, because permissions do not tell all."""
    there = next(path for path in folder.absolute().parents if path.exists())
    if not there.is_dir():
        raise ValueError(f"{there} is a file and can hold no folder: choose another place than {folder}.")
    own = folder.is_dir() and (os.path.ismount(folder) or not os.access(folder, os.W_OK | os.X_OK))
    try:
        if own:
            raise PermissionError
        with _room_beside(folder):
            pass
    except OSError as error:
        reason = f" ({error.strerror})" if error.strerror else ""
        raise ValueError(
            f"{folder if own else there} may not be written to{reason}: choose another place than {folder}."
        ) from None


def write_text_whole(path: Path, content: str) -> None:
    """Write a text file whole or not at all."""
    with written_whole(path) as temporary:
        temporary.write_text(content, encoding="utf-8")
