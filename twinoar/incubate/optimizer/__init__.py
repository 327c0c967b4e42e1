"""Optimizers that Paddle keeps apart until they are settled."""

from twinoar.incubate.averages import LookAhead, ModelAverage
from twinoar.incubate.optimizer import functional
from twinoar.optimizer import LBFGS

__all__ = ["LBFGS", "LookAhead", "ModelAverage", "functional"]
