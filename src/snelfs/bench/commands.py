"""The commands of ``snelfs bench``, each of which calls the module of its name: parse, call, print."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from snelfs.bench.journal import Journal
from snelfs.bench.loss_commands import comparisons
from snelfs.bench.running import (
    Data,
    DataHome,
    Draws,
    Methods,
    OnlyTables,
    Output,
    Scheduler,
    TimeLimit,
    origin,
    recorded,
    run_shown,
    whole_path,
    write_shown,
)
from snelfs.bench.timing_commands import timings
from snelfs.cli.options import Jobs, errors_as_sentences, words

bench = typer.Typer()
bench.add_typer(comparisons)
bench.add_typer(timings)


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
            run_shown("synthetic", synthetic.recover, trials, journal, jobs, time_limit, scheduler)
    records = recorded(trials, journal)
    title = f"Synthetic data: {synthetic.N_SELECTED} of 500 columns selected"
    rows, sections = synthetic.recovery_rows(records), synthetic.recovery_sections(records)
    write_shown(output, "synthetic", title, rows, sections, origin(records))


@bench.command()
def families(
    data: Data = "",
    methods: Methods = "",
    rows: Annotated[str, typer.Option(help="Numbers of rows, separated by commas.")] = "300,1000",
    seeds: Annotated[int, typer.Option(min=1, help="Draws of every family.")] = 10,
    jobs: Jobs = 1,
    scheduler: Scheduler = None,
    time_limit: TimeLimit = 300,
    only_tables: OnlyTables = False,
    output: Output = Path("results"),
) -> None:
    """Ask which methods find the relevant columns of problems that no part of the search was made for.

    Every result is recorded as soon as it exists: a run that was stopped goes on where it was.

    Example: snelfs bench families --data gate,sines --methods snel,filters_alone,l1 --rows 300 --jobs 2
    """
    from snelfs.bench import families
    from snelfs.bench.family_data import FAMILIES
    from snelfs.bench.methods import STEPS

    with errors_as_sentences():
        chosen = words("methods", methods, families.METHODS, tuple(STEPS))
        sizes = [int(size) for size in words("rows", rows, [str(size) for size in families.SIZES])]
        trials = families.family_trials(words("data", data, tuple(FAMILIES)), sizes, chosen, seeds)
        journal = Journal(output / "records" / "families.jsonl", {"selected": families.N_SELECTED})
        if not only_tables:
            run_shown("families", families.find, trials, journal, jobs, time_limit, scheduler)
    records = recorded(trials, journal)
    title = f"Families of problems: {families.N_SELECTED} of {families.N_COLUMNS} columns selected"
    table, sections = families.family_rows(records), families.family_sections(records)
    write_shown(output, "families", title, table, sections, origin(records))


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
            compute = partial(microarray.assess, data_home=whole_path(data_home))
            run_shown("microarray", compute, trials, journal, jobs, time_limit, scheduler)
    records = recorded(trials, journal)
    scores = microarray_tables.collect(records)
    title = f"Microarray data: {microarray.N_SELECTED} columns selected in every fold"
    rows, sections = microarray_tables.accuracy_rows(scores), microarray_tables.accuracy_sections(scores)
    write_shown(output, "microarray", title, rows, sections, origin(records))


@bench.command()
def survival(
    data: Data = "",
    methods: Methods = "",
    seeds: Annotated[int, typer.Option(min=1, help="Draws of every simulated data set.")] = 10,
    repeats: Annotated[int, typer.Option(min=1, help="Repetitions of the cross-validation.")] = 3,
    jobs: Jobs = 1,
    scheduler: Scheduler = None,
    time_limit: TimeLimit = 600,
    data_home: DataHome = None,
    only_tables: OnlyTables = False,
    output: Output = Path("results"),
) -> None:
    """Ask which methods find the columns behind censored times, and whose columns order held-out rows.

    By default the simulated data; studies are named by --data and read from the folder of --data-home.

    Example: snelfs bench survival --data "linear 30,nsbcd" --methods snel,univariate_cox --data-home studies
    """
    from snelfs.bench import survival

    with errors_as_sentences():
        sets = words("data", data, tuple(survival.DRAWN), tuple(survival.STUDIES))
        chosen = words("methods", methods, tuple(survival.TITLES))
        trials = survival.survival_trials(sets, chosen, seeds, repeats)
        journal = Journal(output / "records" / "survival.jsonl", {"selected": survival.N_SELECTED})
        if not only_tables:
            compute = partial(survival.assess, data_home=whole_path(data_home))
            run_shown("survival", compute, trials, journal, jobs, time_limit, scheduler)
    records = recorded(trials, journal)
    rows, sections = survival.survival_rows(records), survival.survival_sections(records)
    write_shown(output, "survival", "Censored times", rows, sections, origin(records))


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
    """Leave out each part of the default once, the layer included, on synthetic and real data.

    The records are those of the two benchmarks: what they have is not computed again.

    Example: snelfs bench ablation --data colon --seeds 5 --jobs 2
    """
    from snelfs.bench import microarray, microarray_tables, synthetic
    from snelfs.bench.ablation import STEPS, SYNTHETIC, ablation_rows
    from snelfs.datasets import list_microarray

    with errors_as_sentences():
        draws = synthetic.recovery_trials(SYNTHETIC, STEPS, seeds, 1, 1)
        sets = words("data", data, list_microarray())
        folds = microarray.accuracy_trials(sets, STEPS, repeats, 1)
        drawn = Journal(output / "records" / "synthetic.jsonl", {"selected": synthetic.N_SELECTED})
        folded = Journal(output / "records" / "microarray.jsonl", {"selected": microarray.N_SELECTED})
        if not only_tables:
            compute = partial(microarray.assess, data_home=whole_path(data_home))
            run_shown("synthetic", synthetic.recover, draws, drawn, jobs, time_limit, scheduler)
            run_shown("microarray", compute, folds, folded, jobs, time_limit, scheduler)
    recovered, assessed = recorded(draws, drawn), recorded(folds, folded)
    rows = ablation_rows(recovered, microarray_tables.collect(assessed))
    title = "The default, and what is left of it without each of its parts"
    write_shown(output, "ablation", title, rows, measured_with=origin([*recovered, *assessed]))


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
            compute = partial(stability.choose_from_sample, data_home=whole_path(data_home))
            run_shown("stability", compute, trials, journal, jobs, time_limit, scheduler)
    records = recorded(trials, journal)
    title = f"Stability of {N_SELECTED} columns over {samples} bootstrap samples of the rows"
    write_shown(output, "stability", title, stability.table_rows(records), measured_with=origin(records))


@bench.command()
def deciding(
    data_home: Annotated[Path, typer.Option(help="Folder of <name>.npz files: X, and classes y.")],
    data: Annotated[str, typer.Option(help="Tables, separated by commas; all of classes by default.")] = "",
    methods: Methods = "",
    repeats: Annotated[int, typer.Option(min=1, help="Repetitions of the cross-validation.")] = 1,
    jobs: Jobs = 1,
    scheduler: Scheduler = None,
    time_limit: TimeLimit = 300,
    only_tables: OnlyTables = False,
    output: Output = Path("results"),
) -> None:
    """Ask what a selection from real tables owes to the layer's votes, and what another seed changes.

    Each table is asked about as it is, and each of several classes against the rest.

    Example: snelfs bench deciding --data-home tables --data shipp,su --jobs 2
    """
    from snelfs.bench import deciding
    from snelfs.bench.microarray import N_SELECTED

    with errors_as_sentences():
        tables = words("data", data, deciding.tables_in(data_home))
        chosen, home = words("methods", methods, deciding.METHODS), str(data_home.absolute())
        trials = deciding.deciding_trials(deciding.problems(tables, home), chosen, repeats)
        journal = Journal(output / "records" / "deciding.jsonl", {"selected": N_SELECTED})
        if not only_tables:
            compute = partial(deciding.assess, data_home=home)
            run_shown("deciding", compute, trials, journal, jobs, time_limit, scheduler)
    records = recorded(trials, journal)
    rows, sections = deciding.deciding_rows(records), deciding.deciding_sections(records)
    title = f"Who decides: {N_SELECTED} columns of real tables"
    write_shown(output, "deciding", title, rows, sections, origin(records))


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
    from snelfs.bench import chance
    from snelfs.bench.synthetic import GENERATORS

    with errors_as_sentences():
        trials = chance.chance_trials(words("data", data, tuple(GENERATORS)), seeds)
        journal = Journal(output / "records" / "chance.jsonl", {})
        if not only_tables:
            run_shown("chance", chance.count_finds, trials, journal, jobs, time_limit, scheduler)
    records = recorded(trials, journal)
    title = f"Columns that q-values promise, over {seeds} draws and their shuffled targets"
    write_shown(output, "chance", title, chance.table_rows(records), measured_with=origin(records))


@bench.command()
def studies(
    data: Data = "",
    seeds: Annotated[int, typer.Option(min=1, help="Draws of every study.")] = 10,
    jobs: Jobs = 1,
    scheduler: Scheduler = None,
    time_limit: TimeLimit = 600,
    data_home: DataHome = None,
    only_tables: OnlyTables = False,
    output: Output = Path("results"),
) -> None:
    """Ask what is found, and promised, of patients with several samples, batches, gaps and groups of columns.

    All of them are simulated. The real study gse3143 with its covariate is asked for by name, as its file
    is not part of the package.

    Example: snelfs bench studies --data patients --seeds 5 --jobs 2
    """
    from snelfs.bench import studies
    from snelfs.bench.adjusted_survival import STUDY

    with errors_as_sentences():
        names = words("data", data, tuple(studies.METHODS), [STUDY])
        trials = studies.study_trials(names, seeds)
        journal = Journal(output / "records" / "studies.jsonl", {"selected": studies.SELECTED})
        if not only_tables:
            compute = partial(studies.ask, data_home=whole_path(data_home))
            run_shown("studies", compute, trials, journal, jobs, time_limit, scheduler)
    # What was recorded of others is shown with them.
    records = recorded(studies.study_trials([*studies.METHODS, STUDY], seeds), journal)
    title, rows = "Studies", studies.study_rows(records)
    write_shown(output, "studies", title, rows, studies.study_sections(records), origin(records))


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
    write_shown(output, "cost", title, rows)


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
    from snelfs.bench import saliency

    with errors_as_sentences():
        images = saliency.load_images(source)
        maps = saliency.measure_saliency(images, columns, n_samples=samples, random_state=seed)
        output.mkdir(parents=True, exist_ok=True)
        path = saliency.save_figure(saliency.draw_saliency(maps), output / "saliency.png")
    title = (
        f"Saliency on {maps.name}: {columns} pixels by each measure, {maps.overlap} in common, "
        f"rank correlation {maps.rank_correlation:.3f}, accuracy of all pixels {maps.accuracy_of_all:.3f}"
    )
    write_shown(output, "saliency", title, saliency.comparison_rows(maps))
    typer.echo(f"written: {path}")


@bench.command()
def images(
    source: Annotated[str, typer.Option(help="'digits', an mnist.npz, or a folder of IDX files.")] = "digits",
    methods: Methods = "",
    seeds: Annotated[int, typer.Option(min=1, help="Draws of the images.")] = 5,
    samples: Annotated[int, typer.Option(help="Images drawn at most.")] = 2000,
    jobs: Jobs = 1,
    time_limit: TimeLimit = 1800,
    only_tables: OnlyTables = False,
    output: Output = Path("results"),
) -> None:
    """Choose pixels by the layer before a small convolutional network, and by others, and draw the masks.

    A new network of the same kind judges every choice. Every result is recorded as soon as it exists: a run
    that was stopped goes on where it was.

    Example: snelfs bench images --methods random,variance,convolutional --seeds 3
    """
    from snelfs.bench import images
    from snelfs.bench.saliency import load_images, save_figure

    with errors_as_sentences():
        shown, chosen = load_images(source), words("methods", methods, images.METHODS)
        missing = images.missing_methods(chosen)
        trials = images.image_trials(shown.name, [name for name in chosen if name not in missing], seeds)
        journal = Journal(output / "records" / "images.jsonl", {**images.SETTINGS, "samples": samples})
        if not only_tables:
            origin_of = source if source == "digits" else Path(source).absolute()
            compute = partial(images.assess, source=origin_of, n_samples=samples)
            run_shown("images", compute, trials, journal, jobs, time_limit, None)
    for name in missing:
        typer.echo(f"{images.TITLES[name]} is left out: it needs the extra 'bench'.", err=True)
    records = recorded(trials, journal)
    title = f"Pixels of {shown.name}, judged by a convolutional network that sees no others"
    rows, sections = images.image_rows(records), images.image_sections(records)
    write_shown(output, "images", title, rows, sections, origin(records))
    if images.with_masks(records):
        figure = images.draw_masks(records, shown.pixels.astype(float).mean(axis=0))
        typer.echo(f"written: {save_figure(figure, output / 'images.png')}")
