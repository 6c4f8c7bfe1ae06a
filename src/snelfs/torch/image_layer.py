"""The layer before a convolution: what a neuron copies stands where it was in the image."""

from __future__ import annotations

from typing import Self

import torch
from torch import Tensor, nn

from snelfs.foundation import checks
from snelfs.torch.layer import FSLayer


class FSImageLayer(nn.Module):
    """Choose pixels of grey images and return images, so that convolutions make sense behind it.

    The outputs of an `FSLayer` have no place in the image. Here each goes back to the pixels it came from, by
    their weights in shares of the neuron's largest, and in the pixels' own unit::

        image_j = scale_j · Σ_k A_k w_jk / max_i |w_ik|

    A neuron that copies one pixel, with either sign, puts it where it was; a neuron that mixes pixels smears
    them over their places. Pixels that no neuron looks at are zero, and so is a pixel at its mean. Shares of
    the sum would end alike; but at the start, when a neuron looks at all pixels, they would leave next to
    nothing of the image, and the loss could not decide what to copy.

    The sum does not tell neurons apart, as the random weights of a dense network do: from the paper's start
    they would stay alike for ever. So the start is random, uniform from 0 to ``1 / n_pixels``, which has the
    paper's mean.

    Parameters
    ----------
    height, width : int
        Of the images, in pixels.
    n_neurons : int
        Neurons, at least as many as pixels are wanted.
    device, dtype : optional
        Of the parameters, as everywhere in PyTorch.

    Attributes
    ----------
    layer : FSLayer
        Its penalties are to be added to the loss, and its rate is to be set, as in any other network.

    Examples
    --------
    >>> first = FSImageLayer(8, 8, 6)
    >>> first(torch.randn(20, 1, 8, 8)).shape, first.mask(6).shape, int(first.mask(6).sum())
    (torch.Size([20, 1, 8, 8]), torch.Size([8, 8]), 6)
    """

    def __init__(
        self,
        height: int,
        width: int,
        n_neurons: int,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        self.height, self.width = checks.count("height", height, 1), checks.count("width", width, 1)
        self.layer = FSLayer(height * width, n_neurons, device, dtype)
        self.reset_parameters()

    @torch.no_grad()
    def reset_parameters(self) -> None:
        """Return to a start, another one each time; images are taken as they come until `standardise`."""
        self.layer.reset_parameters()
        nn.init.uniform_(self.layer.weight, 0.0, 1.0 / self.layer.in_features)

    def standardise(self, images: Tensor) -> Self:
        """Measure mean and deviation of every pixel; one that never varies is never selected."""
        self.layer.standardise(self._as_rows(images))
        return self

    def forward(self, images: Tensor) -> Tensor:
        """Return images of shape ``(n, 1, height, width)`` of what the neurons copy."""
        outputs, weight = self.layer(self._as_rows(images)), self.layer.weight
        largest = weight.abs().amax(dim=1, keepdim=True)  # (n_neurons, 1)
        placement = weight / largest.clamp_min(torch.finfo(weight.dtype).tiny)
        return self._as_images(outputs @ placement * self.layer.scale)

    @torch.no_grad()
    def masked(self, images: Tensor, k: int) -> Tensor:
        """Return what `forward` would if each of the `k` selected pixels were copied, and nothing else.

        The score of an epoch is best taken here: neighbours look alike, so that a smear of several pixels
        serves a network as well as one of them, and is no selection.
        """
        rows = self._as_rows(images) - self.layer.mean
        return self._as_images(rows * self.mask(k).flatten())

    def mask(self, k: int) -> Tensor:
        """Return an image that is true at the `k` pixels of the largest saliency."""
        mask = torch.zeros(self.layer.in_features, dtype=torch.bool, device=self.layer.weight.device)
        mask[self.layer.selected(k)] = True
        return mask.reshape(self.height, self.width)

    def _as_rows(self, images: Tensor) -> Tensor:
        """Return one row for each image, or raise if they are not grey or of another size."""
        if images.shape[1:] not in ((self.height, self.width), (1, self.height, self.width)):
            raise checks.ArgumentError(
                "images",
                f"must have the shape (n, 1, {self.height}, {self.width}), got {tuple(images.shape)}.",
            )
        return images.flatten(1)

    def _as_images(self, rows: Tensor) -> Tensor:
        return rows.reshape(-1, 1, self.height, self.width)

    def extra_repr(self) -> str:
        """Return what `print` shows."""
        return f"height={self.height}, width={self.width}"
