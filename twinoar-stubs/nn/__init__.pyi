"""Layers, and all that networks are built from."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar
import twinoar.nn
import typing
from typing import Any, Literal, overload

import numpy as _numpy

class AdaptiveAvgPool1D(twinoar.nn.Layer):
    """The means of so many windows of a sequence that output_size come out"""
    def forward(self, input: Any) -> twinoar.Tensor:
        """The pooled input."""
    def __init__(self, output_size: Any, name: builtins.str | None = None) -> None: ...
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    output_size: builtins.int
    name: builtins.str | None
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
AdaptiveAvgPool1d = AdaptiveAvgPool1D
class AdaptiveAvgPool2D(twinoar.nn.Layer):
    """The means of so many windows of an image that output_size, one number or (h, w), come out."""
    def __init__(self, output_size: Any, data_format: builtins.str = 'NCHW', name: builtins.str | None = None) -> None: ...
    def forward(self, x: Any) -> Any:
        """The pooled x."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
AdaptiveAvgPool2d = AdaptiveAvgPool2D
class AdaptiveAvgPool3D(twinoar.nn.Layer):
    """The means of so many windows of a volume that output_size, one number or (d, h, w), come out."""
    def __init__(self, output_size: Any, data_format: builtins.str = 'NCDHW', name: builtins.str | None = None) -> None: ...
    def forward(self, x: Any) -> Any:
        """The pooled x."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
AdaptiveAvgPool3d = AdaptiveAvgPool3D
class AdaptiveLogSoftmaxWithLoss(twinoar.nn.Layer):
    """The likelihood of many classes: frequent ones in a head, rare ones in smaller clusters."""
    def __init__(self, in_features: Any, n_classes: Any, cutoffs: collections.abc.Sequence[Any], weight_attr: Any = None, bias_attr: Any = None, div_value: Any = ..., head_bias: builtins.bool = False, name: builtins.str | None = None) -> None: ...
    def forward(self, input: Any, label: Any) -> builtins.tuple[Any, Any]:
        """The logarithms of the likelihoods of the labels, [N], and the loss, []."""
    def log_prob(self, input: Any) -> twinoar.Tensor:
        """The logarithm of the likelihood of each class, [N,n_classes]; input: [N,in_features]."""
    def predict(self, input: Any) -> twinoar.Tensor:
        """The most likely classes, [N], in the dtype of the input."""
    in_features: builtins.int
    n_classes: builtins.int
    div_value: builtins.float
    cutoffs: Any
    is_head_bias: builtins.bool
    shortlist_size: Any
    n_clusters: Any
    head_size: Any
    head_weight: twinoar.nn.Parameter
    head_bias: Any
    tail_weights: Any
    def __call__(self, *inputs: Any, **kwargs: Any) -> builtins.tuple[Any, Any]: ...
class AdaptiveMaxPool1D(twinoar.nn.Layer):
    """The maxima of so many windows of a sequence that output_size come out"""
    def __init__(self, output_size: Any, return_mask: builtins.bool = False, name: builtins.str | None = None) -> None: ...
    def forward(self, x: Any) -> Any:
        """The pooled x."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
AdaptiveMaxPool1d = AdaptiveMaxPool1D
class AdaptiveMaxPool2D(twinoar.nn.Layer):
    """The maxima of so many windows of an image that output_size, one number or (h, w), come out."""
    def __init__(self, output_size: Any, return_mask: builtins.bool = False, name: builtins.str | None = None) -> None: ...
    def forward(self, x: Any) -> Any:
        """The pooled x."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
AdaptiveMaxPool2d = AdaptiveMaxPool2D
class AdaptiveMaxPool3D(twinoar.nn.Layer):
    """The maxima of so many windows of a volume that output_size, one number or (d, h, w), come out."""
    def __init__(self, output_size: Any, return_mask: builtins.bool = False, name: builtins.str | None = None) -> None: ...
    def forward(self, x: Any) -> Any:
        """The pooled x."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
AdaptiveMaxPool3d = AdaptiveMaxPool3D
class AlphaDropout(twinoar.nn.Layer):
    """In training each element is selu's lower bound with probability p; mean and variance stay."""
    @overload
    @staticmethod
    def function(x: twinoar._TensorLike, p: Any = ..., training: builtins.bool = True, name: builtins.str | None = None) -> twinoar.Tensor:
        """x with elements replaced by selu's lower bound, and scaled so that mean 0 and variance 1 stay, in training."""
    @overload
    @staticmethod
    def function(*args: Any, x: Any = ..., p: Any = ..., training: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def __init__(self, p: Any = ..., name: builtins.str | None = None) -> None: ...
    def forward(self, input: Any) -> twinoar.Tensor:
        """The thinned input in training, the input otherwise."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    p: Any
    name: builtins.str | None
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class AvgPool1D(twinoar.nn.Layer):
    """The mean of each window of a sequence."""
    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0, exclusive: builtins.bool = True, ceil_mode: builtins.bool = False, name: builtins.str | None = None) -> None: ...
    def forward(self, x: Any) -> Any:
        """The pooled x."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    ksize: Any
    stride: Any
    padding: Any
    exclusive: builtins.bool
    ceil_mode: builtins.bool
    name: builtins.str | None
class AvgPool2D(twinoar.nn.Layer):
    """The mean of each window of an image."""
    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: builtins.bool = False, exclusive: builtins.bool = True, divisor_override: Any = None, data_format: builtins.str = 'NCHW', name: builtins.str | None = None) -> None: ...
    def forward(self, x: Any) -> Any:
        """The pooled x."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    ksize: Any
    stride: Any
    padding: Any
    ceil_mode: builtins.bool
    exclusive: builtins.bool
    divisor_override: builtins.float | None
    data_format: builtins.str
    name: builtins.str | None
class AvgPool3D(twinoar.nn.Layer):
    """The mean of each window of a volume, as AvgPool2D does it with images."""
    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: builtins.bool = False, exclusive: builtins.bool = True, divisor_override: Any = None, data_format: builtins.str = 'NCDHW', name: builtins.str | None = None) -> None: ...
    def forward(self, x: Any) -> Any:
        """The pooled x."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    ksize: Any
    stride: Any
    padding: Any
    ceil_mode: builtins.bool
    exclusive: builtins.bool
    divisor_override: builtins.float | None
    data_format: builtins.str
    name: builtins.str | None
class BCELoss(twinoar.nn.Layer):
    """-(label log(input) + (1 - label) log(1 - input)), weighted, averaged"""
    def __init__(self, weight: twinoar._TensorLike | None = None, reduction: Literal['mean', 'sum', 'none'] = 'mean', name: builtins.str | None = None) -> None: ...
    def forward(self, input: Any, label: Any) -> twinoar.Tensor:
        """The loss."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    weight: twinoar.Tensor | None
    reduction: Literal['mean', 'sum', 'none']
    name: builtins.str | None
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class BCEWithLogitsLoss(twinoar.nn.Layer):
    """BCELoss of 1 / (1 + exp(-logit)), without overflow"""
    def forward(self, logit: Any, label: Any) -> twinoar.Tensor:
        """The loss."""
    def __init__(self, weight: twinoar._TensorLike | None = None, reduction: Literal['mean', 'sum', 'none'] = 'mean', pos_weight: twinoar._TensorLike | None = None, name: builtins.str | None = None) -> None: ...
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    weight: twinoar.Tensor | None
    reduction: Literal['mean', 'sum', 'none']
    pos_weight: twinoar.Tensor | None
    name: builtins.str | None
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class BatchNorm(twinoar.nn.Layer):
    """Batch normalization of any rank, with an activation after it: Paddle's older layer."""
    def __init__(self, num_channels: Any, act: builtins.str | None = None, is_test: builtins.bool = False, momentum: Any = ..., epsilon: Any = ..., param_attr: Any = None, bias_attr: Any = None, dtype: Any = 'float32', data_layout: builtins.str = 'NCHW', in_place: builtins.bool = False, moving_mean_name: builtins.str | None = None, moving_variance_name: builtins.str | None = None, do_model_average_for_mean_and_var: builtins.bool = True, use_global_stats: builtins.bool = False, trainable_statistics: builtins.bool = False) -> None: ...
    def forward(self, input: Any) -> Any:
        """The normalized input, after the activation."""
    def extra_repr(self) -> builtins.str:
        """Nothing, as Paddle prints it."""
    default_format: builtins.str
    ranks: builtins.tuple
    weight: twinoar.nn.Parameter
    bias: twinoar.nn.Parameter
class BatchNorm1D(twinoar.nn.Layer):
    """Batch normalization of vectors or sequences"""
    default_format: builtins.str
    ranks: builtins.tuple
    def __init__(self, num_features: Any, momentum: Any = ..., epsilon: Any = ..., weight_attr: Any = None, bias_attr: Any = None, data_format: builtins.str | None = None, use_global_stats: builtins.bool | None = None, name: builtins.str | None = None) -> None: ...
    def forward(self, x: Any) -> twinoar.Tensor:
        """The normalized x."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    weight: twinoar.nn.Parameter
    bias: twinoar.nn.Parameter
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class BatchNorm2D(twinoar.nn.Layer):
    """Batch normalization of images"""
    ranks: builtins.tuple
    default_format: builtins.str
    def __init__(self, num_features: Any, momentum: Any = ..., epsilon: Any = ..., weight_attr: Any = None, bias_attr: Any = None, data_format: builtins.str | None = None, use_global_stats: builtins.bool | None = None, name: builtins.str | None = None) -> None: ...
    def forward(self, x: Any) -> twinoar.Tensor:
        """The normalized x."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    weight: twinoar.nn.Parameter
    bias: twinoar.nn.Parameter
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class BatchNorm3D(twinoar.nn.Layer):
    """Batch normalization of volumes"""
    default_format: builtins.str
    ranks: builtins.tuple
    def __init__(self, num_features: Any, momentum: Any = ..., epsilon: Any = ..., weight_attr: Any = None, bias_attr: Any = None, data_format: builtins.str | None = None, use_global_stats: builtins.bool | None = None, name: builtins.str | None = None) -> None: ...
    def forward(self, x: Any) -> twinoar.Tensor:
        """The normalized x."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    weight: twinoar.nn.Parameter
    bias: twinoar.nn.Parameter
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class BeamSearchDecoder:
    """Of all sequences of tokens, keeps at each step the `beam_size` most likely ones."""
    def __init__(self, cell: Any, start_token: Any, end_token: Any, beam_size: Any, embedding_fn: collections.abc.Callable[..., Any] | None = None, output_fn: collections.abc.Callable[..., Any] | None = None) -> None: ...
    @staticmethod
    def tile_beam_merge_with_batch(x: twinoar._TensorLike, beam_size: Any) -> twinoar.Tensor:
        """Each sample `beam_size` times, [N * beam_size,...]: what a cell sees beside its states."""
    def initialize(self, initial_cell_states: Any) -> builtins.tuple[Any, twinoar.nn._StateWrapper, twinoar.Tensor]:
        """Inputs, states and what is finished before the first step."""
    def step(self, time: twinoar._TensorLike, inputs: Any, states: twinoar.nn._StateWrapper, **kwargs: Any) -> builtins.tuple[twinoar.nn._OutputWrapper, twinoar.nn._StateWrapper, Any, twinoar.Tensor]:
        """The most likely continuations of the beams."""
    def finalize(self, outputs: twinoar.nn._OutputWrapper, final_states: twinoar.nn._StateWrapper, sequence_lengths: twinoar._TensorLike) -> builtins.tuple[twinoar.Tensor, twinoar.nn._StateWrapper]:
        """The tokens of each sequence from its end backwards, [T,N,K], and the last states."""
    @property
    def tracks_own_finished(self) -> builtins.bool:
        """True: beams change places, so that each step says anew what is finished."""
    OutputWrapper: Any
    StateWrapper: Any
    cell: Any
    embedding_fn: collections.abc.Callable[..., Any] | None
    output_fn: collections.abc.Callable[..., Any] | None
    start_token: builtins.int
    end_token: builtins.int
    beam_size: builtins.int
class BiRNN(twinoar.nn.Layer):
    """Runs one cell forward in time and another one backward; their outputs side by side."""
    def __init__(self, cell_fw: twinoar.nn.Layer, cell_bw: twinoar.nn.Layer, time_major: builtins.bool = False) -> None: ...
    def forward(self, inputs: Any, initial_states: Any = None, sequence_length: Any = None, **kwargs: Any) -> builtins.tuple[Any, builtins.tuple[Any, Any]]:
        """Outputs and last states."""
    cell_fw: twinoar.nn.Layer
    cell_bw: twinoar.nn.Layer
    time_major: builtins.bool
    rnns: Any
    def __call__(self, *inputs: Any, **kwargs: Any) -> builtins.tuple[Any, builtins.tuple[Any, Any]]: ...
class Bilinear(twinoar.nn.Layer):
    """x1 W_i x2 + b_i for each of out_features matrices W_i."""
    def __init__(self, in1_features: Any, in2_features: Any, out_features: Any, weight_attr: Any = None, bias_attr: Any = None, name: builtins.str | None = None) -> None: ...
    def forward(self, x1: Any, x2: Any) -> twinoar.Tensor:
        """The forms of each pair of rows."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    weight: twinoar.nn.Parameter
    bias: twinoar.nn.Parameter
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class CELU(twinoar.nn.Layer):
    """max(x, 0) + min(alpha (exp(x / alpha) - 1), 0)."""
    def __init__(self, alpha: Any = ..., name: builtins.str | None = None) -> None: ...
    def forward(self, x: Any) -> twinoar.Tensor:
        """The function of x."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class CTCLoss(twinoar.nn.Layer):
    """-log of the likelihood of labels whose places in a sequence of frames are not known."""
    def forward(self, log_probs: Any, labels: Any, input_lengths: Any, label_lengths: Any, norm_by_times: builtins.bool = False) -> twinoar.Tensor:
        """The loss."""
    def __init__(self, blank: Any = 0, reduction: Literal['mean', 'sum', 'none'] = 'mean', zero_infinity: builtins.bool = False) -> None: ...
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    blank: builtins.int
    reduction: Literal['mean', 'sum', 'none']
    zero_infinity: builtins.bool
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class ChannelShuffle(twinoar.nn.Layer):
    """The first channel of each group, then the second of each, and so on."""
    def __init__(self, groups: Any, data_format: builtins.str = 'NCHW', name: builtins.str | None = None) -> None: ...
    def forward(self, *inputs: Any, **named: Any) -> Any:
        """The result of the function."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    groups: builtins.int
    data_format: builtins.str
    name: builtins.str | None
