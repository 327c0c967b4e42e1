"""Quantization by a scale that follows the data: averages, and the largest of a window.

The states are operands, and their new values are results; with `is_test` there are none, and the
scale is taken as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from twinoar.core.op.declare import Desc, Tensor, op
from twinoar.errors import ArgumentError, ShapeError, UnsupportedError
from twinoar.ops.create.range import iota
from twinoar.ops.math.arithmetic import remainder
from twinoar.ops.math.cast import astype
from twinoar.ops.math.compare import equal, less_than
from twinoar.ops.math.logical import logical_and
from twinoar.ops.math.select import select
from twinoar.ops.math.sign import abs as magnitude
from twinoar.ops.quant._integers import (
    ROUNDING,
    check,
    integers,
    largest,
    limit_of,
    moved,
    slope,
)
from twinoar.ops.quant.quantize_dequantize import rounded
from twinoar.ops.reduce.extreme import max_op
from twinoar.ops.reduce.reduction import sum_op
from twinoar.ops.shape.reshape import reshape

AVERAGE_SLOTS = {"X": "x", "InScale": "scale", "InAccum": "accum", "InState": "state"}
AVERAGE_RESULTS = ("Out", "OutScale", "OutState", "OutAccum")
SAME_SCALE = 1e-6  # nearer than this the scale that left the window was its largest


def _reading(find: Callable[[], Any], *names: str) -> Callable[..., tuple[Any, ...]]:
    """A `read` rule; where nothing moves, the scale that comes out is the one that goes in."""

    def read(slots: dict[str, list[Any]], attrs: dict[str, Any]) -> tuple[Any, ...]:
        operator = find()
        known = {n: attrs[n] for n in (*names, "is_test") if n in attrs}
        slot_of = {name: slot for slot, name in operator.rules["desc"].inputs.items()}
        given = [(slots.get(slot_of[o.name]) or [None])[0] for o in operator.operands]
        found = operator(*given, **known)
        if not attrs.get("is_test", False):
            return found
        return found, (slots.get("InScale") or [None])[0], None, None

    return read


# Paddle wants the slot of the new scale even where there is none.
_average_desc = partial(
    Desc, inputs=AVERAGE_SLOTS, outputs=AVERAGE_RESULTS, extra_outputs=("OutScale",)
)
_average_attrs = {**ROUNDING, "moving_rate": "moving_rate", "is_test": "is_test"}


@op(
    amp="full",
    desc=_average_desc(
        "fake_quantize_moving_average_abs_max",
        attrs=_average_attrs,
        read=_reading(lambda: fake_quantize_moving_average_abs_max, *ROUNDING, "moving_rate"),
    ),
)
def fake_quantize_moving_average_abs_max(
    x: Tensor,
    scale: Tensor,
    accum: Tensor | None = None,
    state: Tensor | None = None,
    moving_rate: float = 0.9,
    bit_length: int = 8,
    round_type: int = 1,
    is_test: bool = False,
) -> Tensor | tuple[Tensor, ...]:
    """x as whole numbers of few bits, by a moving average of largest magnitudes.

    x: [*], floating. scale, accum, state: [1]; accum becomes accum * moving_rate + max |x|, state
    becomes state * moving_rate + 1, and their ratio the scale. Returns [*], and the new scale,
    state and accum; with is_test [*] alone, by `scale`. The gradient is that without rounding and
    bounds, with the scale as a constant. Raises ArgumentError, DTypeError.

    >>> from twinoar.ops.quant.moving_average import fake_quantize_moving_average_abs_max
    >>> one = twinoar.ones([1])
    >>> x = twinoar.to_tensor([1.0, -2.0])
    >>> fake_quantize_moving_average_abs_max(x, one, one, one, 0.5)[1].tolist()
    [1.6666666269302368]
    """
    limit = limit_of(bit_length)
    check(x, round_type)
    if is_test:
        return astype(integers(x, scale, limit, round_type), x.dtype)
    new, state, accum = moved(x, accum, state, moving_rate)
    return astype(integers(x, new, limit, round_type), x.dtype), new, state, accum


@fake_quantize_moving_average_abs_max.grad
def _(gs, outs, scale, bit_length, is_test):
    used = scale if is_test else outs[1]
    dx = astype(gs[0] * slope(used, limit_of(bit_length)), outs[0].dtype)
    return dx, None, None, None


@op(
    amp="full",
    desc=_average_desc(
        "fake_quantize_dequantize_moving_average_abs_max",
        attrs=_average_attrs,
        read=_reading(
            lambda: fake_quantize_dequantize_moving_average_abs_max, *ROUNDING, "moving_rate"
        ),
    ),
    grad=lambda gs: (gs[0], None, None, None),
)
def fake_quantize_dequantize_moving_average_abs_max(
    x: Tensor,
    scale: Tensor,
    accum: Tensor | None = None,
    state: Tensor | None = None,
    moving_rate: float = 0.9,
    bit_length: int = 8,
    round_type: int = 1,
    is_test: bool = False,
) -> Tensor | tuple[Tensor, ...]:
    """The nearest values to x of few bits, by a moving average of largest magnitudes.

    As `fake_quantize_moving_average_abs_max`, made floats again. The gradient passes as it is.
    """
    if is_test:
        return rounded(x, scale, bit_length, round_type)
    check(x, round_type)
    new, state, accum = moved(x, accum, state, moving_rate)
    return rounded(x, new, bit_length, round_type), new, state, accum


def _average_samples(s):
    one = s.uniform(1, 2, 1)
    yield s(s.randn(3, 4), one, s.uniform(1, 2, 1), s.uniform(1, 2, 1), gradient=False)
    yield s(s.randn(3, 4), one, one, one, 0.5, 4, 0, gradient=False)
    yield s(s.randn(3, 4) * 2, one, is_test=True, gradient=False)
    yield s(s.randn(3, 4) * 2, one, is_test=True, round_type=0, bit_length=4, gradient=False)
    yield s.bad(ArgumentError, "sum and the count of a moving average", s.randn(3), one)
    yield s.bad(ArgumentError, "bit_length must be", s.randn(3), one, one, one, bit_length=1)


fake_quantize_moving_average_abs_max.samples(_average_samples)
fake_quantize_dequantize_moving_average_abs_max.samples(_average_samples)


@op(
    amp="full",
    desc=Desc(
        "moving_average_abs_max_scale",
        {"X": "x", "InAccum": "accum", "InState": "state"},
        AVERAGE_RESULTS,
        {"moving_rate": "moving_rate", "is_test": "is_test"},
        extra_outputs=("OutScale",),
        read=_reading(lambda: moving_average_abs_max_scale, "moving_rate"),
    ),
    grad=lambda gs: (gs[0], None, None),
)
def moving_average_abs_max_scale(
    x: Tensor,
    accum: Tensor | None = None,
    state: Tensor | None = None,
    moving_rate: float = 0.9,
    is_test: bool = False,
) -> Tensor | tuple[Tensor, ...]:
    """x as it is, and the moving average of its largest magnitudes.

    As `fake_quantize_moving_average_abs_max`, without rounding. Returns [*], and the new scale,
    state and accum; with is_test [*] alone. Raises ArgumentError.

    >>> from twinoar.ops.quant.moving_average import moving_average_abs_max_scale
    >>> zero = twinoar.zeros([1])
    >>> moving_average_abs_max_scale(twinoar.to_tensor([1.0, -2.0]), zero, zero)[1].tolist()
    [2.0]
    """
    return x if is_test else (x, *moved(x, accum, state, moving_rate))


@moving_average_abs_max_scale.samples
def _(s):
    yield s(s.randn(3, 4), s.uniform(1, 2, 1), s.uniform(1, 2, 1), gradient=False)
    yield s(s.randn(3, 4), is_test=True, gradient=False)
    yield s.bad(ArgumentError, "sum and the count of a moving average", s.randn(3))


def _read_range(slots: dict[str, list[Any]], attrs: dict[str, Any]) -> tuple[Any, ...]:
    if not attrs.get("is_test", False) and "InScales" not in slots:
        raise UnsupportedError(
            "the window of scales that the operator reads is not among its inputs",
            cure='give the variable of OutScales as the input "InScales", too',
        )
    return _reading(lambda: fake_quantize_range_abs_max, *ROUNDING, "window_size")(slots, attrs)


@op(
    amp="full",
    desc=Desc(
        "fake_quantize_range_abs_max",
        {"X": "x", "InScale": "scale", "Iter": "step", "InScales": "scales"},
        ("Out", "OutScale", "OutScales"),
        {**ROUNDING, "window_size": "window_size", "is_test": "is_test"},
        extra_outputs=("OutScale",),
        read=_read_range,
    ),
)
def fake_quantize_range_abs_max(
    x: Tensor,
    scale: Tensor,
    step: Tensor | None = None,
    scales: Tensor | None = None,
    window_size: int = 10000,
    bit_length: int = 8,
    round_type: int = 1,
    is_test: bool = False,
) -> Tensor | tuple[Tensor, ...]:
    """x as whole numbers of few bits, by the largest magnitude of the last `window_size` calls.

    x: [*], floating. scale: [1], the one before. step: [1], integer, how many calls there were.
    scales: [window_size], the magnitudes of each. Returns [*], and the new scale and scales; with
    is_test [*] alone, by `scale`. The gradient is that without rounding and bounds, with the scale
    as a constant. Raises ArgumentError, DTypeError, ShapeError.
    """
    limit = limit_of(bit_length)
    check(x, round_type)
    if is_test:
        return astype(integers(x, scale, limit, round_type), x.dtype)
    if step is None or scales is None:
        raise ArgumentError(
            "the step and the scales of the window are missing",
            cure="pass both, or set is_test to take the scale as it is",
        )
    if scales.spec.shape != (window_size,):
        raise ShapeError(f"scales must be [{window_size}], received {scales.spec}")
    new, filled = _in_window(largest(x), scale, step, scales, window_size)
    return astype(integers(x, new, limit, round_type), x.dtype), new, filled


def _in_window(
    now: Tensor, before: Tensor, step: Tensor, scales: Tensor, size: int
) -> tuple[Tensor, Tensor]:
    """The largest of the window, which is looked for only where the largest before has left it."""
    places = astype(iota(size), step.dtype)
    here = equal(places, remainder(step, size))
    left = reshape(sum_op(select(here, scales, 0.0)), (1,))
    filled = select(here, now, scales)
    seen = select(less_than(places, step), filled, 0.0)
    again = less_than(magnitude(left - before), SAME_SCALE)
    is_larger = less_than(before, now)
    searched = reshape(max_op(seen), (1,))
    kept = select(logical_and(again, less_than(0, step)), searched, before)
    return select(is_larger, now, kept), filled


@fake_quantize_range_abs_max.grad
def _(gs, outs, scale, bit_length, is_test):
    used = scale if is_test else outs[1]
    dx = astype(gs[0] * slope(used, limit_of(bit_length)), outs[0].dtype)
    return dx, None, None, None


@fake_quantize_range_abs_max.samples
def _(s):
    def window(step, *scales):
        return np.array([step]), np.array(scales, np.float32), len(scales)

    last = np.array([3.0], np.float32)
    x = np.array([0.5, -1.0, 0.26], np.float32)
    yield s(x, last, *window(0, 0.0, 0.0, 0.0), gradient=False)
    yield s(x, last, *window(4, 2.0, 3.0, 2.5), gradient=False)
    yield s(x * 4, last, *window(2, 2.0, 3.0, 0.0), gradient=False)
    yield s(x, last, is_test=True, gradient=False)
    yield s.bad(ArgumentError, "step and the scales of the window", x, last)
    yield s.bad(ShapeError, "scales must be [2]", x, last, *window(0, 1.0)[:2], 2)
