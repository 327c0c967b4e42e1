"""Pooling: the maximum or the mean of each window."""

from __future__ import annotations

from typing import Any

from twinoar.core.values import Value as Tensor
from twinoar.nn import functional
from twinoar.nn.function_layer import FunctionLayer

WINDOW = ("kernel_size", "stride", "padding")


class _Pool(FunctionLayer, spelled={"kernel_size": "ksize"}, told=WINDOW):
    """The windows of x, each made one number by `function`."""

    def forward(self, x: Any) -> Any:
        """The pooled x."""
        return type(self).function(x, **self._given())


class MaxPool1D(_Pool, of=functional.max_pool1d):
    """The maximum of each window of a sequence.

    x: [N,C,L]. stride: None means kernel_size. return_mask: the positions of the maxima too.
    ceil_mode: a last window that is not whole counts. Returns [N,C,L'].

    >>> twinoar.nn.MaxPool1D(2)(twinoar.to_tensor([[[1.0, 3.0, 2.0, 0.0]]])).tolist()
    [[[3.0, 2.0]]]
    """


class MaxPool2D(_Pool, of=functional.max_pool2d):
    """The maximum of each window of an image.

    x: [N,C,H,W]; NHWC has channels last. kernel_size, stride, padding: pixels, one number or (h,
    w); stride None means kernel_size. return_mask: the positions of the maxima too, int32.
    ceil_mode: a last window that is not whole counts. Returns [N,C,H',W'].

    >>> twinoar.nn.MaxPool2D(2)(twinoar.ones([1, 3, 8, 8])).shape
    [1, 3, 4, 4]
    """


class MaxPool3D(_Pool, of=functional.max_pool3d):
    """The maximum of each window of a volume, as MaxPool2D does it with images.

    x: [N,C,D,H,W]; NDHWC has channels last. kernel_size, stride, padding: one number or (d, h, w).
    Returns [N,C,D',H',W'].

    >>> twinoar.nn.MaxPool3D(2)(twinoar.ones([1, 3, 4, 4, 4])).shape
    [1, 3, 2, 2, 2]
    """


class AvgPool1D(_Pool, of=functional.avg_pool1d):
    """The mean of each window of a sequence.

    x: [N,C,L]. exclusive: padding does not count. Returns [N,C,L'].

    >>> twinoar.nn.AvgPool1D(2)(twinoar.to_tensor([[[1.0, 3.0, 2.0, 0.0]]])).tolist()
    [[[2.0, 1.0]]]
    """


class LPPool1D(_Pool, of=functional.lp_pool1d, told=("norm_type", *WINDOW)):
    """(sum of x^p)^(1/p) of each window of a sequence, with p = norm_type.

    x: [N,C,L]; NLC has channels last. Returns [N,C,L'].

    >>> twinoar.nn.LPPool1D(2.0, 2)(twinoar.to_tensor([[[3.0, 4.0]]])).tolist()
    [[[5.0]]]
    """

    def _keep(self, arguments: dict[str, Any]) -> None:
        """Keep the arguments, the norm as a float."""
        super()._keep(arguments | {"norm_type": float(arguments["norm_type"])})


class LPPool2D(LPPool1D, of=functional.lp_pool2d):
    """LPPool1D for images. x: [N,C,H,W]; NHWC has channels last. Returns [N,C,H',W'].

    >>> twinoar.nn.LPPool2D(2.0, 2)(twinoar.ones([1, 1, 2, 2])).tolist()
    [[[[2.0]]]]
    """


class AvgPool2D(_Pool, of=functional.avg_pool2d):
    """The mean of each window of an image.

    x: [N,C,H,W]; NHWC has channels last. exclusive: padding does not count. divisor_override: what
    to divide by instead of the window's size. Returns [N,C,H',W'].

    >>> twinoar.nn.AvgPool2D(2)(twinoar.ones([1, 3, 8, 8])).shape
    [1, 3, 4, 4]
    """


class AvgPool3D(_Pool, of=functional.avg_pool3d):
    """The mean of each window of a volume, as AvgPool2D does it with images.

    x: [N,C,D,H,W]; NDHWC has channels last. Returns [N,C,D',H',W'].

    >>> twinoar.nn.AvgPool3D(2)(twinoar.ones([1, 3, 4, 4, 4])).shape
    [1, 3, 2, 2, 2]
    """


