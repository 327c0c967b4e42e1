"""Normalization of a sum: of a tensor, a bias and a residual, by the names of fused kernels."""

from __future__ import annotations

import math
from typing import Any

from twinoar.core.op.declare import Tensor, function, normalize_axis
from twinoar.core.spec import may_equal
from twinoar.errors import ShapeError
from twinoar.incubate.nn.functional._refused import refuse_quantized
from twinoar.ops.math.cast import astype
from twinoar.ops.math.root import rsqrt
from twinoar.ops.norm.layer_norm import layer_norm_op
from twinoar.ops.norm.rms_norm import rms_norm_op
from twinoar.ops.random.dropout import dropout
from twinoar.ops.reduce.reduction import mean
from twinoar.ops.shape.reshape import reshape
from twinoar.ops.window._geometry import widened


@function(named=False)
def fused_layer_norm(
    x: Tensor,
    norm_weight: Tensor | None,
    norm_bias: Tensor | None,
    epsilon: float,
    residual_alpha: float = 1.0,
    begin_norm_axis: int = 1,
    bias: Tensor | None = None,
    residual: Tensor | None = None,
    quant_scale: float = -1,
    quant_round_type: float = 0,
    quant_max_bound: float = 0,
    quant_min_bound: float = 0,
) -> tuple[Tensor, Tensor | None, Tensor | None, Tensor | None]:
    """`layer_norm` of x + bias + residual_alpha * residual, from begin_norm_axis on.

    x, residual: [*], floating. bias: the last dimension. norm_weight, norm_bias: one number for
    each normalized element; without both the sum is not normalized. Returns the result, [*]; with a
    residual the sum, [*], else None; and mean and variance of the sum, one for each that is
    normalized, or None. Raises AxisError, ShapeError, UnsupportedError for a quant_scale.

    >>> x, weight = twinoar.to_tensor([[1.0, 2.0]]), twinoar.ones([2])
    >>> normed, summed, *_ = twinoar.incubate.nn.functional.fused_layer_norm(
    ...     x, weight, None, 0.0, residual=twinoar.to_tensor([[0.0, 1.0]]))
    >>> normed.tolist(), summed.tolist()
    ([[-1.0, 1.0]], [[1.0, 3.0]])
    """
    refuse_quantized(quant_scale)
    first = normalize_axis(begin_norm_axis, x.ndim)
    summed = _summed(x, bias, residual, residual_alpha)
    kept = None if residual is None else summed
    if norm_weight is None and norm_bias is None:
        return summed, kept, None, None
    out = layer_norm_op.function(summed, norm_weight, norm_bias, first, epsilon)
    center, variance = _moments(summed, first)
    return out, kept, center, variance


@function(named=False)
def fused_rms_norm(
    x: Tensor,
    norm_weight: Tensor,
    norm_bias: Tensor | None,
    epsilon: float,
    begin_norm_axis: int = 1,
    bias: Tensor | None = None,
    residual: Tensor | None = None,
    quant_scale: float = -1,
    quant_round_type: float = 0,
    quant_max_bound: float = 0,
    quant_min_bound: float = 0,
) -> tuple[Tensor, Tensor | None]:
    """x + bias + residual over its root mean square from begin_norm_axis on, scaled and shifted.

    x, residual: [*], floating. bias: the last dimension. norm_weight, norm_bias: one number for
    each normalized element. Returns the result, [*], and with a residual the sum, [*], else None.
    Raises AxisError, ShapeError, UnsupportedError for a quant_scale.

    >>> x = twinoar.to_tensor([[3.0, 4.0]])
    >>> out, _ = twinoar.incubate.nn.functional.fused_rms_norm(x, twinoar.ones([2]), None, 12.5)
    >>> out.tolist()
    [[0.6000000238418579, 0.800000011920929]]
    """
    refuse_quantized(quant_scale)
    first = normalize_axis(begin_norm_axis, x.ndim)
    summed = _summed(x, bias, residual, 1.0)
    inner = x.spec.shape[first:]
    _check_size("norm_weight", norm_weight, inner)
    out, _ = rms_norm_op.function(summed, reshape(norm_weight, inner), len(inner), epsilon)
    if norm_bias is not None:
        _check_size("norm_bias", norm_bias, inner)
        out = astype(out + reshape(norm_bias, inner), x.dtype)
    return out, None if residual is None else summed


