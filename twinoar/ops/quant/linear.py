"""Quantizing and dequantizing by scales that are states: what converted networks hold."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.core.op.declare import Desc, Tensor, op
from twinoar.errors import ArgumentError, DTypeError, ShapeError
from twinoar.ops.math.cast import astype
from twinoar.ops.math.exponential import log2
from twinoar.ops.math.rounding import floor, round_op
from twinoar.ops.math.select import clip_op, maximum
from twinoar.ops.math.sign import abs as magnitude
from twinoar.ops.quant._integers import (
    ROUNDING,
    TO_EVEN,
    along,
    check,
    integers,
    largest_along,
    limit_of,
    moved,
    slope,
)
from twinoar.ops.window._geometry import widened

SLOTS = {"X": "x", "Scale": "scale", "ZeroPoint": "zero_point"}
STATES = {"InAccum": "accum", "InState": "state"}
AVERAGE_RESULTS = ("Y", "OutScale", "OutState", "OutAccum")
ALL = -1  # the axis that stands for one scale for all elements
FLOAT8 = {"e4m3": 448, "e5m2": 57344}  # the largest of each
# Bounds that say: values become floats of 8 bits. Bits of the mantissa, the least exponent.
FLOAT8_OF = {448: (3, -6), 57344: (2, -14)}


def _read_in_training(slots: dict[str, list[Any]], attrs: dict[str, Any]) -> tuple[Any, ...]:
    operands = [slots[slot][0] for slot in SLOTS]
    states = [(slots.get(slot) or [None])[0] for slot in STATES]
    given = {name: attrs[name] for name in (*_names, "moving_rate") if name in attrs}
    found = quantize_linear_in_training(*operands, *states, **given)
    return (*found, None, None)[: len(AVERAGE_RESULTS)]


# Bounds stand in a file only where they are given: Paddle 2.6 does not know them.
_bounds = {name: (name, lambda bound: bound or None, int) for name in ("qmin", "qmax")}
_names = {**ROUNDING, "quant_axis": "quant_axis", "only_observer": "only_observer"}


@op(
    amp="full",
    desc=Desc(
        "quantize_linear",
        SLOTS,
        ("Y",),
        {**_names, **_bounds},
        fixed={"is_test": True},
    ),
)
def quantize_linear(
    x: Tensor,
    scale: Tensor,
    zero_point: Tensor,
    quant_axis: int = -1,
    bit_length: int = 8,
    qmin: int = 0,
    qmax: int = 0,
    round_type: int = 0,
    only_observer: bool = False,
) -> Tensor:
    """x as whole numbers of few bits, by given scales.

    x: [*], floating. scale: one element for all of x where quant_axis is -1, else [C] for each
    index along it. zero_point: read by none, the integer for 0 is 0. qmax: the integer that stands
    for the scale, 0 for 2^(bit_length - 1) - 1; -448 and 448 round to
    floats of 8 bits, e4m3, and -57344 and 57344 to e5m2.
    only_observer: leave x as it is. Returns [*], dtype of x. The gradient is that without rounding
    and bounds, with the scale as a constant. Raises ArgumentError, AxisError, DTypeError,
    ShapeError.

    >>> from twinoar.ops.quant.linear import quantize_linear
    >>> x = twinoar.to_tensor([0.5, -1.0, 4.0])
    >>> quantize_linear(x, twinoar.to_tensor(2.0), twinoar.zeros([])).tolist()
    [32.0, -64.0, 127.0]
    """
    check(x, round_type)
    limit = _limit(bit_length, qmax)
    if only_observer:
        return x
    shown = _shown(scale, x, quant_axis)
    if qmax in FLOAT8_OF and qmin == -qmax:
        inside = clip_op(widened(x) * slope(shown, limit), float(qmin), float(qmax))
        return astype(_as_float8(inside, *FLOAT8_OF[qmax]), x.dtype)
    return astype(integers(x, shown, limit, round_type), x.dtype)


@quantize_linear.grad
def _(g, specs, x, scale, quant_axis, bit_length, qmax, only_observer):
    if only_observer:
        return g, None, None
    factor = slope(_shown(scale, x, quant_axis), _limit(bit_length, qmax))
    return astype(g * factor, specs[0].dtype), None, None


@quantize_linear.samples
def _(s):
    one, none = s.uniform(1, 2, 1), s.zeros(1)
    yield s(s.randn(3, 4), one, none, gradient=False)
    yield s(s.randn(3, 4), one, none, round_type=1, gradient=False)
    yield s(s.randn(2, 3, 4), s.uniform(1, 2, 2), s.zeros(2), 0, 4, gradient=False)
    yield s(s.randn(2, 3), s.uniform(1, 2, 3), s.zeros(3), 1, gradient=False)
    yield s(s.randn(3), one, none, only_observer=True, gradient=False)
    yield s(np.array([0.5, 1.5, 300.0, -300.0], "float32"), one * 0 + 127, none, gradient=False)
    yield s(s.randn(3, 4), one, none, qmin=-448, qmax=448, gradient=False, half=False)
    yield s(s.randn(3, 4), one, none, qmin=-57344, qmax=57344, gradient=False, half=False)
    yield s.bad(ArgumentError, "bit_length must be", s.randn(3), one, none, bit_length=1)
    yield s.bad(ShapeError, "one scale for each of 3", s.randn(3), s.randn(2), s.zeros(2), 0)
    yield s.bad(ShapeError, "one element", s.randn(3), s.randn(3), none)
    yield s.bad(DTypeError, "floating", s.ints(0, 3, 2), one, none)


@op(
    amp="full",
    desc=Desc(
        "quantize_linear",
        {**SLOTS, **STATES},
        AVERAGE_RESULTS,
        {**_names, "moving_rate": "moving_rate"},
        fixed={"is_test": False},
        read=_read_in_training,
    ),
)
def quantize_linear_in_training(
    x: Tensor,
    scale: Tensor,
    zero_point: Tensor,
    accum: Tensor | None = None,
    state: Tensor | None = None,
    quant_axis: int = -1,
    bit_length: int = 8,
    round_type: int = 0,
    only_observer: bool = False,
    moving_rate: float = 0.9,
) -> tuple[Tensor, ...]:
    """`quantize_linear` by scales that follow the data, and the new scales.

    x: [*], floating. accum, state: [1], of the moving average of largest magnitudes where
    quant_axis is -1; along an axis the scales are the largest magnitudes of x itself. Returns [*]
    and the new scale, and of a moving average state and accum. Raises ArgumentError, AxisError,
    DTypeError.
    """
    check(x, round_type)
    limit_of(bit_length)
    states: tuple[Tensor, ...] = (
        moved(x, accum, state, moving_rate)
        if quant_axis == ALL
        else (largest_along(x, quant_axis),)
    )
    given = (bit_length, 0, 0, round_type, only_observer)
    return quantize_linear(x, states[0], zero_point, quant_axis, *given), *states


@quantize_linear_in_training.grad
def _(gs, x, outs, quant_axis, bit_length, only_observer):
    nothing = (None, None, None, None)
    if only_observer:
        return gs[0], *nothing
    factor = slope(_shown(outs[1], x, quant_axis), limit_of(bit_length))
    return astype(gs[0] * factor, outs[0].dtype), *nothing


@quantize_linear_in_training.samples
def _(s):
    one, none = s.uniform(1, 2, 1), s.zeros(1)
    yield s(s.randn(3, 4), one, none, one, one, gradient=False)
    yield s(s.randn(3, 4), one, none, one, one, only_observer=True, gradient=False)
    yield s(s.randn(3, 4), s.uniform(1, 2, 3), s.zeros(3), None, None, 0, gradient=False)
    yield s.bad(ArgumentError, "sum and the count of a moving average", s.randn(3), one, none)


@op(
    amp="full",
    desc=Desc(
        "dequantize_linear",
        SLOTS,
        ("Y",),
        {**{n: n for n in ("bit_length", "quant_axis", "only_observer")}, **_bounds},
        write=lambda attrs, specs: {"is_test": True, "round_type": TO_EVEN},
    ),
)
def dequantize_linear(
    x: Tensor,
    scale: Tensor,
    zero_point: Tensor,
    quant_axis: int = -1,
    bit_length: int = 8,
    qmin: int = 0,
    qmax: int = 0,
    only_observer: bool = False,
) -> Tensor:
    """Integers as floats: x * scale / qmax.

    x: [*], int8 or what `quantize_linear` returned. scale, zero_point, quant_axis, bit_length,
    qmin, qmax, only_observer: what that was given. Returns [*], dtype of x, of scale where x holds
    integers. Raises ArgumentError, AxisError, ShapeError.

    >>> from twinoar.ops.quant.linear import dequantize_linear
    >>> x = twinoar.to_tensor([127, -64], dtype="int8")
    >>> dequantize_linear(x, twinoar.to_tensor(2.0), twinoar.zeros([])).tolist()
    [2.0, -1.0078740119934082]
    """
    limit = _limit(bit_length, qmax)
    if only_observer:
        return x
    wide = x if x.dtype.is_floating else astype(x, scale.dtype)
    return astype(wide * _shown(scale, x, quant_axis) / limit, wide.dtype)


@dequantize_linear.samples
def _(s):
    one, none = s.uniform(1, 2, 1), s.zeros(1)
    yield s(s.randn(3, 4), one, none, gradient=False)
    yield s(s.ints(-127, 127, 3, 4, dtype="int8"), one, none, gradient=False)
    yield s(s.randn(2, 3, 4), s.uniform(1, 2, 2), s.zeros(2), 0, 4, gradient=False)
    yield s(s.ints(-7, 7, 2, 3, dtype="int8"), s.uniform(1, 2, 3), s.zeros(3), 1, gradient=False)
    yield s(s.randn(3), one, none, only_observer=True, gradient=False)
    yield s.bad(ArgumentError, "bit_length must be", s.randn(3), one, none, bit_length=1)
    yield s.bad(ShapeError, "one scale for each of 3", s.randn(3), s.randn(2), s.zeros(2), 0)


def _limit(bit_length: int, qmax: int) -> int:
    if qmax < 0:
        raise ArgumentError(f"qmax must be positive, or 0 for that of the bits, received {qmax}")
    return qmax or limit_of(bit_length)


def _as_float8(x: Tensor, mantissa: int, least: int) -> Tensor:
    """x with as many bits as a small float has, halves to even."""
    exponent = maximum(floor(log2(magnitude(x))), float(least))
    step = 2.0 ** (exponent - float(mantissa))
    return round_op(x / step) * step


def _shown(scale: Tensor, x: Tensor, quant_axis: int) -> Tensor:
    """The scale in a shape that broadcasts with x."""
    if quant_axis != ALL:
        return along(scale, x, quant_axis)
    if scale.spec.shape not in ((), (1,)):
        raise ShapeError(
            f"one scale for all must hold one element, received {scale.spec}",
            cure="give the axis whose indices have scales of their own as quant_axis",
        )
    return scale
