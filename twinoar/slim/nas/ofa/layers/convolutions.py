"""Convolutions of elastic width and kernel, and those that are transposed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from twinoar import nn
from twinoar.core.public import declared
from twinoar.errors import ArgumentError, ShapeError, UnsupportedError
from twinoar.nn.initializer import Assign
from twinoar.nn.param_attr import ParamAttr
from twinoar.ops.linalg.matmul import matmul
from twinoar.ops.shape.reshape import reshape
from twinoar.slim.nas.ofa.elastic import Elastic, checked_width, fill, first

Candidates = Mapping[str, Sequence[Any]] | None


class _SuperConvolution(Elastic):
    """Elastic convolutions: a kernel is the middle of the largest one, or made of it by a matrix.

    candidate_config: of "kernel_size", and of "expand_ratio" or "channel". Channels and kernel are
    those of the largest network. With kernels to choose from, padding keeps the size of images at
    stride 1. transform_kernel: learn the matrix from each kernel to the next smaller, which begins
    as the identity; arXiv 1908.09791, figure 4. Raises UnknownNameError, ArgumentError,
    UnsupportedError for kernels that are no odd squares.
    """

    sizes = ("_in_channels", "_out_channels", "_kernel_size", "_padding", "_groups")
    inner_axis = 1  # of the weight
    _in_channels: int
    _out_channels: int
    _groups: int
    _data_format: str
    weight: Any
    bias: Any

    def _begin(self, candidates: Candidates, transform_kernel: bool) -> None:
        self._offer(candidates, self._out_channels)
        self._padding: Any
        kernels = self.candidate_config.get("kernel_size", [])
        largest = self._kernel_size[0]
        if kernels:
            is_square = len(set(self._kernel_size)) == 1
            if not is_square or any(k % 2 == 0 or not 0 < k <= largest for k in kernels):
                raise UnsupportedError(
                    f"kernels to choose from must be odd squares of at most {self._kernel_size}, "
                    f"received {kernels}"
                )
        if transform_kernel and not kernels:
            raise ArgumentError("transform_kernel needs kernels to choose from in candidate_config")
        self.transform_kernel = transform_kernel
        self._steps = [k for k in kernels if k < largest] + [largest] if transform_kernel else []
        for small, large in zip(self._steps, self._steps[1:], strict=False):
            attr = ParamAttr(initializer=Assign(np.eye(small**2, dtype="f4")))
            matrix = self.create_parameter([small**2, small**2], attr)
            self.add_parameter(f"{large}to{small}_matrix", matrix)

    def forward(
        self,
        input: Any,
        kernel_size: int | None = None,
        expand_ratio: float | None = None,
        channel: int | None = None,
        **named: Any,
    ) -> Any:
        """The convolution of x by the first channels, and the kernel, that are chosen."""
        chosen = {"kernel_size": kernel_size, "expand_ratio": expand_ratio, "channel": channel}
        inner = input.shape[self._data_format.index("C")]
        inner = checked_width(self._in_channels, inner, "the input")
        outer = self.width(self._out_channels, expand_ratio, channel)
        weight, bias, settings = self._active(inner, outer, kernel_size)
        self._chosen = (inner, outer, kernel_size)
        self.cur_config = {
            **chosen,
            "prune_dim": list(weight.shape),
            "prune_group": settings["groups"],
        }
        given = {"stride": self._stride, "dilation": self._dilation, **settings, **named}
        function: Any = type(self).function  # type: ignore[attr-defined]  # of the convolution
        return function(input, weight, bias, data_format=self._data_format, **given)

    def groups(self, inner: int, outer: int) -> tuple[int, int]:
        """How many groups there are, and how many channels come out."""
        if self._groups == 1:
            return 1, outer
        if self._groups == self._in_channels:  # each channel by itself: as many as come in
            return inner, inner * (self._out_channels // self._in_channels)
        if inner % self._groups or outer % self._groups:
            raise ShapeError(
                f"{self._groups} groups do not divide {inner} channels in and {outer} out",
                cure="offer candidates that they divide",
            )
        return self._groups, outer

    def _active(self, inner: int, outer: int, kernel: int | None) -> tuple[Any, Any, dict]:
        """The weight, the bias and the settings of a choice."""
        groups, outer = self.groups(inner, outer)
        pair = (outer, inner // groups) if self.inner_axis == 1 else (inner, outer // groups)
        weight = self._kernel(first(self.weight, *pair), kernel or self._kernel_size[0])
        padding: Any = self._padding
        if kernel is not None or "kernel_size" in self.candidate_config:
            padding = [(kernel or self._kernel_size[0]) // 2] * 2
        return weight, first(self.bias, outer), {"groups": groups, "padding": padding}

    def _kernel(self, weight: Any, wanted: int) -> Any:
        """The kernel of that size. Raises ArgumentError for one that is no candidate."""
        known = self.candidate_config.get("kernel_size", [])
        if wanted != self._kernel_size[0] and wanted not in known:
            raise ArgumentError(f"the kernel {wanted} is none of {known}")
        if not self._steps:
            return middle(weight, wanted)
        for small, large in reversed(list(zip(self._steps, self._steps[1:], strict=False))):
            if large <= wanted:
                break
            cut = middle(weight, small)
            flat = reshape(cut, [-1, small**2])
            weight = reshape(matmul(flat, getattr(self, f"{large}to{small}_matrix")), cut.shape)
        return weight

    def ordinary(self) -> nn.Layer:
        """A convolution of the sizes chosen last."""
        inner, outer, kernel = self._chosen
        weight, bias, settings = self._active(inner, outer, kernel)
        _, outer = self.groups(inner, outer)
        made = self._plain(
            inner,
            outer,
            list(weight.shape[2:]),
            stride=self._stride,
            dilation=self._dilation,
            bias_attr=None if bias is not None else False,
            data_format=self._data_format,
            **settings,
        )
        return fill(made, weight=weight, bias=bias)

    def _plain(self, inner: int, outer: int, kernel: list[int], **given: Any) -> nn.Layer:
        return nn.Conv2D(inner, outer, kernel, **given)


def middle(weight: Any, size: int) -> Any:
    """The middle of kernels [*,*,K,K], that is [*,*,size,size]."""
    start = weight.shape[-1] // 2 - size // 2
    if start == 0:
        return weight
    return weight[:, :, start : start + size, start : start + size]


class SuperConv2D(_SuperConvolution, nn.Conv2D):  # type: ignore[misc]  # more to choose
    """A convolution of images whose width and kernel are chosen in each call.

    Arguments as of Conv2D, with sizes that are those of the largest network; see `Elastic`.

    >>> SuperConv2D = twinoar.slim.nas.ofa.SuperConv2D
    >>> layer = SuperConv2D(3, 8, 5, {"kernel_size": [3, 5], "channel": [4, 8]})
    >>> layer(twinoar.ones([1, 3, 9, 9]), kernel_size=3, channel=4).shape
    [1, 4, 9, 9]
    >>> layer.ordinary()
    Conv2D(3, 4, kernel_size=[3, 3], padding=[1, 1], data_format=NCHW)
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        candidate_config: Candidates = None,
        transform_kernel: bool = False,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        padding_mode: str = "zeros",
        weight_attr: Any = None,
        bias_attr: Any = None,
        data_format: str = "NCHW",
    ):
        if padding_mode != "zeros":
            raise UnsupportedError("elastic convolutions are padded with zeros")
        nn.Conv2D.__init__(
            self,
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
        self._begin(candidate_config, transform_kernel)


class SuperGroupConv2D(SuperConv2D):
    """SuperConv2D in groups, whose number stays."""


class SuperDepthwiseConv2D(SuperConv2D):
    """SuperConv2D of each channel by itself: its width is that of its input."""


class SuperConv2DTranspose(_SuperConvolution, nn.Conv2DTranspose):
    """A transposed convolution of images whose width and kernel are chosen in each call.

    Arguments as of Conv2DTranspose, otherwise as SuperConv2D; output_size as of its `forward`.

    >>> layer = twinoar.slim.nas.ofa.SuperConv2DTranspose(4, 8, 3, {"channel": [2, 8]})
    >>> layer(twinoar.ones([1, 4, 5, 5]), channel=2).shape
    [1, 2, 7, 7]
    """

    width_axis: ClassVar[int] = 1  # type: ignore[misc]  # a constant of the class in both
    inner_axis = 0

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        candidate_config: Candidates = None,
        transform_kernel: bool = False,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        weight_attr: Any = None,
        bias_attr: Any = None,
        data_format: str = "NCHW",
    ):
        nn.Conv2DTranspose.__init__(
            self,
            in_channels,
            out_channels,
            kernel_size,
            stride,
            padding,
            output_padding,
            dilation,
            groups,
            weight_attr,
            bias_attr,
            data_format,
        )
        self._begin(candidate_config, transform_kernel)

    def forward(self, input: Any, output_size: Any = None, **chosen: Any) -> Any:  # type: ignore[override]  # Paddle's order
        """The transposed convolution of x by what is chosen."""
        around = 0 if output_size is not None else self.output_padding
        named = {"output_size": output_size, "output_padding": around}
        return super().forward(input, **chosen, **named)

    def _plain(self, inner: int, outer: int, kernel: list[int], **given: Any) -> nn.Layer:
        given["output_padding"] = self.output_padding
        return nn.Conv2DTranspose(inner, outer, kernel, **given)


class SuperGroupConv2DTranspose(SuperConv2DTranspose):
    """SuperConv2DTranspose in groups, whose number stays."""


class SuperDepthwiseConv2DTranspose(SuperConv2DTranspose):
    """SuperConv2DTranspose of each channel by itself: its width is that of its input."""


__all__ = declared(globals(), but=["middle"])
