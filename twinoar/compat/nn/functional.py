"""`paddle.compat.nn.functional`: functions with PyTorch's arguments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twinoar.core.op.explain import explained
from twinoar.core.values import Value as Tensor
from twinoar.nn import functional
from twinoar.ops.linalg.matmul import matmul
from twinoar.ops.shape.reshape import swapaxes
from twinoar.special import softmax


@explained
def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """input weight' + bias, with weight [out,in]. See `nn.functional.linear`."""
    out = matmul(input, weight, transpose_y=True)
    return out if bias is None else out + bias


@explained
def pad(input: Tensor, pad: Sequence[int], mode: str = "constant", value: float = 0.0) -> Tensor:
    """input with borders: (before, after) of the last axis, then of the one before it, and so on.

    >>> twinoar.compat.nn.functional.pad(twinoar.ones([2]), (1, 0)).tolist()
    [0.0, 1.0, 1.0]
    """
    borders = [int(border) for border in pad]
    if mode != "constant":
        return functional.pad(input, borders, mode)
    borders += [0] * (2 * input.ndim - len(borders))
    return functional.pad(input, borders, mode, value, pad_from_left_axis=False)


@explained
def unfold(
    input: Tensor, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
) -> Tensor:
    """The windows of images as columns. See `nn.functional.unfold`."""
    return functional.unfold(input, kernel_size, stride, padding, dilation)


@explained
def scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Tensor:
    """softmax(scale * query key' + attn_mask) value, for each head.

    query: [N,heads,L,D]. key, value: [N,heads,S,D]. See `nn.functional`, which has the heads behind
    the positions.
    """
    found = functional.scaled_dot_product_attention(
        swapaxes(query, 1, 2),
        swapaxes(key, 1, 2),
        swapaxes(value, 1, 2),
        attn_mask=attn_mask,
        dropout_p=dropout_p,
        is_causal=is_causal,
        scale=scale,
        enable_gqa=enable_gqa,
    )
    return swapaxes(found, 1, 2)


__all__ = ["linear", "pad", "scaled_dot_product_attention", "softmax", "unfold"]
