"""The microarray data sets of the paper: where they are, what is in them, and a loader that checks both.

No data come with the package. A set is looked for as ``<name>.npz`` and otherwise downloaded from the public
repository that `microarray.toml` names, checked, and kept in a cache folder.
"""

from __future__ import annotations

import hashlib
import os
import re
import time
import tomllib
from collections import Counter
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np

from snelfs.datasets.formats import (
    Contents,
    read_csv,
    read_mat,
    read_npz,
    read_rdata,
    read_tab,
    read_transposed,
)
from snelfs.foundation.extras import require
from snelfs.foundation.files import cache_folder
from snelfs.foundation.types import Singles, Texts

__all__ = ["Microarray", "MicroarrayFacts", "list_microarray", "load_microarray", "microarray_facts"]

_TRIES = 3
_WAIT = 1.0  # seconds before the second try, twice that before the third
_TIMEOUT = 60.0  # seconds without a byte


@dataclass(frozen=True)
class MicroarrayFacts:
    """Say what one microarray data set is and where it comes from.

    Attributes
    ----------
    name : str
        The name it is loaded by.
    paper_name : str
        The data set of the paper it is, or is a part of.
    study : str
        The publication of the measurements.
    n_samples, n_features : int
        Its shape.
    class_counts : dict
        Label to number of rows, in the order of the paper's table.
    positive : str or None
        The class that counts as positive, the second one; None for more than two classes.
    url : str
        The source.
    digest : str or None
        "git:" and the git blob id, or "sha256:" and that sum, of the source; None where none is published.
    reader : str
        The format of the source: "rdata", "tab", "csv", "mat" or "transposed".
    reduced : str or None
        One sentence on the columns left out, or None for the full data.
    label_filtered : bool
        Whether the columns were chosen with the labels, so that any accuracy is too good.
    note : str
        What else to know.
    reading : dict
        How the source is turned into this table: `from` (label to the source's labels, or class sizes where
        the labels are not known), `drop` (columns left out), `label_column` (of a csv file).
    """

    name: str
    paper_name: str
    study: str
    n_samples: int
    n_features: int
    class_counts: dict[str, int]
    positive: str | None
    url: str
    digest: str | None
    reader: str
    reduced: str | None
    label_filtered: bool
    note: str
    reading: dict[str, Any] = field(default_factory=dict, repr=False)


class Microarray(NamedTuple):
    """Hold a microarray data set; unpacks as ``X, y, feature_names, facts``.

    Attributes
    ----------
    X : ndarray of shape (n_samples, n_features), float32
        Expression values as in the source.
    y : ndarray of shape (n_samples,), str
        Class labels.
    feature_names : ndarray of shape (n_features,), str
        Probe set names, or "x0001", "x0002", … where the source has none.
    facts : MicroarrayFacts
        What it is and where it comes from.
    """

    X: Singles
    y: Texts
    feature_names: Texts
    facts: MicroarrayFacts


def list_microarray(*, full_only: bool = False) -> tuple[str, ...]:
    """Return the names that `load_microarray` takes.

    Parameters
    ----------
    full_only : bool, default=False
        Whether to leave out the sets with fewer columns than the paper's.

    Returns
    -------
    tuple of str
        The twelve real data sets of the paper, in its order, then the reduced ones.

    Examples
    --------
    >>> list_microarray(full_only=True)[:4]
    ('colon', 'crohn', 'breast_cancer', 'breast')
    >>> list_microarray()[-3:]
    ('glioma_10367', 'lung_cancer_1543', 'bone_lesion_anova1660')
    """
    return tuple(name for name, entry in _registry().items() if not (full_only and "reduced" in entry))


def microarray_facts(name: str) -> MicroarrayFacts:
    """Return what is known of one microarray data set, without loading it.

    Parameters
    ----------
    name : str
        One of `list_microarray`, in upper or lower case.

    Returns
    -------
    MicroarrayFacts
        A fresh object: changing its dicts changes nothing here.

    Examples
    --------
    >>> facts = microarray_facts("leukemia")
    >>> facts.n_samples, facts.n_features, facts.class_counts, facts.positive
    (72, 7129, {'ALL': 47, 'AML': 25}, 'AML')
    """
    name = _spelled(name)
    entry = _registry()[name]
    counts = {group["label"]: group["rows"] for group in entry["classes"]}
    reading: dict[str, Any] = {key: entry[key] for key in ("label_column", "drop") if key in entry}
    reading["from"] = {
        group["label"]: tuple(group.get("from", [group["label"]])) for group in entry["classes"]
    }
    return MicroarrayFacts(
        name=name,
        paper_name=entry.get("paper_name", name),
        study=entry["study"],
        n_samples=sum(counts.values()),
        n_features=entry["n_features"],
        class_counts=counts,
        positive=list(counts)[1] if len(counts) == 2 else None,
        url=entry["url"],
        digest=entry.get("digest"),
        reader=entry["reader"],
        reduced=entry.get("reduced"),
        label_filtered=entry.get("label_filtered", False),
        note=entry["note"],
        reading=reading,
    )


