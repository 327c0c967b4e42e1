"""Attention by the names of fused kernels, where Paddle has them."""

# ruff: noqa: F401  # what is imported is what is exported

from twinoar.core.public import exported
from twinoar.nn.attention_backend import sdp_kernel
from twinoar.ops.sequence.attention import scaled_dot_product_attention
from twinoar.ops.sequence.flash_attention import (
    flash_attention,
    flash_attn_qkvpacked,
    flashmask_attention,
)
from twinoar.ops.sequence.unpadded_attention import (
    flash_attention_v3_varlen,
    flash_attn_unpadded,
    flash_attn_varlen_qkvpacked,
)

flash_attn_varlen_func = flash_attention_v3_varlen  # another spelling that Paddle has

__all__ = exported(globals())
