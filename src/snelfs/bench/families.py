"""The families benchmark: which methods find the relevant columns of problems nobody made a part for."""

from collections.abc import Iterable, Sequence

import numpy as np

from snelfs.bench.comparison import mean_and_spread
from snelfs.bench.family_data import FAMILIES, draw
from snelfs.bench.journal import Record, by_data_and_method, markdown_table
from snelfs.bench.methods import COMPARED, SLOW, STEPS, TITLES, choose_columns
from snelfs.evaluation.methods import FILTERS_ALONE, SNEL
from snelfs.evaluation.rivals.registry import RIVALS
from snelfs.evaluation.trials import Trial, Values, method_clock

N_COLUMNS, N_SELECTED = 500, 15
SIZES = (300, 1000)

# All that choose; no selection finds everything, and the paper's settings are for the paper's data.
METHODS = (
    *(name for name in RIVALS if name not in SLOW and name != "no_fs"),
    *(name for name in COMPARED if name != "snel_paper"),
)

# Of the table that shows what each part adds.
WITH_PARTS = (SNEL, FILTERS_ALONE, *STEPS)

# Draws of their own: those that settled anything, and those of other tables, start elsewhere.
FIRST_SEED = 75_000


def data_name(family: str, n_rows: int) -> str:
    """Return what a family of so many rows is called in records.

    Examples
    --------
    >>> data_name("gate", 300)
    'gate 300'
    """
    return f"{family} {n_rows}"


def family_trials(
    families: Iterable[str], sizes: Iterable[int], methods: Iterable[str], seeds: int
) -> list[Trial]:
    """Return the trials: every method on every draw of every family and size."""
    return [
        Trial(data_name(family, n_rows), method, seed)
        for n_rows in sizes
        for family in families
        for method in methods
        for seed in range(seeds)
    ]


def find(trial: Trial) -> Values:
    """Let one method choose 15 columns of a draw, and count which of the relevant ones are among them."""
    name, n_rows = trial.data.rsplit(" ", 1)
    family = FAMILIES[name]
    sample = draw(family, int(n_rows), N_COLUMNS, FIRST_SEED + trial.seed)
    with method_clock() as clock:
        chosen = choose_columns(
            trial.method,
            sample.X,
            sample.y,
            regression=family.regression,
            n_features=N_SELECTED,
            seed=trial.seed,
        )
    found = float(np.isin(sample.relevant, chosen).mean())
    return {**clock, "found": found, "selected": chosen.tolist(), "relevant": sample.relevant.tolist()}


# -- tables -----------------------------------------------------------------------------------------


def family_rows(records: Sequence[Record]) -> list[dict[str, object]]:
    """Return a row for every family, size and method: the share of relevant columns found, and its spread."""
    rows = []
    for (data, method), group in by_data_and_method(records).items():
        done = [record for record in group if record["status"] == "done"]
        found = np.array([record["found"] for record in done])
        row: dict[str, object] = {"data": data, "method": method, "draws": len(done)}
        if len(done):
            seconds = float(np.median([record["seconds"] for record in done]))
            row |= {"mean": round(float(found.mean()), 4), "sd": round(float(found.std()), 4)}
            row |= {"least": round(float(found.min()), 4), "median seconds": round(seconds, 2)}
        else:
            row |= dict.fromkeys(("mean", "sd", "least", "median seconds"), "")
        rows.append(row)
    return rows


def family_sections(records: Sequence[Record]) -> dict[str, str]:
    """Return the Markdown: tables of rivals and of parts for every size, the best mean of methods first.

    Parts are compared on the draws that all of them have.
    """
    shares = _shares(records)
    of_parts = _shares(_on_common_draws([record for record in records if record["method"] in WITH_PARTS]))
    sections = {}
    for n_rows in sorted({int(data.rsplit(" ", 1)[1]) for data, _ in shares}):
        families = [name for name in FAMILIES if any(data == data_name(name, n_rows) for data, _ in shares)]
        size = f"{n_rows:,} rows × {N_COLUMNS} columns"
        compared = [name for name in TITLES if name not in STEPS]
        rows = _overview(shares, families, n_rows, compared)
        if rows:
            sections[f"Share of relevant columns found, {size}"] = markdown_table(rows)
        parts = _overview(of_parts, families, n_rows, tuple(STEPS))
        if parts:
            beside = _overview(of_parts, families, n_rows, (SNEL, FILTERS_ALONE))
            sections[f"The default, and without each of its parts, {size}"] = markdown_table(beside + parts)
    return sections


def _shares(records: Iterable[Record]) -> dict[tuple[str, str], list[float]]:
    """Return the shares of relevant columns found, by data and method."""
    shares: dict[tuple[str, str], list[float]] = {}
    for record in records:
        if record["status"] == "done":
            shares.setdefault((record["data"], record["method"]), []).append(record["found"])
    return shares


def _on_common_draws(records: Sequence[Record]) -> list[Record]:
    """Return the records of draws that all methods have which have any of their data."""
    methods: dict[str, set[str]] = {}
    having: dict[tuple[str, int], set[str]] = {}
    for record in records:
        methods.setdefault(record["data"], set()).add(record["method"])
        having.setdefault((record["data"], record["seed"]), set()).add(record["method"])
    return [r for r in records if having[r["data"], r["seed"]] == methods[r["data"]]]


def _overview(
    shares: dict[tuple[str, str], list[float]], families: Sequence[str], n_rows: int, methods: Sequence[str]
) -> list[dict[str, object]]:
    """Return a row for each of some methods that has all families: its mean, then each with its spread."""
    methods = [
        method for method in methods if all((data_name(name, n_rows), method) in shares for name in families)
    ]
    means = {
        method: np.mean([np.mean(shares[data_name(name, n_rows), method]) for name in families])
        for method in methods
    }
    return [
        {
            "method": TITLES[method],
            "mean": f"{means[method]:.3f}",
            **{name: mean_and_spread(shares[data_name(name, n_rows), method]) for name in families},
        }
        for method in sorted(methods, key=lambda method: -means[method])
    ]


def layer_adds(records: Sequence[Record]) -> dict[str, float]:
    """Return by family and size how much more the default finds than the same search without its layer."""
    rows = {(row["data"], row["method"]): row["mean"] for row in family_rows(records)}
    return {
        str(data): float(str(mean)) - float(str(rows[data, FILTERS_ALONE]))
        for (data, method), mean in rows.items()
        if method == SNEL and rows.get((data, FILTERS_ALONE), "") != ""
    }
