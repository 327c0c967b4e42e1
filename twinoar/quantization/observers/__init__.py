"""`paddle.quantization.observers`: what values a network has, and how to round them well."""

from twinoar.core.public import exported
from twinoar.quantization.observers.abs_max import AbsmaxObserver
from twinoar.quantization.observers.channel import (
    AbsMaxChannelWiseWeightObserver,
    MSEChannelWiseWeightObserver,
)
from twinoar.quantization.observers.distribution import (
    EMDObserver,
    HistObserver,
    KLObserver,
    MSEObserver,
)
from twinoar.quantization.observers.extreme import AVGObserver, EMAObserver, MinMaxObserver
from twinoar.quantization.observers.groupwise import GroupWiseWeightObserver

__all__ = exported(globals())
