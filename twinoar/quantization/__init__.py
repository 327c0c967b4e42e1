"""`paddle.quantization`: networks whose values are rounded to integers of few bits."""

from twinoar.core.public import exported
from twinoar.quantization.base_observer import BaseObserver
from twinoar.quantization.base_quanter import BaseQuanter
from twinoar.quantization.factory import quanter

__all__ = exported(globals())