def load_microarray(
    name: str, *, data_home: str | os.PathLike[str] | None = None, download: bool = True
) -> Microarray:
    """Load one microarray data set, from disk where it is there, else from its public source.

    It is looked for as ``<name>.npz`` in `data_home` or, where that is None, in the folder that the
    environment variable SNELFS_DATA names and in the cache folder: the one that SNELFS_CACHE names, or the
    user's cache folder of the operating system. What is found or downloaded is checked: shape and class
    counts must be those of `microarray_facts`.

    Parameters
    ----------
    name : str
        One of `list_microarray`, in upper or lower case.
    data_home : path, default=None
        The one folder to look in; nothing is then downloaded.
    download : bool, default=True
        Whether to download what is not on disk. It needs the extra 'data'.

    Returns
    -------
    Microarray
        `X`, the labels `y`, the `feature_names`, and the `facts`.

    Raises
    ------
    FileNotFoundError
        If the set is not on disk and may not be downloaded.
    ConnectionError
        If the source cannot be had; the message says where to put the file by hand.
    ValueError
        If what was found is not the data set it should be.

    Examples
    --------
    >>> load_microarray("leukaemia")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ValueError: 'leukaemia' is no microarray data set (nearest: 'leukemia'); accepted are ...
    """
    facts = microarray_facts(name)
    if data_home is not None:
        folder = Path(data_home).expanduser()
        if not (folder / f"{facts.name}.npz").exists():
            held = [other for other in list_microarray() if (folder / f"{other}.npz").exists()]
            raise FileNotFoundError(
                f"There is no {folder / facts.name}.npz; the folder holds {', '.join(held) or 'no data set'}."
            )
        return _stored(folder / f"{facts.name}.npz", facts)
    named = os.environ.get("SNELFS_DATA")
    if named and (path := Path(named).expanduser() / f"{facts.name}.npz").exists():
        return _stored(path, facts)
    folder = cache_folder()
    if not (folder / f"{facts.name}.npz").exists():
        _fetch(facts, folder, download=download)
    return _stored(folder / f"{facts.name}.npz", facts)


@cache
def _registry() -> dict[str, Any]:
    """Read `microarray.toml` once."""
    return tomllib.loads(files("snelfs.datasets").joinpath("microarray.toml").read_text(encoding="utf-8"))


def _spelled(name: str) -> str:
    """Return a name as the registry spells it, or say which names there are."""
    names = list_microarray()
    folded = str(name).casefold()
    if folded not in names:
        near = "".join(f" (nearest: {close!r})" for close in get_close_matches(folded, names, n=1))
        raise ValueError(f"{name!r} is no microarray data set{near}; accepted are {', '.join(names)}.")
    return folded


def _fetch(facts: MicroarrayFacts, folder: Path, *, download: bool = True) -> None:
    """Put ``<name>.npz`` into the cache folder, from a source file that lies there or from a fresh download.

    The source file is not kept: the npz holds the same values, smaller, and needs no package to be read.
    One that the user put there is the user's, and stays. All writing is done in a temporary folder
    and ends in one renaming, so that no half file can remain and two processes cannot disturb each other.
    """
    by_hand = folder / facts.url.rsplit("/", 1)[-1]
    if not by_hand.exists() and not download:
        raise FileNotFoundError(
            f"There is no {facts.name}.npz in {folder}, and nothing may be downloaded (download=False)."
        )
    for package in (*["pooch"] * (not by_hand.exists()), *["rdata"] * (facts.reader == "rdata")):
        require(package, "data", "Loading microarray data")
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=".partial-", dir=folder) as work:
        raw = by_hand
        if not by_hand.exists():
            raw = Path(work) / by_hand.name
            _download(facts, raw, by_hand)
        where = str(raw) if raw == by_hand else facts.url
        _check_digest(raw, facts, where)
        table = _converted(raw, facts, where)
        ready = Path(work) / f"{facts.name}.npz"
        arrays: dict[str, Any] = {"X": table.X, "y": table.y, "feature_names": table.names}
        np.savez_compressed(ready, **{key: array for key, array in arrays.items() if array is not None})
        ready.replace(folder / ready.name)


