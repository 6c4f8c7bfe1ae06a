"""The benchmark of studies: patients with several samples, batches, gaps and groups of columns.

All are simulated but one, which is asked for by name.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from snelfs import SNeLClassifier, SNeLRegressor
from snelfs.bench import adjusted_survival, grouped_columns
from snelfs.bench.comparison import mean_and_spread
from snelfs.bench.journal import Record, by_data_and_method, markdown_table
from snelfs.bench.survival import STUDIES
from snelfs.data.beside import freed
from snelfs.datasets import make_friedman, make_linear
from snelfs.evaluation import evaluate
from snelfs.evaluation.judges import judge_classes
from snelfs.evaluation.rivals.registry import choose
from snelfs.evaluation.trials import Trial, Values, method_clock
from snelfs.foundation.types import Floats, Ints
from snelfs.selection.caveats import gap_caveats

SELECTED = 15

# Patients, samples of each, and columns: relevant ones, those that tell patients apart, and plain noise.
PATIENTS, SAMPLES, NEW_PATIENTS = 60, 4, 500
RELEVANT, PERSONAL, NOISE = 5, 95, 200
SHUFFLES, PROMISE = 20, 0.1  # for q-values, and up to which of them a column is sure

ROWS, COLUMNS = 200, 500
BATCHED = 50  # columns that follow the batch, which agrees with the target in four rows of five
MISSING = 0.2  # of the values

# Draws of their own: those of other tables start elsewhere.
FIRST_SEED = 51_000

# Arguments of our estimators beyond their defaults: none, but for tests.
SETTINGS: dict[str, Any] = {}


class Study(NamedTuple):
    """A simulated study and what is true of it."""

    X: Floats
    y: NDArray[np.int64]
    patients: Ints
    relevant: Ints
    personal: Ints  # columns that tell patients, or batches, apart and nothing else


def draw_patients(n_patients: int, seed: int, first_patient: int = 0) -> Study:
    """Draw samples of patients: half of the patients are ill, which five columns show.

    Each of the personal columns has a value of the patient's own, alike in all samples, that has nothing to
    do with the illness; with few patients some agree with it by chance.

    Parameters
    ----------
    first_patient : int
        From where patients are numbered; others are other people of the same kind.
    """
    generator = np.random.default_rng([FIRST_SEED, seed, first_patient])
    order = np.random.default_rng([FIRST_SEED, seed]).permutation(RELEVANT + PERSONAL + NOISE)
    ill = generator.permutation(np.arange(n_patients) % 2)
    patients = np.repeat(np.arange(n_patients), SAMPLES)
    X = generator.standard_normal((len(patients), len(order)))
    own = generator.standard_normal((n_patients, RELEVANT + PERSONAL))
    X[:, : RELEVANT + PERSONAL] = 0.3 * X[:, : RELEVANT + PERSONAL] + own[patients]
    X[:, :RELEVANT] += 0.8 * (2 * ill[patients, None] - 1)
    places = np.argsort(order)  # where a column is after all are shuffled
    return Study(
        X[:, order],
        ill[patients],
        first_patient + patients,
        np.sort(places[:RELEVANT]),
        np.sort(places[RELEVANT : RELEVANT + PERSONAL]),
    )


def _patients(trial: Trial) -> Values:
    """Select and evaluate with or without the groups, and ask new patients who is right."""
    study = draw_patients(PATIENTS, trial.seed)
    groups = study.patients if trial.method == "with groups" else None
    with method_clock() as clock:
        selector = SNeLClassifier(SELECTED, n_shuffles=SHUFFLES, random_state=trial.seed, **SETTINGS)
        selector.fit(study.X, study.y, groups=groups)
    sure = selector.q_values_ <= PROMISE
    found = evaluate(
        study.X,
        study.y,
        groups=groups,
        n_features=SELECTED,
        methods=["f_score"],
        seed=trial.seed,
        settings=SETTINGS,
    )
    promised = found.interval("snel")
    return {
        **clock,
        "found": float(selector.support_[study.relevant].mean()),
        "false": int(selector.support_[study.personal].sum()),
        "sure": int(sure[study.relevant].sum()),
        "falsely_sure": int(sure.sum() - sure[study.relevant].sum()),
        "promised": [promised.mean, promised.low, promised.high],
        "kept": _new_patients(study, selector.support_, trial.seed),
    }


def _new_patients(study: Study, support: NDArray[np.bool_], seed: int) -> float:
    """Return the AUC of the four models on patients that nobody has seen."""
    new = draw_patients(NEW_PATIENTS, seed, first_patient=PATIENTS)
    X = np.concatenate([study.X, new.X])[:, support]
    known = np.arange(len(study.y))
    X = (X - X[known].mean(axis=0)) / X[known].std(axis=0)
    y = np.concatenate([study.y, new.y]).astype(np.intp)
    scores = judge_classes(X, y, known, np.arange(len(known), len(y)), seed)
    return float(np.mean([score["auc"] for score in scores.values()]))


def draw_batches(seed: int) -> Study:
    """Draw two batches: some columns follow the batch and five the target, which correlate at 0.6.

    The batch is the last column.
    """
    generator = np.random.default_rng([FIRST_SEED, seed, 2])
    batch = generator.permutation(np.arange(ROWS) % 2)
    y = np.where(generator.random(ROWS) < 0.8, batch, 1 - batch)
    X = generator.standard_normal((ROWS, COLUMNS))
    X[:, :RELEVANT] += 0.8 * (2 * y[:, None] - 1)
    X[:, RELEVANT : RELEVANT + BATCHED] += 1.5 * (2 * batch[:, None] - 1)
    order = generator.permutation(COLUMNS)
    places = np.argsort(order)
    relevant, batched = places[:RELEVANT], places[RELEVANT : RELEVANT + BATCHED]
    return Study(np.c_[X[:, order], batch], y, np.arange(ROWS), np.sort(relevant), np.sort(batched))


def _batches(trial: Trial) -> Values:
    """Count what is found of the target and what of the batch, adjusted for the batch or not."""
    study = draw_batches(trial.seed)
    X, batch = study.X[:, :-1], study.X[:, -1:]
    with method_clock() as clock:
        if trial.method == "F score of residuals":
            left = freed(X, batch, np.ones(len(X)))
            goal = freed(study.y[:, None].astype(np.float64), batch, np.ones(len(X)))[:, 0]
            chosen = choose("f_score", left, goal, "regression", SELECTED, trial.seed)
        else:
            adjusted = trial.method == "with covariates"
            beside: dict[str, Any] = {"covariates": [X.shape[1]]} if adjusted else {}
            selector = SNeLClassifier(SELECTED, random_state=trial.seed, **beside, **SETTINGS)
            selector.fit(study.X if adjusted else X, study.y)
            chosen = np.flatnonzero(selector.support_)
    return {
        **clock,
        "found": float(np.isin(study.relevant, chosen).mean()),
        "false": int(np.isin(study.personal, chosen).sum()),
    }


def _gaps(trial: Trial) -> Values:
    """Count the relevant columns found of a table with gaps, and whether its gaps are said to tell."""
    draw = make_linear if trial.data == "linear gaps" else make_friedman
    sample = draw(ROWS, COLUMNS, random_state=FIRST_SEED + trial.seed)
    generator = np.random.default_rng([FIRST_SEED, trial.seed, 1])
    X, order = sample.X.copy(), np.argsort(np.argsort(sample.y)) / len(sample.y)
    chance = generator.random(X.shape)
    gaps, _, rival = trial.method.partition(", ")
    if gaps == "missing at random":
        X[chance < MISSING] = np.nan
    if gaps == "missing by the target":  # the higher the target, the more
        X[chance < 2 * MISSING * order[:, None]] = np.nan
    with method_clock() as clock:
        if rival:
            chosen = choose("l1", _standardised(X), sample.y, "regression", SELECTED, trial.seed)
        else:
            selector = SNeLRegressor(SELECTED, random_state=trial.seed, **SETTINGS).fit(X, sample.y)
            chosen = np.flatnonzero(selector.support_)
    names = tuple(f"x{place}" for place in range(X.shape[1]))
    said = any("by being missing" in each for each in gap_caveats(X, sample.y, "regression", names))
    return {**clock, "found": float(np.isin(sample.relevant, chosen).mean()), "said": said}


def _standardised(X: Floats) -> Floats:
    """Return columns with gaps filled by their medians, as other methods want them."""
    whole = np.where(np.isnan(X), np.nanmedian(X, axis=0), X)
    return np.asarray((whole - whole.mean(axis=0)) / whole.std(axis=0))


GAPS = (
    *("complete", "missing at random", "missing by the target"),
    *("complete, L1", "missing at random, L1"),
)
METHODS = {
    "patients": ("with groups", "without"),
    "batches": ("with covariates", "without", "F score of residuals"),
    "linear gaps": GAPS,
    "Friedman gaps": GAPS,
    "columns in groups": grouped_columns.METHODS,
}


def study_trials(data: Iterable[str], seeds: int) -> list[Trial]:
    """Return a trial for every study, way of telling of it, and draw."""
    ways = METHODS | {adjusted_survival.STUDY: adjusted_survival.METHODS}
    return [Trial(name, method, seed) for name in data for method in ways[name] for seed in range(seeds)]


def ask(trial: Trial, data_home: str | None = None) -> Values:
    """Return what one fit makes of one draw of a study, or one cross-validation of the real one."""
    if trial.data == adjusted_survival.STUDY:
        return adjusted_survival.ask_adjusted(trial, data_home, SETTINGS)
    if trial.data == "columns in groups":
        return grouped_columns.ask_grouped(trial, SETTINGS)
    return {"patients": _patients, "batches": _batches}.get(trial.data, _gaps)(trial)


# -- the table --------------------------------------------------------------------------------------

SURE, FALSELY_SURE = f"relevant at q ≤ {PROMISE}", f"false at q ≤ {PROMISE}"


def study_rows(records: Sequence[Record]) -> list[dict[str, object]]:
    """Return a row for every simulated study and way of telling of it."""
    simulated = [record for record in records if record["data"] in METHODS]
    return [_row(data, method, group) for (data, method), group in by_data_and_method(simulated).items()]


def study_sections(records: Sequence[Record]) -> dict[str, str]:
    """Return the Markdown: a table of the simulated studies, and one of the real study if there is any."""
    tables = {
        f"Simulated, {SELECTED} columns selected": study_rows(records),
        f"{STUDIES[adjusted_survival.STUDY]}, {adjusted_survival.N_SELECTED} columns selected": (
            adjusted_survival.adjusted_rows(records)
        ),
    }
    return {title: markdown_table(rows) for title, rows in tables.items() if rows}


def _row(data: str, method: str, group: Sequence[Record]) -> dict[str, object]:
    done = [record for record in group if record["status"] == "done"]
    row: dict[str, object] = {"study": data, "told": method, "draws": len(done)}
    row["relevant found"] = mean_and_spread([record["found"] for record in done]) if done else ""
    empty = dict.fromkeys(
        ("false columns", SURE, FALSELY_SURE, "AUC promised", "AUC kept", "within its interval", "gaps said"),
        "",
    )
    if not done:
        return row | empty
    if data == "batches":
        return row | empty | {"false columns": mean_and_spread([record["false"] for record in done])}
    if data == "columns in groups":
        return row | empty
    if data != "patients":
        return row | empty | {"gaps said": f"{sum(record['said'] for record in done)} of {len(done)}"}
    within = sum(record["promised"][1] <= record["kept"] <= record["promised"][2] for record in done)
    return row | {
        "false columns": mean_and_spread([record["false"] for record in done]),
        SURE: mean_and_spread([record["sure"] for record in done]),
        FALSELY_SURE: mean_and_spread([record["falsely_sure"] for record in done]),
        "AUC promised": mean_and_spread([record["promised"][0] for record in done]),
        "AUC kept": mean_and_spread([record["kept"] for record in done]),
        "within its interval": f"{within} of {len(done)}",
        "gaps said": "",
    }
