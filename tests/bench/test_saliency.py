"""Both saliency measures on images: one training, honest readers, a figure."""

import gzip
import sys

import numpy as np
import pytest

from snelfs import SNeLClassifier
from snelfs.bench import saliency
from snelfs.bench.saliency import (
    Images,
    comparison_rows,
    draw_saliency,
    load_images,
    measure_saliency,
    save_figure,
    sharpness,
)
from snelfs.engine.saliency import max_weight

QUICK = {"n_samples": 300, "n_restarts": 2, "steps": 8, "random_state": 0}


@pytest.fixture(scope="module")
def framed():
    """Return the digits 0 to 3 in a frame, one pixel wide, without ink."""
    digits = load_images()
    few = digits.labels < 4
    inner = digits.pixels[few, 1:7, 1:7]
    return Images("framed", np.pad(inner, ((0, 0), (1, 1), (1, 1))), digits.labels[few])


@pytest.fixture(scope="module")
def maps(framed):
    return measure_saliency(framed, 6, **QUICK)


@pytest.fixture(scope="module")
def small_mnist():
    """Return five images of 4 × 3 pixels and their labels, as bytes."""
    numbers = np.random.default_rng(0)
    return numbers.integers(0, 256, (5, 4, 3), np.uint8), np.arange(5, dtype=np.uint8)


def idx(array):
    """Return an array of bytes in the format of MNIST's files."""
    sizes = b"".join(size.to_bytes(4, "big") for size in array.shape)
    return bytes([0, 0, 8, array.ndim]) + sizes + array.tobytes()


def write_idx(folder, images, labels, end="", dot="-"):
    for name, array in ((f"train-images{dot}idx3", images), (f"train-labels{dot}idx1", labels)):
        content = gzip.compress(idx(array)) if end else idx(array)
        (folder / f"{name}-ubyte{end}").write_bytes(content)


# -- the study --------------------------------------------------------------------------------------


def test_maps_are_of_the_image_and_never_negative(maps):
    """Both maps have the images' shape; max-weight values are shares of a neuron."""
    for measure in (maps.max_weight, maps.sum_weight):
        assert measure.mean_map.shape == maps.mean_image.shape == (8, 8)
        assert (measure.mean_map >= 0).all()
        np.testing.assert_allclose(measure.share_map.sum(), 1)
        np.testing.assert_allclose(measure.by_restart.mean(axis=0), measure.mean_map.ravel())
    assert maps.max_weight.mean_map.max() <= 1 + 1e-6


