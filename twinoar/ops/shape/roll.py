"""Elements moved along an axis: flip and roll."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from twinoar.core.op.declare import Desc, Spec, Tensor, function, loop, normalize_axis, primitive
from twinoar.errors import ArgumentError, AxisError
from twinoar.ops._sizes import sizes


def _checked(x: Spec, axis: tuple[int, ...]) -> Spec:
    for a in axis:
        normalize_axis(a, x.ndim)
    return x


@primitive(
    name="flip",
    infer=lambda x, axis: _checked(x, axis),
    kernel=lambda x, axis: np.flip(x, axis),
    lower=lambda i, x, axis: _flipped(i, x, axis),
    grad=lambda g, axis: flip_op(g, axis),
    desc=Desc("flip", {"X": "x"}, attrs={"axis": "axis"}),
    moves=True,
)
def flip_op(x: Tensor, axis: tuple[int, ...]) -> Tensor:
    """x backwards along the axes in `axis`. See `flip`."""


def _flipped(i: Any, x: Any, axis: tuple[int, ...]) -> Any:
    index = list(i)
    for a in axis:
        index[a] = x.shape[a] - 1 - index[a]
    return x[tuple(index)]


@flip_op.samples
def _(s):
    yield s(s.randn(2, 3), (0,))
    yield s(s.randn(2, 3), (0, -1))
    yield s(s.randn(2), ())
    yield s(s.zeros(0, 2), (1,))
    yield s(s.ints(0, 9, 3), (0,))
    yield s.bad(AxisError, "axis must be", s.randn(2), (1,))


@function(method=True)
def flip(x: Tensor, axis: Any) -> Tensor:
    """x backwards along one or several axes. Raises AxisError.

    >>> twinoar.flip(twinoar.to_tensor([1, 2, 3]), 0).tolist()
    [3, 2, 1]
    """
    return flip_op.function(x, sizes(axis, "axis"))


def _rolled(x: Spec, shifts: tuple[int, ...], axis: tuple[int, ...]) -> Spec:
    _check_length(shifts, axis)
    return _checked(x, axis)


def _check_length(shifts: tuple[int, ...], axis: tuple[int, ...]) -> None:
    if len(shifts) != (len(axis) or 1):
        raise ArgumentError(f"shifts {list(shifts)} and axis {list(axis)} must be equally long")


@primitive(
    name="roll",
    infer=_rolled,
    grad=lambda g, shifts, axis: roll_op(g, tuple(-s for s in shifts), axis),
    desc=Desc(
        "roll",
        {"X": "x"},
        write=lambda attrs, specs: {
            "shifts": ("LONGS", list(attrs["shifts"])),
            "axis": ("LONGS", list(attrs["axis"])),
        },
        read=lambda slots, attrs: roll(
            slots["X"][0],
            (slots.get("ShiftsTensor") or [attrs["shifts"]])[0],
            attrs["axis"] or None,
        ),
    ),
    moves=True,
)
def roll_op(x: Tensor, shifts: tuple[int, ...], axis: tuple[int, ...] = ()) -> Tensor:
    """x moved around by `shifts` along `axis`, or as a whole without axes. See `roll`."""


@roll_op.kernel
def _(x, shifts, axis):
    _check_length(shifts, axis)
    if not axis:
        return np.roll(x.reshape(-1), shifts[0]).reshape(x.shape)
    return np.roll(x, shifts, axis)


@roll_op.lower
def _(i, x, shifts, axis):
    if not axis:
        moved = loop.flatten(i, x.shape) - shifts[0]
        return x[loop.unflatten(loop.mod(moved, math.prod(x.shape)), x.shape)]
    index = list(i)
    for shift, a in zip(shifts, axis, strict=True):
        index[a] = loop.mod(index[a] - shift, x.shape[a])
    return x[tuple(index)]


@roll_op.samples
def _(s):
    yield s(s.randn(2, 3), (1,), (1,))
    yield s(s.randn(2, 3), (-4, 1), (-1, 0))
    yield s(s.randn(2, 3), (2,))
    yield s(s.zeros(0), (1,), (0,))
    yield s.bad(ArgumentError, "equally long", s.randn(2), (1, 2), (0,))
    yield s.bad(AxisError, "axis must be", s.randn(2), (1,), (1,))


@function(method=True)
def roll(x: Tensor, shifts: Any, axis: Any = None) -> Tensor:
    """x moved by `shifts` along `axis`; what leaves at the end comes in at the start.

    Without an axis, x is rolled in the order of its elements. Raises AxisError, ArgumentError.

    >>> twinoar.roll(twinoar.to_tensor([1, 2, 3]), 1).tolist()
    [3, 1, 2]
    """
    along = () if axis is None else sizes(axis, "axis")
    return roll_op.function(x, sizes(shifts, "shifts"), along)
