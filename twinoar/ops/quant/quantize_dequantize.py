"""What rounding to few bits loses: quantized, and at once made floats again."""

from __future__ import annotations

import numpy as np

from twinoar.core.op.declare import Desc, Tensor, op
from twinoar.errors import ArgumentError, AxisError, DTypeError
from twinoar.ops.math.cast import astype
from twinoar.ops.quant._integers import (
    ROUNDING,
    along,
    check,
    integers,
    largest,
    largest_along,
    limit_of,
)


def rounded(x: Tensor, scale: Tensor, bit_length: int, round_type: int) -> Tensor:
    """x with the nearest values that integers of few bits stand for; scale: broadcasts with x."""
    limit = limit_of(bit_length)
    check(x, round_type)
    return astype(integers(x, scale, limit, round_type) * scale / limit, x.dtype)


@op(
    amp="full",
    desc=Desc("fake_quantize_dequantize_abs_max", {"X": "x"}, ("Out", "OutScale"), ROUNDING),
    grad=lambda gs: gs[0],
)
def fake_quantize_dequantize_abs_max(
    x: Tensor, bit_length: int = 8, round_type: int = 1
) -> tuple[Tensor, Tensor]:
    """The nearest values to x that integers of few bits stand for, and the scale.

    x: [*], floating. round_type: 0 rounds halves to even, 1 away from 0. Returns [*], dtype of x,
    and the largest magnitude, [1]. The gradient passes as it is. Raises ArgumentError, DTypeError,
    ShapeError for no elements. Source: arXiv 1712.05877, section 3.

    >>> from twinoar.ops.quant.quantize_dequantize import fake_quantize_dequantize_abs_max
    >>> out, scale = fake_quantize_dequantize_abs_max(twinoar.to_tensor([0.3, -1.2, 7.0]), 4)
    >>> out.tolist(), scale.tolist()
    ([0.0, -1.0, 7.0], [7.0])
    """
    check(x, round_type)
    scale = largest(x)
    return rounded(x, scale, bit_length, round_type), scale


@fake_quantize_dequantize_abs_max.samples
def _(s):
    yield s(s.randn(3, 4), gradient=False)
    yield s(s.randn(2, 3, 2), 4, 0, gradient=False)
    yield s(np.array([2.5, -1.5, 7.0, 0.5], np.float32), 4, gradient=False)
    yield s(s.zeros(3), gradient=False)
    yield s(s.randn(5, dtype="float64"), gradient=False)
    yield s.bad(ArgumentError, "bit_length must be between 2 and 16", s.randn(3), 0)
    yield s.bad(DTypeError, "floating", s.ints(0, 3, 2))


@op(
    amp="full",
    desc=Desc(
        "fake_channel_wise_quantize_dequantize_abs_max",
        {"X": "x"},
        ("Out", "OutScale"),
        {**ROUNDING, "quant_axis": "quant_axis"},
    ),
    grad=lambda gs: gs[0],
)
def fake_channel_wise_quantize_dequantize_abs_max(
    x: Tensor, bit_length: int = 8, quant_axis: int = 0, round_type: int = 1
) -> tuple[Tensor, Tensor]:
    """The nearest values to x of few bits, with a scale for each index along `quant_axis`.

    x: [*], floating. Returns [*], dtype of x, and the largest magnitudes, [C]. Otherwise as
    `fake_quantize_dequantize_abs_max`; raises AxisError as well.
    """
    check(x, round_type)
    scale = largest_along(x, quant_axis)
    return rounded(x, along(scale, x, quant_axis), bit_length, round_type), scale


@fake_channel_wise_quantize_dequantize_abs_max.samples
def _(s):
    yield s(s.randn(3, 4), gradient=False)
    yield s(s.randn(2, 3, 2, 2), 8, 1, gradient=False)
    yield s(s.randn(3, 4), 4, 1, 0, gradient=False)
    yield s.bad(AxisError, "quant_axis must be", s.randn(3), 8, 1)
