"""The command ``snelfs apply``: parse, call, print."""

from pathlib import Path
from typing import Annotated, Any

import typer

from snelfs.cli import endings, options

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


Labels = Annotated[
    Path | None,
    typer.Option(
        "--labels",
        metavar="FILE",
        help="Second file with an id and the covariates of every row, if the table lacks them.",
        show_default=False,
    ),
]

# New data need no target, and each of their rows is alone.
_TO_LEARN = ("target", "time", "event", "strata", "groups", "covariates", "categorical")
_READING = {name: option for name, option in options.READING.items() if name not in _TO_LEARN}
_READING["labels"] = (Labels, None)


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

    Columns are found by their names, in any order. Only the selected ones are needed. A file of one feature a
    row is known by that of the selection.

    Example: snelfs apply genes-selection new_genes.csv --output predicted.csv
    """
    with options.all_in_sentences():
        path = output or _usual_output(file, predict=predict)
        options.refuse_file(path, force=force)
        endings.watch(path)
        table, estimator = _read(model, file, reading)
        options.say(table.notes, quiet=quiet)
        from snelfs.selection.application import far_outside, predictions, transformed

        made = transformed(estimator, table)
        if predict:
            options.say(far_outside(estimator, table), quiet=quiet)
            made = predictions(estimator, table)
        from snelfs.tables.writing import write_like

        written = write_like(made, path)
    typer.echo(f"written: {written}")


def _usual_output(file: Path, *, predict: bool) -> Path:
    """Return where to write if nobody says: here, in the format of the file."""
    from snelfs.tables.formats import file_format

    kind = file_format(file)
    suffix = {"geo": "tsv", "text": "tsv"}.get(kind, kind)
    return Path(f"{options.stem(file)}-{'predicted' if predict else 'selected'}.{suffix}")


def _read(model: Path, file: Path, reading: dict[str, Any]) -> tuple[Any, Any]:
    """Read the selected columns and the model; what can be refused without the model is refused first."""
    from snelfs.selection.contents import categories_in, model_path, selected_in

    model_path(model)
    names, recorded = selected_in(model), categories_in(model)
    table = None if names is None else _columns(model, file, names, recorded, reading)
    from snelfs.selection.application import columns_to_read, needed_categories, with_codes
    from snelfs.selection.folder import model_of

    estimator = model_of(model)
    needed, known = columns_to_read(estimator), needed_categories(estimator)
    if table is None or names != needed or recorded != known:
        table = _columns(model, file, needed, known, reading)
    return with_codes(estimator, table), estimator


def _columns(
    model: Path, file: Path, names: list[str], categories: dict[str, list[str]], reading: dict[str, Any]
) -> Any:
    """Read columns of a file, on its side if the selection's table was: unless that fits worse."""
    from snelfs.selection.contents import reading_of
    from snelfs.tables.reading import read_table
    from snelfs.tables.sheet import TableError

    # The file's own answers, if it has a place for them, are not asked for.
    wanted = {**reading, "target": "", "columns": names, "categories": categories}
    if reading["transpose"] or not reading_of(model).get("transpose"):
        return read_table(file, **wanted)
    try:
        return read_table(file, **wanted | {"transpose": True})
    except TableError as error:
        try:
            return read_table(file, **wanted)
        except TableError:
            raise error from None
