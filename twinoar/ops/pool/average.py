"""Averages over windows of images and volumes, and the operators that are their gradients.

Each is the adjoint of the other, so derivatives of every order come from the two.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from twinoar.core.op.declare import Shape, Spec, Tensor, loop, op_named, primitive
from twinoar.ops.pool._form import (
    DataFormat,
    VolumeFormat,
    channels_of,
    pool_desc,
    pool_samples,
    pooled,
    pooling,
    volume_samples,
)
from twinoar.ops.window._frame import Frame
from twinoar.ops.window._geometry import (
    all_windows,
    array_spec,
    image_shape,
    spatial_sizes,
    working,
)
from twinoar.ops.window._pixel import covering, in_window, is_inside, joined, parted


@primitive(
    slow_kernel=True,
    name="avg_pool2d",
    infer=lambda x, exclusive, **window: pooled(x, **window),
    desc=pool_desc("avg"),
)
def avg_pool2d_op(
    x: Tensor,
    kernel_size: tuple[int, ...],
    stride: tuple[int, ...] = (1, 1),
    padding: tuple[int, ...] = (0, 0, 0, 0),
    ceil_mode: bool = False,
    exclusive: bool = True,
    data_format: DataFormat = "NCHW",
) -> Tensor:
    """The average over windows: the operator under `avg_pool2d`.

    x: [N,C,H,W] or [N,H,W,C]. exclusive: padding does not count.
    """


@primitive(
    slow_kernel=True,
    name="avg_pool3d",
    infer=lambda x, exclusive, **window: pooled(x, **window),
    desc=pool_desc("avg", 3),
)
def avg_pool3d_op(
    x: Tensor,
    kernel_size: tuple[int, ...],
    stride: tuple[int, ...] = (1, 1, 1),
    padding: tuple[int, ...] = (0, 0, 0, 0, 0, 0),
    ceil_mode: bool = False,
    exclusive: bool = True,
    data_format: VolumeFormat = "NCDHW",
) -> Tensor:
    """`avg_pool2d` of volumes, [N,C,D,H,W] or [N,D,H,W,C]."""


@avg_pool3d_op.kernel
@avg_pool2d_op.kernel
def _(x, kernel_size, stride, padding, ceil_mode, exclusive, data_format):
    spec = pooled(array_spec(x), kernel_size, stride, padding, ceil_mode, data_format)
    frame = Frame(kernel_size, stride, padding, data_format)
    (wide,) = working(x)
    framed = frame.framed(wide, spec.shape, 0)
    out = np.zeros(spec.shape, wide.dtype)
    for pixels in frame.positions(spec.shape):
        out += framed[pixels]
    out /= frame.counts(x.shape, spec.shape, exclusive).astype(wide.dtype)
    return out.astype(x.dtype, copy=False)


@avg_pool3d_op.lower
@avg_pool2d_op.lower
def _(i, x, kernel_size, stride, padding, exclusive, data_format):
    n, c, window = parted(i, data_format)
    size = spatial_sizes(x.shape, data_format)

    def term(*place):
        pixel = in_window(window, place, stride, padding)
        return x.padded(joined(n, c, pixel, data_format))

    count = _count(window, size, kernel_size, stride, padding, exclusive)
    total = loop.sum(kernel_size, term)
    return total / loop.cast(count, total.dtype)


@avg_pool3d_op.library
@avg_pool2d_op.library
def _(specs, kernel_size, stride, padding, ceil_mode, exclusive, data_format):
    size = spatial_sizes(specs[0].shape, data_format)
    out = all_windows(size, kernel_size, stride, padding, ceil=ceil_mode)
    window = (kernel_size, stride, padding, data_format)
    return pooling("avg", "forward", size, out, *window, counts_padding=not exclusive)


@avg_pool3d_op.grad
@avg_pool2d_op.grad
def _(g, specs, kernel_size, stride, padding, ceil_mode, exclusive, data_format):
    size = spatial_sizes(specs[0].shape, data_format)
    rest = (kernel_size, stride, padding, ceil_mode, exclusive, data_format)
    return op_named(f"avg_pool{len(stride)}d_grad")(g, size, *rest)


@avg_pool2d_op.samples
def _(s):
    yield from pool_samples(s)
    yield s(s.randn(1, 2, 6, 6), (3, 3), (2, 2), (1, 1, 1, 1), True, False)


@primitive(
    slow_kernel=True, infer=lambda dy, size, data_format, **_: _unpooled(dy, size, data_format)
)
def avg_pool2d_grad(
    dy: Tensor,
    size: tuple[int, ...],
    kernel_size: tuple[int, ...],
    stride: tuple[int, ...],
    padding: tuple[int, ...],
    ceil_mode: bool = False,
    exclusive: bool = True,
    data_format: DataFormat = "NCHW",
) -> Tensor:
    """dy spread evenly over each window of images of `size` (H, W): adjoint of `avg_pool2d`."""


@primitive(
    slow_kernel=True, infer=lambda dy, size, data_format, **_: _unpooled(dy, size, data_format)
)
def avg_pool3d_grad(
    dy: Tensor,
    size: tuple[int, ...],
    kernel_size: tuple[int, ...],
    stride: tuple[int, ...],
    padding: tuple[int, ...],
    ceil_mode: bool = False,
    exclusive: bool = True,
    data_format: VolumeFormat = "NCDHW",
) -> Tensor:
    """`avg_pool2d_grad` for volumes of `size` (D, H, W)."""


@avg_pool3d_grad.kernel
@avg_pool2d_grad.kernel
def _(dy, size, kernel_size, stride, padding, ceil_mode, exclusive, data_format):
    shape = _unpooled(array_spec(dy), size, data_format).shape
    frame = Frame(kernel_size, stride, padding, data_format)
    (wide,) = working(dy)
    share = wide / frame.counts(shape, dy.shape, exclusive).astype(wide.dtype)
    result = np.zeros(frame.shape(shape, dy.shape), wide.dtype)
    for pixels in frame.positions(dy.shape):
        result[pixels] += share
    return np.ascontiguousarray(result[frame.inside(shape)]).astype(dy.dtype, copy=False)


@avg_pool3d_grad.lower
@avg_pool2d_grad.lower
def _(i, dy, size, kernel_size, stride, padding, exclusive, data_format):
    n, c, pixel = parted(i, data_format)
    counts, found = covering(pixel, kernel_size, stride, padding)

    def term(*k):
        window, place, _ = found(*k)
        share = dy.padded(joined(n, c, window, data_format))
        count = _count(window, size, kernel_size, stride, padding, exclusive)
        return loop.select(
            is_inside(place, kernel_size), share / loop.cast(count, share.dtype), 0.0
        )

    return loop.sum(counts, term)


@avg_pool3d_grad.library
@avg_pool2d_grad.library
def _(specs, size, kernel_size, stride, padding, exclusive, data_format):
    out = spatial_sizes(specs[0].shape, data_format)
    window = (kernel_size, stride, padding, data_format)
    return pooling("avg", "backward_data", size, out, *window, counts_padding=not exclusive)


@avg_pool3d_grad.grad
@avg_pool2d_grad.grad
def _(g, kernel_size, stride, padding, ceil_mode, exclusive, data_format):
    averaged = op_named(f"avg_pool{len(stride)}d")
    return averaged(g, kernel_size, stride, padding, ceil_mode, exclusive, data_format)


@avg_pool2d_grad.samples
def _(s):
    yield s(s.randn(2, 3, 3, 2), (6, 4), (2, 2), (2, 2), (0, 0, 0, 0))
    yield s(s.randn(1, 2, 3, 6), (7, 6), (3, 2), (2, 1), (1, 0, 1, 0), exclusive=False)
    yield s(s.randn(1, 3, 3, 2), (6, 6), (3, 3), (2, 2), (0, 1, 1, 0), True, data_format="NHWC")


@avg_pool3d_op.samples
def _(s):
    yield from volume_samples(s)
    given = s.randn(1, 2, 4, 3, 4)
    yield s(given, (3, 2, 3), (2, 2, 2), (1, 1, 0, 0, 1, 1), True, False)


@avg_pool3d_grad.samples
def _(s):
    window = ((3, 2, 1), (2, 2, 1), (1, 0, 0, 1, 0, 0))
    yield s(s.randn(2, 3, 2, 2, 2), (4, 3, 2), *window)
    yield s(s.randn(1, 2, 2, 2, 3), (4, 3, 2), *window, exclusive=False, data_format="NDHWC")


def _unpooled(dy: Spec, size: Shape, data_format: str) -> Spec:
    """The spec of images of `size` that were pooled to dy."""
    return Spec(
        image_shape(dy.shape[0], channels_of(dy.shape, data_format), size, data_format), dy.dtype
    )


def _count(
    window: Sequence[Any],
    size: Shape,
    kernel_size: Shape,
    stride: Shape,
    padding: Shape,
    exclusive: bool,
) -> Any:
    """The number of pixels in a window, in the loop language: see `Frame.counts`."""
    count: Any = 1
    for axis, (w, n, extent, step) in enumerate(
        zip(window, size, kernel_size, stride, strict=True)
    ):
        low, high = padding[2 * axis : 2 * axis + 2]
        first = w * step - low
        last = loop.min(first + extent, n if exclusive else n + high)
        first = loop.max(first, 0) if exclusive else first
        count = loop.max(last - first, 1) * count
    return count
