"""The plots of a model by name, and what each shows; known without what draws them."""

from pathlib import Path

from snelfs.foundation.checks import choice

# What each kind shows.
KINDS = {
    "ranking": "the best columns, their scores, and how many restarts picked them",
    "frequency": "how often restarts pick a column",
    "agreement": "which restarts agree",
    "stability": "how much they agree in all",
    "layer": "what each neuron takes from which column",
    "training": "losses and penalties over the epochs",
    "size": "scores by the number of features, after a selection with auto",
    "distribution": "the values in the best columns; needs the data",
    "interaction": "pairs of columns that matter together; needs the data",
    "survival": "curves of low and high risk, of rows held out, or of other data by the model",
}
NEED_DATA = ("distribution", "interaction")
SUFFIXES = (".pdf", ".png", ".svg")
USUAL_COLUMNS = 6  # of a distribution


def must_be_a_kind(kind: str) -> None:
    """Raise if there is no plot of a name."""
    choice("kind", kind, KINDS)


def must_be_a_picture(path: Path) -> None:
    """Raise if the name of a file is none of a picture."""
    if path.suffix.lower() not in SUFFIXES:
        raise ValueError(f"{path} must end in {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}.")


def columns_shown(selected: list[str], kind: str, number: int | None = None) -> list[str] | None:
    """Return the columns of the data that a plot needs; None is all of them."""
    if kind == "survival":
        return selected
    return selected[: number or USUAL_COLUMNS] if kind == "distribution" else None
