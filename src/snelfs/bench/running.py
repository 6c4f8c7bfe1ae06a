"""What the commands of ``snelfs bench`` share: options, runs that show how far they are, tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from snelfs.bench.journal import Journal, Record, markdown_table, write_results
from snelfs.cli.progress import progress_bar
from snelfs.foundation.environment import commit, environment
from snelfs.foundation.files import Row

if TYPE_CHECKING:
    from snelfs.evaluation.trials import Trial, Values

Output = Annotated[Path, typer.Option(help="Folder of the results.")]
Data = Annotated[str, typer.Option(help="Data sets, separated by commas; all by default.")]
Methods = Annotated[str, typer.Option(help="Methods, separated by commas; all by default.")]
Scheduler = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="Dask scheduler whose workers compute, such as tcp://host:8786."),
]
TimeLimit = Annotated[float, typer.Option(min=0.1, help="Seconds for one choice of columns and its test.")]
OnlyTables = Annotated[bool, typer.Option("--only-tables", help="Compute nothing; show what is recorded.")]
DataHome = Annotated[Path | None, typer.Option(help="Folder of <name>.npz files; else SNELFS_DATA.")]
Draws = Annotated[int, typer.Option(min=1, help="Draws of every data set of 200 rows.")]


def whole_path(path: Path | None) -> str | None:
    """Return the whole path of a folder, as a worker of a cluster starts elsewhere."""
    return str(path.absolute()) if path else None


def run_shown(
    title: str,
    compute: Callable[[Trial], Values],
    trials: Sequence[Trial],
    journal: Journal,
    jobs: int,
    time_limit: float,
    scheduler: str | None,
) -> None:
    """Compute what the journal lacks, and show how far it is; Ctrl-C ends with a sentence."""
    from snelfs.bench.runs import run

    compute_all = partial(run, compute, trials, journal, jobs=jobs, time_limit=time_limit)
    try:
        with progress_bar(title) as show:
            compute_all(scheduler=scheduler, on_progress=show)
    except KeyboardInterrupt:
        typer.echo(f"Stopped; {journal.path} has what is done, and the same command goes on.", err=True)
        raise typer.Exit(130) from None


def recorded(trials: Sequence[Trial], journal: Journal) -> list[Record]:
    """Return what is recorded of the trials, or say that there is nothing."""
    from snelfs.bench.runs import finished

    records = finished(trials, journal)
    if not records:
        typer.echo(f"There is no record yet in {journal.path}.", err=True)
        raise typer.Exit(1)
    return records


def origin(records: Sequence[Record]) -> dict[str, str]:
    """Return the environment, with the commits that the records were made at in place of today's."""
    commits = dict.fromkeys(record["commit"] for record in records)
    limits = sorted({record["time_limit"] for record in records})
    hosts = dict.fromkeys(record["host"] for record in records if "host" in record)
    return {
        **environment(),
        **({"computed on a cluster of": ", ".join(hosts)} if hosts else {}),
        "commit": ", ".join(commits),
        "commit of the tables": commit(),
        "records": f"{len(records):,}",
        "time limit, s": ", ".join(f"{limit:g}" for limit in limits),
    }


def write_shown(
    folder: Path,
    name: str,
    title: str,
    rows: Sequence[Row],
    sections: Mapping[str, str] | None = None,
    measured_with: Mapping[str, str] | None = None,
) -> None:
    """Print the first section, or the rows; write all to the folder, and say where."""
    shown = next(iter(sections.values())) if sections else markdown_table(rows)
    typer.echo(f"{title}\n\n{shown}\n")
    for path in write_results(folder, name, title, rows, sections, measured_with):
        typer.echo(f"written: {path}")
