"""The command ``snelfs select``: parse, call, print."""

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from snelfs.cli import endings, options
from snelfs.cli.progress import percent_bar
from snelfs.cli.settings import READING, SETTINGS, option_words, read_settings, value_of

if TYPE_CHECKING:
    from snelfs.selection.result import Selection

Number = Annotated[
    str | None,
    typer.Option(
        "-k",
        "--features",
        metavar="N|SHARE|auto",
        help="Features to select; by default 30, or a third of the columns if that is less. auto finds the "
        "smallest number that predicts held-out rows as well as more do.",
        show_default=False,
    ),
]
Task = Annotated[
    str | None,
    typer.Option(
        metavar="auto|classification|regression|survival",
        help="What the target is; by default what it looks like.",
        show_default="auto",
    ),
]
Seed = Annotated[
    int | None,
    typer.Option(
        metavar="N", min=0, max=2**32 - 1, help="Seed of all that is drawn at random.", show_default="0"
    ),
]
Shuffles = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        min=0,
        help="Shuffles of the target for q-values, each about as long as the selection; 20 or more say much.",
        show_default="0",
    ),
]
Config = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE.toml",
        help="File of settings by their names; options on the command line win.",
        show_default=False,
    ),
]
Output = Annotated[
    Path | None,
    typer.Option(metavar="FOLDER", help="Folder to write; by default FILE-selection.", show_default=False),
]


@options.with_options(options.setting_options(SETTINGS))
@options.with_options(options.READING, first=True)
def select(
    file: options.File,
    features: Number = None,
    columns: options.OtherNumber = None,
    task: Task = None,
    seed: Seed = None,
    shuffles: Shuffles = None,
    config: Config = None,
    output: Output = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
    **more: Any,
) -> None:
    """Select the features of a table that matter for a target, and write a folder on them.

    The folder holds features.csv with all columns, best first, the selected columns in the format of the
    table, the model for snelfs apply, selection.json with all that is needed to repeat it, and a report.
    Censored times are named by --time and --event in place of --target. Several labels a row are columns of
    zeros and ones, with commas between their names.

    Example: snelfs select genes.csv --target class -k 20
    """
    with options.all_in_sentences():
        short = {"n_features_to_select": features or columns, "random_state": seed, "n_shuffles": shuffles}
        given = _given({"task": task, **short, **more}, config)
        folder = output or Path(f"{options.stem(file)}-selection")
        found = _selected(file, given, folder, force=force, quiet=quiet)
    _show(found, folder)


def _given(asked: Mapping[str, Any], config: Path | None) -> dict[str, Any]:
    """Return what was asked for, on the command line or else in a file."""
    given = {} if config is None else read_settings(config)
    for name, value in asked.items():
        if value is not None and value is not False:
            is_text = isinstance(value, str) and name not in (*READING, "task", "keep", "feature_groups")
            given[name] = value_of(value) if is_text else value
    return given


def _selected(file: Path, given: dict[str, Any], folder: Path, *, force: bool, quiet: bool) -> "Selection":
    """Read, select and write."""
    from snelfs.selection.contents import refuse_folder
    from snelfs.tables.reading import read_table

    refuse_folder(folder, force=force)
    endings.watch(folder)
    reading = {name: given.pop(name) for name in READING if name in given}
    table = read_table(file, **reading)
    refuse_folder(folder, force=force, source=table.source)
    options.say(table.notes, quiet=quiet)
    task = options.task_of(given.pop("task", "auto"), table)
    from snelfs.selection.folder import write_folder
    from snelfs.selection.selecting import select

    origin = {"file": str(file), **{name: _text(value) for name, value in reading.items()}}
    command = command_line(file, {**reading, "task": task, **given})
    with percent_bar("select", quiet=quiet) as show:
        found = select(table, task=task, settings=given, progress=show, reading=origin, command=command)
    write_folder(found, folder, force=force)
    options.say(found.warnings, quiet=quiet)
    return found


def _text(value: Any) -> Any:
    return str(value) if isinstance(value, Path) else value


def command_line(file: Path, given: Mapping[str, Any]) -> str:
    """Return the command that repeats a selection, without need of a file of settings.

    Examples
    --------
    >>> command_line(Path("my genes.csv"), {"target": "class", "transpose": True, "n_features_to_select": 5})
    "snelfs select 'my genes.csv' --target class --transpose -k 5"
    """
    words = ["snelfs", "select", str(file)]
    for name, value in given.items():
        words += option_words(name, value)
    return shlex.join(words)


# -- what is printed --------------------------------------------------------------------------------

SHOWN = 10  # features


def _show(found: "Selection", folder: Path) -> None:
    """Print the first features, how many there are, and where they are."""
    from rich.console import Console
    from rich.table import Table as Grid
    from rich.text import Text

    from snelfs.foundation.words import percent, printable

    console = Console()
    if not console.is_terminal:
        console.width = 140  # nobody's window: nothing is to be folded
    with_q = found.features[0].q_value is not None
    grid = Grid()
    for heading, justify in (
        ("rank", "right"),
        ("feature", "left"),
        ("score", "right"),
        ("picked by", "right"),
    ):
        grid.add_column(heading, justify=justify)  # type: ignore[arg-type]
    for heading in (*(["q-value"] if with_q else []), "effect", "partner"):
        grid.add_column(heading)
    for feature in found.selected[:SHOWN]:
        q = [f"{feature.q_value:.3f}"] if feature.q_value is not None else []
        cells = [str(feature.rank), feature.name, f"{feature.score:.3f}", percent(feature.frequency)]
        grid.add_row(*(Text(printable(cell)) for cell in (*cells, *q, feature.effect, feature.partner or "")))
    console.print(grid)
    more = len(found.selected) - SHOWN
    rest = f", {more:,} more of them in features.csv" if more > 0 else ""
    n_columns = len(found.features)
    typer.echo(
        f"{len(found.selected):,} of {n_columns:,} columns selected in {found.seconds:.0f} s{rest}; "
        f"stability of the restarts {found.estimator.stability_}."
    )
    typer.echo(f"report: {folder / 'report.html'}")
