"""Weights of 4 bits for language models, layer by layer. PaddleSlim's names."""

from twinoar.core.public import exported
from twinoar.slim.lc import layers, quantizers

__all__ = exported(globals(), "layers", "quantizers")
