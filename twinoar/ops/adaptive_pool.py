"""Pooling to a size that is asked for, and maxima that tell where they are.

Adaptive pooling cuts an axis of n pixels into bins: bin i holds floor(i n / bins) to
ceil((i + 1) n / bins), so bins may overlap by a pixel.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, Literal

import numpy as np

from twinoar.core import loop
from twinoar.core.desc import Desc
from twinoar.core.dtype import int32, int64
from twinoar.core.explain import explained
from twinoar.core.op import primitive
from twinoar.core.spec import Shape, Spec
from twinoar.core.values import Value
from twinoar.errors import ArgumentError, ShapeError, UnsupportedError
from twinoar.ops.frame import Frame
from twinoar.ops.pixel import in_window, is_inside, joined, parted
from twinoar.ops.shape import squeeze, unsqueeze
from twinoar.ops.window import (
    all_windows,
    array_spec,
    check_floating,
    check_images,
    image_shape,
    per_axis,
    spatial_axes,
    spatial_sizes,
    working,
)

Tensor = Value
DataFormat = Literal["NCHW", "NHWC"]


@explained
def adaptive_avg_pool2d(
    x: Tensor, output_size: Any, data_format: str = "NCHW", name: str | None = None
) -> Tensor:
    """The averages of an image cut into output_size bins.

    x: [N,C,H,W] or [N,H,W,C], floating. output_size: one number or (h, w); None keeps a size.
    Returns [N,C,h,w] or [N,h,w,C]. Raises ShapeError and ArgumentError.

    >>> import twinoar
    >>> x = twinoar.to_tensor([[[[1.0, 2.0], [4.0, 3.0]]]])
    >>> twinoar.nn.functional.adaptive_avg_pool2d(x, 1).tolist()
    [[[[2.5]]]]
    """
    check_images(x.ndim, data_format)
    bins = _output_size(x, output_size, data_format)
    return adaptive_avg_pool2d_op(x, bins, data_format, name=name)


@explained
def adaptive_max_pool2d(
    x: Tensor, output_size: Any, return_mask: bool = False, name: str | None = None
) -> Any:
    """The maxima of an image cut into output_size bins.

    x: [N,C,H,W], floating. output_size: one number or (h, w); None keeps a size. Returns
    [N,C,h,w]; with return_mask also the position of each maximum in its H*W plane, int32.

    >>> import twinoar
    >>> x = twinoar.to_tensor([[[[1.0, 2.0], [4.0, 3.0]]]])
    >>> twinoar.nn.functional.adaptive_max_pool2d(x, 1).tolist()
    [[[[4.0]]]]
    """
    check_images(x.ndim, "NCHW")
    out, mask = max_pool2d_with_index(x, _output_size(x, output_size, "NCHW"), adaptive=True)
    return (out, mask) if return_mask else out


@explained
def adaptive_avg_pool1d(x: Tensor, output_size: int, name: str | None = None) -> Tensor:
    """The averages of a sequence cut into output_size bins.

    x: [N,C,L], floating. Returns [N,C,output_size].

    >>> import twinoar
    >>> x = twinoar.to_tensor([[[1.0, 3.0, 2.0, 0.0]]])
    >>> twinoar.nn.functional.adaptive_avg_pool1d(x, 2).tolist()
    [[[2.0, 1.0]]]
    """
    check_images(x.ndim, "NCL")
    bins = (1, *per_axis(output_size, 1, "output_size"))
    return squeeze(adaptive_avg_pool2d_op(unsqueeze(x, 2), bins), 2, name=name)


@explained
def adaptive_max_pool1d(
    x: Tensor, output_size: int, return_mask: bool = False, name: str | None = None
) -> Any:
    """The maxima of a sequence cut into output_size bins.

    x: [N,C,L], floating. Returns [N,C,output_size]; with return_mask also positions, int32.

    >>> import twinoar
    >>> x = twinoar.to_tensor([[[1.0, 3.0, 2.0, 0.0]]])
    >>> twinoar.nn.functional.adaptive_max_pool1d(x, 2).tolist()
    [[[3.0, 2.0]]]
    """
    check_images(x.ndim, "NCL")
    bins = (1, *per_axis(output_size, 1, "output_size"))
    out, mask = max_pool2d_with_index(unsqueeze(x, 2), bins, adaptive=True)
    out = squeeze(out, 2, name=name)
    return (out, squeeze(mask, 2)) if return_mask else out


def _output_size(x: Tensor, output_size: Any, data_format: str) -> Shape:
    """Numbers of bins, with the size of x where None stands."""
    sizes = spatial_sizes(x.spec.shape, data_format)
    given = output_size if isinstance(output_size, (list, tuple)) else [output_size] * 2
    if len(given) != 2:
        raise ArgumentError(f"output_size must be one or two numbers, received {output_size!r}")
    return tuple(n if bins is None else int(bins) for bins, n in zip(given, sizes, strict=True))


def _binned(x: Spec, output_size: Shape, data_format: str) -> Spec:
    check_images(x.ndim, data_format)
    check_floating(x)
    if any(isinstance(bins, int) and bins < 1 for bins in output_size):
        raise ArgumentError(f"output_size must be positive, received {list(output_size)}")
    if 0 in spatial_sizes(x.shape, data_format):
        raise ShapeError(f"x of shape {list(x.shape)} has no pixels to pool")
    channels = x.shape[-1 if data_format == "NHWC" else 1]
    return Spec(image_shape(x.shape[0], channels, output_size, data_format), x.dtype)


@primitive(
    name="adaptive_avg_pool2d",
    infer=_binned,
    desc=Desc(
        "pool2d",
        {"X": "x"},
        attrs={"ksize": "output_size", "data_format": "data_format"},
        fixed={"pooling_type": "avg", "adaptive": True},
        write=lambda attrs, specs: {
            "strides": (1, 1),
            "paddings": (0, 0),
            "padding_algorithm": "EXPLICIT",
            "ceil_mode": False,
            "exclusive": True,
            "global_pooling": False,
            "use_cudnn": True,
        },
    ),
)
def adaptive_avg_pool2d_op(
    x: Tensor, output_size: tuple[int, ...], data_format: DataFormat = "NCHW"
) -> Tensor:
    """The averages over output_size (h, w) bins: the operator under `adaptive_avg_pool2d`."""


@adaptive_avg_pool2d_op.kernel
def _(x, output_size, data_format):
    _binned(array_spec(x), output_size, data_format)
    (out,) = working(x)
    for axis, bins in zip(spatial_axes(x.ndim, data_format), output_size, strict=True):
        out = _along(out, axis, averaging(x.shape[axis], bins, out.dtype))
    return np.ascontiguousarray(out).astype(x.dtype, copy=False)


@adaptive_avg_pool2d_op.lower
def _(i, x, output_size, data_format):
    n, c, bin_ = parted(i, data_format)
    first, counts, most = _bins(bin_, spatial_sizes(x.shape, data_format), output_size)

    def term(*place):
        pixel = [a + k for a, k in zip(first, place, strict=True)]
        return loop.select(
            is_inside(place, counts), x.padded(joined(n, c, pixel, data_format)), 0.0
        )

    total = loop.sum(most, term)
    return total / loop.cast(math.prod(counts, start=loop.const(1)), total.dtype)


@adaptive_avg_pool2d_op.grad
def _(g, specs, output_size, data_format):
    return adaptive_avg_pool2d_grad(g, spatial_sizes(specs[0].shape, data_format), data_format)


@adaptive_avg_pool2d_op.onnx
def _(g, x, output_size, data_format):
    if data_format != "NCHW" or tuple(output_size) != (1, 1):
        raise ArgumentError("ONNX has adaptive pooling to 1x1 in NCHW only")
    return g.node("GlobalAveragePool", x)


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


@primitive(infer=lambda dy, size, data_format: _binned(dy, size, data_format))
def adaptive_avg_pool2d_grad(
    dy: Tensor, size: tuple[int, ...], data_format: DataFormat = "NCHW"
) -> Tensor:
    """dy spread evenly over bins of images of `size`: adjoint of `adaptive_avg_pool2d`."""


@adaptive_avg_pool2d_grad.kernel
def _(dy, size, data_format):
    (out,) = working(dy)
    for axis, n in zip(spatial_axes(dy.ndim, data_format), size, strict=True):
        out = _along(out, axis, averaging(n, dy.shape[axis], out.dtype).T)
    return np.ascontiguousarray(out).astype(dy.dtype, copy=False)


@adaptive_avg_pool2d_grad.lower
def _(i, dy, size, data_format):
    n, c, pixel = parted(i, data_format)
    output_size = spatial_sizes(dy.shape, data_format)
    first, counts, most = _bins(pixel, output_size, size)  # the bins that hold a pixel

    def term(*k):
        bin_ = [a + number for a, number in zip(first, k, strict=True)]
        share = dy.padded(joined(n, c, bin_, data_format))
        _, pixels, _ = _bins(bin_, size, output_size)
        share = share / loop.cast(math.prod(pixels, start=loop.const(1)), share.dtype)
        return loop.select(is_inside(k, counts), share, 0.0)

    return loop.sum(most, term)


@adaptive_avg_pool2d_grad.grad
def _(g, specs, data_format):
    return adaptive_avg_pool2d_op(g, spatial_sizes(specs[0].shape, data_format), data_format)


@adaptive_avg_pool2d_grad.samples
def _(s):
    yield s(s.randn(2, 3, 3, 2), (6, 4))
    yield s(s.randn(1, 2, 2, 5), (3, 3), "NHWC")


@primitive(
    desc=Desc(
        "max_pool2d_with_index",
        {"X": "x"},
        outputs=("Out", "Mask"),
        attrs={"ksize": "kernel_size", "strides": "stride", "adaptive": "adaptive"},
        write=lambda attrs, specs: _write_with_index(attrs),
        read=lambda slots, attrs: _read_with_index(slots["X"][0], attrs),
    )
)
def max_pool2d_with_index(
    x: Tensor,
    kernel_size: tuple[int, ...],
    stride: tuple[int, ...] = (1, 1),
    padding: tuple[int, ...] = (0, 0, 0, 0),
    ceil_mode: bool = False,
    adaptive: bool = False,
) -> tuple[Tensor, Tensor]:
    """The maximum of each window and its position in the H*W plane: the first of equal ones.

    x: [N,C,H,W]. adaptive: kernel_size is a number of bins (h, w), and the rest does not matter.
    Returns [N,C,OH,OW] in the dtype of x, and int32.
    """


def _write_with_index(attrs: dict[str, Any]) -> dict[str, Any]:
    if attrs["ceil_mode"] or attrs["padding"][::2] != attrs["padding"][1::2]:
        raise UnsupportedError(
            "this operator has no form in Paddle's files with ceil_mode or uneven padding",
            cure="pool without positions, or pad before",
        )
    return {"paddings": attrs["padding"][::2], "global_pooling": False}


def _read_with_index(x: Tensor, attrs: dict[str, Any]) -> tuple[Any, ...]:
    kernel_size, padding = tuple(attrs["ksize"]), attrs.get("paddings", (0, 0))
    if attrs.get("global_pooling", False):
        return max_pool2d_with_index(x, (1, 1), adaptive=True)
    sides = tuple(p for p in padding for _ in range(2))
    stride = tuple(attrs.get("strides", (1, 1)))
    adaptive = attrs.get("adaptive", False)
    return max_pool2d_with_index(x, kernel_size, stride, sides, adaptive=adaptive)


@max_pool2d_with_index.infer
def _(x, kernel_size, stride, padding, ceil_mode, adaptive):
    if adaptive:
        binned = _binned(x, kernel_size, "NCHW")
        return binned, Spec(binned.shape, int32)
    check_images(x.ndim, "NCHW")
    check_floating(x)
    out = all_windows(x.shape[2:], kernel_size, stride, padding, ceil=ceil_mode)
    return Spec((*x.shape[:2], *out), x.dtype), Spec((*x.shape[:2], *out), int32)


@max_pool2d_with_index.kernel
def _(x, kernel_size, stride, padding, ceil_mode, adaptive):
    given = (kernel_size, stride, padding, ceil_mode, adaptive)
    spec, _ = max_pool2d_with_index.rules["infer"](array_spec(x), *given)
    if adaptive:
        return _binned_maxima(x, spec.shape)
    frame = Frame(kernel_size, stride, padding, "NCHW")
    h, w = x.shape[2:]
    plane = np.arange(h * w, dtype=np.int32).reshape(1, 1, h, w)
    framed, places = frame.framed(x, spec.shape, -np.inf), frame.framed(plane, spec.shape, -1)
    out = np.full(spec.shape, -np.inf, x.dtype)
    mask = np.full(spec.shape, -1, np.int32)
    for pixels in frame.positions(spec.shape):
        candidate = framed[pixels]
        better = (candidate > out) | ((mask < 0) & (places[pixels] >= 0))
        better |= np.isnan(candidate) & ~np.isnan(out)
        np.copyto(out, candidate, where=better)
        np.copyto(mask, places[pixels], where=better)
    return out, mask


@max_pool2d_with_index.lower
def _(i, x, nth, kernel_size, stride, padding, adaptive):
    n, c, window = i[0], i[1], i[2:]
    size = x.shape[2:]
    if adaptive:
        first, counts, most = _bins(window, size, kernel_size)
    else:
        first, counts, most = in_window(window, (0, 0), stride, padding), kernel_size, kernel_size

    def term(*place):
        pixel = [a + k for a, k in zip(first, place, strict=True)]
        return loop.select(is_inside(place, counts), x.padded((n, c, *pixel), -math.inf), -math.inf)

    if nth == 0:
        return loop.reduce("max", most, term)
    place = loop.unflatten(loop.argmax(most, term), most)
    # where all are equal the first place counts, and moves into the image if that is padding
    pixel = [loop.clamped(a + k, m) for a, k, m in zip(first, place, size, strict=True)]
    return loop.flatten(pixel, size)


@max_pool2d_with_index.grad
def _(gs, outs, specs):
    return scatter_pixels(gs[0], outs[1], specs[0].shape[2:])


@max_pool2d_with_index.samples
def _(s):
    yield s(s.distinct(2, 3, 6, 4), (2, 2), (2, 2))
    yield s(s.distinct(1, 2, 7, 6), (3, 2), (2, 1), (1, 0, 1, 1))
    yield s(s.distinct(1, 2, 6, 6), (3, 3), (2, 2), (1, 1, 1, 1), True)
    yield s(s.distinct(1, 2, 7, 5), (3, 2), adaptive=True)
    tied = np.array([[[[1.0, 1.0, 0.0], [np.nan, 0.0, np.nan], [-np.inf] * 3]]])
    yield s(tied, (2, 2), padding=(1, 1, 1, 1), gradient=False)
    yield s(s.zeros(0, 2, 4, 4), (2, 2))
    yield s.bad(ShapeError, "does not fit", s.randn(1, 3, 4, 4), (5, 5))
    yield s.bad(ArgumentError, "must be positive", s.randn(1, 3, 4, 4), (0, 2), adaptive=True)


@primitive(
    infer=lambda x, mask, size: Spec((*x.shape[:2], *size), x.dtype),
    grad=lambda g, mask: (gather_pixels(g, mask), None),
)
def scatter_pixels(x: Tensor, mask: Tensor, size: tuple[int, ...]) -> Tensor:
    """Zeros with each element of x added at its position in the plane.

    x: [N,C,h,w]. mask: [N,C,h,w], positions in planes of `size` (H, W), int32. Returns [N,C,H,W].
    """


@scatter_pixels.kernel
def _(x, mask, size):
    planes = np.zeros((x.shape[0] * x.shape[1], size[0] * size[1]), x.dtype)
    places = mask.reshape(len(planes), mask.shape[2] * mask.shape[3])
    np.add.at(planes, (np.arange(len(planes))[:, None], places), x.reshape(places.shape))
    return planes.reshape(*x.shape[:2], *size)


@scatter_pixels.samples
def _(s):
    yield s(s.randn(2, 3, 2, 2), s.ints(0, 12, 2, 3, 2, 2, dtype="int32"), (3, 4))


@primitive(
    infer=lambda x, mask: Spec(mask.shape, x.dtype),
    grad=lambda g, mask, specs: (scatter_pixels(g, mask, specs[0].shape[2:]), None),
)
def gather_pixels(x: Tensor, mask: Tensor) -> Tensor:
    """The elements of x at positions in their plane: adjoint of `scatter_pixels`.

    x: [N,C,H,W]. mask: [N,C,h,w], int32. Returns [N,C,h,w].
    """


@gather_pixels.kernel
def _(x, mask):
    planes = x.reshape(*x.shape[:2], x.shape[2] * x.shape[3])
    places = mask.reshape(*mask.shape[:2], mask.shape[2] * mask.shape[3])
    return np.take_along_axis(planes, places, axis=2).reshape(mask.shape)


@gather_pixels.lower
def _(i, x, mask):
    size = x.shape[2:]
    place = loop.bounded(loop.cast(mask[i], int64), math.prod(size), "position")
    return x[(*i[:2], *loop.unflatten(place, size))]


@gather_pixels.samples
def _(s):
    yield s(s.randn(2, 3, 3, 4), s.ints(0, 12, 2, 3, 2, 2, dtype="int32"))


def bins_of(n: Any, bins: Any) -> Iterator[tuple[int, int]]:
    """First pixel and the one after the last of each bin.

    >>> list(bins_of(5, 2))
    [(0, 3), (2, 5)]
    """
    return ((i * n // bins, -((-i - 1) * n // bins)) for i in range(bins))


def _bins(
    bin_: Sequence[Any], size: Sequence[Any], bins: Sequence[Any]
) -> tuple[tuple[Any, ...], tuple[Any, ...], tuple[int, ...]]:
    """In the loop language: the first pixel of a bin, how many it has, and how many one may have.

    The same function of sizes exchanged gives the bins that hold a pixel.
    """
    first = tuple(i * n // m for i, n, m in zip(bin_, size, bins, strict=True))
    last = (-((-i - 1) * n // m) for i, n, m in zip(bin_, size, bins, strict=True))
    counts = tuple(b - a for a, b in zip(first, last, strict=True))
    most = tuple(max(b - a for a, b in bins_of(n, m)) for n, m in zip(size, bins, strict=True))
    return first, counts, most


def averaging(n: int, bins: int, dtype: Any) -> np.ndarray:
    """The matrix [bins, n] that averages n pixels into bins."""
    matrix = np.zeros((bins, n), dtype)
    for i, (first, last) in enumerate(bins_of(n, bins)):
        matrix[i, first:last] = 1 / (last - first)
    return matrix


def _along(x: np.ndarray, axis: int, matrix: np.ndarray) -> np.ndarray:
    """The matrix applied along one axis."""
    return np.moveaxis(np.moveaxis(x, axis, -1) @ matrix.T, -1, axis)


def _binned_maxima(x: np.ndarray, shape: Shape) -> tuple[np.ndarray, np.ndarray]:
    """Maxima of bins and their positions; one pass for each bin."""
    out, mask = np.empty(shape, x.dtype), np.empty(shape, np.int32)
    w = x.shape[3]
    bins = [
        list(enumerate(bins_of(n, count))) for n, count in zip(x.shape[2:], shape[2:], strict=True)
    ]
    for (i, (top, bottom)), (j, (left, right)) in product(*bins):
        part = x[:, :, top:bottom, left:right]
        flat = part.reshape(*part.shape[:2], (bottom - top) * (right - left))
        best = flat.argmax(axis=2)
        out[:, :, i, j] = np.take_along_axis(flat, best[:, :, None], axis=2)[:, :, 0]
        row, column = np.divmod(best, right - left)
        mask[:, :, i, j] = (top + row) * w + left + column
    return out, mask
