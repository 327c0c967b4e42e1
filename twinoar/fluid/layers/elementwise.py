"""Two tensors, element by element, and their products, by 1.x names."""

# ruff: noqa: F401  # the calls in the table use what is imported

from __future__ import annotations

from typing import Any

import twinoar as paddle
from twinoar.fluid.layers.adapter import define
from twinoar.ops.linalg.matmul import fc_mul
from twinoar.ops.math.select import select


def along(x: Any, y: Any, axis: int) -> Any:
    """y with dimensions of 1 behind it, so that its first is dimension `axis` of x; -1 aligns ends.

    x: [A,B,C,D], y: [B,C], axis 1 gives [B,C,1,1]. Dimensions of 1 at the end of y do not count.
    """
    missing = x.ndim - max(axis, 0) - y.ndim
    return y if axis == -1 or missing <= 0 else paddle.unsqueeze(y, [-1] * missing)


def divided(x: Any, y: Any) -> Any:
    """x / y; of integers the whole part, cut towards 0."""
    quotient = paddle.divide(x, y)
    return quotient if x.dtype.is_floating else paddle.cast(paddle.trunc(quotient), x.dtype)


def remainder(x: Any, y: Any) -> Any:
    """What x / y leaves; of integers with the sign of x, otherwise with that of y."""
    return paddle.mod(x, y) if x.dtype.is_floating else x - divided(x, y) * y


def scaled_product(x: Any, y: Any, transpose_x: bool, transpose_y: bool, alpha: float) -> Any:
    """alpha * x y, matrices or batches of them; a vector is no matrix to transpose."""
    product = paddle.matmul(x, y, transpose_x, transpose_y)
    return product if alpha == 1.0 else paddle.scale(product, alpha)


def rows_product(x: Any, y: Any) -> Any:
    """The inner products of vectors, or of rows, [*,1]."""
    return paddle.sum(x * y, -1, keepdim=True)


def limited_norm(x: Any, max_norm: float) -> Any:
    """x, shortened to a norm of `max_norm` where it is longer."""
    norm = paddle.sqrt(paddle.sum(paddle.square(x)))
    return x * (max_norm / paddle.maximum(norm, paddle.full([], max_norm, x.dtype)))


def chosen_rows(inputs: Any, index: Any) -> Any:
    """Row i of the tensor whose number stands in row i of `index`."""
    number = paddle.reshape(index, [-1, *[1] * (inputs[0].ndim - 1)])
    out = inputs[0]
    for place, x in enumerate(inputs[1:], 1):
        out = select(paddle.equal(number, paddle.full([], place, number.dtype)), x, out)
    return out


__all__ = define(
    globals(),
    """
addmm(input, x, y, alpha=1.0, beta=1.0, name=None) -> paddle.addmm(input, x, y, beta, alpha)
bmm(x, y, name=None) -> paddle.bmm(x, y)
clamp(input, min=None, max=None, output=None, name=None) -> paddle.clip(input, min, max)
clip(x, min, max, name=None) -> paddle.clip(x, min, max)
clip_by_norm(x, max_norm, name=None)
    -> limited_norm(x, max_norm)  # nn.ClipGradByNorm, on a gradient
dot(x, y, name=None) -> rows_product(x, y)  # paddle.dot(x, y)
elementwise_add(x, y, axis=-1, act=None, name=None)
    -> paddle.add(x, along(x, y, axis))  # paddle.add(x, y)
elementwise_div(x, y, axis=-1, act=None, name=None)
    -> divided(x, along(x, y, axis))  # paddle.divide(x, y)
elementwise_equal(x, y, name=None) -> paddle.equal(x, y)
elementwise_floordiv(x, y, axis=-1, act=None, name=None)
    -> divided(x, along(x, y, axis))  # paddle.floor_divide(x, y)
elementwise_max(x, y, axis=-1, act=None, name=None)
    -> paddle.maximum(x, along(x, y, axis))  # paddle.maximum(x, y)
elementwise_min(x, y, axis=-1, act=None, name=None)
    -> paddle.minimum(x, along(x, y, axis))  # paddle.minimum(x, y)
elementwise_mod(x, y, axis=-1, act=None, name=None)
    -> remainder(x, along(x, y, axis))  # paddle.mod(x, y)
elementwise_mul(x, y, axis=-1, act=None, name=None)
    -> paddle.multiply(x, along(x, y, axis))  # paddle.multiply(x, y)
elementwise_pow(x, y, axis=-1, act=None, name=None)
    -> paddle.pow(x, along(x, y, axis))  # paddle.pow(x, y)
elementwise_sub(x, y, axis=-1, act=None, name=None)
    -> paddle.subtract(x, along(x, y, axis))  # paddle.subtract(x, y)
equal(x, y, cond=None) -> paddle.equal(x, y)
greater_equal(x, y, cond=None) -> paddle.greater_equal(x, y)
greater_than(x, y, cond=None) -> paddle.greater_than(x, y)
less_equal(x, y, cond=None) -> paddle.less_equal(x, y)
less_than(x, y, force_cpu=None, cond=None) -> paddle.less_than(x, y)
logical_and(x, y, out=None, name=None) -> paddle.logical_and(x, y)
logical_not(x, out=None, name=None) -> paddle.logical_not(x)
logical_or(x, y, out=None, name=None) -> paddle.logical_or(x, y)
logical_xor(x, y, out=None, name=None) -> paddle.logical_xor(x, y)
matmul(x, y, transpose_x=False, transpose_y=False, alpha=1.0, name=None)
    -> scaled_product(x, y, transpose_x, transpose_y, alpha)
    # alpha * paddle.matmul(x, y, transpose_x, transpose_y)
mul(x, y, x_num_col_dims=1, y_num_col_dims=1, name=None)
    -> fc_mul(x, y, x_num_col_dims, y_num_col_dims)  # paddle.matmul(x, y)
multiplex(inputs, index) -> chosen_rows(inputs, index)
not_equal(x, y, cond=None) -> paddle.not_equal(x, y)
scale(x, scale=1.0, bias=0.0, bias_after_scale=True, act=None, name=None)
    -> paddle.scale(x, scale, bias, bias_after_scale)
""",
)