class CircularPad1D(twinoar.nn.Pad1D):
    """Pads a sequence with what lies at its other end"""
    mode: builtins.str
    def __init__(self, padding: Any, data_format: builtins.str | None = None, name: builtins.str | None = None) -> None: ...
CircularPad1d = CircularPad1D
class CircularPad2D(twinoar.nn.Pad2D):
    """Pads an image with what lies at its other end"""
    mode: builtins.str
    def __init__(self, padding: Any, data_format: builtins.str | None = None, name: builtins.str | None = None) -> None: ...
CircularPad2d = CircularPad2D
class CircularPad3D(twinoar.nn.Pad3D):
    """Pads a volume with what lies at its other end"""
    mode: builtins.str
    def __init__(self, padding: Any, data_format: builtins.str | None = None, name: builtins.str | None = None) -> None: ...
CircularPad3d = CircularPad3D
class ClipGradByGlobalNorm:
    """All gradients are scaled by clip_norm / max(n, clip_norm), n the 2-norm of them all together."""
    def __init__(self, clip_norm: Any, group_name: builtins.str = 'default_group', auto_skip_clip: builtins.bool = False) -> None: ...
    def clipped(self, gradients: builtins.list[Any]) -> builtins.list[Any]:
        """The gradients, clipped."""
    def __call__(self, params_grads: collections.abc.Sequence[builtins.tuple[Any, Any]]) -> builtins.list[builtins.tuple[Any, Any]]:
        """The pairs that have a gradient, with the gradients clipped."""
    clip_norm: Any
    group_name: builtins.str
    auto_skip_clip: builtins.bool
class ClipGradByNorm:
    """A gradient whose 2-norm exceeds clip_norm is scaled down: g clip_norm / max(|g|, clip_norm)."""
    def __init__(self, clip_norm: Any) -> None: ...
    def clipped(self, gradients: builtins.list[Any]) -> builtins.list[Any]:
        """The gradients, clipped."""
    def __call__(self, params_grads: collections.abc.Sequence[builtins.tuple[Any, Any]]) -> builtins.list[builtins.tuple[Any, Any]]:
        """The pairs that have a gradient, with the gradients clipped."""
    clip_norm: Any
class ClipGradByValue:
    """Each element of a gradient is brought into [min, max]; min None means -max."""
    def __init__(self, max: Any, min: Any = None) -> None: ...
    def clipped(self, gradients: builtins.list[Any]) -> builtins.list[Any]:
        """The gradients, clipped."""
    def __call__(self, params_grads: collections.abc.Sequence[builtins.tuple[Any, Any]]) -> builtins.list[builtins.tuple[Any, Any]]:
        """The pairs that have a gradient, with the gradients clipped."""
    max: Any
    min: Any
class ConstantPad1D(twinoar.nn.Pad1D):
    """Pads a sequence with `value`"""
    def __init__(self, padding: Any, value: Any, data_format: builtins.str | None = None, name: builtins.str | None = None) -> None: ...
ConstantPad1d = ConstantPad1D
class ConstantPad2D(twinoar.nn.Pad2D):
    """Pads an image with `value`"""
    def __init__(self, padding: Any, value: Any, data_format: builtins.str | None = None, name: builtins.str | None = None) -> None: ...
ConstantPad2d = ConstantPad2D
class ConstantPad3D(twinoar.nn.Pad3D):
    """Pads a volume with `value`"""
    def __init__(self, padding: Any, value: Any, data_format: builtins.str | None = None, name: builtins.str | None = None) -> None: ...
