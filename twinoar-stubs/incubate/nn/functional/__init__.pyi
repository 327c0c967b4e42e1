"""Functions by the names of Paddle's fused kernels: compositions, which the compiler fuses."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar
from typing import Any, Literal, overload

import numpy as _numpy

@overload
def blha_get_max_len(seq_lens_encoder: twinoar._TensorLike, seq_lens_decoder: twinoar._TensorLike, batch_size: twinoar._TensorLike) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]:
    """The greatest of the lengths that `block_multihead_attention` is given."""
@overload
def blha_get_max_len(*args: Any, seq_lens_encoder: Any = ..., seq_lens_decoder: Any = ..., batch_size: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]: ...
@overload
def block_multihead_attention(qkv: twinoar._TensorLike, key_cache: twinoar._TensorLike, value_cache: twinoar._TensorLike, seq_lens_encoder: twinoar._TensorLike, seq_lens_decoder: twinoar._TensorLike, seq_lens_this_time: twinoar._TensorLike, padding_offsets: twinoar._TensorLike | None, cum_offsets: twinoar._TensorLike | None, cu_seqlens_q: twinoar._TensorLike, cu_seqlens_k: twinoar._TensorLike | None, block_tables: twinoar._TensorLike, pre_key_cache: twinoar._TensorLike | None = None, pre_value_cache: twinoar._TensorLike | None = None, cache_k_quant_scales: twinoar._TensorLike | None = None, cache_v_quant_scales: twinoar._TensorLike | None = None, cache_k_dequant_scales: twinoar._TensorLike | None = None, cache_v_dequant_scales: twinoar._TensorLike | None = None, qkv_out_scale: twinoar._TensorLike | None = None, qkv_bias: twinoar._TensorLike | None = None, out_shift: twinoar._TensorLike | None = None, out_smooth: twinoar._TensorLike | None = None, max_enc_len_this_time: twinoar._TensorLike | None = None, max_dec_len_this_time: twinoar._TensorLike | None = None, rope_emb: twinoar._TensorLike | None = None, mask: twinoar._TensorLike | None = None, tgt_mask: twinoar._TensorLike | None = None, max_seq_len: Any = -1, block_size: Any = 64, use_neox_style: builtins.bool = False, use_dynamic_cachekv_quant: builtins.bool = False, quant_round_type: Any = 1, quant_max_bound: Any = ..., quant_min_bound: Any = ..., out_scale: Any = -1, compute_dtype: builtins.str = 'default', rope_theta: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor, twinoar.Tensor, twinoar.Tensor]:
    """Attention of several sequences' next tokens, end to end, to those before them in a cache."""
@overload
def block_multihead_attention(*args: Any, qkv: Any = ..., key_cache: Any = ..., value_cache: Any = ..., seq_lens_encoder: Any = ..., seq_lens_decoder: Any = ..., seq_lens_this_time: Any = ..., padding_offsets: Any = ..., cum_offsets: Any = ..., cu_seqlens_q: Any = ..., cu_seqlens_k: Any = ..., block_tables: Any = ..., pre_key_cache: Any = ..., pre_value_cache: Any = ..., cache_k_quant_scales: Any = ..., cache_v_quant_scales: Any = ..., cache_k_dequant_scales: Any = ..., cache_v_dequant_scales: Any = ..., qkv_out_scale: Any = ..., qkv_bias: Any = ..., out_shift: Any = ..., out_smooth: Any = ..., max_enc_len_this_time: Any = ..., max_dec_len_this_time: Any = ..., rope_emb: Any = ..., mask: Any = ..., tgt_mask: Any = ..., max_seq_len: Any = ..., block_size: Any = ..., use_neox_style: Any = ..., use_dynamic_cachekv_quant: Any = ..., quant_round_type: Any = ..., quant_max_bound: Any = ..., quant_min_bound: Any = ..., out_scale: Any = ..., compute_dtype: Any = ..., rope_theta: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor, twinoar.Tensor, twinoar.Tensor]: ...
@overload
def build_src_rank_and_local_expert_id(expert_num_global_tensor: twinoar._TensorLike, expert_num_global: collections.abc.Sequence[Any], num_local_experts: Any, name: builtins.str | None = None) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]:
    """For each token, expert by expert, the rank and the number there of its expert."""
