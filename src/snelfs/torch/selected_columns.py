"""What is left of a trained layer where it is used: some columns, and no matrix."""

import torch
from torch import Tensor, nn


class SelectedColumns(nn.Module):
    """Take some columns, standardise them, and multiply each by a factor; nothing is trained.

    `FSLayer.hardened` makes it. It has no data-dependent step, so that `torch.export` takes it.

    Parameters
    ----------
    columns : tensor of int, shape (n_selected,)
    mean, scale, factor : tensors of shape (n_selected,)
        Of these columns; the output is ``(x[..., columns] - mean) / scale * factor``.
    """

    columns: Tensor
    mean: Tensor
    scale: Tensor
    factor: Tensor

    def __init__(self, columns: Tensor, mean: Tensor, scale: Tensor, factor: Tensor) -> None:
        super().__init__()
        for name, values in (("columns", columns), ("mean", mean), ("scale", scale), ("factor", factor)):
            self.register_buffer(name, values.detach().clone())

    def forward(self, x: Tensor) -> Tensor:
        """Return the selected columns of `x`, of shape ``(..., n_selected)``."""
        chosen = torch.index_select(x, -1, self.columns)
        return (chosen - self.mean) / self.scale * self.factor

    def extra_repr(self) -> str:
        """Return what `print` shows."""
        return f"n_selected={len(self.columns)}"
