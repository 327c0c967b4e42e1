"""Observers, by PaddleSlim's name of their module; see `quantization.observers`."""

from twinoar.core.public import exported
from twinoar.quantization.observers import (
    AbsMaxChannelWiseWeightObserver,
    AbsmaxObserver,
    AVGObserver,
    EMAObserver,
    EMDObserver,
    GroupWiseWeightObserver,
    HistObserver,
    KLObserver,
    MinMaxObserver,
    MSEChannelWiseWeightObserver,
    MSEObserver,
)

__all__ = exported(globals())
