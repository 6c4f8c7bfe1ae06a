"""The commands of ``snelfs bench``: parse, call, print."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from snelfs.bench.journal import Journal, Record, markdown_table, write_results
from snelfs.bench.runs import finished, run
from snelfs.cli.options import Jobs, errors_as_sentences, words
from snelfs.cli.progress import progress_bar
from snelfs.evaluation.trials import Trial, Values
from snelfs.foundation.environment import commit, environment
from snelfs.foundation.files import Row

bench = typer.Typer(no_args_is_help=True, help="Measure, and write the figures to a folder.")

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


@bench.command()
def synthetic(
    data: Data = "",
    methods: Methods = "",
    seeds: Draws = 20,
    large_seeds: Annotated[int, typer.Option(min=1, help="Draws of every data set of 5,000 rows.")] = 5,
    slow_seeds: Annotated[int, typer.Option(min=1, help="Draws at most for the slow methods.")] = 5,
    jobs: Jobs = 1,
    scheduler: Scheduler = None,
    time_limit: TimeLimit = 300,
    only_tables: OnlyTables = False,
    output: Output = Path("results"),
) -> None:
    """Ask which methods find the relevant columns in fresh draws of the paper's synthetic data.

    Every result is recorded as soon as it exists: a run that was stopped goes on where it was.

    Example: snelfs bench synthetic --data Mad,XOR --methods f_score,mrmr,relieff --jobs 2
    """
    from snelfs.bench import synthetic
    from snelfs.bench.methods import METHODS, STEPS

    with errors_as_sentences():
        chosen = words("methods", methods, METHODS, tuple(STEPS))
        trials = synthetic.recovery_trials(
            words("data", data, synthetic.SYNTHETIC), chosen, seeds, large_seeds, slow_seeds
        )
        journal = Journal(output / "records" / "synthetic.jsonl", {"selected": synthetic.N_SELECTED})
        if not only_tables:
            _run("synthetic", synthetic.recover, trials, journal, jobs, time_limit, scheduler)
    records = _records(trials, journal)
    title = f"Synthetic data: {synthetic.N_SELECTED} of 500 columns selected"
    rows, sections = synthetic.recovery_rows(records), synthetic.recovery_sections(records)
    _write(output, "synthetic", title, rows, sections, _origin(records))


@bench.command()
def microarray(
    data: Data = "",
    methods: Methods = "",
    repeats: Annotated[int, typer.Option(min=1, help="Repetitions of the cross-validation.")] = 3,
    slow_repeats: Annotated[int, typer.Option(min=1, help="Repetitions at most for the slow methods.")] = 1,
    jobs: Jobs = 1,
    scheduler: Scheduler = None,
    time_limit: TimeLimit = 300,
    data_home: DataHome = None,
    force: Annotated[bool, typer.Option("--force", help="Take sets filtered by their labels, too.")] = False,
    only_tables: OnlyTables = False,
    output: Output = Path("results"),
) -> None:
    """Cross-validate four classifiers on the columns each method chooses of the microarray data.

    Columns are chosen inside every fold. Every result is recorded as soon as it exists: a run that was
    stopped goes on where it was.

    Example: snelfs bench microarray --data colon,srbct --methods no_fs,f_score,mrmr --repeats 1 --jobs 2
    """
    from snelfs.bench import microarray, microarray_tables
    from snelfs.bench.methods import METHODS, STEPS
    from snelfs.datasets import list_microarray

    with errors_as_sentences():
        chosen = words("methods", methods, METHODS, tuple(STEPS))
        sets = words("data", data, list_microarray()) if data else microarray.available(data_home)
        trials = microarray.accuracy_trials(sets, chosen, repeats, slow_repeats, force=force)
        journal = Journal(output / "records" / "microarray.jsonl", {"selected": microarray.N_SELECTED})
        if not only_tables:
            compute = partial(microarray.assess, data_home=_folder(data_home))
            _run("microarray", compute, trials, journal, jobs, time_limit, scheduler)
    records = _records(trials, journal)
    scores = microarray_tables.collect(records)
    title = f"Microarray data: {microarray.N_SELECTED} columns selected in every fold"
    rows, sections = microarray_tables.accuracy_rows(scores), microarray_tables.accuracy_sections(scores)
    _write(output, "microarray", title, rows, sections, _origin(records))


@bench.command()
def ablation(
    data: Annotated[str, typer.Option(help="Microarray sets, separated by commas.")] = "colon,leukemia,srbct",
    seeds: Draws = 20,
    repeats: Annotated[int, typer.Option(min=1, help="Repetitions of the cross-validation.")] = 1,
    jobs: Jobs = 1,
    scheduler: Scheduler = None,
    time_limit: TimeLimit = 300,
    data_home: DataHome = None,
    only_tables: OnlyTables = False,
    output: Output = Path("results"),
) -> None:
    """Go from the paper's settings to the default, one part at a time, on synthetic and real data.

    The records are those of the two benchmarks: what they have is not computed again.

    Example: snelfs bench ablation --data colon --seeds 5 --jobs 2
    """
    from snelfs.bench import microarray, microarray_tables, synthetic
    from snelfs.bench.ablation import LADDER, SYNTHETIC, ablation_rows
    from snelfs.datasets import list_microarray

    with errors_as_sentences():
        draws = synthetic.recovery_trials(SYNTHETIC, LADDER, seeds, 1, 1)
        sets = words("data", data, list_microarray())
        folds = microarray.accuracy_trials(sets, LADDER, repeats, 1)
        drawn = Journal(output / "records" / "synthetic.jsonl", {"selected": synthetic.N_SELECTED})
        folded = Journal(output / "records" / "microarray.jsonl", {"selected": microarray.N_SELECTED})
        if not only_tables:
            compute = partial(microarray.assess, data_home=_folder(data_home))
            _run("synthetic", synthetic.recover, draws, drawn, jobs, time_limit, scheduler)
            _run("microarray", compute, folds, folded, jobs, time_limit, scheduler)
    recovered, assessed = _records(draws, drawn), _records(folds, folded)
    rows = ablation_rows(recovered, microarray_tables.collect(assessed))
    title = "From the paper's settings to the default"
    _write(output, "ablation", title, rows, measured_with=_origin([*recovered, *assessed]))


@bench.command()
def stability(
    data: Annotated[str, typer.Option(help="Microarray sets, separated by commas.")] = "leukemia,prostate",
    methods: Methods = "",
    samples: Annotated[int, typer.Option(min=2, help="Bootstrap samples of the rows.")] = 10,
    jobs: Jobs = 1,
    scheduler: Scheduler = None,
    time_limit: TimeLimit = 300,
    data_home: DataHome = None,
    only_tables: OnlyTables = False,
    output: Output = Path("results"),
) -> None:
    """Ask whether methods choose the same 30 columns from bootstrap samples of the rows.

    Example: snelfs bench stability --data leukemia --methods snel,snel_paper,f_score
    """
    from snelfs.bench import stability
    from snelfs.bench.methods import METHODS, STEPS
    from snelfs.bench.microarray import N_SELECTED
    from snelfs.datasets import list_microarray

    with errors_as_sentences():
        others = [name for name in (*METHODS, *STEPS) if name not in stability.METHODS]
        chosen = words("methods", methods, stability.METHODS, others)
        trials = stability.bootstrap_trials(words("data", data, list_microarray()), chosen, samples)
        journal = Journal(output / "records" / "stability.jsonl", {"selected": N_SELECTED})
        if not only_tables:
            compute = partial(stability.choose_from_sample, data_home=_folder(data_home))
            _run("stability", compute, trials, journal, jobs, time_limit, scheduler)
    records = _records(trials, journal)
    title = f"Stability of {N_SELECTED} columns over {samples} bootstrap samples of the rows"
    _write(output, "stability", title, stability.table_rows(records), measured_with=_origin(records))


@bench.command()
def chance(
    data: Annotated[str, typer.Option(help="Synthetic data sets, separated by commas.")] = "Mad,Reg",
    seeds: Draws = 20,
    jobs: Jobs = 1,
    scheduler: Scheduler = None,
    time_limit: TimeLimit = 600,
    only_tables: OnlyTables = False,
    output: Output = Path("results"),
) -> None:
    """Ask whether q-values keep their promise on shuffled targets, and what they find on real ones.

    Example: snelfs bench chance --data Reg --seeds 5 --jobs 2
    """
    from snelfs.bench import q_values
    from snelfs.bench.synthetic import GENERATORS

    with errors_as_sentences():
        trials = q_values.chance_trials(words("data", data, tuple(GENERATORS)), seeds)
        journal = Journal(output / "records" / "chance.jsonl", {})
        if not only_tables:
            _run("chance", q_values.count_finds, trials, journal, jobs, time_limit, scheduler)
    records = _records(trials, journal)
    title = f"Columns that q-values promise, over {seeds} draws and their shuffled targets"
    _write(output, "chance", title, q_values.table_rows(records), measured_with=_origin(records))


@bench.command()
def cost(
    data: Annotated[str, typer.Option(help="A microarray set.")] = "breast",
    repetitions: Annotated[int, typer.Option(help="Trainings of every classifier, before and after.")] = 20,
    data_home: DataHome = None,
    output: Output = Path("results"),
) -> None:
    """Time the training of four classifiers on all columns, and on 30 of them.

    Example: snelfs bench cost --data colon --repetitions 10
    """
    from snelfs.bench.cost import cost_rows, measure_cost
    from snelfs.datasets import load_microarray

    with errors_as_sentences():
        table = load_microarray(data, data_home=data_home)
        rows = cost_rows(measure_cost(table.X, table.y, repetitions))
    n_rows, n_columns = table.X.shape
    title = (
        f"Training times at {data}: {n_rows} rows, {n_columns:,} columns and 30, {repetitions} repetitions"
    )
    _write(output, "cost", title, rows)


@bench.command()
def saliency(
    source: Annotated[str, typer.Option(help="'digits', an mnist.npz, or a folder of IDX files.")] = "digits",
    columns: Annotated[int, typer.Option(help="Pixels to choose.")] = 16,
    samples: Annotated[int, typer.Option(help="Images drawn at most.")] = 2000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of draw, split and training.")] = 0,
    output: Output = Path("results"),
) -> None:
    """Draw the two saliency measures of one layer, trained on images of digits, side by side.

    Example: snelfs bench saliency --columns 16
    """
    from snelfs.bench import saliency_maps

    with errors_as_sentences():
        images = saliency_maps.load_images(source)
        maps = saliency_maps.measure_saliency(images, columns, n_samples=samples, random_state=seed)
        output.mkdir(parents=True, exist_ok=True)
        path = saliency_maps.save_figure(saliency_maps.draw_saliency(maps), output / "saliency.png")
    title = (
        f"Saliency on {maps.name}: {columns} pixels by each measure, {maps.overlap} in common, "
        f"rank correlation {maps.rank_correlation:.3f}, accuracy of all pixels {maps.accuracy_of_all:.3f}"
    )
    _write(output, "saliency", title, saliency_maps.comparison_rows(maps))
    typer.echo(f"written: {path}")


@bench.command()
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
    _write(output, "speed", title, rows, sections)


@bench.command()
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
            compute = partial(peers.time_peer, data_home=_folder(data_home))
            _run("peers", compute, trials, journal, 1, time_limit, None)
    records = _records(trials, journal)
    title = f"Whole fits: {peers.N_SELECTED} columns selected, one fit at a time"
    _write(output, "peers", title, peers.peer_rows(records), peers.peer_sections(records), _origin(records))


@bench.command()
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
            _run("scale", scale.measure_fit, trials, journal, 1, time_limit, None)
    records = _records(trials, journal)
    rows = scale.growth_rows(records)
    sections = {"All sizes": markdown_table(rows)}
    if slopes := scale.exponents(records):
        sections = {"Exponents over three doublings": markdown_table(slopes), **sections}
    _write(output, "scale", "Growth of a default fit", rows, sections, _origin(records))


@bench.command()
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
            compute = partial(shortcuts.take_way, data_home=_folder(data_home))
            _run("shortcuts", compute, trials, journal, jobs, time_limit, None)
    records = _records(trials, journal)
    title = "Shorter ways to a selection, against the full run"
    _write(output, "shortcuts", title, shortcuts.shortcut_rows(records), None, _origin(records))


# -- shared -----------------------------------------------------------------------------------------


def _folder(path: Path | None) -> str | None:
    """Return the whole path of a folder, as a worker of a cluster starts elsewhere."""
    return str(path.absolute()) if path else None


def _run(
    title: str,
    compute: Callable[[Trial], Values],
    trials: Sequence[Trial],
    journal: Journal,
    jobs: int,
    time_limit: float,
    scheduler: str | None,
) -> None:
    compute_all = partial(run, compute, trials, journal, jobs=jobs, time_limit=time_limit)
    try:
        with progress_bar(title) as show:
            compute_all(scheduler=scheduler, on_progress=show)
    except KeyboardInterrupt:
        typer.echo(f"Stopped; {journal.path} has what is done, and the same command goes on.", err=True)
        raise typer.Exit(130) from None


def _records(trials: Sequence[Trial], journal: Journal) -> list[Record]:
    """Return what is recorded of the trials, or say that there is nothing."""
    records = finished(trials, journal)
    if not records:
        typer.echo(f"There is no record yet in {journal.path}.", err=True)
        raise typer.Exit(1)
    return records


def _origin(records: Sequence[Record]) -> dict[str, str]:
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


def _write(
    folder: Path,
    name: str,
    title: str,
    rows: Sequence[Row],
    sections: Mapping[str, str] | None = None,
    measured_with: Mapping[str, str] | None = None,
) -> None:
    shown = next(iter(sections.values())) if sections else markdown_table(rows)
    typer.echo(f"{title}\n\n{shown}\n")
    for path in write_results(folder, name, title, rows, sections, measured_with):
        typer.echo(f"written: {path}")
