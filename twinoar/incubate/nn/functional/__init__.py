"""Functions by the names of Paddle's fused kernels: compositions, which the compiler fuses."""

from twinoar.core.public import exported
from twinoar.incubate.nn.functional.attention import (
    fused_dot_product_attention,
    fused_gate_attention,
)
from twinoar.incubate.nn.functional.decoding import (
    blha_get_max_len,
    masked_multihead_attention,
    variable_length_memory_efficient_attention,
)
from twinoar.incubate.nn.functional.experts import (
    build_src_rank_and_local_expert_id,
    cal_aux_loss,
    expand_modality_expert_id,
    moe_combine,
    moe_gate_dispatch,
    moe_gate_dispatch_partial_nosoftmaxtopk,
    moe_gate_dispatch_permute,
)
from twinoar.incubate.nn.functional.float8 import (
    fp8_gemm_blockwise,
    fp8_quant_blockwise,
    fused_act_dequant,
    fused_stack_transpose_quant,
    fused_transpose_split_quant,
    fused_transpose_wlch_split_quant,
    fused_weighted_swiglu_act_quant,
    moe_gate_dispatch_and_quant,
)
from twinoar.incubate.nn.functional.gradient import (
    cross_entropy_with_softmax_bwd_w_downcast,
    embedding_grad_add_to_,
    fused_swiglu_weighted_bwd,
    int_bincount,
)
from twinoar.incubate.nn.functional.linear import (
    fused_bias_act,
    fused_dropout_add,
    fused_linear,
    fused_linear_activation,
    fused_matmul_bias,
)
from twinoar.incubate.nn.functional.multi_transformer import fused_multi_transformer
from twinoar.incubate.nn.functional.norm import (
    fast_ln,
    fast_rms_norm,
    fused_bias_dropout_residual_layer_norm,
    fused_layer_norm,
    fused_rms_norm,
    fused_rms_norm_ext,
)
from twinoar.incubate.nn.functional.paged import block_multihead_attention
from twinoar.incubate.nn.functional.rotary import (
    fused_partial_rope,
    fused_rotary_position_embedding,
)
from twinoar.incubate.nn.functional.transformer import (
    fused_feedforward,
    fused_multi_head_attention,
)
from twinoar.ops.activation.swiglu import swiglu

__all__ = exported(globals())
