"""Maxima over windows of images and volumes, and the operators that are their gradients.

Where the maxima are is computed from the images, with the maxima or again: a compiler shares the
two. The gradient puts what comes in at these positions, its own gradient takes it from there; each
is the adjoint of the other, so derivatives of every order come from the two.
"""

from __future__ import annotations

import math

import numpy as np

from twinoar.core.dtype import DType, int32, int64, uint8
from twinoar.core.op.declare import Shape, Spec, Tensor, loop, op, op_named, primitive
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
from twinoar.ops.window._geometry import all_windows, array_spec, image_shape, spatial_sizes
from twinoar.ops.window._pixel import covering, in_window, is_inside, joined, parted


@op(
    slow_kernel=True,
    name="max_pool2d",
    infer=lambda x, **window: pooled(x, **window),
    desc=pool_desc("max"),
    samples=pool_samples,
)
def max_pool2d_op(
    x: Tensor,
    kernel_size: tuple[int, ...],
    stride: tuple[int, ...] = (1, 1),
    padding: tuple[int, ...] = (0, 0, 0, 0),
    ceil_mode: bool = False,
    data_format: DataFormat = "NCHW",
) -> Tensor:
    """The maximum over windows: the operator under `max_pool2d`.

    x: [N,C,H,W] or [N,H,W,C]. padding: pixels (top, bottom, left, right), never the maximum.
    """
    window = (kernel_size, stride, padding, ceil_mode, data_format)
    return max_pool2d_with_position(x, *window)[0]


@op(
    slow_kernel=True,
    name="max_pool3d",
    infer=lambda x, **window: pooled(x, **window),
    desc=pool_desc("max", 3),
    samples=volume_samples,
)
def max_pool3d_op(
    x: Tensor,
    kernel_size: tuple[int, ...],
    stride: tuple[int, ...] = (1, 1, 1),
    padding: tuple[int, ...] = (0, 0, 0, 0, 0, 0),
    ceil_mode: bool = False,
    data_format: VolumeFormat = "NCDHW",
) -> Tensor:
    """`max_pool2d` of volumes, [N,C,D,H,W] or [N,D,H,W,C]."""
    window = (kernel_size, stride, padding, ceil_mode, data_format)
    return max_pool3d_with_position(x, *window)[0]


@max_pool3d_op.kernel
@max_pool2d_op.kernel
def _(x, kernel_size, stride, padding, ceil_mode, data_format):
    spec = pooled(array_spec(x), kernel_size, stride, padding, ceil_mode, data_format)
    frame = Frame(kernel_size, stride, padding, data_format)
    return _maxima(frame, frame.framed(x, spec.shape, -np.inf), spec.shape)


def _maxima(frame: Frame, framed: np.ndarray, shape: Shape) -> np.ndarray:
    out = np.full(shape, -np.inf, framed.dtype)
    for pixels in frame.positions(shape):
        np.maximum(out, framed[pixels], out=out)
    return out


@max_pool3d_op.grad
@max_pool2d_op.grad
def _(g, x, kernel_size, stride, padding, ceil_mode, data_format):
    window = (kernel_size, stride, padding)
    rank, size = len(stride), spatial_sizes(x.spec.shape, data_format)
    _, position = op_named(f"max_pool{rank}d_with_position")(x, *window, ceil_mode, data_format)
    return op_named(f"max_pool{rank}d_grad")(g, position, size, *window, data_format)


@primitive(slow_kernel=True)
def max_pool2d_with_position(
    x: Tensor,
    kernel_size: tuple[int, ...],
    stride: tuple[int, ...] = (1, 1),
    padding: tuple[int, ...] = (0, 0, 0, 0),
    ceil_mode: bool = False,
    data_format: DataFormat = "NCHW",
) -> tuple[Tensor, Tensor]:
    """The maximum over windows, and where it is: the number of its place in the window.

    x: [N,C,H,W] or [N,H,W,C]. Places are numbered row by row; the first of equal maxima counts, and
    nan is greater than numbers. The second result is uint8, or int32 for more than 256 places.
    """


@primitive(slow_kernel=True)
def max_pool3d_with_position(
    x: Tensor,
    kernel_size: tuple[int, ...],
    stride: tuple[int, ...] = (1, 1, 1),
    padding: tuple[int, ...] = (0, 0, 0, 0, 0, 0),
    ceil_mode: bool = False,
    data_format: VolumeFormat = "NCDHW",
) -> tuple[Tensor, Tensor]:
    """`max_pool2d_with_position` of volumes, [N,C,D,H,W] or [N,D,H,W,C]."""


def _position_dtype(kernel_size: tuple[int, ...]) -> DType:
    return uint8 if math.prod(kernel_size) <= 256 else int32


