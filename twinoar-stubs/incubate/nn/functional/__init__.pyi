"""Functions by the names of Paddle's fused kernels: compositions, which the compiler fuses."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar
from typing import Any, Literal, overload

import numpy as _numpy

@overload
def cross_entropy_with_softmax_bwd_w_downcast(label: twinoar._TensorLike, softmax: twinoar._TensorLike, loss_grad: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The gradient of the logits of a cross entropy, in bfloat16."""
@overload
def cross_entropy_with_softmax_bwd_w_downcast(*args: Any, label: Any = ..., softmax: Any = ..., loss_grad: Any = ..., name: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def embedding_grad_add_to_(token_indices: twinoar._TensorLike, main_grad_: twinoar._TensorLike, out_grad: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """main_grad_ with the gradient of an embedding added, in place."""
@overload
def embedding_grad_add_to_(*args: Any, token_indices: Any = ..., main_grad_: Any = ..., out_grad: Any = ..., name: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def fast_ln(x: twinoar._TensorLike, scale: twinoar._TensorLike, bias: twinoar._TensorLike, epsilon: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor, twinoar.Tensor]:
    """`layer_norm` of the last dimension; and mean, and one over the deviation, of each row."""
@overload
def fast_ln(*args: Any, x: Any = ..., scale: Any = ..., bias: Any = ..., epsilon: Any = ..., A: Any = ..., elements: Any = ..., eps: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor, twinoar.Tensor]: ...
@overload
def fast_rms_norm(x: twinoar._TensorLike, scale: twinoar._TensorLike, epsilon: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]:
    """`rms_norm` of the last dimension, and one over the root mean square of each row."""
@overload
def fast_rms_norm(*args: Any, x: Any = ..., scale: Any = ..., epsilon: Any = ..., A: Any = ..., elements: Any = ..., eps: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]: ...
def fp8_gemm_blockwise(a: twinoar._TensorLike, a_decode_scale: twinoar._TensorLike, b: twinoar._TensorLike, b_decode_scale: twinoar._TensorLike, out_dtype: Any, out: twinoar._TensorLike | None = None, bias: twinoar._TensorLike | None = None, accumulate: builtins.bool = False, use_split_accumulator: builtins.bool = True, is_a_1d_scaled: builtins.bool = True, is_b_1d_scaled: builtins.bool = True) -> Any:
    """Raises UnsupportedError: there are no tensors of float8."""
def fp8_quant_blockwise(x: twinoar._TensorLike, epsilon: Any = ..., input_transpose: builtins.bool = False, output_scale_transpose: builtins.bool = True, return_transpose_only: builtins.bool = False, using_pow2_scale: builtins.bool = True, using_ue8m0_scale: builtins.bool = False, quant_method: builtins.str = '1x128', output_type: builtins.str = 'e4m3', name: builtins.str | None = None) -> Any:
    """Raises UnsupportedError: there are no tensors of float8."""
def fused_act_dequant(x: twinoar._TensorLike, x_scale: twinoar._TensorLike) -> Any:
    """Raises UnsupportedError: there are no tensors of float8."""
@overload
def fused_bias_act(x: twinoar._TensorLike, bias: twinoar._TensorLike | None = None, dequant_scales: twinoar._TensorLike | None = None, shift: twinoar._TensorLike | None = None, smooth: twinoar._TensorLike | None = None, act_method: builtins.str = 'gelu', compute_dtype: builtins.str = 'default', quant_scale: Any = -1, quant_round_type: Any = 0, quant_max_bound: Any = 0, quant_min_bound: Any = 0) -> twinoar.Tensor:
    """(activation(x + bias) + shift) * smooth."""
@overload
def fused_bias_act(*args: Any, x: Any = ..., bias: Any = ..., dequant_scales: Any = ..., shift: Any = ..., smooth: Any = ..., act_method: Any = ..., compute_dtype: Any = ..., quant_scale: Any = ..., quant_round_type: Any = ..., quant_max_bound: Any = ..., quant_min_bound: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def fused_bias_dropout_residual_layer_norm(x: twinoar._TensorLike, residual: twinoar._TensorLike, bias: twinoar._TensorLike | None = None, ln_scale: twinoar._TensorLike | None = None, ln_bias: twinoar._TensorLike | None = None, dropout_rate: Any = ..., ln_epsilon: Any = ..., training: builtins.bool = True, mode: builtins.str = 'upscale_in_train', name: builtins.str | None = None) -> twinoar.Tensor:
    """layer_norm(residual + dropout(x + bias)) of the last dimension."""
@overload
def fused_bias_dropout_residual_layer_norm(*args: Any, x: Any = ..., residual: Any = ..., bias: Any = ..., ln_scale: Any = ..., ln_bias: Any = ..., dropout_rate: Any = ..., ln_epsilon: Any = ..., training: Any = ..., mode: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def fused_dropout_add(x: twinoar._TensorLike, y: twinoar._TensorLike, p: Any = ..., training: builtins.bool = True, mode: builtins.str = 'upscale_in_train', name: builtins.str | None = None) -> twinoar.Tensor:
    """`dropout` of x, plus y."""
@overload
def fused_dropout_add(*args: Any, x: Any = ..., y: Any = ..., p: Any = ..., training: Any = ..., mode: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def fused_feedforward(x: twinoar._TensorLike, linear1_weight: twinoar._TensorLike, linear2_weight: twinoar._TensorLike, linear1_bias: twinoar._TensorLike | None = None, linear2_bias: twinoar._TensorLike | None = None, ln1_scale: twinoar._TensorLike | None = None, ln1_bias: twinoar._TensorLike | None = None, ln2_scale: twinoar._TensorLike | None = None, ln2_bias: twinoar._TensorLike | None = None, dropout1_rate: Any = ..., dropout2_rate: Any = ..., activation: builtins.str = 'relu', ln1_epsilon: Any = ..., ln2_epsilon: Any = ..., pre_layer_norm: builtins.bool = False, training: builtins.bool = True, mode: builtins.str = 'upscale_in_train', ring_id: Any = -1, add_residual: builtins.bool = True, name: builtins.str | None = None) -> twinoar.Tensor:
    """x + dropout2(linear2(dropout1(activation(linear1(x))))), normalized before or after."""
@overload
def fused_feedforward(*args: Any, x: Any = ..., linear1_weight: Any = ..., linear2_weight: Any = ..., linear1_bias: Any = ..., linear2_bias: Any = ..., ln1_scale: Any = ..., ln1_bias: Any = ..., ln2_scale: Any = ..., ln2_bias: Any = ..., dropout1_rate: Any = ..., dropout2_rate: Any = ..., activation: Any = ..., ln1_epsilon: Any = ..., ln2_epsilon: Any = ..., pre_layer_norm: Any = ..., training: Any = ..., mode: Any = ..., ring_id: Any = ..., add_residual: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def fused_layer_norm(x: twinoar._TensorLike, norm_weight: twinoar._TensorLike | None, norm_bias: twinoar._TensorLike | None, epsilon: Any, residual_alpha: Any = ..., begin_norm_axis: Any = 1, bias: twinoar._TensorLike | None = None, residual: twinoar._TensorLike | None = None, quant_scale: Any = -1, quant_round_type: Any = 0, quant_max_bound: Any = 0, quant_min_bound: Any = 0) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor | None, twinoar.Tensor | None, twinoar.Tensor | None]:
    """`layer_norm` of x + bias + residual_alpha * residual, from begin_norm_axis on."""
@overload
def fused_layer_norm(*args: Any, x: Any = ..., norm_weight: Any = ..., norm_bias: Any = ..., epsilon: Any = ..., residual_alpha: Any = ..., begin_norm_axis: Any = ..., bias: Any = ..., residual: Any = ..., quant_scale: Any = ..., quant_round_type: Any = ..., quant_max_bound: Any = ..., quant_min_bound: Any = ..., A: Any = ..., elements: Any = ..., eps: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor | None, twinoar.Tensor | None, twinoar.Tensor | None]: ...
@overload
def fused_linear(x: twinoar._TensorLike, weight: twinoar._TensorLike, bias: twinoar._TensorLike | None = None, transpose_weight: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
    """x times weight, plus bias."""
@overload
def fused_linear(*args: Any, x: Any = ..., weight: Any = ..., bias: Any = ..., transpose_weight: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def fused_linear_activation(x: twinoar._TensorLike, y: twinoar._TensorLike, bias: twinoar._TensorLike, trans_x: builtins.bool = False, trans_y: builtins.bool = False, activation: builtins.str | None = None) -> twinoar.Tensor:
    """`fused_matmul_bias`, and 'relu' or 'gelu' of it, by its tanh; None or 'none' for neither."""
@overload
def fused_linear_activation(*args: Any, x: Any = ..., y: Any = ..., bias: Any = ..., trans_x: Any = ..., trans_y: Any = ..., activation: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def fused_matmul_bias(x: twinoar._TensorLike, y: twinoar._TensorLike, bias: twinoar._TensorLike | None = None, transpose_x: builtins.bool = False, transpose_y: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
    """`matmul` of x and y, plus bias."""
@overload
def fused_matmul_bias(*args: Any, x: Any = ..., y: Any = ..., bias: Any = ..., transpose_x: Any = ..., transpose_y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def fused_multi_head_attention(x: twinoar._TensorLike, qkv_weight: twinoar._TensorLike, linear_weight: twinoar._TensorLike, pre_layer_norm: builtins.bool = False, pre_ln_scale: twinoar._TensorLike | None = None, pre_ln_bias: twinoar._TensorLike | None = None, ln_scale: twinoar._TensorLike | None = None, ln_bias: twinoar._TensorLike | None = None, pre_ln_epsilon: Any = ..., qkv_bias: twinoar._TensorLike | None = None, linear_bias: twinoar._TensorLike | None = None, cache_kv: twinoar._TensorLike | None = None, attn_mask: twinoar._TensorLike | None = None, dropout_rate: Any = ..., attn_dropout_rate: Any = ..., ln_epsilon: Any = ..., training: builtins.bool = True, mode: builtins.str = 'upscale_in_train', ring_id: Any = -1, add_residual: builtins.bool = True, num_heads: Any = -1, transpose_qkv_wb: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
    """x + dropout(attention of x to itself), normalized before, or with pre_layer_norm=False after."""
@overload
def fused_multi_head_attention(*args: Any, x: Any = ..., qkv_weight: Any = ..., linear_weight: Any = ..., pre_layer_norm: Any = ..., pre_ln_scale: Any = ..., pre_ln_bias: Any = ..., ln_scale: Any = ..., ln_bias: Any = ..., pre_ln_epsilon: Any = ..., qkv_bias: Any = ..., linear_bias: Any = ..., cache_kv: Any = ..., attn_mask: Any = ..., dropout_rate: Any = ..., attn_dropout_rate: Any = ..., ln_epsilon: Any = ..., training: Any = ..., mode: Any = ..., ring_id: Any = ..., add_residual: Any = ..., num_heads: Any = ..., transpose_qkv_wb: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def fused_rms_norm(x: twinoar._TensorLike, norm_weight: twinoar._TensorLike, norm_bias: twinoar._TensorLike | None, epsilon: Any, begin_norm_axis: Any = 1, bias: twinoar._TensorLike | None = None, residual: twinoar._TensorLike | None = None, quant_scale: Any = -1, quant_round_type: Any = 0, quant_max_bound: Any = 0, quant_min_bound: Any = 0) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor | None]:
    """x + bias + residual over its root mean square from begin_norm_axis on, scaled and shifted."""
@overload
def fused_rms_norm(*args: Any, x: Any = ..., norm_weight: Any = ..., norm_bias: Any = ..., epsilon: Any = ..., begin_norm_axis: Any = ..., bias: Any = ..., residual: Any = ..., quant_scale: Any = ..., quant_round_type: Any = ..., quant_max_bound: Any = ..., quant_min_bound: Any = ..., A: Any = ..., elements: Any = ..., eps: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor | None]: ...
@overload
def fused_rms_norm_ext(x: twinoar._TensorLike, scale: twinoar._TensorLike, epsilon: Any = ..., name: builtins.str | None = None) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]:
    """Another name of `fast_rms_norm`."""
@overload
def fused_rms_norm_ext(*args: Any, x: Any = ..., scale: Any = ..., epsilon: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., eps: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]: ...
@overload
def fused_rotary_position_embedding(q: twinoar._TensorLike, k: twinoar._TensorLike | None = None, v: twinoar._TensorLike | None = None, sin: twinoar._TensorLike | None = None, cos: twinoar._TensorLike | None = None, position_ids: twinoar._TensorLike | None = None, use_neox_rotary_style: builtins.bool = True, time_major: builtins.bool = False, rotary_emb_base: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor | None, twinoar.Tensor | None]:
    """q, k and v with pairs of numbers of each head turned by angles of their positions."""
@overload
def fused_rotary_position_embedding(*args: Any, q: Any = ..., k: Any = ..., v: Any = ..., sin: Any = ..., cos: Any = ..., position_ids: Any = ..., use_neox_rotary_style: Any = ..., time_major: Any = ..., rotary_emb_base: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor | None, twinoar.Tensor | None]: ...
def fused_stack_transpose_quant(x: collections.abc.Sequence[twinoar._TensorLike], transpose: builtins.bool = True) -> Any:
    """Raises UnsupportedError: there are no tensors of float8."""
@overload
def fused_swiglu_weighted_bwd(o1: twinoar._TensorLike, do2_s: twinoar._TensorLike, unzipped_probs: twinoar._TensorLike, name: builtins.str | None = None) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor, twinoar.Tensor]:
    """The gradients of `swiglu(o1) * unzipped_probs`, and that itself."""
@overload
def fused_swiglu_weighted_bwd(*args: Any, o1: Any = ..., do2_s: Any = ..., unzipped_probs: Any = ..., name: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor, twinoar.Tensor]: ...
def fused_transpose_split_quant(x: twinoar._TensorLike, input_scales: twinoar._TensorLike | None, tokens_per_expert: collections.abc.Sequence[Any], pow_2_scales: builtins.bool = False) -> Any:
    """Raises UnsupportedError: there are no tensors of float8."""
def fused_transpose_wlch_split_quant(x: twinoar._TensorLike, tokens_per_expert: collections.abc.Sequence[Any], pow_2_scales: builtins.bool = False) -> Any:
    """Raises UnsupportedError: there are no tensors of float8."""
def fused_weighted_swiglu_act_quant(x: twinoar._TensorLike, prob: twinoar._TensorLike | None = None, using_pow2_scaling: builtins.bool = False, name: builtins.str | None = None) -> Any:
    """Raises UnsupportedError: there are no tensors of float8."""
@overload
def int_bincount(x: twinoar._TensorLike, low: Any, high: Any, dtype: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """How often each integer from low to before high is in x."""
@overload
def int_bincount(*args: Any, x: Any = ..., low: Any = ..., high: Any = ..., dtype: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def moe_gate_dispatch_and_quant(x: twinoar._TensorLike, gate_logits: twinoar._TensorLike, corr_bias: twinoar._TensorLike | None, k: Any, capacity: Any, use_pad: builtins.bool, use_pow2_scale: builtins.bool) -> Any:
    """Raises UnsupportedError: there are no tensors of float8."""
swiglu: Any
