"""Pooling of images over windows: maxima and averages, and the operators that are their gradients.

The gradient of an average spreads and the gradient of a maximum selects; each pair is mutually
adjoint, so derivatives of every order come from the same few operators. Adaptive pooling, and
maxima with their indices, are in `adaptive_pool`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from twinoar.core.desc import Desc
from twinoar.core.dim import is_known
from twinoar.core.explain import explained
from twinoar.core.op import primitive
from twinoar.core.spec import Shape, Spec
from twinoar.core.values import Value
from twinoar.errors import ArgumentError, DTypeError, ShapeError
from twinoar.ops.adaptive_pool import adaptive_avg_pool2d_op, max_pool2d_with_index
from twinoar.ops.frame import Frame
from twinoar.ops.shape import squeeze, unsqueeze
from twinoar.ops.window import (
    all_windows,
    array_spec,
    check_floating,
    check_images,
    explicit_padding,
    image_shape,
    paddle_paddings,
    per_axis,
    read_padding,
    spatial_sizes,
    working,
)

Tensor = Value
DataFormat = Literal["NCHW", "NHWC"]


@explained
def max_pool2d(
    x: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    return_mask: bool = False,
    ceil_mode: bool = False,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Any:
    """The maximum over windows of an image.

    x: [N,C,H,W] or [N,H,W,C], floating. kernel_size, stride: pixels, one number or (h, w); stride
    is kernel_size where None. padding: "SAME", "VALID", one, two or four numbers, or a pair for
    every dimension. ceil_mode: windows may hang over the edge. Returns [N,C,OH,OW] or [N,OH,OW,C];
    with return_mask also the position of each maximum in its H*W plane, int32. A gradient goes to
    the first of equal maxima. Raises ShapeError and ArgumentError.

    >>> import twinoar
    >>> x = twinoar.to_tensor([[[[1.0, 2.0], [4.0, 3.0]]]])
    >>> twinoar.nn.functional.max_pool2d(x, 2).tolist()
    [[[[4.0]]]]
    """
    window = _window(x, kernel_size, stride, padding, ceil_mode, data_format)
    if not return_mask:
        return max_pool2d_op(x, *window, ceil_mode, data_format, name=name)
    if data_format != "NCHW":
        raise ArgumentError("return_mask needs data_format='NCHW'", cure="transpose x")
    return max_pool2d_with_index(x, *window, ceil_mode)


@explained
def avg_pool2d(
    x: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    exclusive: bool = True,
    divisor_override: float | None = None,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Tensor:
    """The average over windows of an image.

    x: [N,C,H,W] or [N,H,W,C], floating. kernel_size, stride, padding, ceil_mode: as `max_pool2d`.
    exclusive: padding does not count. divisor_override: divides the sum instead of the count.
    Returns [N,C,OH,OW] or [N,OH,OW,C]. Raises ShapeError and ArgumentError.

    >>> import twinoar
    >>> x = twinoar.to_tensor([[[[1.0, 2.0], [4.0, 3.0]]]])
    >>> twinoar.nn.functional.avg_pool2d(x, 2).tolist()
    [[[[2.5]]]]
    """
    window = _window(x, kernel_size, stride, padding, ceil_mode, data_format)
    out = avg_pool2d_op(x, *window, ceil_mode, exclusive, data_format, name=name)
    if divisor_override is None:
        return out
    if divisor_override <= 0:
        raise ArgumentError(f"divisor_override must be positive, received {divisor_override}")
    height, width = per_axis(kernel_size, 2, "kernel_size")
    return out * (height * width / divisor_override)


@explained
def max_pool1d(
    x: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    return_mask: bool = False,
    ceil_mode: bool = False,
    name: str | None = None,
) -> Any:
    """The maximum over windows of a sequence: `max_pool2d` with one row.

    x: [N,C,L]. Returns [N,C,OL], with return_mask also positions, int32. Raises ShapeError.

    >>> import twinoar
    >>> twinoar.nn.functional.max_pool1d(twinoar.to_tensor([[[1.0, 3.0, 2.0, 0.0]]]), 2).tolist()
    [[[3.0, 2.0]]]
    """
    check_images(x.ndim, "NCL")
    window = _window_along(x, kernel_size, stride, padding, ceil_mode)
    row = unsqueeze(x, 2)
    if not return_mask:
        return squeeze(max_pool2d_op(row, *window, ceil_mode), 2, name=name)
    out, mask = max_pool2d_with_index(row, *window, ceil_mode)
    return squeeze(out, 2, name=name), squeeze(mask, 2)


@explained
def avg_pool1d(
    x: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    exclusive: bool = True,
    ceil_mode: bool = False,
    name: str | None = None,
) -> Tensor:
    """The average over windows of a sequence: `avg_pool2d` with one row.

    x: [N,C,L]. Returns [N,C,OL]. Raises ShapeError.

    >>> import twinoar
    >>> twinoar.nn.functional.avg_pool1d(twinoar.to_tensor([[[1.0, 3.0, 2.0, 0.0]]]), 2).tolist()
    [[[2.0, 1.0]]]
    """
    check_images(x.ndim, "NCL")
    window = _window_along(x, kernel_size, stride, padding, ceil_mode)
    return squeeze(avg_pool2d_op(unsqueeze(x, 2), *window, ceil_mode, exclusive), 2, name=name)


def _window(
    x: Tensor, kernel_size: Any, stride: Any, padding: Any, ceil_mode: bool, data_format: str
) -> tuple[Shape, Shape, Shape]:
    """Kernel size, stride and padding in normal form."""
    check_images(x.ndim, data_format)
    if ceil_mode and isinstance(padding, str) and padding.upper() == "VALID":
        raise ArgumentError("ceil_mode needs a padding in numbers, received 'VALID'")
    size = per_axis(kernel_size, 2, "kernel_size")
    steps = size if stride is None else per_axis(stride, 2, "stride")
    sizes = spatial_sizes(x.spec.shape, data_format)
    return size, steps, explicit_padding(padding, data_format, sizes, size, steps)


def _window_along(
    x: Tensor, kernel_size: Any, stride: Any, padding: Any, ceil_mode: bool
) -> tuple[Shape, Shape, Shape]:
    """The same for a sequence seen as an image of one row."""
    if ceil_mode and isinstance(padding, str) and padding.upper() == "VALID":
        raise ArgumentError("ceil_mode needs a padding in numbers, received 'VALID'")
    size = per_axis(kernel_size, 1, "kernel_size")
    steps = size if stride is None else per_axis(stride, 1, "stride")
    sides = explicit_padding(padding, "NCL", x.spec.shape[2:], size, steps)
    return (1, *size), (1, *steps), (0, 0, *sides)


def _read_pool2d(slots: dict[str, list[Any]], attrs: dict[str, Any]) -> Tensor:
    (x,) = slots["X"]
    data_format = "NHWC" if attrs.get("data_format", "NCHW") == "NHWC" else "NCHW"
    sizes = spatial_sizes(x.spec.shape, data_format)
    whole, kernel_size = attrs.get("global_pooling", False), tuple(attrs["ksize"])
    maximum = attrs["pooling_type"] == "max"
    if attrs.get("adaptive", False) or (whole and not is_known(*sizes)):
        kernel_size = (1, 1) if whole else kernel_size
        if not maximum:
            return adaptive_avg_pool2d_op(x, kernel_size, data_format)
        return max_pool2d_with_index(x, kernel_size, adaptive=True)[0]
    window: tuple[Any, ...]
    if whole:
        window = (sizes, sizes, (0, 0, 0, 0))
    else:
        stride = tuple(attrs.get("strides", (1, 1)))
        padding = read_padding(attrs, data_format, sizes, kernel_size, stride)
        window = (kernel_size, stride, padding)
    ceil_mode = attrs.get("ceil_mode", False)
    if maximum:
        return max_pool2d_op(x, *window, ceil_mode, data_format)
    return avg_pool2d_op(x, *window, ceil_mode, attrs.get("exclusive", True), data_format)


def _write_pool2d(attrs: dict[str, Any], specs: Sequence[Spec]) -> dict[str, Any]:
    plain = {"global_pooling": False, "exclusive": True, "use_cudnn": True}
    return plain | {"exclusive": attrs.get("exclusive", True)} | paddle_paddings(attrs["padding"])


def _desc(kind: str) -> Desc:
    attrs = {"ksize": "kernel_size", "strides": "stride"}
    return Desc(
        "pool2d",
        {"X": "x"},
        attrs=attrs | {"ceil_mode": "ceil_mode", "data_format": "data_format"},
        fixed={"pooling_type": kind, "adaptive": False},
        write=_write_pool2d,
        read=_read_pool2d,
    )


def _pooled(
    x: Spec,
    kernel_size: Shape,
    stride: Shape,
    padding: Shape,
    ceil_mode: bool,
    data_format: str,
) -> Spec:
    """The spec of pooled images."""
    check_images(x.ndim, data_format)
    check_floating(x)
    sizes = spatial_sizes(x.shape, data_format)
    out = all_windows(sizes, kernel_size, stride, padding, ceil=ceil_mode)
    return Spec(image_shape(x.shape[0], _channels(x.shape, data_format), out, data_format), x.dtype)


def _pool_samples(s):
    yield s(s.distinct(2, 3, 6, 4), (2, 2), (2, 2))
    yield s(s.distinct(1, 2, 7, 6), (3, 2), (2, 1), (1, 0, 1, 1))
    yield s(s.distinct(1, 2, 6, 6), (3, 3), (2, 2), (0, 1, 1, 0), True)
    yield s(s.distinct(2, 5, 4, 3), (2, 2), (1, 1), data_format="NHWC")
    yield s(s.distinct(1, 1, 1, 1), (1, 1))
    yield s(s.zeros(0, 2, 4, 4), (2, 2))
    yield s(s.distinct(1, 2, 4, 4, dtype="float64"), (2, 3))
    yield s.bad(ShapeError, "4 dimensions", s.randn(3, 4, 4), (2, 2))
    yield s.bad(ShapeError, "does not fit", s.randn(1, 3, 4, 4), (5, 5))
    yield s.bad(ArgumentError, "stride must be positive", s.randn(1, 3, 4, 4), (2, 2), (0, 1))
    yield s.bad(DTypeError, "floating", s.ints(0, 9, 1, 3, 4, 4), (2, 2))


@primitive(
    name="max_pool2d",
    infer=lambda x, **window: _pooled(x, **window),
    desc=_desc("max"),
    samples=_pool_samples,
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


@max_pool2d_op.kernel
def _(x, kernel_size, stride, padding, ceil_mode, data_format):
    spec = _pooled(array_spec(x), kernel_size, stride, padding, ceil_mode, data_format)
    frame = Frame(kernel_size, stride, padding, data_format)
    framed = frame.framed(x, spec.shape, -np.inf)
    out = np.full(spec.shape, -np.inf, x.dtype)
    for pixels in frame.positions(spec.shape):
        np.maximum(out, framed[pixels], out=out)
    return out


@max_pool2d_op.grad
def _(g, x, out, kernel_size, stride, padding, ceil_mode, data_format):
    return max_pool2d_grad(g, x, out, kernel_size, stride, padding, data_format)


@max_pool2d_op.onnx
def _(g, x, kernel_size, stride, padding, ceil_mode, data_format):
    return g.node(
        "MaxPool", x, **_onnx_window(kernel_size, stride, padding, ceil_mode, data_format)
    )


@primitive(infer=lambda dy, x, maxima, **window: x)
def max_pool2d_grad(
    dy: Tensor,
    x: Tensor,
    maxima: Tensor,
    kernel_size: tuple[int, ...],
    stride: tuple[int, ...],
    padding: tuple[int, ...],
    data_format: DataFormat = "NCHW",
) -> Tensor:
    """dy at the first maximum of each window of x, summed where windows overlap; zeros elsewhere.

    dy: the shape of maxima, which is x pooled. Returns the shape of x.
    """


@max_pool2d_grad.kernel
def _(dy, x, maxima, kernel_size, stride, padding, data_format):
    frame = Frame(kernel_size, stride, padding, data_format)
    result = np.zeros(frame.shape(x.shape, maxima.shape), dy.dtype)
    for pixels, first in frame.first_maxima(x, maxima):
        result[pixels] += dy * first
    return np.ascontiguousarray(result[frame.inside(x.shape)])


@max_pool2d_grad.grad
def _(g, x, maxima, kernel_size, stride, padding, data_format):
    return max_pool2d_select(g, x, maxima, kernel_size, stride, padding, data_format), None, None


@max_pool2d_grad.samples
def _(s):
    x = s.distinct(1, 1, 2, 4)
    maxima = x.reshape(1, 1, 2, 2, 2).max(axis=(2, 4))[:, :, None]
    yield s(s.randn(1, 1, 1, 2), x, maxima, (2, 2), (2, 2), (0, 0, 0, 0), gradient=False)


@primitive(infer=lambda x, source, maxima, **window: maxima)
def max_pool2d_select(
    x: Tensor,
    source: Tensor,
    maxima: Tensor,
    kernel_size: tuple[int, ...],
    stride: tuple[int, ...],
    padding: tuple[int, ...],
    data_format: DataFormat = "NCHW",
) -> Tensor:
    """x at the place of the first maximum of each window of source: adjoint of `max_pool2d_grad`.

    x: the shape of source. maxima: source pooled. Returns the shape of maxima.
    """


@max_pool2d_select.kernel
def _(x, source, maxima, kernel_size, stride, padding, data_format):
    frame = Frame(kernel_size, stride, padding, data_format)
    framed = frame.framed(x, maxima.shape, 0)
    result = np.zeros(maxima.shape, x.dtype)
    for pixels, first in frame.first_maxima(source, maxima):
        result += framed[pixels] * first
    return result


@max_pool2d_select.grad
def _(g, source, maxima, kernel_size, stride, padding, data_format):
    return max_pool2d_grad(g, source, maxima, kernel_size, stride, padding, data_format), None, None


@max_pool2d_select.samples
def _(s):
    source = s.distinct(1, 1, 2, 4)
    maxima = source.reshape(1, 1, 2, 2, 2).max(axis=(2, 4))[:, :, None]
    yield s(s.randn(1, 1, 2, 4), source, maxima, (2, 2), (2, 2), (0, 0, 0, 0), gradient=False)


@primitive(
    name="avg_pool2d",
    infer=lambda x, exclusive, **window: _pooled(x, **window),
    desc=_desc("avg"),
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


@avg_pool2d_op.kernel
def _(x, kernel_size, stride, padding, ceil_mode, exclusive, data_format):
    spec = _pooled(array_spec(x), kernel_size, stride, padding, ceil_mode, data_format)
    frame = Frame(kernel_size, stride, padding, data_format)
    (wide,) = working(x)
    framed = frame.framed(wide, spec.shape, 0)
    out = np.zeros(spec.shape, wide.dtype)
    for pixels in frame.positions(spec.shape):
        out += framed[pixels]
    out /= frame.counts(x.shape, spec.shape, exclusive).astype(wide.dtype)
    return out.astype(x.dtype, copy=False)


@avg_pool2d_op.grad
def _(g, specs, kernel_size, stride, padding, ceil_mode, exclusive, data_format):
    size = spatial_sizes(specs[0].shape, data_format)
    rest = (kernel_size, stride, padding, ceil_mode, exclusive, data_format)
    return avg_pool2d_grad(g, size, *rest)


@avg_pool2d_op.onnx
def _(g, x, kernel_size, stride, padding, ceil_mode, exclusive, data_format):
    window = _onnx_window(kernel_size, stride, padding, ceil_mode, data_format)
    return g.node("AveragePool", x, count_include_pad=int(not exclusive), **window)


@avg_pool2d_op.samples
def _(s):
    yield from _pool_samples(s)
    yield s(s.randn(1, 2, 6, 6), (3, 3), (2, 2), (1, 1, 1, 1), True, False)


@primitive(infer=lambda dy, size, data_format, **_: _unpooled(dy, size, data_format))
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


@avg_pool2d_grad.grad
def _(g, kernel_size, stride, padding, ceil_mode, exclusive, data_format):
    return avg_pool2d_op(g, kernel_size, stride, padding, ceil_mode, exclusive, data_format)


@avg_pool2d_grad.samples
def _(s):
    yield s(s.randn(2, 3, 3, 2), (6, 4), (2, 2), (2, 2), (0, 0, 0, 0))
    yield s(s.randn(1, 2, 3, 6), (7, 6), (3, 2), (2, 1), (1, 0, 1, 0), exclusive=False)
    yield s(s.randn(1, 3, 3, 2), (6, 6), (3, 3), (2, 2), (0, 1, 1, 0), True, data_format="NHWC")


def _unpooled(dy: Spec, size: Shape, data_format: str) -> Spec:
    """The spec of images of `size` that were pooled to dy."""
    return Spec(
        image_shape(dy.shape[0], _channels(dy.shape, data_format), size, data_format), dy.dtype
    )


def _channels(shape: Shape, data_format: str) -> Any:
    return shape[-1 if data_format == "NHWC" else 1]


def _onnx_window(
    kernel_size: Shape, stride: Shape, padding: Shape, ceil_mode: bool, data_format: str
) -> dict[str, Any]:
    if data_format != "NCHW":
        raise ArgumentError("ONNX has pooling in NCHW only", cure="build the model in NCHW")
    pads = (*padding[::2], *padding[1::2])
    return {
        "kernel_shape": kernel_size,
        "strides": stride,
        "pads": pads,
        "ceil_mode": int(ceil_mode),
    }
