"""Deformable convolution: windows whose places are moved by offsets that the data gives."""

from __future__ import annotations

import math
from typing import Any

from twinoar.core.dim import differ
from twinoar.core.dtype import int64
from twinoar.core.op.declare import Desc, Tensor, function, op
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops.conv.conv import channel_bias
from twinoar.ops.create.range import iota
from twinoar.ops.index.along_axis import take_along_axis_op
from twinoar.ops.linalg.matmul import matmul
from twinoar.ops.math.arithmetic import add
from twinoar.ops.math.cast import astype
from twinoar.ops.math.rounding import floor
from twinoar.ops.math.select import select
from twinoar.ops.shape.concat import unbind
from twinoar.ops.shape.expand import expand
from twinoar.ops.shape.reshape import reshape, unsqueeze
from twinoar.ops.window._geometry import (
    all_windows,
    check_filters,
    check_images,
    explicit_padding,
    per_axis,
)


@function
def deform_conv2d(
    x: Tensor,
    offset: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    deformable_groups: int = 1,
    groups: int = 1,
    mask: Tensor | None = None,
) -> Tensor:
    """Convolution that reads each place of its windows where an offset moves it to.

    x: [N,C,H,W], floating. offset: [N,2 G K,OH,OW], pixels (y, x) for each of K = KH KW places,
    where G is deformable_groups, which the channels are cut into. weight: [O,C/groups,KH,KW].
    bias: [O]. mask: [N,G K,OH,OW], a factor for each place. Between pixels values are bilinear, and
    outside of the image 0. Returns [N,O,OH,OW]. Raises ShapeError, ArgumentError. Source: Zhu et
    al. 2018, arXiv 1811.11168, equation 1.

    >>> from twinoar.ops.conv.deformable import deform_conv2d
    >>> x = twinoar.to_tensor([[[[1.0, 3.0]]]])
    >>> right = twinoar.to_tensor([0.0, 0.5]).reshape([1, 2, 1, 1]).expand([1, 2, 1, 2])
    >>> deform_conv2d(x, right, twinoar.ones([1, 1, 1, 1])).tolist()
    [[[[2.0, 1.5]]]]
    """
    check_images(x.ndim, "NCHW")
    check_filters(x.spec.shape, weight.spec.shape, groups, "NCHW")
    steps, spread = per_axis(stride, 2, "stride"), per_axis(dilation, 2, "dilation")
    sizes, kernel_size = x.spec.shape[2:], weight.spec.shape[2:]
    sides = explicit_padding(padding, "NCHW", sizes, kernel_size, steps)
    rest = (steps, sides, spread, deformable_groups, groups)
    out = deform_conv2d_op(x, offset, weight, mask, *rest)
    return out if bias is None else add(out, channel_bias(bias, "NCHW"))


def _write(attrs: dict[str, Any], specs: Any) -> dict[str, Any]:
    padding = attrs["padding"]
    if padding[::2] != padding[1::2]:
        raise ArgumentError(
            "deformable convolution has no form in Paddle's files with uneven padding",
            cure="pad before",
        )
    return {"paddings": padding[::2], "im2col_step": 1}


def _read(slots: dict[str, list[Any]], attrs: dict[str, Any]) -> Tensor:
    mask = (slots.get("Mask") or [None])[0]
    padding = tuple(p for p in attrs["paddings"] for _ in range(2))
    return deform_conv2d_op(
        slots["Input"][0],
        slots["Offset"][0],
        slots["Filter"][0],
        mask,
        tuple(attrs["strides"]),
        padding,
        tuple(attrs["dilations"]),
        attrs["deformable_groups"],
        attrs["groups"],
    )


