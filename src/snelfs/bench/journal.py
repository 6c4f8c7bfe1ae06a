"""What a measurement leaves behind: a journal of single results, and tables with their environment.

A journal is a text file of one JSON object a line. The first line holds the settings; every other line
is one result, written as soon as it exists, so that a run can be killed at any time and go on later.
"""

import csv
import io
import json
import os
import platform
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

Row = Mapping[str, object]
Record = dict[str, Any]

PACKAGES = (
    *("snelfs", "jax", "numpy", "scipy", "scikit-learn", "optax", "torch", "tensorflow_cpu"),
    *("lassonet", "boruta", "skrebate", "fast-select", "matplotlib"),
)


class Journal:
    """Append records to a file and read them back, whatever happened to the process that wrote them.

    Parameters
    ----------
    path : Path
        The file; it and its folder are created when the first record comes.
    settings : mapping
        What all records have in common. A file made with other settings is refused, so that results of
        different experiments never mix.

    Examples
    --------
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     journal = Journal(Path(folder) / "run.jsonl", {"columns": 30})
    ...     journal.append({"data": "colon", "f1": 0.5})
    ...     journal.records()
    [{'data': 'colon', 'f1': 0.5}]
    """

    def __init__(self, path: Path, settings: Mapping[str, object]) -> None:
        self.path = path
        self.settings = json.loads(json.dumps(settings))
        found = next(self._lines(), None)
        if found is not None and found.get("settings") != self.settings:
            raise ValueError(_other_settings(path, found.get("settings"), self.settings))

    def append(self, record: Record) -> None:
        """Write one record to the disk, as one line."""
        lines = [record] if self.path.exists() else [{"settings": self.settings}, record]
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("ab+") as file:
            text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
            file.write(_line_break_if_torn(file) + text.encode())
            file.flush()
            os.fsync(file.fileno())

    def records(self) -> list[Record]:
        """Return all records, without the settings."""
        return [line for line in self._lines() if "settings" not in line]

    def _lines(self) -> Iterator[Record]:
        if not self.path.exists():
            return
        for line in self.path.read_text(encoding="utf-8", errors="replace").splitlines():
            try:
                yield json.loads(line)
            except json.JSONDecodeError:
                continue  # the process was killed while it wrote this line: the result is computed again


def _line_break_if_torn(file: io.BufferedRandom) -> bytes:
    """Return a line break if the last line of an open file has none."""
    if file.seek(0, os.SEEK_END) == 0:
        return b""
    file.seek(-1, os.SEEK_END)
    return b"" if file.read(1) == b"\n" else b"\n"


def _other_settings(path: Path, found: object, wanted: object) -> str:
    return (
        f"{path} was made with the settings {json.dumps(found)}, not with {json.dumps(wanted)}: "
        "choose another output folder, or remove the file."
    )


# -- tables -----------------------------------------------------------------------------------------


def environment() -> dict[str, str]:
    """Return what a figure was measured with: commit, versions and machine."""
    return {
        "commit": commit(),
        "python": platform.python_version(),
        **{name: found for name in PACKAGES if (found := _version(name))},
        "cpu": _cpu(),
        "cores": str(os.cpu_count()),
    }


def commit() -> str:
    """Return the commit of the running source, marked if the source was changed since, or "unknown"."""
    command = ["git", "-C", str(Path(__file__).parent), "describe", "--always", "--dirty", "--abbrev=12"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def by_data_and_method(records: Sequence[Record]) -> dict[tuple[str, str], list[Record]]:
    """Return the records of every data set and method, in the order of the first of each."""
    groups: dict[tuple[str, str], list[Record]] = {}
    for record in records:
        groups.setdefault((record["data"], record["method"]), []).append(record)
    return groups


def markdown_table(rows: Sequence[Row]) -> str:
    """Return rows of equal keys as a Markdown table.

    Examples
    --------
    >>> print(markdown_table([{"a": 1, "b": "x"}]))
    | a | b |
    | --- | --- |
    | 1 | x |
    """
    header = list(rows[0])
    lines = [header, ["---"] * len(header), *([str(row[key]) for key in header] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


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


def write_results(
    folder: Path,
    name: str,
    title: str,
    rows: Sequence[Row],
    sections: Mapping[str, str] | None = None,
    measured_with: Mapping[str, str] | None = None,
) -> list[Path]:
    """Write rows as CSV and, with title and environment, as Markdown; each file whole or not at all.

    Parameters
    ----------
    sections : mapping of heading to Markdown, optional
        What the Markdown file shows in place of the rows, where these are too many to read.
    measured_with : mapping, optional
        What to say of the environment; by default that of this process.
    """
    table = csv_table(rows)
    body = markdown_table(rows)
    if sections is not None:
        body = "\n\n".join(f"## {heading}\n\n{text}" for heading, text in sections.items())
    setting = "\n".join(f"- {key}: {value}" for key, value in (measured_with or environment()).items())
    text = f"# {title}\n\n{body}\n\nMeasured with:\n\n{setting}\n"
    paths = [folder / f"{name}.csv", folder / f"{name}.md"]
    folder.mkdir(parents=True, exist_ok=True)
    for path, content in zip(paths, (table, text), strict=True):
        _write_whole(path, content)
    return paths


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
        raise ValueError(f"{folder} holds files already: choose another folder, or force it.")
    above = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    if not above.is_dir() or not os.access(above, os.W_OK):
        what = "may not be written to" if above.is_dir() else "is a file and can hold no folder"
        raise ValueError(f"{above} {what}: choose another place than {folder}.")


def _write_whole(path: Path, content: str) -> None:
    with written_whole(path) as temporary:
        temporary.write_text(content, encoding="utf-8")
