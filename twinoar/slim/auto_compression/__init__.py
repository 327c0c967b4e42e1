"""AutoCompression: saved models are compressed by strategies of a configuration."""

from twinoar.core.public import exported
from twinoar.slim.auto_compression.analysis import analysis_prune
from twinoar.slim.auto_compression.compressor import AutoCompression
from twinoar.slim.auto_compression.strategies import (
    ASPPrune,
    ChannelPrune,
    Distillation,
    HyperParameterOptimization,
    MultiTeacherDistillation,
    ProgramInfo,
    Prune,
    QuantAware,
    QuantPost,
    TrainConfig,
    TransformerPrune,
    UnstructurePrune,
)

__all__ = exported(globals())
