"""The two parts of a transformer's layer as one function each: attention, and its network."""

from __future__ import annotations

from typing import Any

from twinoar.core.op.declare import Tensor, function
from twinoar.core.spec import may_equal
from twinoar.errors import ArgumentError, ShapeError
from twinoar.incubate.nn.functional._refused import refuse_ring
from twinoar.incubate.nn.functional.linear import activated, fused_linear
from twinoar.nn.attention import additive_mask, merged_heads
from twinoar.ops.norm.layer_norm import layer_norm_op
from twinoar.ops.random.dropout import dropout
from twinoar.ops.shape.concat import concat, stack
from twinoar.ops.shape.reshape import reshape, transpose


@function
def fused_multi_head_attention(
    x: Tensor,
    qkv_weight: Tensor,
    linear_weight: Tensor,
    pre_layer_norm: bool = False,
    pre_ln_scale: Tensor | None = None,
    pre_ln_bias: Tensor | None = None,
    ln_scale: Tensor | None = None,
    ln_bias: Tensor | None = None,
    pre_ln_epsilon: float = 1e-5,
    qkv_bias: Tensor | None = None,
    linear_bias: Tensor | None = None,
    cache_kv: Tensor | None = None,
    attn_mask: Tensor | None = None,
    dropout_rate: float = 0.5,
    attn_dropout_rate: float = 0.5,
    ln_epsilon: float = 1e-5,
    training: bool = True,
    mode: str = "upscale_in_train",
    ring_id: int = -1,
    add_residual: bool = True,
    num_heads: int = -1,
    transpose_qkv_wb: bool = False,
) -> Tensor | tuple[Tensor, Tensor]:
    """x + dropout(attention of x to itself), normalized before, or with pre_layer_norm=False after.

    x: [N,T,E], floating. qkv_weight: [3,heads,D,E], qkv_bias: [3,heads,D], of queries, keys and
    values; with transpose_qkv_wb [E,3 * E] and [3 * E], of num_heads. linear_weight:
    [heads * D,E], linear_bias: [E], of the projection after. pre_ln_scale, pre_ln_bias, ln_scale,
    ln_bias: [E], of the normalization before and after. cache_kv: [2,N,heads,S,D], keys and values
    before those of x. attn_mask: broadcasts to [N,heads,T,S + T]; added where it is floating,
    otherwise 0 or False where attention is not wanted. dropout_rate, attn_dropout_rate, mode: of
    the `dropout` at the end and of shares. add_residual: without it x is not added. Returns
    [N,T,E], with a cache a tuple of that and the longer cache. Raises ShapeError, ArgumentError,
    UnsupportedError for a ring_id. Source: arXiv 1706.03762, section 3.2.

    >>> x, weight = twinoar.rand([1, 3, 4]), twinoar.rand([3, 2, 2, 4])
    >>> attend = twinoar.incubate.nn.functional.fused_multi_head_attention
    >>> attend(x, weight, twinoar.rand([4, 4])).shape
    [1, 3, 4]
    """
    refuse_ring(ring_id)
    if x.ndim != 3:
        raise ShapeError(f"x must be [N,T,E], received {x.spec}")
    if transpose_qkv_wb:
        qkv_weight, qkv_bias = _by_heads(qkv_weight, qkv_bias, num_heads)
    entering = _normed(x, pre_ln_scale, pre_ln_bias, pre_ln_epsilon) if pre_layer_norm else x
    q, k, v = queries_keys_values(entering, qkv_weight, qkv_bias)
    if cache_kv is not None:
        k, v = concat([cache_kv[0], k], 2), concat([cache_kv[1], v], 2)
    mask = additive_mask(attn_mask, x.dtype)
    merged = merged_heads(q, k, v, mask, attn_dropout_rate, training, mode)
    out = fused_linear(merged, linear_weight, linear_bias)
    out = dropout(out, dropout_rate, training=training, mode=mode)
    out = x + out if add_residual else out
    out = out if pre_layer_norm else _normed(out, ln_scale, ln_bias, ln_epsilon)
    return out if cache_kv is None else (out, stack([k, v]))


