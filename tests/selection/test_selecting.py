"""The selection of a table: what is said of its columns, kept of its settings, and written to a folder."""

import csv
import errno
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from snelfs import SNeLClassifier, SNeLRegressor, SNeLSurvival, survival_target
from snelfs.cli.options import in_options
from snelfs.cli.settings import READING, SETTINGS, SHORT, read_settings, text_of, value_of
from snelfs.foundation.checks import ArgumentError
from snelfs.foundation.sentences import said_by
from snelfs.selection.contents import reading_of
from snelfs.selection.folder import model_of, write_folder
from snelfs.selection.result import data_hash
from snelfs.selection.selecting import _estimator, _partners, select
from snelfs.tables import Table, read_table
from snelfs.tables.sheet import TableError

NAMES = tuple(f"g{i}" for i in range(20))


def as_table(X, y, target="class", **changes):
    rows = tuple(f"S{i}" for i in range(X.shape[0]))
    given = {"source": "csv", "id_name": "sample", "notes": ("A note.",)} | changes
    return Table(X, NAMES, rows, y, target, **given)


@pytest.fixture(scope="module")
def found(table, quick):
    X, y = table
    chosen = quick | {"n_shuffles": 2, "penalty_limit": 1e-9, "steps": 4}
    return select(as_table(X, np.where(y > 0, "AML", "ALL")), settings=chosen)


def test_features_are_the_estimators_best_first(found):
    """Ranks, scores, frequencies, q-values and choice are those of the estimator, under the right names."""
    assert [feature.rank for feature in found.features] == list(range(1, 21))
    assert sum(feature.selected for feature in found.features) == len(found.selected) == 5
    fitted = found.estimator
    for feature in found.features:
        place = NAMES.index(feature.name)
        assert feature.rank == fitted.ranking_[place]
        assert feature.score == fitted.feature_importances_[place]
        assert feature.frequency == fitted.selection_frequency_[place]
        assert feature.q_value == fitted.q_values_[place]
        assert feature.selected == fitted.support_[place]
    assert {feature.effect for feature in found.features} <= {
        "higher in AML",
        "higher in ALL",
        "no trend alone",
    }
    assert found.estimator.get_feature_names_out().tolist() == [
        name for name in NAMES if name in {feature.name for feature in found.selected}
    ]


def test_partners_are_looked_for_among_numbers():
    """Places of categories that fit better by accident hide no partner."""
    X = np.random.default_rng(0).standard_normal((200, 20))
    y = np.where(X[:, 3] * X[:, 7] > 0, "AML", "ALL")
    X[:, 1] = (X[:, 3] > 0) == (y == "AML")
    told = as_table(X, y, categories={"g1": ("no", "yes")})
    assert _partners(told, y, "classification", np.array([1, 3])) == {3: 7}
    only = dict.fromkeys(NAMES, ("no", "yes"))
    assert _partners(as_table(X, y, categories=only), y, "classification", np.array([1, 3])) == {}


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (
            {"feature_groups": {"pair": ["g1", "batch"]}},
            "names 'batch', which is a covariate and never selected",
        ),
        ({"feature_groups": {"pair": ["g1", "patient"]}}, "names 'patient', which names the groups: leave"),
        (
            {"keep": "g1,batch"},
            "--keep names 'batch', which is a covariate and never selected: leave it out.",
        ),
        ({"keep": ["grade"]}, "--keep names 'grade', which is the target: leave it out."),
        ({"keep": ["batc"]}, "--keep names 'batc', which is no column"),
        (
            {"loss": "quantile:0.9"},
            "--loss 'quantile:0.9' is of numbers, and the target 'grade' is taken for classes, whose losses "
            "are 'log_loss' and 'ordinal'; if it holds numbers, pass --task regression.",
        ),
    ],
)
def test_what_is_no_feature_or_no_loss_of_classes_is_called_by_its_name(settings, said):
    """In the words of the command line; covariates of text are known by the names of their columns."""
    X = np.random.default_rng(0).standard_normal((12, 20))
    names = (*NAMES[:-1], "batch=B2")
    told = as_table(X, np.arange(12) % 3, "grade", covariates=("batch=B2",), groups_name="patient")
    with pytest.raises(ValueError, match=r"names|loss") as raised:
        _estimator("classification", settings, replace(told, feature_names=names))
    assert said in in_options(said_by(raised.value))


