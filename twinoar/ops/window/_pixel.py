"""Pixels and windows in the loop language: what the rules of convolution and pooling share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from twinoar.core.loop.expression import Expr, const, eq, lt
from twinoar.core.op.library import image_axes

Index = tuple[Any, ...]


def parted(i: Sequence[Any], data_format: str) -> tuple[Any, Any, Index]:
    """Batch, channel and pixel of an index of images."""
    n, c, *pixel = (i[axis] for axis in image_axes(len(i), data_format[-1] == "C"))
    return n, c, tuple(pixel)


def joined(n: Any, c: Any, pixel: Sequence[Any], data_format: str) -> Index:
    """The index of images with that batch, channel and pixel."""
    return (n, *pixel, c) if data_format[-1] == "C" else (n, c, *pixel)


def in_window(
    window: Sequence[Any],
    place: Sequence[Any],
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int] | None = None,
) -> Index:
    """The pixel at a place of a window; outside of the image where that is padding."""
    spread = dilation or (1,) * len(stride)
    return tuple(
        w * s - low + p * d
        for w, p, s, low, d in zip(window, place, stride, padding[::2], spread, strict=True)
    )


def is_inside(place: Sequence[Any], kernel_size: Sequence[int]) -> Expr:
    """True where a place, counted from 0, is in the window."""
    inside = const(True)
    for p, n in zip(place, kernel_size, strict=True):
        inside = inside & lt(p, n)
    return inside


def covering(
    pixel: Sequence[Any],
    kernel_size: Sequence[int],
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int] | None = None,
) -> tuple[tuple[int, ...], Callable[..., tuple[Index, Index, Expr]]]:
    """The windows that hold a pixel.

    Returns how many there may be along each axis, and for numbers below these: a window, the place
    of the pixel in it, and whether there is such a window. Where that holds, windows may still lie
    outside of the image, and places outside of the window.
    """
    spread = dilation or (1,) * len(stride)
    axes = [
        _covering_along(*given)
        for given in zip(pixel, kernel_size, stride, padding[::2], spread, strict=True)
    ]

    def found(*k: Any) -> tuple[Index, Index, Expr]:
        along = [find(number) for (_, find), number in zip(axes, k, strict=True)]
        exists = const(True)
        for _, _, is_one in along:
            exists = exists & is_one
        return tuple(w for w, _, _ in along), tuple(p for _, p, _ in along), exists

    return tuple(count for count, _ in axes), found


def _covering_along(
    pixel: Any, size: int, stride: int, low: int, dilation: int
) -> tuple[int, Callable[[Any], tuple[Expr, Expr, Expr]]]:
    """The same along one axis."""
    shifted = pixel + low

    def near(k: Any) -> tuple[Expr, Expr, Expr]:
        return shifted // stride - k, shifted % stride + k * stride, const(True)

    def spread(k: Any) -> tuple[Expr, Expr, Expr]:
        start = shifted - k * dilation
        return start // stride, k, eq(start % stride, 0)

    return (-(-size // stride), near) if dilation == 1 else (size, spread)
