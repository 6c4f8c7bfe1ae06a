"""Read and write ARFF, the format of Weka: typed attributes in a header, then dense or sparse rows.

The reader of scipy knows neither sparse rows nor attributes of text. Here the rows are parsed by pandas, so
that tens of thousands of attributes take seconds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from snelfs.tables.cells import MISSING, number
from snelfs.tables.delimited import decoded, parsed
from snelfs.tables.sheet import Frame, Sheet, TableError, file_bytes, pandas, unique_names

_ATTRIBUTE = re.compile(
    r"@attribute\s+(?:'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"|([^\s{]+))\s*(\{.*\}|\S+)", re.IGNORECASE
)
_DATA = re.compile(r"^[ \t]*@data\b.*$", re.IGNORECASE | re.MULTILINE)
_QUOTED = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\""
_PAIR = re.compile(rf"\s*([0-9]+)\s+({_QUOTED}|[^\s,{{}}'\"]+)\s*")
_NOMINAL_VALUE = re.compile(rf"\s*({_QUOTED}|[^,]*?)\s*(?:,|$)")
_MOST_DIGITS = 18  # of a place
_NUMERIC = {"numeric", "real", "integer"}
_SAFE = re.compile(r"[A-Za-z0-9_.+/-]+")


class _Attribute(NamedTuple):
    name: str
    kind: str  # "numeric", "nominal", "string", …
    first: str  # the value that a sparse row leaves out


def read_arff(path: Path) -> Sheet:
    """Read an ARFF file, dense or sparse."""
    text, notes = decoded(file_bytes(path), path)
    cut = _DATA.search(text)
    attributes = [
        _attribute(line, path) for line in text[: cut and cut.start()].splitlines() if _declares(line)
    ]
    if cut is None or not attributes:
        raise TableError(
            f"{path} is no ARFF file: it has no {'@data line' if cut is None else '@attribute'}."
        )
    lines = [line.strip() for line in text[cut.end() :].splitlines()]
    lines = [line for line in lines if line and not line.startswith("%")]
    if not lines:
        raise TableError(f"{path} has a header but no rows.")
    sparse = lines[0].startswith("{")
    frame = _sparse_rows(lines, attributes, path) if sparse else _dense_rows(lines, attributes, path)
    names = unique_names([attribute.name for attribute in attributes], path)
    return Sheet(frame, names, "arff", comma=".", notes=notes)


def _declares(line: str) -> bool:
    return line.lstrip()[:10].lower() == "@attribute"


def _attribute(line: str, path: Path) -> _Attribute:
    found = _ATTRIBUTE.match(line.strip())
    if found is None:
        raise TableError(f"{path} has an attribute without a name or a type: {line.strip()[:60]!r}.")
    name = re.sub(r"\\(.)", r"\1", next(part for part in found.groups()[:3] if part is not None))
    kind = found[4].lower()
    if kind.startswith("{"):
        return _Attribute(name, "nominal", _unquoted(_NOMINAL_VALUE.match(found[4][1:-1])[1]))  # type: ignore[index]
    return _Attribute(name, "numeric" if kind in _NUMERIC else kind, "0")


def _dense_rows(lines: list[str], attributes: list[_Attribute], path: Path) -> Frame:
    """Return the rows of a dense file; the quotation mark is the one that the rows use."""
    body = "\n".join(lines)
    sign = "," if "," in lines[0] or len(attributes) == 1 else "\t"
    quote = "'" if "'" in body else '"'
    return parsed(body, path, sign, len(attributes), ".", heading=False, quote=quote, escape="\\")


def _sparse_rows(lines: list[str], attributes: list[_Attribute], path: Path) -> Frame:
    """Return the rows of a sparse file; what a row leaves out is 0, or the first of the nominal values."""
    values = np.zeros((len(lines), len(attributes)))
    named = {
        place: np.full(len(lines), attribute.first, dtype=object)
        for place, attribute in enumerate(attributes)
        if attribute.kind != "numeric"
    }
    for row, line in enumerate(lines):
        for place, cell in _pairs(line, len(attributes), row + 1, path):
            value = None if cell in MISSING else cell
            if place in named:
                named[place][row] = value
            else:
                values[row, place] = _figure(value, attributes[place].name, row + 1, path)
    pd = pandas()
    numeric = [place for place in range(len(attributes)) if place not in named]
    frames = [pd.DataFrame(values[:, numeric], columns=numeric), pd.DataFrame(named)]
    return pd.concat(frames, axis=1)[list(range(len(attributes)))]


def _pairs(line: str, n_attributes: int, row: int, path: Path) -> Iterator[tuple[int, str]]:
    """Yield the places and values that a sparse row names; nothing in it may be left over, or come twice."""
    seen: set[int] = set()
    inner = line[1:-1].strip() if line.startswith("{") and line.endswith("}") else "no braces"
    start = 0
    while start < len(inner):
        found = _PAIR.match(inner, start)
        place = int(found[1][:_MOST_DIGITS]) if found else -1
        end = found.end() if found else start
        if found is None or place in seen or not (end == len(inner) or inner[end] == ","):
            raise TableError(
                f"Row {row:,} of {path} is no sparse row of places, each once, and values: {line[:60]!r}."
            )
        if place >= n_attributes:
            raise TableError(
                f"Row {row:,} of {path} has a value at place {place:,}, and the last of its "
                f"{n_attributes:,} attributes is at {n_attributes - 1:,}."
            )
        seen.add(place)
        yield place, _unquoted(found[2])
        start = end + 1


def _figure(value: str | None, name: str, row: int, path: Path) -> float:
    if value is None:
        return float("nan")
    figure = number(value)
    if figure is None:
        raise TableError(f"Row {row:,} of {path} has no number for the attribute {name!r}: {value[:60]!r}.")
    return figure


def _unquoted(value: str) -> str:
    if len(value) > 1 and value[0] == value[-1] and value[0] in "'\"":
        return re.sub(r"\\(.)", r"\1", value[1:-1])
    return value


def write_arff(path: Path, names: Sequence[str], columns: Sequence[Any], nominal: Sequence[bool]) -> None:
    """Write columns as a dense ARFF file: numbers, nominal values, or text where a column is of neither."""
    written = []
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write("@relation selected\n\n")
        for name, column, named in zip(names, columns, nominal, strict=True):
            is_text = column.dtype.kind not in "biuf"
            cells = [_quoted(str(value)) if is_text else _shown(value) for value in column.tolist()]
            kind = f"{{{','.join(sorted(set(cells)))}}}" if named else "string" if is_text else "numeric"
            file.write(f"@attribute {_quoted(name)} {kind}\n")
            written.append(cells)
        file.write("\n@data\n")
        file.writelines(",".join(cells) + "\n" for cells in zip(*written, strict=True))


def _quoted(text: str) -> str:
    if _SAFE.fullmatch(text):
        return text
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def _shown(value: Any) -> str:
    return str(value) if isinstance(value, bool) else repr(value)
