"""Averages over bins of images and volumes, and the operators that are their gradients."""

from __future__ import annotations

import math

import numpy as np

from twinoar.core.op.declare import Desc, Tensor, loop, op_named, primitive
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops.pool._bins import averaging, binned, bins_around
from twinoar.ops.pool._form import DataFormat, VolumeFormat
from twinoar.ops.window._geometry import array_spec, spatial_axes, spatial_sizes, working
from twinoar.ops.window._pixel import is_inside, joined, parted


def _desc(rank: int) -> Desc:
    plain = {"ceil_mode": False, "exclusive": True, "global_pooling": False, "use_cudnn": True}
    window = {"strides": (1,) * rank, "paddings": (0,) * rank, "padding_algorithm": "EXPLICIT"}
    return Desc(
        f"pool{rank}d",
        {"X": "x"},
        attrs={"ksize": "output_size", "data_format": "data_format"},
        fixed={"pooling_type": "avg", "adaptive": True},
        write=lambda attrs, specs: plain | window,
    )


@primitive(
    slow_kernel=True,
    name="adaptive_avg_pool2d",
    infer=binned,
    desc=_desc(2),
)
def adaptive_avg_pool2d_op(
    x: Tensor, output_size: tuple[int, ...], data_format: DataFormat = "NCHW"
) -> Tensor:
    """The averages over output_size (h, w) bins: the operator under `adaptive_avg_pool2d`."""


@primitive(
    slow_kernel=True,
    name="adaptive_avg_pool3d",
    infer=binned,
    desc=_desc(3),
)
def adaptive_avg_pool3d_op(
    x: Tensor, output_size: tuple[int, ...], data_format: VolumeFormat = "NCDHW"
) -> Tensor:
    """`adaptive_avg_pool2d` of volumes, over output_size (d, h, w) bins."""


@adaptive_avg_pool3d_op.kernel
@adaptive_avg_pool2d_op.kernel
def _(x, output_size, data_format):
    binned(array_spec(x), output_size, data_format)
    (out,) = working(x)
    for axis, bins in zip(spatial_axes(x.ndim, data_format), output_size, strict=True):
        out = _along(out, axis, averaging(x.shape[axis], bins, out.dtype))
    return np.ascontiguousarray(out).astype(x.dtype, copy=False)


@adaptive_avg_pool3d_op.lower
@adaptive_avg_pool2d_op.lower
def _(i, x, output_size, data_format):
    n, c, bin_ = parted(i, data_format)
    first, counts, most = bins_around(bin_, spatial_sizes(x.shape, data_format), output_size)

    def term(*place):
        pixel = [a + k for a, k in zip(first, place, strict=True)]
        return loop.select(
            is_inside(place, counts), x.padded(joined(n, c, pixel, data_format)), 0.0
        )

    total = loop.sum(most, term)
    return total / loop.cast(math.prod(counts, start=loop.const(1)), total.dtype)


@adaptive_avg_pool3d_op.grad
@adaptive_avg_pool2d_op.grad
def _(g, specs, output_size, data_format):
    size = spatial_sizes(specs[0].shape, data_format)
    return op_named(f"adaptive_avg_pool{len(size)}d_grad")(g, size, data_format)


@adaptive_avg_pool2d_op.samples
def _(s):
    yield s(s.randn(2, 3, 6, 4), (3, 2))
    yield s(s.randn(1, 2, 7, 5), (3, 8))
    yield s(s.randn(2, 5, 4, 3), (1, 1), "NHWC")
    yield s(s.zeros(0, 2, 4, 4), (2, 2))
    yield s(s.randn(1, 2, 3, 3, dtype="float64"), (2, 2))
    yield s.bad(ShapeError, "4 dimensions", s.randn(3, 4, 4), (2, 2))
    yield s.bad(ShapeError, "no pixels", s.zeros(1, 3, 0, 4), (2, 2))
    yield s.bad(ArgumentError, "must be positive", s.randn(1, 3, 4, 4), (0, 2))


@primitive(slow_kernel=True, infer=lambda dy, size, data_format: binned(dy, size, data_format))
def adaptive_avg_pool2d_grad(
    dy: Tensor, size: tuple[int, ...], data_format: DataFormat = "NCHW"
) -> Tensor:
    """dy spread evenly over bins of images of `size`: adjoint of `adaptive_avg_pool2d`."""


@primitive(slow_kernel=True, infer=lambda dy, size, data_format: binned(dy, size, data_format))
def adaptive_avg_pool3d_grad(
    dy: Tensor, size: tuple[int, ...], data_format: VolumeFormat = "NCDHW"
) -> Tensor:
    """`adaptive_avg_pool2d_grad` for volumes of `size` (D, H, W)."""


@adaptive_avg_pool3d_grad.kernel
@adaptive_avg_pool2d_grad.kernel
def _(dy, size, data_format):
    (out,) = working(dy)
    for axis, n in zip(spatial_axes(dy.ndim, data_format), size, strict=True):
        out = _along(out, axis, averaging(n, dy.shape[axis], out.dtype).T)
    return np.ascontiguousarray(out).astype(dy.dtype, copy=False)


@adaptive_avg_pool3d_grad.lower
@adaptive_avg_pool2d_grad.lower
def _(i, dy, size, data_format):
    n, c, pixel = parted(i, data_format)
    output_size = spatial_sizes(dy.shape, data_format)
    first, counts, most = bins_around(pixel, output_size, size)  # the bins that hold a pixel

    def term(*k):
        bin_ = [a + number for a, number in zip(first, k, strict=True)]
        share = dy.padded(joined(n, c, bin_, data_format))
        _, pixels, _ = bins_around(bin_, size, output_size)
        share = share / loop.cast(math.prod(pixels, start=loop.const(1)), share.dtype)
        return loop.select(is_inside(k, counts), share, 0.0)

    return loop.sum(most, term)


@adaptive_avg_pool3d_grad.grad
@adaptive_avg_pool2d_grad.grad
def _(g, specs, data_format):
    size = spatial_sizes(specs[0].shape, data_format)
    return op_named(f"adaptive_avg_pool{len(size)}d")(g, size, data_format)


@adaptive_avg_pool2d_grad.samples
def _(s):
    yield s(s.randn(2, 3, 3, 2), (6, 4))
    yield s(s.randn(1, 2, 2, 5), (3, 3), "NHWC")


@adaptive_avg_pool3d_op.samples
def _(s):
    yield s(s.randn(2, 2, 3, 4, 2), (2, 3, 1))
    yield s(s.randn(1, 3, 2, 4, 2), (2, 3, 3), "NDHWC")
    yield s(s.zeros(0, 2, 3, 4, 2), (2, 3, 1))
    yield s.bad(ShapeError, "5 dimensions", s.randn(3, 4, 4, 4), (2, 2, 2))


@adaptive_avg_pool3d_grad.samples
def _(s):
    yield s(s.randn(2, 2, 2, 3, 1), (3, 4, 2))
    yield s(s.randn(1, 2, 3, 3, 2), (3, 4, 2), "NDHWC")


def _along(x: np.ndarray, axis: int, matrix: np.ndarray) -> np.ndarray:
    """The matrix applied along one axis; what is not finite stays within its own bins."""
    lines = np.moveaxis(x, axis, -1)
    with np.errstate(invalid="ignore"):
        out = lines @ matrix.T
        if not np.isfinite(out).all():  # 0 times infinity is not 0
            parts = [lines[..., row != 0] @ row[row != 0] for row in matrix]
            out = np.stack(parts, -1)
    return np.moveaxis(out, -1, axis)
