"""What maxima and averages over windows share: inference, descriptions, files and samples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from twinoar.core.dim import is_known
from twinoar.core.op.declare import Desc, Shape, Spec, Tensor, op_named
from twinoar.core.op.library import Pooling
from twinoar.errors import ArgumentError, DTypeError, ShapeError
from twinoar.ops.window._geometry import (
    all_windows,
    check_floating,
    check_images,
    image_shape,
    paddle_paddings,
    read_padding,
    spatial_sizes,
)

Sizes = tuple[Any, ...]
DataFormat = Literal["NCHW", "NHWC"]
VolumeFormat = Literal["NCDHW", "NDHWC"]


def pooled(
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
    return Spec(
        image_shape(x.shape[0], channels_of(x.shape, data_format), out, data_format), x.dtype
    )


def pooling(
    kind: Literal["max", "avg"],
    direction: Literal["forward", "backward_data"],
    size: Sizes,
    out: Sizes,
    kernel_size: Sizes,
    stride: Sizes,
    padding: Sizes,
    data_format: str,
    *,
    counts_padding: bool = False,
) -> Pooling | None:
    """A kernel library's pooling of images of `size` to `out`.

    None where averages count padding and windows hang over it: what hangs over does not count.
    """
    sides = list(padding)
    for axis, (n, count, extent, step) in enumerate(
        zip(size, out, kernel_size, stride, strict=True)
    ):
        sides[2 * axis + 1] = max(
            padding[2 * axis + 1], (count - 1) * step + extent - n - padding[2 * axis]
        )
    if counts_padding and tuple(sides) != padding:
        return None
    return Pooling(
        kind,
        direction,
        kernel_size,
        stride,
        tuple(sides),
        counts_padding,
        data_format[-1] == "C",
    )


def pool_samples(s):
    """Calls that every pooling must serve."""
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


def volume_samples(s):
    """Calls that every pooling of volumes must serve."""
    yield s(s.distinct(2, 2, 4, 2, 4), (2, 2, 2), (2, 2, 2))
    yield s(s.distinct(1, 2, 4, 3, 5), (3, 2, 2), (2, 1, 2), (1, 0, 1, 1, 0, 1))
    yield s(s.distinct(1, 1, 3, 4, 4), (2, 3, 3), (2, 2, 2), (0, 1, 1, 0, 1, 1), True)
    yield s(s.distinct(2, 3, 2, 3, 2), (2, 2, 1), data_format="NDHWC")
    yield s(s.zeros(0, 2, 2, 2, 2), (2, 2, 2))
    yield s.bad(ShapeError, "5 dimensions", s.randn(3, 4, 4, 4), (2, 2, 2))
    yield s.bad(ShapeError, "does not fit", s.randn(1, 3, 4, 4, 4), (5, 5, 5))


def _read_pool(slots: dict[str, list[Any]], attrs: dict[str, Any]) -> Tensor:
    (x,) = slots["X"]
    rank, last = x.ndim - 2, attrs.get("data_format", "NCHW")[-1] == "C"
    data_format = {2: ("NCHW", "NHWC"), 3: ("NCDHW", "NDHWC")}[rank][last]
    sizes = spatial_sizes(x.spec.shape, data_format)
    whole, kernel_size = attrs.get("global_pooling", False), tuple(attrs["ksize"])
    maximum = attrs["pooling_type"] == "max"
    if attrs.get("adaptive", False) or (whole and not is_known(*sizes)):
        kernel_size = (1,) * rank if whole else kernel_size
        if not maximum:
            return op_named(f"adaptive_avg_pool{rank}d")(x, kernel_size, data_format)
        return op_named(f"max_pool{rank}d_with_index")(x, kernel_size, adaptive=True)[0]
    window: tuple[Any, ...]
    if whole:
        window = (sizes, sizes, (0,) * (2 * rank))
    else:
        stride = tuple(attrs.get("strides", (1,) * rank))
        padding = read_padding(attrs, data_format, sizes, kernel_size, stride)
        window = (kernel_size, stride, padding)
    ceil_mode = attrs.get("ceil_mode", False)
    if maximum:
        return op_named(f"max_pool{rank}d")(x, *window, ceil_mode, data_format)
    exclusive = attrs.get("exclusive", True)
    return op_named(f"avg_pool{rank}d")(x, *window, ceil_mode, exclusive, data_format)


def _write_pool(attrs: dict[str, Any], specs: Sequence[Spec]) -> dict[str, Any]:
    plain = {"global_pooling": False, "exclusive": True, "use_cudnn": True}
    return plain | {"exclusive": attrs.get("exclusive", True)} | paddle_paddings(attrs["padding"])


def pool_desc(kind: str, rank: int = 2) -> Desc:
    """Paddle's form of pooling over `rank` spatial axes; kind: "max" or "avg"."""
    attrs = {"ksize": "kernel_size", "strides": "stride"}
    return Desc(
        f"pool{rank}d",
        {"X": "x"},
        attrs=attrs | {"ceil_mode": "ceil_mode", "data_format": "data_format"},
        fixed={"pooling_type": kind, "adaptive": False},
        write=_write_pool,
        read=_read_pool,
    )


def channels_of(shape: Shape, data_format: str) -> Any:
    """The number of channels of images of `shape`."""
    return shape[-1 if data_format[-1] == "C" else 1]
