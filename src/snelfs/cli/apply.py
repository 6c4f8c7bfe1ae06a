"""The command ``snelfs apply``: parse, call, print."""

from pathlib import Path
from typing import Annotated, Any

import typer

from snelfs.cli import options

Predict = Annotated[
    bool, typer.Option("--predict/--transform", help="Write predictions, or the selected columns.")
]
Output = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="File to write, of any format but GEO; by default FILE-predicted or FILE-selected.",
        show_default=False,
    ),
]


# New data need no target.
_READING = {name: option for name, option in options.READING.items() if name not in ("target", "labels")}


@options.with_options(_READING)
def apply(
    model: options.Model,
    file: options.File,
    predict: Predict = True,
    output: Output = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
    **reading: Any,
) -> None:
    """Use a model on new data: predict, or take the selected columns.

    Columns are found by their names, in any order. Only the selected ones are needed.

    Example: snelfs apply genes-selection new_genes.csv --output predicted.csv
    """
    with options.all_in_sentences():
        from snelfs.selection.application import predictions, read_selected
        from snelfs.selection.folder import model_of
        from snelfs.tables.writing import write_like

        options.refuse_file(output, force=force)
        estimator = model_of(model)
        table = read_selected(estimator, file, **reading)
        options.say(table.notes, quiet=quiet)
        made = predictions(estimator, table) if predict else table
        if output is None:
            stem = Path(file.stem).stem if file.suffix.lower() == ".gz" else file.stem
            suffix = {"geo": "tsv"}.get(made.source, made.source)
            output = Path(f"{stem}-{'predicted' if predict else 'selected'}.{suffix}")
            options.refuse_file(output, force=force)
        written = write_like(made, output)
    typer.echo(f"written: {written}")
