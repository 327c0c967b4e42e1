"""Functions of sparse tensors that networks are built of."""

# Written by tools/stubs.py.

import abc
import builtins
import twinoar
from typing import Any, Literal, overload

import numpy as _numpy

def attention(query: Any, key: Any, value: Any, sparse_mask: abc.ABC, key_padding_mask: Any = None, attn_mask: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """softmax(query key' / sqrt(D)) value, over the keys where `sparse_mask` has elements."""
def conv2d(x: abc.ABC, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: Any = 1, data_format: builtins.str = 'NHWC', name: builtins.str | None = None) -> twinoar._SparseCooTensor:
    """Convolution of a sparse image: an element wherever the window holds one."""
def conv3d(x: abc.ABC, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: Any = 1, data_format: builtins.str = 'NDHWC', name: builtins.str | None = None) -> twinoar._SparseCooTensor:
    """Convolution of a sparse volume [N,D,H,W,C] with weight [KD,KH,KW,C,O]: see `conv2d`."""
def leaky_relu(x: abc.ABC, negative_slope: Any = ..., name: builtins.str | None = None) -> Any:
    """`leaky_relu` of each element that x holds."""
def max_pool3d(x: abc.ABC, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: builtins.bool = False, data_format: builtins.str = 'NDHWC', name: builtins.str | None = None) -> twinoar._SparseCooTensor:
    """The largest of the elements that each window of a sparse volume holds; what is absent is not compared."""
@overload
def relu(x: abc.ABC, name: builtins.str | None = None) -> Any:
    """`relu` of each element that x holds, in the places of x."""
@overload
def relu(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> Any: ...
@overload
def relu6(x: abc.ABC, name: builtins.str | None = None) -> Any:
    """`relu6` of each element that x holds, in the places of x."""
@overload
def relu6(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> Any: ...
def softmax(x: abc.ABC, axis: Any = -1, name: builtins.str | None = None) -> Any:
    """softmax over the last dimension, of the elements that x holds; others count as absent."""
def subm_conv2d(x: abc.ABC, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: Any = 1, data_format: builtins.str = 'NHWC', key: builtins.str | None = None, name: builtins.str | None = None) -> twinoar._SparseCooTensor:
    """Convolution of a sparse image that keeps its positions: windows lie around its elements."""
subm_conv2d_igemm = subm_conv2d
def subm_conv3d(x: abc.ABC, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: Any = 1, data_format: builtins.str = 'NDHWC', key: builtins.str | None = None, name: builtins.str | None = None) -> twinoar._SparseCooTensor:
    """Convolution of a sparse volume that keeps its positions: see `subm_conv2d`."""
subm_conv3d_igemm = subm_conv3d
