"""Tensors cut, joined, moved and picked from, by 1.x names."""

from __future__ import annotations

import builtins
import math
from typing import Any

import twinoar as paddle
from twinoar.core.values import Value
from twinoar.errors import ArgumentError, ShapeError
from twinoar.fluid.layers.adapter import define
from twinoar.nn import functional as F

MODES = {"constant": "constant", "reflect": "reflect", "edge": "replicate"}


def matrix(x: Any, axis: int) -> Any:
    """x as a matrix: the dimensions before `axis` are its rows, the others its columns."""
    if not 0 <= axis <= x.ndim:
        raise ArgumentError(
            f"axis must be in [0, {x.ndim}] for {x.spec}, received {axis}",
            cure="1 keeps the first dimension",
        )
    shape = x.spec.shape
    return paddle.reshape(x, [math.prod(shape[:axis]), math.prod(shape[axis:])])


def repeated_as(x: Any, target: Any) -> Any:
    """x, repeated a whole number of times to the shape of `target`. Raises ShapeError."""
    pairs = list(zip(x.spec.shape, target.spec.shape, strict=True))
    if any(isinstance(a, int) and isinstance(b, int) and b % a for a, b in pairs):
        raise ShapeError(f"{x.spec} does not repeat to {target.spec}", cure="give equal sizes or 1")
    if builtins.all(a == b or (isinstance(a, int) and a == 1) for a, b in pairs):
        return paddle.expand(x, target.spec.shape)
    return paddle.tile(x, [b // a for a, b in pairs])


def rows_at(input: Any, index: Any) -> Any:
    """The rows of a tensor whose numbers stand in `index`, [N] or [N,1]; gradients of a row that is
    taken several times add up, whatever `overwrite` says.
    """
    return paddle.gather(input, paddle.reshape(index, [-1]) if index.ndim > 1 else index)


def cropped(x: Any, shape: Any, offsets: Any) -> Any:
    """The part of x of `shape` that begins at `offsets`; -1 in shape takes all from there on."""
    shape = x.spec.shape if shape is None else shape.spec.shape if _like(x, shape) else shape
    begin = [0] * x.ndim if offsets is None else offsets
    if isinstance(shape, Value) or isinstance(begin, Value):
        shape, begin = (_items(v, x.ndim) for v in (shape, begin))
    ends = [
        n if isinstance(d, int) and d == -1 else b + d
        for b, d, n in zip(begin, shape, x.spec.shape, strict=True)
    ]
    return paddle.slice(x, list(range(x.ndim)), list(begin), ends)


def _like(x: Any, shape: Any) -> bool:
    """True for a tensor given for its own shape, as `crop` takes it."""
    return isinstance(shape, Value) and (shape.ndim != 1 or shape.dtype.is_floating)


def _items(v: Any, count: int) -> list[Any]:
    return [v[i] for i in builtins.range(count)] if isinstance(v, Value) else list(v)


def padded_image(input: Any, paddings: Any, mode: str, pad_value: float, data_format: str) -> Any:
    """An image with rows and columns around it. paddings: above, below, left, right."""
    if mode not in MODES:
        raise ArgumentError(
            f"mode must be one of {', '.join(MODES)}, received {mode!r}", cure="'constant' fills"
        )
    top, bottom, left, right = _items(paddings, 4)
    around = [left, right, top, bottom]
    return F.pad(input, around, MODES[mode], pad_value, data_format=data_format)


def padded_as(x: Any, y: Any, pad_value: float) -> Any:
    """y, with `pad_value` behind it in each dimension, in the shape of x."""
    paddings = [p for a, b in zip(x.spec.shape, y.spec.shape, strict=True) for p in (0, a - b)]
    return F.pad(y, paddings, "constant", pad_value)


def depth_of_space(x: Any, blocksize: int) -> Any:
    """[N,C,H,W] as [N, C * b * b, H / b, W / b], in the order of 1.x.

    Groups of C / (b * b) channels become the pixels of blocks of b by b, and what that gives in
    memory, [N, C / (b * b), H * b, W * b], is read as the result.
    """
    n, c, h, w = x.spec.shape
    b, rest = blocksize, c // blocksize**2
    if c % blocksize**2:
        raise ShapeError(f"{c} channels are no multiple of {blocksize} squared")
    blocks = paddle.reshape(x, [n, b, b, rest, h, w])
    moved = paddle.transpose(blocks, [0, 3, 4, 1, 5, 2])
    return paddle.reshape(moved, [n, c * b * b, h // b, w // b])


__all__ = define(
    globals(),
    """
concat(input, axis=0, name=None) -> paddle.concat(input, axis)
crop(x, shape=None, offsets=None, name=None)
    -> cropped(x, shape, offsets)  # paddle.slice(x, axes, offsets, ends)
crop_tensor(x, shape=None, offsets=None, name=None)
    -> cropped(x, shape, offsets)  # paddle.slice(x, axes, offsets, ends)
diag_embed(input, offset=0, dim1=-2, dim2=-1) -> paddle.diag_embed(input, offset, dim1, dim2)
expand(x, expand_times, name=None) -> paddle.tile(x, expand_times)
expand_as(x, target_tensor, name=None)
    -> repeated_as(x, target_tensor)  # paddle.expand_as(x, target_tensor)
flatten(x, axis=1, name=None) -> matrix(x, axis)  # paddle.flatten(x, axis)
flip(input, dims, name=None) -> paddle.flip(input, dims)
gather(input, index, overwrite=True) -> rows_at(input, index)  # paddle.gather(input, index)
gather_nd(input, index, name=None) -> paddle.gather_nd(input, index)
index_sample(x, index) -> paddle.index_sample(x, index)
index_select(input, index, dim=0) -> paddle.index_select(input, index, dim)
meshgrid(input, name=None) -> paddle.meshgrid(input)
pad(x, paddings, pad_value=0.0, name=None) -> F.pad(x, paddings, "constant", pad_value)
pad2d(input, paddings=[0, 0, 0, 0], mode='constant', pad_value=0.0, data_format='NCHW', name=None)
    -> padded_image(input, paddings, mode, pad_value, data_format)
    # F.pad(input, [left, right, top, bottom], mode, pad_value)
pad_constant_like(x, y, pad_value=0.0, name=None)
    -> padded_as(x, y, pad_value)  # F.pad(y, paddings, value=pad_value)
reshape(x, shape, actual_shape=None, act=None, inplace=False, name=None)
    -> paddle.reshape(x, shape if actual_shape is None else actual_shape)
    # paddle.reshape(x, shape)
reverse(x, axis) -> paddle.flip(x, axis)
roll(input, shifts, dims=None) -> paddle.roll(input, shifts, dims)
scatter(input, index, updates, name=None, overwrite=True)
    -> paddle.scatter(input, paddle.reshape(index, [-1]), updates, overwrite)
    # paddle.scatter(input, index, updates, overwrite)
scatter_nd(index, updates, shape, name=None)
    -> paddle.scatter_nd_add(paddle.zeros(shape, updates.dtype), index, updates)
scatter_nd_add(ref, index, updates, name=None) -> paddle.scatter_nd_add(ref, index, updates)
shuffle_channel(x, group, name=None) -> F.channel_shuffle(x, group)
slice(input, axes, starts, ends) -> paddle.slice(input, axes, starts, ends)
space_to_depth(x, blocksize, name=None)
    -> depth_of_space(x, blocksize)  # F.pixel_unshuffle, in another order
split(input, num_or_sections, dim=-1, name=None) -> paddle.split(input, num_or_sections, dim)
squeeze(input, axes, name=None)
    -> paddle.squeeze(input, axes or None)  # paddle.squeeze(input, axes)
stack(x, axis=0)
    -> paddle.stack(x if isinstance(x, (list, tuple)) else [x], axis)  # paddle.stack(x, axis)
strided_slice(input, axes, starts, ends, strides)
    -> paddle.strided_slice(input, axes, starts, ends, strides)
t(input, name=None) -> paddle.t(input)
transpose(x, perm, name=None) -> paddle.transpose(x, perm)
tril(input, diagonal=0, name=None) -> paddle.tril(input, diagonal)
triu(input, diagonal=0, name=None) -> paddle.triu(input, diagonal)
unsqueeze(input, axes, name=None) -> paddle.unsqueeze(input, axes)
unstack(x, axis=0, num=None) -> paddle.unstack(x, axis, num)
""",
)
