"""Floats as whole numbers of few bits, still as floats, by the largest magnitude."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.core.op.declare import Desc, Tensor, op
from twinoar.errors import ArgumentError, AxisError, DTypeError, ShapeError
from twinoar.ops.math.cast import astype
from twinoar.ops.quant._integers import (
    ROUNDING,
    along,
    check,
    integers,
    largest,
    largest_along,
    limit_of,
    slope,
)


@op(
    amp="full",
    desc=Desc("fake_quantize_abs_max", {"X": "x"}, ("Out", "OutScale"), ROUNDING),
)
def fake_quantize_abs_max(
    x: Tensor, bit_length: int = 8, round_type: int = 1
) -> tuple[Tensor, Tensor]:
    """x as whole numbers between -limit and limit = 2^(bit_length - 1) - 1, and its scale.

    x: [*], floating. round_type: 0 rounds halves to even, 1 away from 0. Returns [*], dtype of x,
    and the largest magnitude, [1]. The gradient is that without rounding, with the scale as a
    constant. Raises ArgumentError, DTypeError, ShapeError for no elements.

    >>> from twinoar.ops.quant.quantize import fake_quantize_abs_max
    >>> out, scale = fake_quantize_abs_max(twinoar.to_tensor([0.5, -1.0, 2.0]))
    >>> out.tolist(), scale.tolist()
    ([32.0, -64.0, 127.0], [2.0])
    """
    limit = limit_of(bit_length)
    check(x, round_type)
    scale = largest(x)
    return astype(integers(x, scale, limit, round_type), x.dtype), scale


@fake_quantize_abs_max.grad
def _(gs, outs, bit_length):
    return astype(gs[0] * slope(outs[1], limit_of(bit_length)), outs[0].dtype)


@fake_quantize_abs_max.samples
def _(s):
    yield s(s.randn(3, 4), gradient=False)
    yield s(s.randn(2, 3, 2), 4, 0, gradient=False)
    yield s(np.array([2.5, -1.5, 7.0, 0.5], np.float32), 4, 0, gradient=False)
    yield s(np.array([2.5, -1.5, 7.0, 0.5], np.float32), 4, gradient=False)
    yield s(s.zeros(3), gradient=False)
    yield s(s.randn(5, dtype="float64"), gradient=False)
    yield s.bad(ArgumentError, "bit_length must be between 2 and 16", s.randn(3), 1)
    yield s.bad(ArgumentError, "round_type must be 0", s.randn(3), 8, 2)
    yield s.bad(DTypeError, "floating", s.ints(0, 3, 2))
    yield s.bad(ShapeError, "no elements", s.zeros(0))


@op(
    amp="full",
    desc=Desc(
        "fake_channel_wise_quantize_abs_max",
        {"X": "x"},
        ("Out", "OutScale"),
        {**ROUNDING, "quant_axis": "quant_axis"},
        write=lambda attrs, specs: {"is_test": False},
        read=lambda slots, attrs: _read_channels(slots, attrs),
    ),
)
def fake_channel_wise_quantize_abs_max(
    x: Tensor, bit_length: int = 8, quant_axis: int = 0, round_type: int = 1
) -> tuple[Tensor, Tensor]:
    """x as whole numbers of few bits, with a scale for each index along `quant_axis`.

    x: [*], floating. Returns [*], dtype of x, and the largest magnitudes, [C]. Otherwise as
    `fake_quantize_abs_max`; raises AxisError as well.
    """
    limit = limit_of(bit_length)
    check(x, round_type)
    scale = largest_along(x, quant_axis)
    found = integers(x, along(scale, x, quant_axis), limit, round_type)
    return astype(found, x.dtype), scale


@fake_channel_wise_quantize_abs_max.grad
def _(gs, outs, bit_length, quant_axis):
    scale = along(outs[1], outs[0], quant_axis)
    return astype(gs[0] * slope(scale, limit_of(bit_length)), outs[0].dtype)


@fake_channel_wise_quantize_abs_max.samples
def _(s):
    yield s(s.randn(3, 4), gradient=False)
    yield s(s.randn(2, 3, 2, 2), 8, 1, gradient=False)
    yield s(s.randn(3, 4), 4, 1, 0, gradient=False)
    yield s(s.randn(3), gradient=False)
    yield s.bad(AxisError, "quant_axis must be", s.randn(3), 8, 1)
    yield s.bad(ArgumentError, "bit_length must be between 2 and 16", s.randn(3), 17)


def _read_channels(slots: dict[str, list[Any]], attrs: dict[str, Any]) -> tuple[Tensor, Tensor]:
    """A scale that is given instead of found stands in the slot InScale."""
    (x,) = slots["X"]
    bits, axis = attrs.get("bit_length", 8), attrs.get("quant_axis", 0)
    round_type = attrs.get("round_type", 1)
    if not attrs.get("is_test", False) or "InScale" not in slots:
        return fake_channel_wise_quantize_abs_max(x, bits, axis, round_type)
    (scale,) = slots["InScale"]
    found = integers(x, along(scale, x, axis), limit_of(bits), round_type)
    return astype(found, x.dtype), scale
