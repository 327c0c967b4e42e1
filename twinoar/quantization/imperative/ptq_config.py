"""PTQConfig: how inputs and weights of layers are quantized after training."""

from __future__ import annotations

import copy

from twinoar.core.public import declared
from twinoar.errors import TypeMismatchError
from twinoar.quantization.imperative.ptq_quantizer import (
    SUPPORT_ACT_QUANTIZERS,
    SUPPORT_WT_QUANTIZERS,
    BaseQuantizer,
    KLQuantizer,
    PerChannelAbsmaxQuantizer,
)


class PTQConfig:
    """Quantizers of inputs and of weights, of which copies are taken.

    activation_quantizer: AbsmaxQuantizer, HistQuantizer or KLQuantizer. weight_quantizer:
    AbsmaxQuantizer or PerChannelAbsmaxQuantizer. Raises TypeMismatchError.

    >>> PTQConfig(KLQuantizer(), PerChannelAbsmaxQuantizer()).wt_quantizer.quant_bits
    8
    """

    def __init__(self, activation_quantizer: BaseQuantizer, weight_quantizer: BaseQuantizer):
        both = (
            (activation_quantizer, SUPPORT_ACT_QUANTIZERS),
            (
                weight_quantizer,
                SUPPORT_WT_QUANTIZERS,
            ),
        )
        for given, kinds in both:
            if not isinstance(given, tuple(kinds)):
                names = ", ".join(kind.__name__ for kind in kinds)
                raise TypeMismatchError(f"expected one of {names}, received {given!r}")
        self.in_act_quantizer = copy.deepcopy(activation_quantizer)
        self.out_act_quantizer = copy.deepcopy(activation_quantizer)
        self.wt_quantizer = copy.deepcopy(weight_quantizer)


default_ptq_config = PTQConfig(KLQuantizer(), PerChannelAbsmaxQuantizer())
__all__ = declared(globals(), "default_ptq_config")
