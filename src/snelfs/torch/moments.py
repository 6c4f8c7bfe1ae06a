"""Mean and deviation of columns that come in batches."""

from collections.abc import Iterable, Iterator
from typing import Any

import torch
from torch import Tensor

from snelfs.foundation.checks import ArgumentError


def column_moments(loader: Tensor | Iterable[Any], n_columns: int) -> tuple[Tensor, Tensor, Tensor]:
    """Return mean, deviation and whether it varies of every column; the deviation of a constant one is 1.

    Batches are joined as Chan, Golub and LeVeque do, in double precision: sums of squares would lose the
    variance of a column that is far from zero.
    """
    n_rows = 0
    mean, squares = torch.zeros(2, n_columns, dtype=torch.float64)
    lowest, highest = torch.full_like(mean, torch.inf), torch.full_like(mean, -torch.inf)
    for rows in _batches(loader, n_columns):
        n_rows += len(rows)
        centre = rows.mean(dim=0)
        step = (centre - mean) * (len(rows) / n_rows)
        squares += (rows - centre).square().sum(dim=0) + (centre - mean) * step * (n_rows - len(rows))
        mean = mean + step
        lowest, highest = lowest.minimum(rows.amin(dim=0)), highest.maximum(rows.amax(dim=0))
    if n_rows < 2:
        raise ArgumentError("loader", f"must give at least 2 rows to standardise by, got {n_rows}.")
    varies = highest > lowest
    return mean, torch.where(varies, (squares / n_rows).sqrt(), 1.0), varies


def _batches(loader: Tensor | Iterable[Any], n_columns: int) -> Iterator[Tensor]:
    """Return the rows of each batch in double precision, or raise if they are none of numbers."""
    for batch in [loader] if isinstance(loader, Tensor) else loader:
        x = batch if isinstance(batch, Tensor) else batch[0]
        if not isinstance(x, Tensor) or x.shape[-1:] != (n_columns,):
            shape = tuple(getattr(x, "shape", ()))
            raise ArgumentError("loader", f"must give tensors of {n_columns} columns, got the shape {shape}.")
        rows = x.detach().cpu().double().reshape(-1, n_columns)
        if not rows.isfinite().all():
            raise ArgumentError("loader", "must give finite numbers, got some that are missing or infinite.")
        if len(rows):
            yield rows