def _download(facts: MicroarrayFacts, raw: Path, by_hand: Path) -> None:
    """Transfer the source to `raw`, from the start again if the connection breaks."""
    import pooch
    import requests

    transfer = pooch.HTTPDownloader(chunk_size=2**16, timeout=_TIMEOUT)
    for tried in range(1, _TRIES + 1):
        try:
            transfer(facts.url, str(raw), None)
            return
        except requests.RequestException as error:
            status = 0
            if error.response is not None:
                status = error.response.status_code
                error.response.close()  # pooch leaves it open
            refused = 400 <= status < 500  # asking again would change nothing
            if refused or tried == _TRIES:
                reason = f"HTTP status {status}" if status else type(error).__name__
                raise ConnectionError(
                    f"{facts.url} could not be downloaded ({reason}, tries: {tried}); get the file by hand "
                    f"and put it at {by_hand}, or put the ready data at {by_hand.parent / facts.name}.npz."
                ) from error
        time.sleep(_WAIT * tried)


def _check_digest(raw: Path, facts: MicroarrayFacts, where: str) -> None:
    """Raise unless a source file has the digest of the registry, if there is one."""
    if facts.digest is None:
        return
    kind, _, expected = facts.digest.partition(":")
    content = raw.read_bytes()
    if kind == "git":  # what `git hash-object` gives
        found = hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()
    else:
        found = hashlib.new(kind, content).hexdigest()
    if found != expected:
        raise ValueError(
            f"{where} is not the file expected for {facts.name!r}: its digest should be {facts.digest} "
            f"and is {kind}:{found}."
        )


def _converted(raw: Path, facts: MicroarrayFacts, where: str) -> Contents:
    """Read a source file, leave out the columns to drop, name the classes, and check the outcome."""
    try:
        if facts.reader == "csv":
            table = read_csv(raw, facts.reading["label_column"])
        else:
            readers = {"rdata": read_rdata, "tab": read_tab, "mat": read_mat, "transposed": read_transposed}
            table = readers[facts.reader](raw)
    except Exception as error:  # the parsers of others raise what they like on a file of another kind
        reason = re.sub(r"\s+", " ", str(error)).rstrip(".") or type(error).__name__
        raise ValueError(f"{where} cannot be read as {facts.reader}: {reason}.") from error
    drop = facts.reading.get("drop", [])
    if drop and table.names is not None:
        kept = ~np.isin(table.names, drop)
        table = Contents(np.ascontiguousarray(table.X[:, kept]), table.y, table.names[kept])
    return _checked(table, facts, where)


def _stored(path: Path, facts: MicroarrayFacts) -> Microarray:
    """Read an npz file and check it against the facts."""
    table = _checked(read_npz(path), facts, str(path))
    names = table.names
    if names is None:
        width = max(4, len(str(facts.n_features)))
        names = np.array([f"x{place:0{width}}" for place in range(1, facts.n_features + 1)])
    return Microarray(table.X, table.y, names, facts)


def _checked(table: Contents, facts: MicroarrayFacts, where: str) -> Contents:
    """Return the table with the registry's labels, or say what was expected and what was found."""
    X, y, names = table.X, _relabelled(table.y.astype(np.str_).ravel(), facts), table.names
    expected = (facts.n_samples, facts.n_features)
    found = dict(Counter(y.tolist()))
    if X.shape != expected or y.shape != expected[:1] or found != facts.class_counts:
        raise ValueError(
            f"{where} is not the data set {facts.name!r}: expected are {expected[0]} x {expected[1]} values "
            f"and the classes {_listed(facts.class_counts)}; "
            f"found are {' x '.join(map(str, X.shape))} values and the classes {_listed(found)}."
        )
    if names is not None and names.shape != expected[1:]:
        raise ValueError(f"{where} has {names.size} feature names; expected are {expected[1]}.")
    if missing := int((~np.isfinite(X)).any(axis=0).sum()):
        raise ValueError(f"{where} has missing or infinite values in {missing} columns; expected are none.")
    return Contents(X, y, names)


def _relabelled(y: Texts, facts: MicroarrayFacts) -> Texts:
    """Replace the source's labels by the registry's; labels that fit neither stay, for the check to show."""
    found = Counter(y.tolist())
    if found == facts.class_counts:
        return y
    new: dict[str, str] = {}
    for label, sources in facts.reading.get("from", {}).items():
        for source in sources:
            fitting = [old for old, rows in found.items() if source in (old, rows)]
            if len(fitting) == 1:
                new[fitting[0]] = label
    return np.array([new.get(old, old) for old in y.tolist()], dtype=np.str_)


def _listed(counts: dict[str, int]) -> str:
    """Write class counts in a row, cut short where they are many, as numbers taken for labels would be."""
    shown = [f"{label} {rows}" for label, rows in counts.items()]
    return ", ".join(shown[:8] + ["…"] * (len(shown) > 8)) or "none"
