"""`paddle.quantization.imperative`: quantization by Paddle's older names, layer by layer."""

from twinoar.core.public import exported
from twinoar.quantization.imperative import ptq, ptq_config, ptq_quantizer, ptq_registry, qat
from twinoar.quantization.imperative.ptq import ImperativePTQ
from twinoar.quantization.imperative.ptq_config import PTQConfig, default_ptq_config
from twinoar.quantization.imperative.ptq_quantizer import (
    SUPPORT_ACT_QUANTIZERS,
    SUPPORT_WT_QUANTIZERS,
    AbsmaxQuantizer,
    BaseQuantizer,
    HistQuantizer,
    KLQuantizer,
    PerChannelAbsmaxQuantizer,
)
from twinoar.quantization.imperative.ptq_registry import PTQRegistry
from twinoar.quantization.imperative.qat import ImperativeQuantAware

LISTS = ("SUPPORT_ACT_QUANTIZERS", "SUPPORT_WT_QUANTIZERS")
__all__ = exported(globals(), *LISTS, "ptq", "ptq_config", "ptq_quantizer", "ptq_registry", "qat")
