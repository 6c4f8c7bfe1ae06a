"""The losses benchmark: columns that move the upper quantile alone, and the losses that find them.

Two columns stretch the upper half of the noise around its own mean, at most to twice its width: the mean of
the target stays where it is, and so do its lower quantiles up to a fifth. Two others move all of it.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from snelfs import SNeLRegressor
from snelfs.bench.comparison import mean_and_spread
from snelfs.bench.journal import Record, by_data_and_method
from snelfs.estimators.interface import ranked_by
from snelfs.evaluation.trials import Trial, Values, method_clock
from snelfs.foundation.types import Floats
from snelfs.search.search import filters_alone

N_ROWS, N_COLUMNS, N_SELECTED = 1200, 150, 10
N_OF_A_KIND = 2
DATA = "upper tail"

# How far the logarithm of the stretch varies, up to its most, and the mean, in deviations of the noise.
_STRETCH, _MOST_STRETCHED, _SHIFT = 0.9, 2.0, 0.4

# Draws of their own: those that settled anything start at 99,000.
FIRST_SEED = 1

TITLES = {
    "quantile": "SNeL-FS, loss of the 0.9 quantile",
    "squared_error": "SNeL-FS, squared error",
    "quantile_filters": "filters alone, loss of the 0.9 quantile",
    "squared_error_filters": "filters alone, squared error",
}
_LOSSES = {"quantile": "quantile:0.9", "squared_error": None}


class TailSample(NamedTuple):
    """Hold a table, and the columns that move its target's upper half, or all of it."""

    X: Floats
    y: Floats
    stretching: list[int]
    shifting: list[int]


def draw_tails(seed: int, n_rows: int = N_ROWS, n_columns: int = N_COLUMNS) -> TailSample:
    """Return a draw; which columns matter is drawn, too."""
    generator = np.random.default_rng(seed)
    X = generator.standard_normal((n_rows, n_columns))
    noise = generator.standard_normal(n_rows)
    places = generator.permutation(n_columns)[: 2 * N_OF_A_KIND]
    stretching, shifting = np.sort(places[:N_OF_A_KIND]), np.sort(places[N_OF_A_KIND:])
    stretch, shift = (X[:, own].sum(axis=1) / np.sqrt(N_OF_A_KIND) for own in (stretching, shifting))
    middle = np.sqrt(2 / np.pi)  # the mean of the upper half
    width = np.minimum(np.exp(_STRETCH * stretch), _MOST_STRETCHED)
    stretched = middle + (noise - middle) * width
    y = _SHIFT * shift + np.where(noise > 0, stretched, noise)
    return TailSample(X, y, stretching.tolist(), shifting.tolist())


def loss_trials(methods: Iterable[str], seeds: int) -> list[Trial]:
    """Return the trials: every method on every draw."""
    return [Trial(DATA, method, seed) for seed in range(seeds) for method in methods]


def find_tails(trial: Trial) -> Values:
    """Let one method choose 10 columns of a draw, and count which of both kinds are among them."""
    sample = draw_tails(FIRST_SEED + trial.seed)
    loss = _LOSSES[trial.method.removesuffix("_filters")]
    selector = SNeLRegressor(N_SELECTED, loss=loss, random_state=trial.seed)
    with method_clock() as clock:
        if trial.method.endswith("_filters"):
            chosen = ranked_by(selector, sample.X, sample.y, filters_alone)[:N_SELECTED]
        else:
            chosen = np.argsort(selector.fit(sample.X, sample.y).ranking_)[:N_SELECTED]
    return {
        **clock,
        "found": float(np.isin(sample.stretching, chosen).mean()),
        "found_of_all": float(np.isin(sample.shifting, chosen).mean()),
        "selected": chosen.tolist(),
    }


def loss_rows(records: Sequence[Record]) -> list[dict[str, object]]:
    """Return a row for every method: the shares of both kinds of columns found, with their spread."""
    rows: list[dict[str, object]] = []
    for (_, method), group in by_data_and_method(records).items():
        done = [record for record in group if record["status"] == "done"]
        shares = {
            "stretch the upper half": [record["found"] for record in done],
            "move the mean": [record["found_of_all"] for record in done],
        }
        row: dict[str, object] = {"method": TITLES[method], "draws": len(done)}
        rows.append(row | {kind: mean_and_spread(found) if found else "" for kind, found in shares.items()})
    return rows