@max_pool3d_with_position.infer
@max_pool2d_with_position.infer
def _(x, kernel_size, **window):
    spec = pooled(x, kernel_size, **window)
    return spec, Spec(spec.shape, _position_dtype(kernel_size))


@max_pool3d_with_position.kernel
@max_pool2d_with_position.kernel
def _(x, kernel_size, stride, padding, ceil_mode, data_format):
    spec = pooled(array_spec(x), kernel_size, stride, padding, ceil_mode, data_format)
    frame = Frame(kernel_size, stride, padding, data_format)
    framed = frame.framed(x, spec.shape, -np.inf)
    out = _maxima(frame, framed, spec.shape)
    position = np.zeros(spec.shape, _position_dtype(kernel_size).numpy)
    less, has_nan = np.ones(spec.shape, np.bool_), np.isnan(out).any()
    for pixels in frame.positions(spec.shape):
        less &= framed[pixels] != out
        if has_nan:
            less &= ~np.isnan(framed[pixels])
        position += less  # places before the first maximum
    return out, position


@max_pool3d_with_position.lower
@max_pool2d_with_position.lower
def _(i, x, nth, kernel_size, stride, padding, data_format):
    n, c, window = parted(i, data_format)

    def term(*place):
        pixel = in_window(window, place, stride, padding)
        return x.padded(joined(n, c, pixel, data_format), -math.inf)

    return loop.reduce("max" if nth == 0 else "argmax", kernel_size, term)


@max_pool3d_with_position.library
@max_pool2d_with_position.library
def _(specs, kernel_size, stride, padding, ceil_mode, data_format):
    size = spatial_sizes(specs[0].shape, data_format)
    out = all_windows(size, kernel_size, stride, padding, ceil=ceil_mode)
    return pooling("max", "forward", size, out, kernel_size, stride, padding, data_format)


@max_pool2d_with_position.samples
def _(s):
    yield from pool_samples(s)
    tied = np.array([[[[1.0, 1.0, 0.0], [np.nan, 0.0, np.nan], [-np.inf] * 3]]])
    yield s(tied, (2, 2), gradient=False)
    yield s(tied, (2, 3), padding=(1, 1, 1, 1), gradient=False)
    yield s(s.distinct(1, 1, 17, 18), (17, 17), gradient=False)


@max_pool3d_with_position.grad
@max_pool2d_with_position.grad
def _(gs, outs, specs, kernel_size, stride, padding, data_format):
    size = spatial_sizes(specs[0].shape, data_format)
    spread = op_named(f"max_pool{len(stride)}d_grad")
    return spread(gs[0], outs[1], size, kernel_size, stride, padding, data_format)


@primitive(slow_kernel=True)
def max_pool2d_grad(
    dy: Tensor,
    position: Tensor,
    size: tuple[int, ...],
    kernel_size: tuple[int, ...],
    stride: tuple[int, ...],
    padding: tuple[int, ...],
    data_format: DataFormat = "NCHW",
) -> Tensor:
    """dy at a position in each window of images of `size` (H, W), summed where windows overlap.

    dy, position: one element for each window. Returns images, zeros elsewhere.
    """


@primitive(slow_kernel=True)
def max_pool3d_grad(
    dy: Tensor,
    position: Tensor,
    size: tuple[int, ...],
    kernel_size: tuple[int, ...],
    stride: tuple[int, ...],
    padding: tuple[int, ...],
    data_format: VolumeFormat = "NCDHW",
) -> Tensor:
    """`max_pool2d_grad` for volumes of `size` (D, H, W)."""


@max_pool3d_grad.infer
@max_pool2d_grad.infer
def _(dy, position, size, kernel_size, stride, padding, data_format):
    channels = channels_of(dy.shape, data_format)
    return Spec(image_shape(dy.shape[0], channels, size, data_format), dy.dtype)


@max_pool3d_grad.kernel
@max_pool2d_grad.kernel
def _(dy, position, size, kernel_size, stride, padding, data_format):
    frame = Frame(kernel_size, stride, padding, data_format)
    images = image_shape(dy.shape[0], channels_of(dy.shape, data_format), size, data_format)
    result = np.zeros(frame.shape(images, dy.shape), dy.dtype)
    for place, pixels in enumerate(frame.positions(dy.shape)):
        result[pixels] += dy * (position == place)
    return np.ascontiguousarray(result[frame.inside(images)])


@max_pool3d_grad.lower
@max_pool2d_grad.lower
def _(i, dy, position, kernel_size, stride, padding, data_format):
    n, c, pixel = parted(i, data_format)
    counts, found = covering(pixel, kernel_size, stride, padding)

    def term(*k):
        window, place, _ = found(*k)
        index = joined(n, c, window, data_format)
        here = loop.eq(loop.cast(position.padded(index), int64), loop.flatten(place, kernel_size))
        return loop.select(here & is_inside(place, kernel_size), dy.padded(index), 0.0)

    return loop.sum(counts, term)


