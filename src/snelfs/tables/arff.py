"""Read and write ARFF, the format of Weka: typed attributes in a header, then dense or sparse rows.

The reader of scipy knows neither sparse rows nor attributes of text. Here the rows are parsed by pandas, so
that tens of thousands of attributes take seconds.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from snelfs.tables.cells import MISSING
from snelfs.tables.delimited import decoded, parsed
from snelfs.tables.sheet import Frame, Sheet, TableError, file_bytes, pandas, unique_names

_ATTRIBUTE = re.compile(
    r"@attribute\s+(?:'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"|([^\s{]+))\s*(\{.*\}|\S+)", re.IGNORECASE
)
_DATA = re.compile(r"^[ \t]*@data\b.*$", re.IGNORECASE | re.MULTILINE)
_PAIR = re.compile(r"\s*(\d+)\s+('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|[^,]+?)\s*(?:,|$)")
_NOMINAL_VALUE = re.compile(r"\s*('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|[^,]*?)\s*(?:,|$)")
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
        for digits, cell in _PAIR.findall(line.strip("{} \t")):
            place, value = int(digits), _unquoted(cell)
            try:
                if place in named:
                    named[place][row] = None if value in MISSING else value
                else:
                    values[row, place] = np.nan if value in MISSING else float(value)
            except (IndexError, ValueError):
                raise TableError(
                    f"{path} has no number for one of its {len(attributes):,} attributes in row {row + 1}: "
                    f"{f'{digits} {cell}'!r}."
                ) from None
    pd = pandas()
    numeric = [place for place in range(len(attributes)) if place not in named]
    frames = [pd.DataFrame(values[:, numeric], columns=numeric), pd.DataFrame(named)]
    return pd.concat(frames, axis=1)[list(range(len(attributes)))]


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
