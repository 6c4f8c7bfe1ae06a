"""The command line: parse, call, print. It needs the extra `cli`; heavy imports wait for their command."""

from collections.abc import MutableMapping
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from snelfs.cli.apply import apply
from snelfs.cli.evaluate import evaluate
from snelfs.cli.plot import plot
from snelfs.cli.select import select


class _Bench(TyperGroup):
    """The commands of `bench`, which are imported when one of them is called or all are listed."""

    @property
    def commands(self) -> MutableMapping[str, Any]:
        benchmarks = import_module("snelfs.bench.commands").bench
        found: MutableMapping[str, Any] = typer.main.get_command(benchmarks).commands  # type: ignore[attr-defined]
        return found

    @commands.setter
    def commands(self, _: object) -> None:
        """Take no others."""


app = typer.Typer(no_args_is_help=True, help="Feature selection with a sparse neural network layer.")
for command in (select, apply, plot, evaluate):
    app.command()(command)
app.add_typer(
    typer.Typer(cls=_Bench, no_args_is_help=True, help="Measure, and write the figures to a folder."),
    name="bench",
)


@app.callback(invoke_without_command=True)
def version(show: Annotated[bool, typer.Option("--version", help="Show the version.")] = False) -> None:
    """Feature selection with a sparse neural network layer."""
    if show:
        from snelfs import __version__

        typer.echo(f"snelfs {__version__}")
        raise typer.Exit
