"""Elastic layers, by PaddleSlim's name of their module."""

from twinoar.core.public import exported
from twinoar.slim.nas.ofa.layers.convolutions import (
    SuperConv2D,
    SuperConv2DTranspose,
    SuperDepthwiseConv2D,
    SuperDepthwiseConv2DTranspose,
    SuperGroupConv2D,
    SuperGroupConv2DTranspose,
)
from twinoar.slim.nas.ofa.layers.features import (
    SuperBatchNorm2D,
    SuperEmbedding,
    SuperInstanceNorm2D,
    SuperLayerNorm,
    SuperLinear,
    SuperSeparableConv2D,
    SuperSyncBatchNorm,
)
from twinoar.slim.nas.ofa.layers_base import BaseBlock, Block

__all__ = exported(globals())
