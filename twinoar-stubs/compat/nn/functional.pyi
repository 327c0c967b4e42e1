"""`paddle.compat.nn.functional`: functions with PyTorch's arguments."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar
from typing import Any, Literal, overload

import numpy as _numpy

@overload
def linear(input: twinoar._TensorLike, weight: twinoar._TensorLike, bias: twinoar._TensorLike | None = None) -> twinoar.Tensor:
    """input weight' + bias, with weight [out,in]"""
@overload
def linear(*args: Any, input: Any = ..., weight: Any = ..., bias: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def pad(input: twinoar._TensorLike, pad: collections.abc.Sequence[Any], mode: builtins.str = 'constant', value: Any = ...) -> twinoar.Tensor:
    """input with borders: (before, after) of the last axis, then of the one before it, and so on."""
@overload
def pad(*args: Any, input: Any = ..., pad: Any = ..., mode: Any = ..., value: Any = ..., source: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def scaled_dot_product_attention(query: twinoar._TensorLike, key: twinoar._TensorLike, value: twinoar._TensorLike, attn_mask: twinoar._TensorLike | None = None, dropout_p: Any = ..., is_causal: builtins.bool = False, scale: Any = None, enable_gqa: builtins.bool = False) -> twinoar.Tensor:
    """softmax(scale * query key' + attn_mask) value, for each head."""
@overload
def scaled_dot_product_attention(*args: Any, query: Any = ..., key: Any = ..., value: Any = ..., attn_mask: Any = ..., dropout_p: Any = ..., is_causal: Any = ..., scale: Any = ..., enable_gqa: Any = ..., source: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
from twinoar import softmax as softmax
@overload
def unfold(input: twinoar._TensorLike, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> twinoar.Tensor:
    """The windows of images as columns"""
@overload
def unfold(*args: Any, input: Any = ..., kernel_size: Any = ..., dilation: Any = ..., padding: Any = ..., stride: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
