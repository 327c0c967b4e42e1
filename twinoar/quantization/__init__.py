"""`paddle.quantization`: networks whose values are rounded to integers of few bits."""

from twinoar.core.public import exported
from twinoar.quantization import observers, quanters
from twinoar.quantization.base_observer import BaseObserver
from twinoar.quantization.base_quanter import BaseQuanter
from twinoar.quantization.config import QuantConfig
from twinoar.quantization.factory import quanter
from twinoar.quantization.ptq import PTQ
from twinoar.quantization.qat import QAT

__all__ = exported(globals(), "observers", "quanters")
