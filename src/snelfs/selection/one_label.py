"""One of several labels as a target of its own, for pictures that show one; read without JAX."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from snelfs.foundation.sentences import Argument
from snelfs.foundation.words import first_few
from snelfs.tables.labels import named_labels
from snelfs.tables.reading import Table, read_table
from snelfs.tables.sheet import TableError


def one_label(table: Table, label: str | None) -> Table:
    """Return a table with one of its labels as two classes, or raise if it has several and none is meant."""
    labels = named_labels(table.y, table.labels)
    if not labels or table.y is None:
        return table
    if label not in labels:
        raise TableError(
            f"This picture shows one target: name one of the labels {first_few(labels)} by ",
            Argument("target"),
            ".",
        )
    has = table.y[:, labels.index(label)] == 1
    # Without its name, which plots would cut to the same end of both.
    return replace(table, y=np.where(has, "with", "without"), target_name=label, labels=())


def read_with_one_label(
    file: str | os.PathLike[str],
    columns: Sequence[str] | None,
    reading: Mapping[str, Any],
    former: str | None,
) -> Table:
    """Read a table with one target; a label is taken from among those that a selection was of.

    The others must leave the features with it.

    Parameters
    ----------
    columns, reading : optional
        As `read_table` takes them.
    former : str or None
        The target of the selection, perhaps of several labels.
    """
    asked = reading.get("target")
    among = asked in [name.strip() for name in (former or "").split(",")]
    table = read_table(file, columns=columns, **{**reading, **({"target": former} if among else {})})
    return one_label(table, asked)
