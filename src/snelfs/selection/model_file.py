"""Fitted estimators as files, without pickle: what is loaded can be data, and never code."""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from snelfs.estimators.base import SNeLSelector
from snelfs.estimators.interface import (
    n_units,
    needed_columns,
    predict_selected,
    ranks_of_units,
    selected_probabilities,
)
from snelfs.estimators.snel import SNeLClassifier
from snelfs.estimators.survival import SNeLSurvival
from snelfs.foundation.extras import require
from snelfs.foundation.files import written_whole
from snelfs.foundation.memory import too_large
from snelfs.foundation.words import first_few
from snelfs.selection.contents import model_path

# All that a model is made of beside the types of numpy and scikit-learn that skops knows, by their public
# names. Whatever else a file asks for is refused.
TRUSTED = (
    "snelfs.CoxNetwork",
    "snelfs.Curve",
    "snelfs.DenseNetwork",
    "snelfs.History",
    "snelfs.Predictor",
    "snelfs.SNeLClassifier",
    "snelfs.SNeLRegressor",
    "snelfs.SNeLSurvival",
    "snelfs.Stability",
    "snelfs.Standardisation",
)

_SCHEMA = "schema.json"  # of a skops file: which part is of which type

# What version 0.1.0 called them: it stored the modules they happened to be in.
_FORMER = {
    "snelfs.howmany.Curve": "Curve",
    "snelfs.preparation.Standardisation": "Standardisation",
    "snelfs.refit.Refit": "Predictor",
    "snelfs.selector.SNeLClassifier": "SNeLClassifier",
    "snelfs.selector.SNeLRegressor": "SNeLRegressor",
    "snelfs.stability.Stability": "Stability",
    "snelfs.training.History": "History",
}


def save_model(estimator: SNeLSelector, path: str | os.PathLike[str]) -> Path:
    """Write a fitted estimator to a file, whole or not at all.

    Examples
    --------
    >>> import tempfile
    >>> from snelfs import SNeLRegressor
    >>> X = np.random.default_rng(0).standard_normal((30, 6))
    >>> fitted = SNeLRegressor(2, steps=4, n_restarts=2, refine=False, random_state=0).fit(X, X[:, 1])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     again = load_model(save_model(fitted, Path(folder) / "model.skops"))
    >>> bool((again.predict(X) == fitted.predict(X)).all())
    True
    """
    skops = _skops()
    if not isinstance(estimator, SNeLSelector) or not hasattr(estimator, "support_"):
        raise ValueError(
            "Only a fitted SNeLClassifier, SNeLRegressor or SNeLSurvival is saved, got "
            f"{type(estimator).__name__}: of a pipeline save that step."
        )
    if not isinstance(vars(estimator).get("loss"), str | None):
        raise ValueError(
            "A model whose loss is a function is not saved: a function is code, and such a file holds data "
            "alone; losses by name are saved, and pickle stores a function that can be imported by its name."
        )
    path = Path(path)
    with written_whole(path) as temporary:
        skops.dump(_to_be_stored(estimator), temporary, compression=zipfile.ZIP_DEFLATED)
    return path


def load_model(path: str | os.PathLike[str]) -> SNeLSelector:
    """Return the estimator in a file that `save_model` wrote.

    Raises
    ------
    ValueError
        If the file is something else, or asks for types that no model needs.
    """
    skops = _skops()
    path = model_path(path)
    try:
        stored = _with_present_names(path.read_bytes())
        strangers = sorted(set(skops.get_untrusted_types(data=stored)) - set(TRUSTED))
        estimator = None if strangers else skops.loads(stored, trusted=list(TRUSTED))
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror or error}.") from None
    except _ForeignError as error:
        raise ValueError(f"{path} {error}.") from None
    except Exception:  # whatever a broken file does to the library beneath, the sentence is the same
        raise ValueError(f"{path} is no model that snelfs wrote: it may be cut short or damaged.") from None
    if strangers:
        raise ValueError(
            f"{path} asks for types that no model needs, and is not loaded: {first_few(strangers)}."
        )
    if not isinstance(estimator, SNeLSelector) or not hasattr(estimator, "support_"):
        raise ValueError(f"{path} holds a {type(estimator).__name__} and no fitted estimator of snelfs.")
    if hasattr(estimator, "_refit"):  # as 0.1.0 called it
        estimator._predictor = estimator.__dict__.pop("_refit")
    try:
        _must_be_whole(estimator)
    except Exception:  # whatever a part of another type or length does
        raise ValueError(
            f"{path} lacks a part of a model, or holds parts that do not fit together."
        ) from None
    if hasattr(estimator, "feature_names_in_"):
        estimator.feature_names_in_ = estimator.feature_names_in_.astype(object)
    return estimator


