"""`paddle.quantization.observers`: what learns scales from data."""

from twinoar.core.public import exported
from twinoar.quantization.observers.abs_max import AbsmaxObserver
from twinoar.quantization.observers.groupwise import GroupWiseWeightObserver

__all__ = exported(globals())
