"""The command line: parse, call, print. It needs the extra `cli`; heavy imports wait for their command."""

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(no_args_is_help=True, help="Feature selection with a sparse neural network layer.")
bench = typer.Typer(no_args_is_help=True, help="Measure, and write the figures to a folder.")
app.add_typer(bench, name="bench")


@app.callback(invoke_without_command=True)
def version(show: Annotated[bool, typer.Option("--version", help="Show the version.")] = False) -> None:
    """Feature selection with a sparse neural network layer."""
    if show:
        from snelfs import __version__

        typer.echo(f"snelfs {__version__}")
        raise typer.Exit


@bench.command()
def speed(
    rows: Annotated[int, typer.Option(help="Rows of the data.")] = 200,
    columns: Annotated[int, typer.Option(help="Columns of the data.")] = 500,
    dim: Annotated[int, typer.Option(help="Neurons of the layer.")] = 15,
    steps: Annotated[int, typer.Option(help="Steps of half a cycle.")] = 38,
    repetitions: Annotated[int, typer.Option(help="Turns that every candidate takes.")] = 5,
    output: Annotated[Path, typer.Option(help="Folder of the results.")] = Path("results"),
) -> None:
    """Time a training with 1 and 8 restarts against the two matrix products it cannot do without.

    Example: snelfs bench speed --repetitions 5
    """
    from snelfs.benchmark import Shape, markdown_table, measure_speed, write_results

    try:
        shape = Shape(rows, columns, dim, steps)
        figures = measure_speed(shape, repetitions=repetitions)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error
    title = f"Speed at {rows} × {columns}, dim {dim}: {shape.n_epochs:,} epochs, {repetitions} repetitions"
    typer.echo(f"{title}\n\n{markdown_table(figures)}\n")
    for path in write_results(output, "speed", title, figures):
        typer.echo(f"written: {path}")
