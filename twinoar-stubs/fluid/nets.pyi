"""Parts of networks that Paddle 1.8 has ready: convolutions with pooling, attention."""

# Written by tools/stubs.py.

import builtins
import collections.abc
from typing import Any, Literal, overload

import numpy as _numpy

def glu(input: Any, dim: Any = -1) -> Any:
    """The first half of the input times the sigmoid of the second, halves along `dim`."""
def img_conv_group(input: Any, conv_num_filter: collections.abc.Sequence[Any], pool_size: Any, conv_padding: Any = 1, conv_filter_size: Any = 3, conv_act: Any = None, param_attr: Any = None, conv_with_batchnorm: Any = False, conv_batchnorm_drop_rate: Any = ..., pool_stride: Any = 1, pool_type: builtins.str = 'max', use_cudnn: builtins.bool = True) -> Any:
    """Convolutions one after the other, each perhaps with batch norm and dropout, and a pooling."""
def scaled_dot_product_attention(queries: Any, keys: Any, values: Any, num_heads: Any = 1, dropout_rate: Any = ...) -> Any:
    """softmax(q k' / sqrt(d)) v, for each head."""
def sequence_conv_pool(input: Any, num_filters: Any, filter_size: Any, param_attr: Any = None, act: Any = 'sigmoid', pool_type: builtins.str = 'max', bias_attr: Any = None, lengths: Any = None) -> Any:
    """A convolution over the steps of sequences, an activation, and one step from all of them."""
def simple_img_conv_pool(input: Any, num_filters: Any, filter_size: Any, pool_size: Any, pool_stride: Any, pool_padding: Any = 0, pool_type: builtins.str = 'max', global_pooling: builtins.bool = False, conv_stride: Any = 1, conv_padding: Any = 0, conv_dilation: Any = 1, conv_groups: Any = 1, param_attr: Any = None, bias_attr: Any = None, act: Any = None, use_cudnn: builtins.bool = True) -> Any:
    """A convolution, an activation, and a pooling"""
