"""The estimators' settings in words: what the command line and files of settings take for each of them."""

from __future__ import annotations

import os
import shlex
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from snelfs.foundation.sentences import Argument
from snelfs.foundation.words import nearest


@dataclass(frozen=True)
class Setting:
    """Describe one parameter of the estimators.

    Attributes
    ----------
    name : str
        What the estimators call it.
    values : str
        The values it takes, in words.
    default : str
        The value it has if nothing is said, as it would be written.
    help : str
        What it does.
    """

    name: str
    values: str
    default: str
    help: str

    @property
    def option(self) -> str:
        """What the command line calls it."""
        return "--" + self.name.replace("_", "-")


# In the order of the estimators, which a test compares; they cannot be asked before jax is imported, and a
# help text should not wait for that.
SETTINGS = (
    Setting("keep", "COLUMN[,...]|none", "none", "Columns that are selected in any case."),
    Setting(
        "feature_groups", "FILE|none", "none", "Two columns, column and group: what is chosen as a whole."
    ),
    Setting("one_per_group", "true|false", "false", "Choose at most one column of each of these groups."),
    Setting("add_indicator", "true|false", "false", "Tell the network where values were missing."),
    Setting("threshold", "NUMBER|none", "none", "Select the features of a higher score instead of a number."),
    Setting("saliency", "used|max|sum", "used", "What of a column is used, the most or all that is copied."),
    Setting("hidden_layer_sizes", "N[,N...]", "20", "Units of the layers behind; few rows want few."),
    Setting("lambda_s", "auto|LOW,HIGH", "auto", "Range of the penalty on weights that sum to more than 1."),
    Setting("lambda_a", "auto|LOW,HIGH", "auto", "Range of the penalty on outputs that vary too little."),
    Setting("steps", "N[,N]", "9", "Values in half a cycle of the penalties: the length of the training."),
    Setting("cycles_s", "N", "1", "Cycles of the first penalty."),
    Setting("cycles_a", "N", "2", "Cycles of the second penalty at each value of the first."),
    Setting("epochs_per_stage", "N", "1", "Epochs at each pair of penalties; many rows may want more."),
    Setting("learning_rate", "auto|NUMBER", "auto", "Step of the optimiser; auto follows from the columns."),
    Setting("optimizer", "NAME", "adam", "Such as adam, adamw, rmsprop, sgd or yogi."),
    Setting("alpha_l1", "NUMBER", "0.003", "Penalty on the absolute weights behind the layer."),
    Setting("alpha_l2", "NUMBER", "0.02", "Penalty on the squared weights behind the layer."),
    Setting("batch_size", "auto|N|none", "auto", "Rows of a step; none is all, auto all up to 1,000."),
    Setting("validation_fraction", "SHARE", "0.2", "Rows on which the best epoch is chosen."),
    Setting(
        "scoring", "NAME|none", "none", "Score of the best epoch, such as loss, f1 or r2; none is usual."
    ),
    Setting("penalty_limit", "NUMBER", "0.3", "Epochs whose penalties are above it are no candidates."),
    Setting("smoothing", "NUMBER", "0.0", "Width of a smooth maximum in the penalties."),
    Setting("n_restarts", "N", "8", "Models that are trained together and vote."),
    Setting("combine", "auto|mean|soft|vote", "auto", "How the restarts become one score."),
    Setting("init", "constant|moments", "constant", "Start of the layer: alike, or by associations."),
    Setting("refine", "true|false", "true", "Train a second round among the best columns."),
    Setting("screen", "N|none", "1000", "The most columns of the first round, by associations."),
    Setting("prune", "auto|true|false", "auto", "Whether columns that are given up leave halfway."),
    Setting("patience", "SHARE|none", "none", "End a round whose vote is the same for this share of it."),
    Setting("max_time", "SECONDS|none", "none", "End with the best so far, and say what was cut."),
    Setting("devices", "N|all|none", "none", "Devices over which the columns are shared out."),
    Setting("class_weight", "balanced|CLASS=N,...|none", "none", "Weights of the classes."),
    Setting(
        "loss", "NAME[:NUMBER]|none", "none", "As quantile:0.9, huber, poisson or ordinal; none is usual."
    ),
    Setting("ties", "breslow|efron", "breslow", "How events at equal censored times count."),
)

# What is said of columns, which holds for whatever chooses among them.
OF_COLUMNS = ("keep", "feature_groups", "one_per_group", "add_indicator")

# What the command line calls by shorter names.
SHORT = {"k": "n_features_to_select", "seed": "random_state", "shuffles": "n_shuffles"}
READING = (
    *("target", "time", "event", "strata", "labels", "groups", "covariates", "categorical"),
    *("id_column", "transpose", "layer", "impute", "decimal"),
)
FLAGS = ("transpose", "one_per_group", "add_indicator")  # which take no value

