"""Sliding windows over spatial axes: the padding forms and sizes of convolution and pooling.

No operators of its own: only the arithmetic that both families share. A padding in normal form is
(low, high) for each spatial axis in turn, flat: (top, bottom, left, right) for images.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from twinoar.core.dim import Dim, is_known, max_dim
from twinoar.core.dtype import BY_NUMPY, float32
from twinoar.core.op.declare import Shape, Spec, Value, loop
from twinoar.errors import ArgumentError, DTypeError, ShapeError
from twinoar.ops.math.cast import astype


def per_axis(value: Any, rank: int, name: str) -> tuple[int, ...]:
    """One integer for each of `rank` spatial axes; a single one stands for all.

    Raises ArgumentError for another number of them.

    >>> per_axis(2, 2, "stride")
    (2, 2)
    """
    values = tuple(value) if isinstance(value, (list, tuple, np.ndarray)) else (value,)
    if len(values) == 1:
        values *= rank
    if len(values) != rank:
        raise ArgumentError(
            f"{name} must be an integer or {rank} integers, received {value!r}",
            cure="give one number, or one for each axis",
        )
    return tuple(int(v) for v in values)


def spatial_axes(ndim: int, data_format: str) -> range:
    """The axes of height, width and their kin: all but batch and channels.

    >>> list(spatial_axes(4, "NHWC"))
    [1, 2]
    """
    return range(1, ndim - 1) if data_format[-1] == "C" else range(2, ndim)


def spatial_sizes(shape: Shape, data_format: str) -> Shape:
    """The sizes of the spatial axes of `shape`."""
    return tuple(shape[i] for i in spatial_axes(len(shape), data_format))


def image_shape(n: Dim, channels: Dim, sizes: Sequence[Dim], data_format: str) -> Shape:
    """The shape of `n` images of `channels` channels."""
    return (n, *sizes, channels) if data_format[-1] == "C" else (n, channels, *sizes)


FORMATS = {1: ("NCL", "NLC"), 2: ("NCHW", "NHWC"), 3: ("NCDHW", "NDHWC")}  # by spatial axes


def check_format(data_format: str, rank: int) -> None:
    """Raise ArgumentError where data_format does not name `rank` spatial axes."""
    if data_format not in FORMATS[rank]:
        raise ArgumentError(
            f"data_format must be {' or '.join(FORMATS[rank])}, received {data_format!r}",
            cure="C is where the channels stand: after the batch N, or last",
        )


def check_images(ndim: int, data_format: str) -> None:
    """Raise ShapeError where an operand does not have the dimensions that `data_format` names."""
    if ndim != len(data_format):
        raise ShapeError(
            f"x must have {len(data_format)} dimensions, {data_format}, received {ndim}",
            cure="add a batch dimension with unsqueeze(x, 0) if it lacks one",
        )


def check_floating(x: Spec) -> None:
    """Raise DTypeError where x is not floating."""
    if not x.dtype.is_floating:
        raise _not_floating(x.dtype)


def explicit_padding(
    padding: Any,
    data_format: str,
    sizes: Shape,
    kernel_size: Sequence[Any],
    stride: Sequence[Any],
) -> tuple[Dim, ...]:
    """Paddle's padding forms in normal form.

    padding: "SAME", "VALID", one integer, one or two for each axis, or a pair for every dimension
    of `data_format`. Raises ArgumentError.

    >>> explicit_padding([1, 2], "NCHW", (8, 8), (3, 3), (1, 1))
    (1, 1, 2, 2)
    >>> explicit_padding("same", "NCHW", (8, 8), (3, 3), (2, 2))
    (0, 1, 0, 1)
    """
    rank = len(kernel_size)
    if isinstance(padding, str):
        return _named_padding(padding.upper(), sizes, kernel_size, stride)
    values = list(padding) if isinstance(padding, (list, tuple, np.ndarray)) else [padding]
    if values and isinstance(values[0], (list, tuple)):
        values = _pairs(values, data_format)
    if len(values) == 1:
        values *= rank
    if len(values) == rank:
        values = [v for v in values for _ in range(2)]
    if len(values) != 2 * rank:
        raise ArgumentError(
            f"padding must be 'SAME', 'VALID', 1, {rank} or {2 * rank} integers, or "
            f"{rank + 2} pairs, received {padding!r}"
        )
    found = tuple(int(v) for v in values)
    if min(found) < 0:
        raise ArgumentError(f"padding must not be negative, received {padding!r}")
    return found


def windows_along(
    size: Dim, extent: int, stride: int, low: Dim, high: Dim, ceil: bool = False
) -> Dim:
    """How many windows of `extent` elements, `stride` apart, fit along an axis.

    ceil: a last window may hang over the edge. Raises ShapeError where none fits.
    """
    if stride < 1:
        raise ArgumentError(
            f"stride must be positive, received {stride}", cure="use 1 to visit each position"
        )
    room = size + low + high - extent
    count = (room + (stride - 1 if ceil else 0)) // stride + 1
    if isinstance(count, int) and count < 1:
        raise ShapeError(
            f"a window of {extent} elements does not fit into {size + low + high}, "
            "padding included",
            cure="use a smaller window, or more padding",
        )
    return count


def all_windows(
    sizes: Shape,
    kernel_size: Sequence[Any],
    stride: Sequence[Any],
    padding: Sequence[Dim],
    dilation: Sequence[Any] | None = None,
    ceil: bool = False,
) -> Shape:
    """How many windows fit along each spatial axis.

    Each is (size + low + high - dilation (kernel - 1) - 1) // stride + 1. Raises ShapeError.

    >>> all_windows((28, 28), (3, 3), (2, 2), (1, 1, 1, 1))
    (14, 14)
    """
    spread = dilation or (1,) * len(sizes)
    return tuple(
        windows_along(size, d * (k - 1) + 1, s, low, high, ceil)
        for size, k, s, low, high, d in zip(
            sizes, kernel_size, stride, padding[::2], padding[1::2], spread, strict=True
        )
    )


def transposed_sizes(
    sizes: Shape,
    kernel_size: Sequence[Any],
    stride: Sequence[Any],
    padding: Sequence[Any],
    dilation: Sequence[Any],
    more: Sequence[Any] | None = None,
) -> Shape:
    """The sizes of a transposed convolution's images: (n - 1) stride - low - high + dilation
    (kernel - 1) + 1 + more.
    """
    added = more or (0,) * len(sizes)
    return tuple(
        (n - 1) * s - low - high + d * (k - 1) + 1 + extra
        for n, k, s, low, high, d, extra in zip(
            sizes, kernel_size, stride, padding[::2], padding[1::2], dilation, added, strict=True
        )
    )


def check_filters(x: Shape, weight: Shape, groups: int, data_format: str) -> None:
    """Raise ShapeError or ArgumentError where images and filters do not fit."""
    check_weight(len(weight), len(x))
    channels = x[-1 if data_format[-1] == "C" else 1]
    if groups < 1:
        raise ArgumentError(f"groups must be positive, received {groups}")
    if is_known(channels) and channels != weight[1] * groups:
        shown = (
            f"{weight[1] * groups} ({weight[1]} in each of {groups} groups)"
            if groups > 1
            else weight[1]
        )
        raise ShapeError(
            f"x has {channels} channels, weight expects {shown}",
            cure=f"check data_format (now {data_format}) and the layer's in_channels",
        )
    if weight[0] % groups:
        raise ArgumentError(
            f"the {weight[0]} filters must be a multiple of groups, received {groups}",
            cure="choose a number of groups that divides the channels",
        )


def check_weight(ndim: int, expected: int) -> None:
    """Raise ShapeError where filters do not have as many dimensions as images."""
    if ndim != expected:
        raise ShapeError(f"weight must have {expected} dimensions, received {ndim}")


def paddle_paddings(padding: Sequence[Dim]) -> dict[str, Any]:
    """Paddle's attributes for a padding in normal form: one an axis if sides are equal."""
    if not is_known(*padding):  # only SAME gives a padding that depends on an unknown size
        return {"padding_algorithm": "SAME", "paddings": (0,) * (len(padding) // 2)}
    symmetric = padding[::2] == padding[1::2]
    return {"padding_algorithm": "EXPLICIT", "paddings": padding[::2] if symmetric else padding}


def read_padding(
    attrs: dict[str, Any],
    data_format: str,
    sizes: Shape,
    kernel_size: Sequence[Any],
    stride: Sequence[Any],
) -> tuple[Dim, ...]:
    """Inverse of `paddle_paddings`, which also reads SAME and VALID."""
    algorithm = attrs.get("padding_algorithm", "EXPLICIT")
    padding = attrs.get("paddings", (0,)) if algorithm == "EXPLICIT" else algorithm
    return explicit_padding(padding, data_format, sizes, kernel_size, stride)


def array_spec(x: np.ndarray) -> Spec:
    """The spec of an array, for kernels that check their operands by their own inference."""
    return Spec(x.shape, BY_NUMPY[x.dtype])


def working(*arrays: np.ndarray) -> tuple[np.ndarray, ...]:
    """The arrays in the precision that sums are computed in: 16-bit floats as float32.

    Raises DTypeError for integers.
    """
    for x in arrays:
        if x.dtype.kind not in "fV":  # bfloat16 has kind V
            raise _not_floating(x.dtype)
    return tuple(x.astype(np.float32) if x.dtype.itemsize == 2 else x for x in arrays)


def widened(x: Value) -> Any:
    """A tensor in the precision that sums are computed in: `working` as an operator."""
    return astype(x, float32) if x.dtype in loop.NARROW else x


def _not_floating(dtype: Any) -> DTypeError:
    return DTypeError(
        f"expected a floating dtype, received {dtype.name}", cure="cast the operand to float32"
    )


def _named_padding(
    name: str, sizes: Shape, kernel_size: Sequence[Any], stride: Sequence[Any]
) -> tuple[Dim, ...]:
    if name not in ("SAME", "VALID"):
        raise ArgumentError(
            f"padding must be 'SAME', 'VALID' or integers, received {name!r}",
            cure="'SAME' keeps the size, 'VALID' pads nothing",
        )
    if name == "VALID":
        return (0,) * (2 * len(kernel_size))
    found: list[Dim] = []
    for size, k, s in zip(sizes, kernel_size, stride, strict=True):
        windows = (size + s - 1) // s
        total = max_dim((windows - 1) * s + k - size, 0)
        found += [total // 2, total - total // 2]
    return tuple(found)


def _pairs(pairs: list[Any], data_format: str) -> list[Any]:
    """The spatial pairs among one pair for each dimension of `data_format`, flat."""
    if len(pairs) != len(data_format) or any(len(p) != 2 for p in pairs):
        raise ArgumentError(
            f"padding must hold {len(data_format)} pairs, one for each of {data_format}, "
            f"received {pairs}"
        )
    spatial = spatial_axes(len(pairs), data_format)
    if any(any(p) for i, p in enumerate(pairs) if i not in spatial):
        raise ArgumentError(f"padding of batch and channels must be 0, received {pairs}")
    return [v for i in spatial for v in pairs[i]]
