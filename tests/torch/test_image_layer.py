"""The layer before a convolution: pixels stay in their places, and neurons can part."""

import pytest
import torch

from snelfs.layer import selected
from snelfs.torch import FSImageLayer, FSLayer, parameter_groups

HEIGHT, WIDTH = 3, 4


@pytest.fixture
def images():
    """Return twenty images whose pixels have means and scales of their own."""
    numbers = torch.randn(20, 1, HEIGHT, WIDTH, generator=torch.Generator().manual_seed(0))
    return numbers * torch.arange(1.0, 13).reshape(HEIGHT, WIDTH) + 5


def copying(weights, images):
    """Return a layer with these weights, a mapping of (neuron, pixel)."""
    first = FSImageLayer(HEIGHT, WIDTH, 2).standardise(images)
    with torch.no_grad():
        first.layer.weight.zero_()
        for place, value in weights.items():
            first.layer.weight[place] = value
    return first


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_copied_pixel_stands_where_it_was_in_its_own_unit(images, sign):
    """Whatever the sign of the copy; all other pixels are zero."""
    first = copying({(0, 1): 1.0, (1, 6): sign}, images)
    image = first(images)
    assert image.shape == images.shape
    centred = images - images.mean(dim=0)
    expected = torch.zeros_like(images)
    for row, column in ((0, 1), (1, 2)):
        expected[..., row, column] = centred[..., row, column]
    torch.testing.assert_close(image, expected, rtol=1e-4, atol=1e-4)
    torch.testing.assert_close(first.masked(images, 2), image, rtol=1e-4, atol=1e-4)


def test_a_mixing_neuron_smears_by_its_weights(images):
    """The whole output stands at the pixel of its largest weight, a third of it at that of a third."""
    first = copying({(0, 0): 0.6, (0, 5): 0.2}, images)
    image, scale = first(images).flatten(1), first.layer.scale
    outputs = first.layer(images.flatten(1))[:, 0]
    torch.testing.assert_close(image[:, 0] / scale[0], outputs)
    torch.testing.assert_close(image[:, 5] / scale[5], outputs / 3)
    assert not image[:, [1, 2, 3, 4, *range(6, 12)]].any()


def test_a_neuron_without_weights_gives_nothing_and_a_gradient_of_numbers(images):
    """Nothing is divided by zero."""
    first = copying({(0, 0): 1.0}, images)
    first(images).square().sum().backward()
    assert first.layer.weight.grad.isfinite().all()


def test_neurons_part_from_the_random_start_and_could_not_from_a_constant_one(images):
    """The image is a sum over neurons: alike, they would have one gradient."""
    torch.manual_seed(0)
    first = FSImageLayer(HEIGHT, WIDTH, 2).standardise(images)
    places = torch.randn(HEIGHT, WIDTH)

    def gradient():
        first.zero_grad()
        (first(images) * places).square().sum().backward()
        return first.layer.weight.grad

    apart = gradient().clone()
    assert not torch.allclose(apart[0], apart[1])
    with torch.no_grad():
        FSLayer.reset_parameters(first.layer)
    alike = gradient()
    assert torch.equal(alike[0], alike[1])
    start = FSImageLayer(10, 10, 50).layer.weight.detach()
    assert float(start.min()) >= 0
    assert abs(float(start.mean()) - 0.005) < 0.0005  # 1 / (2 · pixels)


def test_the_mask_is_an_image_of_the_selected_pixels(images):
    """As many as asked for, those of the largest saliency, and never one that does not vary."""
    images[:, :, 0, 0] = 7.0
    first = FSImageLayer(HEIGHT, WIDTH, 2).standardise(images)
    mask = first.mask(5)
    assert mask.shape == (HEIGHT, WIDTH)
    assert mask.flatten().nonzero().flatten().tolist() == sorted(selected(first.layer.weight.detach(), 5))
    assert not first.mask(11)[0, 0]


def test_it_is_found_in_a_network_and_moves(images):
    """`parameter_groups` gives its weight a rate of its own, and a step lessens the penalty."""
    first = FSImageLayer(HEIGHT, WIDTH, 2).standardise(images)
    network = torch.nn.Sequential(first, torch.nn.Conv2d(1, 2, 3))
    groups = parameter_groups(network, lr=0.01)
    assert groups[0]["params"] == [first.layer.weight]
    optimizer = torch.optim.SGD(groups[:1], lr=0.01)
    network(images)
    before = first.layer.penalty(1.0, 1.0)
    before.backward()
    optimizer.step()
    network(images)
    assert first.layer.penalty(1.0, 1.0) < before


@pytest.mark.parametrize("shape", [(10, 12), (10, 3, HEIGHT, WIDTH), (10, 1, WIDTH, HEIGHT)])
def test_other_images_are_refused(shape):
    """Rows, colours and another size."""
    with pytest.raises(ValueError, match=r"images must have the shape \(n, 1, 3, 4\), got \(10,"):
        FSImageLayer(HEIGHT, WIDTH, 2)(torch.zeros(shape))
