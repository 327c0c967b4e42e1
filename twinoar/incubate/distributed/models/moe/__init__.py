"""`paddle.incubate.distributed.models.moe`: layers whose experts several processes share."""

from twinoar.core.public import exported
from twinoar.incubate.distributed.models.moe.gate import (
    BaseGate,
    GShardGate,
    NaiveGate,
    SwitchGate,
)
from twinoar.incubate.distributed.models.moe.grad_clip import ClipGradForMOEByGlobalNorm
from twinoar.incubate.distributed.models.moe.moe_layer import MoELayer

ClipGradByGlobalNorm = ClipGradForMOEByGlobalNorm

__all__ = exported(globals(), "gate", "ClipGradByGlobalNorm")
