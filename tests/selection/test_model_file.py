"""Models on disk: the same after loading, and nothing but data."""

import copy
import re
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import skops.io
from sklearn.pipeline import Pipeline

from snelfs import SNeLClassifier, SNeLRegressor
from snelfs.search.feature_count import Curve
from snelfs.selection.contents import reading_of
from snelfs.selection.model_file import TRUSTED, load_model, save_model


@pytest.fixture(scope="module")
def fitted(table, quick):
    X, y = table
    frame = pd.DataFrame(X, columns=[f"g{i}" for i in range(20)])
    return SNeLClassifier(**quick | {"refine": False}).fit(frame, np.where(y > 0, "a", "b"))


@pytest.mark.parametrize("kind", [SNeLClassifier, SNeLRegressor])
def test_a_model_comes_back_as_it_was(table, quick, tmp_path, kind):
    """Attributes, names and predictions are the same, those of "auto" included."""
    X, y = table
    frame = pd.DataFrame(X, columns=[f"g{i}" for i in range(20)])
    few = quick | {"refine": False}
    model = kind(**few).fit(frame, y if kind is SNeLRegressor else np.where(y > 0, "a", "b"))
    model.n_features_curve_ = Curve(np.array([1, 2]), np.array([0.5, 0.6]), np.array([0.1, 0.1]), 2)
    again = load_model(save_model(model, tmp_path / "model.skops"))
    assert vars(again).keys() == vars(model).keys()
    assert again.get_params() == model.get_params()
    assert np.array_equal(again.predict(frame), model.predict(frame))
    assert again.get_feature_names_out().tolist() == model.get_feature_names_out().tolist()
    assert again.n_features_curve_.chosen == model.n_features_curve_.chosen
    assert again.stability_ == pytest.approx(model.stability_)
    assert set(skops.io.get_untrusted_types(file=tmp_path / "model.skops")) <= set(TRUSTED)


# scikit-learn may be older than the one of the file: what that means is its user's to know.
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.InconsistentVersionWarning")
def test_a_model_saved_by_an_earlier_version_is_loaded():
    """Version 0.1.0 stored the modules of its parts, all of which have moved since."""
    generator = np.random.default_rng(0)
    frame = pd.DataFrame(generator.standard_normal((40, 6)).round(3), columns=list("abcdef"))
    model = load_model(Path(__file__).with_name("model-0.1.0.skops"))
    assert isinstance(model, SNeLClassifier)
    assert model.get_feature_names_out().tolist() == ["c", "d", "f"]
    assert model.n_features_curve_.chosen == 3
    likely = [[0.45991639, 0.54008361], [0.63018619, 0.36981381], [0.36737887, 0.63262113]]
    np.testing.assert_allclose(model.predict_proba(frame)[:3], likely, rtol=1e-6)


def test_models_name_their_parts_by_public_paths(table, quick, tmp_path):
    """The next move of a module breaks nobody's file."""
    path = save_model(SNeLRegressor(**quick | {"refine": False}).fit(*table), tmp_path / "model.skops")
    stored = zipfile.ZipFile(path).read("schema.json").decode()
    assert '"snelfs"' in stored
    assert "snelfs." not in stored


class Stranger:
    """A type that no model needs."""

    def __init__(self):
        self.value = 1


def test_a_file_that_asks_for_other_types_is_refused(tmp_path):
    """The sentence names the type, and nothing of the file is loaded."""
    path = tmp_path / "model.skops"
    skops.io.dump({"a": Stranger()}, path)
    with pytest.raises(ValueError, match=r"types that no model needs, and is not loaded: .*Stranger"):
        load_model(path)


def test_other_files_are_refused_in_a_sentence(tmp_path):
    """No file, a folder, a text, an empty archive, and an array are each told."""
    path = tmp_path / "model.skops"
    with pytest.raises(ValueError, match="does not exist"):
        load_model(path)
    with pytest.raises(ValueError, match=r"model\.skops does not exist"):
        load_model(tmp_path)
    path.write_text("no model")
    with pytest.raises(ValueError, match="no model that snelfs wrote"):
        load_model(path)
    with zipfile.ZipFile(path, "w"):
        pass
    with pytest.raises(ValueError, match="no model that snelfs wrote"):
        load_model(path)
    skops.io.dump(np.ones(3), path)
    with pytest.raises(ValueError, match="holds a ndarray and no fitted estimator"):
        load_model(path)


def altered(path, change):
    """Rewrite what a model file says of its parts."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts["schema.json"] = change(parts["schema.json"].decode()).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)


def test_a_newer_form_is_no_damage(fitted, tmp_path):
    """The sentence says what to update."""
    path = save_model(fitted, tmp_path / "model.skops")
    altered(path, lambda text: re.sub(r'"protocol": \d+', '"protocol": 999', text))
    with pytest.raises(ValueError, match=r"was written by skops .*: update skops\.$"):
        load_model(path)


def test_a_file_nested_without_end_is_refused(fitted, tmp_path):
    """Neither the reader nor whoever walks through what it read runs out of stack."""
    path = save_model(fitted, tmp_path / "model.skops")
    altered(path, lambda _: "[" * 100_000 + "]" * 100_000)
    with pytest.raises(ValueError, match="no model that snelfs wrote"):
        load_model(path)
    (tmp_path / "selection.json").write_text('{"reading": ' * 100_000 + "1" + "}" * 100_000)
    assert reading_of(path) == {}


@pytest.mark.parametrize(
    "part",
    [
        *("support_", "ranking_", "feature_importances_", "selection_frequency_", "saliencies_"),
        *("layer_weights_", "history_", "best_epoch_", "stability_", "n_features_in_", "_predictor"),
        *("classes_", "feature_names_in_"),
    ],
)
def test_a_model_that_lacks_a_part_or_has_one_too_short_is_refused(fitted, tmp_path, part):
    """In a sentence when it is loaded, not by a traceback when it is used."""
    shorter = copy.copy(fitted)
    value = getattr(fitted, part)
    if isinstance(value, np.ndarray):
        setattr(shorter, part, value[:-1])
        said = "do not fit together" if part != "support_" else "fit"
        with pytest.raises(ValueError, match=said):
            load_model(save_model(shorter, tmp_path / "short.skops"))
    if part in ("feature_names_in_", "support_"):  # the former need not be there, the latter makes it fitted
        return
    delattr(shorter, part)
    with pytest.raises(ValueError, match="lacks a part of a model, or holds parts that do not fit together"):
        load_model(save_model(shorter, tmp_path / "model.skops"))


@pytest.mark.parametrize("what", [Pipeline([("select", SNeLRegressor())]), SNeLRegressor(), None])
def test_only_what_can_be_loaded_is_saved(tmp_path, what):
    """A pipeline is refused with advice, and no file is left."""
    with pytest.raises(ValueError, match=r"Only a fitted SNeLClassifier, .* or SNeLSurvival is saved"):
        save_model(what, tmp_path / "model.skops")
    assert list(tmp_path.iterdir()) == []


def test_a_failing_write_leaves_nothing(tmp_path, table, quick, monkeypatch):
    model = SNeLRegressor(**quick | {"refine": False}).fit(*table)

    def fail(*_, **__):
        raise OSError("No space left on device")

    monkeypatch.setattr("skops.io.dump", fail)
    with pytest.raises(OSError, match="No space"):
        save_model(model, tmp_path / "model.skops")
    assert list(tmp_path.iterdir()) == []
