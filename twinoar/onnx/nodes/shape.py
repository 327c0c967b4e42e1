"""Operators that move elements, and make them."""

from __future__ import annotations

import builtins
import math
from typing import Any

import numpy as np

import twinoar as paddle
from twinoar.errors import ArgumentError
from twinoar.nn import functional as F
from twinoar.onnx import values
from twinoar.onnx.nodes.elementwise import held
from twinoar.onnx.table import Known, Sizes, ints, node


@node("Constant")
def constant(
    *,
    value: Any = None,
    value_float: Any = None,
    value_floats: Any = None,
    value_int: Any = None,
    value_ints: Any = None,
) -> Any:
    if value is not None:
        return value
    if value_float is not None or value_floats is not None:
        return np.asarray(value_floats if value_float is None else value_float, "float32")
    return np.asarray(value_ints if value_int is None else value_int, "int64")


@node("Shape")
def shape(x: Any, *, start: int = 0, end: int | None = None) -> Any:
    return values.shape_of(x)[start:end]


@node("Size")
def size(x: Any) -> Any:
    return values.whole(np.array(math.prod(x.shape), dtype=object))


@node("Reshape")
def reshape_by_attribute(x: Any, *, shape: list, consumed_inputs: list | None = None) -> Any:
    return reshape(x, np.asarray(shape))


@node("Reshape", since=5)
def reshape(x: Any, shape: Sizes, *, allowzero: int = 0) -> Any:
    sizes = ints(shape)
    if not allowzero:
        sizes = [x.shape[n] if isinstance(d, int) and d == 0 else d for n, d in enumerate(sizes)]
    if -1 in [d for d in sizes if isinstance(d, int)] and 0 in x.shape:
        rest = math.prod(d for d in sizes if d not in (0, -1))
        told = math.prod(d for d in x.shape if d != 0) // rest
        sizes = [told if isinstance(d, int) and d == -1 else d for d in sizes]
    return paddle.reshape(x, sizes)


@node("Flatten")
def flatten(x: Any, *, axis: int = 1) -> Any:
    axis = axis + len(x.shape) if axis < 0 else axis
    return x.reshape([math.prod(x.shape[:axis]), math.prod(x.shape[axis:])])


@node("Squeeze")
def squeeze_by_attribute(x: Any, *, axes: list | None = None) -> Any:
    return paddle.squeeze(x, axes)


@node("Squeeze", since=13)
def squeeze(x: Any, axes: Known | None = None) -> Any:
    return paddle.squeeze(x, None if axes is None else ints(axes))


@node("Unsqueeze")
def unsqueeze_by_attribute(x: Any, *, axes: list) -> Any:
    rank = len(x.shape) + len(axes)
    return paddle.unsqueeze(x, sorted(a % rank for a in axes))


@node("Unsqueeze", since=13)
def unsqueeze(x: Any, axes: Known) -> Any:
    return unsqueeze_by_attribute(x, axes=ints(axes))


@node("Transpose")
def transpose(x: Any, *, perm: list | None = None) -> Any:
    return paddle.transpose(x, perm or list(range(len(x.shape)))[::-1])


@node("Concat")
def concat(*x: Any, axis: int = 1) -> Any:
    return paddle.concat(list(x), axis)


@node("Split")
def split_by_attribute(x: Any, *, axis: int = 0, split: list | None = None, results: list) -> Any:
    return split_by_sizes(x, np.asarray(split) if split else None, axis=axis, results=results)


@node("Split", since=13)
def split_by_sizes(
    x: Any,
    split: Sizes | None = None,
    *,
    axis: int = 0,
    num_outputs: int | None = None,
    results: list,
) -> Any:
    count = num_outputs or len(results)
    sizes = ints(split) or _shared(x.shape[axis], count)
    ends = np.cumsum(np.asarray(sizes, dtype=object))
    starts = [0, *ends[:-1]]
    return tuple(paddle.slice(x, [axis], [s], [e]) for s, e in zip(starts, ends, strict=True))


