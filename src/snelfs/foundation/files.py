"""Files and folders written whole or not at all, and where things are kept between runs."""

import csv
import io
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from platformdirs import user_cache_path

from snelfs.foundation.sentences import Argument, Sentence


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
    r"""Return rows of equal keys as the text of a CSV file.

    Examples
    --------
    >>> csv_table([{"a": 1, "b": "x"}])
    'a,b\n1,x\n'
    """
    table = io.StringIO()
    writer = csv.DictWriter(table, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
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
    try:
        yield temporary
        temporary.chmod(0o644)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def folder_written_whole(folder: Path, *, force: bool = False) -> Iterator[Path]:
    """Give a temporary folder whose files become those of `folder` when the block ends well.

    Else nothing is left of them. A folder that is there and holds something is refused unless forced; then
    the new files take the place of those of the same name, and others stay.

    Examples
    --------
    >>> with tempfile.TemporaryDirectory() as parent:
    ...     with folder_written_whole(Path(parent) / "found") as inside:
    ...         _ = (inside / "a.txt").write_text("all of it")
    ...     [str(path.relative_to(parent)) for path in Path(parent).rglob("*")]
    ['found', 'found/a.txt']
    """
    refuse_full_folder(folder, force=force)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}-") as parent:
        inside = Path(parent) / folder.name
        inside.mkdir()
        yield inside
        if folder.is_dir() and any(folder.iterdir()):
            for path in inside.iterdir():
                path.replace(folder / path.name)
        else:
            inside.replace(folder)


def refuse_full_folder(folder: Path, *, force: bool) -> None:
    """Raise if a folder is to be written that is a file, or that holds something and is not forced."""
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{folder} is a file, and a folder is to be written: choose another name.")
    if not force and folder.is_dir() and any(folder.iterdir()):
        raise ValueError(
            Sentence(f"{folder} holds files already: choose another folder, or ", Argument("force it"), ".")
        )
    above = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    if not above.is_dir() or not os.access(above, os.W_OK):
        what = "may not be written to" if above.is_dir() else "is a file and can hold no folder"
        raise ValueError(f"{above} {what}: choose another place than {folder}.")


def write_text_whole(path: Path, content: str) -> None:
    """Write a text file whole or not at all."""
    with written_whole(path) as temporary:
        temporary.write_text(content, encoding="utf-8")
