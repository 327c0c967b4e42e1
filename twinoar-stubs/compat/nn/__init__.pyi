"""`paddle.compat.nn`: layers with PyTorch's arguments."""

# Written by tools/stubs.py.

import builtins
import twinoar
import twinoar.nn
from typing import Any, Literal, overload

import numpy as _numpy

class AvgPool1D(twinoar.nn.AvgPool1D):
    """The mean of each window of a sequence"""
    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = True) -> None: ...
AvgPool1d = AvgPool1D
class AvgPool2D(twinoar.nn.AvgPool2D):
    """The mean of each window of an image"""
    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = True, divisor_override: Any = None) -> None: ...
AvgPool2d = AvgPool2D
class AvgPool3D(twinoar.nn.AvgPool3D):
    """The mean of each window of a volume"""
    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = True, divisor_override: Any = None) -> None: ...
AvgPool3d = AvgPool3D
class Linear(twinoar.nn.Layer):
    """x weight' + bias, with weight [out_features,in_features]."""
    def __init__(self, in_features: Any, out_features: Any, bias: builtins.bool = True, device: Any = None, dtype: Any = None) -> None: ...
    def forward(self, input: twinoar._TensorLike) -> twinoar.Tensor:
        """x weight' + bias."""
    def extra_repr(self) -> builtins.str:
        """The arguments, as text."""
    in_features: builtins.int
    out_features: builtins.int
    weight: twinoar.nn.Parameter
    bias: twinoar.nn.Parameter
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class MultiheadAttention(twinoar.nn.Layer):
    """softmax(q k' / sqrt(head_dim) + mask) v for each head, projected before and after."""
    def __init__(self, embed_dim: Any, num_heads: Any, dropout: Any = ..., bias: builtins.bool = True, add_bias_kv: builtins.bool = False, add_zero_attn: builtins.bool = False, kdim: Any = None, vdim: Any = None, batch_first: builtins.bool = False, device: Any = None, dtype: Any = None) -> None: ...
    def forward(self, query: twinoar._TensorLike, key: twinoar._TensorLike, value: twinoar._TensorLike, key_padding_mask: twinoar._TensorLike | None = None, need_weights: builtins.bool = True, attn_mask: twinoar._TensorLike | None = None, average_attn_weights: builtins.bool = True, is_causal: builtins.bool = False) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor | None]:
        """What the queries find, and the shares of the positions, or None."""
    embed_dim: builtins.int
    num_heads: builtins.int
    dropout: builtins.float
    batch_first: builtins.bool
    add_zero_attn: builtins.bool
    in_proj_weight: Any
    q_proj_weight: Any
    k_proj_weight: Any
    v_proj_weight: Any
    in_proj_bias: Any
    bias_k: Any
    bias_v: Any
    out_proj: Any
    def __call__(self, *inputs: Any, **kwargs: Any) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor | None]: ...
class Softmax(twinoar.nn.Layer):
    """exp(x) / sum(exp(x)) along `dim`"""
    def __init__(self, dim: Any = None) -> None: ...
    def forward(self, input: twinoar._TensorLike) -> twinoar.Tensor:
        """The shares."""
    def extra_repr(self) -> builtins.str:
        """The argument, as text."""
    dim: builtins.int | None
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class Unfold(twinoar.nn.Unfold):
    """The windows of images as columns"""
    def __init__(self, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> None: ...
from . import functional as functional
