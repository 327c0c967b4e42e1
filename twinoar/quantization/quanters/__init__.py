"""`paddle.quantization.quanters`: what rounds values in training."""

from twinoar.core.public import exported
from twinoar.quantization.quanters.abs_max import FakeQuanterWithAbsMaxObserver

__all__ = exported(globals())
