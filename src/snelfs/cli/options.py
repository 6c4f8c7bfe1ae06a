"""Options that several commands share, and how a command says what is wrong with one."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from snelfs.cli import endings
from snelfs.cli.settings import FLAGS, Setting, as_option
from snelfs.foundation.sentences import Sentence, said_by
from snelfs.foundation.words import printable

if TYPE_CHECKING:
    from snelfs.tables.reading import Table

File = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        help="Table of samples in rows: CSV, TSV, Parquet, Arrow, Excel, NPZ, ARFF, AnnData or GEO.",
        show_default=False,
    ),
]
Model = Annotated[
    Path,
    typer.Argument(
        metavar="MODEL", help="Folder that snelfs select wrote, or its model.skops.", show_default=False
    ),
]
Target = Annotated[
    str | None,
    typer.Option(
        "--target",
        metavar="COLUMN[,...]",
        help="The column to predict; several of zeros and ones are labels of a row.",
        show_default=False,
    ),
]
Time = Annotated[
    str | None,
    typer.Option(
        "--time",
        metavar="COLUMN",
        help="The column of censored times; with --event in place of --target.",
        show_default=False,
    ),
]
Event = Annotated[
    str | None,
    typer.Option(
        "--event",
        metavar="COLUMN",
        help="The column that is 1 or true where the event was observed, else 0 or false.",
        show_default=False,
    ),
]
Strata = Annotated[
    str | None,
    typer.Option(
        "--strata",
        metavar="COLUMN",
        help="The column within which censored times are compared, such as a centre.",
        show_default=False,
    ),
]
Labels = Annotated[
    Path | None,
    typer.Option(
        "--labels",
        metavar="FILE",
        help="Second file with an id and a label for every row.",
        show_default=False,
    ),
]
Groups = Annotated[
    str | None,
    typer.Option(
        "--groups",
        metavar="COLUMN",
        help="The column that says which rows belong together, such as samples of a patient.",
        show_default=False,
    ),
]
Covariates = Annotated[
    str | None,
    typer.Option(
        "--covariates",
        metavar="COLUMN,...",
        help="Columns to adjust for, such as age, sex or batch; they are never selected.",
        show_default=False,
    ),
]
Categorical = Annotated[
    str | None,
    typer.Option(
        "--categorical",
        metavar="auto|none|COLUMN,...",
        help="Columns of categories; auto takes text of few values, and none leaves text out.",
        show_default="auto",
    ),
]
IdColumn = Annotated[
    str | None,
    typer.Option(
        "--id-column",
        metavar="COLUMN",
        help="The column of the rows' names; by default a first column of text with no value twice.",
        show_default=False,
    ),
]
Transpose = Annotated[bool, typer.Option("--transpose", help="The file has one feature a row.")]
Layer = Annotated[
    str | None,
    typer.Option(
        "--layer",
        metavar="NAME",
        help="The layer of an AnnData file, or the sheet of an Excel file.",
        show_default=False,
    ),
]
Impute = Annotated[
    str | None,
    typer.Option(
        "--impute",
        metavar="median",
        help="Fill missing values with the median of the rows that train; else they are an error.",
        show_default=False,
    ),
]
Decimal = Annotated[
    str | None,
    typer.Option("--decimal", metavar=".|,", help="The decimal sign of a text file.", show_default=False),
]
# What evaluate called --features, which is still understood by both commands.
OtherNumber = Annotated[str | None, typer.Option("--columns", hidden=True)]
Task = Annotated[
    str,
    typer.Option(
        "--task",
        metavar="auto|classification|regression|survival",
        help="What the target is; by default what it looks like.",
    ),
]
Seed = Annotated[
    int, typer.Option("--seed", min=0, max=2**32 - 1, help="Seed of all that is drawn at random.")
]
Quiet = Annotated[bool, typer.Option("--quiet", help="Say nothing of progress and of the table read.")]
Force = Annotated[bool, typer.Option("--force", help="Replace what is there already.")]
Jobs = Annotated[int, typer.Option(min=1, help="Processes side by side; if several, each has one thread.")]

# How `read_table` is told to read, for every command that reads a table.
READING: dict[str, tuple[Any, Any]] = {
    "target": (Target, None),
    "time": (Time, None),
    "event": (Event, None),
    "strata": (Strata, None),
    "labels": (Labels, None),
    "groups": (Groups, None),
    "covariates": (Covariates, None),
    "categorical": (Categorical, None),
    "id_column": (IdColumn, None),
    "transpose": (Transpose, False),
    "layer": (Layer, None),
    "impute": (Impute, None),
    "decimal": (Decimal, None),
}


def setting_options(settings: Iterable[Setting]) -> dict[str, tuple[Any, Any]]:
    """Return an option for each setting of the method, as annotation and default."""
    return {
        setting.name: (_setting_option(setting), False if setting.name in FLAGS else None)
        for setting in settings
    }


def _setting_option(setting: Setting) -> Any:
    panel = "Settings of the method"
    if setting.name in FLAGS:
        return Annotated[bool, typer.Option(setting.option, help=setting.help, rich_help_panel=panel)]
    details: dict[str, Any] = {
        "metavar": setting.values,
        "help": setting.help,
        "show_default": setting.default,
    }
    return Annotated[str | None, typer.Option(setting.option, rich_help_panel=panel, **details)]


def in_options(sentence: str) -> str:
    """Return a sentence with its arguments called as the command line calls them, fit for a terminal.

    Examples
    --------
    >>> from snelfs.foundation.sentences import Argument
    >>> in_options(Sentence("if each row is a feature, pass ", Argument("transpose=True"), "."))
    'if each row is a feature, pass --transpose.'
    """
    return printable(sentence.spelled(as_option) if isinstance(sentence, Sentence) else sentence)


def with_options(
    more: Mapping[str, tuple[Any, Any]], *, first: bool = False
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command options, as annotation and default, that reach it by its ``**`` argument.

    They come after its own, or `first`: right after what it cannot do without.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(command, eval_str=True)
        kind = inspect.Parameter.KEYWORD_ONLY
        own = [each for each in signature.parameters.values() if each.kind is not each.VAR_KEYWORD]
        given = [
            inspect.Parameter(name, kind, default=default, annotation=annotation)
            for name, (annotation, default) in more.items()
        ]
        place = sum(each.default is each.empty for each in own) if first else len(own)
        own = [each if n < place else each.replace(kind=kind) for n, each in enumerate(own)]
        command.__signature__ = signature.replace(  # type: ignore[attr-defined]
            parameters=[*own[:place], *given, *own[place:]]
        )
        return command

    return decorate


@contextmanager
def errors_as_sentences() -> Iterator[None]:
    """Turn an error of the caller's into a sentence and a non-zero exit."""
    try:
        yield
    except (ValueError, ImportError, FileNotFoundError, ConnectionError) as error:
        endings.raise_if_asked()  # what was interrupted may fail for want of it
        raise typer.BadParameter(in_options(said_by(error))) from error


