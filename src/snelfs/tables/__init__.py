"""A file of any format becomes features and a target, and back."""

from snelfs.foundation.task import guess_task
from snelfs.tables.checks import perfect_separators, target_copies
from snelfs.tables.reading import Table, read_table
from snelfs.tables.sheet import TableError
from snelfs.tables.writing import write_like

__all__ = [
    "Table",
    "TableError",
    "guess_task",
    "perfect_separators",
    "read_table",
    "target_copies",
    "write_like",
]