ConstantPad3d = ConstantPad3D
class Conv1D(twinoar.nn.Layer):
    """Convolution of sequences."""
    rank: builtins.int
    @overload
    def function(self, weight: twinoar._TensorLike, bias: twinoar._TensorLike | None = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: Any = 1, data_format: builtins.str = 'NCL', name: builtins.str | None = None) -> twinoar.Tensor:
        """Cross-correlation of sequences with filters: `conv2d` with one row."""
    @overload
    def function(self, *args: Any, x: Any = ..., weight: Any = ..., bias: Any = ..., stride: Any = ..., padding: Any = ..., dilation: Any = ..., groups: Any = ..., data_format: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def __init__(self, in_channels: Any, out_channels: Any, kernel_size: Any, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: Any = 1, padding_mode: builtins.str = 'zeros', weight_attr: Any = None, bias_attr: Any = None, data_format: builtins.str | None = None, *, bias: builtins.bool = True, device: Any = None, dtype: Any = None) -> None: ...
    def forward(self, x: Any) -> Any:
        """The convolution of x with the weight."""
    output_padding: builtins.int
    def extra_repr(self) -> builtins.str:
        """The arguments that are not at their default."""
    weight: twinoar.nn.Parameter
    bias: twinoar.nn.Parameter
class Conv1DTranspose(twinoar.nn.Layer):
    """Transposed convolution of sequences, as Conv2DTranspose does it with images."""
    rank: builtins.int
    @overload
    def function(self, weight: twinoar._TensorLike, bias: twinoar._TensorLike | None = None, stride: Any = 1, padding: Any = 0, output_padding: Any = 0, groups: Any = 1, dilation: Any = 1, output_size: Any = None, data_format: builtins.str = 'NCL', name: builtins.str | None = None) -> twinoar.Tensor:
        """Transposed convolution of sequences: `conv2d_transpose` with one row."""
    @overload
    def function(self, *args: Any, x: Any = ..., weight: Any = ..., bias: Any = ..., stride: Any = ..., padding: Any = ..., output_padding: Any = ..., groups: Any = ..., dilation: Any = ..., output_size: Any = ..., data_format: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def __init__(self, in_channels: Any, out_channels: Any, kernel_size: Any, stride: Any = 1, padding: Any = 0, output_padding: Any = 0, groups: Any = 1, dilation: Any = 1, weight_attr: Any = None, bias_attr: Any = None, data_format: builtins.str = 'NCL') -> None: ...
    def forward(self, x: Any, output_size: Any = None) -> Any:
        """The transposed convolution of x; output_size chooses among the possible sizes."""
    output_padding: builtins.int
    def extra_repr(self) -> builtins.str:
        """The arguments that are not at their default."""
    weight: twinoar.nn.Parameter
    bias: twinoar.nn.Parameter
Conv1d = Conv1D
class Conv2D(twinoar.nn.Layer):
    """Convolution of images."""
    rank: builtins.int
    @overload
    def function(self, weight: twinoar._TensorLike, bias: twinoar._TensorLike | None = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: Any = 1, data_format: builtins.str = 'NCHW', name: builtins.str | None = None) -> twinoar.Tensor:
        """Cross-correlation of images with filters, plus a bias for each filter."""
    @overload
    def function(self, *args: Any, x: Any = ..., weight: Any = ..., bias: Any = ..., stride: Any = ..., padding: Any = ..., dilation: Any = ..., groups: Any = ..., data_format: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def __init__(self, in_channels: Any, out_channels: Any, kernel_size: Any, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: Any = 1, padding_mode: builtins.str = 'zeros', weight_attr: Any = None, bias_attr: Any = None, data_format: builtins.str | None = None, *, bias: builtins.bool = True, device: Any = None, dtype: Any = None) -> None: ...
    def forward(self, x: Any) -> Any:
        """The convolution of x with the weight."""
    output_padding: builtins.int
    def extra_repr(self) -> builtins.str:
        """The arguments that are not at their default."""
    weight: twinoar.nn.Parameter
    bias: twinoar.nn.Parameter
class Conv2DTranspose(twinoar.nn.Layer):
    """The gradient of a convolution with respect to its input, as a layer: it enlarges images."""
    rank: builtins.int
    @overload
    def function(self, weight: twinoar._TensorLike, bias: twinoar._TensorLike | None = None, stride: Any = 1, padding: Any = 0, output_padding: Any = 0, dilation: Any = 1, groups: Any = 1, output_size: Any = None, data_format: builtins.str = 'NCHW', name: builtins.str | None = None) -> twinoar.Tensor:
        """Transposed convolution: every pixel of x puts a weighted filter into the output."""
    @overload
    def function(self, *args: Any, x: Any = ..., weight: Any = ..., bias: Any = ..., stride: Any = ..., padding: Any = ..., output_padding: Any = ..., dilation: Any = ..., groups: Any = ..., output_size: Any = ..., data_format: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def __init__(self, in_channels: Any, out_channels: Any, kernel_size: Any, stride: Any = 1, padding: Any = 0, output_padding: Any = 0, dilation: Any = 1, groups: Any = 1, weight_attr: Any = None, bias_attr: Any = None, data_format: builtins.str = 'NCHW') -> None: ...
    def forward(self, x: Any, output_size: Any = None) -> Any:
        """The transposed convolution of x; output_size chooses among the possible sizes."""
    output_padding: builtins.int
    def extra_repr(self) -> builtins.str:
        """The arguments that are not at their default."""
    weight: twinoar.nn.Parameter
    bias: twinoar.nn.Parameter
Conv2d = Conv2D
class Conv3D(twinoar.nn.Layer):
    """Convolution of volumes, as Conv2D does it with images."""
    rank: builtins.int
    @overload
    def function(self, weight: twinoar._TensorLike, bias: twinoar._TensorLike | None = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: Any = 1, data_format: builtins.str = 'NCDHW', name: builtins.str | None = None) -> twinoar.Tensor:
        """Cross-correlation of volumes with filters: `conv2d` with one axis more."""
    @overload
    def function(self, *args: Any, x: Any = ..., weight: Any = ..., bias: Any = ..., stride: Any = ..., padding: Any = ..., dilation: Any = ..., groups: Any = ..., data_format: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def __init__(self, in_channels: Any, out_channels: Any, kernel_size: Any, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: Any = 1, padding_mode: builtins.str = 'zeros', weight_attr: Any = None, bias_attr: Any = None, data_format: builtins.str | None = None, *, bias: builtins.bool = True, device: Any = None, dtype: Any = None) -> None: ...
    def forward(self, x: Any) -> Any:
        """The convolution of x with the weight."""
    output_padding: builtins.int
    def extra_repr(self) -> builtins.str:
        """The arguments that are not at their default."""
    weight: twinoar.nn.Parameter
    bias: twinoar.nn.Parameter
class Conv3DTranspose(twinoar.nn.Layer):
    """Transposed convolution of volumes, as Conv2DTranspose does it with images."""
    rank: builtins.int
    @overload
    def function(self, weight: twinoar._TensorLike, bias: twinoar._TensorLike | None = None, stride: Any = 1, padding: Any = 0, output_padding: Any = 0, groups: Any = 1, dilation: Any = 1, output_size: Any = None, data_format: builtins.str = 'NCDHW', name: builtins.str | None = None) -> twinoar.Tensor:
        """Transposed convolution of volumes: `conv2d_transpose` with one axis more."""
    @overload
    def function(self, *args: Any, x: Any = ..., weight: Any = ..., bias: Any = ..., stride: Any = ..., padding: Any = ..., output_padding: Any = ..., groups: Any = ..., dilation: Any = ..., output_size: Any = ..., data_format: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def __init__(self, in_channels: Any, out_channels: Any, kernel_size: Any, stride: Any = 1, padding: Any = 0, output_padding: Any = 0, dilation: Any = 1, groups: Any = 1, weight_attr: Any = None, bias_attr: Any = None, data_format: builtins.str = 'NCDHW') -> None: ...
    def forward(self, x: Any, output_size: Any = None) -> Any:
        """The transposed convolution of x; output_size chooses among the possible sizes."""
    output_padding: builtins.int
    def extra_repr(self) -> builtins.str:
        """The arguments that are not at their default."""
    weight: twinoar.nn.Parameter
    bias: twinoar.nn.Parameter
Conv3d = Conv3D
class CosineEmbeddingLoss(twinoar.nn.Layer):
    """1 - cos for vectors that belong together, max(0, cos - margin) for others."""
    def __init__(self, margin: Any = 0, reduction: Literal['mean', 'sum', 'none'] = 'mean', name: builtins.str | None = None) -> None: ...
    def forward(self, *inputs: Any, **named: Any) -> Any:
        """The result of the function."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    margin: builtins.float
    reduction: Literal['mean', 'sum', 'none']
    name: builtins.str | None
class CosineSimilarity(twinoar.nn.Layer):
    """The cosine of the angle between vectors along an axis."""
    def __init__(self, axis: Any = 1, eps: Any = ...) -> None: ...
    def forward(self, *inputs: Any, **named: Any) -> Any:
        """The result of the function."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    axis: builtins.int
    eps: builtins.float
class CrossEntropyLoss(twinoar.nn.Layer):
    """-log(softmax(input)[label]), weighted, averaged."""
    def __init__(self, weight: twinoar._TensorLike | None = None, ignore_index: Any = -100, reduction: Literal['mean', 'sum', 'none'] = 'mean', soft_label: builtins.bool = False, axis: Any = -1, use_softmax: builtins.bool = True, label_smoothing: Any = ..., name: builtins.str | None = None) -> None: ...
    def forward(self, input: Any, label: Any) -> twinoar.Tensor:
        """The loss."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    weight: twinoar.Tensor | None
    ignore_index: builtins.int
    reduction: Literal['mean', 'sum', 'none']
    soft_label: builtins.bool
    axis: builtins.int
    use_softmax: builtins.bool
    label_smoothing: builtins.float
    name: builtins.str | None
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class Dropout(twinoar.nn.Layer):
    """In training each element is zero with probability p, the others times 1 / (1 - p)."""
    def __init__(self, p: Any = ..., inplace: builtins.bool = False, axis: Any = None, mode: Literal['upscale_in_train', 'downscale_in_infer'] = 'upscale_in_train', name: builtins.str | None = None) -> None: ...
    def forward(self, input: Any) -> twinoar.Tensor:
        """The thinned input in training, the input otherwise."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    p: Any
    axis: builtins.int | collections.abc.Sequence[builtins.int] | None
    mode: Literal['upscale_in_train', 'downscale_in_infer']
    inplace: builtins.bool
    name: builtins.str | None
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class Dropout2D(twinoar.nn.Layer):
    """In training each channel is zero with probability p, the others times 1 / (1 - p)."""
    formats: builtins.tuple
    def __init__(self, p: Any = ..., data_format: builtins.str | None = None, name: builtins.str | None = None) -> None: ...
    def forward(self, input: Any) -> twinoar.Tensor:
        """The thinned input in training, the input otherwise."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    p: Any
    name: builtins.str | None
    data_format: Any
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class Dropout3D(twinoar.nn.Layer):
    """In training each channel is zero with probability p, the others times 1 / (1 - p)."""
    formats: builtins.tuple
    def __init__(self, p: Any = ..., data_format: builtins.str | None = None, name: builtins.str | None = None) -> None: ...
    def forward(self, input: Any) -> twinoar.Tensor:
        """The thinned input in training, the input otherwise."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    p: Any
    name: builtins.str | None
    data_format: Any
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class ELU(twinoar.nn.Layer):
    """x where x > 0, alpha (exp(x) - 1) elsewhere."""
    def __init__(self, alpha: Any = ..., name: builtins.str | None = None) -> None: ...
    def forward(self, x: Any) -> twinoar.Tensor:
        """The function of x."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class Embedding(twinoar.nn.Layer):
    """y = weight[x]."""
    def __init__(self, num_embeddings: Any, embedding_dim: Any, padding_idx: Any = None, sparse: builtins.bool = False, weight_attr: Any = None, name: builtins.str | None = None, *, max_norm: Any = None, norm_type: Any = ..., scale_grad_by_freq: builtins.bool = False, _weight: Any = None, _freeze: builtins.bool = False, device: Any = None, dtype: Any = None) -> None: ...
    def forward(self, x: Any) -> twinoar.Tensor:
        """The vectors of the ids x."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    weight: twinoar.nn.Parameter
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class FeatureAlphaDropout(twinoar.nn.AlphaDropout):
    """AlphaDropout of whole channels"""
    @overload
    @staticmethod
    def function(x: twinoar._TensorLike, p: Any = ..., training: builtins.bool = True, name: builtins.str | None = None) -> twinoar.Tensor:
        """`alpha_dropout` of whole channels."""
    @overload
    @staticmethod
    def function(*args: Any, x: Any = ..., p: Any = ..., training: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
class Flatten(twinoar.nn.Layer):
    """The axes from start_axis to stop_axis become one: [N,C,H,W] becomes [N,C H W]."""
    def __init__(self, start_axis: Any = 1, stop_axis: Any = -1) -> None: ...
    def forward(self, input: Any) -> twinoar.Tensor:
        """The input, flat."""
    start_axis: builtins.int
    stop_axis: builtins.int
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class Fold(twinoar.nn.Layer):
    """Images as sums of columns: `functional.fold` with its arguments kept."""
    def __init__(self, output_sizes: Any, kernel_sizes: Any, dilations: Any = 1, paddings: Any = 0, strides: Any = 1, name: builtins.str | None = None) -> None: ...
    def forward(self, *inputs: Any, **named: Any) -> Any:
        """The result of the function."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
class FractionalMaxPool2D(twinoar.nn.Layer):
    """The maxima of so many windows of an image, whose sizes differ by one at random."""
    def __init__(self, output_size: Any, kernel_size: Any = None, random_u: Any = None, return_mask: builtins.bool = False, name: builtins.str | None = None) -> None: ...
    def forward(self, x: Any) -> Any:
        """The pooled x."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
class FractionalMaxPool3D(twinoar.nn.FractionalMaxPool2D):
    """`FractionalMaxPool2D` of volumes, [N,C,D,H,W]."""
    def __init__(self, output_size: Any, kernel_size: Any = None, random_u: Any = None, return_mask: builtins.bool = False, name: builtins.str | None = None) -> None: ...
class GELU(twinoar.nn.Layer):
    """x P(X <= x) for a normal X; approximate: by tanh."""
    def __init__(self, approximate: builtins.bool | Literal['none', 'tanh'] = False, name: builtins.str | None = None) -> None: ...
    def forward(self, x: Any) -> twinoar.Tensor:
        """The function of x."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class GLU(twinoar.nn.Layer):
    """a / (1 + exp(-b)) for the halves a, b of x along axis."""
    def __init__(self, axis: Any = -1, name: builtins.str | None = None) -> None: ...
    def forward(self, x: Any) -> twinoar.Tensor:
        """The function of x."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class GRU(twinoar.nn.LayerList):
    """Layers of GRUCell over time"""
    mode: builtins.str
    cell_type: Any
    def __init__(self, input_size: Any, hidden_size: Any, num_layers: Any = 1, direction: builtins.str = 'forward', time_major: builtins.bool = False, dropout: Any = ..., weight_ih_attr: Any = None, weight_hh_attr: Any = None, bias_ih_attr: Any = None, bias_hh_attr: Any = None, name: builtins.str | None = None) -> None: ...
    def forward(self, inputs: Any, initial_states: Any = None, sequence_length: Any = None) -> builtins.tuple[Any, Any]:
        """Outputs and last states."""
    def flatten_parameters(self) -> None:
        """Kept for Paddle's code: where parameters lie in memory makes no difference."""
    def extra_repr(self) -> builtins.str:
        """The sizes, and what is not as usual."""
    input_size: builtins.int
    hidden_size: builtins.int
    num_layers: builtins.int
    num_directions: Any
    time_major: builtins.bool
    dropout: builtins.float
    proj_size: Any
    def __call__(self, *inputs: Any, **kwargs: Any) -> builtins.tuple[Any, Any]: ...
class GRUCell(twinoar.nn.RNNCellBase):
    """Gated recurrent unit (Cho et al., 2014), with the reset gate behind the product."""
    gates: builtins.int
    def __init__(self, input_size: Any, hidden_size: Any, weight_ih_attr: Any = None, weight_hh_attr: Any = None, bias_ih_attr: Any = None, bias_hh_attr: Any = None, name: builtins.str | None = None) -> None: ...
    def forward(self, inputs: Any, states: Any = None) -> builtins.tuple[Any, Any]:
        """One step."""
    @property
    def state_shape(self) -> Any:
        """(hidden_size,)."""
    def extra_repr(self) -> builtins.str:
        """The sizes."""
    input_size: builtins.int
    hidden_size: builtins.int
    proj_size: builtins.int
    weight_ih: Any
    weight_hh: Any
    bias_ih: Any
    bias_hh: Any
    def __call__(self, *inputs: Any, **kwargs: Any) -> builtins.tuple[Any, Any]: ...
class GaussianNLLLoss(twinoar.nn.Layer):
    """The negative logarithm of the likelihood of numbers with a mean and a variance."""
    def __init__(self, full: builtins.bool = False, epsilon: Any = ..., reduction: Literal['mean', 'sum', 'none'] = 'mean', name: builtins.str | None = None) -> None: ...
    def forward(self, *inputs: Any, **named: Any) -> Any:
        """The result of the function."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    full: builtins.bool
    epsilon: builtins.float
    reduction: Literal['mean', 'sum', 'none']
    name: builtins.str | None
class GroupNorm(twinoar.nn.Layer):
    """y = (x - mean) / sqrt(variance + epsilon) * weight + bias, over groups of channels."""
    def __init__(self, num_groups: Any, num_channels: Any, epsilon: Any = ..., weight_attr: Any = None, bias_attr: Any = None, data_format: builtins.str = 'NCHW', name: builtins.str | None = None) -> None: ...
    def forward(self, input: Any) -> twinoar.Tensor:
        """The normalized input."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    weight: twinoar.nn.Parameter
    bias: twinoar.nn.Parameter
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class HSigmoidLoss(twinoar.nn.Layer):
    """-log of the likelihood of a class as that of a path through a binary tree."""
    def __init__(self, feature_size: Any, num_classes: Any, weight_attr: Any = None, bias_attr: Any = None, is_custom: builtins.bool = False, is_sparse: builtins.bool = False, name: builtins.str | None = None) -> None: ...
    def forward(self, input: Any, label: Any, path_table: Any = None, path_code: Any = None) -> twinoar.Tensor:
        """The loss, [N,1]."""
    weight: twinoar.nn.Parameter
    bias: twinoar.nn.Parameter
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class Hardshrink(twinoar.nn.Layer):
    """x where |x| > threshold, 0 elsewhere."""
    def __init__(self, threshold: Any = ..., name: builtins.str | None = None) -> None: ...
    def forward(self, x: Any) -> twinoar.Tensor:
        """The function of x."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class Hardsigmoid(twinoar.nn.Layer):
    """min(max(x / 6 + 1 / 2, 0), 1)."""
    def __init__(self, name: builtins.str | None = None) -> None: ...
    def forward(self, x: Any) -> twinoar.Tensor:
        """The function of x."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class Hardswish(twinoar.nn.Layer):
    """x min(max(x + 3, 0), 6) / 6."""
    def __init__(self, name: builtins.str | None = None) -> None: ...
    def forward(self, x: Any) -> twinoar.Tensor:
        """The function of x."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class Hardtanh(twinoar.nn.Layer):
    """min(max(x, min), max)."""
    def __init__(self, min: Any = ..., max: Any = ..., name: builtins.str | None = None) -> None: ...
    def forward(self, x: Any) -> twinoar.Tensor:
        """The function of x."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class HingeEmbeddingLoss(twinoar.nn.Layer):
    """input where label is 1, max(0, margin - input) where it is -1, averaged."""
    def __init__(self, margin: Any = ..., reduction: Literal['mean', 'sum', 'none'] = 'mean', name: builtins.str | None = None) -> None: ...
    def forward(self, *inputs: Any, **named: Any) -> Any:
        """The result of the function."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    margin: builtins.float
    reduction: Literal['mean', 'sum', 'none']
    name: builtins.str | None
class HuberLoss(twinoar.nn.Layer):
    """d^2 / 2 where |d| < delta, delta |d| - delta^2 / 2 elsewhere, d = input - label, averaged."""
    def __init__(self, reduction: Literal['mean', 'sum', 'none'] = 'mean', delta: Any = ..., is_huber: builtins.bool = True, name: builtins.str | None = None) -> None: ...
    def forward(self, input: Any, label: Any) -> twinoar.Tensor:
        """The loss."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    reduction: Literal['mean', 'sum', 'none']
    delta: builtins.float
    is_huber: builtins.bool
    name: builtins.str | None
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class Identity(twinoar.nn.Layer):
    """y = x, whatever the layer is made with."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def forward(self, input: Any) -> Any:
        """x."""
class InstanceNorm1D(twinoar.nn.Layer):
    """Instance normalization of sequences"""
    default_format: builtins.str
    ranks: builtins.tuple
    def __init__(self, num_features: Any, epsilon: Any = ..., momentum: Any = ..., weight_attr: Any = None, bias_attr: Any = None, data_format: builtins.str | None = None, name: builtins.str | None = None) -> None: ...
    def forward(self, input: Any) -> twinoar.Tensor:
        """The normalized input."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    scale: twinoar.nn.Parameter
    bias: twinoar.nn.Parameter
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class InstanceNorm2D(twinoar.nn.Layer):
    """Instance normalization of images: each channel of each sample by its own mean and variance."""
    ranks: builtins.tuple
    default_format: builtins.str
    def __init__(self, num_features: Any, epsilon: Any = ..., momentum: Any = ..., weight_attr: Any = None, bias_attr: Any = None, data_format: builtins.str | None = None, name: builtins.str | None = None) -> None: ...
    def forward(self, input: Any) -> twinoar.Tensor:
        """The normalized input."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    scale: twinoar.nn.Parameter
    bias: twinoar.nn.Parameter
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class InstanceNorm3D(twinoar.nn.Layer):
    """Instance normalization of volumes"""
    default_format: builtins.str
    ranks: builtins.tuple
    def __init__(self, num_features: Any, epsilon: Any = ..., momentum: Any = ..., weight_attr: Any = None, bias_attr: Any = None, data_format: builtins.str | None = None, name: builtins.str | None = None) -> None: ...
    def forward(self, input: Any) -> twinoar.Tensor:
        """The normalized input."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    scale: twinoar.nn.Parameter
    bias: twinoar.nn.Parameter
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class KLDivLoss(twinoar.nn.Layer):
    """label (log(label) - input), averaged"""
    def __init__(self, reduction: Literal['mean', 'batchmean', 'sum', 'none'] = 'mean', log_target: builtins.bool = False) -> None: ...
    def forward(self, input: Any, label: Any) -> twinoar.Tensor:
        """The loss."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    reduction: Literal['mean', 'batchmean', 'sum', 'none']
    log_target: builtins.bool
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class L1Loss(twinoar.nn.Layer):
    """|input - label|, averaged."""
    def __init__(self, reduction: Literal['mean', 'sum', 'none'] = 'mean', name: builtins.str | None = None) -> None: ...
    def forward(self, input: Any, label: Any) -> twinoar.Tensor:
        """The loss."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    reduction: Literal['mean', 'sum', 'none']
    name: builtins.str | None
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class LPPool1D(twinoar.nn.Layer):
    """(sum of x^p)^(1/p) of each window of a sequence, with p = norm_type."""
    def __init__(self, norm_type: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: builtins.bool = False, data_format: builtins.str = 'NCL', name: builtins.str | None = None) -> None: ...
    def forward(self, x: Any) -> Any:
        """The pooled x."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    norm_type: builtins.float
    ksize: Any
    stride: Any
    padding: Any
    ceil_mode: builtins.bool
    data_format: builtins.str
    name: builtins.str | None
LPPool1d = LPPool1D
class LPPool2D(twinoar.nn.LPPool1D):
    """LPPool1D for images"""
    def __init__(self, norm_type: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: builtins.bool = False, data_format: builtins.str = 'NCHW', name: builtins.str | None = None) -> None: ...
    norm_type: builtins.float
    ksize: Any
    stride: Any
    padding: Any
    ceil_mode: builtins.bool
    data_format: builtins.str
    name: builtins.str | None
LPPool2d = LPPool2D
class LSTM(twinoar.nn.LayerList):
    """Layers of LSTMCell over time"""
    mode: builtins.str
    cell_type: Any
    def __init__(self, input_size: Any, hidden_size: Any, num_layers: Any = 1, direction: builtins.str = 'forward', time_major: builtins.bool = False, dropout: Any = ..., weight_ih_attr: Any = None, weight_hh_attr: Any = None, bias_ih_attr: Any = None, bias_hh_attr: Any = None, proj_size: Any = 0, name: builtins.str | None = None) -> None: ...
    def forward(self, inputs: Any, initial_states: Any = None, sequence_length: Any = None) -> builtins.tuple[Any, Any]:
        """Outputs and last states."""
    def flatten_parameters(self) -> None:
        """Kept for Paddle's code: where parameters lie in memory makes no difference."""
    def extra_repr(self) -> builtins.str:
        """The sizes, and what is not as usual."""
    input_size: builtins.int
    hidden_size: builtins.int
    num_layers: builtins.int
    num_directions: Any
    time_major: builtins.bool
    dropout: builtins.float
    proj_size: Any
    def __call__(self, *inputs: Any, **kwargs: Any) -> builtins.tuple[Any, Any]: ...
class LSTMCell(twinoar.nn.RNNCellBase):
    """Long short-term memory (Hochreiter and Schmidhuber, 1997)."""
    gates: builtins.int
    def __init__(self, input_size: Any, hidden_size: Any, weight_ih_attr: Any = None, weight_hh_attr: Any = None, bias_ih_attr: Any = None, bias_hh_attr: Any = None, proj_size: Any = 0, name: builtins.str | None = None) -> None: ...
    def forward(self, inputs: Any, states: Any = None) -> builtins.tuple[Any, builtins.tuple[Any, Any]]:
        """One step."""
    @property
    def state_shape(self) -> Any:
        """((hidden_size or proj_size,), (hidden_size,))."""
    def extra_repr(self) -> builtins.str:
        """The sizes."""
    weight_ho: Any
    input_size: builtins.int
    hidden_size: builtins.int
    proj_size: builtins.int
    weight_ih: Any
    weight_hh: Any
    bias_ih: Any
    bias_hh: Any
    def __call__(self, *inputs: Any, **kwargs: Any) -> builtins.tuple[Any, builtins.tuple[Any, Any]]: ...
class Layer:
    """A computation with parameters."""
    def __init__(self, name_scope: builtins.str | None = None, dtype: Any = 'float32') -> None: ...
    def __call__(self, *inputs: Any, **kwargs: Any) -> Any: ...
    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """What the layer computes; subclasses say it."""
    def register_forward_pre_hook(self, hook: collections.abc.Callable, *, prepend: builtins.bool = False) -> twinoar.nn._HookHandle:
        """Call `hook(layer, inputs)` before `forward`."""
    def register_forward_post_hook(self, hook: collections.abc.Callable, *, prepend: builtins.bool = False) -> twinoar.nn._HookHandle:
        """Call `hook(layer, inputs, outputs)` after `forward`."""
    def register_state_dict_hook(self, hook: collections.abc.Callable) -> twinoar.nn._HookHandle:
        """Call `hook(state)` in `state_dict`; what it returns, unless None, replaces the state."""
    def train(self, mode: builtins.bool = True) -> twinoar.nn.Layer:
        """Make this layer and all below it train: dropout drops, statistics move."""
    def eval(self) -> twinoar.nn.Layer:
        """Make this layer and all below it work as in use: no dropout, statistics stand still."""
    def apply(self, fn: collections.abc.Callable[[twinoar.nn.Layer], Any]) -> twinoar.nn.Layer:
        """Call `fn` with every layer, children before parents; returns this layer."""
    def full_name(self) -> builtins.str:
        """The layer's name, which no other layer has: what its parameters' names begin with."""
    def create_parameter(self, shape: collections.abc.Sequence[Any], attr: Any = None, dtype: Any = None, is_bias: builtins.bool = False, default_initializer: collections.abc.Callable | None = None) -> twinoar.nn.Parameter:
        """A new parameter of this layer, not yet its member; None where `attr` is False."""
    def create_tensor(self, name: builtins.str | None = None, persistable: builtins.bool | None = None, dtype: Any = None) -> Any:
        """A new tensor without elements, for an operator to fill: `assign(x, output=tensor)`."""
    def create_variable(self, name: builtins.str | None = None, persistable: builtins.bool | None = None, dtype: Any = None) -> Any:
        """A new tensor without elements, for an operator to fill: `assign(x, output=tensor)`."""
    def state_dict(self, destination: builtins.dict | None = None, include_sublayers: builtins.bool = True, structured_name_prefix: builtins.str = '', use_hook: builtins.bool = True, keep_vars: builtins.bool = True) -> builtins.dict:
        """Parameters and persistable buffers by dotted name: all that is saved of the layer."""
    def to_static_state_dict(self, destination: builtins.dict | None = None, include_sublayers: builtins.bool = True, structured_name_prefix: builtins.str = '', use_hook: builtins.bool = True, keep_vars: builtins.bool = True) -> builtins.dict:
        """As `state_dict`, with the buffers too that are not persistable."""
    def set_state_dict(self, state_dict: Any, use_structured_name: builtins.bool = True) -> builtins.tuple[builtins.list[builtins.str], builtins.list[builtins.str]]:
        """Take over the values in `state_dict`, by dotted name, or by the parameters' own names."""
    def set_dict(self, state_dict: Any, use_structured_name: builtins.bool = True) -> builtins.tuple[builtins.list[builtins.str], builtins.list[builtins.str]]:
        """Take over the values in `state_dict`, by dotted name, or by the parameters' own names."""
    def load_dict(self, state_dict: Any, use_structured_name: builtins.bool = True) -> builtins.tuple[builtins.list[builtins.str], builtins.list[builtins.str]]:
        """Take over the values in `state_dict`, by dotted name, or by the parameters' own names."""
    def to(self, device: Any = None, dtype: Any = None, blocking: builtins.bool | None = None) -> twinoar.nn.Layer:
        """Move all parameters and buffers to `device`, convert them to `dtype`; returns this layer."""
    def astype(self, dtype: Any = None) -> twinoar.nn.Layer:
        """Convert all parameters and buffers to `dtype`; returns this layer."""
    def float(self, excluded_layers: Any = None) -> twinoar.nn.Layer:
        """Convert floating parameters and buffers to float32, those of `excluded_layers` not."""
    def float16(self, excluded_layers: Any = None) -> twinoar.nn.Layer:
        """Convert floating parameters and buffers to float16, those of `excluded_layers` not."""
    def half(self, excluded_layers: Any = None) -> twinoar.nn.Layer:
        """Convert floating parameters and buffers to float16, those of `excluded_layers` not."""
    def bfloat16(self, excluded_layers: Any = None) -> twinoar.nn.Layer:
        """Convert floating parameters and buffers to bfloat16, those of `excluded_layers` not."""
    def double(self) -> twinoar.nn.Layer:
        """Convert floating parameters and buffers to float64."""
    def clear_gradients(self, set_to_zero: builtins.bool = True) -> None:
        """Set the gradients of all parameters to zero, or forget them."""
    def extra_repr(self) -> builtins.str:
        """What stands in the brackets when the layer is printed; subclasses say it."""
    def __getattr__(self, name: builtins.str) -> Any: ...
    def add_sublayer(self, name: builtins.str, sublayer: Any) -> Any:
        """Make `sublayer`, a layer or None, the sublayer `name`; returns it."""
    def add_parameter(self, name: builtins.str, parameter: Any) -> Any:
        """Make `parameter`, a Parameter or None, the parameter `name`; returns it."""
    def register_buffer(self, name: builtins.str, tensor: Any, persistable: builtins.bool = True) -> None:
        """Make `tensor`, a Tensor or None, the buffer `name`: kept with the layer, not trained."""
    def children(self) -> collections.abc.Iterator[Any]:
        """The direct sublayers, each once."""
    def named_children(self) -> collections.abc.Iterator[builtins.tuple[builtins.str, Any]]:
        """Name and layer of the direct sublayers, each once."""
    def sublayers(self, include_self: builtins.bool = False) -> builtins.list[Any]:
        """All layers below this one, parents before children."""
    def named_sublayers(self, prefix: builtins.str = '', include_self: builtins.bool = False, layers_set: builtins.set | None = None) -> collections.abc.Iterator[builtins.tuple[builtins.str, Any]]:
        """Dotted name and layer of all layers below this one, each once, parents before children."""
    def parameters(self, include_sublayers: builtins.bool = True) -> builtins.list[Any]:
        """All parameters, each once."""
    def named_parameters(self, prefix: builtins.str = '', include_sublayers: builtins.bool = True) -> collections.abc.Iterator[builtins.tuple[builtins.str, Any]]:
        """Dotted name and value of all parameters, each once."""
    def buffers(self, include_sublayers: builtins.bool = True) -> builtins.list[Any]:
        """All buffers, each once."""
    def named_buffers(self, prefix: builtins.str = '', include_sublayers: builtins.bool = True) -> collections.abc.Iterator[builtins.tuple[builtins.str, Any]]:
        """Dotted name and value of all buffers, each once."""
    training: Any
class LayerDict(twinoar.nn.Layer):
    """A dictionary of layers, whose parameters are its own; it computes nothing."""
    def __init__(self, sublayers: Any = None) -> None: ...
    def __getitem__(self, key: builtins.str) -> twinoar.nn.Layer: ...
    def __setitem__(self, key: builtins.str, sublayer: twinoar.nn.Layer) -> None: ...
    def __delitem__(self, key: builtins.str) -> None: ...
    def __len__(self) -> builtins.int: ...
    def __iter__(self) -> collections.abc.Iterator[builtins.str]: ...
    def __contains__(self, key: builtins.str) -> builtins.bool: ...
    def clear(self) -> None:
        """Remove all layers."""
    def pop(self, key: builtins.str) -> twinoar.nn.Layer:
        """Remove the layer `key` and return it"""
    def keys(self) -> collections.abc.Iterable[builtins.str]:
        """The names."""
    def values(self) -> collections.abc.Iterable[twinoar.nn.Layer]:
        """The layers."""
    def items(self) -> collections.abc.Iterable[builtins.tuple[builtins.str, twinoar.nn.Layer]]:
        """Names and layers."""
    def update(self, sublayers: Any) -> None:
        """Add layers, taking the place of those with the same name."""
class LayerList(twinoar.nn.Layer):
    """A list of layers, whose parameters are its own; it computes nothing."""
    def __init__(self, sublayers: collections.abc.Iterable[twinoar.nn.Layer] | None = None) -> None: ...
    def __getitem__(self, index: Any) -> Any: ...
    def __setitem__(self, index: Any, sublayer: twinoar.nn.Layer) -> None: ...
    def __delitem__(self, index: Any) -> None: ...
    def __len__(self) -> builtins.int: ...
    def __iter__(self) -> collections.abc.Iterator[twinoar.nn.Layer]: ...
    def append(self, sublayer: twinoar.nn.Layer) -> Any:
        """Add a layer at the end; returns this one."""
    def extend(self, sublayers: collections.abc.Iterable[twinoar.nn.Layer]) -> Any:
        """Add layers at the end; returns this one."""
    def insert(self, index: Any, sublayer: twinoar.nn.Layer) -> Any:
        """Add a layer before the one at `index`; returns this one"""
class LayerNorm(twinoar.nn.Layer):
    """y = (x - mean) / sqrt(variance + epsilon) * weight + bias, over the last dimensions."""
    def __init__(self, normalized_shape: Any, epsilon: Any = ..., weight_attr: Any = None, bias_attr: Any = None, name: builtins.str | None = None) -> None: ...
    def forward(self, input: Any) -> twinoar.Tensor:
        """The normalized input."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    weight: twinoar.nn.Parameter
    bias: twinoar.nn.Parameter
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class LeakyReLU(twinoar.nn.Layer):
    """x where x > 0, negative_slope x elsewhere."""
    def __init__(self, negative_slope: Any = ..., name: builtins.str | None = None) -> None: ...
    def forward(self, x: Any) -> twinoar.Tensor:
        """The function of x."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class Linear(twinoar.nn.Layer):
    """y = x W + b."""
    def __init__(self, in_features: Any, out_features: Any, weight_attr: Any = None, bias_attr: Any = None, name: builtins.str | None = None) -> None: ...
    def forward(self, input: Any) -> twinoar.Tensor:
        """y = x W + b."""
    def extra_repr(self) -> builtins.str:
        """The sizes."""
    in_features: builtins.int
    out_features: builtins.int
    name: builtins.str | None
    weight: twinoar.nn.Parameter
    bias: twinoar.nn.Parameter
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class LocalResponseNorm(twinoar.nn.Layer):
    """x / (k + alpha m)^beta, where m is the mean square of `size` channels around each."""
    def __init__(self, size: Any, alpha: Any = ..., beta: Any = ..., k: Any = ..., data_format: builtins.str = 'NCHW', name: builtins.str | None = None) -> None: ...
    def forward(self, *inputs: Any, **named: Any) -> Any:
        """The result of the function."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    size: builtins.int
    alpha: builtins.float
    beta: builtins.float
    k: builtins.float
    data_format: builtins.str
    name: builtins.str | None
class LogSigmoid(twinoar.nn.Layer):
    """log(1 / (1 + exp(-x)))."""
    def __init__(self, name: builtins.str | None = None) -> None: ...
    def forward(self, x: Any) -> twinoar.Tensor:
        """The function of x."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class LogSoftmax(twinoar.nn.Layer):
    """log(exp(x) / sum(exp(x))) along axis."""
    def __init__(self, axis: Any = -1, name: builtins.str | None = None) -> None: ...
    def forward(self, x: Any) -> twinoar.Tensor:
        """The function of x."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class MSELoss(twinoar.nn.Layer):
    """(input - label)^2, averaged."""
    name: Any
    def __init__(self, reduction: Literal['mean', 'sum', 'none'] = 'mean') -> None: ...
    def forward(self, input: Any, label: Any) -> twinoar.Tensor:
        """The loss."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    reduction: Literal['mean', 'sum', 'none']
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class MarginRankingLoss(twinoar.nn.Layer):
    """max(-label (input - other) + margin, 0), averaged; label is 1 or -1."""
    def forward(self, input: Any, other: Any, label: Any) -> twinoar.Tensor:
        """The loss."""
    def __init__(self, margin: Any = ..., reduction: Literal['mean', 'sum', 'none'] = 'mean', name: builtins.str | None = None) -> None: ...
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    margin: builtins.float
    reduction: Literal['mean', 'sum', 'none']
    name: builtins.str | None
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class MaxPool1D(twinoar.nn.Layer):
    """The maximum of each window of a sequence."""
    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0, return_mask: builtins.bool = False, ceil_mode: builtins.bool = False, name: builtins.str | None = None) -> None: ...
    def forward(self, x: Any) -> Any:
        """The pooled x."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    ksize: Any
    stride: Any
    padding: Any
    return_mask: builtins.bool
    ceil_mode: builtins.bool
    name: builtins.str | None
class MaxPool2D(twinoar.nn.Layer):
    """The maximum of each window of an image."""
    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0, return_mask: builtins.bool = False, ceil_mode: builtins.bool = False, data_format: builtins.str = 'NCHW', name: builtins.str | None = None) -> None: ...
    def forward(self, x: Any) -> Any:
        """The pooled x."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    ksize: Any
    stride: Any
    padding: Any
    return_mask: builtins.bool
    ceil_mode: builtins.bool
    data_format: builtins.str
    name: builtins.str | None
class MaxPool3D(twinoar.nn.Layer):
    """The maximum of each window of a volume, as MaxPool2D does it with images."""
    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0, return_mask: builtins.bool = False, ceil_mode: builtins.bool = False, data_format: builtins.str = 'NCDHW', name: builtins.str | None = None) -> None: ...
    def forward(self, x: Any) -> Any:
        """The pooled x."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    ksize: Any
    stride: Any
    padding: Any
    return_mask: builtins.bool
    ceil_mode: builtins.bool
    data_format: builtins.str
    name: builtins.str | None
class MaxUnPool1D(twinoar.nn.Layer):
    """The maxima that MaxPool1D found, back in their places; zeros elsewhere."""
    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0, data_format: builtins.str = 'NCL', output_size: Any = None, name: builtins.str | None = None) -> None: ...
    def forward(self, *inputs: Any, **named: Any) -> Any:
        """The result of the function."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    kernel_size: Any
    stride: Any
    padding: Any
    data_format: builtins.str
    output_size: Any
    name: builtins.str | None
class MaxUnPool2D(twinoar.nn.Layer):
    """The maxima that MaxPool2D found, back in their places; zeros elsewhere."""
    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0, data_format: builtins.str = 'NCHW', output_size: Any = None, name: builtins.str | None = None) -> None: ...
    def forward(self, *inputs: Any, **named: Any) -> Any:
        """The result of the function."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    kernel_size: Any
    stride: Any
    padding: Any
    data_format: builtins.str
    output_size: Any
    name: builtins.str | None
class MaxUnPool3D(twinoar.nn.Layer):
    """The maxima that MaxPool3D found, back in their places; zeros elsewhere."""
    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0, data_format: builtins.str = 'NCDHW', output_size: Any = None, name: builtins.str | None = None) -> None: ...
    def forward(self, *inputs: Any, **named: Any) -> Any:
        """The result of the function."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    kernel_size: Any
    stride: Any
    padding: Any
    data_format: builtins.str
    output_size: Any
    name: builtins.str | None
MaxUnpool1d = MaxUnPool1D
MaxUnpool2d = MaxUnPool2D
MaxUnpool3d = MaxUnPool3D
class Maxout(twinoar.nn.Layer):
    """the maximum over each of groups channels along axis."""
    def __init__(self, groups: Any, axis: Any = 1, name: builtins.str | None = None) -> None: ...
    def forward(self, x: Any) -> twinoar.Tensor:
        """The function of x."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class Mish(twinoar.nn.Layer):
    """x tanh(log(1 + exp(x)))."""
    def __init__(self, name: builtins.str | None = None) -> None: ...
    def forward(self, x: Any) -> twinoar.Tensor:
        """The function of x."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
Module = Layer
ModuleDict = LayerDict
ModuleList = LayerList
class MultiHeadAttention(twinoar.nn.Layer):
    """softmax(q k' / sqrt(head_dim) + mask) v for each head, projected before and after."""
    def __init__(self, embed_dim: Any, num_heads: Any, dropout: Any = ..., kdim: Any = None, vdim: Any = None, need_weights: builtins.bool = False, weight_attr: Any = None, bias_attr: Any = None) -> None: ...
    def forward(self, query: Any, key: Any = None, value: Any = None, attn_mask: Any = None, cache: Any = None) -> Any:
        """The attention of `query` to `key` and `value`."""
    def compute_kv(self, key: Any, value: Any) -> builtins.tuple[Any, Any]:
        """The projected keys and values, [N,heads,T,D] each."""
    def gen_cache(self, key: Any, value: Any = None, type: builtins.type = ...) -> Any:
        """A cache to begin with."""
    Cache: Any
    StaticCache: Any
    embed_dim: builtins.int
    num_heads: builtins.int
    head_dim: Any
    kdim: Any
    vdim: Any
    dropout: builtins.float
    need_weights: builtins.bool
    q_proj: Any
    k_proj: Any
    v_proj: Any
    out_proj: Any
class MultiLabelMarginLoss(twinoar.nn.Layer):
    """By how much other classes come within a margin of 1 of the labels."""
    def __init__(self, reduction: Literal['mean', 'sum', 'none'] = 'mean', name: builtins.str | None = None) -> None: ...
    def forward(self, *inputs: Any, **named: Any) -> Any:
        """The result of the function."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    reduction: Literal['mean', 'sum', 'none']
    name: builtins.str | None
class MultiLabelSoftMarginLoss(twinoar.nn.Layer):
    """The mean over classes of the cross entropy of sigmoid(input) and each label."""
    def __init__(self, weight: twinoar._TensorLike | None = None, reduction: Literal['mean', 'sum', 'none'] = 'mean', name: builtins.str | None = None) -> None: ...
    def forward(self, *inputs: Any, **named: Any) -> Any:
        """The result of the function."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    weight: twinoar.Tensor | None
    reduction: Literal['mean', 'sum', 'none']
    name: builtins.str | None
class MultiMarginLoss(twinoar.nn.Layer):
    """By how much wrong classes come within a margin of the right one."""
    def __init__(self, p: Any = 1, margin: Any = ..., weight: twinoar._TensorLike | None = None, reduction: Literal['mean', 'sum', 'none'] = 'mean', name: builtins.str | None = None) -> None: ...
    def forward(self, *inputs: Any, **named: Any) -> Any:
        """The result of the function."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    p: builtins.int
    margin: builtins.float
    weight: twinoar.Tensor | None
    reduction: Literal['mean', 'sum', 'none']
    name: builtins.str | None
class NLLLoss(twinoar.nn.Layer):
    """-input[label], weighted, averaged."""
    def __init__(self, weight: twinoar._TensorLike | None = None, ignore_index: Any = -100, reduction: Literal['mean', 'sum', 'none'] = 'mean', name: builtins.str | None = None) -> None: ...
    def forward(self, input: Any, label: Any) -> twinoar.Tensor:
        """The loss."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    weight: twinoar.Tensor | None
    reduction: Literal['mean', 'sum', 'none']
    name: builtins.str | None
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class PReLU(twinoar.nn.Layer):
    """x where x > 0, a x elsewhere, with a learned, one for all channels or one for each."""
    def __init__(self, num_parameters: Any = 1, init: Any = ..., weight_attr: Any = None, data_format: builtins.str = 'NCHW', name: builtins.str | None = None) -> None: ...
    def forward(self, x: Any) -> twinoar.Tensor:
        """The function of x."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class Pad1D(twinoar.nn.Layer):
    """Pads a sequence"""
    rank: builtins.int
    default_format: builtins.str
    def __init__(self, padding: Any, mode: builtins.str = 'constant', value: Any = ..., data_format: builtins.str | None = None, name: builtins.str | None = None) -> None: ...
    def forward(self, x: Any) -> twinoar.Tensor:
        """The padded x."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    padding: Any
    value: builtins.float
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class Pad2D(twinoar.nn.Layer):
    """Pads an image."""
    rank: builtins.int
    default_format: builtins.str
    def __init__(self, padding: Any, mode: builtins.str = 'constant', value: Any = ..., data_format: builtins.str | None = None, name: builtins.str | None = None) -> None: ...
    def forward(self, x: Any) -> twinoar.Tensor:
        """The padded x."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    padding: Any
    value: builtins.float
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class Pad3D(twinoar.nn.Layer):
    """Pads a volume"""
    rank: builtins.int
    default_format: builtins.str
    def __init__(self, padding: Any, mode: builtins.str = 'constant', value: Any = ..., data_format: builtins.str | None = None, name: builtins.str | None = None) -> None: ...
    def forward(self, x: Any) -> twinoar.Tensor:
        """The padded x."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    padding: Any
    value: builtins.float
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class PairwiseDistance(twinoar.nn.Layer):
    """The p-norm of x - y + epsilon along the last dimension."""
    def __init__(self, p: Any = ..., epsilon: Any = ..., keepdim: builtins.bool = False, name: builtins.str | None = None) -> None: ...
    def forward(self, *inputs: Any, **named: Any) -> Any:
        """The result of the function."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    p: builtins.float
    epsilon: builtins.float
    keepdim: builtins.bool
    name: builtins.str | None
class Parameter(twinoar.Tensor):
    """A leaf tensor that optimizers train (Paddle's EagerParamBase)."""
    is_parameter: builtins.bool
    def __init__(self, data: _numpy.ndarray[Any, Any], stop_gradient: builtins.bool = False, name: builtins.str | None = None) -> None: ...
    @property
    def trainable(self) -> builtins.bool:
        """True where optimizers change it; the opposite of stop_gradient."""
    @trainable.setter
    def trainable(self, value: Any) -> None: ...
    def initialize(self) -> None:
        """Make the data of a parameter that was made under LazyGuard; others have theirs."""
    persistable: Any
    stop_gradient: Any
class ParameterDict(twinoar.nn.Layer):
    """Parameters by name; it computes nothing."""
    def __init__(self, parameters: Any = None) -> None: ...
    def __getitem__(self, key: builtins.str) -> Any: ...
    def __setitem__(self, key: builtins.str, parameter: Any) -> None: ...
    def __len__(self) -> builtins.int: ...
    def __iter__(self) -> collections.abc.Iterator[builtins.str]: ...
    def __contains__(self, key: Any) -> builtins.bool: ...
    def update(self, parameters: Any) -> None:
        """Add parameters, taking the place of those with the same name."""
class ParameterList(twinoar.nn.Layer):
    """A list of parameters; it computes nothing."""
    def __init__(self, parameters: collections.abc.Iterable[Any] | None = None) -> None: ...
    def __getitem__(self, index: Any) -> Any: ...
    def __setitem__(self, index: Any, parameter: Any) -> None: ...
    def __len__(self) -> builtins.int: ...
    def __iter__(self) -> collections.abc.Iterator[Any]: ...
    def append(self, parameter: Any) -> twinoar.nn.ParameterList:
        """Add a parameter at the end; returns this list."""
class PixelShuffle(twinoar.nn.Layer):
    """Groups of channels become squares of pixels: [N,C r^2,H,W] becomes [N,C,H r,W r]."""
    def __init__(self, upscale_factor: Any, data_format: builtins.str = 'NCHW', name: builtins.str | None = None) -> None: ...
    def forward(self, *inputs: Any, **named: Any) -> Any:
        """The result of the function."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    upscale_factor: builtins.int
    data_format: builtins.str
    name: builtins.str | None
class PixelUnshuffle(twinoar.nn.Layer):
    """Squares of pixels become groups of channels: [N,C,H,W] becomes [N,C r^2,H/r,W/r]."""
    def __init__(self, downscale_factor: Any, data_format: builtins.str = 'NCHW', name: builtins.str | None = None) -> None: ...
    def forward(self, *inputs: Any, **named: Any) -> Any:
        """The result of the function."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    downscale_factor: builtins.int
    data_format: builtins.str
    name: builtins.str | None
class PoissonNLLLoss(twinoar.nn.Layer):
    """The negative logarithm of the likelihood of counts."""
    def __init__(self, log_input: builtins.bool = True, full: builtins.bool = False, epsilon: Any = ..., reduction: Literal['mean', 'sum', 'none'] = 'mean', name: builtins.str | None = None) -> None: ...
    def forward(self, *inputs: Any, **named: Any) -> Any:
        """The result of the function."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    log_input: builtins.bool
    full: builtins.bool
    epsilon: builtins.float
    reduction: Literal['mean', 'sum', 'none']
    name: builtins.str | None
class RNN(twinoar.nn.Layer):
    """Runs a cell over time."""
    def __init__(self, cell: twinoar.nn.Layer, is_reverse: builtins.bool = False, time_major: builtins.bool = False) -> None: ...
    def forward(self, inputs: Any, initial_states: Any = None, sequence_length: Any = None, **kwargs: Any) -> builtins.tuple[Any, Any]:
        """Outputs and last states."""
    cell: twinoar.nn.Layer
    is_reverse: builtins.bool
    time_major: builtins.bool
    def __call__(self, *inputs: Any, **kwargs: Any) -> builtins.tuple[Any, Any]: ...
class RNNCellBase(twinoar.nn.Layer):
    """One step of a recurrent network: `forward(inputs, states)` gives an output and new states."""
    @property
    def state_shape(self) -> Any:
        """Sizes of the states, without the batch."""
    @property
    def state_dtype(self) -> Any:
        """The dtype of the states; None is that of the inputs."""
    def get_initial_states(self, batch_ref: Any, shape: Any = None, dtype: Any = None, init_value: Any = ..., batch_dim_idx: Any = 0) -> Any:
        """States to start from, `init_value` everywhere, for as many sequences as `batch_ref` has."""
class RNNTLoss(twinoar.nn.Layer):
    """-log of the likelihood of labels that a transducer says between frames."""
    def forward(self, input: Any, label: Any, input_lengths: Any, label_lengths: Any) -> twinoar.Tensor:
        """The loss."""
    def __init__(self, blank: Any = 0, fastemit_lambda: Any = ..., reduction: Literal['mean', 'sum', 'none'] = 'mean', name: builtins.str | None = None) -> None: ...
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    blank: builtins.int
    fastemit_lambda: builtins.float
    reduction: Literal['mean', 'sum', 'none']
    name: builtins.str | None
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class RReLU(twinoar.nn.Layer):
    """x where it is not negative; elsewhere x times a slope that is random in training."""
    def __init__(self, lower: Any = ..., upper: Any = ..., name: builtins.str | None = None) -> None: ...
    def forward(self, x: Any) -> twinoar.Tensor:
        """The rectified x."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class ReLU(twinoar.nn.Layer):
    """max(x, 0)."""
    def __init__(self, name: builtins.str | None = None) -> None: ...
    def forward(self, x: Any) -> twinoar.Tensor:
        """The function of x."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class ReLU6(twinoar.nn.Layer):
    """min(max(x, 0), 6)."""
    def __init__(self, name: builtins.str | None = None) -> None: ...
    def forward(self, x: Any) -> twinoar.Tensor:
        """The function of x."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class ReflectionPad1D(twinoar.nn.Pad1D):
    """Pads a sequence with what lies inside its ends, mirrored"""
    mode: builtins.str
    def __init__(self, padding: Any, data_format: builtins.str | None = None, name: builtins.str | None = None) -> None: ...
ReflectionPad1d = ReflectionPad1D
class ReflectionPad2D(twinoar.nn.Pad2D):
    """Pads an image with what lies inside its ends, mirrored"""
    mode: builtins.str
    def __init__(self, padding: Any, data_format: builtins.str | None = None, name: builtins.str | None = None) -> None: ...
ReflectionPad2d = ReflectionPad2D
class ReflectionPad3D(twinoar.nn.Pad3D):
    """Pads a volume with what lies inside its ends, mirrored"""
    mode: builtins.str
    def __init__(self, padding: Any, data_format: builtins.str | None = None, name: builtins.str | None = None) -> None: ...
ReflectionPad3d = ReflectionPad3D
class ReplicationPad1D(twinoar.nn.Pad1D):
    """Pads a sequence with the elements at its ends"""
    mode: builtins.str
    def __init__(self, padding: Any, data_format: builtins.str | None = None, name: builtins.str | None = None) -> None: ...
ReplicationPad1d = ReplicationPad1D
class ReplicationPad2D(twinoar.nn.Pad2D):
    """Pads an image with the elements at its ends"""
    mode: builtins.str
    def __init__(self, padding: Any, data_format: builtins.str | None = None, name: builtins.str | None = None) -> None: ...
ReplicationPad2d = ReplicationPad2D
class ReplicationPad3D(twinoar.nn.Pad3D):
    """Pads a volume with the elements at its ends"""
    mode: builtins.str
    def __init__(self, padding: Any, data_format: builtins.str | None = None, name: builtins.str | None = None) -> None: ...
ReplicationPad3d = ReplicationPad3D
class SELU(twinoar.nn.Layer):
    """scale x where x > 0, scale alpha (exp(x) - 1) elsewhere."""
    def __init__(self, scale: Any = ..., alpha: Any = ..., name: builtins.str | None = None) -> None: ...
    def forward(self, x: Any) -> twinoar.Tensor:
        """The function of x."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class Sequential(twinoar.nn.Layer):
    """Layers that are called one after the other."""
    def __init__(self, *layers: Any) -> None: ...
    def forward(self, input: Any) -> Any:
        """The output of the last layer."""
    def __getitem__(self, index: Any) -> Any: ...
    def __setitem__(self, index: Any, layer: twinoar.nn.Layer) -> None: ...
    def __delitem__(self, index: Any) -> None: ...
    def __len__(self) -> builtins.int: ...
    def __iter__(self) -> collections.abc.Iterator[twinoar.nn.Layer]: ...
    def append(self, sublayer: twinoar.nn.Layer) -> Any:
        """Add a layer at the end; returns this one."""
    def extend(self, sublayers: collections.abc.Iterable[twinoar.nn.Layer]) -> Any:
        """Add layers at the end; returns this one."""
    def insert(self, index: Any, sublayer: twinoar.nn.Layer) -> Any:
        """Add a layer before the one at `index`; returns this one"""
class SiLU(twinoar.nn.Layer):
    """x / (1 + exp(-x)); inplace: x itself takes the result."""
    def __init__(self, inplace: builtins.bool = False, name: builtins.str | None = None) -> None: ...
    def forward(self, x: Any) -> twinoar.Tensor:
        """The function of x."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class Sigmoid(twinoar.nn.Layer):
    """1 / (1 + exp(-x))."""
    def __init__(self, name: builtins.str | None = None) -> None: ...
    def forward(self, x: Any) -> twinoar.Tensor:
        """The function of x."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
Silu = SiLU
class SimpleRNN(twinoar.nn.LayerList):
    """Layers of SimpleRNNCell over time."""
    cell_type: Any
    def __init__(self, input_size: Any, hidden_size: Any, num_layers: Any = 1, direction: builtins.str = 'forward', time_major: builtins.bool = False, dropout: Any = ..., activation: builtins.str = 'tanh', weight_ih_attr: Any = None, weight_hh_attr: Any = None, bias_ih_attr: Any = None, bias_hh_attr: Any = None, name: builtins.str | None = None) -> None: ...
    mode: builtins.str
    def forward(self, inputs: Any, initial_states: Any = None, sequence_length: Any = None) -> builtins.tuple[Any, Any]:
        """Outputs and last states."""
    def flatten_parameters(self) -> None:
        """Kept for Paddle's code: where parameters lie in memory makes no difference."""
    def extra_repr(self) -> builtins.str:
        """The sizes, and what is not as usual."""
    input_size: builtins.int
    hidden_size: builtins.int
    num_layers: builtins.int
    num_directions: Any
    time_major: builtins.bool
    dropout: builtins.float
    proj_size: Any
    def __call__(self, *inputs: Any, **kwargs: Any) -> builtins.tuple[Any, Any]: ...
class SimpleRNNCell(twinoar.nn.RNNCellBase):
    """h' = act(x W_ih + b_ih + h W_hh + b_hh), act: 'tanh' or 'relu'."""
    def __init__(self, input_size: Any, hidden_size: Any, activation: builtins.str = 'tanh', weight_ih_attr: Any = None, weight_hh_attr: Any = None, bias_ih_attr: Any = None, bias_hh_attr: Any = None, name: builtins.str | None = None) -> None: ...
    def forward(self, inputs: Any, states: Any = None) -> builtins.tuple[Any, Any]:
        """One step."""
    def extra_repr(self) -> builtins.str:
        """The sizes, and the activation if it is not tanh."""
    gates: builtins.int
    @property
    def state_shape(self) -> Any:
        """(hidden_size,)."""
    activation: builtins.str
    input_size: builtins.int
    hidden_size: builtins.int
    proj_size: builtins.int
    weight_ih: Any
    weight_hh: Any
    bias_ih: Any
    bias_hh: Any
    def __call__(self, *inputs: Any, **kwargs: Any) -> builtins.tuple[Any, Any]: ...
SmoothL1Loss = HuberLoss
class SoftMarginLoss(twinoar.nn.Layer):
    """log(1 + exp(-label input)), averaged."""
    def __init__(self, reduction: Literal['mean', 'sum', 'none'] = 'mean', name: builtins.str | None = None) -> None: ...
    def forward(self, *inputs: Any, **named: Any) -> Any:
        """The result of the function."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    reduction: Literal['mean', 'sum', 'none']
    name: builtins.str | None
class Softmax(twinoar.nn.Layer):
    """exp(x) / sum(exp(x)) along axis."""
    def __init__(self, axis: Any = -1, name: builtins.str | None = None) -> None: ...
    def forward(self, x: Any) -> twinoar.Tensor:
        """The function of x."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class Softmax2D(twinoar.nn.Layer):
    """exp(x) / sum(exp(x)) over the channels of images, [N,C,H,W] or [C,H,W]."""
    def __init__(self, name: builtins.str | None = None) -> None: ...
    def forward(self, x: Any) -> twinoar.Tensor:
        """The function of x."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class Softplus(twinoar.nn.Layer):
    """log(1 + exp(beta x)) / beta, x itself where beta x > threshold."""
    def __init__(self, beta: Any = 1, threshold: Any = 20, name: builtins.str | None = None) -> None: ...
    def forward(self, x: Any) -> twinoar.Tensor:
        """The function of x."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class Softshrink(twinoar.nn.Layer):
    """x moved towards 0 by threshold, at most to 0."""
    def __init__(self, threshold: Any = ..., name: builtins.str | None = None) -> None: ...
    def forward(self, x: Any) -> twinoar.Tensor:
        """The function of x."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class Softsign(twinoar.nn.Layer):
    """x / (1 + |x|)."""
    def __init__(self, name: builtins.str | None = None) -> None: ...
    def forward(self, x: Any) -> twinoar.Tensor:
        """The function of x."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class SpectralNorm(twinoar.nn.Layer):
    """A weight divided by its greatest singular value."""
    def __init__(self, weight_shape: collections.abc.Sequence[Any], dim: Any = 0, power_iters: Any = 1, eps: Any = ..., dtype: Any = 'float32') -> None: ...
    def forward(self, x: Any) -> twinoar.Tensor:
        """The normalized weight."""
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class Swish(twinoar.nn.Layer):
    """x / (1 + exp(-x))."""
    def __init__(self, name: builtins.str | None = None) -> None: ...
    def forward(self, x: Any) -> twinoar.Tensor:
        """The function of x."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class SyncBatchNorm(twinoar.nn.Layer):
    """Batch normalization over the batches of all processes, which all call it in training."""
    def __init__(self, num_features: Any, momentum: Any = ..., epsilon: Any = ..., weight_attr: Any = None, bias_attr: Any = None, data_format: builtins.str = 'NCHW', name: builtins.str | None = None) -> None: ...
    def forward(self, x: Any) -> Any:
        """The normalized x."""
    @classmethod
    def convert_sync_batchnorm(cls, layer: twinoar.nn.Layer) -> twinoar.nn.Layer:
        """`layer` with every batch normalization in it replaced by one over all processes."""
    default_format: builtins.str
    ranks: builtins.tuple
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    weight: twinoar.nn.Parameter
    bias: twinoar.nn.Parameter
class Tanh(twinoar.nn.Layer):
    """tanh(x)."""
    def __init__(self, name: builtins.str | None = None) -> None: ...
    def forward(self, x: Any) -> twinoar.Tensor:
        """The function of x."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class Tanhshrink(twinoar.nn.Layer):
    """x - tanh(x)."""
    def __init__(self, name: builtins.str | None = None) -> None: ...
    def forward(self, x: Any) -> twinoar.Tensor:
        """The function of x."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class ThresholdedReLU(twinoar.nn.Layer):
    """x where x > threshold, value elsewhere."""
    def __init__(self, threshold: Any = ..., value: Any = ..., name: builtins.str | None = None) -> None: ...
    def forward(self, x: Any) -> twinoar.Tensor:
        """The function of x."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class Transformer(twinoar.nn.Layer):
    """An encoder, and a decoder that attends to what it gives; embeddings are not part of it."""
    def __init__(self, d_model: Any = 512, nhead: Any = 8, num_encoder_layers: Any = 6, num_decoder_layers: Any = 6, dim_feedforward: Any = 2048, dropout: Any = ..., activation: builtins.str = 'relu', attn_dropout: Any = None, act_dropout: Any = None, normalize_before: builtins.bool = False, weight_attr: Any = None, bias_attr: Any = None, custom_encoder: twinoar.nn.Layer | None = None, custom_decoder: twinoar.nn.Layer | None = None) -> None: ...
    def forward(self, src: Any, tgt: Any, src_mask: Any = None, tgt_mask: Any = None, memory_mask: Any = None) -> Any:
        """The decoded tgt, [N,T,d_model]."""
    def generate_square_subsequent_mask(self, length: Any) -> twinoar.Tensor:
        """A mask under which no position sees later ones, [length,length]: 0 and -inf."""
    d_model: builtins.int
    nhead: builtins.int
    encoder: twinoar.nn.Layer | None
    decoder: twinoar.nn.Layer | None
class TransformerDecoder(twinoar.nn.Layer):
    """`num_layers` layers made like `decoder_layer`, which is the first, and at last `norm`."""
    def __init__(self, decoder_layer: twinoar.nn.Layer, num_layers: Any, norm: twinoar.nn.Layer | None = None) -> None: ...
    def forward(self, tgt: Any, memory: Any, tgt_mask: Any = None, memory_mask: Any = None, cache: collections.abc.Sequence[builtins.tuple[Any, Any]] | None = None) -> Any:
        """The decoded tgt, [N,T,d_model]; with caches a tuple of that and the new ones."""
    def gen_cache(self, memory: Any, do_zip: builtins.bool = False) -> builtins.list:
        """The two caches of each layer; with do_zip the first of all layers, then the second."""
    layers: Any
    num_layers: builtins.int
    norm: twinoar.nn.Layer | None
class TransformerDecoderLayer(twinoar.nn.Layer):
    """Attention of a sequence to itself, to what an encoder gave, and a network."""
    def __init__(self, d_model: Any, nhead: Any, dim_feedforward: Any, dropout: Any = ..., activation: builtins.str = 'relu', attn_dropout: Any = None, act_dropout: Any = None, normalize_before: builtins.bool = False, weight_attr: Any = None, bias_attr: Any = None, layer_norm_eps: Any = ...) -> None: ...
    def forward(self, tgt: Any, memory: Any, tgt_mask: Any = None, memory_mask: Any = None, cache: builtins.tuple[Any, Any] | None = None) -> Any:
        """The decoded tgt, [N,T,d_model]; with a cache a tuple of that and the new cache."""
    def gen_cache(self, memory: Any) -> builtins.tuple[twinoar.nn._Cache, twinoar.nn._StaticCache]:
        """An empty cache for the attention to itself, and that of `memory`."""
    self_attn: Any
    cross_attn: Any
    norm1: Any
    norm2: Any
    norm3: Any
    dropout1: Any
    dropout2: Any
    dropout3: Any
    normalize_before: builtins.bool
    activation: Any
    linear1: Any
    dropout: Any
    linear2: Any
class TransformerEncoder(twinoar.nn.Layer):
    """`num_layers` layers made like `encoder_layer`, which is the first, and at last `norm`."""
    def __init__(self, encoder_layer: twinoar.nn.Layer, num_layers: Any, norm: twinoar.nn.Layer | None = None) -> None: ...
    def forward(self, src: Any, src_mask: Any = None, cache: collections.abc.Sequence[twinoar.nn._Cache] | None = None) -> Any:
        """The encoded src, [N,T,d_model]; with caches a tuple of that and the new ones."""
    def gen_cache(self, src: Any) -> builtins.list[twinoar.nn._Cache]:
        """An empty cache for each layer."""
    layers: Any
    num_layers: builtins.int
    norm: twinoar.nn.Layer | None
class TransformerEncoderLayer(twinoar.nn.Layer):
    """Attention of a sequence to itself, and a network of two linear layers."""
    def __init__(self, d_model: Any, nhead: Any, dim_feedforward: Any, dropout: Any = ..., activation: builtins.str = 'relu', attn_dropout: Any = None, act_dropout: Any = None, normalize_before: builtins.bool = False, weight_attr: Any = None, bias_attr: Any = None, layer_norm_eps: Any = ...) -> None: ...
    def forward(self, src: Any, src_mask: Any = None, cache: twinoar.nn._Cache | None = None) -> Any:
        """The encoded src, [N,T,d_model]; with a cache a tuple of that and the new cache."""
    def gen_cache(self, src: Any) -> twinoar.nn._Cache:
        """An empty cache for as many samples as `src` has."""
    self_attn: Any
    norm1: Any
    norm2: Any
    dropout1: Any
    dropout2: Any
    normalize_before: builtins.bool
    activation: Any
    linear1: Any
    dropout: Any
    linear2: Any
class TripletMarginLoss(twinoar.nn.Layer):
    """How far, up to a margin, each input is from being nearer to its positive than its negative."""
    def __init__(self, margin: Any = ..., p: Any = 2, epsilon: Any = ..., swap: builtins.bool = False, reduction: Literal['mean', 'sum', 'none'] = 'mean', name: builtins.str | None = None) -> None: ...
    def forward(self, *inputs: Any, **named: Any) -> Any:
        """The result of the function."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    margin: builtins.float
    p: builtins.float
    epsilon: builtins.float
    swap: builtins.bool
    reduction: Literal['mean', 'sum', 'none']
    name: builtins.str | None
class TripletMarginWithDistanceLoss(twinoar.nn.Layer):
    """`TripletMarginLoss` by a distance of the user's."""
    def __init__(self, distance_function: collections.abc.Callable[[twinoar.Tensor, twinoar.Tensor], twinoar.Tensor] | None = None, margin: Any = ..., swap: builtins.bool = False, reduction: Literal['mean', 'sum', 'none'] = 'mean', name: builtins.str | None = None) -> None: ...
    def forward(self, *inputs: Any, **named: Any) -> Any:
        """The result of the function."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    distance_function: collections.abc.Callable[[twinoar.Tensor, twinoar.Tensor], twinoar.Tensor] | None
    margin: builtins.float
    swap: builtins.bool
    reduction: Literal['mean', 'sum', 'none']
    name: builtins.str | None
class Unflatten(twinoar.nn.Layer):
    """One axis becomes several, of the sizes in `shape`; a -1 among them is what is left."""
    def __init__(self, axis: Any, shape: collections.abc.Sequence[Any], name: builtins.str | None = None) -> None: ...
    def forward(self, input: Any) -> twinoar.Tensor:
        """The input in its new shape."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    axis: builtins.int
    shape: collections.abc.Sequence[builtins.int]
    name: builtins.str | None
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class Unfold(twinoar.nn.Layer):
    """The windows of images as columns: `functional.unfold` with its arguments kept."""
    def __init__(self, kernel_sizes: Any, dilations: Any = 1, paddings: Any = 0, strides: Any = 1, name: builtins.str | None = None) -> None: ...
    def forward(self, *inputs: Any, **named: Any) -> Any:
        """The result of the function."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
class Upsample(twinoar.nn.Layer):
    """Images of another size: `functional.interpolate` with its arguments kept."""
    def __init__(self, size: Any = None, scale_factor: Any = None, mode: builtins.str = 'nearest', align_corners: builtins.bool = False, align_mode: Any = 0, data_format: builtins.str = 'NCHW', name: builtins.str | None = None) -> None: ...
    def forward(self, *inputs: Any, **named: Any) -> Any:
        """The result of the function."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    size: Any
    scale_factor: Any
    mode: builtins.str
    align_corners: builtins.bool
    align_mode: builtins.int
    data_format: builtins.str
    name: builtins.str | None
class UpsamplingBilinear2D(twinoar.nn.Layer):
    """Images of another size, each pixel a mean of the four around it; corners stay."""
    mode: builtins.str
    align_corners: builtins.bool
    def __init__(self, size: Any = None, scale_factor: Any = None, data_format: builtins.str = 'NCHW', name: builtins.str | None = None) -> None: ...
    def forward(self, *inputs: Any, **named: Any) -> Any:
        """The result of the function."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    size: Any
    scale_factor: Any
    data_format: builtins.str
    name: builtins.str | None
UpsamplingBilinear2d = UpsamplingBilinear2D
class UpsamplingNearest2D(twinoar.nn.Layer):
    """Images of another size, each pixel the nearest one."""
    mode: builtins.str
    def __init__(self, size: Any = None, scale_factor: Any = None, data_format: builtins.str = 'NCHW', name: builtins.str | None = None) -> None: ...
    def forward(self, *inputs: Any, **named: Any) -> Any:
        """The result of the function."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    size: Any
    scale_factor: Any
    data_format: builtins.str
    name: builtins.str | None
UpsamplingNearest2d = UpsamplingNearest2D
class ZeroPad1D(twinoar.nn.Pad1D):
    """Pads a sequence with zeros"""
    mode: builtins.str
    def __init__(self, padding: Any, data_format: builtins.str | None = None, name: builtins.str | None = None) -> None: ...
ZeroPad1d = ZeroPad1D
class ZeroPad2D(twinoar.nn.Pad2D):
    """Pads an image with zeros"""
    mode: builtins.str
    def __init__(self, padding: Any, data_format: builtins.str | None = None, name: builtins.str | None = None) -> None: ...
ZeroPad2d = ZeroPad2D
class ZeroPad3D(twinoar.nn.Pad3D):
    """Pads a volume with zeros"""
    mode: builtins.str
    def __init__(self, padding: Any, data_format: builtins.str | None = None, name: builtins.str | None = None) -> None: ...
ZeroPad3d = ZeroPad3D
def dynamic_decode(decoder: Any, inits: Any = None, max_step_num: Any = None, output_time_major: builtins.bool = False, impute_finished: builtins.bool = False, is_test: builtins.bool = False, return_length: builtins.bool = False, **kwargs: Any) -> builtins.tuple[Any, ...]:
    """Steps of a decoder until all sequences are finished, or `max_step_num` + 1 were made."""
from . import functional as functional
from . import initializer as initializer
from . import quant as quant
from . import utils as utils
class _StateWrapper(typing.NamedTuple):
    """Where a beam search is: states of the cell, [N,K,...], and the rest, [N,K]."""
    cell_states: Any
    log_probs: Any
    finished: Any
    lengths: Any
class _OutputWrapper(typing.NamedTuple):
    """What a step of a beam search gives, [N,K] each."""
    scores: Any
    predicted_ids: Any
    parent_ids: Any
class _HookHandle:
    """What registering a hook returns; `remove()` takes the hook away."""
    def __init__(self, layer: Any, hooks: builtins.dict[Any, collections.abc.Callable], hook: collections.abc.Callable, prepend: builtins.bool = False) -> None: ...
    def remove(self) -> None:
        """Forget the hook; nothing happens if it is gone already."""
class _Cache(typing.NamedTuple):
    """Keys and values of the positions so far, [N,heads,T,D]; each call adds its own."""
    k: Any
    v: Any
class _StaticCache(typing.NamedTuple):
    """Keys and values to use as they are, [N,heads,T,D], in place of those a call is given."""
    k: Any
    v: Any
