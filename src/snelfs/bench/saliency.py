"""The two saliency measures side by side on images of digits, where a column is a pixel.

The paper says that the sum-weight measure grades columns in more detail, and that the max-weight measure
separates relevant from irrelevant ones more sharply (section II-C). Here both are taken from the same
trained layers, so that nothing differs but the measure.
"""

from __future__ import annotations

import gzip
import math
import tempfile
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import spearmanr
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler

from snelfs import SNeLClassifier
from snelfs.engine import saliency
from snelfs.foundation import checks
from snelfs.foundation.extras import require
from snelfs.foundation.types import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

Labels = NDArray[np.generic]

ACCEPTED = (
    "'digits', a file mnist.npz with x_train and y_train, or a folder with MNIST's files "
    "train-images-idx3-ubyte and train-labels-idx1-ubyte, plain or with .gz"
)

# -- images -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Images:
    """Grey images of one size, and what they show."""

    name: str
    pixels: NDArray[np.generic]  # (images, height, width)
    labels: Labels

    def __post_init__(self) -> None:
        if self.pixels.ndim != 3 or self.labels.shape != self.pixels.shape[:1] or not self.pixels.size:
            shapes = f"{self.pixels.shape} and {self.labels.shape}"
            raise ValueError(f"{self.name} must be n images (n, height, width) and n labels, got {shapes}.")


def load_images(source: str | Path = "digits") -> Images:
    """Return scikit-learn's digits (8 × 8 pixels) or the training images of a copy of MNIST.

    Nothing is downloaded: `source` is ``"digits"``, the path of an ``mnist.npz``, or that of a folder with
    MNIST's original files, compressed or not.
    """
    if source == "digits":
        digits = load_digits()
        return Images("digits", digits.images, digits.target)
    path = Path(source)
    if path.is_dir():
        pixels, labels = (_read_idx(path, f"train-{what}", n) for what, n in (("images", 3), ("labels", 1)))
        return Images("MNIST", pixels, labels)
    if not path.exists():
        raise FileNotFoundError(f"{path} does not exist; source must be {ACCEPTED}.")
    return _read_npz(path)


def _read_npz(path: Path) -> Images:
    if not zipfile.is_zipfile(path):
        raise ValueError(f"{path} is not an npz file; source must be {ACCEPTED}.")
    try:
        with np.load(path, allow_pickle=False) as stored:
            pixels, labels = stored["x_train"], stored["y_train"]
    except KeyError as error:
        raise ValueError(f"{path} lacks x_train or y_train; source must be {ACCEPTED}.") from error
    except (EOFError, ValueError, zipfile.BadZipFile, zlib.error) as error:
        raise ValueError(f"{path} cannot be read: {error}.") from error
    return Images("MNIST", pixels, labels)


def _read_idx(folder: Path, stem: str, n_dims: int) -> NDArray[np.uint8]:
    """Return the bytes of an IDX file as an array, once magic number and length are right."""
    names = [f"{stem}{dot}idx{n_dims}-ubyte{end}" for dot in "-." for end in ("", ".gz")]
    path = next((folder / name for name in names if (folder / name).is_file()), None)
    if path is None:
        raise FileNotFoundError(f"{folder} has no {names[0]}; source must be {ACCEPTED}.")
    data, magic, start = path.read_bytes(), bytes([0, 0, 8, n_dims]), 4 + 4 * n_dims  # 8: unsigned bytes
    try:
        data = gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data
    except (EOFError, OSError, zlib.error) as error:
        raise ValueError(f"{path} is damaged: {error}.") from error
    if not data.startswith(magic):
        raise ValueError(f"{path} is the wrong file: it begins with {data[:4].hex()!r}, not {magic.hex()!r}.")
    shape = [int.from_bytes(data[at : at + 4], "big") for at in range(4, start, 4)]
    if len(data) != start + math.prod(shape):
        raise ValueError(f"{path} is damaged: {len(data)} bytes do not fit the shape {tuple(shape)}.")
    return np.frombuffer(data, np.uint8, offset=start).reshape(shape)


# -- the study --------------------------------------------------------------------------------------


