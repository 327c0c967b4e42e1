"""Layers that bring regions of images to one size, and deformable convolution as a layer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from twinoar.nn import Layer
from twinoar.nn.initializer import Normal
from twinoar.ops.conv.deformable import deform_conv2d
from twinoar.ops.vision.roi import psroi_pool, roi_align, roi_pool
from twinoar.ops.window._geometry import per_axis

Size = int | Sequence[int]


class DeformConv2D(Layer):
    """`deform_conv2d` with a weight and a bias; x, offset and mask are given at each call.

    Raises ArgumentError where groups do not divide the channels.

    >>> layer = DeformConv2D(2, 3, 3)
    >>> layer(twinoar.ones([1, 2, 5, 5]), twinoar.zeros([1, 18, 3, 3])).shape
    [1, 3, 3, 3]
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Size,
        stride: Size = 1,
        padding: Size = 0,
        dilation: Size = 1,
        deformable_groups: int = 1,
        groups: int = 1,
        weight_attr: Any = None,
        bias_attr: Any = None,
    ) -> None:
        super().__init__()
        sizes = per_axis(kernel_size, 2, "kernel_size")
        self._stride, self._padding, self._dilation = stride, padding, dilation
        self._deformable_groups, self._groups = deformable_groups, groups
        spread = math.sqrt(2 / (math.prod(sizes) * in_channels))
        self.weight = self.create_parameter(
            [out_channels, in_channels // groups, *sizes],
            attr=weight_attr,
            default_initializer=Normal(0.0, spread),
        )
        self.bias = self.create_parameter([out_channels], attr=bias_attr, is_bias=True)

    def forward(self, x: Any, offset: Any, mask: Any = None) -> Any:
        return deform_conv2d(
            x,
            offset,
            self.weight,
            self.bias,
            self._stride,
            self._padding,
            self._dilation,
            self._deformable_groups,
            self._groups,
            mask,
        )


class _Pool(Layer):
    """A function of images, regions and their numbers, with what it is called with."""

    def __init__(self, output_size: Size, spatial_scale: float = 1.0) -> None:
        super().__init__()
        self._output_size, self._spatial_scale = output_size, spatial_scale

    def extra_repr(self) -> str:
        return f"output_size={self._output_size}, spatial_scale={self._spatial_scale}"


class RoIAlign(_Pool):
    """`roi_align` of x, boxes and boxes_num."""

    def forward(self, x: Any, boxes: Any, boxes_num: Any, aligned: bool = True) -> Any:
        size, scale = self._output_size, self._spatial_scale
        return roi_align(x, boxes, boxes_num, size, scale, aligned=aligned)


class RoIPool(_Pool):
    """`roi_pool` of x, boxes and boxes_num."""

    def forward(self, x: Any, boxes: Any, boxes_num: Any) -> Any:
        return roi_pool(x, boxes, boxes_num, self._output_size, self._spatial_scale)


class PSRoIPool(_Pool):
    """`psroi_pool` of x, boxes and boxes_num."""

    def forward(self, x: Any, boxes: Any, boxes_num: Any) -> Any:
        return psroi_pool(x, boxes, boxes_num, self._output_size, self._spatial_scale)