@contextmanager
def stop_in_a_sentence() -> Iterator[None]:
    """Turn Ctrl-C into a sentence and the exit code that shells give it, 130."""
    try:
        yield
        endings.raise_if_asked()
    except BaseException as error:
        if not isinstance(error, KeyboardInterrupt) and not endings.is_asked():
            raise
        typer.echo(endings.stopped(), err=True)
        raise typer.Exit(130) from None


@contextmanager
def disk_errors_in_a_sentence() -> Iterator[None]:
    """Turn a full disk, or a place that cannot be written to, into a sentence and exit code 1."""
    try:
        yield
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        _fail(f"{place}{error.strerror or error}")


@contextmanager
def memory_errors_in_a_sentence() -> Iterator[None]:
    """Turn a want of memory into a sentence and exit code 1."""
    try:
        yield
    except MemoryError as error:
        _fail(f"this takes more memory than there is. {error}".rstrip(". "))
    except RuntimeError as error:
        if "RESOURCE_EXHAUSTED" not in str(error):  # so XLA says it
            raise
        _fail(f"this takes more memory than there is. {str(error).partition(': ')[2].splitlines()[0]}")


def _fail(reason: str) -> NoReturn:
    """Say what was written and why no more, and end."""
    known = endings.what_was_written() or "Stopped"
    typer.echo(f"{known[0].upper()}{known[1:]}: {reason}.", err=True)
    raise typer.Exit(1) from None