def queries_keys_values(x: Tensor, weight: Tensor, bias: Tensor | None) -> list[Tensor]:
    """x, [N,T,E], projected to what heads compare and average, [N,heads,T,D] each.

    weight: [3,heads,D,E]. bias: [3,heads,D].
    """
    shape, size = weight.spec.shape, x.spec.shape[-1]
    if weight.ndim != 4 or not may_equal((shape[0], shape[3]), (3, size)):
        raise ShapeError(
            f"the weight of queries, keys and values must be [3,heads,D,{size}], "
            f"received {weight.spec}"
        )
    if bias is not None and not may_equal(bias.spec.shape, shape[:3]):
        raise ShapeError(f"their bias must be {list(shape[:3])}, received {bias.spec}")
    flat = None if bias is None else reshape(bias, (-1,))
    out = fused_linear(x, reshape(weight, (-1, shape[3])), flat, transpose_weight=True)
    by_head: Any = transpose(reshape(out, [0, 0, *shape[:3]]), [2, 0, 3, 1, 4])
    return [by_head[k] for k in range(3)]


def _by_heads(weight: Tensor, bias: Tensor | None, heads: int) -> tuple[Tensor, Tensor | None]:
    """[E,3 * E] and [3 * E] as [3,heads,D,E] and [3,heads,D]."""
    shape: Any = weight.spec.shape
    if weight.ndim != 2 or not may_equal(shape[1:], (3 * shape[0],)):
        raise ShapeError(f"qkv_weight must be [E,3 * E] here, received {weight.spec}")
    if heads < 1 or shape[0] % heads:
        raise ArgumentError(
            f"num_heads must divide {shape[0]}, received {heads}",
            cure="say how many heads the weight is of",
        )
    parts = (3, heads, shape[0] // heads)
    turned = reshape(transpose(weight, [1, 0]), (*parts, shape[0]))
    return turned, None if bias is None else reshape(bias, parts)


@function
def fused_feedforward(
    x: Tensor,
    linear1_weight: Tensor,
    linear2_weight: Tensor,
    linear1_bias: Tensor | None = None,
    linear2_bias: Tensor | None = None,
    ln1_scale: Tensor | None = None,
    ln1_bias: Tensor | None = None,
    ln2_scale: Tensor | None = None,
    ln2_bias: Tensor | None = None,
    dropout1_rate: float = 0.5,
    dropout2_rate: float = 0.5,
    activation: str = "relu",
    ln1_epsilon: float = 1e-5,
    ln2_epsilon: float = 1e-5,
    pre_layer_norm: bool = False,
    training: bool = True,
    mode: str = "upscale_in_train",
    ring_id: int = -1,
    add_residual: bool = True,
) -> Tensor:
    """x + dropout2(linear2(dropout1(activation(linear1(x))))), normalized before or after.

    x: [*,E], floating. linear1_weight: [E,F], linear1_bias: [F]. linear2_weight: [F,E],
    linear2_bias: [E]. ln1_scale, ln1_bias: [E], of the normalization before, with pre_layer_norm;
    ln2_scale, ln2_bias: of that after, without. activation: "relu", "gelu", "silu" or "swish".
    mode: of both `dropout`s. add_residual: without it x is not added. Returns [*,E]. Raises
    ShapeError, ArgumentError, UnsupportedError for a ring_id.

    >>> x, weight = twinoar.ones([1, 1, 2]), twinoar.ones([2, 2])
    >>> network = twinoar.incubate.nn.functional.fused_feedforward
    >>> network(x, weight, weight, pre_layer_norm=True, training=False).flatten().tolist()
    [1.0, 1.0]
    """
    refuse_ring(ring_id)
    entering = _normed(x, ln1_scale, ln1_bias, ln1_epsilon) if pre_layer_norm else x
    hidden = activated(activation, fused_linear(entering, linear1_weight, linear1_bias))
    hidden = dropout(hidden, dropout1_rate, training=training, mode=mode)
    out = fused_linear(hidden, linear2_weight, linear2_bias)
    out = dropout(out, dropout2_rate, training=training, mode=mode)
    out = x + out if add_residual else out
    return out if pre_layer_norm else _normed(out, ln2_scale, ln2_bias, ln2_epsilon)


def _normed(x: Tensor, scale: Tensor | None, bias: Tensor | None, epsilon: float) -> Tensor:
    return layer_norm_op.function(x, scale, bias, x.ndim - 1, epsilon)
