"""The windows of images side by side: what makes a convolution a product of matrices."""

from __future__ import annotations

import numpy as np

from twinoar.core.op import primitive
from twinoar.core.spec import Spec
from twinoar.core.values import Value
from twinoar.ops.columns import channels_first, padded, windows_of
from twinoar.ops.pixel import in_window
from twinoar.ops.window import all_windows, check_images

Tensor = Value


@primitive
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

    >>> import twinoar
    >>> from twinoar.ops.patches import patches
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


@patches.samples
def _(s):
    yield s(s.randn(2, 3, 4, 5), (3, 2), gradient=False)
    yield s(s.randn(2, 3, 5, 4), (2, 3), (2, 1), (1, 0, 2, 1), (2, 1), gradient=False)
    yield s(s.randn(1, 1, 1, 1), (1, 1), gradient=False)
    yield s(s.zeros(0, 2, 3, 3), (2, 2), gradient=False)


__all__ = ["patches"]
