"""What a report says in sentences: how many features, how far to trust them, and what to mind."""

from __future__ import annotations

import numpy as np

from snelfs.estimators.interface import own_loss
from snelfs.foundation.words import counted, listed, shortened
from snelfs.selection.report_data import LABEL_LENGTH, score_name
from snelfs.selection.report_labels import how_frequent, labels_title, loss_of_shares, short_labels
from snelfs.selection.result import Selection
from snelfs.selection.survival import SurvivalSummary
from snelfs.tables.survival import strata_called

# Above and below which the index of stability is called good and poor, after Fleiss' scale for agreement.
GOOD, POOR = 0.75, 0.4

PROMISED = 0.1  # the q-value up to which features are counted


def title(selection: Selection) -> str:
    """Return what the selected features are good for, in a line."""
    target = shortened(selection.table.target_name or "the target", LABEL_LENGTH)
    if selection.task != "classification":
        return f"Features that predict {target}"
    if several := short_labels(selection):
        return labels_title(several)
    labels = np.unique(np.asarray(selection.table.y)).tolist()
    classes = [
        shortened(label if isinstance(label, str) else f"class {label}", LABEL_LENGTH) for label in labels
    ]
    if len(classes) == 2:
        return f"Features that tell {classes[0]} from {classes[1]}"
    return f"Features that tell the {len(classes)} classes of {target} apart"


def summary(selection: Selection) -> list[str]:
    """Return the sentences that stand on top, what was selected first."""
    sentences = [_how_many(selection), how_frequent(selection), _adjusted(selection), _how_stable(selection)]
    sentences += [_how_well(selection), _by_chance(selection)]
    return [sentence for sentence in sentences if sentence]


def _how_many(selection: Selection) -> str:
    selected = [shortened(feature.name, LABEL_LENGTH) for feature in selection.features if feature.selected]
    names = f": {listed(selected)}" if len(selected) <= 3 else f", led by {listed(selected[:3])}"
    of_all = f"{len(selected):,} of {counted(len(selection.features), 'feature')}"
    verb = "is" if len(selected) == 1 else "are"
    rows = counted(selection.table.X.shape[0], "row") + _of_groups(selection)
    return f"{of_all} {verb} selected from {rows}{names}."


def _adjusted(selection: Selection) -> str:
    """Say what was adjusted for and what was kept, if anything."""
    sentences = []
    if covariates := [shortened(name, LABEL_LENGTH) for name in selection.table.covariates]:
        sentences.append(
            f"All is adjusted for {listed(covariates)}: the features tell what these leave unexplained."
        )
    kept = selection.estimator.get_params()["keep"]
    if kept is not None and len(kept):
        names = [shortened(selection.table.feature_names[place], LABEL_LENGTH) for place in kept]
        verb = "was" if len(names) == 1 else "were"
        sentences.append(f"{listed(names)} {verb} kept as asked for, and not looked for.")
    return " ".join(sentences)


def _of_groups(selection: Selection) -> str:
    """Say how many groups and strata the rows are of, if they are."""
    table, said = selection.table, ""
    if table.groups is not None:
        name = shortened(table.groups_name or "groups", LABEL_LENGTH)
        said = f" of {len(np.unique(table.groups)):,} groups ({name}), which no split parts"
    if strata := strata_called(table.y):
        joined = "," if said else ""
        name = shortened(strata.name, LABEL_LENGTH)
        said += f"{joined} of {strata.number:,} strata ({name}), within which they are compared"
    return said


def _how_stable(selection: Selection) -> str:
    found = selection.estimator.stability_
    n_restarts = len(selection.estimator.saliencies_)
    if n_restarts == 1:
        return "Only one model was trained, so nothing can be said about how stable the selection is."
    if not np.isfinite(found.value):
        return ""
    agreement = "agree well"
    if found.value < GOOD:
        agreement = "agree in part" if found.value >= POOR else "agree little"
    return (
        f"The {n_restarts} restarts {agreement} on which: their stability is {found.value:.2f}, where 1 is "
        "the same features every time and 0 is chance. Other data would agree less."
    )


