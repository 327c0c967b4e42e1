"""Maxima and averages over windows of images, and their gradients."""

from __future__ import annotations

from typing import Literal

from twinoar.backends.onednn.layout import Layout, Sizes
from twinoar.backends.onednn.library import Dims
from twinoar.backends.onednn.primitive import Primitive, built
from twinoar.backends.onednn.window import Window, propagation

Pooling = Literal["max", "average", "average_with_padding"]
KINDS: dict[Pooling, int] = {"max": 0x1FF, "average_with_padding": 0x2FF, "average": 0x3FF}


def pooling_forward(
    src: Layout,
    dst: Layout,
    kind: Pooling,
    kernel_size: Sizes,
    window: Window,
    *,
    training: bool = False,
) -> Primitive | None:
    """dst = the maximum or average of each window of src, None where the library has no such.

    src: [N,C,H,W]. dst: [N,C,OH,OW], larger by one than the padding allows where windows may hang
    over it. "average" does not count padding. Arguments: src, dst; in training a maximum has a
    "workspace", which says where it was.
    """
    extent = _extent(src, dst, kind, kernel_size, window)
    if extent is None:
        return None
    arguments = [propagation(training), KINDS[kind], src, dst, *extent]
    return built("pooling_forward", arguments, ["src", "dst"])


def pooling_backward(
    diff_src: Layout,
    diff_dst: Layout,
    kind: Pooling,
    kernel_size: Sizes,
    window: Window,
    forward: Primitive,
) -> Primitive | None:
    """The gradient of the images, None where the library has none.

    Shapes as in `pooling_forward`. forward: the primitive that filled the workspace, with training;
    of equal maxima the first gets the gradient. Arguments: diff_dst, diff_src, for a maximum
    "workspace".
    """
    extent = _extent(diff_src, diff_dst, kind, kernel_size, window)
    if extent is None:
        return None
    arguments = [KINDS[kind], diff_src, diff_dst, *extent, forward.descriptor]
    return built("pooling_backward", arguments, ["diff_dst", "diff_src"])


def _extent(
    src: Layout, dst: Layout, kind: Pooling, kernel_size: Sizes, window: Window
) -> list[object] | None:
    """Strides, kernel size and the rest; None for windows that the library does not serve.

    These are averages that would count what lies beyond the padding, and padding as wide as the
    window.
    """
    padding = list(window.padding)
    for axis, (size, step, spread) in enumerate(
        zip(kernel_size, window.stride, window.dilation, strict=True)
    ):
        reach = (dst.dims[axis + 2] - 1) * step + (size - 1) * spread + 1
        over = reach - src.dims[axis + 2] - padding[2 * axis]
        if over > padding[2 * axis + 1]:
            if kind == "average_with_padding":
                return None
            padding[2 * axis + 1] = over
        if max(padding[2 * axis : 2 * axis + 2]) > (size - 1) * spread:
            return None
    moved = Window(window.stride, tuple(padding), window.dilation)
    strides, *rest = moved.c_arguments()
    return [strides, Dims(*kernel_size), *rest]
