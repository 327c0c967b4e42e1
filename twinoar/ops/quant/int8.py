"""Floats as integers of 8 bits, and back: what stands between integer products and other operators.

`quantize_linear` and `dequantize_linear` of Paddle keep integers in floats and are told the
largest magnitude; these keep them in int8 and are told what to multiply by.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.core.dim import is_known
from twinoar.core.dtype import float32, int8, uint8
from twinoar.core.op.declare import Spec, Tensor, loop, normalize_axis, primitive
from twinoar.errors import DTypeError, ShapeError
from twinoar.ops.quant._sums import ARRAYS, INTEGERS, check_call, rounded

ALL = -1  # the axis that stands for one factor for all elements


@primitive(amp="full")
def to_int8(x: Tensor, factor: Tensor, axis: int = ALL) -> Tensor:
    """The integers of 8 bits that are nearest to x * factor, halves to even.

    x: [*], float32. factor: [1], or with an axis [C] for each index along it, float32. Returns [*],
    int8. Raises DTypeError, ShapeError, AxisError.

    >>> from twinoar.ops.quant.int8 import to_int8
    >>> to_int8(twinoar.to_tensor([0.5, -0.3, 9.0]), twinoar.to_tensor([100.0])).tolist()
    [50, -30, 127]
    """


@primitive(amp="full")
def from_int8(x: Tensor, step: Tensor, axis: int = ALL) -> Tensor:
    """x * step: integers of 8 bits as floats.

    x: [*], int8 or uint8. step: [1], or with an axis [C] for each index along it, float32. Returns
    [*], float32. Raises DTypeError, ShapeError, AxisError.

    >>> from twinoar.ops.quant.int8 import from_int8
    >>> x = twinoar.to_tensor([[1, 2], [3, 4]], dtype="int8")
    >>> from_int8(x, twinoar.to_tensor([0.5, 2.0]), 1).tolist()
    [[0.5, 4.0], [1.5, 8.0]]
    """


@to_int8.infer
def _(x, factor, axis):
    _check(x, factor, axis, (float32,))
    return Spec(x.shape, int8)


@from_int8.infer
def _(x, step, axis):
    _check(x, step, axis, INTEGERS)
    return Spec(x.shape, float32)


@to_int8.kernel
def _(x, factor, axis):
    check_call(to_int8, (x, factor), axis)
    return rounded(ARRAYS, x * _along(factor, x, axis), int8)


@from_int8.kernel
def _(x, step, axis):
    check_call(from_int8, (x, step), axis)
    return x.astype(np.float32) * _along(step, x, axis)


@to_int8.lower
def _(i, x, factor, axis):
    return rounded(loop, x[i] * _element(factor, i, axis), int8)


@from_int8.lower
def _(i, x, step, axis):
    return loop.cast(x[i], float32) * _element(step, i, axis)


@to_int8.samples
def _(s):
    halves = np.array([[0.5, 1.5, -0.5], [300.0, -300.0, 2.0]], "float32")
    yield s(halves, np.ones(1, "float32"), gradient=False)
    yield s(halves, np.array([1, 2, 4], "float32"), 1, gradient=False)
    yield s(s.zeros(0, 3), np.ones(1, "float32"), gradient=False)
    yield s.bad(DTypeError, "expected x of float32", s.ints(0, 3, 2), np.ones(1, "float32"))
    yield s.bad(ShapeError, "one number for each of 3", halves, np.ones(2, "float32"), 1)
    yield s.bad(ShapeError, "expected one number", halves, np.ones(2, "float32"))


@from_int8.samples
def _(s):
    x = s.ints(-128, 128, 2, 3, dtype="int8")
    yield s(x, np.array([0.5], "float32"), gradient=False)
    yield s(x, s.randn(3), 1, gradient=False)
    yield s(s.ints(0, 256, 2, 3, dtype=uint8), s.randn(2), 0, gradient=False)
    yield s.bad(DTypeError, "expected x of int8 or uint8", s.randn(3), np.ones(1, "float32"))
    yield s.bad(ShapeError, "one number for each of 3", x, np.ones(2, "float32"), 1)


def _check(x: Spec, numbers: Spec, axis: int, dtypes: Any) -> None:
    if x.dtype not in dtypes or numbers.dtype is not float32:
        names = " or ".join(d.name for d in dtypes)
        raise DTypeError(
            f"expected x of {names} and numbers of float32, got {x.dtype.name} and "
            f"{numbers.dtype.name}"
        )
    size = 1 if axis == ALL else x.shape[normalize_axis(axis, x.ndim, "axis")]
    if numbers.ndim != 1 or (is_known(size, *numbers.shape) and numbers.shape[0] != size):
        wanted = "one number" if axis == ALL else f"one number for each of {size}"
        raise ShapeError(f"expected {wanted}, received {list(numbers.shape)}")


def _along(numbers: np.ndarray, x: np.ndarray, axis: int) -> np.ndarray:
    if axis == ALL:
        return numbers.reshape(())
    kept = axis % x.ndim
    return numbers.reshape([-1 if d == kept else 1 for d in range(x.ndim)])


def _element(numbers: Any, i: Any, axis: int) -> Any:
    return numbers[0] if axis == ALL else numbers[i[axis % len(i)]]
