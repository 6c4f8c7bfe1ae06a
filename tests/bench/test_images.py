"""Pixels before convolutions: what is chosen, how it is judged, table and picture."""

import sys

import numpy as np
import pytest
import torch
from typer.testing import CliRunner

from snelfs.bench import image_networks, images
from snelfs.bench.image_networks import Labelled, judge, train_layer
from snelfs.bench.images import (
    assess,
    draw_masks,
    image_rows,
    image_sections,
    image_trials,
    missing_methods,
    pixels_before_convolutions,
    selection_shares,
)
from snelfs.cli.app import app
from snelfs.evaluation.trials import Trial

N_IMAGES, SIDE, TELLING = 400, 6, (1 * 6 + 4, 4 * 6 + 1)


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def two_pixels():
    """Return images of noise in which two pixels, in opposite corners, tell four classes."""
    numbers = np.random.default_rng(0)
    pixels = numbers.random((N_IMAGES, SIDE * SIDE))
    classes = np.arange(N_IMAGES) % 4
    pixels[:, TELLING] = np.stack([classes % 2, classes // 2], axis=1) * 0.8 + 0.1
    return Labelled.from_rows(pixels, classes, (SIDE, SIDE), brightest=1.0)


def halves(data):
    rows = np.arange(N_IMAGES)
    return data.part(rows[rows % 8 < 4]), data.part(rows[rows % 8 >= 4])


def record(method="variance", seed=0, accuracy=(0.25, 0.5, 0.75), selected=((0,), (0, 1), (0, 1, 2, 3))):
    about = {"data": "digits", "method": method, "seed": seed, "fold": 0, "status": "done", "seconds": 2.0}
    kept = {"selected": [list(pixels) for pixels in selected], "accuracy": list(accuracy), "shape": [4, 5]}
    return about | kept


# -- choosing and judging ---------------------------------------------------------------------------


def test_the_layer_before_convolutions_finds_the_pixels_that_tell(two_pixels):
    """Both are among four of 36; the best epoch is a selection, and the global generator stays as it was."""
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    best = train_layer(two_pixels, 4, 0, n_steps=500)
    assert torch.equal(torch.rand(3), expected)
    assert best.is_admitted
    assert set(TELLING) <= set(best.selected(4).tolist())


def test_restarts_without_a_selection_have_no_say(two_pixels, monkeypatch):
    """The saliencies of admitted trainings are averaged; where there is none, all are."""

    class Trained:
        def __init__(self, saliency, is_admitted):
            self.saliency, self.is_admitted = lambda: np.array(saliency), is_admitted

    seeds = []

    def given(_, __, seed, **___):
        seeds.append(seed)
        return trained[len(seeds) % len(trained)]

    monkeypatch.setattr(image_networks, "train_layer", given)
    trained = [Trained([0.0, 0.4, 0.5], True), Trained([9.0, 0.0, 0.0], False)]
    assert pixels_before_convolutions(two_pixels, 2, 7, n_restarts=2).tolist() == [2, 1]
    assert len(set(seeds)) == 2
    trained = [Trained([9.0, 0.0, 1.0], False)]
    assert pixels_before_convolutions(two_pixels, 2, 7, n_restarts=2).tolist() == [0, 2]


def test_the_judge_sees_the_chosen_pixels_alone(two_pixels):
    """With the pixels that tell it is right, without them it guesses; the same seed judges the same."""
    training, test = halves(two_pixels)
    right = judge(training, test, np.array(TELLING), 0, n_epochs=120)
    assert right > 0.9
    assert right == judge(training, test, np.array(TELLING), 0, n_epochs=120)
    others = np.setdiff1d(np.arange(SIDE * SIDE), TELLING)
    assert judge(training, test, others, 0, n_epochs=20) < 0.5


def test_batches_are_of_one_size_and_repeat_no_image(two_pixels):
    """What remains is left out; few images make one batch."""
    batches = two_pixels.batches(64)
    assert [len(batch.classes) for batch in batches] == [64] * 6
    seen = torch.cat([batch.images for batch in batches]).flatten(1)
    assert len(torch.unique(seen, dim=0)) == 384
    assert [len(batch.classes) for batch in two_pixels.part(np.arange(5)).batches(64)] == [5]


def test_a_trial_chooses_every_share_and_is_judged(monkeypatch):
    """Variance takes the pixels of most variance, in nested masks; all pixels are judged once."""
    judged = []
    monkeypatch.setattr(
        image_networks, "judge", lambda _, __, chosen, *___, **____: judged.append(chosen) or 0.5
    )
    values = assess(Trial("digits", "variance", 0), n_samples=300)
    assert values["shape"] == [8, 8]
    assert [len(pixels) for pixels in values["selected"]] == [3, 6, 13]
    assert values["selected"][2][:6] == values["selected"][1]
    assert values["accuracy"] == [0.5] * 3
    assert assess(Trial("digits", "all", 0), n_samples=300)["selected"] == []
    assert judged[-1].tolist() == list(range(64))
    first, second = (assess(Trial("digits", "random", seed), n_samples=300) for seed in (0, 1))
    assert first["selected"] != second["selected"]


def test_tiny_images_are_refused(tmp_path):
    """Two poolings leave nothing of them."""
    np.savez(tmp_path / "mnist.npz", x_train=np.zeros((9, 3, 8), np.uint8), y_train=np.arange(9) % 3)
    with pytest.raises(ValueError, match=r"source must have images of 4 × 4 pixels at least, got 3 × 8\."):
        assess(Trial("MNIST", "variance", 0), source=tmp_path / "mnist.npz")


def test_missing_packages_are_left_out(monkeypatch):
    """LassoNet is an extra; without it the other methods go on."""
    monkeypatch.setattr(images, "find_spec", lambda _: None)
    assert missing_methods(images.METHODS) == ["lassonet"]
    assert missing_methods(["random"]) == []


# -- table and picture ------------------------------------------------------------------------------


def test_the_table_has_accuracies_and_gains_on_the_same_draw():
    """Gains are paired by draw; all pixels have no share to compare with."""
    random = [record("random", 0, (0.1, 0.2, 0.3)), record("random", 1, (0.2, 0.2, 0.2))]
    ours = [record("variance", 0, (0.4, 0.4, 0.4)), record("variance", 1, (0.6, 0.6, 0.6))]
    rows = image_rows([*random, *ours, record("all", 0, (0.9,), ())])
    found = {(row["method"], row["pixels, %"]): row for row in rows}
    assert found["variance", 5]["accuracy"] == "0.5000"
    assert found["variance", 5]["sd"] == "0.1000"
    assert found["variance", 5]["above random"] == "0.3500"
    assert found["variance", 20]["pixels"] == 4
    assert found["all", 100]["above random"] == ""
    (table,) = image_sections([*ours, record("all", 0, (0.9,), ())]).values()
    assert "| variance | 2 | 0.500 ± 0.100 |" in table
    assert "| all pixels | 1 | 0.900 ± 0.000 | 0.900 ± 0.000 |" in table


def test_shares_of_draws_are_an_image():
    """A pixel chosen in one of two draws has a half."""
    both = [record(selected=((0,), (0, 1), (0,))), record(seed=1, selected=((7,), (0, 1), (0,)))]
    shares = selection_shares(both, 0)
    assert shares.shape == (4, 5)
    assert (shares[0, 0], shares[1, 2], shares.sum()) == (0.5, 0.5, 1.0)
    assert selection_shares(both, 1)[0, 1] == 1.0


def test_the_picture_has_a_mask_for_every_share_and_method():
    """Beside the mean image; all pixels and failures are not drawn."""
    pytest.importorskip("matplotlib")
    failed = {"data": "digits", "method": "lassonet", "seed": 0, "fold": 0, "status": "failed"}
    figure = draw_masks(
        [record("random"), record("convolutional"), record("all", 0, (0.9,), ()), failed], np.ones((4, 5))
    )
    panels = [axis for axis in figure.axes if axis.images and axis.images[0].get_array().shape == (4, 5)]
    assert len(panels) == 3 * 3
    assert [axis.get_title() for axis in panels[:3]] == [
        "mean image",
        "random pixels",
        "the layer before\nconvolutions",
    ]
    assert panels[4].images[0].get_array().sum() == 2  # 10 %, random


def test_the_command_goes_on_where_it_was_and_draws(tmp_path, monkeypatch):
    """Records, tables and a picture; what is recorded is not computed again."""

    def run_here(_, compute, trials, journal, *__):
        known = {(record["method"], record["seed"]) for record in journal.records()}
        for trial in trials:
            if (trial.method, trial.seed) not in known:
                ran.append(trial)
                made = {**trial._asdict(), "status": "done", "commit": "none", "time_limit": 1.0}
                journal.append(made | compute(trial, judge_epochs=1))

    ran = []
    monkeypatch.setattr("snelfs.bench.commands.run_shown", run_here)
    command = [
        "bench",
        "images",
        "--methods",
        "random,variance",
        "--samples",
        "90",
        "--output",
        str(tmp_path),
    ]
    assert CliRunner().invoke(app, [*command, "--seeds", "1"]).exit_code == 0
    shown = CliRunner().invoke(app, [*command, "--seeds", "2"])
    assert shown.exit_code == 0, shown.output
    assert ran == image_trials("digits", ["random", "variance"], 2)
    assert "| variance | 2 |" in (tmp_path / "images.md").read_text()
    assert (tmp_path / "images.png").read_bytes().startswith(b"\x89PNG")
    refused = CliRunner().invoke(app, [*command, "--methods", "magic"])
    assert refused.exit_code == 2
    assert "got 'magic'" in " ".join(refused.output.replace("│", " ").split())


def test_without_torch_the_extra_is_named(monkeypatch):
    """One sentence says what to install."""
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ImportError, match=r"^A convolutional network needs the extra 'torch': pip install"):
        assess(Trial("digits", "variance", 0))