@function(named=False)
def fast_ln(
    x: Tensor, scale: Tensor, bias: Tensor, epsilon: float = 1e-5
) -> tuple[Tensor, Tensor, Tensor]:
    """`layer_norm` of the last dimension; and mean, and one over the deviation, of each row.

    x: [*,N], floating. scale, bias: [N]. Returns [*,N], [*] and [*]. Raises ShapeError.

    >>> x, one = twinoar.to_tensor([[1.0, 5.0]]), twinoar.ones([2])
    >>> [t.tolist() for t in twinoar.incubate.nn.functional.fast_ln(x, one, one, 0.0)]
    [[[0.0, 2.0]], [3.0], [0.5]]
    """
    first = normalize_axis(-1, x.ndim)
    out = layer_norm_op.function(x, scale, bias, first, epsilon)
    center, variance = _moments(x, first)
    rows = x.spec.shape[:first]
    return out, reshape(center, rows), reshape(rsqrt(variance + epsilon), rows)


@function(named=False)
def fast_rms_norm(x: Tensor, scale: Tensor, epsilon: float = 1e-5) -> tuple[Tensor, Tensor]:
    """`rms_norm` of the last dimension, and one over the root mean square of each row.

    x: [*,N], floating. scale: [N]. Returns [*,N] and [*]. Raises ShapeError.

    >>> x = twinoar.to_tensor([[1.0, 1.0]])
    >>> [t.tolist() for t in twinoar.incubate.nn.functional.fast_rms_norm(x, x[0], 3.0)]
    [[[0.5, 0.5]], [0.5]]
    """
    return rms_norm_op.function(x, scale, 1, epsilon)


@function
def fused_rms_norm_ext(x: Tensor, scale: Tensor, epsilon: float = 1e-5) -> tuple[Tensor, Tensor]:
    """Another name of `fast_rms_norm`."""
    return fast_rms_norm(x, scale, epsilon)


@function
def fused_bias_dropout_residual_layer_norm(
    x: Tensor,
    residual: Tensor,
    bias: Tensor | None = None,
    ln_scale: Tensor | None = None,
    ln_bias: Tensor | None = None,
    dropout_rate: float = 0.5,
    ln_epsilon: float = 1e-5,
    training: bool = True,
    mode: str = "upscale_in_train",
) -> Tensor:
    """layer_norm(residual + dropout(x + bias)) of the last dimension.

    x, residual: [*,D], floating. bias, ln_scale, ln_bias: [D]. mode: of the `dropout`. Returns
    [*,D]. Raises ArgumentError, ShapeError.

    >>> x = twinoar.to_tensor([[1.0, 2.0]])
    >>> add = twinoar.incubate.nn.functional.fused_bias_dropout_residual_layer_norm
    >>> add(x, x, dropout_rate=0.0, ln_epsilon=0.0).tolist()
    [[-1.0, 1.0]]
    """
    dropped = dropout(_summed(x, bias), dropout_rate, training=training, mode=mode)
    last = normalize_axis(-1, x.ndim)
    return layer_norm_op.function(residual + dropped, ln_scale, ln_bias, last, ln_epsilon)


def _summed(
    x: Tensor, bias: Tensor | None, residual: Tensor | None = None, alpha: float = 1.0
) -> Tensor:
    """x + bias + alpha * residual, of the dtype of x."""
    out: Any = x
    if bias is not None:
        _check_size("bias", bias, x.spec.shape[-1:])
        out = out + reshape(bias, x.spec.shape[-1:])
    if residual is not None:
        if not may_equal(residual.spec.shape, x.spec.shape):
            raise ShapeError(f"residual must be as x, received {residual.spec} and {x.spec}")
        out = out + (residual if alpha == 1 else residual * alpha)
    return astype(out, x.dtype)


def _check_size(name: str, x: Tensor, shape: tuple[Any, ...]) -> None:
    size = math.prod(shape)
    if not may_equal((x.spec.size,), (size,)):
        raise ShapeError(
            f"{name} must have {size} elements, received {x.spec}",
            cure="give one number for each element of these dimensions",
        )


def _moments(x: Tensor, first: int) -> tuple[Tensor, Tensor]:
    """Mean and variance over the dimensions from `first` on, of each row: [rows]."""
    wide, axes = widened(x), tuple(range(first, x.ndim))
    center = mean(wide, axes, keepdim=True)
    spread = wide - center
    return reshape(center, (-1,)), reshape(mean(spread * spread, axes), (-1,))
