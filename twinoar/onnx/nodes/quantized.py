"""Whole numbers of 8 bits with scales."""

from __future__ import annotations

from typing import Any

import twinoar as paddle
from twinoar.errors import UnsupportedError
from twinoar.formats.onnx.tensors import dtype_of
from twinoar.onnx.nodes.convolution import convolution
from twinoar.onnx.nodes.elementwise import held
from twinoar.onnx.table import node
from twinoar.onnx.values import HELD

RANGES = {"uint8": (0, 255), "int8": (-128, 127), "uint16": (0, 65535), "int16": (-32768, 32767)}


def _shaped(scale: Any, x: Any, axis: int, block: int) -> Any:
    """A scale, or zero, as it lies beside `x`: of all, of an axis, or of blocks of it."""
    if not scale.shape or (len(scale.shape) == 1 and scale.shape[0] == 1):
        return scale.reshape([])
    axis %= len(x.shape)
    if len(scale.shape) == 1:
        shape = [1] * len(x.shape)
        shape[axis] = -1
        return scale.reshape(shape)
    if not block:
        raise UnsupportedError("scales of several dimensions without a block_size")
    repeated = paddle.repeat_interleave(scale, block, axis)
    return paddle.slice(repeated, [axis], [0], [x.shape[axis]])


@node("QuantizeLinear")
def quantize(
    x: Any,
    scale: Any,
    zero: Any = None,
    *,
    axis: int = 1,
    block_size: int = 0,
    output_dtype: int = 0,
    precision: int = 0,
    saturate: int = 1,
    dtypes: list[str],
) -> Any:
    dtype = dtype_of(output_dtype).name if output_dtype else "uint8"
    if zero is not None:
        dtype = dtypes[2] or str(zero.dtype).removeprefix("paddle.")
    if dtype not in RANGES:
        raise UnsupportedError(f"QuantizeLinear to {dtype}", cure=f"use one of {sorted(RANGES)}")
    low, high = RANGES[dtype]
    found = paddle.round(
        x.astype("float32") / _shaped(scale, x, axis, block_size).astype("float32")
    )
    if zero is not None:
        found = found + _shaped(zero, x, axis, block_size).astype("float32")
    return paddle.clip(found, low, high).astype(HELD.get(dtype, dtype))


@node("DequantizeLinear")
def dequantize(
    x: Any,
    scale: Any,
    zero: Any = None,
    *,
    axis: int = 1,
    block_size: int = 0,
    output_dtype: int = 0,
) -> Any:
    wide = x.astype("int32")
    if zero is not None:
        wide = wide - _shaped(zero, x, axis, block_size).astype("int32")
    found = wide.astype(scale.dtype) * _shaped(scale, x, axis, block_size)
    return found.astype(held(output_dtype)) if output_dtype else found


@node("DynamicQuantizeLinear")
def dynamic_quantize(x: Any) -> Any:
    low = paddle.minimum(paddle.min(x), paddle.zeros([], x.dtype))
    high = paddle.maximum(paddle.max(x), paddle.zeros([], x.dtype))
    scale = (high - low) / 255.0
    zero = paddle.clip(paddle.round(-low / scale), 0.0, 255.0)
    found = paddle.clip(paddle.round(x / scale) + zero, 0.0, 255.0)
    return found.astype("uint8"), scale, zero.astype("uint8")


def _centered(x: Any, zero: Any, axis: int | None = None) -> Any:
    """Whole numbers without their zero, as floats of 64 bits, which hold their products."""
    wide = x.astype("float64")
    if zero is None:
        return wide
    zero = zero.astype("float64")
    if axis is not None and zero.shape and zero.shape[0] > 1:
        shape = [1] * len(x.shape)
        shape[axis] = -1
        zero = zero.reshape(shape)
    return wide - (zero if zero.shape and zero.shape[0] > 1 else zero.reshape([]))


@node("MatMulInteger")
def matmul_integer(a: Any, b: Any, a_zero: Any = None, b_zero: Any = None) -> Any:
    return paddle.matmul(_centered(a, a_zero, -2), _centered(b, b_zero, -1)).astype("int32")


@node("ConvInteger")
def convolution_integer(
    x: Any,
    weight: Any,
    x_zero: Any = None,
    weight_zero: Any = None,
    *,
    auto_pad: str = "NOTSET",
    dilations: list | None = None,
    group: int = 1,
    kernel_shape: list | None = None,
    pads: list | None = None,
    strides: list | None = None,
) -> Any:
    found = convolution(
        _centered(x, x_zero),
        _centered(weight, weight_zero, 0),
        auto_pad=auto_pad,
        dilations=dilations,
        group=group,
        pads=pads,
        strides=strides,
    )
    return paddle.round(found).astype("int32")


@node("QLinearMatMul")
def quantized_matmul(
    a: Any, a_scale: Any, a_zero: Any, b: Any, b_scale: Any, b_zero: Any, scale: Any, zero: Any
) -> Any:
    product = paddle.matmul(_centered(a, a_zero, -2), _centered(b, b_zero, -1))
    factor = a_scale.astype("float64") * b_scale.astype("float64") / scale.astype("float64")
    return _requantized(product * factor, zero)


def _requantized(x: Any, zero: Any) -> Any:
    name = str(zero.dtype).removeprefix("paddle.")
    low, high = RANGES[name]
    return paddle.clip(paddle.round(x) + zero.astype("float64"), low, high).astype(name)


@node("QLinearConv")
def quantized_convolution(
    x: Any,
    x_scale: Any,
    x_zero: Any,
    weight: Any,
    weight_scale: Any,
    weight_zero: Any,
    scale: Any,
    zero: Any,
    bias: Any = None,
    *,
    auto_pad: str = "NOTSET",
    dilations: list | None = None,
    group: int = 1,
    kernel_shape: list | None = None,
    pads: list | None = None,
    strides: list | None = None,
) -> Any:
    found = convolution(
        _centered(x, x_zero),
        _centered(weight, weight_zero, 0),
        auto_pad=auto_pad,
        dilations=dilations,
        group=group,
        pads=pads,
        strides=strides,
    )
    if bias is not None:
        found = found + bias.astype("float64").reshape([1, -1, *[1] * (len(x.shape) - 2)])
    factor = x_scale.astype("float64") * weight_scale.astype("float64") / scale.astype("float64")
    if factor.shape and factor.shape[0] > 1:
        factor = factor.reshape([1, -1, *[1] * (len(x.shape) - 2)])
    return _requantized(found * factor.reshape(factor.shape if len(factor.shape) > 1 else []), zero)