def _shared(size: Any, count: int) -> list:
    """Equal parts, of which the last may be smaller."""
    part = -(-size // count)
    return [part] * (count - 1) + [size - part * (count - 1)]


@node("Slice")
def slice_by_attributes(x: Any, *, starts: list, ends: list, axes: list | None = None) -> Any:
    return slice(x, np.asarray(starts), np.asarray(ends), np.asarray(axes) if axes else None)


@node("Slice", since=10)
def slice(
    x: Any, starts: Sizes, ends: Sizes, axes: Known | None = None, steps: Known | None = None
) -> Any:
    first, last = ints(starts), ints(ends)
    rank = len(x.shape)
    axis = [a % rank for a in ints(axes)] if axes is not None else list(range(len(first)))
    step = ints(steps) if steps is not None else [1] * len(first)
    if not axis:
        return x
    for n, s in enumerate(step):
        if (
            isinstance(first[n], int)
            and isinstance(last[n], int)
            and isinstance(x.shape[axis[n]], int)
        ):
            first[n], last[n], _ = _range(first[n], last[n], s, x.shape[axis[n]])
    if all(s == 1 for s in step):
        return paddle.slice(x, axis, first, last)
    return paddle.strided_slice(x, axis, first, last, step)


def _range(start: int, end: int, step: int, size: int) -> tuple[int, int, int]:
    """The bounds as they are cut to the size; an end before the first element is one far below."""
    start, end, step = builtins.slice(start, end, step).indices(size)
    if step > 0:
        return start, max(start, end), step
    return start, end if end >= 0 else -size - 1, step


@node("Expand")
def expand(x: Any, shape: Sizes) -> Any:
    sizes, own = ints(shape), list(x.shape)
    rank = max(len(sizes), len(own))
    sizes, own = [1] * (rank - len(sizes)) + sizes, [1] * (rank - len(own)) + own
    pairs = zip(sizes, own, strict=True)
    return paddle.broadcast_to(x, [d if isinstance(s, int) and s == 1 else s for s, d in pairs])


@node("Tile", since=6)
def tile(x: Any, times: Sizes) -> Any:
    return paddle.tile(x, ints(times))


@node("Pad")
def pad_by_attributes(
    x: Any,
    *,
    pads: list | None = None,
    paddings: list | None = None,
    mode: str = "constant",
    value: float = 0.0,
) -> Any:
    return _padded(x, pads or paddings or [], mode, value)


@node("Pad", since=11)
def pad(
    x: Any,
    pads: Known,
    value: Known | None = None,
    axes: Known | None = None,
    *,
    mode: str = "constant",
) -> Any:
    rank, told = len(x.shape), ints(pads)
    if axes is not None:
        axis = [a % rank for a in ints(axes)]
        before, after = told[: len(axis)], told[len(axis) :]
        told = [0] * (2 * rank)
        for n, a in enumerate(axis):
            told[a], told[a + rank] = before[n], after[n]
    return _padded(x, told, mode, 0 if value is None else value.reshape(-1)[0])


def _padded(x: Any, pads: list[int], mode: str, value: Any) -> Any:
    rank = len(x.shape)
    before, after = pads[:rank], pads[rank:]
    cut = [max(-b, 0) for b in before], [max(-a, 0) for a in after]
    if any(cut[0]) or any(cut[1]):
        ends = [d - a for d, a in zip(x.shape, cut[1], strict=True)]
        x = paddle.slice(x, list(range(rank)), cut[0], ends)
        before, after = [max(b, 0) for b in before], [max(a, 0) for a in after]
    for axis in range(rank):
        if not (before[axis] or after[axis]):
            continue
        if mode == "constant":
            x = _with_constant(x, axis, before[axis], after[axis], value)
        else:
            # ONNX names these modes as NumPy does.
            index = np.pad(np.arange(x.shape[axis]), (before[axis], after[axis]), mode)  # type: ignore[call-overload]
            x = paddle.index_select(x, paddle.to_tensor(index.astype("int64")), axis)
    return x


def _with_constant(x: Any, axis: int, before: int, after: int, value: Any) -> Any:
    parts = []
    for size, part in ((before, None), (None, x), (after, None)):
        if part is None and size:
            shape = [*x.shape[:axis], size, *x.shape[axis + 1 :]]
            part = paddle.full(shape, value.item() if hasattr(value, "item") else value, x.dtype)
        if part is not None:
            parts.append(part)
    return paddle.concat(parts, axis)


@node("DepthToSpace")
def depth_to_space(x: Any, *, blocksize: int, mode: str = "DCR") -> Any:
    n, c, h, w = x.shape
    b = blocksize
    if mode == "DCR":
        parts = x.reshape([n, b, b, c // (b * b), h, w]).transpose([0, 3, 4, 1, 5, 2])
    else:
        parts = x.reshape([n, c // (b * b), b, b, h, w]).transpose([0, 1, 4, 2, 5, 3])
    return parts.reshape([n, c // (b * b), h * b, w * b])


@node("SpaceToDepth")
def space_to_depth(x: Any, *, blocksize: int, mode: str = "DCR") -> Any:
    n, c, h, w = x.shape
    b = blocksize
    order = [0, 3, 5, 1, 2, 4] if mode == "DCR" else [0, 1, 3, 5, 2, 4]
    parts = x.reshape([n, c, h // b, b, w // b, b]).transpose(order)
    return parts.reshape([n, c * b * b, h // b, w // b])


@node("Trilu")
def triangle(x: Any, k: Known | None = None, *, upper: int = 1) -> Any:
    rows, columns = x.shape[-2:]
    diagonal = 0 if k is None else int(k)
    row = paddle.arange(rows).reshape([-1, 1])
    column = paddle.arange(columns).reshape([1, -1])
    kept = column >= row + diagonal if upper else column <= row + diagonal
    return paddle.where(kept, x, paddle.zeros_like(x))


@node("EyeLike")
def eye_like(x: Any, *, dtype: int | None = None, k: int = 0) -> Any:
    rows, columns = x.shape
    row = paddle.arange(rows).reshape([-1, 1])
    column = paddle.arange(columns).reshape([1, -1])
    return (column == row + k).astype(x.dtype if dtype is None else held(dtype))


@node("ConstantOfShape")
def constant_of_shape(shape: Sizes, *, value: Any = None) -> Any:
    filled = np.zeros(1, "float32") if value is None else value.reshape(-1)
    dtype = values.HELD.get(filled.dtype.name, filled.dtype.name)
    return paddle.full(ints(shape), filled[0].item(), dtype)


@node("Range")
def range_of(start: Sizes, limit: Sizes, delta: Sizes, *, stash_type: int = 1) -> Any:
    bounds = [x.reshape(-1)[0] for x in (start, limit, delta)]
    whole = all(hasattr(x, "terms") or np.asarray(x).dtype.kind in "iuO" for x in bounds)
    dtype = start.dtype.name if start.dtype != object else "int64"
    if whole:
        return paddle.arange(*[b if hasattr(b, "terms") else int(b) for b in bounds], dtype=dtype)
    first, last, step = (float(b) for b in bounds)
    count = max(math.ceil((last - first) / step), 0)
    steps = paddle.arange(count, dtype="int64").astype("float64")
    return (first + steps * step).astype(dtype)


@node("ReverseSequence")
def reverse_sequence(x: Any, lengths: Any, *, batch_axis: int = 1, time_axis: int = 0) -> Any:
    moved = paddle.transpose(x, _to_front(len(x.shape), time_axis, batch_axis))
    steps = moved.shape[0]
    step = paddle.arange(steps).reshape([-1, 1])
    own = lengths.astype("int64").reshape([1, -1])
    index = paddle.where(step < own, own - 1 - step, step + own * 0)
    index = index.reshape([steps, -1, *[1] * (len(x.shape) - 2)])
    found = paddle.take_along_axis(moved, paddle.broadcast_to(index, moved.shape), 0)
    order = _to_front(len(x.shape), time_axis, batch_axis)
    return paddle.transpose(found, np.argsort(order).tolist())


def _to_front(rank: int, *first: int) -> list[int]:
    front = [a % rank for a in first]
    return front + [a for a in range(rank) if a not in front]


@node("CenterCropPad")
def center_crop_pad(x: Any, shape: Known, *, axes: list | None = None) -> Any:
    rank = len(x.shape)
    axis = [a % rank for a in axes] if axes else list(range(rank))
    for a, size in zip(axis, ints(shape), strict=True):
        own = x.shape[a]
        if size < own:
            start = (own - size) // 2
            x = paddle.slice(x, [a], [start], [start + size])
        elif size > own:
            before = (size - own) // 2
            x = _with_constant(x, a, before, size - own - before, 0)
    return x


@node("Col2Im")
def column_to_image(
    x: Any,
    image: Known,
    block: Known,
    *,
    dilations: list | None = None,
    pads: list | None = None,
    strides: list | None = None,
) -> Any:
    sizes, kernel = ints(image), ints(block)
    rank = len(sizes)
    dilations, strides = dilations or [1] * rank, strides or [1] * rank
    pads = pads or [0] * (2 * rank)
    whole = [d + a + b for d, a, b in zip(sizes, pads[:rank], pads[rank:], strict=True)]
    counts = [
        (w - d * (k - 1) - 1) // s + 1
        for w, d, k, s in zip(whole, dilations, kernel, strides, strict=True)
    ]
    places = np.arange(math.prod(whole)).reshape(whole)
    chosen = []
    for offset in np.ndindex(*kernel):
        cut = tuple(
            np.arange(o * d, o * d + s * (c - 1) + 1, s)
            for o, d, s, c in zip(offset, dilations, strides, counts, strict=True)
        )
        chosen.append(places[np.ix_(*cut)].reshape(-1))
    n = x.shape[0]
    channels = x.shape[1] // math.prod(kernel)
    flat = x.reshape([n * channels, -1]).transpose([1, 0])
    index = paddle.to_tensor(np.concatenate(chosen).astype("int64").reshape(-1, 1))
    total = paddle.scatter_nd_add(
        paddle.zeros([math.prod(whole), n * channels], x.dtype), index, flat
    )
    found = total.transpose([1, 0]).reshape([n, channels, *whole])
    ends = [a + d for a, d in zip(pads[:rank], sizes, strict=True)]
    return paddle.slice(found, list(range(2, 2 + rank)), pads[:rank], ends)


@node("OneHot")
def one_hot(index: Any, depth: Known, on_off: Any, *, axis: int = -1) -> Any:
    count = int(depth.reshape(-1)[0])
    if count < 1:
        raise ArgumentError(f"expected a depth of at least 1, received {count}")
    index = index.astype("int64")
    index = paddle.where(index < 0, index + count, index)
    rank = len(index.shape) + 1
    axis %= rank
    row = paddle.arange(count).reshape([-1, *[1] * (rank - 1 - axis)])
    is_hot = paddle.unsqueeze(index, [axis]) == row
    return paddle.where(is_hot, on_off[1], on_off[0])


@node("AffineGrid")
def affine_grid(theta: Any, size: Known, *, align_corners: int = 0) -> Any:
    return F.affine_grid(theta, ints(size), bool(align_corners))
