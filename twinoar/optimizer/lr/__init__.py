"""Learning rate schedules."""

from twinoar.core.public import exported
from twinoar.optimizer.lr.cosine import CosineAnnealingDecay, CosineAnnealingWarmRestarts
from twinoar.optimizer.lr.cyclic import CyclicLR, OneCycleLR
from twinoar.optimizer.lr.decay import (
    ExponentialDecay,
    InverseTimeDecay,
    LambdaDecay,
    MultiplicativeDecay,
    MultiStepDecay,
    NaturalExpDecay,
    NoamDecay,
    PiecewiseDecay,
    PolynomialDecay,
    StepDecay,
)
from twinoar.optimizer.lr.plateau import ReduceOnPlateau
from twinoar.optimizer.lr.scheduler import LRScheduler
from twinoar.optimizer.lr.warmup import LinearLR, LinearWarmup

__all__ = exported(globals())