@op(
    name="deform_conv2d",
    amp="high",
    desc=Desc(
        "deformable_conv",
        {"Input": "x", "Offset": "offset", "Filter": "weight", "Mask": "mask"},
        outputs=("Output",),
        attrs={
            "strides": "stride",
            "dilations": "dilation",
            "groups": "groups",
            "deformable_groups": "deformable_groups",
        },
        write=_write,
        read=_read,
        reads=("deformable_conv_v1",),
    ),
)
def deform_conv2d_op(
    x: Tensor,
    offset: Tensor,
    weight: Tensor,
    mask: Tensor | None = None,
    stride: tuple[int, ...] = (1, 1),
    padding: tuple[int, ...] = (0, 0, 0, 0),
    dilation: tuple[int, ...] = (1, 1),
    deformable_groups: int = 1,
    groups: int = 1,
) -> Tensor:
    """Convolution at places that offsets move: the operator under `deform_conv2d`.

    padding: pixels (top, bottom, left, right).
    """
    n = x.spec.shape[0]
    filters, each, *kernel_size = weight.spec.shape
    places: Any = math.prod(kernel_size)
    out = all_windows(x.spec.shape[2:], kernel_size, stride, padding, dilation)
    _check(x, offset, mask, places, deformable_groups, out)
    moved = reshape(offset, (n, deformable_groups, places, 2, *out))
    y, z = (
        _starts(axis, kernel_size, out, stride, padding, dilation, x.dtype) + part
        for axis, part in enumerate(unbind(moved, 3))
    )  # [N,G,K,OH,OW] each
    columns = _bilinear(reshape(x, (n, deformable_groups, -1, *x.spec.shape[2:])), y, z)
    if mask is not None:
        columns = columns * reshape(mask, (n, deformable_groups, 1, places, *out))
    columns = reshape(columns, (n, groups, each * places, math.prod(out)))
    product = matmul(reshape(weight, (groups, filters // groups, each * places)), columns)
    return reshape(product, (n, filters, *out))


@deform_conv2d_op.samples
def _(s):
    def given(c, o, each, kernel, out, groups=1):
        h, w = kernel
        offset = s.uniform(-0.9, 0.9, 2, 2 * groups * h * w, *out)
        mask = s.uniform(0.2, 1, 2, groups * h * w, *out)
        return s.randn(2, c, 5, 4), offset, s.randn(o, each, h, w), mask

    yield s(*given(2, 3, 2, (3, 2), (3, 3)), tolerance=1e-4, half=False)
    x, offset, weight, _ = given(2, 2, 1, (2, 2), (3, 2))
    yield s(x, offset, weight, None, (2, 2), (1, 1, 0, 0), groups=2, half=False)
    grouped = given(4, 4, 2, (2, 1), (5, 4), 2)
    yield s(*grouped, (1, 1), (1, 1, 0, 0), (2, 1), 2, 2, tolerance=1e-4, half=False)
    yield s.bad(ShapeError, "offset must be [2, 12, 3, 3]", *given(2, 3, 2, (3, 2), (3, 2)))
    yield s.bad(ArgumentError, "must divide", *given(3, 3, 3, (3, 2), (3, 3)), deformable_groups=2)


def _check(
    x: Tensor, offset: Tensor, mask: Tensor | None, places: int, groups: int, out: Any
) -> None:
    n, c = x.spec.shape[:2]
    if groups < 1 or (isinstance(c, int) and c % groups):
        raise ArgumentError(f"deformable_groups must divide {c} channels, received {groups}")
    for name, given, parts in (("offset", offset, 2), ("mask", mask, 1)):
        wanted = (n, parts * groups * places, *out)
        if given is None:
            continue
        shape = given.spec.shape
        if len(shape) != 4 or any(differ(a, b) for a, b in zip(shape, wanted, strict=True)):
            raise ShapeError(f"{name} must be {list(wanted)}, received {given.spec}")


def _starts(
    axis: int, kernel_size: Any, out: Any, stride: Any, padding: Any, dilation: Any, dtype: Any
) -> Tensor:
    """Where windows have their places along an axis, in pixels: [K,OH,OW] or what broadcasts."""
    window = iota(out[axis]) * stride[axis] - padding[2 * axis]
    place = iota(kernel_size[axis]) * dilation[axis]
    both = unsqueeze(place, 1) + unsqueeze(window, 0)  # [KH,OH] or [KW,OW]
    shape = [1, 1, 1, 1]
    shape[axis], shape[axis + 2] = kernel_size[axis], out[axis]
    whole = expand(reshape(both, shape), (*kernel_size, *out))
    return astype(reshape(whole, (math.prod(kernel_size), *out)), dtype)


def _bilinear(x: Tensor, y: Tensor, z: Tensor) -> Tensor:
    """x [N,G,C,H,W] at rows y and columns z, [N,G,*] each; returns [N,G,C,*]."""
    top, left = floor(y), floor(z)
    below, beyond = y - top, z - left
    total: Any = None
    for row, high in ((top, 1.0 - below), (top + 1.0, below)):
        for column, wide in ((left, 1.0 - beyond), (left + 1.0, beyond)):
            value = _pixels(x, row, column) * unsqueeze(high * wide, 2)
            total = value if total is None else total + value
    return total


def _pixels(x: Tensor, row: Tensor, column: Tensor) -> Tensor:
    """x at whole rows and columns, and 0 outside of the image."""
    n, g, c, h, w = x.spec.shape
    inside = (row >= 0.0) & (row < float(h)) & (column >= 0.0) & (column < float(w))
    place = astype(select(inside, row * float(w) + column, 0.0), int64)
    index = reshape(place, (n, g, 1, -1))
    count = index.spec.shape[3]
    found = take_along_axis_op(
        reshape(x, (n, g, c, h * w)), expand(index, (n, g, c, count)), axis=3
    )
    found = reshape(found, (n, g, c, *row.spec.shape[2:]))
    return select(unsqueeze(inside, 2), found, 0.0)
