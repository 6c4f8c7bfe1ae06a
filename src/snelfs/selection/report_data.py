"""The numbers that a report is drawn from, few enough for one small file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from snelfs.data.censored import read_survival
from snelfs.data.target import rarest_label
from snelfs.engine.history import History
from snelfs.estimators.interface import own_loss
from snelfs.foundation.types import Ints, Reals
from snelfs.foundation.words import shortened
from snelfs.plots.training import course
from snelfs.selection.report_labels import label_lists
from snelfs.selection.result import Feature, Selection

Json = dict[str, Any]

# A report has at most 3 MB. The charting libraries take half a megabyte, rows and words a little.
LIST_BYTES = 1_000_000
VALUE_BYTES = 1_200_000

MOST_WITH_VALUES = 300  # features; nobody looks at the pictures of more
MOST_ROWS = 2000  # dots; more are a blot
LEAST_OF_CLASS = 20  # rows drawn of a small class, if it has as many
MOST_TURNS = 400  # corners of the penalty weights' course; more are a blot

SCORES = {"classification": "balanced accuracy", "regression": "R²", "survival": "c-index"}

NAME_LENGTH, LABEL_LENGTH = 200, 60  # letters
MISSING_LABEL = "(missing)"  # not what a category would be called


def page_data(selection: Selection) -> Json:
    """Return all that the page draws, ready for JSON."""
    n_listed = _n_listed(selection.features)
    rows = rows_drawn(selection)
    values = dict(_values(selection, rows, n_listed))
    return {
        "task": selection.task,
        "target": shortened(selection.table.target_name or "target", LABEL_LENGTH),
        "features": _feature_lists(selection.features[:n_listed]),
        "n_features": len(selection.features),
        "rows": _row_lists(selection, rows),
        "values": values,
        "categories": _categories(selection, map(int, values)),
        "labels": label_lists(selection, rows, map(int, values)),
        "training": _training(selection),
        "curve": _size_curve(selection),
    }


def script_json(value: object) -> str:
    r"""Return JSON that no text in it can end: it may stand in a script element of HTML.

    Examples
    --------
    >>> print(script_json(["</script>", 0.5, None]))
    ["\u003c/script\u003e",0.5,null]
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


# -- features ---------------------------------------------------------------------------------------


def _n_listed(features: Sequence[Feature]) -> int:
    """Return how many features the table can hold; all of them as a rule."""
    spent = 0
    for number, feature in enumerate(features):
        names = [shortened(name, NAME_LENGTH) for name in (_shown(feature), feature.partner or "")]
        spent += len(script_json(names).encode()) + 30  # the figures
        if spent > LIST_BYTES:
            return number
    return len(features)


def _feature_lists(features: Sequence[Feature]) -> Json:
    """Return every field as one list, best feature first; effects, which repeat, by number."""
    effects = sorted({feature.effect for feature in features})
    code = {effect: number for number, effect in enumerate(effects)}
    tested = any(feature.q_value is not None for feature in features)
    return {
        "name": [shortened(_shown(feature), NAME_LENGTH) for feature in features],
        "score": [_digits(feature.score, 6) for feature in features],  # shown with 3: not to be rounded twice
        "frequency": [_digits(feature.frequency) for feature in features],
        "q": [_digits(feature.q_value) for feature in features] if tested else None,
        "effects": [shortened(effect, NAME_LENGTH) for effect in effects],
        "effect": [code[feature.effect] for feature in features],
        "strength": [_digits(feature.strength) for feature in features],
        "partner": _partners(features),
        "selected": [int(feature.selected) for feature in features],
        "named": _namings(features),
    }


def _shown(feature: Feature) -> str:
    """Return the name of a feature, and behind it that of its group."""
    return feature.name if feature.group is None else f"{feature.name} ({feature.group})"


def _namings(features: Sequence[Feature]) -> Json:
    """Return, for the few places that were candidates, the kinds of evidence that named them."""
    return {
        str(number): list(feature.named_by) for number, feature in enumerate(features) if feature.named_by
    }


