"""Functions by the names of Paddle's fused kernels: compositions, which the compiler fuses."""

from twinoar.core.public import exported
from twinoar.incubate.nn.functional.linear import (
    fused_bias_act,
    fused_dropout_add,
    fused_linear,
    fused_linear_activation,
    fused_matmul_bias,
)
from twinoar.incubate.nn.functional.norm import (
    fast_ln,
    fast_rms_norm,
    fused_bias_dropout_residual_layer_norm,
    fused_layer_norm,
    fused_rms_norm,
    fused_rms_norm_ext,
)
from twinoar.ops.activation.swiglu import swiglu

__all__ = exported(globals())
