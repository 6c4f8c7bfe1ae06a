"""What a report shows and says of several labels a row: their shares, and which of them a feature tells."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from snelfs.foundation.types import Ints, Reals
from snelfs.foundation.words import listed, percent, shortened
from snelfs.search.rank_statistics import normal_scores, standardised
from snelfs.selection.result import Selection
from snelfs.tables.labels import named_labels

NAME_LENGTH = 60  # letters
MOST_NAMED = 6  # in a sentence


def short_labels(selection: Selection) -> list[str]:
    """Return what the labels are called, none too long; nothing if there is one target."""
    names = named_labels(selection.table.y, selection.table.labels)
    return [shortened(name, NAME_LENGTH) for name in names]


def label_lists(selection: Selection, rows: Ints, places: Iterable[int]) -> dict[str, Any] | None:
    """Return who has which label, and which one the pictures of a feature show; None of one target.

    Parameters
    ----------
    rows : array of int
        The rows drawn.
    places : iterable of int
        The features whose values are drawn, by their ranks from 0.
    """
    names, table, y = short_labels(selection), selection.table, selection.table.y
    if not names or y is None:
        return None
    order, drawn = np.argsort(selection.estimator.ranking_), sorted(places)
    Z = dict(zip(drawn, normal_scores(_dense(table.X, order[drawn])).T, strict=True))
    place_of = {selection.features[place].name: place for place in drawn}
    partner_of = {place: place_of.get(selection.features[place].partner or "") for place in drawn}
    pairs = {place: other for place, other in partner_of.items() if other is not None}
    return {
        "names": names,
        "sizes": y.sum(axis=0).tolist(),
        "marks": ["".join(map(str, marks)) for marks in y[rows].T.tolist()],  # a letter a row
        "of": {str(place): label_told(Z[place], y) for place in drawn},
        "pair": {str(place): label_told(Z[place] * Z[other], y) for place, other in pairs.items()},
    }


def _dense(X: Any, columns: Ints) -> Reals:
    block = X[:, columns]
    return np.asarray(block.toarray() if hasattr(block, "toarray") else block, dtype=np.float64)


def label_told(values: Reals, y: NDArray[Any]) -> int:
    """Return the place of the label that values are most strongly correlated with.

    Examples
    --------
    >>> label_told(np.array([1.0, 2, 3, 4]), np.array([[0, 1], [1, 1], [0, 0], [1, 0]]))
    1
    """
    shares = np.full(len(y), 1 / len(y))
    return int(np.abs(standardised(y.astype(np.float64), shares).T @ (values - values.mean())).argmax())


def labels_title(names: list[str]) -> str:
    """Return what features selected for several labels are good for."""
    return f"Features that tell of {listed(names) if len(names) <= 3 else f'{len(names)} labels'}"


def how_frequent(selection: Selection) -> str:
    """Say how many rows have each label; nothing of one target."""
    names, y = short_labels(selection), selection.table.y
    if not names or y is None:
        return ""
    shares = y.mean(axis=0)
    if len(names) <= MOST_NAMED:
        said = [f"{percent(share)} {name}" for name, share in zip(names[1:], shares[1:], strict=True)]
        return f"Of the rows {listed([f'{percent(shares[0])} have the label {names[0]}', *said])}."
    least, most = int(shares.argmin()), int(shares.argmax())
    return (
        f"The {len(names)} labels are in {percent(shares[least])} ({names[least]}) to "
        f"{percent(shares[most])} ({names[most]}) of the rows."
    )


def loss_of_shares(y: NDArray[Any]) -> float:
    """Return the loss of guessing every label by its share of the rows.

    Examples
    --------
    >>> round(loss_of_shares(np.array([[0, 1], [1, 1], [0, 0], [1, 0]])), 3)
    0.693
    """
    share = y.mean(axis=0)
    return float(-(share * np.log(share) + (1 - share) * np.log(1 - share)).mean())