def test_losses_that_no_task_can_mend_are_said():
    """Text is never numbers, and censored times have one loss."""
    X, y = np.zeros((4, 20)), np.array(["a", "b", "a", "b"])
    with pytest.raises(ArgumentError, match=r"whose losses are 'log_loss' and 'ordinal'\.$"):
        _estimator("classification", {"loss": "huber"}, as_table(X, y))
    with pytest.raises(ArgumentError, match=r"loss is not to be chosen for censored times.*Cox's partial"):
        _estimator("survival", {"loss": "huber"}, as_table(X, survival_target([1, 0, 1, 1], [1, 2, 3, 4])))


def test_warnings_of_the_fit_are_kept_as_sentences(found):
    """Nothing is warned of aside; what the fit said stands in the selection."""
    assert any("no epoch with both penalties within" in sentence for sentence in found.warnings)


def test_the_record_is_json_and_has_all_to_repeat_it(found):
    """The settings in the record make an equal estimator, and versions and a hash of the data are there."""
    record = json.loads(json.dumps(found.record(), allow_nan=False))
    again = SNeLClassifier(**record["settings"] | {"hidden_layer_sizes": (20,)})
    assert again.get_params() == found.estimator.get_params()
    assert record["settings"]["random_state"] == 0
    assert record["data"]["sha256"] == data_hash(found.table)
    assert record["selected"] == [feature.name for feature in found.selected]
    assert record["notes"] == ["A note."]
    assert {"snelfs", "jax", "numpy", "python"} <= set(record["versions"])


def test_the_hash_sees_every_part_of_the_data(table):
    X, y = table
    other = X.copy()
    other[3, 4] += 1e-9
    tables = [as_table(X, y), as_table(other, y), as_table(X, y + 1), as_table(sparse.csr_array(X), y)]
    assert len({data_hash(each) for each in tables}) == 4
    assert data_hash(as_table(X.copy(), y.copy())) == data_hash(tables[0])


def test_numbers_become_a_regression_and_a_third_is_selected_by_default(table, quick):
    """The target decides the task; of 20 columns 6 are selected; a sparse table is as good."""
    X, y = table
    few = {name: quick[name] for name in ("n_restarts",)} | {"steps": 10, "refine": False}
    made = select(as_table(sparse.csr_array(X), y, "dose"), settings=few)
    assert made.task == "regression"
    assert isinstance(made.estimator, SNeLRegressor)
    assert len(made.selected) == 6
    assert made.features[0].effect == "rises with dose"


@pytest.mark.parametrize(
    ("y", "given", "said"),
    [
        (None, {}, "no target"),
        (np.array(["a", "b"] * 30), {"task": "regression"}, "'class' holds text such as 'a'"),
        (np.arange(60) + 0.5, {"task": "classification"}, "fractions such as 0.5"),
        (np.arange(60) % 2, {"task": "both"}, "task must be"),
        (np.arange(60) % 2, {"settings": {"n_restart": 2}}, "the nearest name is 'n_restarts'"),
    ],
)
def test_what_cannot_be_selected_is_one_sentence(table, y, given, said):
    with pytest.raises(ValueError, match=said) as caught:
        select(as_table(table[0], y), **given)
    assert str(caught.value).endswith(".")


def test_class_weights_may_name_classes_by_text(table, quick):
    """A file of settings has no other way to name the class 1."""
    X, y = table
    few = quick | {"refine": False, "class_weight": {"1": 5}}
    made = select(as_table(X, (y > 0).astype(int)), settings=few)
    assert made.estimator.class_weight == {1: 5}


# -- the folder -------------------------------------------------------------------------------------


