"""Layers by the names of Paddle's fused kernels, which language models are written with."""

from twinoar.core.public import exported
from twinoar.incubate.nn import functional
from twinoar.incubate.nn.linear import (
    FusedBiasDropoutResidualLayerNorm,
    FusedDropout,
    FusedDropoutAdd,
    FusedLinear,
)

__all__ = exported(globals(), "functional")