def sharpness(values: Floats, n_features: int) -> dict[str, float]:
    """Tell how clearly saliencies set the `n_features` largest of them, the chosen, apart from the rest.

    "gini" is 0 if all are alike and near 1 if one has everything, "share" that of the chosen in the sum,
    "drop" the step down from the last chosen in shares of the largest, and "spread" the standard deviation
    of the chosen over their mean.

    Examples
    --------
    >>> sharpness(np.array([0.0, 1.0, 0.0, 1.0]), 2)
    {'gini': 0.5, 'share': 1.0, 'drop': 1.0, 'spread': 0.0}
    """
    n, falling = len(values), np.sort(values)[::-1]
    chosen, total = falling[:n_features], falling.sum()
    return {
        "gini": float(np.arange(n - 1, -n, -2) @ falling / (n * total)),
        "share": float(chosen.sum() / total),
        "drop": float((chosen[-1] - falling[n_features]) / falling[0]),
        "spread": float(chosen.std() / chosen.mean()),
    }


@dataclass(frozen=True)
class Measure:
    """One saliency measure of the trained layers, and what follows from it."""

    name: str
    by_restart: Floats  # (restarts, pixels)
    mean_map: Floats  # (height, width), the mean over the restarts
    chosen: NDArray[np.intp]  # pixels counted row by row, the best first
    accuracy: float  # of 5 nearest neighbours that see the chosen pixels only, on images set aside

    @property
    def share_map(self) -> Floats:
        """The map as shares of its sum, the scale on which two measures can be compared."""
        return np.asarray(self.mean_map / self.mean_map.sum())


@dataclass(frozen=True)
class SaliencyMaps:
    """Both measures of the same trained layers."""

    name: str
    n_training: int
    n_test: int
    mean_image: Floats  # (height, width)
    layer_weights: NDArray[np.float32]  # (restarts, neurons, pixels)
    max_weight: Measure
    sum_weight: Measure
    accuracy_of_all: float  # with every pixel
    rank_correlation: float  # Spearman's, over the pixels that vary: the others are last in both

    @property
    def difference(self) -> Floats:
        """Share of the max-weight saliency minus share of the sum-weight saliency."""
        return self.max_weight.share_map - self.sum_weight.share_map

    @property
    def overlap(self) -> int:
        """How many pixels both measures choose."""
        return len(np.intersect1d(self.max_weight.chosen, self.sum_weight.chosen))

    def most_different(self, n: int = 5) -> list[tuple[int, int, float]]:
        """Return row, column and difference of the pixels about which the measures differ most."""
        order = np.argsort(-np.abs(self.difference), axis=None, kind="stable")[:n]
        rows, columns = np.unravel_index(order, self.difference.shape)
        return list(zip(rows.tolist(), columns.tolist(), self.difference.flat[order].tolist(), strict=True))


class Split(NamedTuple):
    """Images as rows, a third of them set aside for the test."""

    X: Floats
    X_test: Floats
    y: Labels
    y_test: Labels

    def accuracy(self, columns: NDArray[np.intp]) -> float:
        """Return the accuracy of 5 nearest neighbours that see these pixels only."""
        # Pixels share one unit, so neighbours are sought on them as they are.
        neighbours = KNeighborsClassifier(5).fit(self.X[:, columns], self.y)
        return float(neighbours.score(self.X_test[:, columns], self.y_test))