class _Adaptive(FunctionLayer, private=True, told=("output_size",)):
    """The bins of x, each made one number by `function`."""

    def forward(self, x: Any) -> Any:
        """The pooled x."""
        return type(self).function(x, **self._given())


class _AdaptiveMax(_Adaptive, told=("output_size", "return_mask")):
    """The maxima of bins."""


class AdaptiveAvgPool1D(_Adaptive, of=functional.adaptive_avg_pool1d, private=False):
    """The means of so many windows of a sequence that output_size come out. x: [N,C,L].

    >>> twinoar.nn.AdaptiveAvgPool1D(1)(twinoar.to_tensor([[[1.0, 3.0]]])).tolist()
    [[[2.0]]]
    """

    def forward(self, input: Any) -> Tensor:
        """The pooled input."""
        return type(self).function(input, **self._given())


class AdaptiveAvgPool2D(_Adaptive, of=functional.adaptive_avg_pool2d):
    """The means of so many windows of an image that output_size, one number or (h, w), come out.

    x: [N,C,H,W]; NHWC has channels last. None in output_size keeps a size. Returns [N,C,h,w].

    >>> twinoar.nn.AdaptiveAvgPool2D(1)(twinoar.ones([1, 3, 7, 7])).shape
    [1, 3, 1, 1]
    """


class AdaptiveAvgPool3D(_Adaptive, of=functional.adaptive_avg_pool3d):
    """The means of so many windows of a volume that output_size, one number or (d, h, w), come out.

    x: [N,C,D,H,W]; NDHWC has channels last. None in output_size keeps a size. Returns [N,C,d,h,w].

    >>> twinoar.nn.AdaptiveAvgPool3D(1)(twinoar.ones([1, 3, 4, 4, 4])).shape
    [1, 3, 1, 1, 1]
    """


class AdaptiveMaxPool1D(_AdaptiveMax, of=functional.adaptive_max_pool1d):
    """The maxima of so many windows of a sequence that output_size come out. x: [N,C,L].

    return_mask: the positions of the maxima too.

    >>> twinoar.nn.AdaptiveMaxPool1D(1)(twinoar.to_tensor([[[1.0, 3.0]]])).tolist()
    [[[3.0]]]
    """


class AdaptiveMaxPool2D(_AdaptiveMax, of=functional.adaptive_max_pool2d):
    """The maxima of so many windows of an image that output_size, one number or (h, w), come out.

    x: [N,C,H,W]. return_mask: the positions of the maxima too. Returns [N,C,h,w].

    >>> twinoar.nn.AdaptiveMaxPool2D(1)(twinoar.ones([1, 3, 7, 7])).shape
    [1, 3, 1, 1]
    """


class AdaptiveMaxPool3D(_AdaptiveMax, of=functional.adaptive_max_pool3d):
    """The maxima of so many windows of a volume that output_size, one number or (d, h, w), come
    out.

    x: [N,C,D,H,W]. return_mask: the positions of the maxima too. Returns [N,C,d,h,w].

    >>> twinoar.nn.AdaptiveMaxPool3D(1)(twinoar.ones([1, 3, 4, 4, 4])).shape
    [1, 3, 1, 1, 1]
    """


class FractionalMaxPool2D(_AdaptiveMax, of=functional.fractional_max_pool2d):
    """The maxima of so many windows of an image, whose sizes differ by one at random.

    The arguments: see `functional.fractional_max_pool2d`. x: [N,C,H,W]. Returns [N,C,h,w].

    >>> twinoar.nn.FractionalMaxPool2D([2, 3])(twinoar.ones([1, 3, 7, 7])).shape
    [1, 3, 2, 3]
    """


class FractionalMaxPool3D(FractionalMaxPool2D, of=functional.fractional_max_pool3d):
    """`FractionalMaxPool2D` of volumes, [N,C,D,H,W].

    >>> twinoar.nn.FractionalMaxPool3D(2)(twinoar.ones([1, 3, 4, 4, 4])).shape
    [1, 3, 2, 2, 2]
    """