def _partners(features: Sequence[Feature]) -> Json:
    """Return, for the few places that have one, the partner's name and its own place if it is listed."""
    place = {feature.name: number for number, feature in enumerate(features)}
    return {
        str(number): [shortened(feature.partner, NAME_LENGTH), place.get(feature.partner)]
        for number, feature in enumerate(features)
        if feature.partner is not None
    }


def _digits(value: float | None, digits: int = 4) -> float | int | None:
    """Return a number of few digits; None for what is no number."""
    if value is None or not np.isfinite(value):
        return None
    short = float(f"{value:.{digits}g}")
    return int(short) if short.is_integer() and abs(short) < 1e15 else short


def _all_digits(values: Reals | Sequence[float]) -> list[float | int | None]:
    return [_digits(value) for value in np.asarray(values, dtype=np.float64).tolist()]


# -- rows and their values --------------------------------------------------------------------------


def rows_drawn(selection: Selection) -> Ints:
    """Return the rows that pictures show: all of them, or a sample that leaves no class out."""
    target = np.asarray(selection.table.y)
    if len(target) <= MOST_ROWS:
        return np.arange(len(target))
    draw = np.random.default_rng(0)
    codes = np.zeros(len(target), dtype=np.int64)
    if selection.task == "survival":
        codes = read_survival(target)["event"].astype(np.int64)
    if selection.task == "classification":
        codes = rarest_label(target) if target.ndim > 1 else np.unique(target, return_inverse=True)[1]
    share = MOST_ROWS / len(target)
    drawn = []
    for code in np.unique(codes):
        rows = np.flatnonzero(codes == code)
        wanted = max(round(share * len(rows)), min(LEAST_OF_CLASS, len(rows)))
        drawn.append(draw.choice(rows, wanted, replace=False))
    return np.sort(np.concatenate(drawn))


def _row_lists(selection: Selection, rows: Ints) -> Json:
    table = selection.table
    target = np.asarray(table.y)
    lists: Json = {
        "total": len(target),
        "name": [shortened(table.row_names[row], LABEL_LENGTH) for row in rows],
    }
    if target.ndim > 1:
        return {**lists, "y": target[rows, 0].tolist()}  # the page puts the label in that a feature tells
    if selection.task == "classification":
        classes, codes, sizes = np.unique(target, return_inverse=True, return_counts=True)
        lists["classes"] = [shortened(name, LABEL_LENGTH) for name in classes]
        return {**lists, "sizes": sizes.tolist(), "y": codes[rows].tolist()}
    numbers = read_survival(target)["time"] if selection.task == "survival" else target
    return {**lists, "y": resolved(numbers[rows].astype(np.float64))}


def _values(selection: Selection, rows: Ints, n_listed: int) -> Iterator[tuple[str, list[float | int]]]:
    """Yield place and values of the leading features and their partners, as many as there is room for."""
    features = selection.features[:n_listed]
    place = {feature.name: number for number, feature in enumerate(features)}
    leading = range(min(MOST_WITH_VALUES, n_listed))
    groups = [{number, place.get(features[number].partner or "", number)} for number in leading]
    wanted = sorted(set().union(*groups))
    columns = np.argsort(selection.estimator.ranking_, kind="stable")[wanted]
    block = dict(zip(wanted, _dense(selection.table.X, rows, columns).T, strict=True))
    spent = 0
    given: set[int] = set()
    for group in groups:
        fresh = {number: resolved(block[number]) for number in sorted(group - given)}
        spent += len(script_json(fresh))
        if spent > VALUE_BYTES:
            return
        given |= group
        yield from ((str(number), values) for number, values in fresh.items())


def _categories(selection: Selection, places: Iterable[int]) -> Json:
    """Return what the values of some features stand for, where these are categories."""
    known, features = selection.table.categories, selection.features
    return {
        str(place): [shortened(level or MISSING_LABEL, LABEL_LENGTH) for level in known[features[place].name]]
        for place in places
        if features[place].name in known
    }


def _dense(X: Any, rows: Ints, columns: Ints) -> Reals:
    block = X[rows][:, columns]
    return np.asarray(block.toarray() if hasattr(block, "toarray") else block, dtype=np.float64)