def test_both_measures_are_those_of_the_selector_on_the_same_layer(maps, framed):
    """A fit that differs in nothing but `saliency` has the layer of the study, and its other ranking."""
    split = saliency.draw_rows(framed, QUICK["n_samples"], 0)
    options = {key: QUICK[key] for key in ("n_restarts", "steps", "random_state")}
    selector = SNeLClassifier(6, saliency="sum", refine=False, combine="mean", **options).fit(
        split.X, split.y
    )
    np.testing.assert_array_equal(selector.layer_weights_, maps.layer_weights)
    np.testing.assert_allclose(selector.saliencies_, maps.sum_weight.by_restart, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(max_weight(selector.layer_weights_), maps.max_weight.by_restart, rtol=1e-6)
    assert set(selector.get_support(indices=True)) == set(maps.sum_weight.chosen)


def test_sum_weight_sums_to_about_one(maps):
    """Lemma 3 holds as far as its conditions do: the best epoch may miss each by `penalty_limit`, 0.3."""
    # A neuron adds Σ|w| / std(A), at most 1.3 / sqrt(0.7), and at least 1 as std(A) <= Σ|w|.
    totals = maps.sum_weight.by_restart.sum(axis=1)
    assert (totals >= 1 - 1e-3).all()
    assert (totals <= 1.3 / np.sqrt(0.7) + 0.1).all()


def test_constant_pixels_are_never_chosen(maps, framed):
    """A frame without ink has no saliency and is not chosen, nor does it count among the pixels on offer."""
    frame = np.pad(np.zeros((6, 6), bool), 1, constant_values=True).ravel()
    assert (maps.layer_weights[:, :, frame] == 0).all()
    for measure in (maps.max_weight, maps.sum_weight):
        assert (measure.mean_map.ravel()[frame] == 0).all()
        assert not frame[measure.chosen].any()
        assert len(set(measure.chosen)) == 6
    with pytest.raises(ValueError, match=r"n_features must be below 36, the pixels that vary, got 36\."):
        measure_saliency(framed, 36, **QUICK)


def test_what_the_measures_have_in_common(maps):
    """Overlap, rank correlation and the most different pixels follow from the maps."""
    assert maps.overlap == len(set(maps.max_weight.chosen) & set(maps.sum_weight.chosen))
    assert 0 < maps.rank_correlation <= 1
    np.testing.assert_allclose(maps.difference.sum(), 0, atol=1e-9)
    different = maps.most_different(3)
    assert abs(different[0][2]) == np.abs(maps.difference).max()
    assert [maps.difference[row, column] for row, column, _ in different] == [by for *_, by in different]
    assert (maps.n_training, maps.n_test) == (200, 100)


def test_the_table_has_a_row_per_measure(maps):
    """A table can be written from it: equal keys, plain numbers."""
    rows = comparison_rows(maps)
    assert [row["measure"] for row in rows] == ["max-weight", "sum-weight"]
    assert list(rows[0]) == list(rows[1])
    for row in rows:
        assert all(type(value) is float for key, value in row.items() if key != "measure")
        assert all(0 <= row[key] <= 1 for key in ("gini", "share", "drop", "accuracy", "gini of one"))
        assert row["accuracy"] > 0.5  # chance is 0.25


def test_sharpness_by_hand():
    """Equal saliencies have no Gini index, no drop and no spread; one alone has nearly all of it."""
    assert sharpness(np.ones(4), 2) == {"gini": 0, "share": 0.5, "drop": 0, "spread": 0}
    found = sharpness(np.array([0.0, 4.0, 1.0, 3.0]), 2)
    assert found == pytest.approx({"gini": 14 / 32, "share": 7 / 8, "drop": 0.5, "spread": 0.5 / 3.5})


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ({"n_samples": 29}, r"n_samples must be an integer of at least 30 \(three images of every class\)"),
        ({"n_features": 0}, "n_features must be an integer of at least 1, got 0"),
        ({"random_state": None}, "random_state must be an integer of at least 0, got None"),
    ],
)
def test_a_bad_option_is_named(option, said):
    with pytest.raises(ValueError, match=said):
        measure_saliency(load_images(), **option)


# -- readers ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("dot", ["-", "."])
@pytest.mark.parametrize("end", ["", ".gz"])
def test_idx_files_are_read_plain_and_compressed(tmp_path, small_mnist, end, dot):
    write_idx(tmp_path, *small_mnist, end, dot)
    found = load_images(tmp_path)
    assert found.name == "MNIST"
    np.testing.assert_array_equal(found.pixels, small_mnist[0])
    np.testing.assert_array_equal(found.labels, small_mnist[1])


def test_npz_is_read(tmp_path, small_mnist):
    path = tmp_path / "mnist.npz"
    np.savez_compressed(path, x_train=small_mnist[0], y_train=small_mnist[1], x_test=np.zeros(1))
    found = load_images(str(path))
    np.testing.assert_array_equal(found.pixels, small_mnist[0])
    np.testing.assert_array_equal(found.labels, small_mnist[1])


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\x00\x00\x08\x01" + bytes(12), "is the wrong file: it begins with '00000801', not '00000803'"),
        (b"", "is the wrong file"),
        (
            b"\x00\x00\x08\x03" + bytes([0, 0, 0, 9] * 3) + bytes(8),
            r"24 bytes do not fit the shape \(9, 9, 9\)",
        ),
        (b"\x00\x00\x08\x03\x00", "is damaged"),
        (gzip.compress(bytes(100))[:-12], "is damaged"),
    ],
    ids=["labels", "empty", "short", "torn header", "torn gzip"],
)
def test_a_wrong_idx_file_is_named(tmp_path, small_mnist, content, said):
    """The sentence has the path and what is wrong."""
    write_idx(tmp_path, *small_mnist)
    (tmp_path / "train-images-idx3-ubyte").write_bytes(content)
    with pytest.raises(ValueError, match=f"train-images-idx3-ubyte.*{said}"):
        load_images(tmp_path)