@max_pool3d_grad.grad
@max_pool2d_grad.grad
def _(g, position, kernel_size, stride, padding, data_format):
    selected = op_named(f"max_pool{len(stride)}d_select")
    return selected(g, position, kernel_size, stride, padding, data_format), None


@max_pool2d_grad.samples
def _(s):
    window = ((2, 2), (2, 2), (0, 0, 0, 0))
    yield s(s.randn(1, 1, 1, 2), s.ints(0, 4, 1, 1, 1, 2, dtype="uint8"), (2, 4), *window)
    overlapping = ((3, 3), (2, 2), (1, 1, 1, 1))
    yield s(s.randn(2, 3, 3, 2), s.ints(4, 5, 2, 3, 3, 2, dtype="uint8"), (6, 3), *overlapping)
    position = s.ints(0, 9, 2, 3, 3, 2, dtype="uint8")
    yield s(s.randn(2, 3, 3, 2), position, (7, 7), (3, 3), (2, 2), (0, 0, 0, 0), "NHWC")
    yield s(s.zeros(0, 1, 1, 2), s.zeros(0, 1, 1, 2, dtype="uint8"), (2, 4), *window)


@primitive(slow_kernel=True, infer=lambda x, position, **window: Spec(position.shape, x.dtype))
def max_pool2d_select(
    x: Tensor,
    position: Tensor,
    kernel_size: tuple[int, ...],
    stride: tuple[int, ...],
    padding: tuple[int, ...],
    data_format: DataFormat = "NCHW",
) -> Tensor:
    """x at a position in each window, 0 in padding: the adjoint of `max_pool2d_grad`.

    x: images. position: one element for each window. Returns the shape of position.
    """


@primitive(slow_kernel=True, infer=lambda x, position, **window: Spec(position.shape, x.dtype))
def max_pool3d_select(
    x: Tensor,
    position: Tensor,
    kernel_size: tuple[int, ...],
    stride: tuple[int, ...],
    padding: tuple[int, ...],
    data_format: VolumeFormat = "NCDHW",
) -> Tensor:
    """`max_pool2d_select` for volumes."""


@max_pool3d_select.kernel
@max_pool2d_select.kernel
def _(x, position, kernel_size, stride, padding, data_format):
    frame = Frame(kernel_size, stride, padding, data_format)
    framed = frame.framed(x, position.shape, 0)
    result = np.zeros(position.shape, x.dtype)
    for place, pixels in enumerate(frame.positions(position.shape)):
        result += framed[pixels] * (position == place)
    return result


@max_pool3d_select.lower
@max_pool2d_select.lower
def _(i, x, position, kernel_size, stride, padding, data_format):
    n, c, window = parted(i, data_format)
    place = loop.unflatten(loop.cast(position[i], int64), kernel_size)
    pixel = in_window(window, place, stride, padding)
    return x.padded(joined(n, c, pixel, data_format))


@max_pool3d_select.grad
@max_pool2d_select.grad
def _(g, position, specs, kernel_size, stride, padding, data_format):
    size = spatial_sizes(specs[0].shape, data_format)
    spread = op_named(f"max_pool{len(stride)}d_grad")
    return spread(g, position, size, kernel_size, stride, padding, data_format), None


@max_pool2d_select.samples
def _(s):
    window = ((2, 2), (2, 2), (0, 0, 0, 0))
    yield s(s.randn(1, 1, 2, 4), s.ints(0, 4, 1, 1, 1, 2, dtype="uint8"), *window)
    position = s.ints(0, 9, 2, 4, 4, 3, dtype="uint8")
    yield s(s.randn(2, 7, 7, 3), position, (3, 3), (2, 2), (1, 1, 1, 1), "NHWC")


max_pool3d_with_position.samples(lambda s: volume_samples(s))


@max_pool3d_grad.samples
def _(s):
    overlapping = ((3, 2, 2), (2, 2, 1), (1, 1, 0, 0, 1, 0))
    position = s.ints(0, 12, 2, 3, 2, 2, 2, dtype="uint8")
    yield s(s.randn(2, 3, 2, 2, 2), position, (4, 4, 2), *overlapping)
    window = ((2, 1, 2), (2, 1, 2), (0, 0, 0, 0, 0, 0))
    position = s.ints(0, 4, 1, 1, 2, 1, 2, dtype="uint8")
    yield s(s.randn(1, 1, 2, 1, 2), position, (2, 2, 2), *window, "NDHWC")


@max_pool3d_select.samples
def _(s):
    position = s.ints(0, 12, 2, 3, 2, 2, 2, dtype="uint8")
    window = ((3, 2, 2), (2, 2, 1), (1, 1, 0, 0, 1, 0))
    yield s(s.randn(2, 3, 4, 4, 2), position, *window)
