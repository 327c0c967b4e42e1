"""Optimizers, by the names and arguments of Paddle 1.8."""

from twinoar.core.public import exported
from twinoar.fluid.absent import refusing
from twinoar.fluid.optimizer.averaging import LookaheadOptimizer, ModelAverage
from twinoar.fluid.optimizer.modern import (
    AdadeltaOptimizer,
    AdagradOptimizer,
    AdamaxOptimizer,
    AdamOptimizer,
    LambOptimizer,
    MomentumOptimizer,
    RMSPropOptimizer,
    SGDOptimizer,
)
from twinoar.fluid.optimizer.older import (
    DecayedAdagradOptimizer,
    DpsgdOptimizer,
    FtrlOptimizer,
    LarsMomentumOptimizer,
)
from twinoar.fluid.optimizer.recompute import RecomputeOptimizer
from twinoar.static.average import ExponentialMovingAverage

SGD = SGDOptimizer
Momentum = MomentumOptimizer
Adagrad = AdagradOptimizer
Adam = AdamOptimizer
Adamax = AdamaxOptimizer
Dpsgd = DpsgdOptimizer
DecayedAdagrad = DecayedAdagradOptimizer
Ftrl = FtrlOptimizer
Adadelta = AdadeltaOptimizer
LarsMomentum = LarsMomentumOptimizer

__getattr__ = refusing(
    __name__,
    {
        "DGCMomentumOptimizer": "use fluid.optimizer.Momentum: gradients are not compressed",
        "PipelineOptimizer": "train on one device: there are no stages to place",
    },
)

__all__ = exported(globals(), but=("refusing",))
