"""From the records of the microarray benchmark to its tables: calibration, scores, wins, differences."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from snelfs.bench.comparison import count_wins, interval_over_sets
from snelfs.bench.journal import Record, markdown_table
from snelfs.bench.methods import COMPARED, TITLES
from snelfs.bench.microarray import n_folds
from snelfs.bench.published import IN_PAPER, published_scores
from snelfs.datasets import microarray_facts
from snelfs.evaluation.intervals import resampled_interval
from snelfs.evaluation.judges import CLASSIFIERS
from snelfs.search.stability import selection_matrix, stability

Folds = dict[tuple[int, int], NDArray[np.float64]]  # (repetition, fold) to the scores of the classifiers

# The columns of the paper's table that need no neural network: if they agree, the harness does.
CALIBRATION = ("no_fs", "f_score")


@dataclass(frozen=True)
class Scores:
    """Hold the records of one run by data set and method."""

    folds: dict[tuple[str, str], Folds]
    chosen: dict[tuple[str, str], list[list[int]]]
    seconds: dict[tuple[str, str], float]
    notes: dict[tuple[str, str], str]

    @property
    def data(self) -> list[str]:
        """Return the data sets, in the order of the run."""
        return list(dict.fromkeys(data for data, _ in (*self.folds, *self.notes)))

    @property
    def methods(self) -> list[str]:
        """Return the methods, in the order of tables."""
        found = {method for _, method in (*self.folds, *self.notes)}
        return [method for method in TITLES if method in found]

    def mean(self, data: str, method: str) -> float:
        """Return the average over classifiers and folds."""
        return float(np.mean(list(self.folds[data, method].values())))

    def paired(self, data: str, ours: str, theirs: str) -> NDArray[np.float64]:
        """Return our average score minus theirs on every fold that both have."""
        first, second = self.folds.get((data, ours), {}), self.folds.get((data, theirs), {})
        return np.array([(first[fold] - second[fold]).mean() for fold in first if fold in second])


def collect(records: Sequence[Record]) -> Scores:
    """Sort records by data set and method."""
    folds: dict[tuple[str, str], Folds] = {}
    chosen: dict[tuple[str, str], list[list[int]]] = {}
    seconds: dict[tuple[str, str], list[float]] = {}
    notes: dict[tuple[str, str], str] = {}
    for record in records:
        group = record["data"], record["method"]
        if record["status"] == "done":
            scores = np.array([record["scores"][name] for name in CLASSIFIERS])
            folds.setdefault(group, {})[record["seed"], record["fold"]] = scores
            chosen.setdefault(group, []).append(record["selected"])
            seconds.setdefault(group, []).append(record["seconds"])
        elif record["status"] == "failed":
            notes[group] = f"failed: {record['reason']}"
        else:
            notes.setdefault(group, f"over {record['time_limit']:g} s")
    for group in notes:  # the average of some folds is not that of the others
        folds.pop(group, None)
    medians = {group: float(np.median(values)) for group, values in seconds.items()}
    return Scores(folds, chosen, medians, notes)


def accuracy_rows(scores: Scores) -> list[dict[str, object]]:
    """Return a row for every data set, method and classifier, and for the average of the classifiers."""
    return [
        _row(scores, data, method, classifier)
        for data in scores.data
        for method in scores.methods
        if (data, method) in scores.folds
        for classifier in (*CLASSIFIERS, "avg")
    ]


def _row(scores: Scores, data: str, method: str, classifier: str) -> dict[str, object]:
    mean, sd = mean_and_sd(scores, data, method, classifier)
    paper = _published(data, method, classifier)
    return {
        "data": data,
        "method": method,
        "classifier": classifier,
        "folds": len(scores.folds[data, method]),
        "mean": round(mean, 4),
        "sd": round(sd, 4),
        "paper mean": paper[0] if paper else "",
        "paper sd": paper[1] if paper else "",
        "median seconds": round(scores.seconds[data, method], 2),
        "note": scores.notes.get((data, method), ""),
    }


def mean_and_sd(scores: Scores, data: str, method: str, classifier: str) -> tuple[float, float]:
    """Return mean and standard deviation over folds; of "avg" the means of both, as the paper has it."""
    folds = np.array(list(scores.folds[data, method].values()))  # (folds, classifiers)
    means, sds = folds.mean(axis=0), folds.std(axis=0)
    if classifier == "avg":
        return float(means.mean()), float(sds.mean())
    which = CLASSIFIERS.index(classifier)
    return float(means[which]), float(sds[which])


def _published(data: str, method: str, classifier: str) -> tuple[float, float] | None:
    facts = microarray_facts(data)
    return published_scores()[facts.paper_name][classifier].get(IN_PAPER.get(method, ""))


def calibration_rows(scores: Scores) -> list[dict[str, object]]:
    """Return how the columns without a neural network agree with the paper's."""
    rows: list[dict[str, object]] = []
    for data in scores.data:
        for method in CALIBRATION:
            paper = _published(data, method, "avg")
            if paper is None or (data, method) not in scores.folds:
                continue
            mean, sd = mean_and_sd(scores, data, method, "avg")
            rows.append(
                {
                    "data": _marked(data),
                    "method": TITLES[method],
                    "here": f"{mean:.3f} ± {sd:.3f}",
                    "paper": f"{paper[0]:.3f} ± {paper[1]:.3f}",
                    "difference": f"{mean - paper[0]:+.3f}",
                    "within the paper's deviation": "yes" if abs(mean - paper[0]) <= paper[1] else "NO",
                }
            )
    return rows


