"""`paddle.nn.quant.qat`: layers whose inputs and weights pass through quanters."""

from twinoar.core.public import exported
from twinoar.nn.quant.qat.conv import QuantedConv2D
from twinoar.nn.quant.qat.linear import QuantedLinear

__all__ = exported(globals())
