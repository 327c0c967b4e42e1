"""Layers of sparse tensors."""

# Written by tools/stubs.py.

import abc
import builtins
import twinoar
import twinoar.nn
from typing import Any, Literal, overload

import numpy as _numpy

class BatchNorm(twinoar.nn.Layer):
    """Batch normalization of the elements that a sparse tensor [...,C] holds."""
    def __init__(self, num_features: Any, momentum: Any = ..., epsilon: Any = ..., weight_attr: Any = None, bias_attr: Any = None, data_format: builtins.str = 'NDHWC', use_global_stats: builtins.bool | None = None, name: builtins.str | None = None) -> None: ...
    def forward(self, x: abc.ABC) -> Any:
        """x with the elements that it holds normalized, channel by channel."""
    default_format: builtins.str
    ranks: builtins.tuple
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    weight: twinoar.nn.Parameter
    bias: twinoar.nn.Parameter
class Conv2D(twinoar.nn.Layer):
    """Convolution of sparse images [N,H,W,C]: an element wherever the window holds one."""
    rank: builtins.int
    @staticmethod
    def function(x: abc.ABC, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: Any = 1, data_format: builtins.str = 'NHWC', name: builtins.str | None = None) -> twinoar._SparseCooTensor:
        """Convolution of a sparse image: an element wherever the window holds one."""
    def __init__(self, in_channels: Any, out_channels: Any, kernel_size: Any, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: Any = 1, padding_mode: builtins.str = 'zeros', weight_attr: Any = None, bias_attr: Any = None, data_format: builtins.str | None = None) -> None: ...
    def forward(self, x: abc.ABC) -> twinoar._SparseCooTensor:
        """The convolution of x with the weight."""
    output_padding: builtins.int
    def extra_repr(self) -> builtins.str:
        """The arguments that are not at their default."""
    weight: twinoar.nn.Parameter
    bias: twinoar.nn.Parameter
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar._SparseCooTensor: ...
class Conv3D(twinoar.nn.Layer):
    """Convolution of sparse volumes [N,D,H,W,C]: see `Conv2D`."""
    rank: builtins.int
    @staticmethod
    def function(x: abc.ABC, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: Any = 1, data_format: builtins.str = 'NDHWC', name: builtins.str | None = None) -> twinoar._SparseCooTensor:
        """Convolution of a sparse volume [N,D,H,W,C] with weight [KD,KH,KW,C,O]: see `conv2d`."""
    def __init__(self, in_channels: Any, out_channels: Any, kernel_size: Any, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: Any = 1, padding_mode: builtins.str = 'zeros', weight_attr: Any = None, bias_attr: Any = None, data_format: builtins.str | None = None) -> None: ...
    def forward(self, x: abc.ABC) -> twinoar._SparseCooTensor:
        """The convolution of x with the weight."""
    output_padding: builtins.int
    def extra_repr(self) -> builtins.str:
        """The arguments that are not at their default."""
    weight: twinoar.nn.Parameter
    bias: twinoar.nn.Parameter
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar._SparseCooTensor: ...
class LeakyReLU(twinoar.nn.Layer):
    """`leaky_relu` of each element."""
    def __init__(self, negative_slope: Any = ..., name: builtins.str | None = None) -> None: ...
    def forward(self, x: abc.ABC) -> Any:
        """The elements of x, those below 0 times `negative_slope`."""
    negative_slope: builtins.float
class MaxPool3D(twinoar.nn.Layer):
    """The largest of the elements that each window of a sparse volume [N,D,H,W,C] holds."""
    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0, return_mask: builtins.bool = False, ceil_mode: builtins.bool = False, data_format: builtins.str = 'NDHWC', name: builtins.str | None = None) -> None: ...
    def forward(self, x: abc.ABC) -> twinoar._SparseCooTensor:
        """The pooled x."""
    def extra_repr(self) -> builtins.str:
        """The window."""
    ksize: Any
    stride: Any
    padding: Any
    return_mask: builtins.bool
    ceil_mode: builtins.bool
    data_format: builtins.str
    name: builtins.str | None
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar._SparseCooTensor: ...
class ReLU(twinoar.nn.Layer):
    """`relu` of each element."""
    def __init__(self, name: builtins.str | None = None) -> None: ...
    def forward(self, x: abc.ABC) -> Any:
        """The elements of x that are positive, 0 in place of others."""
class ReLU6(twinoar.nn.Layer):
    """`relu6` of each element."""
    def __init__(self, name: builtins.str | None = None) -> None: ...
    def forward(self, x: abc.ABC) -> Any:
        """The elements of x, from 0 to 6."""
class Softmax(twinoar.nn.Layer):
    """`softmax` over the last dimension."""
    def __init__(self, axis: Any = -1, name: builtins.str | None = None) -> None: ...
    def forward(self, x: abc.ABC) -> Any:
        """The softmax of the elements of x."""
    axis: builtins.int
class SubmConv2D(twinoar.nn.Layer):
    """Convolution of sparse images [N,H,W,C] that keeps their positions."""
    rank: builtins.int
    @staticmethod
    def function(x: abc.ABC, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: Any = 1, data_format: builtins.str = 'NHWC', key: builtins.str | None = None, name: builtins.str | None = None) -> twinoar._SparseCooTensor:
        """Convolution of a sparse image that keeps its positions: windows lie around its elements."""
    def __init__(self, in_channels: Any, out_channels: Any, kernel_size: Any, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: Any = 1, padding_mode: builtins.str = 'zeros', key: builtins.str | None = None, weight_attr: Any = None, bias_attr: Any = None, data_format: builtins.str | None = None, backend: builtins.str | None = None) -> None: ...
    def forward(self, x: abc.ABC) -> twinoar._SparseCooTensor:
        """The convolution of x with the weight."""
    output_padding: builtins.int
    def extra_repr(self) -> builtins.str:
        """The arguments that are not at their default."""
    weight: twinoar.nn.Parameter
    bias: twinoar.nn.Parameter
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar._SparseCooTensor: ...
class SubmConv3D(twinoar.nn.Layer):
    """Convolution of sparse volumes [N,D,H,W,C] that keeps their positions: see `SubmConv2D`."""
    rank: builtins.int
    @staticmethod
    def function(x: abc.ABC, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: Any = 1, data_format: builtins.str = 'NDHWC', key: builtins.str | None = None, name: builtins.str | None = None) -> twinoar._SparseCooTensor:
        """Convolution of a sparse volume that keeps its positions: see `subm_conv2d`."""
    def __init__(self, in_channels: Any, out_channels: Any, kernel_size: Any, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: Any = 1, padding_mode: builtins.str = 'zeros', key: builtins.str | None = None, weight_attr: Any = None, bias_attr: Any = None, data_format: builtins.str | None = None, backend: builtins.str | None = None) -> None: ...
    def forward(self, x: abc.ABC) -> twinoar._SparseCooTensor:
        """The convolution of x with the weight."""
    output_padding: builtins.int
    def extra_repr(self) -> builtins.str:
        """The arguments that are not at their default."""
    weight: twinoar.nn.Parameter
    bias: twinoar.nn.Parameter
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar._SparseCooTensor: ...
class SyncBatchNorm(twinoar.nn.SyncBatchNorm):
    """`BatchNorm` over all processes; there is one, so it is batch normalization."""
    def forward(self, x: abc.ABC) -> Any:
        """x with the elements that it holds normalized, channel by channel."""
from . import functional as functional
