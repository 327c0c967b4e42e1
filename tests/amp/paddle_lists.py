"""What Paddle 3.3.1 casts at each level: `tests/paddle/test_amp_lists.py` compares it."""

# `paddle.amp.amp_lists.white_list()` for bfloat16, which is that of float16 without fused and fake
# quantizing operators; all levels.
WHITE = frozenset(
    {
        "conv2d", "einsum", "flash_attn", "fused_gemm_epilogue", "fused_rotary_position_embedding",
        "linear_v2", "matmul", "matmul_v2", "max_pool2d_with_index", "mul",
    }
)  # fmt: skip
# `black_list()` at level O2, and what level O1 adds.
BLACK_O2 = frozenset(
    {
        "bicubic_interp_v2", "bilinear_interp_v2", "linear_interp_v2", "lookup_table",
        "lookup_table_v2", "nearest_interp_v2", "scatter", "trilinear_interp_v2",
    }
)  # fmt: skip
BLACK_O1 = BLACK_O2 | frozenset(
    {
        "acos", "asin", "atanh", "c_softmax_with_cross_entropy",
        "c_softmax_with_multi_label_cross_entropy", "cosh", "cross_entropy", "cross_entropy2",
        "cumprod", "cumsum", "dist", "erfinv", "exp", "expm1", "frobenius_norm", "group_norm",
        "hsigmoid_loss", "huber_loss", "layer_norm", "log", "log10", "log2", "log_loss",
        "log_softmax", "margin_cross_entropy", "mean", "nll_loss", "pnorm", "pow", "reciprocal",
        "reduce_mean", "reduce_prod", "reduce_sum", "renorm", "rsqrt",
        "sigmoid_cross_entropy_with_logits", "sinh", "softmax", "softmax_with_cross_entropy",
        "softmin", "softplus", "square", "tan", "tanh_shrink", "triplet_margin_loss",
    }
)  # fmt: skip