def _how_well(selection: Selection) -> str:
    """Say what rows held out of the search tell, or else the validation rows, which had a part in it."""
    curve = getattr(selection.estimator, "n_features_curve_", None)
    if curve is not None:
        at = int(np.flatnonzero(curve.n_features == curve.chosen)[0])
        score = score_name(selection)
        return (
            f"On rows held out of the whole search, {counted(int(curve.chosen), 'feature')} reach"
            f"{'es' if curve.chosen == 1 else ''} {score} {curve.mean[at]:.2f} ± {curve.error[at]:.2f} "
            "(standard error)."
        )
    if selection.survival is not None:
        return _held_out_order(selection.survival)
    loss = validation_loss(selection)
    if not np.isfinite(loss):
        return ""
    return (
        f"On the restarts' validation rows the loss{_which(selection)} is {loss:.2f}; "
        f"{_by_guessing(selection)}. "
        "These rows had a part in the choice, so expect less of new data."
    )


def _held_out_order(summary: SurvivalSummary) -> str:
    if not np.isfinite(summary.c_index):
        return ""
    return (
        f"On rows held out of the whole search the c-index is {summary.c_index:.2f}, where 1 is the right "
        "order of all events and 0.5 is chance."
    )


def validation_loss(selection: Selection) -> float:
    """Return the median over the restarts of the loss at their best epochs, on their validation rows."""
    best = np.asarray(selection.estimator.best_epoch_)
    restarts = np.flatnonzero(best >= 0)
    losses = selection.estimator.history_.validation_loss[restarts, best[restarts]]
    return float(np.median(losses)) if len(losses) else np.nan


def _which(selection: Selection) -> str:
    own = own_loss(selection.estimator)
    return "" if own is None else f" ({own[0]})"


def _by_guessing(selection: Selection) -> str:
    """Say what the loss is of a guess that knows the target alone."""
    if (own := own_loss(selection.estimator)) is not None:
        return f"the best constant has {own[1]:.2f}"
    if selection.task != "classification":
        return "guessing the mean has 1"
    if selection.estimator.get_params().get("class_weight") is not None:
        return f"guessing with equal chances has {np.log(len(selection.estimator.classes_)):.2f}"
    if short_labels(selection):
        return f"guessing by the labels' shares has {loss_of_shares(np.asarray(selection.table.y)):.2f}"
    sizes = np.unique(np.asarray(selection.table.y), return_counts=True)[1]
    share = sizes / sizes.sum()
    return f"guessing by the classes' sizes has {-(share * np.log(share)).sum():.2f}"


def _by_chance(selection: Selection) -> str:
    q_values = [feature.q_value for feature in selection.features if feature.selected]
    if any(value is None for value in q_values):
        return ""
    least = 1 / (selection.estimator.n_shuffles + 1)
    if least > PROMISED:
        return f"With so few shuffles no q-value can be below {least:.2f}, so chance cannot be ruled out."
    sure = sum(value is not None and value <= PROMISED for value in q_values)
    if not sure:
        return "None of them has a q-value up to 0.1: on shuffled targets the search finds as much."
    return (
        f"{sure:,} of them {'has a q-value' if sure == 1 else 'have q-values'} up to 0.1: "
        "about a tenth of such features are found by chance."
    )


def about_pictures(selection: Selection, n_drawn: int, n_listed: int) -> list[str]:
    """Return what the pictures and the table leave out, if anything."""
    left_out = []
    n_rows, n_features = selection.table.X.shape[0], len(selection.features)
    if n_drawn < n_rows:
        kind = "every class among them" if selection.task == "classification" else "drawn at random"
        kind = "drawn in proportion to their labels" if short_labels(selection) else kind
        left_out.append(f"The pictures show {n_drawn:,} of the {n_rows:,} rows, {kind}.")
    if n_listed < n_features:
        left_out.append(f"The table lists the leading {n_listed:,} of {n_features:,} features.")
    return left_out