def measure_saliency(
    images: Images,
    n_features: int = 16,
    *,
    n_samples: int = 2000,
    n_restarts: int = 8,
    steps: int = 18,
    random_state: int = 0,
) -> SaliencyMaps:
    """Train `SNeLClassifier` once on two thirds of the images and take both measures from its layers.

    Parameters
    ----------
    n_features : int, default=16
        Pixels to choose, and neurons of the layer.
    n_samples : int, default=2000
        Images to draw, the classes in their proportions, where there are more.
    n_restarts, steps : int, default=8 and 18
        As in `SNeLClassifier`.
    random_state : int, default=0
        Seed of the draw, the split and the training.
    """
    seed = checks.count("random_state", random_state, 0)
    split, shape = draw_rows(images, n_samples, seed), images.pixels.shape[1:]
    varies = np.ptp(split.X, axis=0) > 0
    if checks.count("n_features", n_features, 1) >= varies.sum():
        raise checks.ArgumentError(
            "n_features", f"must be below {varies.sum()}, the pixels that vary, got {n_features}."
        )
    # One round: the study is of a layer that has seen all pixels.
    selector = SNeLClassifier(
        n_features, n_restarts=n_restarts, steps=steps, refine=False, combine="mean", random_state=seed
    )
    W = selector.fit(split.X, split.y).layer_weights_
    A = W @ StandardScaler().fit_transform(split.X).T  # (restarts, neurons, images)
    by_max, by_sum = saliency.max_weight(W), saliency.sum_weight(W, A.std(axis=2).astype(np.float32))

    def describe(name: str, by_restart: Floats) -> Measure:
        mean = by_restart.mean(axis=0)
        chosen = np.lexsort((-mean, ~varies))[:n_features]  # as in the selector, constant pixels come last
        return Measure(name, by_restart, mean.reshape(shape), chosen, split.accuracy(chosen))

    return SaliencyMaps(
        name=images.name,
        n_training=len(split.y),
        n_test=len(split.y_test),
        mean_image=split.X.mean(axis=0).reshape(shape),
        layer_weights=W,
        max_weight=describe("max-weight", by_max.astype(np.float64)),
        sum_weight=describe("sum-weight", by_sum.astype(np.float64)),
        accuracy_of_all=split.accuracy(np.arange(split.X.shape[1])),
        rank_correlation=float(spearmanr(by_max.mean(axis=0)[varies], by_sum.mean(axis=0)[varies])[0]),
    )


def draw_rows(images: Images, n_samples: int, seed: int) -> Split:
    """Return at most `n_samples` images as rows, the classes in their proportions, in two parts."""
    y, kept, why = images.labels, np.arange(len(images.labels)), "three images of every class"
    if checks.count("n_samples", n_samples, 3 * len(np.unique(y)), why) < len(y):
        kept, _ = train_test_split(kept, train_size=n_samples, stratify=y, random_state=seed)
    X, y = images.pixels[kept].reshape(len(kept), -1).astype(np.float64), y[kept]
    return Split(*train_test_split(X, y, test_size=1 / 3, stratify=y, random_state=seed))


def comparison_rows(maps: SaliencyMaps) -> list[dict[str, object]]:
    """Return one row per measure: its sharpness on the mean of the restarts, and on one of them.

    The mean is what the selector ranks by; one is the paper's case, given as the average over the restarts.
    """
    rows: list[dict[str, object]] = []
    for measure in (maps.max_weight, maps.sum_weight):
        mean, n = measure.mean_map.ravel(), len(measure.chosen)
        singles = [sharpness(values, n) for values in measure.by_restart]
        figures = {"largest": mean.max(), "total": mean.sum(), **sharpness(mean, n)}
        figures |= {f"{name} of one": np.mean([single[name] for single in singles]) for name in singles[0]}
        figures["accuracy"] = measure.accuracy
        rows.append({"measure": measure.name, **{key: round(float(x), 3) for key, x in figures.items()}})
    return rows


# -- the figure -------------------------------------------------------------------------------------

# The colours at the ends of the map of differences, which colour-blind readers can tell apart, too.
COLOURS = {"max-weight": "#b2182b", "sum-weight": "#2166ac"}
MARKS = "share of all saliency, %\n(dot: chosen by both measures, ring: by this one alone)"


def draw_saliency(maps: SaliencyMaps, width_cm: float = 18.0) -> Figure:
    """Return a figure of both maps on one scale, their difference, and the sorted saliencies."""
    matplotlib = require("matplotlib", "plots", "Drawing a figure")
    from matplotlib.figure import Figure

    width, n = checks.positive("width_cm", width_cm) / 2.54, len(maps.layer_weights)
    with matplotlib.rc_context({"font.size": 8, "axes.titlesize": 8.5, "axes.titlelocation": "left"}):
        figure = Figure(figsize=(width, 0.77 * width), layout="constrained")
        upper, lower = figure.subfigures(2, 1, squeeze=False, height_ratios=[1.12, 1])[:, 0]
        _draw_maps(upper, maps)
        each, mean = lower.subplots(1, 2, sharey=True)
        each.set_ylabel("saliency / largest")
        _draw_curves(each, maps, f"Each of {n} trainings (thick: mean curve)", each=True)
        _draw_curves(mean, maps, f"Mean of {n} trainings, which ranks the pixels")
    return figure


