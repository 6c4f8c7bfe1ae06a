"""Pixels chosen by the layer before a convolutional network, against other ways to choose them.

Every choice is judged alike: a new convolutional network is trained on images in which all other pixels are
zero, and its accuracy is that on images set aside.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from snelfs.bench.comparison import mean_and_spread
from snelfs.bench.journal import Record, markdown_table
from snelfs.bench.methods import choose_columns
from snelfs.bench.saliency import Split, draw_rows, load_images
from snelfs.evaluation.trials import Trial, Values, method_clock
from snelfs.foundation import checks
from snelfs.foundation.extras import require
from snelfs.foundation.types import Floats, Ints

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from snelfs.bench.image_networks import Labelled

SHARES = (5, 10, 20)  # percent of the pixels
TITLES = {
    "all": "all pixels",
    "random": "random pixels",
    "variance": "variance",
    "lassonet": "LassoNet",
    "snel": "SNeL-FS, dense",
    "convolutional": "the layer before convolutions",
}
METHODS = tuple(TITLES)

N_RESTARTS = 3  # trainings whose saliencies are averaged
N_STEPS = 1000  # of the optimiser in each of them
JUDGE_EPOCHS = 15
SETTINGS = {"shares": SHARES, "restarts": N_RESTARTS, "steps": N_STEPS, "judge": JUDGE_EPOCHS}

# Draws of their own: those of the other tables start elsewhere.
_FIRST_SEED = 90_000


def missing_methods(methods: Iterable[str]) -> list[str]:
    """Return those of the methods whose packages are not installed."""
    return [name for name in methods if name == "lassonet" and find_spec("lassonet") is None]


def image_trials(name: str, methods: Iterable[str], seeds: int) -> list[Trial]:
    """Return a trial for every method and draw; all shares of the pixels belong to one."""
    return [Trial(name, method, seed) for seed in range(seeds) for method in methods]


def n_pixels_of(share: int, n_pixels: int) -> int:
    """Return how many pixels a percentage of them is, at least one.

    Examples
    --------
    >>> [n_pixels_of(share, 64) for share in SHARES]
    [3, 6, 13]
    """
    return max(1, round(share * n_pixels / 100))


def assess(
    trial: Trial,
    source: str | Path = "digits",
    n_samples: int = 2000,
    n_steps: int = N_STEPS,
    judge_epochs: int = JUDGE_EPOCHS,
) -> Values:
    """Choose every share of the pixels by one method, on two thirds of a draw, and judge on the others."""
    require("torch", "torch", "A convolutional network")
    from snelfs.bench.image_networks import judge

    seed = _FIRST_SEED + trial.seed
    images = load_images(source)
    height, width = images.pixels.shape[1:]
    if min(height, width) < 4:
        raise checks.ArgumentError(
            "source", f"must have images of 4 × 4 pixels at least, got {height} × {width}."
        )
    split = draw_rows(images, n_samples, seed)
    training, test = _as_images(split, (height, width))
    with method_clock() as clock:
        chosen = _chosen(trial.method, split, training, seed, n_steps)
    accuracy = [judge(training, test, pixels, seed, n_epochs=judge_epochs) for pixels in chosen]
    return {
        **clock,
        "shape": [height, width],
        "selected": [pixels.tolist() for pixels in chosen] if trial.method != "all" else [],
        "accuracy": [round(value, 4) for value in accuracy],
    }


def _as_images(split: Split, shape: tuple[int, int]) -> tuple[Labelled, Labelled]:
    from snelfs.bench.image_networks import Labelled

    labels, classes = np.unique(split.y, return_inverse=True)
    brightest = float(np.abs(split.X).max()) or 1.0
    return (
        Labelled.from_rows(split.X, classes, shape, brightest),
        Labelled.from_rows(split.X_test, np.searchsorted(labels, split.y_test), shape, brightest),
    )


def _chosen(method: str, split: Split, training: Labelled, seed: int, n_steps: int) -> list[Ints]:
    """Return what a method chooses for each share; "all" has one choice."""
    n_pixels = split.X.shape[1]
    counts = [n_pixels_of(share, n_pixels) for share in SHARES]
    if checks.choice("method", method, METHODS) == "all":
        return [np.arange(n_pixels)]
    if method == "convolutional":
        return [pixels_before_convolutions(training, k, seed, n_steps=n_steps) for k in counts]
    if method == "snel":
        return [_by_table(method, split, k, seed) for k in counts]
    ranking = _by_variance(split) if method == "variance" else _by_table(method, split, counts[-1], seed)
    return [ranking[:k] for k in counts]


def _by_variance(split: Split) -> Ints:
    return np.argsort(-split.X.var(axis=0), kind="stable")


def _by_table(method: str, split: Split, k: int, seed: int) -> Ints:
    """Return the choice of a method that takes pixels for columns of a table."""
    return choose_columns(method, split.X, split.y, regression=False, n_features=k, seed=seed)


def pixels_before_convolutions(
    training: Labelled, n_pixels: int, seed: int, *, n_steps: int = N_STEPS, n_restarts: int = N_RESTARTS
) -> Ints:
    """Return the pixels, best first, of the largest mean saliency in some trainings with other starts."""
    from snelfs.bench.image_networks import train_layer

    trained = [
        train_layer(training, n_pixels, seed + 1000 * restart, n_steps=n_steps)
        for restart in range(n_restarts)
    ]
    # A training that found no selection has no say, unless none has.
    admitted = [best for best in trained if best.is_admitted] or trained
    return np.argsort(-np.mean([best.saliency() for best in admitted], axis=0), kind="stable")[:n_pixels]


# -- tables -----------------------------------------------------------------------------------------


def image_rows(records: Sequence[Record]) -> list[dict[str, object]]:
    """Return a row for every data set, method and share: accuracy, its gain on random pixels, seconds."""
    done = [record for record in records if record["status"] == "done"]
    random = {(r["data"], r["seed"]): r["accuracy"] for r in done if r["method"] == "random"}
    rows: list[dict[str, object]] = []
    for data, method in dict.fromkeys((r["data"], r["method"]) for r in done):
        group = [r for r in done if (r["data"], r["method"]) == (data, method)]
        for place, share in enumerate((100,) if method == "all" else SHARES):
            scores = [r["accuracy"][place] for r in group]
            pairs = [(r, random[data, r["seed"]]) for r in group if (data, r["seed"]) in random]
            gains = [r["accuracy"][place] - chance[place] for r, chance in pairs if method != "all"]
            rows.append(
                {
                    "data": data,
                    "method": method,
                    "pixels, %": share,
                    "pixels": n_pixels_of(share, int(np.prod(group[0]["shape"]))),
                    "draws": len(group),
                    "accuracy": f"{np.mean(scores):.4f}",
                    "sd": f"{np.std(scores):.4f}",
                    "above random": f"{np.mean(gains):.4f}" if gains else "",
                    "median seconds, all shares": f"{np.median([r['seconds'] for r in group]):.1f}",
                }
            )
    return rows


def image_sections(records: Sequence[Record]) -> dict[str, str]:
    """Return the Markdown: for every data set a table of methods and shares of the pixels."""
    done = [record for record in records if record["status"] == "done"]
    sections = {}
    for data in dict.fromkeys(record["data"] for record in done):
        of_data = [record for record in done if record["data"] == data]
        height, width = of_data[0]["shape"]
        shown = [
            _overview(method, [record for record in of_data if record["method"] == method], height * width)
            for method in TITLES
            if any(record["method"] == method for record in of_data)
        ]
        sections[f"{data}: accuracy on images set aside, {height} × {width} pixels"] = markdown_table(shown)
    return sections


def _overview(method: str, group: Sequence[Record], n_pixels: int) -> dict[str, object]:
    places = [0, 0, 0] if method == "all" else range(len(SHARES))
    by_share = {
        f"{share} %: {n_pixels_of(share, n_pixels)} pixels": mean_and_spread(
            [record["accuracy"][place] for record in group], 3
        )
        for share, place in zip(SHARES, places, strict=True)
    }
    return {"pixels by": TITLES[method], "draws": len(group), **by_share}


# -- the figure -------------------------------------------------------------------------------------


def with_masks(records: Sequence[Record]) -> list[Record]:
    """Return the records that have something to draw: those of a choice that came to an end."""
    return [record for record in records if record["status"] == "done" and record["selected"]]


def selection_shares(records: Sequence[Record], place: int) -> Floats:
    """Return an image of how often each pixel was chosen by a method, at one of the shares of pixels."""
    height, width = records[0]["shape"]
    counts = np.zeros(height * width)
    for record in records:
        counts[record["selected"][place]] += 1
    return (counts / len(records)).reshape(height, width)


def draw_masks(records: Sequence[Record], mean_image: ArrayLike, width_cm: float = 18.0) -> Figure:
    """Return a figure of the chosen pixels: a row for every share, a column for every method.

    Parameters
    ----------
    records : sequence of dict
        Of one data set.
    mean_image : array of shape (height, width)
        Of all images, for the eye to compare with.
    """
    matplotlib = require("matplotlib", "plots", "Drawing a figure")
    from matplotlib.figure import Figure

    done = with_masks(records)
    methods = [name for name in TITLES if any(r["method"] == name for r in done)]
    n_columns, width = len(methods) + 1, checks.positive("width_cm", width_cm) / 2.54
    with matplotlib.rc_context({"font.size": 8, "axes.titlesize": 8}):
        figure = Figure(figsize=(width, width * (len(SHARES) / n_columns + 0.12)), layout="constrained")
        axes = figure.subplots(len(SHARES), n_columns, squeeze=False)
        for place, share in enumerate(SHARES):
            axes[place, 0].imshow(np.asarray(mean_image), cmap="gray_r")
            axes[place, 0].set_ylabel(f"{share} % of the pixels")
            for axis, method in zip(axes[place, 1:], methods, strict=True):
                group = [r for r in done if r["method"] == method]
                shown = axis.imshow(selection_shares(group, place), cmap="viridis", vmin=0, vmax=1)
                axis.set_xlabel(f"accuracy {np.mean([r['accuracy'][place] for r in group]):.3f}")
        for axis, title in zip(axes[0], ("mean image", *(TITLES[name] for name in methods)), strict=True):
            axis.set_title(title.replace("the layer before ", "the layer before\n"))
        for axis in axes.flat:
            axis.set(xticks=[], yticks=[])
        figure.colorbar(shown, ax=axes[:, 1:], location="bottom", shrink=0.5, aspect=40, pad=0.02).set_label(
            "share of the draws in which the pixel is chosen"
        )
    return figure
