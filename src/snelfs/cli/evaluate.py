"""The command ``snelfs evaluate``: parse, call, print."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from snelfs.cli import endings, options
from snelfs.cli.progress import progress_bar
from snelfs.cli.settings import FLAGS, OF_COLUMNS, SETTINGS

if TYPE_CHECKING:
    from snelfs.evaluation.result import Evaluation, Size
    from snelfs.tables.reading import Table

Features = Annotated[
    str | None,
    typer.Option(
        "-k",
        "--features",
        metavar="N|auto",
        help="Features to select; by default 30, or a third of all if that is less.",
        show_default=False,
    ),
]
Methods = Annotated[
    str,
    typer.Option(
        help="What to compare SNeL-FS with, separated by commas.", metavar="NAMES", show_default=True
    ),
]
Output = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER",
        help="Folder for evaluation.csv, evaluation.json and evaluation.png.",
        show_default=False,
    ),
]


_OF_COLUMNS = [setting for setting in SETTINGS if setting.name in OF_COLUMNS]


@options.with_options(options.setting_options(_OF_COLUMNS))
@options.with_options(options.READING, first=True)
def evaluate(
    file: options.File,
    features: Features = None,
    columns: options.OtherNumber = None,
    task: options.Task = "auto",
    methods: Methods = "filters_alone,no_fs,f_score,mrmr,relieff",
    folds: Annotated[int, typer.Option(min=2, help="Folds of the cross-validation.")] = 5,
    repeats: Annotated[int, typer.Option(min=1, help="Repetitions of the cross-validation.")] = 1,
    seed: options.Seed = 0,
    jobs: options.Jobs = 1,
    output: Output = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
    **more: Any,
) -> None:
    """Ask whether a selection helps on your table, and whether a simple filter would do.

    Columns are chosen inside every fold of a cross-validation, by SNeL-FS and by the other methods, and four
    models are tested on the rows held out. The last line is the verdict.

    Example: snelfs evaluate genes.csv --target class -k 20 --output evaluation
    """
    with options.all_in_sentences():
        from snelfs.foundation.files import refuse_full_folder
        from snelfs.tables.reading import read_table

        chosen, size = _chosen(methods), _size(features or columns)
        if output is not None:
            refuse_full_folder(output, force=force)
            endings.watch(output)
        given = {name: more.pop(name) for name in OF_COLUMNS}
        table = read_table(file, **{name: value for name, value in more.items() if value is not None})
        kind = options.task_of(task, table)
        options.say(table.notes, quiet=quiet)
        asked = {"task": kind, "n_features": size, "methods": chosen, "folds": folds, "repeats": repeats}
        found = _evaluated(table, given, {**asked, "seed": seed, "jobs": jobs}, quiet=quiet)
        options.say(found.notes, quiet=quiet)
        _write(found, table, file, output, force=force, quiet=quiet)
    _print(found)


def _chosen(methods: str) -> list[str]:
    from snelfs.evaluation.cross_validation import CHOICES, METHODS

    return options.words("methods", methods, METHODS, [name for name in CHOICES if name not in METHODS])


def _size(columns: str | None) -> Size | None:
    """Return how many columns are asked for."""
    if columns is None:
        return None
    if columns == "auto":
        return "auto"
    if not columns.isdecimal() or int(columns) < 1:
        raise ValueError(f"-k must be a number of columns of at least 1, or auto; got {columns!r}.")
    return int(columns)


def _evaluated(table: Table, given: dict[str, Any], asked: dict[str, Any], *, quiet: bool) -> Evaluation:
    from snelfs.evaluation import cross_validation
    from snelfs.selection.told import told_of_columns

    flags = {name: given.pop(name) for name in FLAGS if name in given}
    number = {} if asked["n_features"] is None else {"n_features_to_select": asked["n_features"]}
    said = {name: value for name, value in given.items() if value not in (None, "none")}
    told = {"categorical": None} | told_of_columns(said | number, table)
    del told["n_features_to_select"]
    with progress_bar("evaluate", quiet=quiet) as show:
        return cross_validation.evaluate(
            table.X,
            _named(table),
            groups=table.groups,
            feature_names=table.feature_names,
            progress=show,
            **told,
            **flags,
            **asked,
        )


def _named(table: Table) -> Any:
    """Return the target; several labels in a frame, so that sentences can name them."""
    if not table.labels:
        return table.y
    import pandas

    return pandas.DataFrame(table.y, columns=list(table.labels))


def _write(
    found: Evaluation, table: Table, file: Path, output: Path | None, *, force: bool, quiet: bool
) -> None:
    if output is None:
        return
    from snelfs.evaluation.files import write_evaluation

    names = table.feature_names
    paths = write_evaluation(found, output, feature_names=names, source=file.name, force=force)
    options.say([f"written: {path}" for path in paths], quiet=quiet)


# -- the table --------------------------------------------------------------------------------------


def _print(found: Evaluation) -> None:
    """Show one row a method, the best first, then the verdict."""
    from rich.console import Console
    from rich.table import Table as Grid

    console = Console()
    if not console.is_terminal:
        console.width = 140  # nobody's window: nothing is to be folded
    size = "the number it finds" if found.n_features == "auto" else f"{found.n_features}"
    groups = "" if found.n_groups is None else f" of {found.n_groups:,} groups"
    groups += "" if found.n_labels is None else f", {found.n_labels:,} labels"
    units = f"{found.n_columns:,} columns"
    if found.n_units not in (None, found.n_columns):
        units += f" in {found.n_units:,} units"
    grid = Grid(
        title=f"{found.n_rows:,} rows{groups}, {units}, selected: {size}; "
        f"means over {found.folds * found.repeats} folds and {len(found.models)} models "
        f"({', '.join(found.models)}), 95 % intervals",
        title_justify="left",
    )
    rows = found.summary()
    for place, heading in enumerate(_headings(found)):
        grid.add_column(heading, justify="right" if place else "left")
    for row in rows:
        grid.add_row(*_cells(row, found.metrics))
    console.print(grid)
    typer.echo(found.verdict())


def _headings(found: Evaluation) -> list[str]:
    from snelfs.evaluation.result import METRIC_TITLES

    first, *others = [METRIC_TITLES[metric] for metric in found.metrics]
    return ["method", first, f"SNeL-FS minus it, {first}", *others, "stability", "s per selection"]


def _cells(row: dict[str, Any], metrics: Sequence[str]) -> list[str]:
    first, *others = metrics
    gain = ""
    if "ours_minus" in row:
        gain = f"{row['ours_minus']:+.3f} ({row['ours_minus_low']:+.3f} to {row['ours_minus_high']:+.3f})"
    return [
        row["title"],
        f"{row[first]:.3f} ({row[f'{first}_low']:.3f} to {row[f'{first}_high']:.3f})",
        gain,
        *(f"{row[metric]:.3f}" for metric in others),
        "" if math.isnan(row["stability"]) else f"{row['stability']:.2f}",
        f"{row['seconds']:.2f}",
    ]