def win_rows(scores: Scores, ours: str) -> list[dict[str, object]]:
    """Return wins, ties and losses of one method against every other, with the sign test."""
    rows: list[dict[str, object]] = []
    for theirs in scores.methods:
        both = [data for data in scores.data if len(scores.paired(data, ours, theirs))]
        if theirs == ours or not both:
            continue
        differences = [float(scores.paired(data, ours, theirs).mean()) for data in both]
        wins = count_wins(differences, [0.0] * len(both))
        rows.append(
            {
                "against": TITLES[theirs],
                "data sets": len(both),
                "win/tie/loss": str(wins),
                "sign test p": f"{wins.p_value:.3f}",
                "mean difference (95 % over data sets)": str(interval_over_sets(differences)),
            }
        )
    return rows


def accuracy_sections(scores: Scores) -> dict[str, str]:
    """Return the Markdown of the benchmark, the averages first."""
    sections: dict[str, Sequence[dict[str, object]]] = {
        "F1, average of four classifiers: mean ± standard deviation over folds": _wide(scores, _average),
        "Calibration: columns of the paper's table that need no neural network": calibration_rows(scores),
    }
    for ours in (method for method in COMPARED if method in scores.methods):
        sections |= {
            f"{TITLES[ours]} against each": win_rows(scores, ours),
            f"{TITLES[ours]} minus the other, 95 % interval over folds (Nadeau and Bengio)": _wide(
                scores, partial(_difference, ours), without=ours
            ),
        }
    sections |= {
        "F1 of every classifier: mean ± standard deviation over folds [the paper's mean]": _detail(scores),
        "Stability of the columns chosen in different folds: 1 if the same, 0 as by chance": _wide(
            scores, _agreement, without="no_fs"
        ),
        "Median seconds of one selection, processes side by side": _wide(scores, _seconds, without="no_fs"),
    }
    shown = {heading: markdown_table(rows) for heading, rows in sections.items() if rows}
    return shown | _footnotes(scores)


def _wide(
    scores: Scores, cell: Callable[[Scores, str, str], str], without: str = ""
) -> list[dict[str, object]]:
    """Return a row per data set with a cell for every method."""
    methods = [method for method in scores.methods if method != without]
    return [
        {"data": _marked(data), **{TITLES[method]: cell(scores, data, method) for method in methods}}
        for data in scores.data
    ]


def _average(scores: Scores, data: str, method: str) -> str:
    return _cell(scores, data, method, "avg")


def _difference(ours: str, scores: Scores, data: str, theirs: str) -> str:
    differences = scores.paired(data, ours, theirs)
    return str(resampled_interval(differences, 1 / n_folds(data))) if len(differences) else ""


def _agreement(scores: Scores, data: str, method: str) -> str:
    chosen = scores.chosen.get((data, method), [])
    if len(chosen) < 2:
        return ""
    return str(stability(selection_matrix(chosen, microarray_facts(data).n_features)))


def _seconds(scores: Scores, data: str, method: str) -> str:
    seconds = scores.seconds.get((data, method))
    return scores.notes.get((data, method), "") if seconds is None else f"{seconds:.2f}"


def _detail(scores: Scores) -> list[dict[str, object]]:
    return [
        {
            "data": _marked(data),
            "classifier": classifier,
            **{TITLES[method]: _cell(scores, data, method, classifier) for method in scores.methods},
        }
        for data in scores.data
        for classifier in CLASSIFIERS
    ]


def _cell(scores: Scores, data: str, method: str, classifier: str) -> str:
    if (data, method) not in scores.folds:
        return scores.notes.get((data, method), "")
    mean, sd = mean_and_sd(scores, data, method, classifier)
    paper = _published(data, method, classifier)
    return f"{mean:.3f} ± {sd:.3f}" + (f" [{paper[0]:.3f}]" if paper else "")


def _marked(data: str) -> str:
    facts = microarray_facts(data)
    return f"{data} ‡" if facts.label_filtered else f"{data} †" if facts.reduced else data


def _footnotes(scores: Scores) -> dict[str, str]:
    reduced = [facts for data in scores.data if (facts := microarray_facts(data)).reduced]
    lines = [
        f"- {_marked(facts.name)}: {facts.reduced} The paper's figures are of the full set."
        for facts in reduced
    ]
    return {"Marks": "\n".join(lines)} if lines else {}