@overload
def build_src_rank_and_local_expert_id(*args: Any, expert_num_global_tensor: Any = ..., expert_num_global: Any = ..., num_local_experts: Any = ..., name: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]: ...
@overload
def cal_aux_loss(gate_prob: twinoar._TensorLike, dispatch_mask: twinoar._TensorLike, tokens_mask: twinoar._TensorLike | None, dispatch_tokens_mask: twinoar._TensorLike | None, num_experts: Any, use_group: builtins.bool, moe_k: Any, clip_min: Any, name: builtins.str | None = None) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor, twinoar.Tensor]:
    """The loss that spreads tokens evenly: num_experts * sum(share of tokens * share of gates)."""
@overload
def cal_aux_loss(*args: Any, gate_prob: Any = ..., dispatch_mask: Any = ..., tokens_mask: Any = ..., dispatch_tokens_mask: Any = ..., num_experts: Any = ..., use_group: Any = ..., moe_k: Any = ..., clip_min: Any = ..., name: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor, twinoar.Tensor]: ...
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
def expand_modality_expert_id(expert_id: twinoar._TensorLike, num_expert_per_modality: Any, group_size: Any, modality_offset: Any, is_group_expert: builtins.bool, name: builtins.str | None = None) -> twinoar.Tensor:
    """The numbers of experts among those of two modalities, of which each rank has as many."""
