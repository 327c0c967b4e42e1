"""`paddle.compat.nn`: layers with PyTorch's arguments."""

from __future__ import annotations

from typing import Any

from twinoar import nn
from twinoar.compat.nn import functional
from twinoar.compat.nn.attention import MultiheadAttention
from twinoar.compat.nn.linear import Linear
from twinoar.core.public import exported
from twinoar.core.values import Value as Tensor


class Softmax(nn.Layer):
    """exp(x) / sum(exp(x)) along `dim`. See `special.softmax`."""

    def __init__(self, dim: int | None = None):
        super().__init__()
        self.dim = dim

    def forward(self, input: Tensor) -> Tensor:
        """The shares."""
        return functional.softmax(input, self.dim)

    def extra_repr(self) -> str:
        """The argument, as text."""
        return f"dim={self.dim}"


class Unfold(nn.Unfold):
    """The windows of images as columns. See `nn.Unfold`."""

    def __init__(self, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1):
        super().__init__(kernel_size, dilation, padding, stride)


class AvgPool1D(nn.AvgPool1D):
    """The mean of each window of a sequence. See `nn.AvgPool1D`."""

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
    ):
        super().__init__(kernel_size, stride, padding, not count_include_pad, ceil_mode)


class _Counted:
    """The arguments of AvgPool2D and AvgPool3D."""

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ):
        rest = (padding, ceil_mode, not count_include_pad, divisor_override)
        super().__init__(kernel_size, stride, *rest)  # type: ignore[call-arg]


class AvgPool2D(_Counted, nn.AvgPool2D):
    """The mean of each window of an image. See `nn.AvgPool2D`."""


class AvgPool3D(_Counted, nn.AvgPool3D):
    """The mean of each window of a volume. See `nn.AvgPool3D`."""


AvgPool1d, AvgPool2d, AvgPool3d = AvgPool1D, AvgPool2D, AvgPool3D

__all__ = exported(globals(), "functional", but=("Tensor",))
