"""Convolution of integers of 8 bits, and what is done to its sums."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from twinoar.core.dtype import DType, float32, int8, int32, uint8
from twinoar.core.op.declare import Tensor, loop, primitive
from twinoar.core.op.library import Convolution, Scaled
from twinoar.errors import ArgumentError, DTypeError, ShapeError
from twinoar.ops.quant._sums import ARRAYS, check_call, check_finish, check_integers, finished
from twinoar.ops.window._columns import batches, channels_first, filtered, padded, windows_of
from twinoar.ops.window._geometry import (
    all_windows,
    check_filters,
    check_images,
    image_shape,
    spatial_sizes,
)
from twinoar.ops.window._pixel import in_window, joined, parted


@primitive(amp="full")
def integer_conv2d(
    x: Tensor,
    weight: Tensor,
    scale: Tensor,
    bias: Tensor | None = None,
    residual: Tensor | None = None,
    factor: Tensor | None = None,
    stride: tuple[int, ...] = (1, 1),
    padding: tuple[int, ...] = (0, 0, 0, 0),
    dilation: tuple[int, ...] = (1, 1),
    groups: int = 1,
    data_format: Literal["NCHW", "NHWC"] = "NCHW",
    activation: str = "",
    dtype: DType = float32,
    nonnegative: bool = False,
) -> Tensor:
    """activation(s * scale + bias + residual) * factor, s being `conv2d` of integers, exact.

    x: [N,C,H,W] or [N,H,W,C], int8 or uint8. weight: [O,C/groups,KH,KW], int8. scale: [O] or [1],
    float32. bias: [O], float32. residual: as the result, float32 or of 8 bits. factor: [1],
    float32. stride, padding, dilation, groups: as of `conv2d`. activation: "", "relu", "relu6" or
    "hardswish". dtype: of the result, float32, or int8 and uint8, to which it is rounded.
    nonnegative: x holds no number below 0, which is not checked, and is faster. Returns [N,O,OH,OW]
    or [N,OH,OW,O]. Raises ShapeError, DTypeError, ArgumentError. Source: arXiv 1712.05877, eq. 5.

    >>> from twinoar.ops.quant.integer_conv2d import integer_conv2d
    >>> x, weight = (twinoar.full([1, 2, 1, 1], n, "int8") for n in (100, -100))
    >>> integer_conv2d(x, weight, twinoar.to_tensor([0.5])).tolist()
    [[[[-10000.0]]]]
    """


@integer_conv2d.library
def _(stride, padding, dilation, groups, data_format, activation, nonnegative):
    is_last = data_format[-1] == "C"
    product = Convolution("forward", stride, dilation, padding, groups, is_last)
    return Scaled(product, activation, nonnegative)


@integer_conv2d.infer
def _(
    x, weight, scale, bias, residual, factor, stride, padding, dilation, groups, data_format,
    activation, dtype, nonnegative,
):  # fmt: skip
    check_images(x.ndim, data_format)
    check_filters(x.shape, weight.shape, groups, data_format)
    check_integers(x, weight)
    sizes = spatial_sizes(x.shape, data_format)
    out = all_windows(sizes, weight.shape[2:], stride, padding, dilation)
    shape = image_shape(x.shape[0], weight.shape[0], out, data_format)
    given = scale, bias, residual, factor, activation, dtype
    return check_finish(shape, weight.shape[0], *given)


@integer_conv2d.kernel
def _(
    x, weight, scale, bias, residual, factor, stride, padding, dilation, groups, data_format,
    activation, dtype, nonnegative,
):  # fmt: skip
    window = stride, padding, dilation
    check_call(
        integer_conv2d, (x, weight, scale, bias, residual, factor), *window, groups, data_format,
        activation, dtype, nonnegative,
    )  # fmt: skip
    out = all_windows(spatial_sizes(x.shape, data_format), weight.shape[2:], *window)
    images = channels_first(x, data_format)
    filters = weight.astype(np.float64)  # in which sums of products of 8 bits are exact
    total = np.empty(image_shape(images.shape[1], len(weight), out, data_format), np.int32)
    view = channels_first(total, data_format)
    for part in batches(images, weight.shape[2:], out):
        whole = padded(images[:, part].astype(np.float64), padding)
        view[:, part] = filtered(
            windows_of(whole, weight.shape[2:], stride, dilation, out), filters, groups
        )
    along = (-1,) if data_format[-1] == "C" else (-1, 1, 1)
    scale, bias = (None if v is None else v.reshape(along) for v in (scale, bias))
    given = scale, bias, residual, factor
    return finished(ARRAYS, total, *given, activation=activation, dtype=dtype)


@integer_conv2d.lower
def _(
    i, x, weight, scale, bias, residual, factor, stride, padding, dilation, groups, data_format,
    activation, dtype,
):  # fmt: skip
    n, o, window = parted(i, data_format)
    filters, channels, *kernel_size = weight.shape
    first = o // (filters // groups) * channels

    # Sums of integers are exact in any order: neighbors in memory lie innermost.
    is_last = data_format[-1] == "C"

    def term(*at):
        c, *place = (at[-1], *at[:-1]) if is_last else at
        pixel = in_window(window, place, stride, padding, dilation)
        image = x.padded(joined(n, first + c, pixel, data_format))
        return loop.cast(image, int32) * loop.cast(weight[(o, c, *place)], int32)

    return finished(
        loop,
        loop.sum((*kernel_size, channels) if is_last else (channels, *kernel_size), term),
        scale[0] if scale.shape == (1,) else scale[o],
        None if bias is None else bias[o],
        None if residual is None else residual[i],
        None if factor is None else factor[0],
        activation=activation,
        dtype=dtype,
    )


@integer_conv2d.flops
def _(x, weight, *others, stride, padding, dilation, data_format, **rest):
    sizes = spatial_sizes(x.shape, data_format)
    out = all_windows(sizes, weight.shape[2:], stride, padding, dilation)
    return 2 * x.shape[0] * math.prod(out) * weight.size


@integer_conv2d.samples
def _(s):
    # Scales are powers of 2, so that all arithmetic on floats is exact, and all ways agree.
    def some(*shape, low=-128, dtype="int8"):
        return s.ints(low, 128, *shape, dtype=dtype)

    one = np.array([2**-6], "float32")
    each = 2.0 ** s.ints(-9, -5, 4).astype("float32")
    bias = s.ints(-64, 64, 4).astype("float32") / 4
    edge = (1, 1, 1, 1)
    x, weight = some(2, 3, 6, 5), some(4, 3, 3, 3)
    yield s(x, weight, one, gradient=False)
    yield s(x, weight, each, bias, None, None, (2, 1), (1, 0, 2, 1), (1, 2), gradient=False)
    yield s(x, weight, each, bias, None, None, (1, 1), edge, activation="relu", gradient=False)
    residual = some(2, 4, 6, 5)
    given = (x, weight, each, bias, residual, None, (1, 1), edge)
    yield s(*given, activation="relu", dtype=int8, gradient=False)
    yield s(*given[:4], residual.astype("float32"), None, (1, 1), edge, gradient=False)
    yield s(*given[:4], None, one * 1024, dtype=int8, activation="relu6", gradient=False)
    yield s(*given[:4], None, one * 64, activation="hardswish", gradient=False, tolerance=1e-4)
    deep = some(2, 4, 5, 6, low=0), some(4, 1, 3, 3)
    yield s(*deep, each, bias, padding=edge, groups=4, nonnegative=True, gradient=False)
    yield s(*deep, each, bias, padding=edge, groups=4, dtype=uint8, gradient=False)
    wide = some(2, 5, 6, 3, low=0, dtype="uint8")
    yield s(wide, weight, one, data_format="NHWC", dtype=int8, gradient=False)
    yield s(s.zeros(0, 3, 4, 4, dtype="int8"), weight, one, gradient=False)
    yield s.bad(DTypeError, "int8 or uint8", s.randn(2, 3, 6, 5), weight, one)
    yield s.bad(ShapeError, "weight expects 3", some(2, 4, 6, 5), weight, one)
    yield s.bad(ShapeError, "scale of shape [1] or [4]", x, weight, s.randn(3))
    yield s.bad(ShapeError, "residual must be", x, weight, one, None, residual)
    yield s.bad(ArgumentError, "activation must be one of", x, weight, one, activation="tan")
    yield s.bad(DTypeError, "result of float32", x, weight, one, dtype=int32)