@overload
def expand_modality_expert_id(*args: Any, expert_id: Any = ..., num_expert_per_modality: Any = ..., group_size: Any = ..., modality_offset: Any = ..., is_group_expert: Any = ..., name: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
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
@overload
def fp8_gemm_blockwise(a: twinoar._TensorLike, a_decode_scale: twinoar._TensorLike, b: twinoar._TensorLike, b_decode_scale: twinoar._TensorLike, out_dtype: Any, out: twinoar._TensorLike | None = None, bias: twinoar._TensorLike | None = None, accumulate: builtins.bool = False, use_split_accumulator: builtins.bool = True, is_a_1d_scaled: builtins.bool = True, is_b_1d_scaled: builtins.bool = True, name: builtins.str | None = None) -> twinoar.Tensor:
    """a times the transpose of b, both float8 with scales of blocks; added up in float32."""
@overload
def fp8_gemm_blockwise(*args: Any, a: Any = ..., a_decode_scale: Any = ..., b: Any = ..., b_decode_scale: Any = ..., out_dtype: Any = ..., out: Any = ..., bias: Any = ..., accumulate: Any = ..., use_split_accumulator: Any = ..., is_a_1d_scaled: Any = ..., is_b_1d_scaled: Any = ..., name: Any = ...) -> twinoar.Tensor: ...
@overload
def fp8_quant_blockwise(x: twinoar._TensorLike, epsilon: Any = ..., input_transpose: builtins.bool = False, output_scale_transpose: builtins.bool = True, return_transpose_only: builtins.bool = False, using_pow2_scale: builtins.bool = True, using_ue8m0_scale: builtins.bool = False, quant_method: builtins.str = '1x128', output_type: builtins.str = 'e4m3', name: builtins.str | None = None) -> builtins.tuple[twinoar.Tensor, ...]:
    """x as float8_e4m3fn, and a scale for each block."""
@overload
def fp8_quant_blockwise(*args: Any, x: Any = ..., epsilon: Any = ..., input_transpose: Any = ..., output_scale_transpose: Any = ..., return_transpose_only: Any = ..., using_pow2_scale: Any = ..., using_ue8m0_scale: Any = ..., quant_method: Any = ..., output_type: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., eps: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, ...]: ...
@overload
def fused_act_dequant(x: twinoar._TensorLike, x_scale: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """Blocks of 128 numbers in a row by their scales: what `fp8_quant_blockwise` rounded."""
@overload
def fused_act_dequant(*args: Any, x: Any = ..., x_scale: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
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
def fused_dot_product_attention(query: twinoar._TensorLike, key: twinoar._TensorLike, value: twinoar._TensorLike, attn_mask: twinoar._TensorLike | None = None, dropout_p: Any = ..., is_causal: builtins.bool = False, scaling_factor: Any = None, training: builtins.bool = True, name: builtins.str | None = None) -> twinoar.Tensor:
    """`scaled_dot_product_attention`, where a mask is of the dtype of query, and none is causal."""
@overload
def fused_dot_product_attention(*args: Any, query: Any = ..., key: Any = ..., value: Any = ..., attn_mask: Any = ..., dropout_p: Any = ..., is_causal: Any = ..., scaling_factor: Any = ..., training: Any = ..., name: Any = ..., source: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
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
def fused_gate_attention(query: twinoar._TensorLike, key: twinoar._TensorLike | None = None, query_weight: twinoar._TensorLike | None = None, key_weight: twinoar._TensorLike | None = None, value_weight: twinoar._TensorLike | None = None, qkv_weight: twinoar._TensorLike | None = None, gate_linear_weight: twinoar._TensorLike | None = None, gate_linear_bias: twinoar._TensorLike | None = None, out_linear_weight: twinoar._TensorLike | None = None, out_linear_bias: twinoar._TensorLike | None = None, nonbatched_bias: twinoar._TensorLike | None = None, attn_mask: twinoar._TensorLike | None = None, has_gating: builtins.bool = True, merge_qkv: builtins.bool = True, use_flash_attn: builtins.bool = False) -> twinoar.Tensor:
    """Attention within each row of several, times a gate that the query decides, projected."""
@overload
def fused_gate_attention(*args: Any, query: Any = ..., key: Any = ..., query_weight: Any = ..., key_weight: Any = ..., value_weight: Any = ..., qkv_weight: Any = ..., gate_linear_weight: Any = ..., gate_linear_bias: Any = ..., out_linear_weight: Any = ..., out_linear_bias: Any = ..., nonbatched_bias: Any = ..., attn_mask: Any = ..., has_gating: Any = ..., merge_qkv: Any = ..., use_flash_attn: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
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
def fused_multi_transformer(x: twinoar._TensorLike, ln_scales: collections.abc.Sequence[twinoar._TensorLike], ln_biases: collections.abc.Sequence[twinoar._TensorLike] | None, qkv_weights: collections.abc.Sequence[twinoar._TensorLike], qkv_biases: collections.abc.Sequence[twinoar._TensorLike] | None, linear_weights: collections.abc.Sequence[twinoar._TensorLike], linear_biases: collections.abc.Sequence[twinoar._TensorLike] | None, ffn_ln_scales: collections.abc.Sequence[twinoar._TensorLike], ffn_ln_biases: collections.abc.Sequence[twinoar._TensorLike] | None, ffn1_weights: collections.abc.Sequence[twinoar._TensorLike], ffn1_biases: collections.abc.Sequence[twinoar._TensorLike] | None, ffn2_weights: collections.abc.Sequence[twinoar._TensorLike], ffn2_biases: collections.abc.Sequence[twinoar._TensorLike] | None, pre_layer_norm: builtins.bool = True, epsilon: Any = ..., residual_alpha: Any = ..., cache_kvs: collections.abc.Sequence[twinoar._TensorLike] | None = None, beam_offset: Any = None, pre_caches: collections.abc.Sequence[twinoar._TensorLike] | None = None, seq_lens: twinoar._TensorLike | None = None, rotary_embs: twinoar._TensorLike | None = None, time_step: twinoar._TensorLike | None = None, attn_mask: twinoar._TensorLike | None = None, dropout_rate: Any = ..., rotary_emb_dims: Any = 0, activation: builtins.str = 'gelu', training: builtins.bool = False, mode: builtins.str = 'upscale_in_train', trans_qkvw: builtins.bool = True, ring_id: Any = -1, norm_type: builtins.str = 'layernorm', use_neox_rotary_style: builtins.bool = False, gqa_group_size: Any = -1, name: builtins.str | None = None) -> Any:
    """x through layers of attention and feed-forward networks: of a prompt, or of one step."""
@overload
def fused_multi_transformer(*args: Any, x: Any = ..., ln_scales: Any = ..., ln_biases: Any = ..., qkv_weights: Any = ..., qkv_biases: Any = ..., linear_weights: Any = ..., linear_biases: Any = ..., ffn_ln_scales: Any = ..., ffn_ln_biases: Any = ..., ffn1_weights: Any = ..., ffn1_biases: Any = ..., ffn2_weights: Any = ..., ffn2_biases: Any = ..., pre_layer_norm: Any = ..., epsilon: Any = ..., residual_alpha: Any = ..., cache_kvs: Any = ..., beam_offset: Any = ..., pre_caches: Any = ..., seq_lens: Any = ..., rotary_embs: Any = ..., time_step: Any = ..., attn_mask: Any = ..., dropout_rate: Any = ..., rotary_emb_dims: Any = ..., activation: Any = ..., training: Any = ..., mode: Any = ..., trans_qkvw: Any = ..., ring_id: Any = ..., norm_type: Any = ..., use_neox_rotary_style: Any = ..., gqa_group_size: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., eps: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> Any: ...
@overload
def fused_partial_rope(x: twinoar._TensorLike, cos: twinoar._TensorLike, sin: twinoar._TensorLike) -> twinoar.Tensor:
    """x with the last P numbers of each head turned, the first of each pair before the second."""
@overload
def fused_partial_rope(*args: Any, x: Any = ..., cos: Any = ..., sin: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
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
@overload
def fused_stack_transpose_quant(x: collections.abc.Sequence[twinoar._TensorLike], transpose: builtins.bool = True, name: builtins.str | None = None) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]:
    """Matrices, each transposed, one below the other, as float8, and the scale of each block."""
@overload
def fused_stack_transpose_quant(*args: Any, x: Any = ..., transpose: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]: ...
@overload
def fused_swiglu_weighted_bwd(o1: twinoar._TensorLike, do2_s: twinoar._TensorLike, unzipped_probs: twinoar._TensorLike, name: builtins.str | None = None) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor, twinoar.Tensor]:
    """The gradients of `swiglu(o1) * unzipped_probs`, and that itself."""
@overload
def fused_swiglu_weighted_bwd(*args: Any, o1: Any = ..., do2_s: Any = ..., unzipped_probs: Any = ..., name: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor, twinoar.Tensor]: ...
@overload
def fused_transpose_split_quant(x: twinoar._TensorLike, input_scales: twinoar._TensorLike | None, tokens_per_expert: collections.abc.Sequence[Any], pow_2_scales: builtins.bool = False, name: builtins.str | None = None) -> builtins.tuple[builtins.list[twinoar.Tensor], builtins.list[twinoar.Tensor]]:
    """The transpose of x as float8, for each expert its tokens, and scales of 128 tokens."""
@overload
def fused_transpose_split_quant(*args: Any, x: Any = ..., input_scales: Any = ..., tokens_per_expert: Any = ..., pow_2_scales: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.tuple[builtins.list[twinoar.Tensor], builtins.list[twinoar.Tensor]]: ...
@overload
def fused_transpose_wlch_split_quant(x: twinoar._TensorLike, tokens_per_expert: collections.abc.Sequence[Any], pow_2_scales: builtins.bool = False, name: builtins.str | None = None) -> builtins.tuple[builtins.list[twinoar.Tensor], builtins.list[twinoar.Tensor]]:
    """`fused_transpose_split_quant` of tokens that lie by rank, expert of the rank, and place."""
@overload
def fused_transpose_wlch_split_quant(*args: Any, x: Any = ..., tokens_per_expert: Any = ..., pow_2_scales: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.tuple[builtins.list[twinoar.Tensor], builtins.list[twinoar.Tensor]]: ...
@overload
def fused_weighted_swiglu_act_quant(x: twinoar._TensorLike, prob: twinoar._TensorLike | None = None, using_pow2_scaling: builtins.bool = False, name: builtins.str | None = None) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]:
    """`swiglu(x) * prob` in float32, as float8, and the scale of each block of 128 columns."""
@overload
def fused_weighted_swiglu_act_quant(*args: Any, x: Any = ..., prob: Any = ..., using_pow2_scaling: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]: ...
@overload
def int_bincount(x: twinoar._TensorLike, low: Any, high: Any, dtype: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """How often each integer from low to before high is in x."""
@overload
def int_bincount(*args: Any, x: Any = ..., low: Any = ..., high: Any = ..., dtype: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def masked_multihead_attention(x: twinoar._TensorLike, cache_kv: twinoar._TensorLike | None = None, bias: twinoar._TensorLike | None = None, src_mask: twinoar._TensorLike | None = None, cum_offsets: twinoar._TensorLike | None = None, sequence_lengths: twinoar._TensorLike | None = None, rotary_tensor: twinoar._TensorLike | None = None, beam_cache_offset: twinoar._TensorLike | None = None, qkv_out_scale: twinoar._TensorLike | None = None, out_shift: twinoar._TensorLike | None = None, out_smooth: twinoar._TensorLike | None = None, seq_len: Any = 1, rotary_emb_dims: Any = 0, use_neox_rotary_style: builtins.bool = False, compute_dtype: builtins.str = 'default', out_scale: Any = -1, quant_round_type: Any = 1, quant_max_bound: Any = ..., quant_min_bound: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]:
    """One step of decoding: the attention of one position to those in a cache, and itself."""
@overload
def masked_multihead_attention(*args: Any, x: Any = ..., cache_kv: Any = ..., bias: Any = ..., src_mask: Any = ..., cum_offsets: Any = ..., sequence_lengths: Any = ..., rotary_tensor: Any = ..., beam_cache_offset: Any = ..., qkv_out_scale: Any = ..., out_shift: Any = ..., out_smooth: Any = ..., seq_len: Any = ..., rotary_emb_dims: Any = ..., use_neox_rotary_style: Any = ..., compute_dtype: Any = ..., out_scale: Any = ..., quant_round_type: Any = ..., quant_max_bound: Any = ..., quant_min_bound: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]: ...
@overload
def moe_combine(x: twinoar._TensorLike, combine_weights: twinoar._TensorLike, scatter_index: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """For each token the sum of its rows of x, each times its weight."""
@overload
def moe_combine(*args: Any, x: Any = ..., combine_weights: Any = ..., scatter_index: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def moe_gate_dispatch(x: twinoar._TensorLike, gate_logits: twinoar._TensorLike, corr_bias: twinoar._TensorLike | None, k: Any, capacity: Any, use_pad: builtins.bool, name: builtins.str | None = None) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor, twinoar.Tensor, twinoar.Tensor, twinoar.Tensor]:
    """Each token sent to the k experts whose gates are greatest, at most `capacity` to one."""
@overload
def moe_gate_dispatch(*args: Any, x: Any = ..., gate_logits: Any = ..., corr_bias: Any = ..., k: Any = ..., capacity: Any = ..., use_pad: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor, twinoar.Tensor, twinoar.Tensor, twinoar.Tensor]: ...
@overload
def moe_gate_dispatch_and_quant(x: twinoar._TensorLike, gate_logits: twinoar._TensorLike, corr_bias: twinoar._TensorLike | None, k: Any, capacity: Any, use_pad: builtins.bool, use_pow2_scale: builtins.bool, name: builtins.str | None = None) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor, twinoar.Tensor, twinoar.Tensor, twinoar.Tensor, twinoar.Tensor]:
    """`moe_gate_dispatch`, whose rows are float8: those, a scale for each 128 columns, the rest."""
@overload
def moe_gate_dispatch_and_quant(*args: Any, x: Any = ..., gate_logits: Any = ..., corr_bias: Any = ..., k: Any = ..., capacity: Any = ..., use_pad: Any = ..., use_pow2_scale: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor, twinoar.Tensor, twinoar.Tensor, twinoar.Tensor, twinoar.Tensor]: ...
@overload
def moe_gate_dispatch_partial_nosoftmaxtopk(x: twinoar._TensorLike, combine_weights: twinoar._TensorLike, expert_id: twinoar._TensorLike, k: Any, capacity: Any, num_experts: Any, use_pad: builtins.bool, expert_start_index: Any, expert_end_index: Any, reverse_token_drop: builtins.bool, name: builtins.str | None = None) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor, twinoar.Tensor, twinoar.Tensor, twinoar.Tensor, twinoar.Tensor]:
    """Tokens sent to those of their experts that are in a range, at most `capacity` to one."""
@overload
def moe_gate_dispatch_partial_nosoftmaxtopk(*args: Any, x: Any = ..., combine_weights: Any = ..., expert_id: Any = ..., k: Any = ..., capacity: Any = ..., num_experts: Any = ..., use_pad: Any = ..., expert_start_index: Any = ..., expert_end_index: Any = ..., reverse_token_drop: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor, twinoar.Tensor, twinoar.Tensor, twinoar.Tensor, twinoar.Tensor]: ...
@overload
def moe_gate_dispatch_permute(x: twinoar._TensorLike, gate_logits: twinoar._TensorLike, corr_bias: twinoar._TensorLike | None, k: Any, capacity: Any, world_size: Any, name: builtins.str | None = None) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor, twinoar.Tensor, twinoar.Tensor, twinoar.Tensor]:
    """`moe_gate_dispatch` with use_pad, and rows in the order of each rank's first expert, second."""
@overload
def moe_gate_dispatch_permute(*args: Any, x: Any = ..., gate_logits: Any = ..., corr_bias: Any = ..., k: Any = ..., capacity: Any = ..., world_size: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor, twinoar.Tensor, twinoar.Tensor, twinoar.Tensor]: ...
swiglu: Any
@overload
def variable_length_memory_efficient_attention(query: twinoar._TensorLike, key: twinoar._TensorLike, value: twinoar._TensorLike, seq_lens: twinoar._TensorLike, kv_seq_lens: twinoar._TensorLike, mask: twinoar._TensorLike | None = None, scale: Any = None, causal: builtins.bool = False, pre_cache_length: Any = 0) -> twinoar.Tensor:
    """Attention of rows of other lengths: queries and keys behind the end of a row do not count."""
@overload
def variable_length_memory_efficient_attention(*args: Any, query: Any = ..., key: Any = ..., value: Any = ..., seq_lens: Any = ..., kv_seq_lens: Any = ..., mask: Any = ..., scale: Any = ..., causal: Any = ..., pre_cache_length: Any = ..., source: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
