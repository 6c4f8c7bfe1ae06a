"""The feature-selection layer as a module of PyTorch."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any, Self

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor, nn

from snelfs.estimators.base import SNeLSelector
from snelfs.estimators.layers import best_restart, fit_with_layers
from snelfs.foundation import checks
from snelfs.torch import functional
from snelfs.torch.moments import column_moments
from snelfs.torch.selected_columns import SelectedColumns

# The mean square of so many normal numbers is off by a third of the variance, as much as is ever admitted.
LEAST_ROWS = 16


class FSLayer(nn.Module):
    """The layer ``A = X W`` in front of a network, whose neurons shall each copy one column (section II-A).

    Use it as `torch.nn.Linear`, without bias and activation; add `penalty` to the loss with the weights of a
    `snelfs.layer.PenaltySchedule`, and train it at the rate of a `snelfs.layer.RateSchedule`. The paper's
    start is ``1 / (2 · in_features)`` everywhere; only the random weights of the next layer tell the neurons
    apart.

    Parameters
    ----------
    in_features : int
        Columns that enter.
    n_neurons : int
        Neurons, at least as many as columns are wanted.
    device, dtype : optional
        Of the parameters, as everywhere in PyTorch.

    Attributes
    ----------
    weight : Parameter of shape (n_neurons, in_features)
    mean, scale : buffers of shape (in_features,)
        What the input is standardised by; 0 and 1 until `standardise` is called.

    Examples
    --------
    >>> layer = FSLayer(500, 15)
    >>> A = layer(torch.randn(64, 500))
    >>> A.shape, layer.is_admissible()
    (torch.Size([64, 15]), False)
    """

    mean: Tensor
    scale: Tensor

    def __init__(
        self,
        in_features: int,
        n_neurons: int,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        self.in_features = checks.count("in_features", in_features, 1)
        self.n_neurons = checks.count("n_neurons", n_neurons, 1)
        self.weight = nn.Parameter(torch.empty((n_neurons, in_features), device=device, dtype=dtype))
        self.register_buffer("mean", torch.empty(in_features, device=device, dtype=dtype))
        self.register_buffer("scale", torch.empty(in_features, device=device, dtype=dtype))
        self._variances: Tensor | None = None  # of the last pass, with its gradient
        self._has_warned = False
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Return to the start; the input is taken as it comes until `standardise` is called."""
        nn.init.constant_(self.weight, 0.5 / self.in_features)
        nn.init.zeros_(self.mean)
        nn.init.ones_(self.scale)
        self._variances = None

    def forward(self, x: Tensor) -> Tensor:
        """Return the outputs of the neurons, of shape ``(..., n_neurons)``, and keep their variances."""
        if x.shape[-1] != self.in_features:
            raise checks.ArgumentError(
                "x", f"must have {self.in_features} columns, got the shape {tuple(x.shape)}."
            )
        outputs = nn.functional.linear((x - self.mean) / self.scale, self.weight)
        if not torch.compiler.is_exporting():  # a program on disk keeps nothing
            self._variances = functional.variances(outputs)
        if self.training and not torch.compiler.is_compiling():
            self._warn_of_few(x.shape[:-1].numel())
        return outputs

    def _warn_of_few(self, n_rows: int) -> None:
        if n_rows < LEAST_ROWS and not self._has_warned:
            self._has_warned = True
            warnings.warn(
                f"A batch of {n_rows} row(s) says little of a variance, which condition A asks for: "
                f"train on at least {LEAST_ROWS}, e.g. with drop_last=True.",
                stacklevel=6,  # the line that calls the network
            )

    # -- penalties ----------------------------------------------------------------------------------

    def penalties(
        self, outputs: Tensor | None = None, row_weights: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """Return Ω_S and Ω_A (Eq. 13), added up over the neurons.

        Parameters
        ----------
        outputs : tensor of shape (..., n_neurons), optional
            What the layer returned; by default Ω_A is that of the last pass. `torch.nn.DataParallel` runs
            copies of the layer: there the outputs must be given.
        row_weights : tensor, optional
            One for each row of `outputs`.
        """
        if outputs is not None:
            return functional.penalties(self.weight, outputs, row_weights)
        if row_weights is not None:
            raise checks.ArgumentError("row_weights", "must be None if no outputs are given.")
        return functional.sum_penalty(self.weight), functional.lacking(self._last_variances())

    def penalty(self, lambda_s: Any, lambda_a: Any) -> Tensor:
        """Return ``λ_S Ω_S + λ_A Ω_A`` of the last pass, to be added to the loss."""
        omega_s, omega_a = self.penalties()
        weighted: Tensor = omega_s * lambda_s + omega_a * lambda_a
        return weighted

    def is_admissible(self, limit: float = 0.3) -> bool:
        """Tell whether both penalties a neuron are within `limit` in the last pass (section III-C)."""
        most = checks.positive("limit", limit) * self.n_neurons
        return all(float(value.detach()) <= most for value in self.penalties())

    def _last_variances(self) -> Tensor:
        if self._variances is None:
            raise RuntimeError(
                "The layer has seen no rows yet: call it first, or give the outputs "
                "(copies of it, as DataParallel makes them, keep theirs)."
            )
        return self._variances

    # -- the selection ------------------------------------------------------------------------------

    @torch.no_grad()
    def saliency(self, kind: str = "max") -> Tensor:
        """Return one score for every column (section II-C).

        Parameters
        ----------
        kind : {"max", "sum"}, default="max"
            "max" asks whether some neuron copies the column (Eq. 22); "sum" how much of all neurons' output
            in the last pass it makes up (Eq. 21).
        """
        if checks.choice("kind", kind, ["max", "sum"]) == "max":
            return functional.max_weight(self.weight)
        return functional.sum_weight(self.weight, self._last_variances())

    def selected(self, k: int, kind: str = "max") -> Tensor:
        """Return the `k` columns of the largest saliency, best first; the first of equals comes first."""
        if checks.count("k", k, 1) > self.in_features:
            raise checks.ArgumentError(
                "k", f"must be at most {self.in_features}, the number of columns, got {k}."
            )
        return torch.sort(self.saliency(kind), descending=True, stable=True).indices[:k]

    @torch.no_grad()
    def hardened(self, k: int | None = None) -> SelectedColumns:
        """Return a module that selects columns and holds no matrix, e.g. for `torch.export`.

        Parameters
        ----------
        k : int, optional
            So many columns, standardised, best first: the input of a new model. By default every neuron
            keeps its strongest column with its weight: that takes the layer's place in its own network,
            which goes on to work where the layer is admissible.
        """
        if k is None:
            columns = self.weight.abs().argmax(dim=1)
            factor = self.weight.gather(1, columns[:, None])[:, 0]
        else:
            columns = self.selected(k)
            factor = torch.ones_like(self.mean[columns])
        return SelectedColumns(columns, self.mean[columns], self.scale[columns], factor)

    # -- data ---------------------------------------------------------------------------------------

    @torch.no_grad()
    def standardise(self, loader: Tensor | Iterable[Any]) -> Self:
        """Measure mean and deviation of every column, by which all input is standardised from now on.

        A constant column gets weights of zero, which stay there: it is never selected.

        Parameters
        ----------
        loader : tensor or iterable
            All rows, or batches of them, each a tensor or a sequence whose first item is one. Of data that
            are too many for one pass in memory, nothing but sums is kept.
        """
        mean, scale, varies = column_moments(loader, self.in_features)
        self.mean.copy_(mean)
        self.scale.copy_(scale)
        self.weight[:, ~varies.to(self.weight.device)] = 0.0
        return self

    @classmethod
    def from_estimator(
        cls,
        estimator: SNeLSelector,
        restart: int | None = None,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> Self:
        """Return the layer of a restart of a fitted `SNeLClassifier` or `SNeLRegressor`.

        It expects standardised columns: call `standardise` on the rows that were fitted.

        Parameters
        ----------
        restart : int, optional
            By default the one whose best epoch has the highest validation score.
        """
        weights = estimator.layer_weights_[best_restart(estimator, restart)]
        layer = cls(weights.shape[1], weights.shape[0], device, dtype)
        with torch.no_grad():
            layer.weight.copy_(torch.from_numpy(np.ascontiguousarray(weights)))
        return layer

    def to_estimator(self, estimator: SNeLSelector, X: ArrayLike, y: ArrayLike) -> SNeLSelector:
        """Fit an estimator around this layer, so that reports and plots can be made of it.

        See `snelfs.fit_with_layers`, which also takes several layers and the course of their training.
        """
        return fit_with_layers(estimator, X, y, [self.weight.detach().double().cpu().numpy()])

    # -- as a module --------------------------------------------------------------------------------

    def extra_repr(self) -> str:
        """Return what `print` shows."""
        return f"in_features={self.in_features}, n_neurons={self.n_neurons}"

    def __getstate__(self) -> dict[str, Any]:
        """Return what is copied and stored: without the last pass, whose gradient cannot be."""
        return {**self.__dict__, "_variances": None}

    def _replicate_for_data_parallel(self) -> Self:
        self._variances = None  # the copies see the rows, and an older pass must not be taken for theirs
        copied: Self = super()._replicate_for_data_parallel()  # type: ignore[no-untyped-call]
        return copied