@contextmanager
def warnings_without_paths() -> Iterator[None]:
    """Show warnings of Python's as sentences: whoever types a command has no use for lines of source."""
    with warnings.catch_warnings():
        warnings.showwarning = _show_warning
        yield


def _show_warning(message: Warning | str, category: type[Warning], *_: object, **__: object) -> None:
    kind = "" if issubclass(category, UserWarning) else "A computation was not exact: "
    if not issubclass(category, DeprecationWarning | PendingDeprecationWarning | FutureWarning):
        typer.echo(f"{kind}{str(message).rstrip('.')}.", err=True)


@contextmanager
def all_in_sentences() -> Iterator[None]:
    """Say in one sentence whatever ends a command: its caller's error, the disk, the memory, or Ctrl-C.

    What it warns of is said in sentences, too.
    """
    endings.forget()
    with (
        stop_in_a_sentence(),
        errors_as_sentences(),
        disk_errors_in_a_sentence(),
        memory_errors_in_a_sentence(),
        warnings_without_paths(),
    ):
        yield


def refuse_file(path: Path | None, *, force: bool) -> None:
    """Raise if a file is there already and is not to be replaced."""
    if path is not None and path.is_dir():
        raise ValueError(f"{path} is a folder, and a file is to be written: choose another name.")
    if path is not None and path.exists() and not force:
        raise ValueError(f"{path} is there already: choose another name, or replace it by --force.")


def stem(file: Path) -> str:
    """Return the name of a file without its suffixes of format and compression.

    Examples
    --------
    >>> stem(Path("data/genes.csv.gz"))
    'genes'
    """
    inner = Path(file.stem) if file.suffix.lower() == ".gz" else file
    return inner.stem


def words(name: str, text: str, usual: Sequence[str], more: Sequence[str] = ()) -> list[str]:
    """Return the words of a list separated by commas, or the usual ones if there are none.

    Examples
    --------
    >>> words("methods", "mrmr, f_score", ["f_score"], ["mrmr"])
    ['mrmr', 'f_score']
    """
    from snelfs.foundation.checks import ArgumentError

    accepted = [*usual, *more]
    found = [word.strip() for word in text.split(",") if word.strip()]
    for word in found:
        if word not in accepted:
            raise ArgumentError(name, f"must be of {', '.join(accepted)}; got {word!r}.")
    return found or list(usual)


def task_of(task: str, table: Table) -> str:
    """Return the task asked for, or the one that the target looks like.

    Raises
    ------
    ValueError
        If the table has no target, or one of text is asked to be a number.
    """
    from snelfs.foundation.task import chosen_task

    if table.y is None:
        raise ValueError("There is no target: name the column to predict by --target, or a file by --labels.")
    chosen = chosen_task(task, table.y)
    if (chosen == "survival") != (table.y.dtype.names is not None):
        raise ValueError("Censored times are named by --time and --event, and are a task of their own.")
    if chosen == "regression" and table.y.ndim > 1:
        raise ValueError(f"--task regression needs one column, and --target names {table.y.shape[1]} labels.")
    if chosen == "regression" and table.y.dtype.kind not in "biuf":
        raise ValueError(f"--task regression needs numbers, and the target {table.target_name!r} is text.")
    return chosen


def say(sentences: Sequence[str], *, quiet: bool = False) -> None:
    """Say on standard error what was made of a file, called as on the command line, unless quiet."""
    for sentence in () if quiet else sentences:
        typer.echo(in_options(sentence), err=True)
