"""Batch normalization of the rows of channels that sparse tensors hold."""

from __future__ import annotations

from typing import Any

from twinoar.errors import ArgumentError
from twinoar.nn import batch_norm, functional
from twinoar.sparse.tensor import SparseTensor, checked


class _OfRows(batch_norm._BatchNormBase):
    def forward(self, x: SparseTensor) -> Any:
        """x with the elements that it holds normalized, channel by channel."""
        values = functional.batch_norm(
            checked(x).values(),
            self._mean,
            self._variance,
            self.weight,
            self.bias,
            training=self.training,
            momentum=self._momentum,
            epsilon=self._epsilon,
            data_format="NC",
            use_global_stats=self._use_global_stats,
        )
        return x.with_values(values)

    def _over_all_processes(self) -> type:
        return SyncBatchNorm


class BatchNorm(_OfRows):
    """Batch normalization of the elements that a sparse tensor [...,C] holds.

    Statistics are those of the elements in training, otherwise the running ones. Other arguments
    are those of `nn.BatchNorm1D`. Raises ArgumentError for a data_format with channels in front.

    >>> x = twinoar.sparse.sparse_coo_tensor([[0, 3]], [[1.0], [3.0]], [4, 1])
    >>> twinoar.sparse.nn.BatchNorm(1)(x).values().round().tolist()
    [[-1.0], [1.0]]
    """

    def __init__(
        self,
        num_features: int,
        momentum: float = 0.9,
        epsilon: float = 1e-05,
        weight_attr: Any = None,
        bias_attr: Any = None,
        data_format: str = "NDHWC",
        use_global_stats: bool | None = None,
        name: str | None = None,
    ):
        if data_format not in ("NDHWC", "NHWC"):
            raise ArgumentError(
                f"data_format must be NDHWC or NHWC, received {data_format!r}",
                cure="channels are the rows that a sparse tensor holds",
            )
        super().__init__(
            num_features,
            momentum,
            epsilon,
            weight_attr,
            bias_attr,
            data_format,
            use_global_stats,
            name,
        )


class SyncBatchNorm(_OfRows, batch_norm.SyncBatchNorm):
    """`BatchNorm` over all processes; there is one, so it is batch normalization.

    >>> net = twinoar.nn.Sequential(twinoar.sparse.nn.BatchNorm(3))
    >>> twinoar.sparse.nn.SyncBatchNorm.convert_sync_batchnorm(net)[0].__class__.__module__
    'twinoar.sparse.nn.norm'
    """


__all__ = ["BatchNorm", "SyncBatchNorm"]
