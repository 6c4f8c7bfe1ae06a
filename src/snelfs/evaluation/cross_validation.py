"""Would a selection help on these data? Cross-validation of ours against others, all inside the folds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.preprocessing import StandardScaler

from snelfs.data.groups import checked_groups
from snelfs.data.standardisation import filled, weighted_medians
from snelfs.evaluation.columns import Columns, coded_table, columns_of, refuse_what_folds_cannot
from snelfs.evaluation.judges import CLASSIFIERS, NEIGHBOURS, REGRESSORS, judge_classes, judge_numbers, split
from snelfs.evaluation.label_judges import judge_labels, split_labels
from snelfs.evaluation.methods import (
    ALL_COLUMNS,
    FILTERS_ALONE,
    RANDOM,
    SNEL,
    SURVIVAL_RIVALS,
    TITLES,
    choose_columns,
)
from snelfs.evaluation.processes import computed
from snelfs.evaluation.result import METRICS, Evaluation, Size
from snelfs.evaluation.rivals.registry import RIVALS
from snelfs.evaluation.survival_judges import SURVIVAL_MODELS, judge_survival
from snelfs.evaluation.targets import checked_target
from snelfs.evaluation.trials import Headway, Trial, Values, method_clock, seconds_left
from snelfs.foundation.checks import ArgumentError, choice, count, each_of
from snelfs.foundation.task import chosen_task
from snelfs.foundation.types import Floats, Ints, Places
from snelfs.search.options import usual_number

METHODS = (SNEL, FILTERS_ALONE, ALL_COLUMNS, "f_score", "mrmr", "relieff")
CHOICES = (SNEL, FILTERS_ALONE, *RIVALS, *SURVIVAL_RIVALS)


def evaluate(
    X: Any,
    y: ArrayLike,
    *,
    groups: ArrayLike | None = None,
    covariates: Any = None,
    keep: Any = None,
    feature_groups: Any = None,
    one_per_group: bool = False,
    categorical: Any = "auto",
    add_indicator: bool = False,
    feature_names: Sequence[str] | None = None,
    task: str = "auto",
    n_features: Size | None = None,
    methods: Sequence[str] = METHODS,
    folds: int = 5,
    repeats: int = 1,
    seed: int = 0,
    jobs: int = 1,
    settings: Mapping[str, Any] | None = None,
    progress: Callable[[Headway], None] | None = None,
) -> Evaluation:
    """Compare what models predict from the columns that SNeL-FS and other methods choose.

    Columns are standardised and chosen in every fold from its training rows alone. Four models, two for
    censored times, are trained on them and tested on the rows held out.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (rows, columns)
        Finite numbers, or NaN for missing ones, which are filled in every fold with the medians of its
        training rows; a sparse matrix is made dense. A frame may have columns of categories.
    y : array-like of shape (rows,) or (rows, labels)
        Class labels, numbers, or events and times as `snelfs.survival_target` makes them. Several labels a
        row are a matrix, or a frame, of zeros and ones; methods of one target choose for each of them in
        turns, models are trained for each, and scores are means over labels.
    groups : array-like of shape (rows,), optional
        Which rows belong together, such as the samples of a patient: no fold parts them, and SNeL-FS does not
        either in its own splits. The scores are then those of new groups.
    covariates : names, positions or mask of columns, optional
        Columns to adjust for: no method chooses them, SNeL-FS looks for what they leave unexplained, and the
        models have them beside whatever was chosen.
    keep : names, positions or mask of columns, optional
        Columns that every method chooses in any case.
    feature_groups, one_per_group, categorical, add_indicator : optional
        Columns that belong together, categories and marks of gaps, as `SNeLClassifier` takes them. Other
        methods see indicators and marks as columns, and choose a group where the first column of it is in
        their list; the models see the same.
    feature_names : sequence of str, optional
        What the columns of an array are called; a frame has names.
    task : {"auto", "classification", "regression", "survival"}, default="auto"
        By default what `y` looks like.
    n_features : int or "auto", optional
        How many columns each method chooses, of which a group counts once; by default 30, or a third of the
        columns if that is less. With "auto" SNeL-FS finds the number in every fold, and the others take as
        many.
    methods : sequence of str
        Of "snel", which is always there, and the keys of `snelfs.evaluation.rivals.registry.RIVALS`. For
        censored times also "univariate_cox" and "l1_cox"; methods that know no such target are given
        martingale residuals.
    folds, repeats, seed : int
        Of the cross-validation; folds are stratified by class or by event, groups among them.
    jobs : int, default=1
        Processes side by side; with several, each has one thread.
    settings : mapping, optional
        Arguments of `SNeLClassifier` or `SNeLRegressor` beyond their defaults.
    progress : callable, optional
        Called with a `snelfs.evaluation.trials.Headway` after every choice and its test.

    Examples
    --------
    >>> X = np.random.default_rng(0).standard_normal((60, 20))
    >>> quick = {"n_restarts": 2, "steps": 5, "refine": False}
    >>> found = evaluate(X, X[:, 3] + X[:, 7], n_features=2, methods=["mrmr"], folds=2, settings=quick)
    >>> found.methods, found.models, found.metrics, found.scores.shape
    (('snel', 'mrmr'), ('ridge', 'SVR', 'RF', 'kNN'), ('r2',), (2, 4, 2, 1))
    """
    methods = _methods(methods)
    told = {
        "covariates": covariates,
        "keep": keep,
        "feature_groups": feature_groups,
        "one_per_group": one_per_group,
        "categorical": categorical,
        "add_indicator": add_indicator,
    }
    setup = _setup(
        X,
        y,
        groups,
        told,
        feature_names,
        task=task,
        n_features=n_features,
        folds=folds,
        repeats=count("repeats", repeats, 1),
        seed=seed,
        settings=settings,
    )
    _must_know(methods, setup.task)
    trials = [
        Trial("", method, repeat, fold)
        for repeat in range(repeats)
        for method in methods
        for fold in range(folds)
    ]
    records = _computed(setup, trials, count("jobs", jobs, 1), progress or (lambda _: None))
    return _collected(setup, methods, repeats, records)


# -- what is asked for ------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Setup:
    """What every trial of an evaluation needs to know."""

    X: Floats  # categories coded from 0, NaN where a number is missing
    columns: Columns
    y: NDArray[Any]  # classes from 0, numbers, events and times, or zeros and ones of labels
    groups: Ints | None
    task: str
    n_features: Size
    folds: int
    seed: int
    settings: Mapping[str, Any]
    sizes: Mapping[tuple[int, int], int]  # (repetition, fold) to the number of columns found in it

    @property
    def models(self) -> tuple[str, ...]:
        if self.task == "survival":
            return SURVIVAL_MODELS
        return CLASSIFIERS if self.task == "classification" else REGRESSORS


def _methods(methods: Sequence[str]) -> tuple[str, ...]:
    for method in methods:
        choice(each_of("methods"), method, CHOICES)
    others = [method for method in dict.fromkeys(methods) if method != SNEL]
    if not others:
        raise ArgumentError(
            "methods", f"must name one beside {SNEL!r} to compare it with, got {list(methods)!r}."
        )
    return (SNEL, *others)


def _must_know(methods: Sequence[str], task: str) -> None:
    strangers = [method for method in methods if method in SURVIVAL_RIVALS and task != "survival"]
    if strangers:
        raise ArgumentError("methods", f"has {strangers[0]!r}, which is for censored times alone.")


def _setup(
    X: Any,
    y: ArrayLike,
    groups: ArrayLike | None,
    told: Mapping[str, Any],
    feature_names: Sequence[str] | None,
    *,
    task: str,
    n_features: Size | None,
    folds: int,
    repeats: int,
    seed: int,
    settings: Mapping[str, Any] | None,
) -> _Setup:
    """Return what is asked for, or say in a sentence why it cannot be had."""
    for name in sorted({*told} & {*(settings or {})}):
        raise ArgumentError("settings", f"must not hold {name!r}: every method is told of it by {name}=.")
    table, categories, names = coded_table(X, told["categorical"], told["covariates"], feature_names)
    target = np.asarray(y)
    if np.isinf(table).any():
        raise ValueError("X must be a table of finite numbers, or NaN where one is missing.")
    several = target.ndim == 2 and task in ("auto", "classification")
    if target.shape[:1] != table.shape[:1] or not (target.ndim == 1 or several):
        raise ValueError(f"y must have one value for each of the {len(table)} rows, got {target.shape}.")
    task = chosen_task(task, target)
    count("folds", folds, 2)
    count("seed", seed, 0)
    together = _groups(groups, len(target), folds)
    given, target = target, checked_target(target, task, folds, together, list(getattr(y, "columns", ())))
    if (n_training := len(target) - -(-len(target) // folds)) < NEIGHBOURS:
        raise ValueError(
            f"{len(target)} rows in {folds} folds leave {n_training} to train on; {NEIGHBOURS} are needed."
        )
    columns = columns_of(table, given, names, **{**told, "categorical": categories})
    size = _size(n_features, columns)
    setup = _Setup(table, columns, target, together, task, size, folds, seed, dict(settings or {}), {})
    refuse_what_folds_cannot(columns, size, _fewest_training(setup, repeats), names)
    return setup


def _fewest_training(setup: _Setup, repeats: int) -> int:
    """Return how many rows the smallest training part has: folds of large groups are uneven."""
    folds = [_folds(setup, _number(setup.seed, repeat)) for repeat in range(repeats)]
    return min(len(train) for each in folds for train, _ in each)


def _groups(groups: ArrayLike | None, n_rows: int, folds: int) -> Ints | None:
    """Return the groups numbered from 0, if every fold can have one."""
    codes = checked_groups(groups, n_rows)
    if codes is not None and codes.max() + 1 < folds:
        raise ArgumentError("folds", f"must be at most the number of groups, {codes.max() + 1}, got {folds}.")
    return codes


def _size(n_features: Size | None, columns: Columns) -> Size:
    """Return how many columns to choose, fewer than there are."""
    n_offered = columns.n_offered
    if n_offered < 2:
        raise ValueError(f"There must be at least two columns to choose from, got {n_offered}.")
    if n_features is None:
        return usual_number(n_offered)
    if n_features == "auto":
        return "auto"
    if count("n_features", n_features, 1) >= n_offered:
        together = "" if n_offered == columns.n_columns else " to choose from, those together counted once"
        raise ArgumentError(
            "n_features", f"must be below the number of columns{together}, {n_offered}, got {n_features}."
        )
    return int(n_features)


# -- one choice and its test ------------------------------------------------------------------------


def _assess(setup: _Setup, trial: Trial) -> Values:
    """Choose columns on the training rows of one fold, then train and test the four models.

    Columns are standardised with the training rows, too: nothing of the test rows is known before the test.
    """
    train, test = _folds(setup, _number(setup.seed, trial.seed))[trial.fold]
    Z = _without_gaps(setup.columns.inputs(setup.X), train)
    Z = StandardScaler().fit(Z[train]).transform(Z)
    seed = _number(setup.seed, trial.seed, trial.fold)
    with method_clock() as clock:
        chosen = _chosen(setup, trial, Z[train], train, seed)
    shown = np.concatenate([chosen, np.setdiff1d(setup.columns.beside.covariates, chosen)])
    scores = _judge(setup)(Z[:, setup.columns.inputs_of(shown)], setup.y, train, test, seed)
    table = [[scores[model][metric] for metric in METRICS[setup.task]] for model in setup.models]
    return {**clock, "scores": table, "selected": chosen.tolist()}


def _chosen(setup: _Setup, trial: Trial, Z: Floats, train: Places, seed: int) -> Ints:
    """Return the columns that a method chooses of training rows, best first.

    Ours is told of the columns what is known; others are shown the inputs of models, and what they list is
    read as units.
    """
    columns, wanted = setup.columns, setup.sizes.get((trial.seed, trial.fold), setup.n_features)
    choose = partial(
        choose_columns,
        trial.method,
        y=setup.y[train],
        regression=setup.task != "classification",
        seed=seed,
        groups=None if setup.groups is None else setup.groups[train],
    )
    if trial.method in (SNEL, FILTERS_ALONE):
        own = setup.X[train]
        given = Z if columns.units is None and columns.as_they_are else own
        shown, told = columns.as_told(given, own, setup.y[train])
        listed = choose(shown, n_features=wanted, settings={**setup.settings, **told})
        return listed if trial.method == SNEL else columns.first_units(listed, int(wanted))
    if trial.method == ALL_COLUMNS:
        return np.setdiff1d(np.arange(columns.n_columns), columns.beside.covariates)
    if trial.method == RANDOM and columns.units is not None:  # whole units, each as likely as others
        return columns.first_units(columns.drawn(seed), int(wanted))
    offered = columns.offered_inputs
    number = columns.inputs_needed(int(wanted))
    listed = offered[choose(Z[:, offered], n_features=number, settings=setup.settings)]
    return columns.first_units(columns.of_inputs[listed], int(wanted))


def _judge(setup: _Setup) -> Callable[..., dict[str, dict[str, float]]]:
    """Return what trains and tests the models of a task."""
    if setup.task == "classification":
        return judge_labels if setup.y.ndim > 1 else judge_classes
    return judge_survival if setup.task == "survival" else judge_numbers


def _folds(setup: _Setup, seed: int) -> list[tuple[Places, Places]]:
    """Return training and test rows of every fold, in proportion to classes, events or labels."""
    if setup.y.ndim > 1:
        return split_labels(setup.y, setup.folds, seed, setup.groups)
    kinds = setup.y["event"] if setup.task == "survival" else setup.y
    return split(kinds, setup.folds, seed, stratified=setup.task != "regression", groups=setup.groups)


def _without_gaps(X: Floats, train: Places) -> Floats:
    """Return a table with its missing values filled by the medians of the training rows."""
    if not np.isnan(X).any():
        return X
    return np.asarray(filled(X, weighted_medians(X[train], np.ones(len(train)))), dtype=np.float64)


def _assess_or_say(setup: _Setup, trial: Trial) -> Values:
    """Do the same in another process, whose errors cannot be followed from here: say whose they are."""
    try:
        return _assess(setup, trial)
    except Exception as error:
        raise ValueError(f"{TITLES[trial.method]} failed: {type(error).__name__}: {error}.") from error


def _number(*parts: int) -> int:
    """Return a seed that follows from several numbers."""
    return int(np.random.SeedSequence(parts).generate_state(1)[0])


# -- all of them ------------------------------------------------------------------------------------


def _computed(
    setup: _Setup, trials: Sequence[Trial], jobs: int, show: Callable[[Headway], None]
) -> dict[Trial, Values]:
    """Return what came of every trial; where the number of columns is to be found, ours go first."""
    stages = [list(trials)]
    if setup.n_features == "auto":
        stages = [[trial for trial in trials if (trial.method == SNEL) is first] for first in (True, False)]
    found: dict[Trial, Values] = {}
    show(Headway(0, len(trials), None, None))
    for stage in stages:
        for trial, values in computed(partial(_assess if jobs == 1 else _assess_or_say, setup), stage, jobs):
            found[trial] = values
            show(_headway(trials, found, jobs))
        if setup.n_features == "auto":
            sizes = {
                (trial.seed, trial.fold): setup.columns.n_units_of(found[trial]["selected"])
                for trial in stages[0]
            }
            setup = replace(setup, sizes=sizes)
    return found


def _headway(trials: Sequence[Trial], found: Mapping[Trial, Values], jobs: int) -> Headway:
    records = [{**trial._asdict(), **values} for trial, values in found.items()]
    waiting = [trial for trial in trials if trial not in found]
    return Headway(len(found), len(trials), seconds_left(waiting, records, jobs), records[-1])


def _collected(
    setup: _Setup, methods: tuple[str, ...], repeats: int, found: Mapping[Trial, Values]
) -> Evaluation:
    """Put the values of all trials together, in the order of methods, repetitions and folds."""
    folds = [(repeat, fold) for repeat in range(repeats) for fold in range(setup.folds)]
    by_method = {method: [found[Trial("", method, *fold)] for fold in folds] for method in methods}
    scores = np.array([[values["scores"] for values in group] for group in by_method.values()])
    return Evaluation(
        task=setup.task,
        methods=methods,
        models=setup.models,
        metrics=METRICS[setup.task],
        scores=scores.transpose(0, 2, 1, 3),  # (methods, models, folds, metrics)
        selected={
            method: tuple(tuple(values["selected"]) for values in group)
            for method, group in by_method.items()
            if method != ALL_COLUMNS
        },
        n_rows=len(setup.y),
        n_labels=setup.y.shape[1] if setup.y.ndim > 1 else None,
        n_groups=None if setup.groups is None else int(setup.groups.max()) + 1,
        n_columns=setup.X.shape[1],
        n_units=None if setup.columns.units is None else setup.columns.n_offered,
        n_features=setup.n_features,
        folds=setup.folds,
        repeats=repeats,
        seed=setup.seed,
        seconds={
            method: float(np.median([values["seconds"] for values in group]))
            for method, group in by_method.items()
        },
        notes=_notes(by_method),
    )


def _notes(by_method: Mapping[str, Sequence[Values]]) -> tuple[str, ...]:
    """Return what the methods warned of, each once, with the number of folds it came from."""
    times: dict[tuple[str, str], int] = {}
    for method, group in by_method.items():
        for values in group:
            for said in values.get("warnings", ()):
                times[method, said] = times.get((method, said), 0) + 1
    return tuple(
        f"{TITLES[method]} warned in {number} of {len(by_method[method])} folds: {said}"
        for (method, said), number in times.items()
    )
