"""Quantization of networks that run at once, by PaddleSlim's name of its module."""

from twinoar.core.public import exported
from twinoar.quantization.imperative import (
    AbsmaxQuantizer,
    HistQuantizer,
    KLQuantizer,
    PerChannelAbsmaxQuantizer,
)
from twinoar.slim.dygraph.quant.ptq import PTQ
from twinoar.slim.dygraph.quant.qat import QAT

__all__ = exported(globals())
