"""What a measurement leaves behind: a journal of single results, and tables with their environment.

A journal is a text file of one JSON object a line. The first line holds the settings; every other line
is one result, written as soon as it exists, so that a run can be killed at any time and go on later.
"""

import io
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from snelfs.foundation.environment import environment
from snelfs.foundation.files import Row, csv_table, write_text_whole

Record = dict[str, Any]


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
    >>> import tempfile
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
        write_text_whole(path, content)
    return paths
