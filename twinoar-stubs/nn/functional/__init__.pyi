"""Networks from functions: the operators that layers are made of, by Paddle's names."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar import adaptive_avg_pool1d as adaptive_avg_pool1d
@overload
def adaptive_avg_pool2d(x: twinoar._TensorLike, output_size: Any, data_format: builtins.str = 'NCHW', name: builtins.str | None = None) -> twinoar.Tensor:
    """The averages of an image cut into output_size bins."""
@overload
def adaptive_avg_pool2d(*args: Any, x: Any = ..., output_size: Any = ..., data_format: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def adaptive_avg_pool3d(x: twinoar._TensorLike, output_size: Any, data_format: builtins.str = 'NCDHW', name: builtins.str | None = None) -> twinoar.Tensor:
    """The averages of a volume cut into output_size bins."""
@overload
def adaptive_avg_pool3d(*args: Any, x: Any = ..., output_size: Any = ..., data_format: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def adaptive_log_softmax_with_loss(input: twinoar._TensorLike, label: twinoar._TensorLike, head_weight: twinoar._TensorLike, tail_weights: collections.abc.Sequence[collections.abc.Sequence[twinoar._TensorLike]], cutoffs: collections.abc.Sequence[Any], head_bias: twinoar._TensorLike | None = None, name: builtins.str | None = None) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]:
    """The logarithm of the likelihood of each label by an adaptive softmax, and its mean, negated."""
@overload
def adaptive_log_softmax_with_loss(*args: Any, input: Any = ..., label: Any = ..., head_weight: Any = ..., tail_weights: Any = ..., cutoffs: Any = ..., head_bias: Any = ..., name: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]: ...
@overload
def adaptive_max_pool1d(x: twinoar._TensorLike, output_size: Any, return_mask: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
    """The maxima of a sequence cut into output_size bins."""
@overload
def adaptive_max_pool1d(*args: Any, x: Any = ..., output_size: Any = ..., return_mask: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., return_indices: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def adaptive_max_pool2d(x: twinoar._TensorLike, output_size: Any, return_mask: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
    """The maxima of an image cut into output_size bins."""
@overload
def adaptive_max_pool2d(*args: Any, x: Any = ..., output_size: Any = ..., return_mask: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., return_indices: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def adaptive_max_pool3d(x: twinoar._TensorLike, output_size: Any, return_mask: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
    """The maxima of a volume cut into output_size bins."""
@overload
def adaptive_max_pool3d(*args: Any, x: Any = ..., output_size: Any = ..., return_mask: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., return_indices: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def affine_grid(theta: twinoar._TensorLike, out_shape: Any, align_corners: builtins.bool = True, name: builtins.str | None = None) -> twinoar.Tensor:
    """The points that an affine map makes of the pixels of images, for `grid_sample`."""
@overload
def affine_grid(*args: Any, theta: Any = ..., out_shape: Any = ..., align_corners: Any = ..., name: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def alpha_dropout(x: twinoar._TensorLike, p: Any = ..., training: builtins.bool = True, name: builtins.str | None = None) -> twinoar.Tensor:
    """x with elements replaced by selu's lower bound, and scaled so that mean 0 and variance 1 stay, in training."""
