"""What the estimators refuse or warn of, each in one sentence."""

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from snelfs.data.prepared import Prepared
from snelfs.engine.training import Training
from snelfs.foundation.types import Flags, Texts
from snelfs.foundation.words import counted, first_few
from snelfs.search.directions import most_directions
from snelfs.search.options import Options
from snelfs.search.search import Search


def refuse_objects(X: object) -> None:
    """Raise if `X` is a whole AnnData object, and say which part of it is meant."""
    if type(X).__name__ == "AnnData":
        raise ValueError(
            "X is an AnnData object, which holds more than a table: pass its matrix adata.X, or one of "
            "adata.layers, and a column of adata.obs as y."
        )


def warn_of_empty(empty: Flags, names: NDArray[Any] | None) -> None:
    """Warn of columns without any value, which are never selected."""
    if empty.any():
        called = [f"x{place}" if names is None else str(names[place]) for place in np.flatnonzero(empty)]
        verb = "column has" if len(called) == 1 else "columns have"
        warnings.warn(
            f"{len(called):,} {verb} no value at all and cannot be selected: {first_few(called)}.",
            UserWarning,
            stacklevel=6,  # the line that calls fit
        )


def warn_of_wide(data: Prepared, group_of: Texts, names: Sequence[str]) -> None:
    """Warn of groups of more columns than enter: their leading directions have to do."""
    if data.units is None:
        return
    most, columns = most_directions(len(data.Z)), np.bincount(data.places)
    wide = data.entries[columns > most]
    if len(wide):
        first = [int(np.argmax(data.units.of == unit)) for unit in wide]
        called = [str(group_of[place]) or names[place] for place in first]
        verb = "has" if len(wide) == 1 else "have"
        warnings.warn(
            f"{counted(len(wide), 'group')} of columns {verb} more than the {most} directions that enter "
            f"of a group in {len(data.Z):,} rows, so that those of most variance stand for it: "
            f"{first_few(called)}.",
            UserWarning,
            stacklevel=5,  # the line that calls fit
        )


@contextmanager
def text_named(X: Any) -> Iterator[None]:
    """Name the column of a frame that holds text where scikit-learn only says that there is some."""
    try:
        yield
    except (TypeError, ValueError):
        for name in getattr(X, "columns", ()):
            try:
                if is_date(X[name]):
                    raise TypeError
                np.asarray(X[name], dtype=np.float64)
            except (TypeError, ValueError):
                raise no_numbers(name) from None
        raise


def is_date(column: Any) -> bool:
    """Tell whether a column of a frame holds dates or times, which would become numbers of nanoseconds.

    With a time zone they are objects to numpy; the frame calls them what they are.
    """
    named = str(getattr(column, "dtype", "")).lower()
    return np.asarray(column).dtype.kind in "mM" or named.startswith(("datetime", "timedelta", "period"))


def no_numbers(name: object) -> ValueError:
    """Return what is said of a column of a frame that holds something else than numbers."""
    return ValueError(
        f"The column {name!r} of X holds text or other things that are no numbers: leave it out, or encode "
        "it."
    )


def cut_rounds(found: Search, options: Options) -> list[str]:
    """Return in words which rounds ended before their schedules, or never began."""
    planned, cut = options.schedule.n_epochs, []
    for name, each in (("first", found.first), ("second", found.last)):
        done = each.training.history.n_epochs
        if done < planned and (each is not found.first or name == "first"):
            cut.append(f"the {name} round has {done} of {planned} epochs")
    if options.refine and found.last is found.first:
        cut.append("there is no second round")
    if found.cut_short:
        cut.append("what the networks leave was not followed up")
    return cut


def fallback(training: Training, penalty_limit: float) -> str | None:
    """Return in words how many restarts had no admitted epoch, and why; None if all had one."""
    failed = np.asarray(~training.history.admitted.any(axis=1))
    if not failed.any():
        return None
    if (training.best_epoch < 0).any():
        reason = "training diverged: a smaller learning_rate may help"
    else:
        violations = np.maximum(training.history.sum_penalty, training.history.variance_penalty)
        least = np.nanmin(violations[failed])
        reason = (
            f"the least violation was {least:.2f}, so their columns are taken from the least violating "
            "epochs: more steps or epochs_per_stage, or another learning_rate, may help"
        )
    return (
        f"{failed.sum()} of {len(failed)} restart(s) had no epoch with both penalties within "
        f"penalty_limit={penalty_limit:g}; {reason}."
    )
