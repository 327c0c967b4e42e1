"""Calls of fused functions that must convert: each as a name, its tensors and its settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import twinoar as paddle
from twinoar.incubate.nn import functional as F

NUMBERS = np.random.default_rng(14)


def array(*shape: int) -> np.ndarray:
    return NUMBERS.standard_normal(shape).astype("float32")


def called(name: str, **settings: Any) -> Callable[..., Any]:
    """The function of that name as one of its tensors alone; the first result where it has more."""

    def call(**tensors: Any) -> Any:
        out = getattr(F, name)(**tensors, **settings)
        return out[0] if isinstance(out, (tuple, list)) else out

    return call


CALLS: dict[str, tuple[dict[str, Any], dict[str, np.ndarray]]] = {
    "fused_layer_norm": (
        {"epsilon": 1e-3, "begin_norm_axis": 2, "residual_alpha": 0.5},
        {
            "x": array(2, 3, 4),
            "norm_weight": array(4),
            "norm_bias": array(4),
            "bias": array(4),
            "residual": array(2, 3, 4),
        },
    ),
    "fused_rms_norm": (
        {"epsilon": 1e-3, "begin_norm_axis": 1},
        {
            "x": array(2, 3, 4),
            "norm_weight": array(12),
            "norm_bias": array(12),
            "bias": array(4),
            "residual": array(2, 3, 4),
        },
    ),
    "fast_ln": ({}, {"x": array(2, 8), "scale": array(8), "bias": array(8)}),
    "fast_rms_norm": ({}, {"x": array(2, 8), "scale": array(8)}),
    "fused_matmul_bias": (
        {"transpose_y": True},
        {"x": array(2, 3, 4), "y": array(5, 4), "bias": array(5)},
    ),
    "fused_linear_activation": (
        {"activation": "gelu"},
        {"x": array(3, 4), "y": array(4, 5), "bias": array(5)},
    ),
    "fused_bias_act": (
        {"act_method": "geglu"},
        {"x": array(3, 4), "bias": array(4), "shift": array(2), "smooth": array(2)},
    ),
    "fused_dropout_add": ({"p": 0.0}, {"x": array(3, 4), "y": array(3, 4)}),
    "fused_bias_dropout_residual_layer_norm": (
        {"dropout_rate": 0.0},
        {
            "x": array(2, 4),
            "residual": array(2, 4),
            "bias": array(4),
            "ln_scale": array(4),
            "ln_bias": array(4),
        },
    ),
    "fused_rotary_position_embedding": (
        {"use_neox_rotary_style": False},
        {
            "q": array(2, 3, 2, 4),
            "sin": array(5, 4),
            "cos": array(5, 4),
            "position_ids": np.array([[4, 1, 0], [2, 2, 3]]),
        },
    ),
    "fused_swiglu_weighted_bwd": (
        {},
        {"o1": array(3, 8), "do2_s": array(3, 4), "unzipped_probs": array(3)},
    ),
    "fused_multi_head_attention": (
        {"dropout_rate": 0.0, "attn_dropout_rate": 0.0},
        {
            "x": array(2, 3, 4),
            "qkv_weight": array(3, 2, 2, 4),
            "linear_weight": array(4, 4),
            "ln_scale": array(4),
            "ln_bias": array(4),
            "qkv_bias": array(3, 2, 2),
            "linear_bias": array(4),
            "cache_kv": array(2, 2, 2, 5, 2),
            "attn_mask": array(2, 1, 3, 8),
        },
    ),
    "fused_feedforward": (
        {"dropout1_rate": 0.0, "dropout2_rate": 0.0, "activation": "gelu", "pre_layer_norm": True},
        {
            "x": array(2, 3, 4),
            "linear1_weight": array(4, 6),
            "linear2_weight": array(6, 4),
            "linear1_bias": array(6),
            "linear2_bias": array(4),
            "ln1_scale": array(4),
            "ln1_bias": array(4),
        },
    ),
    "variable_length_memory_efficient_attention": (
        {"causal": True},
        {
            "query": array(2, 2, 3, 4),
            "key": array(2, 1, 5, 4),
            "value": array(2, 1, 5, 4),
            "seq_lens": np.array([[3], [2]]),
            "kv_seq_lens": np.array([[2], [5]]),
            "mask": array(2, 1, 3, 5),
        },
    ),
    "moe_gate_dispatch": (
        {"corr_bias": None, "k": 2, "capacity": 2, "use_pad": True},
        {"x": array(5, 3), "gate_logits": array(5, 4)},
    ),
    "moe_combine": (
        {},
        {
            "x": array(5, 3),
            "combine_weights": array(4, 2),
            "scatter_index": np.array([[0, 4], [1, 2], [3, 3], [0, 1]], "int32"),
        },
    ),
    "cal_aux_loss": (
        {
            "tokens_mask": None,
            "dispatch_tokens_mask": None,
            "num_experts": 3,
            "use_group": True,
            "moe_k": 2,
            "clip_min": 1e-6,
        },
        {"gate_prob": array(4, 3), "dispatch_mask": np.array([2, 1, 5])},
    ),
}


def tensors_of(arrays: dict[str, np.ndarray]) -> dict[str, Any]:
    """Tensors of arrays, the floating ones with gradients."""
    return {
        name: paddle.to_tensor(x, stop_gradient=x.dtype.kind != "f") for name, x in arrays.items()
    }
