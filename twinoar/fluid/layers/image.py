"""Images, boxes and positions by their 1.x names."""

# ruff: noqa: F401  # the calls in the table use what is imported

from __future__ import annotations

import builtins
import math
from typing import Any

import twinoar as paddle
from twinoar.errors import ShapeError
from twinoar.fluid.layers.adapter import define
from twinoar.nn import functional as F
from twinoar.ops.math.select import select

SLOWEST = 10000.0  # the longest wave of positions is this many times the shortest


def per_channel(x: Any, scale: Any, bias: Any, data_layout: str) -> Any:
    """scale * x + bias, with a number each for each channel. scale, bias: [C]."""
    shape = [-1] if data_layout == "NHWC" else [1, -1, *[1] * (x.ndim - 2)]
    out = x if scale is None else x * paddle.reshape(scale, shape)
    return out if bias is None else out + paddle.reshape(bias, shape)


def with_positions(x: Any, alpha: float, beta: float) -> Any:
    """alpha * x + beta * the sines, then cosines, of the place in time. x: [N,T,D], D even.

    Source: arXiv 1706.03762, section 3.5, the waves side by side.
    """
    steps, width = x.spec.shape[1:]
    if width % 2:
        raise ShapeError(
            f"positions need an even width, received {x.spec}", cure="pad the last axis"
        )
    last = builtins.max(width // 2 - 1, 1)
    rates = paddle.to_tensor([SLOWEST ** -(j / last) for j in builtins.range(width // 2)], x.dtype)
    angles = paddle.unsqueeze(paddle.cast(paddle.arange(steps), x.dtype), [1]) * rates
    return x * alpha + paddle.concat([paddle.sin(angles), paddle.cos(angles)], 1) * beta


def channel_products(x: Any, y: Any) -> Any:
    """The mean over pixels of each channel of x times each of y. Returns [N,C,D]."""
    if x.spec.shape[2:] != y.spec.shape[2:]:
        raise ShapeError(f"the images differ in size, {x.spec} and {y.spec}", cure="resize one")
    pixels = math.prod(x.spec.shape[2:])
    rows = [paddle.reshape(v, [*v.spec.shape[:2], pixels]) for v in (x, y)]
    return paddle.matmul(rows[0], rows[1], transpose_y=True) / pixels


def numbers_of_shard(input: Any, index_num: int, nshards: int, shard_id: int, other: int) -> Any:
    """Numbers as they are counted in their shard; `other` for those of other shards."""
    size = -(-index_num // nshards)
    return select(paddle.equal(input // size, shard_id), input % size, other)


def boxes_overlap(x: Any, y: Any, box_normalized: bool) -> Any:
    """|both| / |either| of boxes (left, top, right, bottom). x: [N,4], y: [M,4]. Returns [N,M].

    box_normalized: right and bottom are edges; otherwise they are the last pixels.
    """
    one = 0.0 if box_normalized else 1.0
    first, second = paddle.unsqueeze(x, [1]), paddle.unsqueeze(y, [0])
    begins = paddle.maximum(first[..., :2], second[..., :2])
    ends = paddle.minimum(first[..., 2:], second[..., 2:])
    both = paddle.prod(paddle.clip(ends - begins + one, min=0.0), -1)
    areas = [paddle.prod(v[..., 2:] - v[..., :2] + one, -1) for v in (first, second)]
    either = areas[0] + areas[1] - both
    return both / select(either > 0.0, either, 1.0)


__all__ = define(
    globals(),
    """
add_position_encoding(input, alpha, beta, name=None)
    -> with_positions(input, alpha, beta)  # input + positions, a tensor that is made once
affine_channel(x, scale=None, bias=None, data_layout='NCHW', name=None, act=None)
    -> per_channel(x, scale, bias, data_layout)  # x * scale + bias
affine_grid(theta, out_shape, name=None) -> F.affine_grid(theta, out_shape)
fsp_matrix(x, y) -> channel_products(x, y)  # paddle.matmul(x, y, transpose_y=True)
grid_sampler(x, grid, name=None) -> F.grid_sample(x, grid)
iou_similarity(x, y, box_normalized=True, name=None)
    -> boxes_overlap(x, y, box_normalized)  # paddle.minimum, paddle.maximum of the edges
lrn(input, n=5, k=1.0, alpha=0.0001, beta=0.75, name=None, data_format='NCHW')
    -> F.local_response_norm(input, n, alpha * n, beta, k, data_format)
pixel_shuffle(x, upscale_factor) -> F.pixel_shuffle(x, upscale_factor)
sequence_mask(x, maxlen=None, dtype='int64', name=None)
    -> F.sequence_mask(x, maxlen, dtype)
shard_index(input, index_num, nshards, shard_id, ignore_value=-1)
    -> numbers_of_shard(input, index_num, nshards, shard_id, ignore_value)
    # input % size, where input // size is the number of the shard
temporal_shift(x, seg_num, shift_ratio=0.25, name=None)
    -> F.temporal_shift(x, seg_num, shift_ratio)
unfold(x, kernel_sizes, strides=1, paddings=0, dilations=1, name=None)
    -> F.unfold(x, kernel_sizes, strides, paddings, dilations)
""",
)