# What evaluate and bench call as their functions do.
_SAME = (
    "axes",
    "data",
    "folds",
    "jobs",
    "methods",
    "repeats",
    "repetitions",
    "seed",
    "shapes",
    "task",
    "time_limit",
)

# What the command line calls the arguments that sentences mention; any other it calls as Python does.
OPTIONS = {
    **{setting.name: setting.option for setting in SETTINGS},
    **{name: "--" + name.replace("_", "-") for name in (*READING, *_SAME)},
    **{name: "-k" if word == "k" else f"--{word}" for word, name in SHORT.items()},
    "n_features": "-k",  # of evaluate
    "force it": "replace it by --force",  # not an argument, but what a sentence says of one
}


def value_of(text: str) -> Any:
    """Return the value that a text stands for: a number, a pair, a truth value, nothing, or a word.

    Examples
    --------
    >>> value_of("0.5"), value_of("10,5"), value_of("none"), value_of("true"), value_of("auto")
    (0.5, (10, 5), None, True, 'auto')
    >>> value_of("AML=2,ALL=1")
    {'AML': 2, 'ALL': 1}
    """
    text = text.strip()
    if "," in text or "=" in text:
        parts = [part.strip() for part in text.split(",") if part.strip()]
        if all("=" in part for part in parts):
            return {
                key.strip(): value_of(value) for key, _, value in (part.rpartition("=") for part in parts)
            }
        return tuple(value_of(part) for part in parts)
    known = {"none": None, "true": True, "false": False}
    if text.lower() in known:
        return known[text.lower()]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def text_of(value: Any) -> str:
    """Return the text that `value_of` turns into a value.

    Examples
    --------
    >>> text_of((0.01, 3.0)), text_of(None), text_of({"AML": 2})
    ('0.01,3.0', 'none', 'AML=2')
    """
    if isinstance(value, Mapping):
        return ",".join(f"{key}={text_of(item)}" for key, item in value.items())
    if isinstance(value, list | tuple):
        return ",".join(text_of(item) for item in value)
    return {"None": "none", "True": "true", "False": "false"}.get(str(value), str(value))


def option_words(name: str, value: Any) -> list[str]:
    """Return the words on the command line that give an argument a value.

    Examples
    --------
    >>> option_words("n_features_to_select", 5), option_words("transpose", True)
    (['-k', '5'], ['--transpose'])
    """
    option = OPTIONS[name]
    if name in FLAGS:
        return [option] if value else []
    return [option, text_of(value)]


def as_option(argument: Argument) -> str:
    """Return an argument in a sentence as the command line writes it.

    Examples
    --------
    >>> as_option(Argument("n_shuffles")), as_option(Argument('impute="median"')), as_option(Argument("y"))
    ('--shuffles', '--impute median', 'y')
    """
    if argument.name not in OPTIONS:
        return argument
    if argument.value is None:
        return OPTIONS[argument.name]
    return shlex.join(option_words(argument.name, argument.value))


def read_settings(path: str | os.PathLike[str]) -> dict[str, Any]:
    r"""Return the settings in a TOML file, by the names that the estimators and `read_table` give them.

    Keys are the parameters of the estimators, "k", "seed" and "shuffles" as on the command line, "task", and
    the arguments of `read_table`. Hyphens are as good as underscores. A word that is no value in TOML, such
    as none, is written as text.

    Raises
    ------
    ValueError
        If the file is not TOML, or has a key that is none of these.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "settings.toml"
    ...     _ = file.write_text('target = "class"\nk = 20\nlambda-s = [0.01, 2]\n')
    ...     read_settings(file)
    {'target': 'class', 'n_features_to_select': 20, 'lambda_s': (0.01, 2)}
    """
    path = Path(path)
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ValueError(f"{path} does not exist.") from None
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} is no TOML file: {error}.") from None
    known = [setting.name for setting in SETTINGS] + [*SHORT, *SHORT.values(), "task", *READING]
    found = {}
    for key, value in given.items():
        name = key.replace("-", "_")
        if name not in known:
            raise ValueError(f"{path} has the unknown key {key!r}; {nearest(name, known)}.")
        _must_be_of_type(path, name, value)
        found[SHORT.get(name, name)] = _typed(name, value)
    return found


def _must_be_of_type(path: Path, name: str, value: Any) -> None:
    """Raise if a value of TOML cannot be one of reading or a task; the estimators check the others."""
    if name in FLAGS and not isinstance(value, bool):
        raise ValueError(f"{name} in {path} must be true or false, got {value!r}.")
    if name in (*READING, "task") and name not in FLAGS and not isinstance(value, str):
        raise ValueError(f"{name} in {path} must be text in quotation marks, got {value!r}.")


def _typed(name: str, value: Any) -> Any:
    """Return a value of TOML in the type that the estimators take."""
    if isinstance(value, list):
        return tuple(value)
    if isinstance(value, str) and name not in READING:
        return value_of(value)
    return value
