"""Layers of sparse images and volumes: convolutions and pooling."""

from __future__ import annotations

from typing import Any

from twinoar.errors import ArgumentError
from twinoar.nn.conv import _Convolution
from twinoar.nn.layer import Layer
from twinoar.ops.window._geometry import FORMATS
from twinoar.sparse.nn import functional
from twinoar.sparse.tensor import SparseCooTensor, SparseTensor


class _SparseConvolution(_Convolution):
    """What all sparse convolutions share: weight [*kernel,C,O], channels last, one group."""

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
    ):
        wanted = FORMATS[self.rank][1]
        data_format = data_format or wanted
        for what, given, served in (
            ("groups", groups, 1),
            ("padding_mode", padding_mode, "zeros"),
            ("data_format", data_format, wanted),
        ):
            if given != served:
                raise ArgumentError(
                    f"{what} must be {served!r} in a sparse convolution, received {given!r}"
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
            bias_attr,
            data_format,
        )

    def _weight_shape(self) -> list[int]:
        return [*self._kernel_size, self._in_channels, self._out_channels]

    def forward(self, x: SparseTensor) -> SparseCooTensor:
        """The convolution of x with the weight."""
        found: SparseCooTensor = type(self).function(
            x,
            self.weight,
            self.bias,
            self._stride,
            self._padding,
            self._dilation,
            self._groups,
            self._data_format,
        )
        return found


class Conv2D(_SparseConvolution):
    """Convolution of sparse images [N,H,W,C]: an element wherever the window holds one.

    The weight is [KH,KW,in_channels,out_channels]; arguments are those of `nn.Conv2D`, with one
    group and zeros around. Raises ArgumentError, ShapeError.

    >>> x = twinoar.sparse.sparse_coo_tensor([[0], [1], [1]], [[2.0]], [1, 3, 3, 1])
    >>> twinoar.sparse.nn.Conv2D(1, 4, 3, padding=1)(x).shape
    [1, 3, 3, 4]
    """

    rank, function = 2, staticmethod(functional.conv2d)


class Conv3D(_SparseConvolution):
    """Convolution of sparse volumes [N,D,H,W,C]: see `Conv2D`."""

    rank, function = 3, staticmethod(functional.conv3d)


class _Submanifold(_SparseConvolution):
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
        key: str | None = None,
        weight_attr: Any = None,
        bias_attr: Any = None,
        data_format: str | None = None,
        backend: str | None = None,
    ):
        if backend not in (None, "igemm"):
            raise ArgumentError(f"backend must be None or 'igemm', received {backend!r}")
        self._key, self._backend = key, backend
        super().__init__(
            in_channels,
            out_channels,
            kernel_size,
            stride,
            padding,
            dilation,
            groups,
            padding_mode,
            weight_attr,
            bias_attr,
            data_format,
        )


class SubmConv2D(_Submanifold):
    """Convolution of sparse images [N,H,W,C] that keeps their positions.

    kernel_size: odd. stride, padding, key and backend change no result. Other arguments are those
    of `Conv2D`. Raises ArgumentError, ShapeError.

    >>> x = twinoar.sparse.sparse_coo_tensor([[0], [1], [1]], [[2.0]], [1, 3, 3, 1])
    >>> twinoar.sparse.nn.SubmConv2D(1, 4, 3)(x).indices().tolist()
    [[0], [1], [1]]
    """

    rank, function = 2, staticmethod(functional.subm_conv2d)


class SubmConv3D(_Submanifold):
    """Convolution of sparse volumes [N,D,H,W,C] that keeps their positions: see `SubmConv2D`."""

    rank, function = 3, staticmethod(functional.subm_conv3d)


class MaxPool3D(Layer):
    """The largest of the elements that each window of a sparse volume [N,D,H,W,C] holds.

    Arguments as of `functional.max_pool3d`. Raises ArgumentError for return_mask.
    """

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        return_mask: bool = False,
        ceil_mode: bool = False,
        data_format: str = "NDHWC",
        name: str | None = None,
    ):
        super().__init__()
        if return_mask:
            raise ArgumentError("return_mask must be False: sparse pooling gives no positions")
        self.ksize, self.stride, self.padding = kernel_size, stride, padding
        self.return_mask, self.ceil_mode = return_mask, ceil_mode
        self.data_format, self.name = data_format, name

    def forward(self, x: SparseTensor) -> SparseCooTensor:
        """The pooled x."""
        window = (self.ksize, self.stride, self.padding)
        return functional.max_pool3d(x, *window, self.ceil_mode, self.data_format)

    def extra_repr(self) -> str:
        """The window."""
        return f"kernel_size={self.ksize}, stride={self.stride}, padding={self.padding}"


__all__ = ["Conv2D", "Conv3D", "MaxPool3D", "SubmConv2D", "SubmConv3D"]
