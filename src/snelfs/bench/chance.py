"""The benchmark of the q-values: what they promise of shuffled targets, and what they keep of real ones."""

from collections.abc import Iterable, Sequence

import numpy as np

from snelfs import SNeLClassifier, SNeLRegressor
from snelfs.bench.journal import Record, by_data_and_method
from snelfs.bench.synthetic import GENERATORS
from snelfs.estimators.paper import paper_task
from snelfs.evaluation.trials import Trial, Values, method_clock

TARGETS = {"shuffled": "shuffled", "real": "as it is"}
PROMISES = (0.05, 0.1, 0.2)

_ROWS, _COLUMNS, _SELECTED, _SHUFFLES = 200, 500, 15, 20

# Draws of their own: those of the table of recoveries start elsewhere.
_FIRST_SEED = 41_000


def chance_trials(data: Iterable[str], seeds: int) -> list[Trial]:
    """Return a trial for every data set, kind of target and draw."""
    return [Trial(name, target, seed) for name in data for target in TARGETS for seed in range(seeds)]


def count_finds(trial: Trial) -> Values:
    """Count the columns whose q-values promise something, and those of them that are relevant."""
    seed = _FIRST_SEED + trial.seed
    drawn = GENERATORS[trial.data](_ROWS, _COLUMNS, random_state=seed)
    shuffled = trial.method == "shuffled"
    y = np.random.default_rng([seed, 1]).permutation(drawn.y) if shuffled else drawn.y
    kind = SNeLRegressor if paper_task(trial.data) == "regression" else SNeLClassifier
    with method_clock() as clock:
        selector = kind(_SELECTED, n_shuffles=_SHUFFLES, random_state=seed).fit(drawn.X, y)
    relevant = np.zeros(_COLUMNS, bool) if shuffled else np.isin(np.arange(_COLUMNS), drawn.relevant)
    found = [selector.q_values_ <= promise for promise in PROMISES]
    return {
        **clock,
        "found": [int(mask.sum()) for mask in found],
        "true": [int((mask & relevant).sum()) for mask in found],
        "relevant": int(relevant.sum()),
    }


def table_rows(records: Sequence[Record]) -> list[dict[str, object]]:
    """Return a row for every data set, target and promise."""
    return [
        _row(data, target, group, place)
        for (data, target), group in by_data_and_method(records).items()
        for place in range(len(PROMISES))
    ]


def _row(data: str, target: str, group: Sequence[Record], place: int) -> dict[str, object]:
    """Return how many columns a promise lets through, and which share of them is false.

    The share is nothing where no column is found; its mean over draws is what a q-value promises to bound.
    """
    done = [record for record in group if record["status"] == "done"]
    found, true = (np.array([record[name][place] for record in done]) for name in ("found", "true"))
    false = (found - true) / np.maximum(found, 1)
    wanted = sum(record["relevant"] for record in done)
    return {
        "data": data,
        "target": TARGETS[target],
        "draws": len(done),
        "q up to": PROMISES[place],
        "columns found": f"{found.mean():.2f}" if done else "",
        "draws with any": int((found > 0).sum()),
        "share false": f"{false.mean():.3f}" if done else "",
        "relevant found": f"{true.sum() / wanted:.2f}" if wanted else "",
    }
