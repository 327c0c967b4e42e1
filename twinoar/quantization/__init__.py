"""`paddle.quantization`: networks whose values are rounded to integers of few bits."""

from twinoar.core.public import exported
from twinoar.quantization import imperative, observers, quanters
from twinoar.quantization.base_observer import BaseObserver
from twinoar.quantization.base_quanter import BaseQuanter
from twinoar.quantization.config import QuantConfig
from twinoar.quantization.factory import quanter
from twinoar.quantization.imperative import (
    SUPPORT_ACT_QUANTIZERS,
    SUPPORT_WT_QUANTIZERS,
    AbsmaxQuantizer,
    BaseQuantizer,
    HistQuantizer,
    ImperativePTQ,
    ImperativeQuantAware,
    KLQuantizer,
    PerChannelAbsmaxQuantizer,
    PTQConfig,
    PTQRegistry,
    default_ptq_config,
)
from twinoar.quantization.ptq import PTQ
from twinoar.quantization.qat import QAT

LISTS = ("SUPPORT_ACT_QUANTIZERS", "SUPPORT_WT_QUANTIZERS")
__all__ = exported(globals(), *LISTS, "imperative", "observers", "quanters")
