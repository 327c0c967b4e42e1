"""Borders added to a tensor: constant, reflected, repeated or wrapped around."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from twinoar.core.dim import is_known
from twinoar.core.dtype import BY_NUMPY
from twinoar.core.op.declare import Desc, Spec, Tensor, function, loop, op, primitive
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops._sizes import sizes
from twinoar.ops.math.cast import as_element, broadcast_to
from twinoar.ops.shape.concat import concat_op
from twinoar.ops.shape.roll import flip_op
from twinoar.ops.shape.slice import END, slice_op

Pairs = list[tuple[int, int]]
CHANNELS_LAST = ("NLC", "NHWC", "NDHWC")


def _pairs(paddings: Sequence[int]) -> Pairs:
    return list(zip(paddings[::2], paddings[1::2], strict=True))


def _padded(x: Spec, paddings: tuple[int, ...], value: float = 0.0) -> Spec:
    if len(paddings) != 2 * x.ndim:
        raise ArgumentError(
            f"paddings must hold two numbers for each of {x.ndim} axes, received {list(paddings)}"
        )
    shape = tuple(n + a + b for n, (a, b) in zip(x.shape, _pairs(paddings), strict=True))
    if any(isinstance(d, int) and d < 0 for d in shape):
        raise ShapeError(
            f"paddings {list(paddings)} leave a negative size of x of shape {list(x.shape)}"
        )
    return Spec(shape, x.dtype)


def _read_pad(slots: dict[str, list[Any]], attrs: dict[str, Any]) -> Any:
    """Paddle's pad (all axes, first first), pad2d and pad3d (inner axes, last first)."""
    x = slots["X"][0]
    paddings: list[Any] = list(sizes((slots.get("Paddings") or [attrs["paddings"]])[0]))
    if "mode" not in attrs:
        return pad_constant(x, tuple(paddings), attrs["pad_value"])
    mode = {"edge": "replicate"}.get(attrs["mode"], attrs["mode"])
    if len(paddings) == 4:  # pad2d: top, bottom, left, right
        paddings = paddings[2:] + paddings[:2]
    value = attrs["value"] if "value" in attrs else attrs["pad_value"]
    return _pad_inner(x, paddings, mode, value, attrs["data_format"])


@primitive(
    infer=_padded,
    desc=Desc(
        "pad",
        {"X": "x"},
        attrs={"paddings": "paddings", "pad_value": "value"},
        read=_read_pad,
        reads=("pad2d", "pad3d"),
    ),
    moves=True,
    grad=lambda g, paddings: pad_constant(g, tuple(-p for p in paddings)),
)
def pad_constant(x: Tensor, paddings: tuple[int, ...], value: float = 0.0) -> Tensor:
    """x with borders of `value`; paddings: before, after for each axis, negative ones cut.

    See `pad`.
    """


@pad_constant.kernel
def _(x, paddings, value):
    pairs = _pairs(paddings)
    sizes = [n + a + b for n, (a, b) in zip(x.shape, pairs, strict=True)]
    out = np.full(sizes, as_element(value, BY_NUMPY[x.dtype]), x.dtype)
    target = tuple(
        slice(max(a, 0), m - max(b, 0)) for (a, b), m in zip(pairs, out.shape, strict=True)
    )
    source = tuple(
        slice(max(-a, 0), n - max(-b, 0)) for (a, b), n in zip(pairs, x.shape, strict=True)
    )
    out[target] = x[source]
    return out


@pad_constant.lower
def _(i, x, paddings, value):
    return x.padded([k - a for k, (a, _) in zip(i, _pairs(paddings), strict=True)], value)


@pad_constant.samples
def _(s):
    yield s(s.randn(2, 3), (1, 0, 0, 2))
    yield s(s.randn(2, 3), (1, 1, 2, 0), 1.5)
    yield s(s.randn(4), (-1, 2))
    yield s(s.randn(), ())
    yield s(s.zeros(0, 1), (1, 1, 0, 0))
    yield s(s.ints(0, 9, 2), (1, 1), 3.0)
    yield s.bad(ArgumentError, "two numbers for each of 2 axes", s.randn(2, 3), (1, 1))
    yield s.bad(ShapeError, "negative size", s.randn(2), (-2, -1))


def _border_spec(x: Spec, paddings: tuple[int, ...], mode: str) -> Spec:
    padded = _padded(x, paddings)
    for axis, (n, pair) in enumerate(zip(x.shape, _pairs(paddings), strict=True)):
        _check_border(n, axis, *pair, mode)
    return padded


@op(slow_kernel=True, infer=_border_spec)
def pad_border(
    x: Tensor, paddings: tuple[int, ...], mode: Literal["reflect", "replicate", "circular"]
) -> Tensor:
    """x with borders taken from x itself; paddings: before, after for each axis. See `pad`."""
    for axis, (before, after) in enumerate(_pairs(paddings)):
        if before or after:
            x = _bordered(x, axis, before, after, mode)
    return x


@pad_border.kernel
def _(x, paddings, mode):
    pairs = _pairs(paddings)
    for axis, (n, pair) in enumerate(zip(x.shape, pairs, strict=True)):
        _check_border(n, axis, *pair, mode)
    return np.pad(x, pairs, {"replicate": "edge", "circular": "wrap"}.get(mode, mode))


