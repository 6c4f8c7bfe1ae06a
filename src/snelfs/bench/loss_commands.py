"""The command of ``snelfs bench`` that compares losses: parse, call, print."""

from pathlib import Path
from typing import Annotated

import typer

from snelfs.bench.journal import Journal
from snelfs.bench.running import (
    Methods,
    OnlyTables,
    Output,
    Scheduler,
    TimeLimit,
    origin,
    recorded,
    run_shown,
    write_shown,
)
from snelfs.cli.options import Jobs, errors_as_sentences, words

comparisons = typer.Typer()


@comparisons.command()
def losses(
    methods: Methods = "",
    seeds: Annotated[int, typer.Option(min=1, help="Draws.")] = 10,
    jobs: Jobs = 1,
    scheduler: Scheduler = None,
    time_limit: TimeLimit = 900,
    only_tables: OnlyTables = False,
    output: Output = Path("results"),
) -> None:
    """Ask which losses find columns that move the upper quantile of the target and not its mean.

    Every result is recorded as soon as it exists: a run that was stopped goes on where it was.

    Example: snelfs bench losses --methods quantile,squared_error --seeds 3
    """
    from snelfs.bench import losses

    with errors_as_sentences():
        trials = losses.loss_trials(words("methods", methods, tuple(losses.TITLES)), seeds)
        journal = Journal(output / "records" / "losses.jsonl", {"selected": losses.N_SELECTED})
        if not only_tables:
            run_shown("losses", losses.find_tails, trials, journal, jobs, time_limit, scheduler)
    records = recorded(trials, journal)
    title = (
        f"Losses: share of columns found, {losses.N_SELECTED} of {losses.N_COLUMNS} selected, "
        f"{losses.N_ROWS:,} rows"
    )
    write_shown(output, "losses", title, losses.loss_rows(records), measured_with=origin(records))
