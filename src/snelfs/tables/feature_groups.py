"""A file that says which columns of a table belong together."""

from __future__ import annotations

import os
from pathlib import Path

from snelfs.tables.cells import texts
from snelfs.tables.formats import read_sheet
from snelfs.tables.sheet import TableError


def read_feature_groups(path: str | os.PathLike[str]) -> dict[str, list[str]]:
    r"""Return the columns of every group, from a file of two columns with a header: column and group.

    A column without a group is alone, as one that the file does not name.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "groups.csv"
    ...     _ = file.write_text("column,group\nred,colour\ngreen,colour\nage,\n")
    ...     read_feature_groups(file)
    {'colour': ['red', 'green']}
    """
    path = Path(path)
    sheet = read_sheet(path, None, None)
    if sheet.is_sparse or len(sheet.names) != 2:
        raise TableError(
            f"{path} must have two columns with a header, the names of columns and of their groups; it has "
            f"{len(sheet.names)}."
        )
    groups: dict[str, list[str]] = {}
    for column, group in zip(texts(sheet.column(0)), texts(sheet.column(1)), strict=True):
        if column is not None and group is not None:
            groups.setdefault(group, []).append(column)
    if not groups:
        raise TableError(f"{path} names no group of columns.")
    return groups
