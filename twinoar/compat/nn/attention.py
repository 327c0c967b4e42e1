"""MultiheadAttention with PyTorch's arguments, parameters and masks."""

from __future__ import annotations

import math
from typing import Any

from twinoar.compat.nn.functional import linear
from twinoar.compat.nn.linear import Linear
from twinoar.core.values import Value as Tensor
from twinoar.errors import ArgumentError
from twinoar.nn import functional
from twinoar.nn.initializer import Constant, XavierNormal, XavierUniform
from twinoar.nn.layer import Layer
from twinoar.ops.create.fill import ones, zeros
from twinoar.ops.index.diagonal import triu
from twinoar.ops.linalg.matmul import matmul
from twinoar.ops.math.cast import astype
from twinoar.ops.math.logical import logical_not
from twinoar.ops.math.select import select
from twinoar.ops.reduce.reduction import mean
from twinoar.ops.shape.concat import chunk, concat
from twinoar.ops.shape.expand import broadcast_to
from twinoar.ops.shape.reshape import reshape, squeeze, swapaxes, unsqueeze


class MultiheadAttention(Layer):
    """softmax(q k' / sqrt(head_dim) + mask) v for each head, projected before and after.

    embed_dim: size of queries and results, head_dim in each of num_heads. bias: of the projections.
    add_bias_kv, add_zero_attn: one more position, of parameters or zeros, that queries may look at.
    kdim, vdim: sizes of keys and values, None where they are embed_dim. batch_first: inputs are
    [N,L,E], not [L,N,E]. Raises ArgumentError where num_heads does not divide embed_dim.

    >>> layer = twinoar.compat.nn.MultiheadAttention(8, 2)
    >>> x = twinoar.rand([5, 3, 8])
    >>> out, weights = layer(x, x, x)
    >>> out.shape, weights.shape
    ([5, 3, 8], [3, 5, 5])
    """

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        bias: bool = True,
        add_bias_kv: bool = False,
        add_zero_attn: bool = False,
        kdim: int | None = None,
        vdim: int | None = None,
        batch_first: bool = False,
        device: Any = None,
        dtype: Any = None,
    ):
        super().__init__()
        if embed_dim % num_heads:
            raise ArgumentError(f"num_heads {num_heads} must divide embed_dim {embed_dim}")
        self.embed_dim, self.num_heads, self.dropout = embed_dim, num_heads, dropout
        self.batch_first, self.add_zero_attn = batch_first, add_zero_attn
        kdim, vdim = kdim or embed_dim, vdim or embed_dim

        def made(shape: list[int], start: Any, wanted: bool = True) -> Any:
            attr = None if wanted else False
            return self.create_parameter(shape, attr, dtype, default_initializer=start)

        one_size, start = kdim == vdim == embed_dim, XavierUniform()
        self.in_proj_weight = made([3 * embed_dim, embed_dim], start, one_size)
        self.q_proj_weight = made([embed_dim, embed_dim], start, not one_size)
        self.k_proj_weight = made([embed_dim, kdim], start, not one_size)
        self.v_proj_weight = made([embed_dim, vdim], start, not one_size)
        self.in_proj_bias = made([3 * embed_dim], Constant(0.0), bias)
        self.bias_k = made([1, 1, embed_dim], XavierNormal(), add_bias_kv)
        self.bias_v = made([1, 1, embed_dim], XavierNormal(), add_bias_kv)
        self.out_proj = Linear(embed_dim, embed_dim, bias, dtype=dtype)
        if device is not None:
            self.to(device)

    def forward(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        key_padding_mask: Tensor | None = None,
        need_weights: bool = True,
        attn_mask: Tensor | None = None,
        average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> tuple[Tensor, Tensor | None]:
        """What the queries find, and the shares of the positions, or None.

        query: [L,N,E] or [L,E]; key, value: the same with S. key_padding_mask: [N,S], and
        attn_mask: [L,S] or [N*heads,L,S]: True, or a number added, where a query does not look.
        is_causal: without attn_mask, no query looks at later positions. Returns the shape of
        query, and [N,L,S], of each head [N,heads,L,S] unless average_attn_weights.
        """
        has_batch = query.ndim == 3
        batch_axis = 0 if self.batch_first or not has_batch else 1
        arranged = [
            swapaxes(x, 0, batch_axis) if has_batch else unsqueeze(x, 0)
            for x in (query, key, value)
        ]  # [N,L,E]
        q, k, v = (linear(x, *p) for x, p in zip(arranged, self._projections(), strict=True))
        k, v, added = self._extended(k, v)
        mask = self._mask(key_padding_mask, attn_mask, is_causal, (q, k), added)
        q, k, v = (self._heads(x) for x in (q, k, v))  # [N,heads,L,D]
        scores = matmul(q * (1.0 / math.sqrt(q.shape[-1])), k, transpose_y=True)
        weights = functional.softmax(scores if mask is None else scores + mask)
        kept = functional.dropout(weights, self.dropout, training=self.training)
        out = reshape(swapaxes(matmul(kept, v), 1, 2), [0, 0, self.embed_dim])
        out = self.out_proj(out)
        out = swapaxes(out, 0, batch_axis) if has_batch else squeeze(out, 0)
        if not need_weights:
            return out, None
        shares = mean(weights, 1) if average_attn_weights else weights
        return out, shares if has_batch else squeeze(shares, 0)

    def _projections(self) -> list[tuple[Any, Any]]:
        """(weight, bias) for queries, keys and values."""
        if self.in_proj_weight is None:
            weights = [self.q_proj_weight, self.k_proj_weight, self.v_proj_weight]
        else:
            weights = chunk(self.in_proj_weight, 3)
        biases = [None] * 3 if self.in_proj_bias is None else chunk(self.in_proj_bias, 3)
        return list(zip(weights, biases, strict=True))

    def _extended(self, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor, int]:
        """Keys and values with the positions that are added, and how many these are."""
        one = [k.shape[0], 1, self.embed_dim]
        more: list[tuple[Any, Any]] = []
        if self.bias_k is not None:
            more.append((broadcast_to(self.bias_k, one), broadcast_to(self.bias_v, one)))
        if self.add_zero_attn:
            more.append((zeros(one, k.dtype), zeros(one, v.dtype)))
        if more:
            k = concat([k, *(pair[0] for pair in more)], 1)
            v = concat([v, *(pair[1] for pair in more)], 1)
        return k, v, len(more)

    def _mask(
        self,
        padding: Tensor | None,
        mask: Tensor | None,
        is_causal: bool,
        qk: tuple[Tensor, Tensor],
        added: int,
    ) -> Any:
        """What is added to the scores, of a shape that broadcasts to [N,heads,L,S]; or None."""
        q, k = qk
        if mask is None and is_causal:
            mask = triu(ones([q.shape[1], k.shape[1] - added], "bool"), 1)
        parts = []
        if mask is not None:
            if mask.ndim == 3:
                mask = reshape(mask, [-1, self.num_heads, *mask.shape[1:]])
            parts.append(_added(mask, q.dtype))
        if padding is not None:
            rows = padding if padding.ndim == 2 else unsqueeze(padding, 0)
            parts.append(unsqueeze(_added(rows, q.dtype), [1, 2]))
        if not parts:
            return None
        found = parts[0] if len(parts) == 1 else parts[0] + parts[1]
        if added:
            found = concat([found, zeros([*found.shape[:-1], added], found.dtype)], -1)
        return found

    def _heads(self, x: Tensor) -> Tensor:
        return swapaxes(reshape(x, [0, 0, self.num_heads, -1]), 1, 2)


def _added(mask: Tensor, dtype: Any) -> Tensor:
    """A mask as numbers to add: minus infinity where it is True."""
    if mask.dtype != "bool":
        return astype(mask, dtype)
    return select(logical_not(mask), zeros([], dtype), -math.inf)
