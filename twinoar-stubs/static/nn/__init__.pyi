"""Layers of static Programs as functions: each call makes parameters in the default Programs."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar.fluid.layers import StaticRNN as StaticRNN
from twinoar.metric import accuracy as accuracy
def batch_norm(input: Any, act: builtins.str | None = None, is_test: builtins.bool = False, momentum: Any = ..., epsilon: Any = ..., param_attr: Any = None, bias_attr: Any = None, data_layout: builtins.str = 'NCHW', in_place: builtins.bool = False, name: builtins.str | None = None, moving_mean_name: builtins.str | None = None, moving_variance_name: builtins.str | None = None, do_model_average_for_mean_and_var: builtins.bool = True, use_global_stats: builtins.bool = False) -> Any:
    """act(scale (input - mean) / sqrt(variance + epsilon) + bias), for each channel."""
def bilinear_tensor_product(x: Any, y: Any, size: Any, act: builtins.str | None = None, name: builtins.str | None = None, param_attr: Any = None, bias_attr: Any = None) -> Any:
    """act(x W_i y + b_i) for each of `size` matrices W_i."""
def case(pred_fn_pairs: collections.abc.Sequence[builtins.tuple[Any, collections.abc.Callable]], default: collections.abc.Callable | None = None, name: builtins.str | None = None) -> Any:
    """What the function beside the first predicate that holds returns, else `default()`."""
def cond(pred: Any, true_fn: collections.abc.Callable[..., Any] | None = None, false_fn: collections.abc.Callable[..., Any] | None = None, name: builtins.str | None = None, return_names: Any = None) -> Any:
    """`true_fn()` or `false_fn()`, by the truth value `pred`."""
def conv2d(input: Any, num_filters: Any, filter_size: Any, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: Any = None, param_attr: Any = None, bias_attr: Any = None, use_cudnn: builtins.bool = True, act: builtins.str | None = None, name: builtins.str | None = None, data_format: builtins.str = 'NCHW') -> Any:
    """act(input * filters + bias): cross-correlation of images with num_filters filters."""
def conv2d_transpose(input: Any, num_filters: Any, output_size: Any = None, filter_size: Any = None, padding: Any = 0, stride: Any = 1, dilation: Any = 1, groups: Any = None, param_attr: Any = None, bias_attr: Any = None, use_cudnn: builtins.bool = True, act: builtins.str | None = None, name: builtins.str | None = None, data_format: builtins.str = 'NCHW') -> Any:
    """act(transposed convolution of input + bias): it enlarges images."""
def conv3d(input: Any, num_filters: Any, filter_size: Any, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: Any = None, param_attr: Any = None, bias_attr: Any = None, use_cudnn: builtins.bool = True, act: builtins.str | None = None, name: builtins.str | None = None, data_format: builtins.str = 'NCDHW') -> Any:
    """act(input * filters + bias): `conv2d` of volumes."""
def conv3d_transpose(input: Any, num_filters: Any, output_size: Any = None, filter_size: Any = None, padding: Any = 0, stride: Any = 1, dilation: Any = 1, groups: Any = None, param_attr: Any = None, bias_attr: Any = None, use_cudnn: builtins.bool = True, act: builtins.str | None = None, name: builtins.str | None = None, data_format: builtins.str = 'NCDHW') -> Any:
    """act(transposed convolution of input + bias): `conv2d_transpose` of volumes."""
from twinoar import create_parameter as create_parameter
def data_norm(input: Any, act: builtins.str | None = None, epsilon: Any = ..., param_attr: Any = None, data_layout: builtins.str = 'NCHW', in_place: builtins.bool = False, name: builtins.str | None = None, moving_mean_name: builtins.str | None = None, moving_variance_name: builtins.str | None = None, do_model_average_for_mean_and_var: builtins.bool = True, slot_dim: Any = -1, sync_stats: builtins.bool = False, summary_decay_rate: Any = ..., enable_scale_and_shift: builtins.bool = False) -> Any:
    """act((input - mean) / deviation), with moments of all data seen so far."""
def deform_conv2d(x: Any, offset: Any, mask: Any, num_filters: Any, filter_size: Any, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: Any = 1, deformable_groups: Any = 1, im2col_step: Any = 1, weight_attr: Any = None, bias_attr: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """Convolution that reads pixels where offsets that are computed point."""
def embedding(input: Any, size: Any, is_sparse: builtins.bool = False, is_distributed: builtins.bool = False, padding_idx: Any = None, param_attr: Any = None, dtype: Any = 'float32') -> Any:
    """Rows of a table that is learned, by number."""
def fc(x: Any, size: Any, num_flatten_dims: Any = 1, weight_attr: Any = None, bias_attr: Any = None, activation: builtins.str | None = None, name: builtins.str | None = None) -> Any:
    """A fully connected layer: activation(x W + b), summed over several x."""
def group_norm(input: Any, groups: Any, epsilon: Any = ..., param_attr: Any = None, bias_attr: Any = None, act: builtins.str | None = None, data_layout: builtins.str = 'NCHW', name: builtins.str | None = None) -> Any:
    """act(weight (input - mean) / sqrt(variance + epsilon) + bias), over groups of channels."""
def instance_norm(input: Any, epsilon: Any = ..., param_attr: Any = None, bias_attr: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """weight (input - mean) / sqrt(variance + epsilon) + bias, for each channel of each example."""
def layer_norm(input: Any, scale: builtins.bool = True, shift: builtins.bool = True, begin_norm_axis: Any = 1, epsilon: Any = ..., param_attr: Any = None, bias_attr: Any = None, act: builtins.str | None = None, name: builtins.str | None = None) -> Any:
    """act(weight (input - mean) / sqrt(variance + epsilon) + bias), over axes from begin_norm_axis."""
def nce(input: Any, label: Any, num_total_classes: Any, sample_weight: Any = None, param_attr: Any = None, bias_attr: Any = None, num_neg_samples: Any = None, name: builtins.str | None = None, sampler: builtins.str = 'uniform', custom_dist: collections.abc.Sequence[Any] | None = None, seed: Any = 0, is_sparse: builtins.bool = False) -> Any:
    """Noise-contrastive estimation: each class is told from classes that are drawn."""
def prelu(x: Any, mode: builtins.str, param_attr: Any = None, data_format: builtins.str = 'NCHW', name: builtins.str | None = None) -> twinoar.Tensor:
    """x where x > 0, alpha x elsewhere, with an alpha that is learned."""
from twinoar.static import py_func as py_func
def row_conv(input: Any, future_context_size: Any, param_attr: Any = None, act: builtins.str | None = None) -> Any:
    """act(sum over w of input[:, t + w] filter[w]): each step sees so many steps that follow it."""
from twinoar.fluid.layers import sequence_concat as sequence_concat
from twinoar.fluid.layers import sequence_conv as sequence_conv
from twinoar.fluid.layers import sequence_enumerate as sequence_enumerate
from twinoar.fluid.layers import sequence_expand as sequence_expand
from twinoar.fluid.layers import sequence_expand_as as sequence_expand_as
from twinoar.fluid.layers import sequence_first_step as sequence_first_step
from twinoar.fluid.layers import sequence_last_step as sequence_last_step
from twinoar.fluid.layers import sequence_pad as sequence_pad
from twinoar.fluid.layers import sequence_pool as sequence_pool
from twinoar.fluid.layers import sequence_reshape as sequence_reshape
from twinoar.fluid.layers import sequence_reverse as sequence_reverse
from twinoar.fluid.layers import sequence_scatter as sequence_scatter
from twinoar.fluid.layers import sequence_slice as sequence_slice
from twinoar.fluid.layers import sequence_softmax as sequence_softmax
from twinoar.fluid.layers import sequence_unpad as sequence_unpad
def sparse_embedding(input: Any, size: Any, padding_idx: Any = None, is_test: builtins.bool = False, entry: Any = None, table_class: builtins.str = 'MemorySparseTable', param_attr: Any = None, dtype: Any = 'float32', slot: Any = None) -> Any:
    """`embedding` with a table that servers keep, where there are any; else it is one parameter."""
def spectral_norm(weight: Any, dim: Any = 0, power_iters: Any = 1, eps: Any = ..., name: builtins.str | None = None) -> twinoar.Tensor:
    """A weight divided by its greatest singular value, which is approached by power iteration."""
def static_pylayer(forward_fn: collections.abc.Callable, inputs: collections.abc.Sequence[Any], backward_fn: collections.abc.Callable | None = None, name: builtins.str | None = None) -> Any:
    """forward_fn(*inputs), with gradients by backward_fn."""
def switch_case(branch_index: Any, branch_fns: Any, default: collections.abc.Callable | None = None, name: builtins.str | None = None) -> Any:
    """What the function of number branch_index returns, else `default()`."""
def while_loop(cond: collections.abc.Callable[..., Any], body: collections.abc.Callable[..., Any], loop_vars: Any, is_test: builtins.bool = False, name: builtins.str | None = None) -> builtins.list[Any]:
    """Run `body(*loop_vars)` while `cond(*loop_vars)` holds; returns the last loop variables."""
