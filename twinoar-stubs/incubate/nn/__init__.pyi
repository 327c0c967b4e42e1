"""Layers by the names of Paddle's fused kernels, which language models are written with."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar
import twinoar.nn
from typing import Any, Literal, overload

import numpy as _numpy

class FusedBiasDropoutResidualLayerNorm(twinoar.nn.Layer):
    """layer_norm(residual + dropout(x + linear_bias)), of embed_dim numbers."""
    def __init__(self, embed_dim: Any, dropout_rate: Any = ..., weight_attr: Any = None, bias_attr: Any = None, epsilon: Any = ..., name: builtins.str | None = None) -> None: ...
    def forward(self, x: Any, residual: Any) -> twinoar.Tensor:
        """The normalized sum."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    embed_dim: builtins.int
    dropout_rate: builtins.float
    name: builtins.str | None
    linear_bias: twinoar.nn.Parameter
    ln_scale: twinoar.nn.Parameter
    ln_bias: twinoar.nn.Parameter
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class FusedDropout(twinoar.nn.Dropout):
    """`nn.Dropout` without `inplace`."""
    def __init__(self, p: Any = ..., axis: Any = None, mode: builtins.str = 'upscale_in_train', name: builtins.str | None = None) -> None: ...
class FusedDropoutAdd(twinoar.nn.Dropout):
    """y + dropout(x); p and mode as of `nn.Dropout`."""
    def __init__(self, p: Any = ..., mode: builtins.str = 'upscale_in_train', name: builtins.str | None = None) -> None: ...
    def forward(self, x: Any, y: Any) -> twinoar.Tensor:
        """The sum of y and the thinned x."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class FusedFeedForward(twinoar.nn.Layer):
    """Two linear layers with an activation between, dropout, residual and normalization."""
    def __init__(self, d_model: Any, dim_feedforward: Any, dropout_rate: Any = ..., epsilon: Any = ..., activation: builtins.str = 'relu', act_dropout_rate: Any = None, normalize_before: builtins.bool = False, linear1_weight_attr: Any = None, linear1_bias_attr: Any = None, linear2_weight_attr: Any = None, linear2_bias_attr: Any = None, ln1_scale_attr: Any = None, ln1_bias_attr: Any = None, ln2_scale_attr: Any = None, ln2_bias_attr: Any = None, nranks: Any = 1, ring_id: Any = -1, name: builtins.str | None = None) -> None: ...
    def forward(self, src: Any, cache: Any = None) -> twinoar.Tensor:
        """What the network makes of src, [*,d_model]; the cache is without effect."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    name: builtins.str | None
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class FusedLinear(twinoar.nn.Layer):
    """y = x W + b, as `nn.Linear`, with the weight as [O,I] on wish."""
    def __init__(self, in_features: Any, out_features: Any, weight_attr: Any = None, bias_attr: Any = None, transpose_weight: builtins.bool = False, name: builtins.str | None = None) -> None: ...
    def forward(self, input: Any) -> twinoar.Tensor:
        """y = x W + b."""
    weight: twinoar.nn.Parameter
    bias: twinoar.nn.Parameter
    transpose_weight: builtins.bool
    name: builtins.str | None
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class FusedMultiHeadAttention(twinoar.nn.Layer):
    """Attention of a sequence to itself, with dropout, residual and normalization."""
    def __init__(self, embed_dim: Any, num_heads: Any, dropout_rate: Any = ..., attn_dropout_rate: Any = ..., kdim: Any = None, vdim: Any = None, normalize_before: builtins.bool = False, need_weights: builtins.bool = False, qkv_weight_attr: Any = None, qkv_bias_attr: Any = None, linear_weight_attr: Any = None, linear_bias_attr: Any = None, pre_ln_scale_attr: Any = None, pre_ln_bias_attr: Any = None, ln_scale_attr: Any = None, ln_bias_attr: Any = None, epsilon: Any = ..., nranks: Any = 1, ring_id: Any = -1, transpose_qkv_wb: builtins.bool = False, name: builtins.str | None = None) -> None: ...
    def forward(self, query: Any, key: Any = None, value: Any = None, attn_mask: Any = None, cache: Any = None) -> twinoar.Tensor:
        """The attention of `query`, [N,T,embed_dim], to itself; key and value may only be the same."""
    def extra_repr(self) -> builtins.str:
        """The arguments."""
    embed_dim: builtins.int
    num_heads: builtins.int
    head_dim: Any
    kdim: builtins.int | None
    vdim: builtins.int | None
    need_weights: builtins.bool
    dropout_rate: builtins.float
    attn_dropout_rate: builtins.float
    normalize_before: builtins.bool
    transpose_qkv_wb: builtins.bool
    name: builtins.str | None
    qkv_weight: twinoar.nn.Parameter
    qkv_bias: twinoar.nn.Parameter
    linear_weight: twinoar.nn.Parameter
    linear_bias: twinoar.nn.Parameter
    pre_ln_scale: Any
    pre_ln_bias: Any
    ln_scale: Any
    ln_bias: Any
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class FusedMultiTransformer(twinoar.nn.Layer):
    """Several layers of attention and feed-forward networks, with caches to decode with."""
    def __init__(self, embed_dim: Any, num_heads: Any, dim_feedforward: Any, dropout_rate: Any = ..., activation: builtins.str = 'gelu', normalize_before: builtins.bool = True, ln_scale_attrs: Any = None, ln_bias_attrs: Any = None, qkv_weight_attrs: Any = None, qkv_bias_attrs: Any = None, linear_weight_attrs: Any = None, linear_bias_attrs: Any = None, ffn_ln_scale_attrs: Any = None, ffn_ln_bias_attrs: Any = None, ffn1_weight_attrs: Any = None, ffn1_bias_attrs: Any = None, ffn2_weight_attrs: Any = None, ffn2_bias_attrs: Any = None, epsilon: Any = ..., residual_alpha: Any = ..., num_layers: Any = -1, nranks: Any = 1, trans_qkvw: builtins.bool = True, ring_id: Any = -1, norm_type: builtins.str = 'layernorm', use_neox_rotary_style: builtins.bool = False, gqa_group_size: Any = -1, name: builtins.str | None = None) -> None: ...
    def forward(self, src: Any, attn_mask: Any = None, caches: collections.abc.Sequence[Any] | None = None, pre_caches: collections.abc.Sequence[Any] | None = None, rotary_embs: Any = None, rotary_emb_dims: Any = 0, beam_offset: Any = None, seq_lens: Any = None, time_step: Any = None) -> Any:
        """What the layers make of src, [N,T,embed_dim]; with caches a tuple of that and them."""
    embed_dim: builtins.int
    num_heads: builtins.int
    head_dim: Any
    normalize_before: builtins.bool
    activation: builtins.str
    name: builtins.str | None
    dropout_rate: builtins.float
    ln_scales: Any
    ln_biases: Any
    qkv_weights: Any
    qkv_biases: Any
    linear_weights: Any
    linear_biases: Any
    ffn_ln_scales: Any
    ffn_ln_biases: Any
    ffn1_weights: Any
    ffn1_biases: Any
    ffn2_weights: Any
    ffn2_biases: Any
class FusedTransformerEncoderLayer(twinoar.nn.Layer):
    """`FusedMultiHeadAttention`, then `FusedFeedForward`: what `nn.TransformerEncoderLayer` does."""
    def __init__(self, d_model: Any, nhead: Any, dim_feedforward: Any, dropout_rate: Any = ..., activation: builtins.str = 'relu', attn_dropout_rate: Any = None, act_dropout_rate: Any = None, normalize_before: builtins.bool = False, weight_attr: Any = None, bias_attr: Any = None) -> None: ...
    def forward(self, src: Any, src_mask: Any = None, cache: Any = None) -> Any:
        """The encoded src, [N,T,d_model]; with a cache a tuple of that and the longer one."""
    normalize_before: builtins.bool
    fused_attn: Any
    ffn: Any
from . import functional as functional
