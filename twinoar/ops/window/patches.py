"""The windows of images side by side, which make a convolution a product of matrices, and images
that are sums of windows.
"""

from __future__ import annotations

import numpy as np

from twinoar.core.dim import differ
from twinoar.core.op.declare import Shape, Spec, Tensor, loop, primitive
from twinoar.errors import ShapeError
from twinoar.ops.window._columns import (
    channels_first,
    inside,
    padded,
    padded_shape,
    positions,
    windows_of,
)
from twinoar.ops.window._geometry import all_windows, array_spec, check_images
from twinoar.ops.window._pixel import covering, in_window, is_inside


@primitive(slow_kernel=True)
def patches(
    x: Tensor,
    kernel_size: tuple[int, ...],
    stride: tuple[int, ...] = (1, 1),
    padding: tuple[int, ...] = (0, 0, 0, 0),
    dilation: tuple[int, ...] = (1, 1),
) -> Tensor:
    """What each window of images holds, with zeros where it hangs over the edge.

    x: [N,C,H,W]. kernel_size, stride, dilation: (KH, KW) and the like. padding: (top, bottom, left,
    right). Returns [N,OH,OW,C,KH,KW]. Raises ShapeError.

    >>> from twinoar.ops.window.patches import patches
    >>> patches(twinoar.to_tensor([[[[1.0, 2.0, 3.0]]]]), (1, 2)).flatten().tolist()
    [1.0, 2.0, 2.0, 3.0]
    """


@patches.infer
def _(x, kernel_size, stride, padding, dilation):
    check_images(x.ndim, "NCHW")
    out = all_windows(x.shape[2:], kernel_size, stride, padding, dilation)
    return Spec((x.shape[0], *out, x.shape[1], *kernel_size), x.dtype)


@patches.kernel
def _(x, kernel_size, stride, padding, dilation):
    out = all_windows(x.shape[2:], kernel_size, stride, padding, dilation)
    images = padded(channels_first(x, "NCHW"), padding)
    windows = windows_of(images, kernel_size, stride, dilation, out)
    return np.ascontiguousarray(windows.transpose(3, 4, 5, 0, 1, 2))


@patches.lower
def _(i, x, stride, padding, dilation):
    n, p, q, c, *place = i
    return x.padded((n, c, *in_window((p, q), place, stride, padding, dilation)))


@patches.grad
def _(g, specs, stride, padding, dilation):
    return patch_sum(g, specs[0].shape[2:], stride, padding, dilation)


@patches.samples
def _(s):
    yield s(s.randn(2, 3, 4, 5), (3, 2))
    yield s(s.randn(2, 3, 5, 4), (2, 3), (2, 1), (1, 0, 2, 1), (2, 1))
    yield s(s.randn(1, 1, 1, 1), (1, 1))
    yield s(s.zeros(0, 2, 3, 3), (2, 2))


def _summed(x: Spec, size: Shape, stride: Shape, padding: Shape, dilation: Shape) -> Spec:
    if x.ndim != 6:
        raise ShapeError(f"x must have 6 dimensions, [N,OH,OW,C,KH,KW], received {x}")
    out = all_windows(size, x.shape[4:], stride, padding, dilation)
    if any(map(differ, out, x.shape[1:3])):
        raise ShapeError(
            f"x has {list(x.shape[1:3])} windows, and {list(out)} fit into {list(size)}",
            cure="give the size, stride, padding and dilation that the windows were made with",
        )
    return Spec((x.shape[0], x.shape[3], *size), x.dtype)


@primitive(slow_kernel=True, infer=_summed)
def patch_sum(
    x: Tensor,
    size: tuple[int, ...],
    stride: tuple[int, ...] = (1, 1),
    padding: tuple[int, ...] = (0, 0, 0, 0),
    dilation: tuple[int, ...] = (1, 1),
) -> Tensor:
    """Images whose pixels are the sums of what the windows that cover them hold there.

    x: [N,OH,OW,C,KH,KW]. size: (H, W). Returns [N,C,H,W]. Raises ShapeError.

    >>> from twinoar.ops.window.patches import patch_sum
    >>> patch_sum(twinoar.ones([1, 1, 2, 1, 1, 2]), (1, 3)).flatten().tolist()
    [1.0, 2.0, 1.0]
    """


@patch_sum.kernel
def _(x, size, stride, padding, dilation):
    _summed(array_spec(x), size, stride, padding, dilation)
    n, *out, c = x.shape[:4]
    image = np.zeros(padded_shape((n, c, *size), padding), x.dtype)
    for place in positions(x.shape[4:]):
        starts = [p * d for p, d in zip(place, dilation, strict=True)]
        rows, columns = (
            slice(a, a + s * (k - 1) + 1, s) for a, s, k in zip(starts, stride, out, strict=True)
        )
        image[:, :, rows, columns] += x[(..., *place)].transpose(0, 3, 1, 2)
    return np.ascontiguousarray(image[inside(padding, size)])


@patch_sum.lower
def _(i, x, stride, padding, dilation):
    n, c, *pixel = i
    kernel_size = x.shape[4:]
    counts, found = covering(pixel, kernel_size, stride, padding, dilation)

    def term(*k):
        window, place, exists = found(*k)
        is_one = exists & is_inside(place, kernel_size)
        return loop.select(is_one, x.padded((n, *window, c, *place)), 0.0)

    return loop.sum(counts, term)


@patch_sum.grad
def _(g, specs, stride, padding, dilation):
    return patches(g, specs[0].shape[4:], stride, padding, dilation)


@patch_sum.samples
def _(s):
    yield s(s.randn(2, 2, 4, 3, 3, 2), (4, 5))
    yield s(s.randn(2, 3, 3, 3, 2, 3), (5, 4), (2, 1), (1, 1, 0, 1), (2, 1))
    yield s(s.randn(1, 1, 1, 1, 1, 1), (1, 1))
    yield s.bad(ShapeError, "windows, and", s.randn(1, 2, 2, 1, 2, 2), (5, 5))
    yield s.bad(ShapeError, "6 dimensions", s.randn(1, 2, 2, 1), (5, 5))