@overload
def alpha_dropout(*args: Any, x: Any = ..., p: Any = ..., training: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def avg_pool1d(x: twinoar._TensorLike, kernel_size: Any, stride: Any = None, padding: Any = 0, exclusive: builtins.bool = True, ceil_mode: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
    """The average over windows of a sequence: `avg_pool2d` with one row."""
@overload
def avg_pool1d(*args: Any, x: Any = ..., kernel_size: Any = ..., stride: Any = ..., padding: Any = ..., exclusive: Any = ..., ceil_mode: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def avg_pool2d(x: twinoar._TensorLike, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: builtins.bool = False, exclusive: builtins.bool = True, divisor_override: Any = None, data_format: builtins.str = 'NCHW', name: builtins.str | None = None) -> twinoar.Tensor:
    """The average over windows of an image."""
@overload
def avg_pool2d(*args: Any, x: Any = ..., kernel_size: Any = ..., stride: Any = ..., padding: Any = ..., ceil_mode: Any = ..., exclusive: Any = ..., divisor_override: Any = ..., data_format: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def avg_pool3d(x: twinoar._TensorLike, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: builtins.bool = False, exclusive: builtins.bool = True, divisor_override: Any = None, data_format: builtins.str = 'NCDHW', name: builtins.str | None = None) -> twinoar.Tensor:
    """The average over windows of a volume: `avg_pool2d` with one axis more."""
@overload
def avg_pool3d(*args: Any, x: Any = ..., kernel_size: Any = ..., stride: Any = ..., padding: Any = ..., ceil_mode: Any = ..., exclusive: Any = ..., divisor_override: Any = ..., data_format: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def batch_norm(x: twinoar._TensorLike, running_mean: twinoar._TensorLike, running_var: twinoar._TensorLike, weight: twinoar._TensorLike | None = None, bias: twinoar._TensorLike | None = None, training: builtins.bool = False, momentum: Any = ..., epsilon: Any = ..., data_format: builtins.str = 'NCHW', use_global_stats: builtins.bool | None = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """x with mean 0 and variance 1 in each channel, then scaled and shifted."""
@overload
def batch_norm(*args: Any, x: Any = ..., running_mean: Any = ..., running_var: Any = ..., weight: Any = ..., bias: Any = ..., training: Any = ..., momentum: Any = ..., epsilon: Any = ..., data_format: Any = ..., use_global_stats: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., eps: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def bilinear(x1: twinoar._TensorLike, x2: twinoar._TensorLike, weight: twinoar._TensorLike, bias: twinoar._TensorLike | None = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """x1 W_i x2 + b_i for each of O matrices W_i."""
@overload
def bilinear(*args: Any, x1: Any = ..., x2: Any = ..., weight: Any = ..., bias: Any = ..., name: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def binary_cross_entropy(input: twinoar._TensorLike, label: twinoar._TensorLike, weight: twinoar._TensorLike | None = None, reduction: builtins.str = 'mean', name: builtins.str | None = None) -> twinoar.Tensor:
    """The cross entropy of probabilities and labels of yes or no."""
@overload
def binary_cross_entropy(*args: Any, input: Any = ..., label: Any = ..., weight: Any = ..., reduction: Any = ..., name: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def binary_cross_entropy_with_logits(logit: twinoar._TensorLike, label: twinoar._TensorLike, weight: twinoar._TensorLike | None = None, reduction: builtins.str = 'mean', pos_weight: twinoar._TensorLike | None = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """The cross entropy of sigmoid(logit) and labels of yes or no."""
@overload
def binary_cross_entropy_with_logits(*args: Any, logit: Any = ..., label: Any = ..., weight: Any = ..., reduction: Any = ..., pos_weight: Any = ..., name: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def celu(x: twinoar._TensorLike, alpha: Any = ..., name: builtins.str | None = None) -> twinoar.Tensor:
    """x where x > 0, alpha * (exp(x / alpha) - 1) elsewhere: its slope has no step."""
@overload
def celu(*args: Any, x: Any = ..., alpha: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def channel_shuffle(x: twinoar._TensorLike, groups: Any, data_format: builtins.str = 'NCHW', name: builtins.str | None = None) -> twinoar.Tensor:
    """The first channel of each group, then the second of each, and so on."""
@overload
def channel_shuffle(*args: Any, x: Any = ..., groups: Any = ..., data_format: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def class_center_sample(label: twinoar._TensorLike, num_classes: Any, num_samples: Any, group: Any = None) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]:
    """The classes that occur in `label`, filled up at random to `num_samples` of `num_classes`."""
@overload
def class_center_sample(*args: Any, label: Any = ..., num_classes: Any = ..., num_samples: Any = ..., group: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]: ...
from twinoar import conv1d as conv1d
@overload
def conv1d_transpose(x: twinoar._TensorLike, weight: twinoar._TensorLike, bias: twinoar._TensorLike | None = None, stride: Any = 1, padding: Any = 0, output_padding: Any = 0, groups: Any = 1, dilation: Any = 1, output_size: Any = None, data_format: builtins.str = 'NCL', name: builtins.str | None = None) -> twinoar.Tensor:
    """Transposed convolution of sequences: `conv2d_transpose` with one row."""
@overload
def conv1d_transpose(*args: Any, x: Any = ..., weight: Any = ..., bias: Any = ..., stride: Any = ..., padding: Any = ..., output_padding: Any = ..., groups: Any = ..., dilation: Any = ..., output_size: Any = ..., data_format: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
from twinoar import conv2d as conv2d
@overload
def conv2d_transpose(x: twinoar._TensorLike, weight: twinoar._TensorLike, bias: twinoar._TensorLike | None = None, stride: Any = 1, padding: Any = 0, output_padding: Any = 0, dilation: Any = 1, groups: Any = 1, output_size: Any = None, data_format: builtins.str = 'NCHW', name: builtins.str | None = None) -> twinoar.Tensor:
    """Transposed convolution: every pixel of x puts a weighted filter into the output."""
@overload
def conv2d_transpose(*args: Any, x: Any = ..., weight: Any = ..., bias: Any = ..., stride: Any = ..., padding: Any = ..., output_padding: Any = ..., dilation: Any = ..., groups: Any = ..., output_size: Any = ..., data_format: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
from twinoar import conv3d as conv3d
@overload
def conv3d_transpose(x: twinoar._TensorLike, weight: twinoar._TensorLike, bias: twinoar._TensorLike | None = None, stride: Any = 1, padding: Any = 0, output_padding: Any = 0, groups: Any = 1, dilation: Any = 1, output_size: Any = None, data_format: builtins.str = 'NCDHW', name: builtins.str | None = None) -> twinoar.Tensor:
    """Transposed convolution of volumes: `conv2d_transpose` with one axis more."""
@overload
def conv3d_transpose(*args: Any, x: Any = ..., weight: Any = ..., bias: Any = ..., stride: Any = ..., padding: Any = ..., output_padding: Any = ..., groups: Any = ..., dilation: Any = ..., output_size: Any = ..., data_format: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def cosine_embedding_loss(input1: twinoar._TensorLike, input2: twinoar._TensorLike, label: twinoar._TensorLike, margin: Any = 0, reduction: builtins.str = 'mean', name: builtins.str | None = None) -> twinoar.Tensor:
    """1 - cos for vectors that belong together, max(0, cos - margin) for others."""
@overload
def cosine_embedding_loss(*args: Any, input1: Any = ..., input2: Any = ..., label: Any = ..., margin: Any = ..., reduction: Any = ..., name: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def cosine_similarity(x1: twinoar._TensorLike, x2: twinoar._TensorLike, axis: Any = 1, eps: Any = ...) -> twinoar.Tensor:
    """The cosine of the angle between vectors."""
@overload
def cosine_similarity(*args: Any, x1: Any = ..., x2: Any = ..., axis: Any = ..., eps: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def cross_entropy(input: twinoar._TensorLike, label: twinoar._TensorLike, weight: twinoar._TensorLike | None = None, ignore_index: Any = -100, reduction: builtins.str = 'mean', soft_label: builtins.bool = False, axis: Any = -1, use_softmax: builtins.bool = True, label_smoothing: Any = ..., name: builtins.str | None = None) -> twinoar.Tensor:
    """The cross entropy of softmax(input) and labels."""
@overload
def cross_entropy(*args: Any, input: Any = ..., label: Any = ..., weight: Any = ..., ignore_index: Any = ..., reduction: Any = ..., soft_label: Any = ..., axis: Any = ..., use_softmax: Any = ..., label_smoothing: Any = ..., name: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def ctc_loss(log_probs: twinoar._TensorLike, labels: twinoar._TensorLike, input_lengths: twinoar._TensorLike, label_lengths: twinoar._TensorLike, blank: Any = 0, reduction: builtins.str = 'mean', norm_by_times: builtins.bool = False, zero_infinity: builtins.bool = False) -> twinoar.Tensor:
    """-log of the likelihood of labels whose places in a sequence of frames are not known."""
@overload
def ctc_loss(*args: Any, log_probs: Any = ..., labels: Any = ..., input_lengths: Any = ..., label_lengths: Any = ..., blank: Any = ..., reduction: Any = ..., norm_by_times: Any = ..., zero_infinity: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
from twinoar import diag_embed as diag_embed
@overload
def dice_loss(input: twinoar._TensorLike, label: twinoar._TensorLike, epsilon: Any = ..., name: builtins.str | None = None) -> twinoar.Tensor:
    """1 - 2 |A and B| / (|A| + |B|), averaged over images."""
@overload
def dice_loss(*args: Any, input: Any = ..., label: Any = ..., epsilon: Any = ..., name: Any = ..., eps: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def dropout(x: twinoar._TensorLike, p: Any = ..., axis: Any = None, training: builtins.bool = True, mode: builtins.str = 'upscale_in_train', name: builtins.str | None = None) -> twinoar.Tensor:
    """x with elements left out, each with probability p, in training."""
@overload
def dropout(*args: Any, x: Any = ..., p: Any = ..., axis: Any = ..., training: Any = ..., mode: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def dropout1d(input: twinoar._TensorLike, p: Any = ..., training: builtins.bool = True, inplace: builtins.bool = False) -> twinoar.Tensor:
    """input, [N,C,L] or [C,L], with whole channels left out, each with probability p, in training."""
@overload
def dropout1d(*args: Any, input: Any = ..., p: Any = ..., training: Any = ..., inplace: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def dropout2d(x: twinoar._TensorLike, p: Any = ..., training: builtins.bool = True, data_format: builtins.str = 'NCHW', name: builtins.str | None = None) -> twinoar.Tensor:
    """x, [N,C,H,W] or [N,H,W,C], with whole channels left out, each with probability p, in training."""
@overload
def dropout2d(*args: Any, x: Any = ..., p: Any = ..., training: Any = ..., data_format: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def dropout3d(x: twinoar._TensorLike, p: Any = ..., training: builtins.bool = True, data_format: builtins.str = 'NCDHW', name: builtins.str | None = None) -> twinoar.Tensor:
    """x, [N,C,D,H,W] or [N,D,H,W,C], with whole channels left out, each with probability p, in training."""
@overload
def dropout3d(*args: Any, x: Any = ..., p: Any = ..., training: Any = ..., data_format: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def elu(x: twinoar._TensorLike, alpha: Any = ..., name: builtins.str | None = None) -> twinoar.Tensor:
    """x where x > 0, alpha * (exp(x) - 1) elsewhere"""
@overload
def elu(*args: Any, x: Any = ..., alpha: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
from twinoar.tensor import elu_ as elu_
@overload
def embedding(x: twinoar._TensorLike, weight: twinoar._TensorLike, padding_idx: Any = None, max_norm: Any = None, norm_type: Any = ..., sparse: builtins.bool = False, scale_grad_by_freq: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
    """The rows of `weight` that the elements of x name."""
@overload
def embedding(*args: Any, x: Any = ..., weight: Any = ..., padding_idx: Any = ..., max_norm: Any = ..., norm_type: Any = ..., sparse: Any = ..., scale_grad_by_freq: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def feature_alpha_dropout(x: twinoar._TensorLike, p: Any = ..., training: builtins.bool = True, name: builtins.str | None = None) -> twinoar.Tensor:
    """`alpha_dropout` of whole channels."""
@overload
def feature_alpha_dropout(*args: Any, x: Any = ..., p: Any = ..., training: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def flash_attention_v3_varlen(query: twinoar._TensorLike, key: twinoar._TensorLike, value: twinoar._TensorLike, cu_seqlens_q: twinoar._TensorLike, cu_seqlens_k: twinoar._TensorLike, max_seqlen_q: Any, max_seqlen_k: Any, seqused_q: Any = None, seqused_k: Any = None, softmax_scale: Any = None, causal: builtins.bool = False, qv: Any = None, q_descale: Any = None, k_descale: Any = None, v_descale: Any = None, window_size: builtins.tuple[Any, Any] = ..., softcap: Any = ..., num_splits: Any = 1, pack_gqa: Any = None, sm_margin: Any = 0) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]:
    """`flash_attn_unpadded` without dropout, with the logarithms of what shares are divided by."""
@overload
def flash_attention_v3_varlen(*args: Any, query: Any = ..., key: Any = ..., value: Any = ..., cu_seqlens_q: Any = ..., cu_seqlens_k: Any = ..., max_seqlen_q: Any = ..., max_seqlen_k: Any = ..., seqused_q: Any = ..., seqused_k: Any = ..., softmax_scale: Any = ..., causal: Any = ..., qv: Any = ..., q_descale: Any = ..., k_descale: Any = ..., v_descale: Any = ..., window_size: Any = ..., softcap: Any = ..., num_splits: Any = ..., pack_gqa: Any = ..., sm_margin: Any = ..., source: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]: ...
@overload
def flash_attn_qkvpacked(qkv: twinoar._TensorLike, dropout: Any = ..., causal: builtins.bool = False, return_softmax: builtins.bool = False, *, fixed_seed_offset: twinoar._TensorLike | None = None, rng_name: builtins.str = '', training: builtins.bool = True, name: builtins.str | None = None) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor | None]:
    """`flash_attention` of queries, keys and values in one tensor."""
@overload
def flash_attn_qkvpacked(*args: Any, qkv: Any = ..., dropout: Any = ..., causal: Any = ..., return_softmax: Any = ..., fixed_seed_offset: Any = ..., rng_name: Any = ..., training: Any = ..., name: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor | None]: ...
@overload
def flash_attn_varlen_qkvpacked(qkv: twinoar._TensorLike, cu_seqlens_q: twinoar._TensorLike, cu_seqlens_k: twinoar._TensorLike, max_seqlen_q: Any, max_seqlen_k: Any, scale: Any, dropout: Any = ..., causal: builtins.bool = False, return_softmax: builtins.bool = False, fixed_seed_offset: twinoar._TensorLike | None = None, rng_name: builtins.str = '', varlen_padded: builtins.bool = True, training: builtins.bool = True, name: builtins.str | None = None) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor | None]:
    """`flash_attn_unpadded` of queries, keys and values in one tensor."""
@overload
def flash_attn_varlen_qkvpacked(*args: Any, qkv: Any = ..., cu_seqlens_q: Any = ..., cu_seqlens_k: Any = ..., max_seqlen_q: Any = ..., max_seqlen_k: Any = ..., scale: Any = ..., dropout: Any = ..., causal: Any = ..., return_softmax: Any = ..., fixed_seed_offset: Any = ..., rng_name: Any = ..., varlen_padded: Any = ..., training: Any = ..., name: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor | None]: ...
@overload
def flashmask_attention(query: twinoar._TensorLike, key: twinoar._TensorLike, value: twinoar._TensorLike, startend_row_indices: twinoar._TensorLike | None = None, *, dropout: Any = ..., causal: builtins.bool = False, window_size: Any = None, return_softmax_lse: builtins.bool = False, return_seed_offset: builtins.bool = False, fixed_seed_offset: twinoar._TensorLike | None = None, rng_name: builtins.str = '', training: builtins.bool = True, name: builtins.str | None = None, softmax_scale: Any = None, block_mask: twinoar._TensorLike | None = None) -> Any:
    """`flash_attention` with a mask that says of each key which queries do not see it."""
@overload
def flashmask_attention(*args: Any, query: Any = ..., key: Any = ..., value: Any = ..., startend_row_indices: Any = ..., dropout: Any = ..., causal: Any = ..., window_size: Any = ..., return_softmax_lse: Any = ..., return_seed_offset: Any = ..., fixed_seed_offset: Any = ..., rng_name: Any = ..., training: Any = ..., name: Any = ..., softmax_scale: Any = ..., block_mask: Any = ..., source: Any = ..., out: Any = ...) -> Any: ...
@overload
def fold(x: twinoar._TensorLike, output_sizes: Any, kernel_sizes: Any, strides: Any = 1, paddings: Any = 0, dilations: Any = 1, name: builtins.str | None = None) -> twinoar.Tensor:
    """Images whose pixels are sums of the columns of windows that cover them."""
@overload
def fold(*args: Any, x: Any = ..., output_sizes: Any = ..., kernel_sizes: Any = ..., strides: Any = ..., paddings: Any = ..., dilations: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def fractional_max_pool2d(x: twinoar._TensorLike, output_size: Any, kernel_size: Any = None, random_u: Any = None, return_mask: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
    """The maxima of an image cut into output_size windows, whose sizes differ by one at random."""
@overload
def fractional_max_pool2d(*args: Any, x: Any = ..., output_size: Any = ..., kernel_size: Any = ..., random_u: Any = ..., return_mask: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., return_indices: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def fractional_max_pool3d(x: twinoar._TensorLike, output_size: Any, kernel_size: Any = None, random_u: Any = None, return_mask: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
    """`fractional_max_pool2d` of volumes, [N,C,D,H,W]; positions are in D*H*W."""
@overload
def fractional_max_pool3d(*args: Any, x: Any = ..., output_size: Any = ..., kernel_size: Any = ..., random_u: Any = ..., return_mask: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., return_indices: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def gather_tree(ids: twinoar._TensorLike, parents: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """Whole sequences, from the ids of each step and the beams that they came from."""
@overload
def gather_tree(*args: Any, ids: Any = ..., parents: Any = ..., name: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def gaussian_nll_loss(input: twinoar._TensorLike, label: twinoar._TensorLike, variance: twinoar._TensorLike, full: builtins.bool = False, epsilon: Any = ..., reduction: builtins.str = 'mean', name: builtins.str | None = None) -> twinoar.Tensor:
    """The negative logarithm of the likelihood of numbers with a mean and a variance."""
@overload
def gaussian_nll_loss(*args: Any, input: Any = ..., label: Any = ..., variance: Any = ..., full: Any = ..., epsilon: Any = ..., reduction: Any = ..., name: Any = ..., eps: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def gelu(x: twinoar._TensorLike, approximate: builtins.bool | Literal['none', 'tanh'] = False, name: builtins.str | None = None) -> twinoar.Tensor:
    """x times the share of a normal distribution that lies below x."""
@overload
def gelu(*args: Any, x: Any = ..., approximate: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def glu(x: twinoar._TensorLike, axis: Any = -1, name: builtins.str | None = None) -> twinoar.Tensor:
    """a * sigmoid(b), where a and b are the halves of x along `axis`: a gated linear unit."""
@overload
def glu(*args: Any, x: Any = ..., axis: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def grid_sample(x: twinoar._TensorLike, grid: twinoar._TensorLike, mode: builtins.str = 'bilinear', padding_mode: builtins.str = 'zeros', align_corners: builtins.bool = True, name: builtins.str | None = None) -> twinoar.Tensor:
    """Images read at the points of a grid."""
@overload
def grid_sample(*args: Any, x: Any = ..., grid: Any = ..., mode: Any = ..., padding_mode: Any = ..., align_corners: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
from twinoar import group_norm as group_norm
@overload
def gumbel_softmax(x: twinoar._TensorLike, temperature: Any = ..., hard: builtins.bool = False, axis: Any = -1, name: builtins.str | None = None) -> twinoar.Tensor:
    """softmax((x + noise) / temperature): a choice by the odds x that has a gradient."""
@overload
def gumbel_softmax(*args: Any, x: Any = ..., temperature: Any = ..., hard: Any = ..., axis: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def hardshrink(x: twinoar._TensorLike, threshold: Any = ..., name: builtins.str | None = None) -> twinoar.Tensor:
    """x where |x| >= threshold, 0 elsewhere."""
@overload
def hardshrink(*args: Any, x: Any = ..., threshold: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., lambd: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def hardsigmoid(x: twinoar._TensorLike, slope: Any = ..., offset: Any = ..., name: builtins.str | None = None) -> twinoar.Tensor:
    """slope * x + offset brought into [0, 1]: a sigmoid of straight lines."""
@overload
def hardsigmoid(*args: Any, x: Any = ..., slope: Any = ..., offset: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def hardswish(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """x * relu6(x + 3) / 6"""
@overload
def hardswish(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def hardtanh(x: twinoar._TensorLike, min: Any = ..., max: Any = ..., name: builtins.str | None = None) -> twinoar.Tensor:
    """x brought into [min, max], with slope 0 at both."""
@overload
def hardtanh(*args: Any, x: Any = ..., min: Any = ..., max: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., to: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
from twinoar.tensor import hardtanh_ as hardtanh_
@overload
def hinge_embedding_loss(input: twinoar._TensorLike, label: twinoar._TensorLike, margin: Any = ..., reduction: builtins.str = 'mean', name: builtins.str | None = None) -> twinoar.Tensor:
    """input where label is 1, max(0, margin - input) where it is -1."""
@overload
def hinge_embedding_loss(*args: Any, input: Any = ..., label: Any = ..., margin: Any = ..., reduction: Any = ..., name: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def hsigmoid_loss(input: twinoar._TensorLike, label: twinoar._TensorLike, num_classes: Any, weight: twinoar._TensorLike, bias: twinoar._TensorLike | None = None, path_table: twinoar._TensorLike | None = None, path_code: twinoar._TensorLike | None = None, is_sparse: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
    """-log of the likelihood of the turns from a class to the root of a binary tree."""
@overload
def hsigmoid_loss(*args: Any, input: Any = ..., label: Any = ..., num_classes: Any = ..., weight: Any = ..., bias: Any = ..., path_table: Any = ..., path_code: Any = ..., is_sparse: Any = ..., name: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def instance_norm(x: twinoar._TensorLike, running_mean: twinoar._TensorLike | None = None, running_var: twinoar._TensorLike | None = None, weight: twinoar._TensorLike | None = None, bias: twinoar._TensorLike | None = None, use_input_stats: builtins.bool = True, momentum: Any = ..., eps: Any = ..., data_format: builtins.str = 'NCHW', name: builtins.str | None = None) -> twinoar.Tensor:
    """x with mean 0 and variance 1 over each channel of each example."""
@overload
def instance_norm(*args: Any, x: Any = ..., running_mean: Any = ..., running_var: Any = ..., weight: Any = ..., bias: Any = ..., use_input_stats: Any = ..., momentum: Any = ..., eps: Any = ..., data_format: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def interpolate(x: twinoar._TensorLike, size: Any = None, scale_factor: Any = None, mode: builtins.str = 'nearest', align_corners: builtins.bool = False, align_mode: Any = 0, data_format: builtins.str = 'NCHW', name: builtins.str | None = None, *, recompute_scale_factor: builtins.bool | None = None, antialias: builtins.bool = False) -> twinoar.Tensor:
    """Images of another size."""
@overload
def interpolate(*args: Any, x: Any = ..., size: Any = ..., scale_factor: Any = ..., mode: Any = ..., align_corners: Any = ..., align_mode: Any = ..., data_format: Any = ..., name: Any = ..., recompute_scale_factor: Any = ..., antialias: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def kl_div(input: twinoar._TensorLike, label: twinoar._TensorLike, reduction: builtins.str = 'mean', log_target: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
    """The Kullback-Leibler divergence of two distributions: label (log(label) - input)."""
@overload
def kl_div(*args: Any, input: Any = ..., label: Any = ..., reduction: Any = ..., log_target: Any = ..., name: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def l1_loss(input: twinoar._TensorLike, label: twinoar._TensorLike, reduction: builtins.str = 'mean', name: builtins.str | None = None) -> twinoar.Tensor:
    """The absolute difference of input and label."""
@overload
def l1_loss(*args: Any, input: Any = ..., label: Any = ..., reduction: Any = ..., name: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def label_smooth(label: twinoar._TensorLike, prior_dist: twinoar._TensorLike | None = None, epsilon: Any = ..., name: builtins.str | None = None) -> twinoar.Tensor:
    """(1 - epsilon) label + epsilon prior, where the prior is 1/C unless it is given."""
@overload
def label_smooth(*args: Any, label: Any = ..., prior_dist: Any = ..., epsilon: Any = ..., name: Any = ..., eps: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
from twinoar import layer_norm as layer_norm
@overload
def leaky_relu(x: twinoar._TensorLike, negative_slope: Any = ..., name: builtins.str | None = None) -> twinoar.Tensor:
    """x where x >= 0, negative_slope * x elsewhere; with slope 1 at 0."""
@overload
def leaky_relu(*args: Any, x: Any = ..., negative_slope: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
from twinoar.tensor import leaky_relu_ as leaky_relu_
@overload
def linear(x: twinoar._TensorLike, weight: twinoar._TensorLike, bias: twinoar._TensorLike | None = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """x times weight, plus bias."""
@overload
def linear(*args: Any, x: Any = ..., weight: Any = ..., bias: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def local_response_norm(x: twinoar._TensorLike, size: Any, alpha: Any = ..., beta: Any = ..., k: Any = ..., data_format: builtins.str = 'NCHW', name: builtins.str | None = None) -> twinoar.Tensor:
    """x / (k + alpha m)^beta, where m is the mean square of `size` channels around each."""
@overload
def local_response_norm(*args: Any, x: Any = ..., size: Any = ..., alpha: Any = ..., beta: Any = ..., k: Any = ..., data_format: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def log_loss(input: twinoar._TensorLike, label: twinoar._TensorLike, epsilon: Any = ..., name: builtins.str | None = None) -> twinoar.Tensor:
    """-label log(input + epsilon) - (1 - label) log(1 - input + epsilon), element by element."""
@overload
def log_loss(*args: Any, input: Any = ..., label: Any = ..., epsilon: Any = ..., name: Any = ..., eps: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def log_sigmoid(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """log(sigmoid(x)), accurate where the sigmoid is tiny."""
@overload
def log_sigmoid(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def log_softmax(x: twinoar._TensorLike, axis: Any = -1, dtype: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """log(softmax(x)) along `axis`, accurate where the share is tiny."""
@overload
def log_softmax(*args: Any, x: Any = ..., axis: Any = ..., dtype: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
logsigmoid = log_sigmoid
@overload
def lp_pool1d(x: twinoar._TensorLike, norm_type: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: builtins.bool = False, data_format: builtins.str = 'NCL', name: builtins.str | None = None) -> twinoar.Tensor:
    """(sum of x^p)^(1/p) of each window of sequences, with p = norm_type."""
@overload
def lp_pool1d(*args: Any, x: Any = ..., norm_type: Any = ..., kernel_size: Any = ..., stride: Any = ..., padding: Any = ..., ceil_mode: Any = ..., data_format: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def lp_pool2d(x: twinoar._TensorLike, norm_type: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: builtins.bool = False, data_format: builtins.str = 'NCHW', name: builtins.str | None = None) -> twinoar.Tensor:
    """(sum of x^p)^(1/p) of each window of images, with p = norm_type; the maximum for inf."""
@overload
def lp_pool2d(*args: Any, x: Any = ..., norm_type: Any = ..., kernel_size: Any = ..., stride: Any = ..., padding: Any = ..., ceil_mode: Any = ..., data_format: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def margin_cross_entropy(logits: twinoar._TensorLike, label: twinoar._TensorLike, margin1: Any = ..., margin2: Any = ..., margin3: Any = ..., scale: Any = ..., group: Any = None, return_softmax: builtins.bool = False, reduction: builtins.str | None = 'mean') -> twinoar.Tensor:
    """The cross entropy of scale cos(angle), that of the right class taken as cos(margin1 angle + margin2) - margin3."""
@overload
def margin_cross_entropy(*args: Any, logits: Any = ..., label: Any = ..., margin1: Any = ..., margin2: Any = ..., margin3: Any = ..., scale: Any = ..., group: Any = ..., return_softmax: Any = ..., reduction: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def margin_ranking_loss(input: twinoar._TensorLike, other: twinoar._TensorLike, label: twinoar._TensorLike, margin: Any = ..., reduction: builtins.str = 'mean', name: builtins.str | None = None) -> twinoar.Tensor:
    """max(0, margin - label (input - other))."""
@overload
def margin_ranking_loss(*args: Any, input: Any = ..., other: Any = ..., label: Any = ..., margin: Any = ..., reduction: Any = ..., name: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def max_pool1d(x: twinoar._TensorLike, kernel_size: Any, stride: Any = None, padding: Any = 0, return_mask: builtins.bool = False, ceil_mode: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
    """The maximum over windows of a sequence: `max_pool2d` with one row."""
@overload
def max_pool1d(*args: Any, x: Any = ..., kernel_size: Any = ..., stride: Any = ..., padding: Any = ..., return_mask: Any = ..., ceil_mode: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., return_indices: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def max_pool2d(x: twinoar._TensorLike, kernel_size: Any, stride: Any = None, padding: Any = 0, return_mask: builtins.bool = False, ceil_mode: builtins.bool = False, data_format: builtins.str = 'NCHW', name: builtins.str | None = None) -> twinoar.Tensor:
    """The maximum over windows of an image."""
@overload
def max_pool2d(*args: Any, x: Any = ..., kernel_size: Any = ..., stride: Any = ..., padding: Any = ..., return_mask: Any = ..., ceil_mode: Any = ..., data_format: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., return_indices: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def max_pool3d(x: twinoar._TensorLike, kernel_size: Any, stride: Any = None, padding: Any = 0, return_mask: builtins.bool = False, ceil_mode: builtins.bool = False, data_format: builtins.str = 'NCDHW', name: builtins.str | None = None) -> twinoar.Tensor:
    """The maximum over windows of a volume: `max_pool2d` with one axis more."""
@overload
def max_pool3d(*args: Any, x: Any = ..., kernel_size: Any = ..., stride: Any = ..., padding: Any = ..., return_mask: Any = ..., ceil_mode: Any = ..., data_format: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., return_indices: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def max_unpool1d(x: twinoar._TensorLike, indices: twinoar._TensorLike, kernel_size: Any, stride: Any = None, padding: Any = 0, data_format: builtins.str = 'NCL', output_size: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """`max_unpool2d` of sequences [N,C,L]."""
@overload
def max_unpool1d(*args: Any, x: Any = ..., indices: Any = ..., kernel_size: Any = ..., stride: Any = ..., padding: Any = ..., data_format: Any = ..., output_size: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def max_unpool2d(x: twinoar._TensorLike, indices: twinoar._TensorLike, kernel_size: Any, stride: Any = None, padding: Any = 0, data_format: builtins.str = 'NCHW', output_size: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """The maxima that `max_pool2d` found, back in their places; zeros elsewhere."""
@overload
def max_unpool2d(*args: Any, x: Any = ..., indices: Any = ..., kernel_size: Any = ..., stride: Any = ..., padding: Any = ..., data_format: Any = ..., output_size: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def max_unpool3d(x: twinoar._TensorLike, indices: twinoar._TensorLike, kernel_size: Any, stride: Any = None, padding: Any = 0, data_format: builtins.str = 'NCDHW', output_size: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """`max_unpool2d` of volumes [N,C,D,H,W]."""
@overload
def max_unpool3d(*args: Any, x: Any = ..., indices: Any = ..., kernel_size: Any = ..., stride: Any = ..., padding: Any = ..., data_format: Any = ..., output_size: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def maxout(x: twinoar._TensorLike, groups: Any, axis: Any = 1, name: builtins.str | None = None) -> twinoar.Tensor:
    """The maximum of each `groups` channels that follow each other; the first has the gradient."""
@overload
def maxout(*args: Any, x: Any = ..., groups: Any = ..., axis: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def mish(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """x * tanh(log(1 + exp(x)))"""
@overload
def mish(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def moe_permute(hidden_states: twinoar._TensorLike, scale: twinoar._TensorLike | None, expert_routemap_topk: twinoar._TensorLike, expert_prob_topk: twinoar._TensorLike, num_experts: Any, tokens_per_expert: collections.abc.Sequence[Any], padding_alignment: Any, do_gather: builtins.bool = True, using_ue8m0_scale: builtins.bool = False, return_expert_indices: builtins.bool = False, override_buffer_size: Any = -1, name: builtins.str | None = None) -> builtins.tuple[twinoar.Tensor, ...]:
    """Tokens expert by expert, those of one in their order, each expert's padded with zeros."""
@overload
def moe_permute(*args: Any, hidden_states: Any = ..., scale: Any = ..., expert_routemap_topk: Any = ..., expert_prob_topk: Any = ..., num_experts: Any = ..., tokens_per_expert: Any = ..., padding_alignment: Any = ..., do_gather: Any = ..., using_ue8m0_scale: Any = ..., return_expert_indices: Any = ..., override_buffer_size: Any = ..., name: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, ...]: ...
@overload
def moe_unpermute(hidden_states_unzipped: twinoar._TensorLike, zipped_expertwise_rowmap: twinoar._TensorLike, expert_routemap_topk: twinoar._TensorLike, token_prob_unzipped: twinoar._TensorLike, total_zipped_tokens: Any, num_experts: Any, using_mix_precision: builtins.bool = True, using_weighted_combine: builtins.bool = False, name: builtins.str | None = None) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]:
    """For each token the sum of what its experts gave, and their shares: undoes `moe_permute`."""
@overload
def moe_unpermute(*args: Any, hidden_states_unzipped: Any = ..., zipped_expertwise_rowmap: Any = ..., expert_routemap_topk: Any = ..., token_prob_unzipped: Any = ..., total_zipped_tokens: Any = ..., num_experts: Any = ..., using_mix_precision: Any = ..., using_weighted_combine: Any = ..., name: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]: ...
@overload
def mse_loss(input: twinoar._TensorLike, label: twinoar._TensorLike, reduction: builtins.str = 'mean', name: builtins.str | None = None) -> twinoar.Tensor:
    """The squared difference of input and label."""
@overload
def mse_loss(*args: Any, input: Any = ..., label: Any = ..., reduction: Any = ..., name: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def multi_label_margin_loss(input: twinoar._TensorLike, label: twinoar._TensorLike, reduction: builtins.str = 'mean', name: builtins.str | None = None) -> twinoar.Tensor:
    """The sum over labels j and other classes i of max(0, 1 - input[j] + input[i]), over C."""
@overload
def multi_label_margin_loss(*args: Any, input: Any = ..., label: Any = ..., reduction: Any = ..., name: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def multi_label_soft_margin_loss(input: twinoar._TensorLike, label: twinoar._TensorLike, weight: twinoar._TensorLike | None = None, reduction: builtins.str = 'mean', name: builtins.str | None = None) -> twinoar.Tensor:
    """The mean over classes of the cross entropy of sigmoid(input) and each label."""
@overload
def multi_label_soft_margin_loss(*args: Any, input: Any = ..., label: Any = ..., weight: Any = ..., reduction: Any = ..., name: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def multi_margin_loss(input: twinoar._TensorLike, label: twinoar._TensorLike, p: Any = 1, margin: Any = ..., weight: twinoar._TensorLike | None = None, reduction: builtins.str = 'mean', name: builtins.str | None = None) -> twinoar.Tensor:
    """The sum over the wrong classes j of max(0, margin - input[label] + input[j])^p, over C."""
@overload
def multi_margin_loss(*args: Any, input: Any = ..., label: Any = ..., p: Any = ..., margin: Any = ..., weight: Any = ..., reduction: Any = ..., name: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def nll_loss(input: twinoar._TensorLike, label: twinoar._TensorLike, weight: twinoar._TensorLike | None = None, ignore_index: Any = -100, reduction: builtins.str = 'mean', name: builtins.str | None = None) -> twinoar.Tensor:
    """The negative log likelihood of labels."""
@overload
def nll_loss(*args: Any, input: Any = ..., label: Any = ..., weight: Any = ..., ignore_index: Any = ..., reduction: Any = ..., name: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def normalize(x: twinoar._TensorLike, p: Any = 2, axis: Any = 1, epsilon: Any = ..., name: builtins.str | None = None) -> twinoar.Tensor:
    """x divided by its p-norm along an axis, or by epsilon where the norm is less."""
@overload
def normalize(*args: Any, x: Any = ..., p: Any = ..., axis: Any = ..., epsilon: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., eps: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def npair_loss(anchor: twinoar._TensorLike, positive: twinoar._TensorLike, labels: twinoar._TensorLike, l2_reg: Any = ...) -> twinoar.Tensor:
    """The cross entropy of which positives have the label of each anchor, and a price of lengths."""
@overload
def npair_loss(*args: Any, anchor: Any = ..., positive: Any = ..., labels: Any = ..., l2_reg: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def one_hot(x: twinoar._TensorLike, num_classes: Any = -1, name: builtins.str | None = None) -> twinoar.Tensor:
    """Unit vectors: 1 at the position that each element of x names, 0 elsewhere."""
@overload
def one_hot(*args: Any, x: Any = ..., num_classes: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def pad(x: twinoar._TensorLike, pad: Any, mode: builtins.str = 'constant', value: Any = ..., data_format: builtins.str | None = None, pad_from_left_axis: builtins.bool = True, name: builtins.str | None = None) -> twinoar.Tensor:
    """x with borders."""
@overload
def pad(*args: Any, x: Any = ..., pad: Any = ..., mode: Any = ..., value: Any = ..., data_format: Any = ..., pad_from_left_axis: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., source: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def pairwise_distance(x: twinoar._TensorLike, y: twinoar._TensorLike, p: Any = ..., epsilon: Any = ..., keepdim: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
    """The p-norm of x - y + epsilon along the last dimension."""
@overload
def pairwise_distance(*args: Any, x: Any = ..., y: Any = ..., p: Any = ..., epsilon: Any = ..., keepdim: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., eps: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def pixel_shuffle(x: twinoar._TensorLike, upscale_factor: Any, data_format: builtins.str = 'NCHW', name: builtins.str | None = None) -> twinoar.Tensor:
    """Each group of r^2 channels becomes a channel of images r times as large."""
@overload
def pixel_shuffle(*args: Any, x: Any = ..., upscale_factor: Any = ..., data_format: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def pixel_unshuffle(x: twinoar._TensorLike, downscale_factor: Any, data_format: builtins.str = 'NCHW', name: builtins.str | None = None) -> twinoar.Tensor:
    """Each square of r by r pixels becomes r^2 channels: the inverse of `pixel_shuffle`."""
@overload
def pixel_unshuffle(*args: Any, x: Any = ..., downscale_factor: Any = ..., data_format: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def poisson_nll_loss(input: twinoar._TensorLike, label: twinoar._TensorLike, log_input: builtins.bool = True, full: builtins.bool = False, epsilon: Any = ..., reduction: builtins.str = 'mean', name: builtins.str | None = None) -> twinoar.Tensor:
    """The negative logarithm of the likelihood of counts."""
@overload
def poisson_nll_loss(*args: Any, input: Any = ..., label: Any = ..., log_input: Any = ..., full: Any = ..., epsilon: Any = ..., reduction: Any = ..., name: Any = ..., eps: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def prelu(x: twinoar._TensorLike, weight: twinoar._TensorLike, data_format: Literal['NC', 'NCL', 'NCHW', 'NCDHW', 'NLC', 'NHWC', 'NDHWC'] = 'NCHW', name: builtins.str | None = None) -> twinoar.Tensor:
    """x where x > 0, weight * x elsewhere, with a weight that is learned."""
@overload
def prelu(*args: Any, x: Any = ..., weight: Any = ..., data_format: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def relu(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """max(x, 0), with slope 0 at 0; nan stays."""
@overload
def relu(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def relu6(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """min(max(x, 0), 6), with slope 0 at 0 and 6."""
@overload
def relu6(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
from twinoar.tensor import relu_ as relu_
@overload
def rms_norm(input: twinoar._TensorLike, normalized_shape: collections.abc.Sequence[Any], weight: twinoar._TensorLike | None = None, eps: Any = ..., name: builtins.str | None = None) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]:
    """input / sqrt(mean(input^2) + eps) * weight, over the last dimensions."""
@overload
def rms_norm(*args: Any, input: Any = ..., normalized_shape: Any = ..., weight: Any = ..., eps: Any = ..., name: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]: ...
@overload
def rnnt_loss(input: twinoar._TensorLike, label: twinoar._TensorLike, input_lengths: twinoar._TensorLike, label_lengths: twinoar._TensorLike, blank: Any = 0, fastemit_lambda: Any = ..., reduction: builtins.str = 'mean', name: builtins.str | None = None) -> twinoar.Tensor:
    """-log of the likelihood of labels that a transducer says between frames."""
@overload
def rnnt_loss(*args: Any, input: Any = ..., label: Any = ..., input_lengths: Any = ..., label_lengths: Any = ..., blank: Any = ..., fastemit_lambda: Any = ..., reduction: Any = ..., name: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def rrelu(x: twinoar._TensorLike, lower: Any = ..., upper: Any = ..., training: builtins.bool = True, name: builtins.str | None = None) -> twinoar.Tensor:
    """x where it is not negative; elsewhere x times a slope from [lower, upper)."""
@overload
def rrelu(*args: Any, x: Any = ..., lower: Any = ..., upper: Any = ..., training: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def scaled_dot_product_attention(query: twinoar._TensorLike, key: twinoar._TensorLike, value: twinoar._TensorLike, attn_mask: twinoar._TensorLike | None = None, dropout_p: Any = ..., is_causal: builtins.bool = False, training: builtins.bool = True, backend: builtins.str | None = None, scale: Any = None, enable_gqa: builtins.bool = True, name: builtins.str | None = None) -> twinoar.Tensor:
    """softmax(scale * query key' + attn_mask) value, for each head."""
@overload
def scaled_dot_product_attention(*args: Any, query: Any = ..., key: Any = ..., value: Any = ..., attn_mask: Any = ..., dropout_p: Any = ..., is_causal: Any = ..., training: Any = ..., backend: Any = ..., scale: Any = ..., enable_gqa: Any = ..., name: Any = ..., source: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def selu(x: twinoar._TensorLike, scale: Any = ..., alpha: Any = ..., name: builtins.str | None = None) -> twinoar.Tensor:
    """scale * x where x > 0, scale * alpha * (exp(x) - 1) elsewhere."""
@overload
def selu(*args: Any, x: Any = ..., scale: Any = ..., alpha: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def sequence_mask(x: twinoar._TensorLike, maxlen: Any = None, dtype: Any = 'int64', name: builtins.str | None = None) -> twinoar.Tensor:
    """1 at the positions before each length, 0 from there on."""
@overload
def sequence_mask(*args: Any, x: Any = ..., maxlen: Any = ..., dtype: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
from twinoar import sigmoid as sigmoid
@overload
def sigmoid_focal_loss(logit: twinoar._TensorLike, label: twinoar._TensorLike, normalizer: twinoar._TensorLike | None = None, alpha: Any = ..., gamma: Any = ..., reduction: builtins.str = 'sum', name: builtins.str | None = None) -> twinoar.Tensor:
    """The cross entropy of sigmoid(logit) and labels, less for labels that are already right."""
@overload
def sigmoid_focal_loss(*args: Any, logit: Any = ..., label: Any = ..., normalizer: Any = ..., alpha: Any = ..., gamma: Any = ..., reduction: Any = ..., name: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def silu(x: twinoar._TensorLike, inplace: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
    """x * sigmoid(x): the sigmoid linear unit."""
@overload
def silu(*args: Any, x: Any = ..., inplace: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def smooth_l1_loss(input: twinoar._TensorLike, label: twinoar._TensorLike, reduction: builtins.str = 'mean', delta: Any = ..., is_huber: builtins.bool = True, name: builtins.str | None = None) -> twinoar.Tensor:
    """Half the squared difference d where it is at most delta, delta (d - delta / 2) beyond."""
@overload
def smooth_l1_loss(*args: Any, input: Any = ..., label: Any = ..., reduction: Any = ..., delta: Any = ..., is_huber: Any = ..., name: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def soft_margin_loss(input: twinoar._TensorLike, label: twinoar._TensorLike, reduction: builtins.str = 'mean', name: builtins.str | None = None) -> twinoar.Tensor:
    """log(1 + exp(-label input))."""
@overload
def soft_margin_loss(*args: Any, input: Any = ..., label: Any = ..., reduction: Any = ..., name: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def softmax(x: twinoar._TensorLike, axis: Any = -1, dtype: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """exp(x) / sum(exp(x)) along `axis`: positive shares that sum to 1."""
@overload
def softmax(*args: Any, x: Any = ..., axis: Any = ..., dtype: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
from twinoar import softmax_ as softmax_
@overload
def softmax_with_cross_entropy(logits: twinoar._TensorLike, label: twinoar._TensorLike, soft_label: builtins.bool = False, ignore_index: Any = -100, numeric_stable_mode: builtins.bool = True, return_softmax: builtins.bool = False, axis: Any = -1) -> twinoar.Tensor:
    """The cross entropy of softmax(logits) and each label."""
@overload
def softmax_with_cross_entropy(*args: Any, logits: Any = ..., label: Any = ..., soft_label: Any = ..., ignore_index: Any = ..., numeric_stable_mode: Any = ..., return_softmax: Any = ..., axis: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def softplus(x: twinoar._TensorLike, beta: Any = ..., threshold: Any = ..., name: builtins.str | None = None) -> twinoar.Tensor:
    """log(1 + exp(beta * x)) / beta, a smooth relu; x itself where beta * x > threshold."""
@overload
def softplus(*args: Any, x: Any = ..., beta: Any = ..., threshold: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., lambd: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def softshrink(x: twinoar._TensorLike, threshold: Any = ..., name: builtins.str | None = None) -> twinoar.Tensor:
    """x moved towards 0 by the threshold, and 0 where it would pass 0."""
@overload
def softshrink(*args: Any, x: Any = ..., threshold: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., lambd: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def softsign(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """x / (1 + |x|)."""
@overload
def softsign(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def sparse_attention(query: twinoar._TensorLike, key: twinoar._TensorLike, value: twinoar._TensorLike, sparse_csr_offset: twinoar._TensorLike, sparse_csr_columns: twinoar._TensorLike, key_padding_mask: twinoar._TensorLike | None = None, attn_mask: twinoar._TensorLike | None = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """softmax(query key' / sqrt(D)) value, over the keys that a sparse matrix has for each query."""
@overload
def sparse_attention(*args: Any, query: Any = ..., key: Any = ..., value: Any = ..., sparse_csr_offset: Any = ..., sparse_csr_columns: Any = ..., key_padding_mask: Any = ..., attn_mask: Any = ..., name: Any = ..., source: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def square_error_cost(input: twinoar._TensorLike, label: twinoar._TensorLike) -> twinoar.Tensor:
    """The squared difference of input and label, element by element."""
@overload
def square_error_cost(*args: Any, input: Any = ..., label: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def swiglu(x: twinoar._TensorLike, y: twinoar._TensorLike | None = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """silu(x) * y; without y the halves of x along its last dimension are both."""
@overload
def swiglu(*args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def swish(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """x * sigmoid(x), as `silu`"""
@overload
def swish(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
from twinoar import tanh as tanh
from twinoar import tanh_ as tanh_
@overload
def tanhshrink(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """x - tanh(x)."""
@overload
def tanhshrink(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def temporal_shift(x: twinoar._TensorLike, seg_num: Any, shift_ratio: Any = ..., name: builtins.str | None = None, data_format: builtins.str = 'NCHW') -> twinoar.Tensor:
    """The first channels of each frame from the frame before, the next from the frame after."""
@overload
def temporal_shift(*args: Any, x: Any = ..., seg_num: Any = ..., shift_ratio: Any = ..., name: Any = ..., data_format: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def thresholded_relu(x: twinoar._TensorLike, threshold: Any = ..., value: Any = ..., name: builtins.str | None = None) -> twinoar.Tensor:
    """x where x > threshold, `value` elsewhere; nan stays."""
@overload
def thresholded_relu(*args: Any, x: Any = ..., threshold: Any = ..., value: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., lambd: Any = ..., obj: Any = ..., source: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
from twinoar.tensor import thresholded_relu_ as thresholded_relu_
@overload
def triplet_margin_loss(input: twinoar._TensorLike, positive: twinoar._TensorLike, negative: twinoar._TensorLike, margin: Any = ..., p: Any = 2, epsilon: Any = ..., swap: builtins.bool = False, reduction: builtins.str = 'mean', name: builtins.str | None = None) -> twinoar.Tensor:
    """`triplet_margin_with_distance_loss` by the p-norm."""
@overload
def triplet_margin_loss(*args: Any, input: Any = ..., positive: Any = ..., negative: Any = ..., margin: Any = ..., p: Any = ..., epsilon: Any = ..., swap: Any = ..., reduction: Any = ..., name: Any = ..., eps: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def triplet_margin_with_distance_loss(input: twinoar._TensorLike, positive: twinoar._TensorLike, negative: twinoar._TensorLike, distance_function: collections.abc.Callable[[twinoar.Tensor, twinoar.Tensor], twinoar.Tensor] | None = None, margin: Any = ..., swap: builtins.bool = False, reduction: builtins.str = 'mean', name: builtins.str | None = None) -> twinoar.Tensor:
    """How far, up to a margin, each input is from being nearer to its positive than its negative."""
@overload
def triplet_margin_with_distance_loss(*args: Any, input: Any = ..., positive: Any = ..., negative: Any = ..., distance_function: Any = ..., margin: Any = ..., swap: Any = ..., reduction: Any = ..., name: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def unfold(x: twinoar._TensorLike, kernel_sizes: Any, strides: Any = 1, paddings: Any = 0, dilations: Any = 1, name: builtins.str | None = None) -> twinoar.Tensor:
    """The windows of images as columns."""
@overload
def unfold(*args: Any, x: Any = ..., kernel_sizes: Any = ..., strides: Any = ..., paddings: Any = ..., dilations: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def upsample(x: twinoar._TensorLike, size: Any = None, scale_factor: Any = None, mode: builtins.str = 'nearest', align_corners: builtins.bool = False, align_mode: Any = 0, data_format: builtins.str = 'NCHW', name: builtins.str | None = None) -> twinoar.Tensor:
    """The same as `interpolate`."""
@overload
def upsample(*args: Any, x: Any = ..., size: Any = ..., scale_factor: Any = ..., mode: Any = ..., align_corners: Any = ..., align_mode: Any = ..., data_format: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def zeropad2d(x: twinoar._TensorLike, padding: Any, data_format: builtins.str = 'NCHW', name: builtins.str | None = None) -> twinoar.Tensor:
    """Images with zeros around them."""
@overload
def zeropad2d(*args: Any, x: Any = ..., padding: Any = ..., data_format: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