@pad_border.lower
def _(i, x, paddings, mode):
    index = [k - a for k, (a, _) in zip(i, _pairs(paddings), strict=True)]
    return x[tuple(_inside(k, n, mode) for k, n in zip(index, x.shape, strict=True))]


def _inside(k: Any, n: int, mode: str) -> Any:
    """The position that position k, which may lie outside of an axis of size n, takes its from."""
    if mode == "circular":
        return loop.mod(k, n)
    if mode == "replicate":
        return loop.clamped(k, n)
    return loop.min(loop.max(k, -k), 2 * (n - 1) - k)


def _check_border(n: Any, axis: int, before: int, after: int, mode: str) -> None:
    limit = {"reflect": n - 1, "circular": n, "replicate": END if n else 0}[mode]
    if before < 0 or after < 0 or (is_known(limit) and max(before, after) > limit):
        raise ArgumentError(
            f"a {mode} border of ({before}, {after}) does not fit axis {axis} of size {n}",
            cure=f"use at least 0 and at most {limit}",
        )


def _bordered(x: Tensor, axis: int, before: int, after: int, mode: str) -> Tensor:
    """x between two borders along one axis."""

    def part(start: int, end: int) -> Tensor:
        return slice_op(x, (axis,), (start,), (end,))

    if mode == "circular":
        left, right = part(-before, END), part(0, after)
    elif mode == "reflect":
        left = flip_op(part(1, before + 1), (axis,))
        right = flip_op(part(-after - 1, -1), (axis,))
    else:
        left, right = (
            broadcast_to(edge, (*x.spec.shape[:axis], count, *x.spec.shape[axis + 1 :]))
            for edge, count in ((part(0, 1), before), (part(-1, END), after))
        )
    parts = [left] * (before > 0) + [x] + [right] * (after > 0)
    return concat_op(parts, axis)


@pad_border.samples
def _(s):
    for mode in ("reflect", "replicate", "circular"):
        yield s(s.randn(2, 4), (0, 0, 2, 1), mode)
        yield s(s.randn(3, 2, 4), (0, 2, 0, 0, 3, 0), mode)
    yield s(s.randn(2), (0, 0), "reflect")
    yield s.bad(ArgumentError, "does not fit axis 0 of size 2", s.randn(2), (2, 0), "reflect")
    yield s.bad(ArgumentError, "does not fit axis 0 of size 2", s.randn(2), (0, 3), "circular")


@function(method=True)
def pad(
    x: Tensor,
    pad: Any,
    mode: str = "constant",
    value: float = 0.0,
    data_format: str | None = None,
    pad_from_left_axis: bool = True,
) -> Tensor:
    """x with borders.

    pad: with mode "constant" and two numbers for each axis, (before, after) for the first axis
    first (last first where not pad_from_left_axis). Otherwise the numbers are for the axes that are
    neither batch nor channels, the last first: (left, right, top, bottom, front, back). One number
    stands for all of those. mode: "constant", "reflect", "replicate" or "circular". data_format:
    where the channels are, such as "NCHW" or "NHWC". Raises ArgumentError, ShapeError.

    >>> twinoar.nn.functional.pad(twinoar.ones([1, 1, 2]), [1, 0]).tolist()
    [[[0.0, 1.0, 1.0]]]
    """
    if mode not in ("constant", "reflect", "replicate", "circular"):
        raise ArgumentError(
            f"mode must be constant, reflect, replicate or circular, received {mode!r}",
            cure="the usual one is 'constant'",
        )
    given = (pad,) * (2 * (x.ndim - 2)) if isinstance(pad, int) else sizes(pad, "pad")
    paddings: list[Any] = list(given)
    if mode == "constant" and len(paddings) == 2 * x.ndim:
        ordered = paddings if pad_from_left_axis else _last_first(paddings)
        return pad_constant(x, tuple(ordered), value)
    return _pad_inner(x, paddings, mode, value, data_format or "")


@function
def zeropad2d(x: Tensor, padding: Any, data_format: str = "NCHW") -> Tensor:
    """Images with zeros around them.

    x: [N,C,H,W], or with channels last. padding: [left, right, top, bottom], or a tensor of these.
    Raises ArgumentError, ShapeError.

    >>> twinoar.nn.functional.zeropad2d(twinoar.ones([1, 1, 1, 1]), [1, 0, 0, 0]).tolist()
    [[[[0.0, 1.0]]]]
    """
    return pad(x, padding, mode="constant", value=0.0, data_format=data_format)


def _last_first(paddings: Sequence[int]) -> list[int]:
    return [p for pair in reversed(_pairs(paddings)) for p in pair]


def _pad_inner(x: Tensor, paddings: list[int], mode: str, value: float, data_format: str) -> Tensor:
    """Pad the axes that are neither batch nor channels, the last first."""
    after = 2 if data_format in CHANNELS_LAST else 0
    if len(paddings) % 2 or len(paddings) + after > 2 * x.ndim:
        raise ArgumentError(
            f"pad must hold two numbers for each padded axis of x of shape {x.shape}, received "
            f"{paddings}",
            cure="give (before, after) for the last axis, then for the one before it, and so on",
        )
    rest = 2 * x.ndim - len(paddings) - after
    full = (*(0,) * rest, *_last_first(paddings), *(0,) * after)
    if mode == "constant":
        return pad_constant(x, full, value)
    return pad_border(x, full, mode)
