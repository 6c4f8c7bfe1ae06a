"""A real study with a clinical covariate: what adjusting for it changes, judged on rows held out.

Bild's breast cancers (GSE3143) have the level of the oestrogen receptor, a protein that many genes follow.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from snelfs.bench.comparison import mean_and_spread
from snelfs.bench.journal import Record, by_data_and_method
from snelfs.bench.survival import load_study, study_file
from snelfs.evaluation import evaluate
from snelfs.evaluation.trials import Trial, Values, method_clock
from snelfs.foundation.types import Floats

STUDY = "gse3143"
METHODS = ("with the covariate", "without")
N_SELECTED = 30


def covariate(data_home: str | None) -> Floats:
    """Return the level of the receptor, from 0 to 3."""
    with np.load(study_file(STUDY, data_home)) as stored:
        return np.asarray(stored["clinical"][:, 0], dtype=np.float64)


def ask_adjusted(trial: Trial, data_home: str | None, settings: dict[str, Any]) -> Values:
    """Cross-validate once, a repetition a seed: how rows held out are ordered, and what the columns follow.

    The models see the covariate beside the columns only where it was adjusted for.
    """
    X, y = load_study(STUDY, data_home)
    level = covariate(data_home)
    adjusted = trial.method == METHODS[0]
    with method_clock() as clock:
        found = evaluate(
            np.c_[X, level] if adjusted else X,
            y,
            covariates=[X.shape[1]] if adjusted else None,
            n_features=N_SELECTED,
            methods=["f_score"],
            seed=trial.seed,
            settings=settings,
        )
    followed = [
        abs(np.corrcoef(X[:, columns].T, level)[-1, :-1]).mean() for columns in found.selected["snel"]
    ]
    return {
        **clock,
        "c_index": float(found.by_fold("snel").mean()),
        "rival": float(found.by_fold("f_score").mean()),
        "followed": float(np.mean(followed)),
    }


def adjusted_rows(records: Sequence[Record]) -> list[dict[str, object]]:
    """Return a row for each way: c-indices of ours and of a filter, and how far columns follow the level."""
    rows: list[dict[str, object]] = []
    for (data, method), group in by_data_and_method(records).items():
        done = [record for record in group if record["status"] == "done"]
        if data != STUDY or not done:
            continue
        values = {
            "c-index": "c_index",
            "c-index of the F score's columns": "rival",
            "correlation of columns with the receptor": "followed",
        }
        shown = {title: mean_and_spread([record[key] for record in done]) for title, key in values.items()}
        rows.append({"receptor": method, "repetitions": len(done), **shown})
    return rows
