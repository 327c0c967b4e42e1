"""Attention by the names of kernels for single models and libraries: gated, and cuDNN's."""

from __future__ import annotations

from typing import Any

from twinoar.core.op.declare import Tensor, function
from twinoar.core.spec import may_equal
from twinoar.errors import ArgumentError, ShapeError
from twinoar.incubate.nn.functional.linear import fused_linear
from twinoar.ops.activation.smooth import sigmoid
from twinoar.ops.linalg.matmul import matmul
from twinoar.ops.sequence.attention import attention_shares, scaled_dot_product_attention
from twinoar.ops.shape.reshape import reshape, transpose

HEADS_BEFORE = (0, 1, 3, 2, 4)  # [N,M,T,heads,D] <-> [N,M,heads,T,D]


@function(named=False)
def fused_gate_attention(
    query: Tensor,
    key: Tensor | None = None,
    query_weight: Tensor | None = None,
    key_weight: Tensor | None = None,
    value_weight: Tensor | None = None,
    qkv_weight: Tensor | None = None,
    gate_linear_weight: Tensor | None = None,
    gate_linear_bias: Tensor | None = None,
    out_linear_weight: Tensor | None = None,
    out_linear_bias: Tensor | None = None,
    nonbatched_bias: Tensor | None = None,
    attn_mask: Tensor | None = None,
    has_gating: bool = True,
    merge_qkv: bool = True,
    use_flash_attn: bool = False,
) -> Tensor:
    """Attention within each row of several, times a gate that the query decides, projected.

    query: [N,M,Q,A], floating. With merge_qkv qkv_weight: [3,heads,D,A], and keys are of the query;
    else key: [N,M,K,B], query_weight: [A,heads,D], key_weight, value_weight: [B,heads,D].
    gate_linear_weight: [A,heads,D], gate_linear_bias: [heads,D], with has_gating.
    out_linear_weight: [heads,D,C], out_linear_bias: [C]. nonbatched_bias: [N,1,heads,Q,K],
    attn_mask: [N,M,1,1,K], both added to scores. use_flash_attn: without effect. Returns
    [N,M,Q,C]. Raises ArgumentError for a weight that is missing, ShapeError. Source: Jumper et al.
    2021, supplement, algorithm 7.

    >>> query, weight = twinoar.rand([1, 2, 3, 4]), twinoar.rand([3, 2, 5, 4])
    >>> attend = twinoar.incubate.nn.functional.fused_gate_attention
    >>> attend(query, qkv_weight=weight, out_linear_weight=twinoar.rand([2, 5, 4]),
    ...     has_gating=False).shape
    [1, 2, 3, 4]
    """
    needed = {"out_linear_weight": out_linear_weight}
    if merge_qkv:
        needed["qkv_weight"] = qkv_weight
    else:
        needed |= {"key": key, "query_weight": query_weight}
        needed |= {"key_weight": key_weight, "value_weight": value_weight}
    if has_gating:
        needed["gate_linear_weight"] = gate_linear_weight
    missing = [name for name, given in needed.items() if given is None]
    if missing:
        raise ArgumentError(
            f"{', '.join(missing)} must be given here",
            cure="say by merge_qkv and has_gating which weights there are",
        )
    if query.ndim != 4:
        raise ShapeError(f"query must be [N,M,Q,A], received {query.spec}")
    key = query if merge_qkv else key
    parts: Any = (query_weight, key_weight, value_weight)
    if qkv_weight is not None and merge_qkv:
        parts = [transpose(qkv_weight[n], [2, 0, 1]) for n in range(3)]
    q, k, v = (_by_heads(x, w) for x, w in zip((query, key, key), parts, strict=True))
    mask = nonbatched_bias
    if attn_mask is not None:
        mask = attn_mask if mask is None else mask + attn_mask
    shares = attention_shares(q, k, mask, q.spec.shape[4] ** -0.5)  # type: ignore[operator]
    out = transpose(matmul(shares, v), HEADS_BEFORE)
    if has_gating:
        gate = transpose(_by_heads(query, gate_linear_weight), HEADS_BEFORE)
        out = out * sigmoid(gate if gate_linear_bias is None else gate + gate_linear_bias)
    last: Any = out_linear_weight
    flat = reshape(out, [0, 0, 0, out.spec.shape[3] * out.spec.shape[4]])
    return fused_linear(flat, reshape(last, (-1, last.spec.shape[2])), out_linear_bias)


def _by_heads(x: Any, weight: Any) -> Tensor:
    """x, [N,M,T,A], projected by [A,heads,D] to [N,M,heads,T,D]."""
    size, shape = x.spec.shape[-1], weight.spec.shape
    if weight.ndim != 3 or not may_equal(shape[:1], (size,)):
        raise ShapeError(f"a weight must be [{size},heads,D], received {weight.spec}")
    out = matmul(x, reshape(weight, (size, shape[1] * shape[2])))
    return transpose(reshape(out, [0, 0, 0, *shape[1:]]), HEADS_BEFORE)


@function
def fused_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scaling_factor: float | None = None,
    training: bool = True,
) -> Tensor:
    """`scaled_dot_product_attention`, where a mask is of the dtype of query, and none is causal.

    Raises ArgumentError, ShapeError.

    >>> q = twinoar.ones([1, 2, 1, 4])
    >>> attend = twinoar.incubate.nn.functional.fused_dot_product_attention
    >>> attend(q, q, q, is_causal=True).shape
    [1, 2, 1, 4]
    """
    if attn_mask is not None and (is_causal or attn_mask.dtype != query.dtype):
        raise ArgumentError(
            f"attn_mask must be {query.dtype.name} and is_causal False with it, received "
            f"{attn_mask.spec} and {is_causal}",
            cure="add both to one mask",
        )
    return scaled_dot_product_attention(
        query, key, value, attn_mask, dropout_p, is_causal, training, scale=scaling_factor
    )
