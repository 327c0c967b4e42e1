"""Maxima over windows or bins that tell where they are, and sums and picks at such positions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from twinoar.core.dtype import int32, int64
from twinoar.core.loop.procedure import procedure
from twinoar.core.op.declare import Desc, Spec, Tensor, loop, op_named, primitive
from twinoar.errors import ArgumentError, ShapeError, UnsupportedError
from twinoar.ops.index._position import refuse_range
from twinoar.ops.index._scatter import sums
from twinoar.ops.pool._bins import binned, bins_around, bins_of
from twinoar.ops.window._frame import Frame
from twinoar.ops.window._geometry import (
    FORMATS,
    all_windows,
    array_spec,
    check_floating,
    check_images,
)
from twinoar.ops.window._pixel import in_window, is_inside


def _write(attrs: dict[str, Any], specs: Any) -> dict[str, Any]:
    if attrs["ceil_mode"] or attrs["padding"][::2] != attrs["padding"][1::2]:
        raise UnsupportedError(
            "this operator has no form in Paddle's files with ceil_mode or uneven padding",
            cure="pool without positions, or pad before",
        )
    return {"paddings": attrs["padding"][::2], "global_pooling": False}


def _read(slots: dict[str, list[Any]], attrs: dict[str, Any]) -> Any:
    (x,) = slots["X"]
    rank = x.ndim - 2
    op = op_named(f"max_pool{rank}d_with_index")
    if attrs.get("global_pooling", False):
        return op(x, (1,) * rank, adaptive=True)
    sides = tuple(p for p in attrs.get("paddings", (0,) * rank) for _ in range(2))
    stride = tuple(attrs.get("strides", (1,) * rank))
    return op(x, tuple(attrs["ksize"]), stride, sides, adaptive=attrs.get("adaptive", False))


def _desc(rank: int) -> Desc:
    return Desc(
        f"max_pool{rank}d_with_index",
        {"X": "x"},
        outputs=("Out", "Mask"),
        attrs={"ksize": "kernel_size", "strides": "stride", "adaptive": "adaptive"},
        write=_write,
        read=_read,
    )


@primitive(slow_kernel=True, desc=_desc(2), amp="low")
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


@primitive(slow_kernel=True, desc=_desc(3))
def max_pool3d_with_index(
    x: Tensor,
    kernel_size: tuple[int, ...],
    stride: tuple[int, ...] = (1, 1, 1),
    padding: tuple[int, ...] = (0, 0, 0, 0, 0, 0),
    ceil_mode: bool = False,
    adaptive: bool = False,
) -> tuple[Tensor, Tensor]:
    """`max_pool2d_with_index` of volumes [N,C,D,H,W]; positions are in D*H*W."""


@max_pool3d_with_index.infer
@max_pool2d_with_index.infer
def _(x, kernel_size, stride, padding, ceil_mode, adaptive):
    data_format = FORMATS[len(kernel_size)][0]
    if adaptive:
        spec = binned(x, kernel_size, data_format)
        return spec, Spec(spec.shape, int32)
    check_images(x.ndim, data_format)
    check_floating(x)
    out = all_windows(x.shape[2:], kernel_size, stride, padding, ceil=ceil_mode)
    return Spec((*x.shape[:2], *out), x.dtype), Spec((*x.shape[:2], *out), int32)


@max_pool3d_with_index.kernel
@max_pool2d_with_index.kernel
def _(x, kernel_size, stride, padding, ceil_mode, adaptive):
    given = (kernel_size, stride, padding, ceil_mode, adaptive)
    rank = len(kernel_size)
    spec, _ = op_named(f"max_pool{rank}d_with_index").rules["infer"](array_spec(x), *given)
    if adaptive:
        sizes = zip(x.shape[2:], spec.shape[2:], strict=True)
        return binned_maxima(x, [bins_of(n, count) for n, count in sizes])
    frame = Frame(kernel_size, stride, padding, FORMATS[rank][0])
    plane = np.arange(math.prod(x.shape[2:]), dtype=np.int32).reshape(1, 1, *x.shape[2:])
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


@max_pool3d_with_index.lower
@max_pool2d_with_index.lower
def _(i, x, nth, kernel_size, stride, padding, adaptive):
    n, c, window = i[0], i[1], i[2:]
    size = x.shape[2:]
    if adaptive:
        first, counts, most = bins_around(window, size, kernel_size)
    else:
        first, counts, most = (
            in_window(window, (0,) * len(window), stride, padding),
            kernel_size,
            kernel_size,
        )

    def term(*place):
        pixel = [a + k for a, k in zip(first, place, strict=True)]
        return loop.select(is_inside(place, counts), x.padded((n, c, *pixel), -math.inf), -math.inf)

    if nth == 0:
        return loop.reduce("max", most, term)
    place = loop.unflatten(loop.argmax(most, term), most)
    # where all are equal the first place counts, and moves into the image if that is padding
    pixel = [loop.clamped(a + k, m) for a, k, m in zip(first, place, size, strict=True)]
    return loop.flatten(pixel, size)


@max_pool3d_with_index.grad
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

    x, mask: [N,C,h,w], positions in planes of `size` (H, W), int32; volumes likewise. Returns
    [N,C,H,W].
    """


