"""The command ``snelfs plot``: parse, call, print."""

from pathlib import Path
from typing import Annotated, Any

import typer

from snelfs.cli import options
from snelfs.cli.settings import READING

Kind = Annotated[
    str,
    typer.Argument(
        metavar="KIND",
        help="ranking, frequency, agreement, stability, layer, training, size, distribution or interaction.",
        show_default=False,
    ),
]
Data = Annotated[
    Path | None,
    typer.Argument(
        metavar="[FILE]",
        help="Data for distribution and interaction; by default the file that the folder was made from.",
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

    Data are read as the selection read them; options change that.

    Example: snelfs plot genes-selection ranking --output ranking.pdf
    """
    with options.all_in_sentences():
        from snelfs.selection.folder import model_of
        from snelfs.selection.pictures import KINDS, NEED_DATA, display, must_be_a_picture, save_display

        path = output or Path(f"{kind}.png")
        if kind not in KINDS:
            raise ValueError(f"KIND must be one of {', '.join(KINDS)}; got {kind!r}.")
        must_be_a_picture(path)
        options.refuse_file(path, force=force)
        estimator = model_of(model)
        table = _table(model, kind, data, reading, estimator, number) if kind in NEED_DATA else None
        import matplotlib

        matplotlib.use("agg")  # a file needs no window
        path.parent.mkdir(parents=True, exist_ok=True)
        save_display(display(estimator, kind, table=table, number=number), path)
    typer.echo(f"written: {path}")


def _table(
    model: Path, kind: str, data: Path | None, asked: dict[str, Any], estimator: Any, number: int | None
) -> Any:
    """Read the data as the selection did, but for what was asked now."""
    from snelfs.selection.folder import reading_of
    from snelfs.selection.pictures import columns_shown
    from snelfs.tables.reading import read_table

    known = dict(reading_of(model))
    file = data or known.get("file")
    if file is None:
        raise ValueError(
            f"A plot of the kind {kind!r} needs a data file, and {model} does not say which it was."
        )
    reading = {name: known[name] for name in READING if known.get(name) is not None}
    reading |= {name: value for name, value in asked.items() if value not in (None, False)}
    return read_table(file, columns=columns_shown(estimator, kind, number), **reading)