def _must_be_whole(estimator: SNeLSelector) -> None:
    """Raise something unless all parts of a model are there and of lengths that fit each other."""
    n_features = estimator.n_features_in_
    names = getattr(estimator, "feature_names_in_", np.empty(n_features, dtype=str))
    q_values = getattr(estimator, "q_values_", np.empty(n_features))
    alike = (estimator.ranking_, estimator.feature_importances_, estimator.selection_frequency_)
    for part in (estimator.support_, names, q_values, *alike):
        _must_hold(part.shape == (n_features,))
    _must_hold(estimator.support_.dtype == bool and names.dtype.kind in "UTO")
    _must_hold(np.array_equal(ranks_of_units(estimator), np.arange(1, n_units(estimator) + 1)))
    history, n_restarts = estimator.history_, len(estimator.best_epoch_)
    measures = (history.train_loss, history.validation_loss, history.sum_penalty, history.variance_penalty)
    for part in (*measures, history.admitted):
        _must_hold(part.shape == (n_restarts, history.n_epochs))
    _must_hold(estimator.saliencies_.shape == (n_restarts, n_features))
    _must_hold(estimator.layer_weights_.shape[::2] == (n_restarts, n_features))
    _must_hold(all(isinstance(value, float) for value in estimator.stability_))
    columns = np.zeros((1, len(needed_columns(estimator))))
    _must_hold(len(predict_selected(estimator, columns)) == 1)
    if isinstance(estimator, SNeLClassifier):
        _must_hold(selected_probabilities(estimator, columns).shape == (1, len(estimator.classes_)))
    if isinstance(estimator, SNeLSurvival):
        times, hazard = estimator.unique_times_, estimator.baseline_cumulative_hazard_
        strata = getattr(estimator, "strata_", None)
        by_stratum = () if strata is None else strata.shape
        _must_hold(times.ndim == 1 and hazard.shape == (*by_stratum, *times.shape))


def _must_hold(is_so: bool) -> None:
    if not is_so:
        raise ValueError


class _ForeignError(ValueError):
    """Say what is wrong with a file that is whole."""


def _must_not_be_newer(schema: Mapping[str, Any]) -> None:
    """Raise if a file was written in a form that only a later skops knows."""
    from skops import __version__
    from skops.io._protocol import PROTOCOL

    if schema.get("protocol", 0) > PROTOCOL:
        raise _ForeignError(
            f"was written by skops {schema.get('_skops_version')}, and {__version__} is installed, which "
            "does not know its form yet: update skops"
        )


def _with_present_names(stored: bytes) -> bytes:
    """Return the bytes of a model with all types called as they are now."""
    with zipfile.ZipFile(io.BytesIO(stored)) as archive:
        if reason := too_large(2 * sum(part.file_size for part in archive.infolist())):
            raise _ForeignError(reason)
        parts = {name: archive.read(name) for name in archive.namelist()}
    schema = json.loads(parts[_SCHEMA])
    _must_not_be_newer(schema)
    if not _rename(schema):
        return stored
    renamed = io.BytesIO()
    with zipfile.ZipFile(renamed, "w") as archive:
        for name, content in (parts | {_SCHEMA: json.dumps(schema).encode()}).items():
            archive.writestr(name, content)
    return renamed.getvalue()


def _rename(node: Any) -> bool:
    """Give former names of types their present ones, in a whole tree, and tell whether there were any."""
    if isinstance(node, list):
        return sum(map(_rename, node)) > 0
    if not isinstance(node, dict):
        return False
    inside = sum(map(_rename, node.values())) > 0
    name = _FORMER.get(f"{node.get('__module__')}.{node.get('__class__')}")
    if name is None:
        return inside
    node |= {"__module__": "snelfs", "__class__": name}
    return True


def _to_be_stored(estimator: SNeLSelector) -> SNeLSelector:
    """Return the estimator with its columns' names as one array of text, not as thousands of objects.

    Its callback, which is code, stays behind.
    """
    copy = object.__new__(type(estimator))
    copy.__dict__.update(vars(estimator), callback=None)
    if hasattr(estimator, "feature_names_in_"):
        copy.feature_names_in_ = np.asarray(estimator.feature_names_in_, dtype=str)
    return copy


def _skops() -> Any:
    return require("skops.io", "cli", "A model on disk")
