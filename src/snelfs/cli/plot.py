"""The command ``snelfs plot``: parse, call, print."""

from pathlib import Path
from typing import Annotated, Any

import typer

from snelfs.cli import endings, options
from snelfs.cli.settings import READING

Kind = Annotated[
    str,
    typer.Argument(
        metavar="KIND",
        help="ranking, frequency, agreement, stability, layer, training, size, distribution, interaction or "
        "survival.",
        show_default=False,
    ),
]
Data = Annotated[
    Path | None,
    typer.Argument(
        metavar="[FILE]",
        help="Data for distribution and interaction, by default the file that the folder was made from; for "
        "survival data with times and events, by default the rows held out.",
        show_default=False,
    ),
]
Number = Annotated[
    int | None,
    typer.Option("--number", "-n", metavar="N", min=1, help="Features or pairs to show.", show_default=False),
]
Output = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="PNG, SVG or PDF to write; by default KIND.png.", show_default=False),
]


@options.with_options(options.READING)
def plot(
    model: options.Model,
    kind: Kind,
    data: Data = None,
    number: Number = None,
    output: Output = None,
    force: options.Force = False,
    **reading: Any,
) -> None:
    """Draw what a selection found, or how it went.

    Data are read as the selection read them; options change that. Of several labels --target names the one to
    show.

    Example: snelfs plot genes-selection ranking --output ranking.pdf
    """
    with options.all_in_sentences():
        path = output or Path(f"{kind}.png")
        _refuse(model, kind, path, force=force)
        table, estimator = _read(model, kind, data, number, reading)
        import matplotlib

        from snelfs.selection.pictures import display, save_display

        matplotlib.use("agg")  # a file needs no window
        path.parent.mkdir(parents=True, exist_ok=True)
        save_display(display(estimator, kind, table=table, number=number, place=model), path)
    typer.echo(f"written: {path}")


def _refuse(model: Path, kind: str, path: Path, *, force: bool) -> None:
    """Raise if a plot cannot be drawn, as far as that can be told without the model."""
    from snelfs.selection.contents import model_path, record_of
    from snelfs.selection.picture_kinds import KINDS, must_be_a_picture

    if kind not in KINDS:
        raise ValueError(f"KIND must be one of {', '.join(KINDS)}; got {kind!r}.")
    must_be_a_picture(path)
    options.refuse_file(path, force=force)
    model_path(model)
    task, settings = record_of(model).get("task", "survival"), record_of(model).get("settings")
    if kind == "survival" and task != "survival":
        raise ValueError(f"A plot of the kind 'survival' is of censored times, and this is a {task}.")
    if kind == "size" and isinstance(settings, dict) and settings.get("n_features_to_select") != "auto":
        raise ValueError(
            "A plot of the kind 'size' needs a selection with -k auto, "
            f"and this was one with -k {settings.get('n_features_to_select')}."
        )
    endings.watch(path)


def _read(
    model: Path, kind: str, data: Path | None, number: int | None, asked: dict[str, Any]
) -> tuple[Any, Any]:
    """Read the data, if the plot needs any, and the model; the slow one comes last if it can."""
    from snelfs.selection.contents import selected_in
    from snelfs.selection.picture_kinds import NEED_DATA, columns_shown

    names, table = selected_in(model), None
    needs_data = kind in NEED_DATA or (kind == "survival" and data is not None)
    if needs_data and names is not None:
        table = _table(model, kind, data, asked, columns_shown(names, kind, number))
    from snelfs.selection.application import selected_names
    from snelfs.selection.folder import model_of

    estimator = model_of(model)
    needed = selected_names(estimator)
    if needs_data and names != needed:
        table = _table(model, kind, data, asked, columns_shown(needed, kind, number))
    return table, estimator


def _table(
    model: Path, kind: str, data: Path | None, asked: dict[str, Any], columns: list[str] | None
) -> Any:
    """Read the data as the selection did, but for what was asked now."""
    from snelfs.selection.contents import reading_of
    from snelfs.selection.one_label import read_with_one_label

    known = reading_of(model)
    file = data or known.get("file")
    if file is None:
        raise ValueError(
            f"A plot of the kind {kind!r} needs a data file, and {model} does not say which it was."
        )
    reading = {name: known[name] for name in READING if name in known}
    reading |= {name: value for name, value in asked.items() if value not in (None, False)}
    return read_with_one_label(file, columns, reading, known.get("target"))