@scatter_pixels.kernel
def _(x, mask, size):
    planes = np.zeros((x.shape[0] * x.shape[1], math.prod(size)), x.dtype)
    places = mask.reshape(len(planes), math.prod(mask.shape[2:]))
    refuse_range(places, planes.shape[1], 2)
    np.add.at(planes, (np.arange(len(planes))[:, None], places), x.reshape(places.shape))
    return planes.reshape(*x.shape[:2], *size)


@scatter_pixels.procedure
def _(p, x, mask, size):
    planes, count = math.prod(x.shape[:2]), math.prod(mask.shape[2:])
    places, given = (a.reshape(planes, count, 1) for a in (mask, x))
    sums(p, 0, p.results[0].reshape(planes, math.prod(size), 1), places, given)


@scatter_pixels.samples
def _(s):
    yield s(s.randn(2, 3, 2, 2), s.ints(0, 12, 2, 3, 2, 2, dtype="int32"), (3, 4))


@primitive(
    infer=lambda x, mask: Spec(mask.shape, x.dtype),
    grad=lambda g, mask, specs: (scatter_pixels(g, mask, specs[0].shape[2:]), None),
)
def gather_pixels(x: Tensor, mask: Tensor) -> Tensor:
    """The elements of x at positions in their plane: adjoint of `scatter_pixels`.

    x: [N,C,H,W]. mask: [N,C,h,w], int32; volumes likewise. Returns [N,C,h,w].
    """


@gather_pixels.kernel
def _(x, mask):
    planes = x.reshape(*x.shape[:2], math.prod(x.shape[2:]))
    places = mask.reshape(*mask.shape[:2], math.prod(mask.shape[2:]))
    return np.take_along_axis(planes, places, axis=2).reshape(mask.shape)


@gather_pixels.lower
def _(i, x, mask):
    size = x.shape[2:]
    place = loop.bounded(loop.cast(mask[i], int64), math.prod(size), "position")
    return x[(*i[:2], *loop.unflatten(place, size))]


@gather_pixels.samples
def _(s):
    yield s(s.randn(2, 3, 3, 4), s.ints(0, 12, 2, 3, 2, 2, dtype="int32"))


@max_pool3d_with_index.samples
def _(s):
    yield s(s.distinct(2, 2, 4, 2, 4), (2, 2, 2), (2, 2, 2))
    yield s(s.distinct(1, 2, 4, 3, 5), (3, 2, 2), (2, 1, 2), (1, 1, 1, 1, 0, 0))
    yield s(s.distinct(1, 2, 3, 4, 2), (2, 3, 1), adaptive=True)
    yield s.bad(ShapeError, "does not fit", s.randn(1, 3, 4, 4, 4), (5, 5, 5))


@procedure
def comes_first(new, best):
    """Whether an element is a maximum before what was it so far: greater, or the first nan."""
    return (not new <= best) & (best == best)


def binned_maxima(
    x: np.ndarray, bins: Sequence[Iterable[tuple[int, int]]]
) -> tuple[np.ndarray, np.ndarray]:
    """Maxima of bins of planes and their positions; of equal ones the first in the order of memory.

    The last axis is searched first: what is left of a bin then is a column, of the first maxima.
    """
    sizes = x.shape[2:]
    plane = np.arange(math.prod(sizes), dtype=np.int32).reshape(sizes)
    out, mask, has_nan = x, np.broadcast_to(plane, x.shape), np.isnan(x).any()
    for axis, along in reversed(list(enumerate(bins, 2))):
        first, end = np.array(list(along)).T
        best, place = out.take(first, axis), mask.take(first, axis)
        for k in range(1, (end - first).max()):
            pixel = np.minimum(first + k, end - 1)
            candidate = out.take(pixel, axis)
            better = candidate > best
            if has_nan:
                better |= np.isnan(candidate) & ~np.isnan(best)
            best = np.maximum(best, candidate)  # nan wins
            place = np.where(better, mask.take(pixel, axis), place)
        out, mask = best, place
    return out, mask
