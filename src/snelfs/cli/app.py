"""The command line: parse, call, print. It needs the extra `cli`; heavy imports wait for their command."""

from typing import Annotated

import typer

from snelfs.bench.commands import bench
from snelfs.cli.apply import apply
from snelfs.cli.evaluate import evaluate
from snelfs.cli.plot import plot
from snelfs.cli.select import select

app = typer.Typer(no_args_is_help=True, help="Feature selection with a sparse neural network layer.")
for command in (select, apply, plot, evaluate):
    app.command()(command)
app.add_typer(bench, name="bench")


@app.callback(invoke_without_command=True)
def version(show: Annotated[bool, typer.Option("--version", help="Show the version.")] = False) -> None:
    """Feature selection with a sparse neural network layer."""
    if show:
        from snelfs import __version__

        typer.echo(f"snelfs {__version__}")
        raise typer.Exit
