"""Operators of single elements, comparisons and casts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import twinoar as paddle
from twinoar.formats.onnx.tensors import dtype_of
from twinoar.nn import functional as F
from twinoar.onnx.table import Known, each, node
from twinoar.onnx.values import HELD, MASKS, SIGNED


def _in_floats(function: Callable) -> Callable:
    """The function, for whole numbers too."""

    def computed(x: Any) -> Any:
        return function(x) if x.dtype.is_floating else x

    return computed


each(
    {
        "Abs": paddle.abs,
        "Acos": paddle.acos,
        "Acosh": paddle.acosh,
        "And": paddle.logical_and,
        "Asin": paddle.asin,
        "Asinh": paddle.asinh,
        "Atan": paddle.atan,
        "Atanh": paddle.atanh,
        "BitwiseAnd": paddle.bitwise_and,
        "BitwiseNot": paddle.bitwise_not,
        "BitwiseOr": paddle.bitwise_or,
        "BitwiseXor": paddle.bitwise_xor,
        "Ceil": paddle.ceil,
        "Cos": paddle.cos,
        "Cosh": paddle.cosh,
        "Equal": paddle.equal,
        "Erf": paddle.erf,
        "Erfc": lambda x: 1 - paddle.erf(x),  # TensorFlow's, which tf2onnx leaves as it is
        "Exp": paddle.exp,
        "Floor": paddle.floor,
        "Greater": paddle.greater_than,
        "GreaterOrEqual": paddle.greater_equal,
        "Identity": lambda x: x,
        "IsNaN": paddle.isnan,
        "Less": paddle.less_than,
        "LessOrEqual": paddle.less_equal,
        "Log": paddle.log,
        "Neg": paddle.neg,
        "Not": paddle.logical_not,
        "Or": paddle.logical_or,
        "Reciprocal": paddle.reciprocal,
        "Round": _in_floats(paddle.round),
        "Sigmoid": F.sigmoid,
        "Sign": paddle.sign,
        "Sin": paddle.sin,
        "Sinh": paddle.sinh,
        "Sqrt": paddle.sqrt,
        "Tan": paddle.tan,
        "Tanh": paddle.tanh,
        "Xor": paddle.logical_xor,
    }
)


def _arithmetic(function: Callable) -> Callable:
    """The function of two operands, whose shapes are those of NumPy, or of the first versions."""

    def computed(
        a: Any,
        b: Any,
        *,
        axis: int | None = None,
        broadcast: int = 0,
        consumed_inputs: list | None = None,
    ) -> Any:
        if broadcast and axis is not None and len(b.shape) < len(a.shape):
            b = b.reshape([*b.shape, *[1] * (len(a.shape) - axis - len(b.shape))])
        return function(a, b)

    return computed


def divided(a: Any, b: Any) -> Any:
    """The quotient; that of whole numbers towards zero."""
    if a.dtype.is_floating:
        return a / b
    quotient = (
        paddle.floor_divide(paddle.abs(a), paddle.abs(b)) if a.dtype != paddle.uint8 else a // b
    )
    return quotient * paddle.sign(a) * paddle.sign(b) if a.dtype != paddle.uint8 else quotient


for _type, _function in {
    "Add": paddle.add,
    "Sub": paddle.subtract,
    "Mul": paddle.multiply,
    "Div": divided,
}.items():
    node(_type)(_arithmetic(_function))


@node("Pow")
def power(a: Any, b: Any, *, axis: int | None = None, broadcast: int = 0) -> Any:
    if a.dtype == b.dtype:
        return paddle.pow(a, b)
    wider = b.dtype if b.dtype.is_floating else a.dtype
    return paddle.pow(a.astype(wider), b.astype(wider)).astype(a.dtype)


@node("Mod")
def modulo(a: Any, b: Any, *, fmod: int = 0) -> Any:
    found = paddle.remainder(a, b)
    if not fmod:
        return found
    other_sign = paddle.logical_and(found != 0, (a < 0) != (b < 0))
    return paddle.where(other_sign, found - b, found)


def _folded(function: Callable) -> Callable:
    def computed(*x: Any) -> Any:
        found = x[0]
        for other in x[1:]:
            found = function(found, other)
        return found

    return computed


for _type, _function in {"Max": paddle.maximum, "Min": paddle.minimum, "Sum": paddle.add}.items():
    node(_type)(_folded(_function))


@node("Mean")
def mean(*x: Any) -> Any:
    return _folded(paddle.add)(*x) / len(x)


@node("BitShift")
def bit_shift(a: Any, b: Any, *, direction: str) -> Any:
    width = 8 * np.dtype(str(a.dtype).removeprefix("paddle.")).itemsize
    is_beyond = paddle.logical_or(b < 0, b >= width)
    if direction == "LEFT":
        moved = paddle.bitwise_left_shift(a, paddle.where(is_beyond, b * 0, b))
        return paddle.where(is_beyond, a * 0, moved)
    return paddle.bitwise_right_shift(a, paddle.where(is_beyond, b * 0 + (width - 1), b))


@node("IsInf")
def is_infinite(x: Any, *, detect_negative: int = 1, detect_positive: int = 1) -> Any:
    found = paddle.isinf(x)
    if not detect_negative:
        found = paddle.logical_and(found, x > 0)
    if not detect_positive:
        found = paddle.logical_and(found, x < 0)
    return found


@node("Where")
def where(condition: Any, a: Any, b: Any) -> Any:
    return paddle.where(condition, a, b)


@node("Clip")
def clip_of_attributes(
    x: Any, *, min: float = -np.inf, max: float = np.inf, consumed_inputs: list | None = None
) -> Any:
    return paddle.clip(x, min, max)


@node("Clip", since=11)
def clip(x: Any, low: Any = None, high: Any = None) -> Any:
    if low is not None:
        x = paddle.maximum(x, low)
    return x if high is None else paddle.minimum(x, high)


def held(code: int) -> str:
    """The dtype that holds elements of an ONNX type."""
    name = dtype_of(code).name
    return HELD.get(name, name)


@node("Cast")
def cast(x: Any, *, to: int, saturate: int = 1, round_mode: str = "up") -> Any:
    return paddle.cast(x, held(to))


@node("CastLike")
def cast_like(x: Any, other: Any, *, saturate: int = 1, round_mode: str = "up") -> Any:
    return paddle.cast(x, other.dtype)


@node("BitCast")
def bit_cast(x: Any, *, to: int, dtypes: list[str]) -> Any:
    dtype = dtype_of(to).name
    x = x.astype(SIGNED.get(dtypes[0], x.dtype))
    if dtype in HELD:
        wide = x.view(SIGNED[dtype]).astype(HELD[dtype])
        return wide & MASKS[dtype] if dtype in MASKS else wide
    if dtype == "bool":
        return x.view("uint8").astype("bool")
    return x.view(dtype)


@node("CumSum")
def cumulative_sum(x: Any, axis: Known, *, exclusive: int = 0, reverse: int = 0) -> Any:
    return _cumulative(paddle.cumsum, 0, x, int(axis.reshape(-1)[0]), exclusive, reverse)


@node("CumProd")
def cumulative_product(x: Any, axis: Known, *, exclusive: int = 0, reverse: int = 0) -> Any:
    return _cumulative(paddle.cumprod, 1, x, int(axis.reshape(-1)[0]), exclusive, reverse)


def _cumulative(
    function: Callable, start: int, x: Any, axis: int, is_exclusive: int, is_reversed: int
) -> Any:
    axis %= len(x.shape)
    if is_reversed:
        x = paddle.flip(x, [axis])
    found = function(x, axis)
    if is_exclusive:
        first = paddle.full_like(paddle.slice(x, [axis], [0], [1]), start)
        found = paddle.concat([first, paddle.slice(found, [axis], [0], [-1])], axis)
    return paddle.flip(found, [axis]) if is_reversed else found.astype(x.dtype)
