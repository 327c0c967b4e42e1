"""Embedding: a learned vector for each of so many ids."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np

from twinoar.core.spec import Spec
from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError
from twinoar.nn import functional
from twinoar.nn.initializer import Initializer, XavierUniform
from twinoar.nn.initializer.default import default_initializer_of
from twinoar.nn.layer import Layer
from twinoar.nn.param_attr import ParamAttr


class Embedding(Layer):
    """y = weight[x].

    x: [*], integer, in [0,num_embeddings). weight: [num_embeddings,embedding_dim]. padding_idx: the
    row that starts at zero and gets no gradient; negative counts from the end. sparse: the gradient
    of the weight is SelectedRows, of the rows that x names alone. max_norm: rows that are used and
    longer, by norm_type, are cut to it. scale_grad_by_freq: a row's gradient is divided by how
    often it is used. _weight: what the table starts as; _freeze: it does not train. dtype, device:
    of the weight. Returns [*,embedding_dim]. Raises ArgumentError for a padding_idx outside the
    table.

    >>> twinoar.nn.Embedding(10, 4, padding_idx=0)(twinoar.to_tensor([[1, 2, 0]])).shape
    [1, 3, 4]
    """

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        sparse: bool = False,
        weight_attr: Any = None,
        name: str | None = None,
        *,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        _weight: Any = None,
        _freeze: bool = False,
        device: Any = None,
        dtype: Any = None,
    ):
        super().__init__()
        if num_embeddings <= 0 or embedding_dim <= 0:
            raise ArgumentError(
                f"num_embeddings and embedding_dim must be positive, received {num_embeddings} "
                f"and {embedding_dim}"
            )
        if padding_idx is not None and not -num_embeddings <= padding_idx < num_embeddings:
            raise ArgumentError(
                f"padding_idx must be in [{-num_embeddings}, {num_embeddings}), "
                f"received {padding_idx}",
                cure="give the number of a row, or None",
            )
        self._num_embeddings, self._embedding_dim = num_embeddings, embedding_dim
        self._size = [num_embeddings, embedding_dim]
        self._sparse, self._name, self._weight_attr = sparse, name, weight_attr
        self._padding_idx, self._max_norm, self._norm_type = padding_idx, max_norm, norm_type
        self._scale_grad_by_freq = scale_grad_by_freq
        attr = ParamAttr._to_attr(weight_attr)
        if padding_idx is not None and attr is not False:
            usual = attr.initializer or default_initializer_of(False) or XavierUniform()
            attr = copy(attr)
            attr.initializer = _ZeroRow(usual, padding_idx)
        self.weight = self.create_parameter(self._size, attr, dtype)
        if _weight is not None:
            self.weight.set_value(_weight)
        if _freeze:
            self.weight.stop_gradient = True
        if device is not None:
            self.to(device)

    def forward(self, x: Any) -> Any:
        """The vectors of the ids x."""
        return functional.embedding(
            x,
            self.weight,
            padding_idx=self._padding_idx,
            max_norm=self._max_norm,
            norm_type=self._norm_type,
            sparse=self._sparse,
            scale_grad_by_freq=self._scale_grad_by_freq,
        )

    def extra_repr(self) -> str:
        """The arguments."""
        shown = f"{self._num_embeddings}, {self._embedding_dim}"
        if self._padding_idx is not None:
            shown += f", padding_idx={self._padding_idx}"
        shown += f", sparse={self._sparse}, scale_grad_by_freq={self._scale_grad_by_freq}"
        return f"{shown}, name={self._name}" if self._name else shown


class _ZeroRow(Initializer):
    """What `start` makes, with one row of zeros."""

    def __init__(self, start: Any, row: int):
        self.start, self.row = start, row

    def make(self, spec: Spec) -> Any:
        """A value of `spec`."""
        kept = np.ones((spec.shape[0], 1), spec.dtype.numpy)
        kept[self.row] = 0
        return self.start(spec) * to_tensor(kept)
