"""The commands of ``snelfs bench`` that measure time and memory: parse, call, print."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from snelfs.bench.journal import Journal, markdown_table
from snelfs.bench.running import (
    Data,
    DataHome,
    Methods,
    OnlyTables,
    Output,
    TimeLimit,
    origin,
    recorded,
    run_shown,
    whole_path,
    write_shown,
)
from snelfs.cli.options import Jobs, errors_as_sentences, words

timings = typer.Typer()


@timings.command()
def speed(
    shapes: Annotated[str, typer.Option(help="Of S, C, L and K, separated by commas; all by default.")] = "",
    repetitions: Annotated[int, typer.Option(help="Turns that every candidate takes.")] = 10,
    output: Output = Path("results"),
) -> None:
    """Time trainings against the two matrix products they cannot do without, other frameworks, and starts.

    Example: snelfs bench speed --shapes S,C --repetitions 5
    """
    from snelfs.bench.speed.first_epochs import seconds_to_compute
    from snelfs.bench.speed.jobs import SHAPES
    from snelfs.bench.speed.measure import measure_speed, speed_rows

    rows: list[dict[str, object]] = []
    with errors_as_sentences():
        for name in words("shapes", shapes, list(SHAPES)):
            rows += speed_rows(name, measure_speed(SHAPES[name], repetitions=repetitions))
            typer.echo(f"{name}: {SHAPES[name]} measured", err=True)
        starts = seconds_to_compute(repetitions=repetitions)
    sizes = "; ".join(f"{name} is {shape}" for name, shape in SHAPES.items())
    title = f"Time of an epoch and model, {repetitions} repetitions: {sizes}"
    begun = [{"fit of this shape": which, "seconds": f"{seconds:.2f}"} for which, seconds in starts.items()]
    sections = {
        "An epoch and model": markdown_table(rows),
        "From the call of fit to the first epochs, in a new process, 200 × 500": markdown_table(begun),
    }
    write_shown(output, "speed", title, rows, sections)


@timings.command()
def peers(
    data: Data = "",
    methods: Methods = "",
    seeds: Annotated[int, typer.Option(min=1, help="Draws of every synthetic data set.")] = 10,
    slow_seeds: Annotated[int, typer.Option(min=1, help="Draws at most for the slow methods.")] = 1,
    time_limit: TimeLimit = 1800,
    data_home: DataHome = None,
    only_tables: OnlyTables = False,
    output: Output = Path("results"),
) -> None:
    """Time whole fits of other packages and of ours, and count the relevant columns each finds.

    One fit runs at a time, with all cores. Every result is recorded as soon as it exists: a run that was
    stopped goes on where it was.

    Example: snelfs bench peers --data XOR --methods snel,mrmr,relieff --seeds 3
    """
    from snelfs.bench import peers

    with errors_as_sentences():
        trials = peers.peer_trials(
            words("data", data, peers.DATA), words("methods", methods, peers.METHODS), seeds, slow_seeds
        )
        journal = Journal(output / "records" / "peers.jsonl", {"selected": peers.N_SELECTED})
        if not only_tables:
            compute = partial(peers.time_peer, data_home=whole_path(data_home))
            run_shown("peers", compute, trials, journal, 1, time_limit, None)
    records = recorded(trials, journal)
    title = f"Whole fits: {peers.N_SELECTED} columns selected, one fit at a time"
    write_shown(
        output, "peers", title, peers.peer_rows(records), peers.peer_sections(records), origin(records)
    )


@timings.command()
def scale(
    axes: Annotated[
        str, typer.Option(help="Of rows, columns, dim, restarts, array and cells; all by default.")
    ] = "",
    seeds: Annotated[int, typer.Option(min=1, help="Fits of every size.")] = 3,
    time_limit: TimeLimit = 1800,
    only_tables: OnlyTables = False,
    output: Output = Path("results"),
) -> None:
    """Measure time and peak memory of default fits as rows, columns, neurons and restarts double.

    One fit runs at a time, in a process of its own. Every result is recorded as soon as it exists: a run that
    was stopped goes on where it was.

    Example: snelfs bench scale --axes dim,restarts --seeds 1
    """
    from snelfs.bench import scale

    with errors_as_sentences():
        trials = scale.growth_trials(words("axes", axes, list(scale.AXES)), seeds)
        journal = Journal(output / "records" / "scale.jsonl", {"base": str(scale.Size())})
        if not only_tables:
            run_shown("scale", scale.measure_fit, trials, journal, 1, time_limit, None)
    records = recorded(trials, journal)
    rows = scale.growth_rows(records)
    sections = {"All sizes": markdown_table(rows)}
    if slopes := scale.exponents(records):
        sections = {"Exponents over three doublings": markdown_table(slopes), **sections}
    write_shown(output, "scale", "Growth of a default fit", rows, sections, origin(records))


@timings.command()
def shortcuts(
    data: Data = "",
    seeds: Annotated[int, typer.Option(min=1, help="Draws of every data set.")] = 10,
    jobs: Jobs = 1,
    time_limit: TimeLimit = 600,
    data_home: DataHome = None,
    only_tables: OnlyTables = False,
    output: Output = Path("results"),
) -> None:
    """Compare shorter ways to a selection with the full run: what they select, and how long they take.

    Example: snelfs bench shortcuts --data Mad,colon --seeds 3 --jobs 2
    """
    from snelfs.bench import shortcuts

    with errors_as_sentences():
        trials = shortcuts.shortcut_trials(words("data", data, shortcuts.DATA), seeds)
        journal = Journal(output / "records" / "shortcuts.jsonl", {"ways": shortcuts.WAYS})
        if not only_tables:
            compute = partial(shortcuts.take_way, data_home=whole_path(data_home))
            run_shown("shortcuts", compute, trials, journal, jobs, time_limit, None)
    records = recorded(trials, journal)
    title = "Shorter ways to a selection, against the full run"
    write_shown(output, "shortcuts", title, shortcuts.shortcut_rows(records), None, origin(records))