def resolved(values: Reals) -> list[float | int]:
    """Return numbers that can still be told apart on paper: four digits of their range.

    Examples
    --------
    >>> resolved(np.array([1_600_000_000.0, 1_600_000_003.14159, 7 + 1_600_000_000.0]))
    [1600000000, 1600000003.142, 1600000007]
    """
    with np.errstate(over="ignore"):
        spread = float(np.ptp(values))
    decimals = 0
    if spread > 0:
        decimals = int(np.clip(3 - np.floor(np.log10(min(spread, 1e300))), -290, 290))
    rounded = np.round(values, decimals).tolist()
    return [int(value) if value.is_integer() and abs(value) < 1e15 else value for value in rounded]


# -- training ---------------------------------------------------------------------------------------


def _training(selection: Selection) -> Json:
    """Return the course of the deciding round: in steps, as median and middle 80 % of the restarts."""
    estimator = selection.estimator
    history: History = estimator.history_
    best = np.asarray(estimator.best_epoch_)
    restarts = np.flatnonzero(best >= 0)
    losses = history.validation_loss[restarts, best[restarts]]
    steps = course(history.admitted.astype(np.float64)).epoch
    return {
        "n_epochs": history.n_epochs,
        "n_restarts": len(best),
        "limit": float(estimator.penalty_limit),
        "epoch": _all_digits(steps),
        "train": _band(history.train_loss),
        "validation": _band(history.validation_loss),
        "sum": _band(history.sum_penalty),
        "variance": _band(history.variance_penalty),
        "admitted": _admitted(history, len(steps)),
        "best": [
            {"epoch": int(best[i]), "loss": _digits(loss)} for i, loss in zip(restarts, losses, strict=True)
        ],
        "lambda_s": turning_points(history.lambda_s),
        "lambda_a": turning_points(history.lambda_a),
    }


def _band(values: NDArray[np.float32]) -> Json:
    steps = course(values)
    return {name: _all_digits(getattr(steps, name)) for name in ("low", "middle", "high")}


def _admitted(history: History, n_steps: int) -> list[float | int | None]:
    """Return the share of restarts and epochs within each step that are candidates."""
    share = history.admitted.mean(axis=0)
    return _all_digits([float(part.mean()) for part in np.array_split(share, n_steps)])


def turning_points(weights: NDArray[np.float32]) -> list[list[float | int | None]]:
    """Return the corners of a course of straight lines as pairs of epoch and weight.

    Where these are too many for a picture, they are its tops and bottoms alone, or some of them.

    Examples
    --------
    >>> turning_points(np.array([0.0, 0.5, 1.0, 0.5, 0.0]))
    [[0, 0], [2, 1], [4, 0]]
    """
    one = np.asarray(weights if weights.ndim == 1 else weights[:, 0], dtype=np.float64)
    corners = _bends(one)
    if len(corners) > MOST_TURNS:
        moves = np.flatnonzero(np.diff(one, prepend=np.nan) != 0)
        turns = np.diff(np.sign(np.diff(one[moves]))) != 0
        corners = moves[np.concatenate([[True], turns, [True]])]
    if len(corners) > MOST_TURNS:
        corners = corners[np.linspace(0, len(corners) - 1, MOST_TURNS).astype(int)]
    return [[int(epoch), _digits(one[epoch])] for epoch in corners]


def _bends(values: Reals) -> Ints:
    """Return the first, the last and the places at which the course is not straight."""
    bend = np.abs(np.diff(values, 2)) > 1e-3 * max(float(np.ptp(values)), 1e-12)
    return np.flatnonzero(np.concatenate([[True], bend, [True]])[: len(values)])


def score_name(selection: Selection) -> str:
    """Return what the scores on held-out rows are called."""
    return SCORES[selection.task] if own_loss(selection.estimator) is None else "share of loss saved"


def _size_curve(selection: Selection) -> Json | None:
    """Return the scores on held-out rows by the number of features, where they were asked for."""
    curve = getattr(selection.estimator, "n_features_curve_", None)
    if curve is None:
        return None
    return {
        "n": curve.n_features.tolist(),
        "mean": _all_digits(curve.mean),
        "error": _all_digits(curve.error),
        "chosen": int(curve.chosen),
        "score": score_name(selection),
    }
