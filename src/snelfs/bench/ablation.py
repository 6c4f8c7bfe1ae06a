"""The ablation: the default, and what is left of it without each of its parts, the layer included."""

from collections.abc import Sequence

import numpy as np

from snelfs.bench.comparison import mean_and_spread
from snelfs.bench.journal import Record
from snelfs.bench.methods import LEFT_OUT, TITLES
from snelfs.bench.microarray_tables import Scores

STEPS = (
    "snel",
    "filters_alone",
    "snel_noise",
    "snel_shares",
    "snel_counted",
    *LEFT_OUT,
    "snel_one_round",
    "snel_rate",
    "snel_paper",
)
SYNTHETIC = ("Mad", "XOR", "Reg", "Fri")


def ablation_rows(recovered: Sequence[Record], scores: Scores) -> list[dict[str, object]]:
    """Return a row for every variant: success on synthetic data, F1 on real data, and what a fit takes.

    A step's mean over real data is over the sets that all steps have, in the folds that all have.
    """
    return [_row(step, recovered, scores) for step in STEPS]


def _row(step: str, recovered: Sequence[Record], scores: Scores) -> dict[str, object]:
    done = [r for r in recovered if r["method"] == step and r["status"] == "done"]
    success = {name: [r["success"] for r in done if r["data"] == name] for name in SYNTHETIC}
    row: dict[str, object] = {"step": TITLES[step]}
    row |= {name: mean_and_spread(values) if values else "" for name, values in success.items()}
    means = [float(np.mean(values)) for values in success.values() if values]
    row["mean of the four"] = f"{np.mean(means):.3f}" if len(means) == len(SYNTHETIC) else ""
    seconds = [r["seconds"] for r in done]
    row["seconds at 200 x 500"] = f"{np.median(seconds):.1f}" if seconds else ""
    shared = [name for name in scores.data if _common_folds(scores, name)]
    averages = [_average(scores, name, step) for name in shared]
    row |= {name: f"{average:.3f}" for name, average in zip(shared, averages, strict=True)}
    row["mean F1"] = f"{np.mean(averages):.3f}" if shared else ""
    return row


def _common_folds(scores: Scores, data: str) -> set[tuple[int, int]]:
    """Return the folds of a set that every step has."""
    return set.intersection(*(set(scores.folds.get((data, step), {})) for step in STEPS))


def _average(scores: Scores, data: str, step: str) -> float:
    folds = scores.folds[data, step]
    return float(np.mean([folds[fold] for fold in sorted(_common_folds(scores, data))]))
