"""Convolutions, and the transposed ones."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from twinoar.errors import ArgumentError, ShapeError, TypeMismatchError
from twinoar.nn import functional
from twinoar.nn.initializer import Normal
from twinoar.nn.layer import Layer
from twinoar.ops.window._geometry import FORMATS, check_format, per_axis

PADDING_MODES = ("zeros", "reflect", "replicate", "circular")


class _Convolution(Layer):
    """What all convolutions share: sizes, checks, parameters."""

    rank: int
    function: Callable
    output_padding: Any = 0

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any,
        padding: Any,
        dilation: Any,
        groups: int,
        weight_attr: Any,
        bias_attr: Any,
        data_format: str,
        dtype: Any = None,
    ):
        super().__init__()
        check_format(data_format, self.rank)
        if groups < 1 or in_channels % groups or out_channels % groups:
            raise ShapeError(
                f"groups must divide the channels: {in_channels} in, {out_channels} out, "
                f"{groups} groups",
                cure="choose a number of groups that divides both",
            )
        self._in_channels, self._out_channels = in_channels, out_channels
        self._kernel_size = list(per_axis(kernel_size, self.rank, "kernel_size"))
        self._stride = list(per_axis(stride, self.rank, "stride"))
        self._dilation = list(per_axis(dilation, self.rank, "dilation"))
        self._padding, self._groups = padding, groups
        self._padding_mode = "zeros"
        self._data_format = data_format
        self._param_attr, self._bias_attr = weight_attr, bias_attr
        self.weight = self.create_parameter(
            self._weight_shape(), weight_attr, dtype, default_initializer=self._weight_initializer()
        )
        self.bias = self.create_parameter([out_channels], bias_attr, dtype, is_bias=True)

    def _weight_shape(self) -> list[int]:
        return [self._out_channels, self._in_channels // self._groups, *self._kernel_size]

    def _weight_initializer(self) -> Callable | None:
        """Normal of variance 2 / (elements of one filter), groups not counted, as Paddle has it."""
        return Normal(0.0, math.sqrt(2 / max(math.prod(self._kernel_size) * self._in_channels, 1)))

    def extra_repr(self) -> str:
        """The arguments that are not at their default."""
        shown = f"{self._in_channels}, {self._out_channels}, kernel_size={self._kernel_size}"
        if self._stride != [1] * self.rank:
            shown += f", stride={self._stride}"
        if self._padding != 0:
            shown += f", padding={self._padding}"
        if self._padding_mode != "zeros":
            shown += f", padding_mode={self._padding_mode}"
        if self.output_padding != 0:
            shown += f", output_padding={self.output_padding}"
        if self._dilation != [1] * self.rank:
            shown += f", dilation={self._dilation}"
        if self._groups != 1:
            shown += f", groups={self._groups}"
        return f"{shown}, data_format={self._data_format}"


class _Conv(_Convolution):
    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        padding_mode: str = "zeros",
        weight_attr: Any = None,
        bias_attr: Any = None,
        data_format: str | None = None,
        *,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ):
        if padding_mode not in PADDING_MODES:
            allowed = ", ".join(PADDING_MODES)
            raise ArgumentError(
                f"padding_mode must be one of {allowed}, received {padding_mode!r}",
                cure="the usual one is 'zeros'",
            )
        super().__init__(
            in_channels,
            out_channels,
            kernel_size,
            stride,
            padding,
            dilation,
            groups,
            weight_attr,
            bias_attr if bias else False,
            data_format or FORMATS[self.rank][0],
            dtype,
        )
        if device is not None:
            self.to(device)
        self._padding_mode = padding_mode
        if padding_mode != "zeros":
            if not isinstance(padding, int):
                raise TypeMismatchError(
                    f"padding must be an integer with padding_mode={padding_mode!r}, "
                    f"received {padding!r}"
                )
            self._updated_padding = [padding] * (2 * self.rank)

    def forward(self, x: Any) -> Any:
        """The convolution of x with the weight."""
        padding = self._padding
        if self._padding_mode != "zeros":
            x = functional.pad(
                x, self._updated_padding, self._padding_mode, data_format=self._data_format
            )
            padding = 0
        return type(self).function(
            x,
            self.weight,
            self.bias,
            stride=self._stride,
            padding=padding,
            dilation=self._dilation,
            groups=self._groups,
            data_format=self._data_format,
        )


class Conv1D(_Conv):
    """Convolution of sequences.

    y[n,o,t] = b[o] + sum over c, k of w[o,c,k] x[n,c,t stride + k dilation].
    x: [N,in_channels,L]; NLC has channels last. weight: [out_channels,in_channels / groups,K].
    Returns [N,out_channels,L']. Arguments as of Conv2D.

    >>> twinoar.nn.Conv1D(3, 8, 3, padding=1)(twinoar.ones([2, 3, 16])).shape
    [2, 8, 16]
    """

    rank = 1
    function = functional.conv1d


class Conv2D(_Conv):
    """Convolution of images.

    y[n,o,i,j] = b[o] + sum over c, p, q of w[o,c,p,q] x[n,c,i s + p d, j s + q d].
    x: [N,in_channels,H,W]; NHWC has channels last. weight: [out_channels,in_channels /
    groups,KH,KW], starts normal of variance 2 / (KH KW in_channels). bias: [out_channels], absent
    where bias_attr is False. stride s, dilation d: pixels, one number or (h, w). padding: pixels,
    (h, w), (top, bottom, left, right), pairs, "SAME" or "VALID". padding_mode: zeros, reflect,
    replicate or circular. bias: False stands for bias_attr=False; dtype: of weight and bias, None
    means the default; device: where they are. Returns [N,out_channels,H',W']. Raises ShapeError
    where groups do not divide the channels.

    >>> twinoar.nn.Conv2D(3, 8, 3, stride=2, padding=1)(twinoar.ones([2, 3, 32, 32])).shape
    [2, 8, 16, 16]
    """

    rank = 2
    function = functional.conv2d


class Conv3D(_Conv):
    """Convolution of volumes, as Conv2D does it with images.

    x: [N,in_channels,D,H,W]; NDHWC has channels last. weight: [out_channels,in_channels /
    groups,KD,KH,KW]. Returns [N,out_channels,D',H',W']. Arguments as of Conv2D.

    >>> twinoar.nn.Conv3D(3, 8, 3, padding=1)(twinoar.ones([2, 3, 4, 4, 4])).shape
    [2, 8, 4, 4, 4]
    """

    rank = 3
    function = functional.conv3d


class _ConvTranspose(_Convolution):
    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        weight_attr: Any = None,
        bias_attr: Any = None,
        data_format: str = "NCHW",
    ):
        super().__init__(
            in_channels,
            out_channels,
            kernel_size,
            stride,
            padding,
            dilation,
            groups,
            weight_attr,
            bias_attr,
            data_format,
        )
        self.output_padding = output_padding

    def _weight_shape(self) -> list[int]:
        return [self._in_channels, self._out_channels // self._groups, *self._kernel_size]

    def _weight_initializer(self) -> None:
        return None

    def forward(self, x: Any, output_size: Any = None) -> Any:
        """The transposed convolution of x; output_size chooses among the possible sizes."""
        return type(self).function(
            x,
            self.weight,
            self.bias,
            stride=self._stride,
            padding=self._padding,
            output_padding=0 if output_size is not None else self.output_padding,
            dilation=self._dilation,
            groups=self._groups,
            output_size=output_size,
            data_format=self._data_format,
        )


class Conv1DTranspose(_ConvTranspose):
    """Transposed convolution of sequences, as Conv2DTranspose does it with images.

    x: [N,in_channels,L]. Returns [N,out_channels,(L - 1) stride - 2 padding + (K - 1) dilation + 1
    + output_padding].

    >>> twinoar.nn.Conv1DTranspose(3, 8, 2, stride=2)(twinoar.ones([2, 3, 16])).shape
    [2, 8, 32]
    """

    rank = 1
    function = functional.conv1d_transpose

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        dilation: Any = 1,
        weight_attr: Any = None,
        bias_attr: Any = None,
        data_format: str = "NCL",
    ):
        window = (kernel_size, stride, padding, output_padding, dilation, groups)
        super().__init__(in_channels, out_channels, *window, weight_attr, bias_attr, data_format)


class Conv2DTranspose(_ConvTranspose):
    """The gradient of a convolution with respect to its input, as a layer: it enlarges images.

    x: [N,in_channels,H,W]. weight: [in_channels,out_channels / groups,KH,KW]. Returns
    [N,out_channels,H',W'] with H' = (H - 1) stride - 2 padding + (KH - 1) dilation + 1 +
    output_padding. Raises ShapeError where groups do not divide the channels.

    >>> twinoar.nn.Conv2DTranspose(3, 8, 2, stride=2)(twinoar.ones([2, 3, 16, 16])).shape
    [2, 8, 32, 32]
    """

    rank = 2
    function = functional.conv2d_transpose


class Conv3DTranspose(_ConvTranspose):
    """Transposed convolution of volumes, as Conv2DTranspose does it with images.

    x: [N,in_channels,D,H,W]. weight: [in_channels,out_channels / groups,KD,KH,KW]. Returns
    [N,out_channels,D',H',W'].

    >>> twinoar.nn.Conv3DTranspose(3, 8, 2, stride=2)(twinoar.ones([2, 3, 4, 4, 4])).shape
    [2, 8, 8, 8, 8]
    """

    rank = 3
    function = functional.conv3d_transpose

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        weight_attr: Any = None,
        bias_attr: Any = None,
        data_format: str = "NCDHW",
    ):
        window = (kernel_size, stride, padding, output_padding, dilation, groups)
        super().__init__(in_channels, out_channels, *window, weight_attr, bias_attr, data_format)
