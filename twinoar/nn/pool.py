"""Pooling: the maximum or the mean of each window."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from twinoar.nn import functional
from twinoar.nn.layer import Layer


class _Pool(Layer):
    """Calls `function` with a kernel size and the arguments that it keeps."""

    function: Callable

    def __init__(self, kernel_size: Any, stride: Any, padding: Any, **arguments: Any):
        super().__init__()
        self.ksize, self.stride, self.padding = kernel_size, stride, padding
        self.name = arguments.pop("name", None)
        self._arguments = arguments

    def forward(self, x: Any) -> Any:
        """The pooled x."""
        return type(self).function(
            x,
            kernel_size=self.ksize,
            stride=self.stride,
            padding=self.padding,
            **self._arguments,
        )

    def extra_repr(self) -> str:
        """The window."""
        return f"kernel_size={self.ksize}, stride={self.stride}, padding={self.padding}"


class MaxPool1D(_Pool):
    """The maximum of each window of a sequence.

    x: [N,C,L]. stride: None means kernel_size. return_mask: the positions of the maxima too.
    ceil_mode: a last window that is not whole counts. Returns [N,C,L'].

    >>> import twinoar
    >>> twinoar.nn.MaxPool1D(2)(twinoar.to_tensor([[[1.0, 3.0, 2.0, 0.0]]])).tolist()
    [[[3.0, 2.0]]]
    """

    function = functional.max_pool1d

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        return_mask: bool = False,
        ceil_mode: bool = False,
        name: str | None = None,
    ):
        super().__init__(
            kernel_size, stride, padding, return_mask=return_mask, ceil_mode=ceil_mode, name=name
        )


class _MaxPool(_Pool):
    """The maxima of images or volumes."""

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        return_mask: bool = False,
        ceil_mode: bool = False,
        data_format: str = "NCHW",
        name: str | None = None,
    ):
        super().__init__(
            kernel_size,
            stride,
            padding,
            return_mask=return_mask,
            ceil_mode=ceil_mode,
            data_format=data_format,
            name=name,
        )


class MaxPool2D(_MaxPool):
    """The maximum of each window of an image.

    x: [N,C,H,W]; NHWC has channels last. kernel_size, stride, padding: pixels, one number or (h,
    w); stride None means kernel_size. return_mask: the positions of the maxima too, int32.
    ceil_mode: a last window that is not whole counts. Returns [N,C,H',W'].

    >>> import twinoar
    >>> twinoar.nn.MaxPool2D(2)(twinoar.ones([1, 3, 8, 8])).shape
    [1, 3, 4, 4]
    """

    function = functional.max_pool2d


class MaxPool3D(_MaxPool):
    """The maximum of each window of a volume, as MaxPool2D does it with images.

    x: [N,C,D,H,W]; NDHWC has channels last. kernel_size, stride, padding: one number or (d, h, w).
    Returns [N,C,D',H',W'].

    >>> import twinoar
    >>> twinoar.nn.MaxPool3D(2)(twinoar.ones([1, 3, 4, 4, 4])).shape
    [1, 3, 2, 2, 2]
    """

    function = functional.max_pool3d

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        return_mask: bool = False,
        ceil_mode: bool = False,
        data_format: str = "NCDHW",
        name: str | None = None,
    ):
        super().__init__(kernel_size, stride, padding, return_mask, ceil_mode, data_format, name)


class AvgPool1D(_Pool):
    """The mean of each window of a sequence.

    x: [N,C,L]. exclusive: padding does not count. Returns [N,C,L'].

    >>> import twinoar
    >>> twinoar.nn.AvgPool1D(2)(twinoar.to_tensor([[[1.0, 3.0, 2.0, 0.0]]])).tolist()
    [[[2.0, 1.0]]]
    """

    function = functional.avg_pool1d

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        exclusive: bool = True,
        ceil_mode: bool = False,
        name: str | None = None,
    ):
        super().__init__(
            kernel_size, stride, padding, exclusive=exclusive, ceil_mode=ceil_mode, name=name
        )


class LPPool1D(_Pool):
    """(sum of x^p)^(1/p) of each window of a sequence, with p = norm_type.

    x: [N,C,L]; NLC has channels last. Returns [N,C,L'].

    >>> import twinoar
    >>> twinoar.nn.LPPool1D(2.0, 2)(twinoar.to_tensor([[[3.0, 4.0]]])).tolist()
    [[[5.0]]]
    """

    function = functional.lp_pool1d
    default_format = "NCL"

    def __init__(
        self,
        norm_type: float,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        data_format: str | None = None,
        name: str | None = None,
    ):
        super().__init__(
            kernel_size,
            stride,
            padding,
            norm_type=float(norm_type),
            ceil_mode=ceil_mode,
            data_format=data_format or self.default_format,
            name=name,
        )
        self.norm_type = float(norm_type)

    def extra_repr(self) -> str:
        """The norm and the window."""
        return f"norm_type={self.norm_type}, {super().extra_repr()}"


class LPPool2D(LPPool1D):
    """LPPool1D for images. x: [N,C,H,W]; NHWC has channels last. Returns [N,C,H',W'].

    >>> import twinoar
    >>> twinoar.nn.LPPool2D(2.0, 2)(twinoar.ones([1, 1, 2, 2])).tolist()
    [[[[2.0]]]]
    """

    function = functional.lp_pool2d
    default_format = "NCHW"


class _AvgPool(_Pool):
    """The means of images or volumes."""

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        exclusive: bool = True,
        divisor_override: float | None = None,
        data_format: str = "NCHW",
        name: str | None = None,
    ):
        super().__init__(
            kernel_size,
            stride,
            padding,
            ceil_mode=ceil_mode,
            exclusive=exclusive,
            divisor_override=divisor_override,
            data_format=data_format,
            name=name,
        )


class AvgPool2D(_AvgPool):
    """The mean of each window of an image.

    x: [N,C,H,W]; NHWC has channels last. exclusive: padding does not count. divisor_override: what
    to divide by instead of the window's size. Returns [N,C,H',W'].

    >>> import twinoar
    >>> twinoar.nn.AvgPool2D(2)(twinoar.ones([1, 3, 8, 8])).shape
    [1, 3, 4, 4]
    """

    function = functional.avg_pool2d


class AvgPool3D(_AvgPool):
    """The mean of each window of a volume, as AvgPool2D does it with images.

    x: [N,C,D,H,W]; NDHWC has channels last. Returns [N,C,D',H',W'].

    >>> import twinoar
    >>> twinoar.nn.AvgPool3D(2)(twinoar.ones([1, 3, 4, 4, 4])).shape
    [1, 3, 2, 2, 2]
    """

    function = functional.avg_pool3d

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        exclusive: bool = True,
        divisor_override: float | None = None,
        data_format: str = "NCDHW",
        name: str | None = None,
    ):
        super().__init__(
            kernel_size, stride, padding, ceil_mode, exclusive, divisor_override, data_format, name
        )


class AdaptiveAvgPool1D(Layer):
    """The means of so many windows of a sequence that output_size come out. x: [N,C,L].

    >>> import twinoar
    >>> twinoar.nn.AdaptiveAvgPool1D(1)(twinoar.to_tensor([[[1.0, 3.0]]])).tolist()
    [[[2.0]]]
    """

    def __init__(self, output_size: int, name: str | None = None):
        super().__init__()
        self.output_size, self.name = output_size, name

    def forward(self, input: Any) -> Any:
        """The pooled input."""
        return functional.adaptive_avg_pool1d(input, self.output_size)

    def extra_repr(self) -> str:
        """The size."""
        return f"output_size={self.output_size}"


class _AdaptiveAvgPool(Layer):
    """The means of bins of images or volumes."""

    function: Callable

    def __init__(self, output_size: Any, data_format: str = "NCHW", name: str | None = None):
        super().__init__()
        self._output_size, self._data_format, self._name = output_size, data_format, name

    def forward(self, x: Any) -> Any:
        """The pooled x."""
        return type(self).function(x, self._output_size, data_format=self._data_format)

    def extra_repr(self) -> str:
        """The size."""
        return f"output_size={self._output_size}"


class AdaptiveAvgPool2D(_AdaptiveAvgPool):
    """The means of so many windows of an image that output_size, one number or (h, w), come out.

    x: [N,C,H,W]; NHWC has channels last. None in output_size keeps a size. Returns [N,C,h,w].

    >>> import twinoar
    >>> twinoar.nn.AdaptiveAvgPool2D(1)(twinoar.ones([1, 3, 7, 7])).shape
    [1, 3, 1, 1]
    """

    function = functional.adaptive_avg_pool2d


class AdaptiveAvgPool3D(_AdaptiveAvgPool):
    """The means of so many windows of a volume that output_size, one number or (d, h, w), come out.

    x: [N,C,D,H,W]; NDHWC has channels last. None in output_size keeps a size. Returns [N,C,d,h,w].

    >>> import twinoar
    >>> twinoar.nn.AdaptiveAvgPool3D(1)(twinoar.ones([1, 3, 4, 4, 4])).shape
    [1, 3, 1, 1, 1]
    """

    function = functional.adaptive_avg_pool3d

    def __init__(self, output_size: Any, data_format: str = "NCDHW", name: str | None = None):
        super().__init__(output_size, data_format, name)


class _AdaptiveMaxPool(Layer):
    """The maxima of bins of sequences, images or volumes."""

    function: Callable

    def __init__(self, output_size: Any, return_mask: bool = False, name: str | None = None):
        super().__init__()
        self._output_size, self._return_mask, self._name = output_size, return_mask, name

    def forward(self, x: Any) -> Any:
        """The pooled x."""
        return type(self).function(x, self._output_size, return_mask=self._return_mask)

    def extra_repr(self) -> str:
        """The arguments."""
        return f"output_size={self._output_size}, return_mask={self._return_mask}"


class AdaptiveMaxPool1D(_AdaptiveMaxPool):
    """The maxima of so many windows of a sequence that output_size come out. x: [N,C,L].

    return_mask: the positions of the maxima too.

    >>> import twinoar
    >>> twinoar.nn.AdaptiveMaxPool1D(1)(twinoar.to_tensor([[[1.0, 3.0]]])).tolist()
    [[[3.0]]]
    """

    function = functional.adaptive_max_pool1d


class AdaptiveMaxPool2D(_AdaptiveMaxPool):
    """The maxima of so many windows of an image that output_size, one number or (h, w), come out.

    x: [N,C,H,W]. return_mask: the positions of the maxima too. Returns [N,C,h,w].

    >>> import twinoar
    >>> twinoar.nn.AdaptiveMaxPool2D(1)(twinoar.ones([1, 3, 7, 7])).shape
    [1, 3, 1, 1]
    """

    function = functional.adaptive_max_pool2d


class AdaptiveMaxPool3D(_AdaptiveMaxPool):
    """The maxima of so many windows of a volume that output_size, one number or (d, h, w), come
    out.

    x: [N,C,D,H,W]. return_mask: the positions of the maxima too. Returns [N,C,d,h,w].

    >>> import twinoar
    >>> twinoar.nn.AdaptiveMaxPool3D(1)(twinoar.ones([1, 3, 4, 4, 4])).shape
    [1, 3, 1, 1, 1]
    """

    function = functional.adaptive_max_pool3d


class FractionalMaxPool2D(_AdaptiveMaxPool):
    """The maxima of so many windows of an image, whose sizes differ by one at random.

    The arguments: see `functional.fractional_max_pool2d`. x: [N,C,H,W]. Returns [N,C,h,w].

    >>> import twinoar
    >>> twinoar.nn.FractionalMaxPool2D([2, 3])(twinoar.ones([1, 3, 7, 7])).shape
    [1, 3, 2, 3]
    """

    function = functional.fractional_max_pool2d

    def __init__(
        self,
        output_size: Any,
        kernel_size: Any = None,
        random_u: float | None = None,
        return_mask: bool = False,
        name: str | None = None,
    ):
        super().__init__(output_size, return_mask, name)
        self._kernel_size, self._random_u = kernel_size, random_u

    def forward(self, x: Any) -> Any:
        """The pooled x."""
        how = self._output_size, self._kernel_size, self._random_u, self._return_mask
        return type(self).function(x, *how)


class FractionalMaxPool3D(FractionalMaxPool2D):
    """`FractionalMaxPool2D` of volumes, [N,C,D,H,W].

    >>> import twinoar
    >>> twinoar.nn.FractionalMaxPool3D(2)(twinoar.ones([1, 3, 4, 4, 4])).shape
    [1, 3, 2, 2, 2]
    """

    function = functional.fractional_max_pool3d