def test_the_folder_holds_the_list_the_columns_the_model_and_the_record(found, tmp_path):
    """All five files; the selected columns can be read again, and the model predicts the same."""
    folder = write_folder(found, tmp_path / "out")
    assert {path.name for path in folder.iterdir()} == {
        "features.csv",
        "model.skops",
        "report.html",
        "selected.csv",
        "selection.json",
    }
    with (folder / "features.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["name"] for row in rows] == [feature.name for feature in found.features]
    columns = "name,rank,score,selection_frequency,q_value,effect,strength,partner,selected,named_by"
    assert ",".join(rows[0]) == columns
    again = read_table(folder / "selected.csv", target="class")
    assert again.feature_names == tuple(feature.name for feature in found.selected)
    assert again.row_names == found.table.row_names
    model = model_of(folder)
    assert np.array_equal(model.ranking_, found.estimator.ranking_)
    assert model.history_.n_epochs == found.estimator.history_.n_epochs
    assert reading_of(folder) == {}


def test_a_full_folder_is_refused_and_replaced_only_by_force(found, tmp_path):
    """An earlier choice in another format goes; whatever else is in the folder stays as it is."""
    folder = write_folder(replace(found, table=replace(found.table, source="npz")), tmp_path / "out")
    assert (folder / "selected.npz").exists()
    mine = {"mine.txt": "kept", "selected.mine": "mine, too", "selected.parquet": "of somebody else's"}
    for name, text in mine.items():
        (folder / name).write_text(text)
    (folder / "notes").mkdir()
    (folder / "notes" / "deep.txt").write_text("deep")
    (folder / "link").symlink_to("nowhere")
    with pytest.raises(ValueError, match="holds files already"):
        write_folder(found, folder)
    write_folder(found, folder, force=True)
    assert {name: (folder / name).read_text() for name in mine} == mine
    assert (folder / "notes" / "deep.txt").read_text() == "deep"
    assert (folder / "link").is_symlink()
    assert (folder / "selected.csv").exists()
    assert not (folder / "selected.npz").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("name", ["report.html", "selected.csv"])
def test_a_file_of_the_users_is_never_replaced(found, tmp_path, name):
    """Whatever its name, it is none of ours if no record says so."""
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / name).write_text("mine")
    with pytest.raises(ValueError, match=f"holds '{name}', which no selection of snelfs wrote"):
        write_folder(found, folder, force=True)
    assert [path.read_text() for path in folder.iterdir()] == ["mine"]


def test_a_folder_that_cannot_be_swapped_stays_as_it_was(found, tmp_path, monkeypatch):
    """The new one cannot take the place that the old one has just left: the old one is back."""
    folder = write_folder(found, tmp_path / "out")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    replace = Path.replace

    def fail(path, target):
        if Path(target) == folder and not folder.exists():
            raise OSError(errno.EIO, "Input/output error")
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match="Input/output"):
        write_folder(found, folder, force=True)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_full_disk_leaves_nothing(found, tmp_path, monkeypatch):
    """The last file cannot be written: there is no folder, and nothing temporary beside it."""

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("snelfs.selection.folder._write_report", full)
    with pytest.raises(OSError, match="No space"):
        write_folder(found, tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


# -- settings in words ------------------------------------------------------------------------------


def test_every_parameter_of_the_estimators_is_a_setting():
    """A new parameter is an option at once, with the estimators' own default and a sentence."""
    params = SNeLClassifier().get_params() | SNeLSurvival().get_params()
    described = {setting.name for setting in SETTINGS}
    assert described == set(params) - set(SHORT.values()) - {
        "verbose",
        "callback",
        "covariates",
        "categorical",
    }
    for setting in SETTINGS:
        default = value_of(setting.default)
        wanted = params[setting.name]
        assert (default,) == wanted if isinstance(wanted, tuple) else default == wanted
        assert setting.help.endswith(".")


@pytest.mark.parametrize("value", [3, 0.25, None, True, "auto", (10, 5), {"AML": 2, "b": 0.5}])
def test_text_and_values_are_each_others_opposite(value):
    assert value_of(text_of(value)) == value


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("n_restart = 3", "unknown key 'n_restart'; the nearest name is 'n_restarts'"),
        ("k = ", "is no TOML file"),
        (None, "does not exist"),
    ],
)
def test_a_wrong_file_of_settings_is_one_sentence(tmp_path, text, said):
    path = tmp_path / "settings.toml"
    if text is not None:
        path.write_text(text)
    with pytest.raises(ValueError, match=said):
        read_settings(path)


def test_the_arguments_of_reading_are_those_of_read_table():
    """A file of settings may hold any of them."""
    import inspect

    assert set(READING) == set(inspect.signature(read_table).parameters) - {
        "path",
        "columns",
        "categories",
    }


# -- some columns of a file -------------------------------------------------------------------------


def test_only_the_columns_asked_for_are_read(tmp_path):
    """In the order asked for; gaps and text elsewhere do not matter, a missing or wordy one does."""
    path = tmp_path / "a.csv"
    path.write_text("id,a,b,c,d\nS1,1,,3,x\nS2,4,5,6,y\n")
    got = read_table(path, columns=["c", "a"])
    assert got.feature_names == ("c", "a")
    assert got.X.tolist() == [[3, 1], [6, 4]]
    with pytest.raises(TableError, match=r"lacks 2 of the 3 columns needed: 'e', 'f'\."):
        read_table(path, columns=["a", "e", "f"])
    with pytest.raises(TableError, match=r"without numbers where numbers are needed: 'd'\."):
        read_table(path, columns=["a", "d"])
    with pytest.raises(TableError, match="transpose=True"):
        read_table(path, columns=["S1", "S2"])
