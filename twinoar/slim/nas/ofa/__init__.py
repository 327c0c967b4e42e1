"""Once for all: supernets, of which networks of many sizes are taken. PaddleSlim's names."""

from twinoar.core.public import exported
from twinoar.slim.nas.ofa import convert_super, layers, layers_base, utils
from twinoar.slim.nas.ofa.convert_super import Convert, supernet
from twinoar.slim.nas.ofa.layers import (
    BaseBlock,
    Block,
    SuperBatchNorm2D,
    SuperConv2D,
    SuperConv2DTranspose,
    SuperDepthwiseConv2D,
    SuperDepthwiseConv2DTranspose,
    SuperEmbedding,
    SuperGroupConv2D,
    SuperGroupConv2DTranspose,
    SuperInstanceNorm2D,
    SuperLayerNorm,
    SuperLinear,
    SuperSeparableConv2D,
    SuperSyncBatchNorm,
)
from twinoar.slim.nas.ofa.ofa import OFA, DistillConfig, RunConfig
from twinoar.slim.nas.ofa.utils import dynabert_config

__all__ = exported(globals(), "convert_super", "layers", "layers_base", "utils")
