"""Layers by the names of Paddle's fused kernels, which language models are written with."""

from twinoar.core.public import exported
from twinoar.incubate.nn import functional
from twinoar.incubate.nn.linear import (
    FusedBiasDropoutResidualLayerNorm,
    FusedDropout,
    FusedDropoutAdd,
    FusedLinear,
)
from twinoar.incubate.nn.multi_transformer import FusedMultiTransformer
from twinoar.incubate.nn.transformer import (
    FusedFeedForward,
    FusedMultiHeadAttention,
    FusedTransformerEncoderLayer,
)

__all__ = exported(globals(), "functional")