def _draw_maps(figure: SubFigure, maps: SaliencyMaps) -> None:
    by_max, by_sum = 100 * maps.max_weight.share_map, 100 * maps.sum_weight.share_map
    top, widest = max(by_max.max(), by_sum.max()), np.abs(by_max - by_sum).max()
    panels = [
        (maps.mean_image, f"Mean of {maps.n_training:,} images", "gray_r", 0, None),
        (by_max, "Max-weight", "viridis", 0, top),
        (by_sum, "Sum-weight", "viridis", 0, top),
        (by_max - by_sum, "Max-weight − sum-weight", "RdBu_r", -widest, widest),
    ]
    axes = figure.subplots(1, 4)
    for axis, (values, title, colours, low, high) in zip(axes, panels, strict=True):
        axis.imshow(values, cmap=colours, vmin=low, vmax=high)
        axis.set(xticks=[], yticks=[], title=title)
    _mark_chosen(axes[1], maps.max_weight, maps.sum_weight)
    _mark_chosen(axes[2], maps.sum_weight, maps.max_weight)
    for first, last, label in ((0, 0, "grey value"), (1, 2, MARKS), (3, 3, "percentage points")):
        shown, below = axes[first].images[0], axes[first : last + 1]
        bar = figure.colorbar(shown, ax=below, location="bottom", label=label, pad=0.03)
        bar.ax.locator_params(nbins=4)


def _mark_chosen(axis: Axes, measure: Measure, other: Measure) -> None:
    alone = ~np.isin(measure.chosen, other.chosen)
    rows, columns = np.unravel_index(measure.chosen, measure.mean_map.shape)
    across = 48 / max(measure.mean_map.shape)  # points, a third of a pixel
    axis.scatter(columns[~alone], rows[~alone], across**2, "white", edgecolors="black", lw=across / 8)
    axis.scatter(columns[alone], rows[alone], across**2, "none", edgecolors="white", lw=across / 5)


def _draw_curves(axis: Axes, maps: SaliencyMaps, title: str, *, each: bool = False) -> None:
    n = len(maps.max_weight.chosen)
    for measure, style in ((maps.max_weight, "-"), (maps.sum_weight, "--")):
        lists = measure.by_restart if each else measure.mean_map.reshape(1, -1)
        falling = -np.sort(-lists, axis=1)[:, : 3 * n]
        curves, colour = (falling / falling[:, :1]).T, COLOURS[measure.name]
        ranks = np.arange(1, len(curves) + 1)
        if each:
            axis.plot(ranks, curves, style, color=colour, lw=0.6, alpha=0.35)
        axis.plot(ranks, curves.mean(axis=1), style, color=colour, lw=1.8, label=measure.name)
    axis.axvline(n + 0.5, color="0.4", lw=0.8, ls=":")
    axis.text(n + 1, 1.0, f"{n} chosen", va="top", color="0.3")
    axis.set(xlim=(0.5, len(curves) + 0.5), ylim=(0, 1.04), title=title, xlabel="rank of the pixel")
    axis.spines[["top", "right"]].set_visible(False)
    axis.legend(frameon=False, loc="upper right")


def save_figure(figure: Figure, path: str | Path, dpi: int = 150) -> Path:
    """Write a figure as PNG, whole or not at all, and with nothing in it that differs from run to run."""
    path = Path(path)
    if path.suffix.lower() != ".png":
        raise ValueError(f"path must end in .png, got {str(path)!r}.")
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:  # gone with its content if anything fails
        written = Path(folder) / path.name
        figure.savefig(written, format="png", dpi=dpi, metadata={"Software": None})
        written.replace(path)
    return path