def test_what_is_missing_is_named(tmp_path):
    """A wrong path gives what is accepted, and nothing is downloaded."""
    with pytest.raises(FileNotFoundError, match=r"nowhere does not exist; source must be 'digits', a file"):
        load_images(tmp_path / "nowhere")
    with pytest.raises(FileNotFoundError, match="has no train-images-idx3-ubyte; source must be 'digits'"):
        load_images(tmp_path)


def test_a_wrong_npz_is_named(tmp_path, small_mnist):
    """Other files, other names, objects and shapes that do not fit are refused with the reason."""
    path = tmp_path / "mnist.npz"
    path.write_text("no archive")
    with pytest.raises(ValueError, match=r"mnist\.npz is not an npz file"):
        load_images(path)
    np.savez(path, images=small_mnist[0])
    with pytest.raises(ValueError, match=r"mnist\.npz lacks x_train or y_train"):
        load_images(path)
    np.savez(path, x_train=np.array([{}]), y_train=small_mnist[1])
    with pytest.raises(ValueError, match=r"mnist\.npz cannot be read"):
        load_images(path)
    np.savez(path, x_train=small_mnist[0], y_train=small_mnist[1][:4])
    with pytest.raises(ValueError, match=r"n labels, got \(5, 4, 3\) and \(4,\)\."):
        load_images(path)


# -- the figure -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def figure(maps):
    pytest.importorskip("matplotlib")
    return draw_saliency(maps)


def test_the_figure_has_its_panels(figure, maps):
    """Four images and two sets of curves; the maps share a scale and the difference is centred."""
    panels = {axis.get_title("left"): axis for axis in figure.axes if axis.get_title("left")}
    assert list(panels) == [
        "Mean of 200 images",
        "Max-weight",
        "Sum-weight",
        "Max-weight − sum-weight",
        "Each of 2 trainings (thick: mean curve)",
        "Mean of 2 trainings, which ranks the pixels",
    ]
    by_max, by_sum, difference = list(panels.values())[1:4]
    assert by_max.images[0].get_clim() == by_sum.images[0].get_clim()
    low, high = difference.images[0].get_clim()
    assert low == -high < 0
    marked = sum(len(dots.get_offsets()) for dots in by_max.collections)
    assert marked == len(maps.max_weight.chosen)


def test_the_file_is_a_png_and_repeats(figure, maps, tmp_path):
    """The same maps give the same bytes, and no other file is left."""
    first, second = (
        save_figure(draw_saliency(maps), tmp_path / "new" / name, dpi=50).read_bytes()
        for name in ("a.png", "b.png")
    )
    assert first.startswith(b"\x89PNG\r\n")
    assert first == second
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == ["a.png", "b.png"]
    with pytest.raises(ValueError, match=r"path must end in \.png, got 'a\.pdf'"):
        save_figure(figure, "a.pdf")


def test_a_failed_write_leaves_nothing(figure, tmp_path, monkeypatch):
    """Neither half a file nor the folder it was written in; what was there stays."""
    path = tmp_path / "a.png"
    path.write_bytes(b"before")

    def full_disk(file, **_):
        file.write_bytes(b"half")
        raise OSError("No space left on device")

    monkeypatch.setattr(figure, "savefig", full_disk)
    with pytest.raises(OSError, match="No space left"):
        save_figure(figure, path)
    assert [found.name for found in tmp_path.iterdir()] == ["a.png"]
    assert path.read_bytes() == b"before"


def test_without_matplotlib_the_extra_is_named(maps, monkeypatch):
    """One sentence says what to install."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(
        ImportError, match=r"^Drawing a figure needs the extra 'plots': pip install 'snelfs\[plots\]'\.$"
    ):
        draw_saliency(maps)
